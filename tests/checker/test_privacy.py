"""What a guarantee demands of rho_star, and whether a rho_star meets it."""

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker import normal
from certify.checker.adaptive import PRECISION_CAP, PrecisionExhaustedError, at_precision
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.privacy import Infinite, RhoBudget, Unattainable, Unlimited, compose, holds, rho_budget
from tests.checker.by_mpmath import enough_digits, fraction, profile

TEN, ZERO, ONE, HALF = fmpq(10), fmpq(0), fmpq(1), fmpq(1, 2)

positive = st.builds(lambda m, e: fmpq(m) * TEN**e, st.integers(1, 999), st.integers(-30, 3))
probabilities = st.builds(lambda m, e: fmpq(m, 1000) * TEN**-e, st.integers(1, 999), st.integers(0, 400))
near_one = st.builds(lambda m, e: 1 - fmpq(m, 1000) * TEN**-e, st.integers(1, 999), st.integers(0, 40))
epsilons = st.one_of(st.just(ZERO), positive, st.builds(fmpq, st.integers(1, 10_000)))
guarantees = st.one_of(
    st.builds(ZCDP, positive),
    st.builds(GDP, positive),
    st.builds(RenyiDP, st.builds(fmpq, st.integers(1, 50)), positive),
    st.builds(ApproxDP, epsilons, probabilities | near_one),
    st.builds(TotalVariation, probabilities | near_one),
    st.builds(MutualInformationDP, probabilities.map(lambda p: p * fmpq(69, 100))),
)


@pytest.mark.parametrize(
    ("guarantee", "budget"),
    [
        (ZCDP(fmpq(3, 7)), fmpq(6, 7)),
        (ZCDP(ZERO), ZERO),
        (GDP(fmpq(3, 7)), fmpq(9, 49)),
        (RenyiDP(ONE, HALF), ONE),
        (RenyiDP(fmpq(4), HALF), fmpq(1, 4)),
        (ApproxDP(ONE, ZERO), ZERO),
        (TotalVariation(ZERO), ZERO),
        (MutualInformationDP(ZERO), ZERO),
    ],
)
def test_a_claim_on_a_rational_boundary_is_decided_exactly(guarantee: BinaryGuarantee, budget: fmpq) -> None:
    assert rho_budget(guarantee) == Enclosure(budget, budget)
    assert holds(guarantee, Enclosure(budget, budget)) is True
    above = budget + TEN**-1000
    assert holds(guarantee, Enclosure(above, above)) is False
    assert holds(guarantee, Enclosure(budget, above)) is None


@pytest.mark.parametrize(
    ("guarantee", "budget", "at_zero", "at_infinity"),
    [
        (ApproxDP(ZERO, ONE), Unlimited(), True, True),
        (TotalVariation(ONE), Unlimited(), True, True),
        (MutualInformationDP(fmpq(7, 10)), Unlimited(), True, True),
        (MutualInformationDP(-ONE), Unattainable(), False, False),
    ],
)
def test_guarantees_that_always_or_never_hold(
    guarantee: BinaryGuarantee, budget: RhoBudget, at_zero: bool, at_infinity: bool
) -> None:
    assert rho_budget(guarantee) == budget
    assert holds(guarantee, Enclosure(ZERO, ZERO)) is at_zero
    assert holds(guarantee, Infinite()) is at_infinity


def test_kappa_is_told_from_log_two_in_the_fiftieth_digit() -> None:
    log_two = at_precision(400, lambda: arb.const_log2().mid().fmpq())
    assert isinstance(rho_budget(MutualInformationDP(log_two - TEN**-50)), Enclosure)
    assert rho_budget(MutualInformationDP(log_two + TEN**-50)) == Unlimited()


@given(guarantees)
@settings(max_examples=60, deadline=None)
def test_a_guarantee_holds_up_to_its_budget_and_not_beyond(guarantee: BinaryGuarantee) -> None:
    budget = rho_budget(guarantee, digits=20)
    assert isinstance(budget, Enclosure)
    beyond = budget.upper if budget.upper > budget.lower else budget.upper * (1 + TEN**-30)
    assert holds(guarantee, Enclosure(ZERO, budget.lower)) is True
    assert holds(guarantee, Enclosure(beyond, 2 * beyond)) is False
    assert holds(guarantee, Enclosure(budget.lower, beyond)) is None
    assert holds(guarantee, Infinite()) is False


