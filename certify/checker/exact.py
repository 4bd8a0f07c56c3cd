"""Exact numbers: rationals as people and files write them, and rational matrices.

A matrix is an integer matrix over one positive denominator, in lowest terms, so that every sum and product is
a product of FLINT integer matrices and equality of matrices is equality of their parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import mul

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

_DECIMAL = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,7}))?\Z")
_FRACTION = re.compile(r"([+-]?[0-9]+)/([0-9]+)\Z")
EXPONENT_LIMIT = 100_000


def parse_rational(text: str) -> fmpq:
    """Return the exact rational that a decimal (``-0.25``, ``1e-5``) or a fraction (``3/16``) spells.

    Raises:
        ValueError: If the text spells no rational, or one with a decimal exponent beyond ``EXPONENT_LIMIT``.

    Example:
        >>> import certify
        >>> certify.rational("0.1"), certify.rational("-1e-2"), certify.rational("6/4")
        (1/10, -1/100, 3/2)
    """
    if match := _FRACTION.match(text):
        numerator, denominator = fmpz(match[1].removeprefix("+")), fmpz(match[2])
        if denominator == 0:
            raise ValueError(f"{shown(text)} has denominator zero")
        return fmpq(numerator, denominator)
    match = _DECIMAL.match(text)
    if match is None:
        raise ValueError(f"{shown(text)} is not a decimal number or a fraction p/q")
    sign, whole, decimals, bare_decimals, exponent = match.groups(default="")
    decimals = decimals or bare_decimals
    power = int(exponent or "0") - len(decimals)
    if abs(power) > EXPONENT_LIMIT:
        raise ValueError(f"{shown(text)} has an exponent beyond {EXPONENT_LIMIT}")
    digits = fmpz(whole + decimals) * (-1 if sign == "-" else 1)
    return fmpq(digits * fmpz(10) ** power) if power >= 0 else fmpq(digits, fmpz(10) ** -power)


def shown(text: str, limit: int = 40) -> str:
    """Return the text quoted for a message, cut in the middle where it is long."""
    return repr(text if len(text) <= limit else f"{text[: limit // 2]}...{text[-limit // 4 :]}")


def binary64_fraction(value: float) -> fmpq:
    """Return the dyadic rational that a finite binary64 number is.

    Raises:
        ValueError: If the number is infinite or NaN.
    """
    try:
        numerator, denominator = value.as_integer_ratio()
    except (OverflowError, ValueError):
        raise ValueError(f"{value} is not a finite number") from None
    return fmpq(numerator, denominator)


def is_binary64(value: fmpq) -> bool:
    """Return whether some binary64 number equals the rational exactly."""
    try:
        nearest = int(value.p) / int(value.q)
    except OverflowError:
        return False
    return binary64_fraction(nearest) == value


@dataclass(frozen=True, slots=True)
class Matrix:
    """A rational matrix: ``numerators / denominator`` in lowest terms with a positive denominator.

    Build one with ``matrix`` or the functions below, which keep the lowest terms.
    """

    numerators: fmpz_mat
    denominator: fmpz

    def __reduce__(self) -> tuple[Callable[..., Matrix], tuple[int, int, list[int], int]]:
        return _unpickled, (self.rows, self.columns, list(map(int, self.numerators.entries())), int(self.denominator))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.numerators.nrows()

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.numerators.ncols()

    def entry(self, row: int, column: int) -> fmpq:
        """Return one entry."""
        return fmpq(self.numerators[row, column], self.denominator)

    def __add__(self, other: Matrix) -> Matrix:
        mine, theirs, common = _over_common_denominator(self, other)
        return matrix(mine + theirs, common)

    def __sub__(self, other: Matrix) -> Matrix:
        mine, theirs, common = _over_common_denominator(self, other)
        return matrix(mine - theirs, common)

    def __matmul__(self, other: Matrix) -> Matrix:
        return matrix(self.numerators * other.numerators, self.denominator * other.denominator)

    def scaled(self, factor: fmpq) -> Matrix:
        """Return the matrix times a rational."""
        return matrix(self.numerators * factor.p, self.denominator * factor.q)

    def transpose(self) -> Matrix:
        """Return the transpose."""
        return Matrix(self.numerators.transpose(), self.denominator)

    def is_symmetric(self) -> bool:
        """Return whether the matrix is square and equals its transpose."""
        return self.rows == self.columns and self.numerators == self.numerators.transpose()

    def select(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """Return the submatrix of the given rows and columns, in the given order."""
        return matrix(select_entries(self.numerators, rows, columns), self.denominator)

    def trace(self) -> fmpq:
        """Return the trace of a square matrix."""
        return fmpq(sum((self.numerators[i, i] for i in range(self.rows)), fmpz(0)), self.denominator)


def _unpickled(rows: int, columns: int, entries: list[int], denominator: int) -> Matrix:
    return Matrix(fmpz_mat(rows, columns, entries), fmpz(denominator))


def matrix(numerators: fmpz_mat, denominator: fmpz | int = 1) -> Matrix:
    """Return ``numerators / denominator`` in lowest terms.

    Raises:
        ZeroDivisionError: If the denominator is zero.
    """
    if denominator == 0:
        raise ZeroDivisionError("a matrix needs a denominator other than zero")
    if denominator > 0:
        divisor = _divisor_of_some(numerators, fmpz(denominator))
        if divisor == 1:
            return Matrix(numerators, fmpz(denominator))
        if numerators.nrows() == 1:
            entries = [entry // divisor for entry in numerators.entries()]
            return Matrix(fmpz_mat(1, numerators.ncols(), entries), denominator // divisor)
    return Matrix(*(fmpq_mat(numerators) / fmpz(denominator)).numer_denom())


def _divisor_of_some(numerators: fmpz_mat, denominator: fmpz) -> fmpz:
    """Return the common divisor of the denominator and some entries; most matrices show it to be 1 early.

    The diagonal is looked at as well as the whole first row: rows of a rounded matrix may share a factor, but not all
    do. Of a single row it is the divisor of all entries.
    """
    divisor, rows = denominator, numerators.nrows()
    for place in range(numerators.ncols() if rows else 0):
        if divisor == 1:
            break
        divisor = divisor.gcd(numerators[0, place])
        if place < rows:
            divisor = divisor.gcd(numerators[place, place])
    return divisor


def _over_common_denominator(left: Matrix, right: Matrix) -> tuple[fmpz_mat, fmpz_mat, fmpz]:
    """Return the numerators of both matrices over the least common denominator, and that denominator."""
    if left.denominator == right.denominator:
        return left.numerators, right.numerators, left.denominator
    common = left.denominator.lcm(right.denominator)
    return left.numerators * (common // left.denominator), right.numerators * (common // right.denominator), common


def matrix_of_fractions(rows: Sequence[Sequence[fmpq]], columns: int) -> Matrix:
    """Return the matrix with the given rows, each of ``columns`` rationals."""
    return Matrix(*fmpq_mat(len(rows), columns, [entry for row in rows for entry in row]).numer_denom())


def identity(size: int) -> Matrix:
    """Return the identity matrix of the given size."""
    return diagonal([fmpz(1)] * size)


def diagonal(entries: Sequence[fmpz]) -> Matrix:
    """Return the diagonal integer matrix with the given entries."""
    size = len(entries)
    numerators = fmpz_mat(size, size)
    for index, entry in enumerate(entries):
        numerators[index, index] = entry
    return Matrix(numerators, fmpz(1))


def inner(left: Matrix, right: Matrix) -> fmpq:
    """Return the trace inner product ``<left, right>``, the sum of products of entries."""
    total = sum(starmap(mul, zip(left.numerators.entries(), right.numerators.entries(), strict=True)), fmpz(0))
    return fmpq(total, left.denominator * right.denominator)


def select_entries(numerators: fmpz_mat, rows: Sequence[int], columns: Sequence[int]) -> fmpz_mat:
    """Return the submatrix of an integer matrix with the given rows and columns."""
    if 2 * len(rows) < numerators.nrows():
        return fmpz_mat(len(rows), len(columns), [numerators[i, j] for i in rows for j in columns])
    table = numerators.tolist()
    return fmpz_mat(len(rows), len(columns), [table[i][j] for i in rows for j in columns])
