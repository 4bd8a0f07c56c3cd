"""The tightest parameters a rho_star fixes: true as rounded, false a little below; and noise for a guarantee."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.calibration import accountings, least_sigma, round_down, round_up, tightest
from certify.checker.conversions import epsilon_of, zcdp_epsilon
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
from certify.checker.privacy import holds

NOTIONS: list[BinaryGuarantee] = [
    ZCDP(fmpq(1)),
    GDP(fmpq(1)),
    RenyiDP(fmpq(5, 2), fmpq(1)),
    TotalVariation(fmpq(1, 2)),
    MutualInformationDP(fmpq(1, 2)),
    ApproxDP(fmpq(1), fmpq(1, 10**5)),
    ApproxDP(fmpq(0), fmpq(1, 10)),
    ApproxDP(fmpq(800), fmpq(1, 10**300)),
]


LESS = 1 - fmpq(1, 9000)
"""Tightest parameters are rounded up at the fifth digit."""


def _stronger(guarantee: BinaryGuarantee, *, delta_too: bool) -> BinaryGuarantee:
    match guarantee:
        case ZCDP(rho):
            return ZCDP(rho * LESS)
        case GDP(mu):
            return GDP(mu * LESS)
        case RenyiDP(alpha, epsilon):
            return RenyiDP(alpha, epsilon * LESS)
        case TotalVariation(delta):
            return TotalVariation(delta * LESS)
        case MutualInformationDP(kappa):
            return MutualInformationDP(kappa * LESS)
        case ApproxDP(epsilon, delta):
            return ApproxDP(epsilon, delta * LESS) if delta_too else ApproxDP(epsilon * LESS, delta)


@pytest.mark.parametrize("guarantee", NOTIONS)
@pytest.mark.parametrize("rho_star", [fmpq(1, 50), fmpq(1, 3), fmpq(7), fmpq(100)])
def test_the_tightest_is_true_and_a_little_less_is_false(guarantee: BinaryGuarantee, rho_star: fmpq) -> None:
    value = Enclosure(rho_star, rho_star)
    found = tightest(guarantee, rho_star)
    assert len(found) == (2 if isinstance(guarantee, ApproxDP) else 1)
    for index, each in enumerate(found):
        assert type(each) is type(guarantee)
        assert holds(each, value) is True
        stronger = _stronger(each, delta_too=index == 1)
        if stronger != each:
            assert holds(stronger, value) is False


def test_what_has_no_number_is_left_out() -> None:
    (only,) = tightest(ApproxDP(fmpq(1), fmpq(0)), fmpq(2))
    assert isinstance(only, ApproxDP)
    assert only.epsilon == 1
    (only,) = tightest(ApproxDP(fmpq(10**9), fmpq(1, 2)), fmpq(1))
    assert only == ApproxDP(fmpq(0), fmpq(1, 2))
    nothing = tightest(ApproxDP(fmpq(0), fmpq(0)), fmpq(0))
    assert nothing == (ApproxDP(fmpq(0), fmpq(0)), ApproxDP(fmpq(0), fmpq(0)))


@given(st.fractions(min_value="1/100000", max_value=10**9), st.integers(1, 12))
def test_rounding_goes_the_way_it_says(value: object, digits: int) -> None:
    exact = fmpq(str(value))
    lower, upper = round_down(exact, digits), round_up(exact, digits)
    assert lower <= exact <= upper <= lower * (1 + fmpq(1, 10 ** (digits - 1))) + (0 if lower else 1)
    assert round_up(lower, digits) == lower
    assert round_down(fmpq(0)) == round_up(fmpq(0)) == 0


def test_the_widely_copied_calibrator_is_wrong_and_this_sigma_is_right() -> None:
    claim = ApproxDP(fmpq(1), fmpq(1, 10**30))
    found = least_sigma(claim, fmpq(1))
    assert found is not None
    assert fmpq(11) < found.lower < found.upper < fmpq(12)
    assert holds(claim, Enclosure(1 / found.upper**2, 1 / found.upper**2)) is True
    assert holds(claim, Enclosure(1 / found.lower**2, 1 / found.lower**2)) is False


@pytest.mark.parametrize("guarantee", NOTIONS)
def test_the_least_sigma_is_enough_and_less_is_not(guarantee: BinaryGuarantee) -> None:
    sensitivity = fmpq(3, 2)
    found = least_sigma(guarantee, sensitivity, 12)
    assert found is not None
    at_upper = (sensitivity / found.upper) ** 2
    assert holds(guarantee, Enclosure(at_upper, at_upper)) is True
    below = (sensitivity / (found.lower * (1 - fmpq(1, 10**11)))) ** 2
    assert holds(guarantee, Enclosure(below, below)) is False


def test_no_sigma_where_none_does_and_zero_where_there_is_nothing_to_hide() -> None:
    for guarantee in (ZCDP(fmpq(0)), MutualInformationDP(fmpq(-1)), MutualInformationDP(fmpq(1))):
        assert least_sigma(guarantee, fmpq(1)) is None
    assert least_sigma(GDP(fmpq(1)), fmpq(0)) == Enclosure(fmpq(0), fmpq(0))
    assert least_sigma(ZCDP(fmpq(1, 2)), fmpq(3)) == Enclosure(fmpq(3), fmpq(3))


def test_naive_accounting_only_loses() -> None:
    rho_star, delta = Enclosure(fmpq(1, 2), fmpq(1, 2)), fmpq(1, 10**5)
    exact, conversion, wide, both = accountings(rho_star, fmpq(2), delta)
    assert exact.epsilon == epsilon_of(delta, fmpq(1, 2))
    assert both.epsilon == zcdp_epsilon(delta, fmpq(2))
    ways = [each.epsilon for each in (exact, conversion, both)]
    assert all(way is not None for way in (*ways, wide.epsilon))
    lowers = [way.lower for way in ways if way is not None]
    assert lowers == sorted(lowers)
    assert [each.name for each in accountings(rho_star, None, delta)] == ["exact", "generic zCDP conversion"]
    without = accountings(rho_star, fmpq(2), None)
    assert [(each.name, each.epsilon) for each in without] == [("exact", None), ("diameter and lambda_max", None)]
    assert [each.from_below for each in without] == [False, True]