@given(epsilons, probabilities | near_one)
@settings(max_examples=60, deadline=None)
def test_a_budget_is_two_consecutive_decimals_that_mpmath_separates(epsilon: fmpq, delta: fmpq) -> None:
    budget = rho_budget(ApproxDP(epsilon, delta), digits=40)
    assert isinstance(budget, Enclosure)
    assert TEN**-40 <= (budget.upper - budget.lower) / budget.upper <= TEN**-39
    with mpmath.workdps(enough_digits(delta)):
        assert profile(epsilon, budget.lower) <= fraction(delta) < profile(epsilon, budget.upper)


@pytest.mark.parametrize("epsilon", [ZERO, TEN**-12, ONE, TEN**4])
@pytest.mark.parametrize("delta", [TEN**-2000, TEN**-300, HALF, 1 - TEN**-12, 1 - TEN**-300])
def test_budgets_over_the_whole_documented_range(epsilon: fmpq, delta: fmpq) -> None:
    budget = rho_budget(ApproxDP(epsilon, delta))
    assert isinstance(budget, Enclosure)
    assert 0 < budget.lower < budget.upper <= budget.lower * (1 + TEN**-39)
    assert holds(ApproxDP(epsilon, delta), budget) is None


def test_a_claim_too_close_to_call_is_undecided_not_wrong() -> None:
    delta = at_precision(PRECISION_CAP + 4000, lambda: normal.profile(arb(1), arb(1)).mid().fmpq())
    assert holds(ApproxDP(ONE, delta), Enclosure(ONE, ONE)) is None
    assert holds(ApproxDP(ONE, delta + TEN**-19_000), Enclosure(ONE, ONE)) is True
    assert holds(ApproxDP(ONE, delta - TEN**-19_000), Enclosure(ONE, ONE)) is False


@pytest.mark.parametrize("rho_star", [TEN**-40, TEN**-1000, TEN**-30_000])
def test_a_tiny_rho_star_is_private_even_where_its_delta_cannot_be_written_down(rho_star: fmpq) -> None:
    assert holds(ApproxDP(ONE, TEN**-2000), Enclosure(rho_star, rho_star)) is True
    assert holds(ApproxDP(ONE, TEN**-2000), Enclosure(1 / rho_star, 1 / rho_star)) is False


def test_rho_star_from_an_enclosure_that_reaches_below_zero_counts_from_zero() -> None:
    assert holds(ZCDP(ZERO), Enclosure(-ONE, ZERO)) is True
    assert holds(ZCDP(ZERO), Enclosure(-ONE, ONE)) is None
    with pytest.raises(ValueError, match="supremum of squares"):
        holds(ZCDP(ONE), Enclosure(-ONE, -HALF))


def test_digits_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one significant digit"):
        rho_budget(TotalVariation(HALF), digits=0)
    with pytest.raises(PrecisionExhaustedError, match="100000 significant digits exceed"):
        rho_budget(TotalVariation(HALF), digits=100_000)


def test_an_epsilon_beyond_reason_is_still_decided_or_clearly_refused() -> None:
    budget = rho_budget(ApproxDP(TEN**1000, TEN**-5))
    assert isinstance(budget, Enclosure)
    assert budget.upper == 2 * TEN**1000
    with pytest.raises(PrecisionExhaustedError, match="did not settle"):
        rho_budget(ApproxDP(TEN**100_000, TEN**-5))


def test_parameters_of_adaptive_releases_add_up() -> None:
    assert compose([]) == Enclosure(ZERO, ZERO)
    assert compose([Enclosure(ONE, ONE), Enclosure(HALF, fmpq(3))]) == Enclosure(fmpq(3, 2), fmpq(4))
    assert compose([Enclosure(ONE, ONE), Infinite(), Enclosure(ONE, ONE)]) == Infinite()
