"""Conformance of the triangle orders, scalings and rotations that Clarabel and SCS expect, at order four and more."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.solvers.conic.layout import Triangle, slack_rows

R = np.sqrt(2.0)
M = np.array([[1.0, 2.0, 3.0, 7.0], [2.0, 4.0, 5.0, 8.0], [3.0, 5.0, 6.0, 9.0], [7.0, 8.0, 9.0, 10.0]])


def test_scs_reads_the_lower_triangle_column_by_column() -> None:
    expected = [1, 2 * R, 3 * R, 7 * R, 4, 5 * R, 8 * R, 6, 9 * R, 10]
    assert np.allclose(slack_rows(PositiveSemidefinite(4), Triangle.LOWER) @ M.ravel(), expected)


def test_clarabel_reads_the_upper_triangle_column_by_column() -> None:
    expected = [1, 2 * R, 4, 3 * R, 5 * R, 6, 7 * R, 8 * R, 9 * R, 10]
    assert np.allclose(slack_rows(PositiveSemidefinite(4), Triangle.UPPER) @ M.ravel(), expected)


@pytest.mark.parametrize("triangle", list(Triangle))
@pytest.mark.parametrize("order", [1, 2, 4, 5, 7])
def test_a_symmetric_matrix_comes_back_and_inner_products_are_kept(triangle: Triangle, order: int) -> None:
    rng = np.random.default_rng(order)
    half = rng.normal(size=(2, order, order))
    a, b = half + half.transpose(0, 2, 1)
    rows = slack_rows(PositiveSemidefinite(order), triangle)
    assert np.allclose((rows.T @ (rows @ a.ravel())).reshape(order, order), a)
    assert np.isclose((rows @ a.ravel()) @ (rows @ b.ravel()), np.vdot(a, b))


def test_an_unsymmetric_matrix_is_read_by_its_symmetric_part() -> None:
    rows = slack_rows(PositiveSemidefinite(4), Triangle.LOWER)
    lopsided = np.triu(M) * 2 - np.diag(np.diag(M))
    assert np.allclose(rows @ lopsided.ravel(), rows @ M.ravel())


def _inside(cone: Cone, v: np.ndarray) -> bool:
    match cone:
        case SecondOrder():
            return bool(v[0] >= np.linalg.norm(v[1:]))
        case Rotated():
            return bool(v[0] >= 0 and v[1] >= 0 and 2 * v[0] * v[1] >= v[2:] @ v[2:])
        case Exponential():
            return bool(v[1] > 0 and v[1] * np.exp(v[0] / v[1]) <= v[2])
        case DualExponential():
            return bool(v[0] < 0 and -v[0] * np.exp(v[1] / v[0]) <= np.e * v[2])
        case Power(alpha):
            a = float(alpha.p) / float(alpha.q)
            return bool(v[0] >= 0 and v[1] >= 0 and v[0] ** a * v[1] ** (1 - a) >= abs(v[2]))
        case DualPower(alpha):
            a = float(alpha.p) / float(alpha.q)
            return _inside(Power(alpha), np.array([v[0] / a, v[1] / (1 - a), v[2]]))
    raise ValueError(cone)


@pytest.mark.parametrize(
    ("cone", "image"),
    [
        (Rotated(5), SecondOrder(5)),
        (DualExponential(), Exponential()),
        (DualPower(fmpq(2, 7)), Power(fmpq(2, 7))),
    ],
    ids=str,
)
def test_images_of_cones_are_the_cones_of_the_solvers(cone: Cone, image: Cone) -> None:
    rows = slack_rows(cone, Triangle.LOWER)
    rng = np.random.default_rng(3)
    points = rng.normal(size=(2000, rows.shape[1])) * 2
    verdicts = [_inside(cone, point) for point in points]
    assert [_inside(image, rows @ point) for point in points] == verdicts
    assert 20 < sum(verdicts) < 1980


def test_free_slacks_have_no_rows_and_the_rest_are_kept() -> None:
    assert slack_rows(Free(3), Triangle.LOWER).shape == (0, 3)
    for cone in (Zero(3), Nonnegative(3), SecondOrder(3), Exponential(), Power(fmpq(1, 3))):
        assert np.array_equal(slack_rows(cone, Triangle.UPPER).toarray(), np.eye(3))
