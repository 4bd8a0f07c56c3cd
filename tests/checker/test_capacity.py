"""The capacity of binary records: reference values, two independent evaluations, and proofs on whole intervals."""

from collections.abc import Callable
from itertools import pairwise

import mpmath
import pytest
from flint import acb, arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.adaptive import MagnitudeError, PrecisionExhaustedError, at_precision
from certify.checker.capacity import (
    below_log_two,
    capacity,
    capacity_at_most,
    capacity_complement,
    capacity_derivative,
    inverse_capacity,
    monotone,
)
from certify.checker.enclosure import Enclosure
from certify.checker.exact import parse_rational
from certify.checker.guarantees import MutualInformationDP
from certify.checker.privacy import holds
from tests.checker import by_mpmath
from tests.checker.by_mpmath import fraction

TEN, ZERO, ONE = fmpq(10), fmpq(0), fmpq(1)
REFERENCE = [
    ("1e-4", "1.2499843752604085290689796e-5"),
    ("1e-2", "1.2484400960706584859823e-3"),
    ("1", "0.1114214821847361797172368"),
    ("4", "0.3368308203468316120048048"),
    ("25", "0.6759425773809798684031450"),
    ("100", "0.6931463173939844640902411"),
]

squares = st.builds(lambda m, e: fmpq(m, 100) * TEN**e, st.integers(100, 999), st.integers(-6, 1))


def encloses(found: Enclosure, value: mpmath.mpf, digits: int) -> bool:
    narrow = found.upper - found.lower <= abs(found.upper) * TEN**-digits
    return bool(narrow and fraction(found.lower) <= value <= fraction(found.upper))


def log_two() -> arb:
    return arb.const_log2()


@pytest.mark.parametrize(("q", "printed"), REFERENCE)
def test_reference_values_agree_to_the_last_digit_shown(q: str, printed: str) -> None:
    found, value = capacity(parse_rational(q), 30), parse_rational(printed)
    mantissa, _, exponent = printed.partition("e")
    unit = TEN ** (int(exponent or "0") - len(mantissa.partition(".")[2]))
    assert found.upper - found.lower < found.upper * TEN**-30
    assert abs(found.lower - value) <= unit
    assert abs(found.upper - value) <= unit


@given(squares)
@settings(max_examples=5, deadline=None)
def test_capacity_and_slope_enclose_what_mpmath_integrates(q: fmpq) -> None:
    with mpmath.workdps(60):
        assert encloses(capacity(q, 40), by_mpmath.capacity(q), 40)
        assert encloses(capacity_derivative(q, 40), by_mpmath.capacity_derivative(q), 40)


@pytest.mark.parametrize("q", [fmpq(1, 3), fmpq(7)])
def test_arb_quadrature_of_the_formula_as_printed_agrees(q: fmpq) -> None:
    def integrate() -> arb:
        a = (arb(q) / 4).sqrt()

        def integrand(z: acb, analytic: bool) -> acb:
            return (-z * z / 2).exp() * (1 + (-2 * a * (a + z)).exp()).log(analytic=analytic)

        # Beyond |z| = 20 the integrand is below phi(z) (1 + 2 a (a + |z|)), less than 1e-80 in all.
        return arb.const_log2() - (
            acb.integral(integrand, -20, 20).real / (2 * arb.pi()).sqrt() + arb(0, fmpq(1, 10**80))
        )

    def compare() -> bool:
        ours, theirs = capacity(q, 40), integrate()
        return bool(theirs.overlaps(arb(ours.lower).union(arb(ours.upper)))) and theirs.rel_accuracy_bits() > 130

    assert at_precision(160, compare)


@pytest.mark.parametrize("exponent", [-3, -10, -20, -45, -300, -5000])
def test_near_zero_capacity_is_q_over_eight_to_full_relative_precision(exponent: int) -> None:
    q = TEN**exponent
    found = capacity(q, 20)
    assert q / 8 * (1 - q / 8) <= found.upper
    assert found.lower <= q / 8
    assert found.upper - found.lower <= found.lower * TEN**-20


