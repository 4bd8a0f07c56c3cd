"""The passage between rho_star and the notions of privacy, in both directions."""

import mpmath
import pytest
from flint import fmpq

from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, RenyiDP, TotalVariation
from certify.checker.privacy import Unlimited, rho_budget

TEN = fmpq(10)


def profile_by_mpmath(epsilon: fmpq, rho_star: fmpq) -> mpmath.mpf:
    """h_epsilon(rho_star) to 60 digits from a root of its own: mpmath, with digits to burn for the cancellation."""
    with mpmath.workdps(60 + 2 * len(str(epsilon.denominator * rho_star.denominator))):
        e = mpmath.mpf(int(epsilon.numerator)) / int(epsilon.denominator)
        s = mpmath.sqrt(mpmath.mpf(int(rho_star.numerator)) / int(rho_star.denominator))
        return (
            mpmath.erfc((e / s - s / 2) / mpmath.sqrt(2))
            - mpmath.exp(e) * mpmath.erfc((e / s + s / 2) / mpmath.sqrt(2))
        ) / 2


@pytest.mark.parametrize(
    ("guarantee", "budget"),
    [
        (ZCDP(fmpq(3, 7)), fmpq(6, 7)),
        (ZCDP(fmpq(0)), fmpq(0)),
        (GDP(fmpq(3, 7)), fmpq(9, 49)),
        (RenyiDP(fmpq(1), fmpq(1, 2)), fmpq(1)),
        (RenyiDP(fmpq(4), fmpq(1, 2)), fmpq(1, 4)),
        (ApproxDP(fmpq(1), fmpq(0)), fmpq(0)),
        (TotalVariation(fmpq(0)), fmpq(0)),
    ],
)
def test_rational_budgets_are_exact(guarantee: Guarantee, budget: fmpq) -> None:
    assert rho_budget(guarantee) == Enclosure(budget, budget)


@pytest.mark.parametrize("guarantee", [ApproxDP(fmpq(0), fmpq(1)), TotalVariation(fmpq(1))])
def test_delta_of_one_limits_nothing(guarantee: Guarantee) -> None:
    assert rho_budget(guarantee) == Unlimited()


@pytest.mark.parametrize("epsilon", [fmpq(0), TEN**-12, fmpq(1), fmpq(30)])
@pytest.mark.parametrize("delta", [TEN**-300, TEN**-5, fmpq(1, 2), 1 - TEN**-12])
def test_a_budget_is_two_consecutive_decimals_that_mpmath_separates(epsilon: fmpq, delta: fmpq) -> None:
    budget = rho_budget(ApproxDP(epsilon, delta), digits=20)
    assert isinstance(budget, Enclosure)
    assert TEN**-20 <= (budget.upper - budget.lower) / budget.upper <= TEN**-19
    with mpmath.workdps(400):
        target = mpmath.mpf(int(delta.numerator)) / int(delta.denominator)
        assert profile_by_mpmath(epsilon, budget.lower) <= target < profile_by_mpmath(epsilon, budget.upper)
