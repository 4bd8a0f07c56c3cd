"""Cone membership: every cone, inside, on the boundary, outside, and what balls cannot decide."""

from __future__ import annotations

import math

import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

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
    dual_cone,
)
from certify.checker.conic.membership import why_outside

HUGE = 10**6
INSIDE: list[tuple[Cone, list[int]]] = [
    (Free(2), [-1, 5]),
    (Zero(2), [0, 0]),
    (Nonnegative(2), [0, 3]),
    (SecondOrder(3), [5, 3, -4]),
    (SecondOrder(1), [0]),
    (Rotated(3), [2, 4, -4]),
    (Rotated(2), [0, 7]),
    (Exponential(), [0, 1, 1]),
    (Exponential(), [HUGE, HUGE, 2718282]),
    (Exponential(), [-1, 0, 0]),
    (Exponential(), [0, 0, 3]),
    (DualExponential(), [-1, -1, 1]),
    (DualExponential(), [-HUGE, 0, 367880]),
    (DualExponential(), [0, 2, 0]),
    (Power(fmpq(1, 2)), [4, 9, -6]),
    (Power(fmpq(1, 3)), [0, 5, 0]),
    (Power(fmpq(3, 1000)), [1, HUGE, 900_000]),
    (DualPower(fmpq(1, 2)), [1, 1, 2]),
    (DualPower(fmpq(1, 3)), [1, 2, -3]),
]
OUTSIDE: list[tuple[Cone, list[int]]] = [
    (Zero(2), [0, 1]),
    (Nonnegative(2), [0, -1]),
    (SecondOrder(3), [5, 3, 5]),
    (SecondOrder(3), [-5, 3, 4]),
    (SecondOrder(1), [-1]),
    (Rotated(3), [2, 4, 5]),
    (Rotated(3), [-2, -4, 1]),
    (Rotated(2), [-1, 7]),
    (Exponential(), [0, 2, 1]),
    (Exponential(), [HUGE, HUGE, 2718281]),
    (Exponential(), [1, 0, 5]),
    (Exponential(), [0, -1, 5]),
    (Exponential(), [0, 0, -1]),
    (DualExponential(), [-2, -2, 1]),
    (DualExponential(), [-HUGE, 0, 367879]),
    (DualExponential(), [0, -1, 5]),
    (DualExponential(), [1, 0, 5]),
    (Power(fmpq(1, 2)), [4, 9, 7]),
    (Power(fmpq(1, 2)), [0, 9, 1]),
    (Power(fmpq(1, 2)), [-4, -9, 1]),
    (Power(fmpq(3, 1000)), [1, HUGE, 990_000]),
    (DualPower(fmpq(1, 2)), [1, 1, 3]),
    (DualPower(fmpq(1, 3)), [2, 1, 3]),
]


@pytest.mark.parametrize(("cone", "vector"), INSIDE)
def test_inside(cone: Cone, vector: list[int]) -> None:
    assert why_outside(cone, [fmpz(entry) for entry in vector]) is None
    assert why_outside(cone, [fmpz(7 * entry) for entry in vector]) is None


@pytest.mark.parametrize(("cone", "vector"), OUTSIDE)
def test_outside(cone: Cone, vector: list[int]) -> None:
    objection = why_outside(cone, [fmpz(entry) for entry in vector])
    assert objection is not None
    assert objection.holds is False


def test_what_balls_cannot_tell_apart_is_not_inside() -> None:
    """exp(1) to 1300 digits, rounded down: too close for 4096 bits, so nothing is proved."""
    digits = 10**1300
    total, term, k = 0, digits, 0
    while term:
        total, k = total + term, k + 1
        term //= k
    objection = why_outside(Exponential(), [fmpz(digits), fmpz(digits), fmpz(total)])
    assert objection is not None
    assert objection.holds is None


def test_matrices_are_not_vectors() -> None:
    with pytest.raises(ValueError, match="vectors"):
        why_outside(PositiveSemidefinite(1), [fmpz(1)])


CURVED: list[Cone] = [SecondOrder(3), Rotated(3), Exponential(), Power(fmpq(1, 3)), Power(fmpq(5, 7)), Nonnegative(3)]


@pytest.mark.parametrize("cone", CURVED)
@given(st.data())
def test_elements_of_a_cone_and_its_dual_have_nonnegative_product(cone: Cone, data: st.DataObject) -> None:
    entry = st.integers(-30, 30)
    x = data.draw(st.lists(entry, min_size=3, max_size=3))
    z = data.draw(st.lists(entry, min_size=3, max_size=3))
    x_inside = why_outside(cone, list(map(fmpz, x))) is None
    z_inside = why_outside(dual_cone(cone), list(map(fmpz, z))) is None
    if x_inside and z_inside:
        assert sum(a * b for a, b in zip(x, z, strict=True)) >= 0


@given(st.integers(-50, 50), st.integers(1, 50), st.integers(0, 200))
def test_exponential_cone_agrees_with_floats(x: int, y: int, z: int) -> None:
    value = y * math.exp(x / y)
    if abs(value - z) > 1e-6 * max(1.0, value):
        assert (why_outside(Exponential(), [fmpz(x), fmpz(y), fmpz(z)]) is None) == (value <= z)
