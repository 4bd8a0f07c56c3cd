"""The balls of the trade-off: their slopes, their precision, and the monotonicity everything rests on."""

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from certify.checker.adaptive import at_precision, bits_of
from certify.checker.normal import (
    _erfc,
    profile,
    profile_complement,
    profile_log_slope,
    profile_slope_in_epsilon,
    starting_precision,
)
from tests.checker import by_mpmath

ZERO = fmpq(0)
positive = st.builds(lambda m, e: fmpq(m) * fmpq(10) ** e, st.integers(1, 999), st.integers(-6, 2))


def test_erfc_of_a_large_ball_keeps_its_digits_and_its_ends() -> None:
    def compare() -> bool:
        ball = arb(10**5, fmpq(1, 10**30))
        found = _erfc(ball)
        ends = (_erfc(arb(ball.lower())), _erfc(arb(ball.upper())))
        return found.rel_accuracy_bits() > 75 and all(bool(found.overlaps(end)) for end in ends)

    assert at_precision(200, compare)
    assert at_precision(200, lambda: bool(_erfc(arb(300)).overlaps(arb(300).erfc())))


def close(ball: arb, value: mpmath.mpf) -> bool:
    """Whether a number that mpmath has to 30 digits or so lies next to the ball."""
    return bool(abs(ball - arb(mpmath.nstr(value, 60))) < abs(ball) * fmpq(1, 10**25))


@pytest.mark.parametrize(("epsilon", "rho_star"), [(ZERO, fmpq(1)), (fmpq(1), fmpq(1, 3)), (fmpq(5), fmpq(9))])
def test_both_slopes_are_the_derivatives(epsilon: fmpq, rho_star: fmpq) -> None:
    step = fmpq(1, 10**40)
    with mpmath.workdps(150):
        here, per_step = by_mpmath.profile(epsilon, rho_star), by_mpmath.fraction(1 / step)
        in_log = (by_mpmath.profile(epsilon, rho_star + step) - here) * per_step * by_mpmath.fraction(rho_star)
        in_epsilon = (by_mpmath.profile(epsilon + step, rho_star) - here) * per_step
        assert at_precision(150, lambda: close(profile_log_slope(arb(epsilon), arb(rho_star)), in_log))
        assert at_precision(150, lambda: close(profile_slope_in_epsilon(arb(epsilon), arb(rho_star)), in_epsilon))


@given(st.one_of(st.just(ZERO), positive), positive, st.integers(1, 1000))
@settings(max_examples=60, deadline=None)
def test_delta_increases_in_rho_star_and_decreases_in_epsilon(epsilon: fmpq, rho_star: fmpq, parts: int) -> None:
    assume(epsilon * epsilon < 10**6 * rho_star)
    more = 1 + fmpq(parts, 1000)

    def compare() -> bool:
        small = bool(profile(arb(epsilon), arb(rho_star)) < 0.5)
        loss = profile if small else lambda e, q: -profile_complement(e, q)
        here = loss(arb(epsilon), arb(rho_star))
        riskier, safer = loss(arb(epsilon), arb(rho_star * more)), loss(arb(epsilon * more), arb(rho_star))
        return bool(riskier > here) and bool(here > safer or epsilon == 0)

    assert at_precision(400, compare)


@given(st.one_of(st.just(ZERO), positive), positive, st.integers(1, 100))
@settings(max_examples=100, deadline=None)
def test_the_first_precision_is_nearly_always_enough(epsilon: fmpq, rho_star: fmpq, digits: int) -> None:
    wanted = bits_of(digits)
    start = starting_precision(epsilon, rho_star, wanted)
    ball = at_precision(start, lambda: profile(arb(epsilon), arb(rho_star)))
    assert ball.rel_accuracy_bits() >= wanted


def test_profile_and_complement_add_up_to_one() -> None:
    total = at_precision(100, lambda: profile(arb(2), arb(3)) + profile_complement(arb(2), arb(3)))
    assert total.contains(1)
    assert total.rad() < 1e-25
