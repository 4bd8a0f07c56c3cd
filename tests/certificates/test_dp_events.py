"""The passage to and from dp-accounting: exact, never more private than the truth, the relation always said."""

from __future__ import annotations

from types import ModuleType

import pytest
from flint import fmpq

from certify.certificates.dp_events import (
    event_of_rho_star,
    multiplier_lower,
    rho_star_of_multiplier,
    rho_stars_of_event,
)
from certify.checker.conversions import epsilon_of
from certify.checker.exact import binary64_fraction
from certify.checker.privacy import Infinite
from tests.certificates.audit_examples import ADD, REPLACE

DELTA = fmpq(1, 10**5)


@pytest.fixture(scope="module")
def dp() -> ModuleType:
    module: ModuleType = pytest.importorskip("dp_accounting")
    return module


@pytest.fixture(scope="module")
def accountant_of_losses() -> type:
    accountant: type = pytest.importorskip("dp_accounting.pld").PLDAccountant
    return accountant


def test_a_multiplier_means_twice_as_much_under_replacement() -> None:
    assert rho_star_of_multiplier(fmpq(5), ADD) == fmpq(1, 25)
    assert rho_star_of_multiplier(fmpq(5), REPLACE) == fmpq(4, 25)
    for bad in (fmpq(0), fmpq(-1)):
        with pytest.raises(ValueError, match="a noise multiplier is positive"):
            rho_star_of_multiplier(bad, ADD)


@pytest.mark.parametrize("rho_star", [fmpq(1, 3), fmpq(2), fmpq(10) ** 200, fmpq(1, 10) ** 200, fmpq(4)])
def test_a_multiplier_is_rounded_down_and_by_no_more_than_one_step(rho_star: fmpq) -> None:
    found = binary64_fraction(multiplier_lower(rho_star))
    assert found**2 * rho_star <= 1
    assert (found * (1 + fmpq(1, 2**51))) ** 2 * rho_star > 1


def test_a_multiplier_beyond_binary64_is_refused() -> None:
    for rho_star in (fmpq(10) ** 700, fmpq(1, 10) ** 700, fmpq(0)):
        with pytest.raises(ValueError, match="noise multiplier"):
            multiplier_lower(rho_star)


def test_events_are_read_exactly(dp: ModuleType) -> None:
    gaussian, count = dp.GaussianDpEvent(0.1), 3
    tenth = binary64_fraction(0.1)
    assert rho_stars_of_event(gaussian, ADD) == (1 / tenth**2,)
    assert rho_stars_of_event(gaussian, REPLACE) == (4 / tenth**2,)
    composed = dp.ComposedDpEvent([gaussian, dp.NoOpDpEvent(), dp.SelfComposedDpEvent(dp.GaussianDpEvent(2.0), count)])
    assert rho_stars_of_event(composed, ADD) == (1 / tenth**2, *[fmpq(1, 4)] * count)
    for event in (dp.LaplaceDpEvent(1.0), dp.NonPrivateDpEvent(), dp.PoissonSampledDpEvent(0.1, gaussian)):
        with pytest.raises(ValueError, match="no composition of Gaussian releases"):
            rho_stars_of_event(event, ADD)
    with pytest.raises(ValueError, match="a noise multiplier is positive"):
        rho_stars_of_event(dp.GaussianDpEvent(0.0), ADD)


def test_an_accountant_arrives_at_the_exact_epsilon_or_above(accountant_of_losses: type) -> None:
    rho_star = fmpq(1, 3)
    event = event_of_rho_star(rho_star)
    accountant = accountant_of_losses(value_discretization_interval=1e-3)
    accountant.compose(event)
    exact = epsilon_of(DELTA, rho_star)
    reported = accountant.get_epsilon(1e-5)
    assert float(exact.lower.p) / float(exact.lower.q) <= reported <= 1.01 * float(exact.upper.p) / float(exact.upper.q)
    assert rho_stars_of_event(event, ADD)[0] >= rho_star


def test_the_two_relations_differ_as_the_accountant_says(dp: ModuleType, accountant_of_losses: type) -> None:
    event = dp.GaussianDpEvent(2.0)
    for relation, neighbours in (("ADD_OR_REMOVE_ONE", ADD), ("REPLACE_ONE", REPLACE)):
        accountant = accountant_of_losses(dp.NeighboringRelation[relation], value_discretization_interval=1e-3)
        accountant.compose(event)
        exact = epsilon_of(DELTA, rho_stars_of_event(event, neighbours)[0]).upper
        assert accountant.get_epsilon(1e-5) == pytest.approx(float(exact.p) / float(exact.q), rel=1e-2)


def test_no_noise_and_nothing_to_hide(dp: ModuleType) -> None:
    assert isinstance(event_of_rho_star(Infinite()), dp.NonPrivateDpEvent)
    assert isinstance(event_of_rho_star(fmpq(0)), dp.NoOpDpEvent)
    assert rho_stars_of_event(event_of_rho_star(fmpq(0)), ADD) == ()
