"""Decisions about the privacy profile on both sides of its value, and the brackets built on them."""

from collections.abc import Callable

import pytest
from flint import arb, fmpq

from certify.checker.adaptive import PRECISION_CAP, PrecisionExhaustedError, at_precision
from certify.checker.conversions import privacy_profile
from certify.checker.enclosure import Enclosure
from certify.checker.normal import profile
from certify.checker.profile import epsilon_bracket, profile_at_most, rho_star_bracket, sigma_bracket

ONE, TEN = fmpq(1), fmpq(10)
TOO_CLOSE = at_precision(PRECISION_CAP + 4000, lambda: profile(arb(1), arb(1)).mid().fmpq())


@pytest.mark.parametrize(
    ("epsilon", "rho_star"), [(ONE, ONE), (fmpq(0), fmpq(4)), (fmpq(30), fmpq(2)), (ONE, fmpq(900))]
)
def test_delta_is_decided_on_both_sides_forty_digits_away(epsilon: fmpq, rho_star: fmpq) -> None:
    value = privacy_profile(epsilon, rho_star, 150)
    assert profile_at_most(epsilon, rho_star, value.upper * (1 + TEN**-140)) is True
    assert profile_at_most(epsilon, rho_star, value.lower * (1 - TEN**-140)) is False


def test_nothing_revealed_is_within_every_delta() -> None:
    assert profile_at_most(ONE, fmpq(0), fmpq(0)) is True
    assert profile_at_most(ONE, fmpq(0), -ONE) is False


def test_a_delta_too_close_to_call_is_undecided() -> None:
    assert profile_at_most(ONE, ONE, TOO_CLOSE) is None


@pytest.mark.parametrize("bracket", [rho_star_bracket, epsilon_bracket, sigma_bracket])
def test_a_bracket_that_would_end_on_an_undecided_number_is_refused(bracket: Callable[..., Enclosure]) -> None:
    arguments = {
        rho_star_bracket: (ONE, TOO_CLOSE, 5),
        epsilon_bracket: (TOO_CLOSE, ONE, 5),
        sigma_bracket: (ONE, TOO_CLOSE, ONE, 5),
    }
    with pytest.raises(PrecisionExhaustedError, match="cannot tell whether"):
        bracket(*arguments[bracket])


def test_the_three_brackets_describe_the_same_curve() -> None:
    rho_star = rho_star_bracket(ONE, TEN**-5, 30)
    sigma = sigma_bracket(ONE, TEN**-5, ONE, 30)
    assert rho_star.lower * sigma.lower**2 < 1 < rho_star.upper * sigma.upper**2
    epsilon = epsilon_bracket(TEN**-5, rho_star.lower, 20)
    assert epsilon.lower < 1 <= epsilon.upper
