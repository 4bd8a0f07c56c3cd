"""The claims of privacy: what is legal, what is refused, and the phrase each one prints."""

from typing import get_args

import pytest
from flint import fmpq

from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    Guarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)

ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)


@pytest.mark.parametrize(
    ("guarantee", "phrase"),
    [
        (ZCDP(HALF), "(rho = 1/2)-zero-concentrated differential privacy"),
        (GDP(ONE), "(mu = 1)-Gaussian differential privacy"),
        (RenyiDP(fmpq(3, 2), ONE), "(alpha = 3/2, epsilon = 1)-Renyi differential privacy"),
        (ApproxDP(ONE, fmpq(1, 100000)), "(epsilon = 1, delta = 1/100000)-differential privacy"),
        (TotalVariation(fmpq(1, 10)), "total variation at most 1/10 between neighbours"),
        (MutualInformationDP(HALF), "(kappa = 1/2)-mutual-information differential privacy of binary records"),
    ],
)
def test_each_guarantee_is_one_exact_phrase(guarantee: BinaryGuarantee, phrase: str) -> None:
    assert guarantee.describe() == phrase


def test_zero_budgets_and_the_ends_of_the_probability_scale_are_legal_claims() -> None:
    ZCDP(ZERO), GDP(ZERO), RenyiDP(ONE, ZERO), TotalVariation(ZERO), TotalVariation(ONE)
    ApproxDP(ZERO, ZERO), ApproxDP(ZERO, ONE)


@pytest.mark.parametrize("kappa", [-ONE, ZERO, ONE])
def test_every_kappa_is_a_legal_claim(kappa: fmpq) -> None:
    assert MutualInformationDP(kappa).kappa == kappa


def test_mutual_information_is_no_guarantee_for_records_of_many_values() -> None:
    assert MutualInformationDP not in get_args(Guarantee)
    assert set(get_args(BinaryGuarantee)) == {*get_args(Guarantee), MutualInformationDP}


def test_a_negative_zcdp_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="zCDP parameter rho must not be negative, not -1/2"):
        ZCDP(-HALF)


def test_a_negative_gaussian_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="Gaussian parameter mu must not be negative, not -1"):
        GDP(-ONE)


def test_a_renyi_order_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="alpha must be at least 1, not 1/2"):
        RenyiDP(HALF, ONE)


def test_a_negative_renyi_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="Renyi bound epsilon must not be negative, not -1"):
        RenyiDP(ONE, -ONE)


def test_a_negative_epsilon_is_refused() -> None:
    with pytest.raises(ValueError, match="epsilon must not be negative, not -1"):
        ApproxDP(-ONE, HALF)


@pytest.mark.parametrize("delta", [fmpq(-1, 100), fmpq(101, 100)])
def test_a_delta_that_is_no_probability_is_refused(delta: fmpq) -> None:
    with pytest.raises(ValueError, match=r"lie in \[0, 1\], not"):
        ApproxDP(ONE, delta)
    with pytest.raises(ValueError, match=r"lie in \[0, 1\], not"):
        TotalVariation(delta)
