"""Enclosures: what they refuse, and that balls are taken outward."""

from __future__ import annotations

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.enclosure import Enclosure, enclosure_of, exact_fraction


def test_an_empty_enclosure_is_refused() -> None:
    with pytest.raises(ValueError, match=r"not 2 > 1"):
        Enclosure(fmpq(2), fmpq(1))
    assert Enclosure(fmpq(1), fmpq(1)).is_exact
    assert not Enclosure(fmpq(1), fmpq(2)).is_exact


@pytest.mark.parametrize("ball", [arb(1, 0.5), arb("inf"), arb("nan"), -arb("inf")], ids=str)
def test_a_ball_that_is_no_number_has_no_fraction(ball: arb) -> None:
    with pytest.raises(ValueError, match="is not one finite number"):
        exact_fraction(ball)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_an_exact_ball_is_its_fraction(value: float) -> None:
    numerator, denominator = value.as_integer_ratio()
    assert exact_fraction(arb(value)) == fmpq(numerator, denominator)


@given(st.fractions(max_denominator=10**6))
def test_an_enclosure_contains_what_the_ball_contains(value: object) -> None:
    exact = fmpq(value.numerator, value.denominator)  # type: ignore[attr-defined]
    found = enclosure_of(arb(exact))
    assert found.lower <= exact <= found.upper
    assert not found.is_exact or found.lower == exact
