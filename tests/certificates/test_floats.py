"""The passage between exact matrices and binary64: exact one way, correctly rounded the other."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.floats import from_floats, round_to_bits, to_floats
from certify.checker.exact import matrix
from tests.checker.oracle import fractions

FINITE = st.floats(allow_nan=False, allow_infinity=False)
NUMERATORS = st.integers(-(10**40), 10**40)
DENOMINATORS = st.one_of(st.integers(1, 10**30), st.integers(0, 1074).map(lambda k: 1 << k))


@given(st.lists(FINITE, min_size=4, max_size=4))
def test_floats_are_read_as_the_rationals_they_are(values: list[float]) -> None:
    read = from_floats(np.array(values).reshape(2, 2))
    assert fractions(read) == [[Fraction(value) for value in values[:2]], [Fraction(value) for value in values[2:]]]
    assert read == matrix(read.numerators, read.denominator)
    assert to_floats(read).ravel().tolist() == values


@given(st.lists(NUMERATORS, min_size=3, max_size=3), DENOMINATORS)
def test_rationals_are_rounded_to_the_nearest_float(numerators: list[int], denominator: int) -> None:
    rounded = to_floats(matrix(fmpz_mat(1, 3, numerators), fmpz(denominator)))
    assert rounded.tolist() == [[numerator / denominator for numerator in numerators]]


@pytest.mark.parametrize("denominator", [1, 3])
def test_numbers_beyond_binary64_are_refused(denominator: int) -> None:
    with pytest.raises(OverflowError):
        to_floats(matrix(fmpz_mat(1, 1, [1 << 1100]), denominator))


def test_a_huge_numerator_over_a_huge_denominator_is_in_range() -> None:
    assert to_floats(matrix(fmpz_mat(1, 2, [3 << 1099, 1]), fmpz(1) << 1100)).tolist() == [[1.5, 0.0]]


@pytest.mark.parametrize("bits", [8, 30, 52])
def test_rounding_is_relative_to_the_diagonal_and_short(bits: int) -> None:
    root = np.random.default_rng(3).standard_normal((6, 6)) * np.exp2([-40.0, -3, 0, 1, 20, 90])[:, None]
    value = root @ root.T
    rounded = round_to_bits(value, bits)
    size = np.sqrt(np.diag(value))
    assert np.array_equal(rounded, rounded.T)
    assert np.abs((rounded - value) / size[:, None] / size).max() <= 2.0 ** (2 - bits)
    longest = max(abs(Fraction(entry).numerator) >> _trailing_zeros(entry) for entry in rounded.ravel().tolist())
    assert longest.bit_length() <= bits + 1


def _trailing_zeros(entry: float) -> int:
    numerator = abs(Fraction(entry).numerator)
    return (numerator & -numerator).bit_length() - 1 if numerator else 0
