"""The best parameter of each notion that a rho_star implies, against formulas evaluated by mpmath."""

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from certify.checker.adaptive import MagnitudeError, at_precision
from certify.checker.conversions import (
    epsilon_of,
    gdp_mu,
    image,
    minimal_sigma,
    privacy_profile,
    privacy_profile_ball,
    privacy_profile_complement,
    renyi_divergence,
    total_variation,
    zcdp_epsilon,
)
from certify.checker.enclosure import Enclosure
from certify.checker.profile import profile_at_most
from tests.checker.by_mpmath import enough_digits, fraction, profile, profile_complement

TEN, ZERO, ONE, HALF = fmpq(10), fmpq(0), fmpq(1), fmpq(1, 2)
NOTHING = Enclosure(ZERO, ZERO)

positive = st.builds(lambda m, e: fmpq(m) * TEN**e, st.integers(1, 999), st.integers(-8, 2))
epsilons = st.one_of(st.just(ZERO), positive)
deltas = st.one_of(
    st.builds(lambda m, e: fmpq(m, 1000) * TEN**-e, st.integers(1, 999), st.integers(0, 300)),
    st.builds(lambda m, e: 1 - fmpq(m, 1000) * TEN**-e, st.integers(1, 999), st.integers(0, 40)),
)


def encloses(found: Enclosure, value: mpmath.mpf, digits: int) -> bool:
    """Whether the value lies between the ends, and the ends agree to the digits."""
    narrow = found.upper - found.lower <= abs(found.upper) * TEN**-digits
    return bool(narrow and fraction(found.lower) <= value <= fraction(found.upper))


