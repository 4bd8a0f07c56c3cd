"""The error bound of the trapezoidal rule: it must cover the truth, and must not be vacuous."""

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.adaptive import at_precision
from certify.checker.quadrature import gaussian_mean


def sech(x: arb) -> arb:
    return x.sech()


def one_over_three_plus_cosh(x: arb) -> arb:
    """Another function of the theorem: |3 + cosh x| > 2 for |Im x| <= 5/4, and cosh x >= e^x / 2."""
    return 1 / (3 + x.cosh())


@pytest.mark.parametrize("function", [sech, one_over_three_plus_cosh])
@pytest.mark.parametrize("root", [fmpq(0), fmpq(1, 10**20), fmpq(1, 10), fmpq(1), fmpq(7, 3), fmpq(40), fmpq(10**6)])
@pytest.mark.parametrize("bits", [1, 4, 10, 30])
def test_the_bound_covers_the_truth_however_few_bits_are_asked(function, root: fmpq, bits: int) -> None:  # type: ignore[no-untyped-def]
    def compare() -> bool:
        rough, exact = gaussian_mean(function, arb(root), bits), gaussian_mean(function, arb(root), 150)
        return bool(rough.contains(exact)) and bool(
            rough.rad() < arb(2) ** (6 - bits) and exact.rad() < fmpq(1, 10**40)
        )

    assert at_precision(200, compare)


@given(st.integers(0, 400), st.integers(1, 400), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_a_ball_of_roots_is_covered_in_all_its_points(start: int, length: int, position: int) -> None:
    lower, upper = fmpq(start, 100), fmpq(start + length, 100)
    inside = lower + (upper - lower) * fmpq(position, 1000)

    def compare() -> bool:
        wide = gaussian_mean(sech, arb(lower).union(arb(upper)), 20)
        return bool(wide.contains(gaussian_mean(sech, arb(inside), 60)))

    assert at_precision(100, compare)


def test_the_mean_at_root_zero_is_the_value_at_zero() -> None:
    assert at_precision(100, lambda: bool(gaussian_mean(sech, arb(0), 90).overlaps(arb(1))))