@pytest.mark.parametrize("q", [fmpq(400), TEN**4, fmpq(10**6)])
def test_for_large_q_what_is_still_hidden_keeps_its_relative_precision(q: fmpq) -> None:
    hidden = capacity_complement(q, 25)
    assert hidden.upper - hidden.lower <= hidden.lower * TEN**-25
    assert at_precision(200, lambda: bool(arb(hidden.upper) < (-arb(q) / 8).exp()))
    assert at_precision(200, lambda: bool(arb(hidden.lower) > (-arb(q) / 8).exp() / arb(q)))


def test_what_is_hidden_at_q_10000_agrees_with_mpmath() -> None:
    q = TEN**4
    with mpmath.workdps(40):
        a = mpmath.sqrt(fraction(q)) / 2

        def scaled(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.exp(-((x / a) ** 2) / 2) * mpmath.exp(x) * mpmath.log1p(mpmath.exp(-2 * x))

        integral = mpmath.quad(scaled, [-100, -20, 0, 20, 100])
        assert encloses(
            capacity_complement(q, 25), mpmath.exp(-a * a / 2) * integral / (a * mpmath.sqrt(2 * mpmath.pi)), 25
        )


def test_capacity_and_its_complement_add_up_to_log_two() -> None:
    shown, hidden = capacity(fmpq(3), 30), capacity_complement(fmpq(3), 30)
    total = arb(shown.lower + hidden.lower).union(arb(shown.upper + hidden.upper))
    assert at_precision(200, lambda: bool(total.overlaps(log_two())))


def test_capacity_at_zero_and_at_the_far_end() -> None:
    assert capacity(ZERO) == Enclosure(ZERO, ZERO)
    assert capacity_derivative(ZERO) == Enclosure(fmpq(1, 8), fmpq(1, 8))
    assert at_precision(100, lambda: bool(arb(capacity_complement(ZERO, 20).lower) < log_two()))
    assert at_precision(200, lambda: bool(arb(capacity(TEN**300, 30).upper) > log_two() - TEN**-40))
    assert capacity_at_most(TEN**300, fmpq(69, 100)) is False
    assert capacity_at_most(TEN**300, fmpq(3, 10)) is False


@pytest.mark.parametrize("function", [capacity_complement, capacity_derivative])
def test_what_is_too_small_for_a_fraction_is_refused(function: Callable[[fmpq], Enclosure]) -> None:
    with pytest.raises(MagnitudeError, match="too small to be written as a fraction"):
        function(TEN**9)


@pytest.mark.parametrize(
    "function", [capacity, capacity_complement, capacity_derivative, lambda q: capacity_at_most(q, ONE)]
)
def test_a_negative_q_is_refused(function: Callable[[fmpq], object]) -> None:
    with pytest.raises(ValueError, match="q is a squared length and must not be negative, not -1"):
        function(-ONE)


@given(st.integers(1, 69_314), st.integers(5, 25))
@settings(max_examples=20, deadline=None)
def test_the_inverse_is_two_consecutive_decimals_around_kappa(numerator: int, exponent: int) -> None:
    kappa = numerator * TEN**-exponent
    found = inverse_capacity(kappa, 25)
    assert TEN**-25 <= (found.upper - found.lower) / found.upper <= TEN**-24
    assert capacity(found.lower, 60).upper <= kappa < capacity(found.upper, 60).lower


@pytest.mark.parametrize("exponent", [-60, -300, -10_000])
def test_the_inverse_of_a_tiny_kappa_is_decided_by_the_elementary_bounds(exponent: int) -> None:
    kappa = 7 * TEN**exponent
    found = inverse_capacity(kappa, 25)
    assert found.lower == 8 * kappa
    assert found.upper / 8 * (1 - found.upper / 8) > kappa


@pytest.mark.parametrize("kappa", [fmpq(1, 10), fmpq(1, 2), fmpq(69, 100)])
def test_the_inverse_agrees_with_mpmath(kappa: fmpq) -> None:
    found = inverse_capacity(kappa, 35)
    with mpmath.workdps(60):
        assert by_mpmath.capacity(found.lower) <= fraction(kappa) < by_mpmath.capacity(found.upper)


@pytest.mark.parametrize("zeros", [20, 80])
def test_the_inverse_next_to_log_two(zeros: int) -> None:
    kappa = at_precision(600, lambda: (log_two() - arb(10) ** -zeros).mid().fmpq())
    found = inverse_capacity(kappa, 20)
    expected = at_precision(600, lambda: (log_two() - kappa).mid().fmpq())
    assert capacity_complement(found.upper, 40).upper < expected <= capacity_complement(found.lower, 40).upper


@pytest.mark.parametrize("kappa", [ZERO, -ONE, fmpq(7, 10)])
def test_what_no_capacity_equals_has_no_inverse(kappa: fmpq) -> None:
    with pytest.raises(ValueError, match="between 0 and log 2"):
        inverse_capacity(kappa)


def test_capacity_is_compared_with_kappa_on_either_side_of_every_regime() -> None:
    for q in (TEN**-300, TEN**-3, ONE, fmpq(6), fmpq(300)):
        value = capacity(q, 40)
        margin = (value.upper - value.lower) * 2
        assert capacity_at_most(q, value.upper + margin) is True
        assert capacity_at_most(q, value.lower - margin) is False
    assert capacity_at_most(ZERO, ZERO) is True
    assert capacity_at_most(ZERO, -ONE) is False
    assert capacity_at_most(fmpq(50), ONE) is True


@pytest.mark.parametrize("q", [ONE, fmpq(9)])
def test_a_kappa_too_close_to_call_is_undecided(q: fmpq, monkeypatch: pytest.MonkeyPatch) -> None:
    value = capacity(q, 150)
    monkeypatch.setattr("certify.checker.capacity.CAPACITY_PRECISION_CAP", 256)
    assert capacity_at_most(q, value.lower) is None
    assert holds(MutualInformationDP(value.lower), Enclosure(q, q)) is None
    with pytest.raises(PrecisionExhaustedError, match="256 bits do not give 100 significant digits"):
        capacity(q, 100)


def test_log_two_is_told_from_rationals_until_the_precision_ends() -> None:
    close = at_precision(1000, lambda: log_two().mid().fmpq())
    assert below_log_two(close - TEN**-290) is True
    assert below_log_two(close + TEN**-290) is False
    closest = at_precision(70_000, lambda: log_two().mid().fmpq())
    with pytest.raises(PrecisionExhaustedError, match="from log 2"):
        below_log_two(closest)


@pytest.mark.parametrize(
    ("lower", "upper"), [(ZERO, ONE), (ZERO, fmpq(100)), (TEN**-30, TEN**4), (fmpq(5), fmpq(501, 100))]
)
def test_the_capacity_is_proved_to_increase_on_a_whole_interval(lower: fmpq, upper: fmpq) -> None:
    proof = monotone(lower, upper)
    assert (proof.pieces[0].lower, proof.pieces[-1].upper) == (lower, upper)
    assert all(left.upper == right.lower for left, right in pairwise(proof.pieces))
    assert all(piece.lower < piece.upper for piece in proof.pieces)
    assert 0 < proof.slope_lower <= capacity_derivative(upper).upper
    assert capacity_derivative(upper).upper < 8 * proof.slope_lower


@given(st.integers(0, 1000), st.integers(1, 1000), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_the_slope_of_every_point_lies_in_the_slope_of_its_piece(start: int, length: int, position: int) -> None:
    lower, upper = fmpq(start, 10), fmpq(start + length, 10)
    q = lower + (upper - lower) * fmpq(position, 1000)
    slope = capacity_derivative(q)
    pieces = [piece for piece in monotone(lower, upper).pieces if piece.lower <= q <= piece.upper]
    assert pieces
    assert all(piece.slope.lower <= slope.lower <= slope.upper <= piece.slope.upper for piece in pieces)


@pytest.mark.parametrize(("lower", "upper"), [(-ONE, ONE), (ONE, ONE), (fmpq(2), ONE)])
def test_an_interval_must_be_proper_and_nonnegative(lower: fmpq, upper: fmpq) -> None:
    with pytest.raises(ValueError, match="0 <= lower < upper is needed"):
        monotone(lower, upper)


def test_an_interval_too_long_for_its_proof_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certify.checker.capacity._PIECES_CAP", 3)
    with pytest.raises(PrecisionExhaustedError, match="more than 3 pieces"):
        monotone(ZERO, TEN**4)