@given(epsilons, positive, st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_profile_and_complement_enclose_what_mpmath_says(epsilon: fmpq, rho_star: fmpq, digits: int) -> None:
    assume(epsilon * epsilon < 10**5 * rho_star)
    with mpmath.workdps(100):
        assert encloses(privacy_profile(epsilon, rho_star, digits), profile(epsilon, rho_star), digits)
        complement = privacy_profile_complement(epsilon, rho_star, digits)
        assert encloses(complement, profile_complement(epsilon, rho_star), digits)


@pytest.mark.parametrize(
    ("epsilon", "rho_star"),
    [(fmpq(800), fmpq(4)), (fmpq(10**4), fmpq(40)), (TEN**-12, TEN**-24), (fmpq(10**4), TEN**5)],
)
def test_fifteen_digits_are_the_least_even_at_the_extremes(epsilon: fmpq, rho_star: fmpq) -> None:
    for found in (privacy_profile(epsilon, rho_star), privacy_profile_complement(epsilon, rho_star)):
        assert 0 < found.lower < found.upper <= found.lower * (1 + TEN**-15)


def test_a_delta_within_1e_300_of_one_keeps_its_digits_in_the_complement() -> None:
    found = privacy_profile_complement(ONE, fmpq(5500))
    assert found.upper < TEN**-300
    with mpmath.workdps(400):
        assert encloses(found, profile_complement(ONE, fmpq(5500)), 15)


def test_a_delta_too_small_for_a_fraction_is_available_as_a_ball() -> None:
    with pytest.raises(MagnitudeError, match=r"2\.96440782162727e-138974234051"):
        privacy_profile(fmpq(800), TEN**-6)
    assert privacy_profile_ball(fmpq(800), TEN**-6).str(10, radius=False) == "2.964407822e-138974234051"


@pytest.mark.parametrize(("epsilon", "rho_star"), [(TEN**4, TEN**-12), (ONE, TEN**-40), (TEN**100, ONE)])
def test_the_ball_has_its_digits_at_any_magnitude(epsilon: fmpq, rho_star: fmpq) -> None:
    assert privacy_profile_ball(epsilon, rho_star, 20).rel_accuracy_bits() > 66


def test_no_difference_means_no_loss() -> None:
    assert privacy_profile(ONE, ZERO) == NOTHING
    assert privacy_profile_ball(ONE, ZERO).is_zero()
    assert privacy_profile_complement(ONE, ZERO) == Enclosure(ONE, ONE)
    assert epsilon_of(HALF, ZERO) == epsilon_of(ZERO, ZERO) == NOTHING
    assert total_variation(ZERO) == gdp_mu(ZERO) == zcdp_epsilon(HALF, ZERO) == NOTHING


@given(deltas, positive)
@settings(max_examples=60, deadline=None)
def test_epsilon_is_two_consecutive_decimals_that_mpmath_separates(delta: fmpq, rho_star: fmpq) -> None:
    found = epsilon_of(delta, rho_star, digits=30)
    with mpmath.workdps(enough_digits(delta)):
        assert profile(found.upper, rho_star) <= fraction(delta)
        assert found == NOTHING or profile(found.lower, rho_star) > fraction(delta)
    assert found == NOTHING or TEN**-30 <= (found.upper - found.lower) / found.upper <= TEN**-29


def test_an_epsilon_next_to_zero_keeps_its_relative_precision() -> None:
    variation = total_variation(ONE, digits=60).lower
    found = epsilon_of(variation - TEN**-50, ONE, digits=20)
    assert TEN**-50 < found.lower < found.upper < TEN**-49
    assert found.upper - found.lower < TEN**-68


@pytest.mark.parametrize("delta", [ONE, fmpq(999, 1000)])
def test_epsilon_is_exactly_zero_above_the_total_variation(delta: fmpq) -> None:
    assert epsilon_of(delta, ONE) == NOTHING


@pytest.mark.parametrize("delta", [ZERO, -ONE])
def test_pure_privacy_has_no_finite_epsilon(delta: fmpq) -> None:
    with pytest.raises(ValueError, match="no finite epsilon at delta"):
        epsilon_of(delta, ONE)


@given(epsilons, deltas, positive)
@settings(max_examples=60, deadline=None)
def test_the_smallest_sigma_is_proved_and_the_decimal_below_it_refuted(
    epsilon: fmpq, delta: fmpq, sensitivity: fmpq
) -> None:
    found = minimal_sigma(epsilon, delta, sensitivity)
    assert TEN**-17 <= (found.upper - found.lower) / found.upper <= TEN**-16
    with mpmath.workdps(enough_digits(delta)):
        assert profile(epsilon, (sensitivity / found.upper) ** 2) <= fraction(delta)
        assert profile(epsilon, (sensitivity / found.lower) ** 2) > fraction(delta)


def test_sigma_where_nothing_is_to_protect_and_where_nothing_protects() -> None:
    assert minimal_sigma(ONE, TEN**-5, ZERO) == minimal_sigma(ONE, ONE, ONE) == NOTHING
    with pytest.raises(ValueError, match="no Gaussian noise reaches delta = 0"):
        minimal_sigma(ONE, ZERO, ONE)


@given(positive)
@settings(max_examples=30, deadline=None)
def test_total_variation_and_mu_enclose_what_mpmath_says(rho_star: fmpq) -> None:
    with mpmath.workdps(80):
        root = mpmath.sqrt(fraction(rho_star))
        assert encloses(total_variation(rho_star), mpmath.erf(root / mpmath.sqrt(8)), 15)
        assert encloses(gdp_mu(rho_star), root, 15) or gdp_mu(rho_star).is_exact
        assert encloses(image(gdp_mu, Enclosure(rho_star, rho_star)), root, 14)


def test_mu_and_renyi_divergences_are_exact_where_they_are_rational() -> None:
    assert gdp_mu(fmpq(9, 49)) == Enclosure(fmpq(3, 7), fmpq(3, 7))
    assert renyi_divergence(ONE, fmpq(1, 3)) == fmpq(1, 6)
    assert renyi_divergence(fmpq(7, 2), fmpq(2, 3)) == fmpq(7, 6)
    with pytest.raises(ValueError, match="alpha must be at least 1"):
        renyi_divergence(HALF, ONE)


@given(st.builds(lambda m, e: fmpq(m, 1000) * TEN**-e, st.integers(1, 999), st.integers(0, 300)), positive)
@settings(max_examples=40, deadline=None)
def test_the_generic_conversion_is_enclosed_and_never_below_the_exact_one(delta: fmpq, rho_star: fmpq) -> None:
    generic = zcdp_epsilon(delta, rho_star)
    with mpmath.workdps(60):
        value = fraction(rho_star) / 2 + mpmath.sqrt(2 * fraction(rho_star) * mpmath.log(1 / fraction(delta)))
        assert encloses(generic, value, 15)
    assert profile_at_most(generic.lower, rho_star, delta) is True


def test_the_generic_conversion_at_delta_one_and_outside_its_domain() -> None:
    assert zcdp_epsilon(ONE, fmpq(3)) == Enclosure(fmpq(3, 2), fmpq(3, 2))
    for delta in (ZERO, fmpq(2)):
        with pytest.raises(ValueError, match=r"needs a delta in \(0, 1\]"):
            zcdp_epsilon(delta, ONE)


def test_an_image_covers_every_rho_star_of_the_enclosure() -> None:
    found = image(total_variation, Enclosure(ONE, fmpq(4)))
    assert found.lower < total_variation(fmpq(2)).lower
    assert found.upper > total_variation(fmpq(3)).upper
    assert found == Enclosure(total_variation(ONE).lower, total_variation(fmpq(4)).upper)


@pytest.mark.parametrize(
    "call",
    [
        lambda: privacy_profile(ONE, -ONE),
        lambda: privacy_profile_complement(ONE, -ONE),
        lambda: privacy_profile_ball(ONE, -ONE),
        lambda: epsilon_of(HALF, -ONE),
        lambda: renyi_divergence(ONE, -ONE),
        lambda: gdp_mu(-ONE),
        lambda: zcdp_epsilon(HALF, -ONE),
        lambda: privacy_profile(-ONE, ONE),
        lambda: minimal_sigma(-ONE, HALF, ONE),
        lambda: minimal_sigma(ONE, HALF, -ONE),
    ],
)
def test_negative_parameters_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="must not be negative, not -1"):
        call()


def test_the_working_precision_of_the_caller_does_not_matter() -> None:
    expected = privacy_profile(ONE, HALF, 30)
    assert at_precision(20, lambda: privacy_profile(ONE, HALF, 30)) == expected
    assert at_precision(20, lambda: epsilon_of(TEN**-5, HALF)) == epsilon_of(TEN**-5, HALF)
    assert at_precision(20, lambda: arb(1) / 3).rel_accuracy_bits() < 25
