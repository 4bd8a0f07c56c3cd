"""Exact numbers and matrices."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.decimals import decimal_exponent, decimal_lower, decimal_upper
from certify.checker.exact import (
    binary64_fraction,
    identity,
    inner,
    is_binary64,
    matrix,
    matrix_of_fractions,
    parse_rational,
)

RATIONALS = st.fractions(max_denominator=10**12).map(lambda f: fmpq(f.numerator, f.denominator))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", fmpq(1, 10)),
        ("-1.50", fmpq(-3, 2)),
        ("1e-5", fmpq(1, 100_000)),
        ("1E+3", fmpq(1000)),
        (".5", fmpq(1, 2)),
        ("5.", fmpq(5)),
        ("+7/21", fmpq(1, 3)),
        ("-3/7", fmpq(-3, 7)),
        ("-0.0", fmpq(0)),
        ("1e-2000", fmpq(1, 10**2000)),
    ],
)
def test_decimals_are_read_exactly(text: str, value: fmpq) -> None:
    assert parse_rational(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "abc",
        "1,5",
        "nan",
        "inf",
        "1/0",
        "1/-2",
        "0x10",
        "1e",
        "1e99999999",
        "1_000",
        "1e100001",
        "٣",
        "1 2",
        "1\n",
    ],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a decimal|denominator zero|exponent"):
        parse_rational(text)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9))
def test_parsing_agrees_with_fractions(value: object) -> None:
    expected = Fraction(str(value))
    assert parse_rational(str(value)) == fmpq(expected.numerator, expected.denominator)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_a_binary64_number(value: float) -> None:
    assert is_binary64(binary64_fraction(value))


@pytest.mark.parametrize("value", [fmpq(1, 3), fmpq(1, 10), fmpq(2**53 + 1), fmpq(1, 2**1080), fmpq(2**1100)])
def test_other_numbers_are_not_binary64(value: fmpq) -> None:
    assert not is_binary64(value)


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_infinity_is_no_fraction(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        binary64_fraction(value)


def test_matrices_keep_lowest_terms() -> None:
    half = matrix(fmpz_mat([[2, 4], [6, 8]]), -4)
    assert half.denominator == 2
    assert half.entry(0, 0) == fmpq(-1, 2)
    assert half + half == matrix(fmpz_mat([[-1, -2], [-3, -4]]))
    with pytest.raises(ZeroDivisionError):
        matrix(fmpz_mat([[1]]), 0)


@given(st.lists(st.lists(RATIONALS, min_size=2, max_size=2), min_size=2, max_size=2), RATIONALS)
def test_arithmetic_agrees_entry_by_entry(entries: list[list[fmpq]], factor: fmpq) -> None:
    a = matrix_of_fractions(entries, 2)
    square = a @ a
    for i in range(2):
        for j in range(2):
            assert (a - a.scaled(factor)).entry(i, j) == entries[i][j] - entries[i][j] * factor
            assert square.entry(i, j) == entries[i][0] * entries[0][j] + entries[i][1] * entries[1][j]
            assert a.transpose().entry(i, j) == entries[j][i]
    assert a.trace() == inner(a, identity(2))
    assert a.is_symmetric() == (entries[0][1] == entries[1][0])


@given(RATIONALS, st.integers(min_value=1, max_value=20))
def test_decimals_round_outward(value: fmpq, digits: int) -> None:
    lower, upper = parse_rational(decimal_lower(value, digits)), parse_rational(decimal_upper(value, digits))
    assert lower <= value <= upper
    if value != 0:
        unit = fmpq(10) ** (decimal_exponent(value) + 1 - digits)
        assert upper - lower <= unit
        assert fmpq(10) ** decimal_exponent(value) <= abs(value) < fmpq(10) ** (decimal_exponent(value) + 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (fmpq(0), "0"),
        (fmpq(5), "5"),
        (fmpq(-10), "-10"),
        (fmpq(1, 10**7), "1e-07"),
        (fmpq(1, 8), "0.125"),
        (fmpq(10**20), "1e+20"),
        (fmpq(1, 3), "0.333333333333"),
    ],
)
def test_decimals_read_well(value: fmpq, text: str) -> None:
    assert decimal_lower(value) == text
