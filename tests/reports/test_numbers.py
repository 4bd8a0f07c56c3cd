"""Numbers as people write them: exact spellings read back, roundings go outward."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.enclosure import Enclosure
from certify.checker.exact import parse_rational
from certify.reports.numbers import at_least, at_most, between, exactly, percent, spelled

RATIONALS = st.fractions().map(lambda value: fmpq(str(value)))
DECIMALS = st.tuples(st.integers(-(10**15), 10**15), st.integers(-300, 300)).map(
    lambda pair: fmpq(pair[0]) * fmpq(10) ** pair[1]
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0", "0"),
        ("1/3", "1/3"),
        ("10832/10000", "1.0832"),
        ("1/100000", "1e-5"),
        ("1/1000", "0.001"),
        ("-5/2", "-2.5"),
        ("100000000000000000000", "1e20"),
        ("1200", "1200"),
        ("12345678901", "1.2345678901e10"),
    ],
)
def test_spellings(number: str, text: str) -> None:
    assert spelled(fmpq(number)) == text


@given(st.one_of(RATIONALS, DECIMALS))
def test_a_spelling_reads_back_as_the_same_number_or_there_is_none(value: fmpq) -> None:
    text = spelled(value)
    if text is None:
        assert len(str(value)) > 24
    else:
        assert parse_rational(text) == value
        assert len(text) <= 24
    if len(exactly(value)) <= 120:
        assert parse_rational(exactly(value)) == value


def test_a_very_small_or_long_number_is_spelled_or_not() -> None:
    assert spelled(fmpq(1, 10**300)) == "1e-300"
    assert spelled(fmpq(1, 2**53)) == "1/9007199254740992"
    assert spelled(fmpq(1, 2**600)) is None
    assert "exactly: the fraction in this certificate" in exactly(fmpq(10**200 + 1, 3**300))


@given(st.one_of(RATIONALS, DECIMALS), st.integers(1, 12))
def test_roundings_go_outward(value: fmpq, digits: int) -> None:
    assert parse_rational(at_least(value, digits)) <= value <= parse_rational(at_most(value, digits))


@given(RATIONALS, st.fractions(min_value=0).map(lambda value: fmpq(str(value))))
def test_between_contains_the_number(lower: fmpq, width: fmpq) -> None:
    ends = [parse_rational(text) for text in between(Enclosure(lower, lower + width)).split(" to ")]
    assert ends[0] <= lower
    assert lower + width <= ends[-1]
    assert len(ends) == 2 or width == 0


def test_percentages_are_rounded_down() -> None:
    assert percent(fmpq(1, 3)) == "33.3 %"
    assert percent(fmpq(9999, 10000)) == "99.9 %"
    assert percent(fmpq(0)) == "0.0 %"
