"""Precision that grows until an answer is proved, and says so where it never is."""

import pytest
from flint import arb, ctx, fmpq, fmpz

from certify.checker.adaptive import (
    MAGNITUDE_CAP,
    PRECISION_CAP,
    MagnitudeError,
    PrecisionExhaustedError,
    at_precision,
    bits_of,
    decide_at_most,
    decimal_bracket,
    find_root,
    precisions,
    rational_enclosure,
    refine,
    refine_enclosure,
)
from certify.checker.enclosure import Enclosure


def test_precision_is_put_back_even_after_an_error() -> None:
    before = ctx.prec
    assert at_precision(777, lambda: ctx.prec) == 777
    with pytest.raises(ZeroDivisionError):
        at_precision(777, lambda: 1 // 0)
    assert ctx.prec == before


def test_precision_doubles_and_ends_at_the_cap() -> None:
    assert list(precisions(60, 200)) == [60, 120, 200]
    assert list(precisions(300, 200)) == [200]


def test_refinement_reaches_the_digits_asked_for() -> None:
    third = refine_enclosure(lambda: arb(fmpq(1, 3)), 30, 10)
    assert third.lower < fmpq(1, 3) < third.upper
    assert (third.upper - third.lower) * 3 < fmpq(1, 10**30)


def test_refinement_that_cannot_succeed_says_so() -> None:
    with pytest.raises(PrecisionExhaustedError, match="256 bits do not give 5 significant digits"):
        refine(lambda: arb(0, 1), 5, 64, 256)
    with pytest.raises(PrecisionExhaustedError, match="256 bits do not give 5 significant digits"):
        refine_enclosure(lambda: arb(0, 1), 5, 64, 256)


@pytest.mark.parametrize("digits", [0, -3])
def test_digits_must_be_positive(digits: int) -> None:
    with pytest.raises(ValueError, match="at least one significant digit"):
        bits_of(digits)


def test_digits_beyond_the_cap_are_refused_at_once() -> None:
    with pytest.raises(PrecisionExhaustedError, match="20000 significant digits exceed"):
        bits_of(20_000)


def test_a_comparison_is_decided_however_close() -> None:
    close = fmpq(2) - fmpq(1, fmpz(10) ** 1000)
    assert decide_at_most(lambda: arb(2).sqrt() ** 2, 2 + (2 - close), 64) is True
    assert decide_at_most(lambda: arb(2).sqrt() ** 2, close, 64) is False


def test_equality_of_inexact_numbers_stays_undecided() -> None:
    assert decide_at_most(lambda: arb(2).sqrt() ** 2, fmpq(2), 64, 512) is None


@pytest.mark.parametrize(
    ("limit", "guess", "digits", "expected"),
    [
        (fmpq(12345), fmpq(12345), 3, (12300, 12400)),
        (fmpq(12345), fmpq(12345 - 400), 3, (12300, 12400)),
        (fmpq(12345), fmpq(12345 + 400), 3, (12300, 12400)),
        (fmpq(9995), fmpq(10001), 3, (9990, 10000)),
        (fmpq(10005), fmpq(9985), 3, (10000, 10100)),
        (fmpq(7), fmpq(7), 1, (7, 8)),
        (fmpq(1), fmpq(1), 5, (1, fmpq(10001, 10000))),
    ],
)
def test_a_bracket_is_two_consecutive_decimals_however_the_guess_errs(
    limit: fmpq, guess: fmpq, digits: int, expected: tuple[fmpq, fmpq]
) -> None:
    found = decimal_bracket(lambda x: bool(x <= limit), at_precision(200, lambda: arb(guess)), digits)
    assert (found.lower, found.upper) == expected


def test_a_bracket_works_at_extreme_magnitudes() -> None:
    limit = fmpq(7, fmpz(10) ** 5000)
    found = decimal_bracket(lambda x: bool(x <= limit), arb(limit), 4)
    assert found == Enclosure(limit, limit * fmpq(7001, 7000))


def test_a_guess_far_off_is_refused() -> None:
    with pytest.raises(PrecisionExhaustedError, match="too far from the number sought"):
        decimal_bracket(lambda x: bool(x <= 2), arb(1), 5)


def test_an_undecided_end_is_refused() -> None:
    with pytest.raises(PrecisionExhaustedError, match="on the boundary"):
        decimal_bracket(lambda _: None, arb(1), 5)


def test_newton_finds_a_root_and_gives_up_where_there_is_none() -> None:
    root = find_root(lambda: lambda x: (2 / (x * x)).log() / 2, arb(1000), 30, 150)
    assert abs(root - at_precision(150, lambda: arb(2).sqrt())) < fmpq(1, 10**30)
    with pytest.raises(PrecisionExhaustedError, match="did not settle"):
        find_root(lambda: lambda _: arb(1), arb(1), 10, 64)
    with pytest.raises(PrecisionExhaustedError, match="did not settle"):
        find_root(lambda: lambda _: arb(-1).log(), arb(1), 10, 64)


def test_numbers_too_extreme_for_a_fraction_are_refused_but_not_too_early() -> None:
    tiny = arb((1, -MAGNITUDE_CAP))
    assert rational_enclosure(tiny).lower > 0
    with pytest.raises(MagnitudeError, match="too extreme to be written as a fraction"):
        rational_enclosure(tiny / 2)
    with pytest.raises(MagnitudeError, match="too extreme"):
        rational_enclosure(2 / tiny)


def test_what_is_not_finite_has_no_rational_ends() -> None:
    with pytest.raises(ValueError, match="no rational ends"):
        rational_enclosure(arb(1) / 0)


def test_the_documented_cap_holds_about_twenty_thousand_digits() -> None:
    assert bits_of(19_700) <= PRECISION_CAP
