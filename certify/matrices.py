"""Exact matrices from the numbers that people write."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from certify.checker.exact import Matrix, matrix_of_fractions, parse_rational


def matrix(rows: Sequence[Sequence[int | str | fmpq]]) -> Matrix:
    """Return the exact m x d matrix with the given rows.

    Args:
        rows: m rows of d integers, rationals, or texts that spell a decimal or a fraction.

    Raises:
        ValueError: If the rows differ in length, or a text spells no number.
        TypeError: If an entry is a float: write it as a text, since ``0.1`` is not the number it spells.

    Example:
        >>> import certify
        >>> certify.matrix([[0, "0.5"], ["1/3", 1]]).entry(1, 0)
        1/3
    """
    table = [[_exact(entry) for entry in row] for row in rows]
    lengths = {len(row) for row in table}
    if len(lengths) > 1:
        raise ValueError(f"the rows of a matrix have one length, not {sorted(lengths)}")
    return matrix_of_fractions(table, max(lengths, default=0))


def _exact(entry: int | str | fmpq) -> fmpq:
    match entry:
        case fmpq():
            return entry
        case str():
            return parse_rational(entry)
        case int():
            return fmpq(entry)
        case _:
            raise TypeError(f"{entry!r} is no integer, rational or text; write a float as the text it should spell")
