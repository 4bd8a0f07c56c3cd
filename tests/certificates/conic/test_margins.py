"""The float margin is what its name says: inside by that much along the unit element, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.conic.margins import margin, unit
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
from certify.checker.conic.membership import why_outside
from certify.checker.exact import binary64_fraction
from certify.solvers.conic.arrays import FloatArray

VECTORS: list[Cone] = [
    Nonnegative(4),
    SecondOrder(4),
    Rotated(4),
    Exponential(),
    DualExponential(),
    Power(fmpq(1, 3)),
    DualPower(fmpq(1, 3)),
]


def _inside(cone: Cone, value: FloatArray) -> bool:
    numbers = [binary64_fraction(float(entry)) for entry in value]
    common = np.lcm.reduce([int(n.q) for n in numbers], dtype=object)
    return why_outside(cone, [(n * int(common)).p for n in numbers]) is None


@pytest.mark.parametrize("cone", VECTORS, ids=str)
def test_a_vector_is_inside_just_below_its_margin_and_outside_just_above(cone: Cone) -> None:
    rng = np.random.default_rng(7)
    for _ in range(25):
        value = rng.normal(size=4 if hasattr(cone, "size") else 3) * 3
        depth, element = margin(cone, value), unit(cone)
        assert _inside(cone, value - (depth - 1e-6) * element)
        assert not _inside(cone, value - (depth + 1e-6) * element)


@pytest.mark.parametrize("cone", VECTORS, ids=str)
def test_the_unit_is_inside(cone: Cone) -> None:
    assert margin(cone, unit(cone)) > 0
    assert _inside(cone, unit(cone))


def test_a_matrix_is_inside_by_its_least_eigenvalue() -> None:
    assert margin(PositiveSemidefinite(2), np.array([[2.0, 1.0], [1.0, 2.0]])) == pytest.approx(1.0)
    assert margin(PositiveSemidefinite(2), np.array([[0.0, 1.0], [1.0, 0.0]])) == pytest.approx(-1.0)


def test_free_and_zero_vectors_have_no_boundary_and_no_interior() -> None:
    assert margin(Free(2), np.array([-5.0, 1.0])) == np.inf
    assert margin(Zero(2), np.array([0.0, -2.0])) == -2.0
    assert not unit(Free(2)).any()
    assert not unit(Zero(2)).any()
