"""The quadratic form of every pair of points, by one integer matrix product (theory.md section 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

BLOCK_ENTRIES = 1_000_000


@dataclass(frozen=True, slots=True)
class PairMaximum:
    """The largest quadratic form over all pairs of points, and a pair of row indices that attains it."""

    value: fmpq
    pair: tuple[int, int]


def differences(records: Matrix) -> Matrix:
    """Return the m x d matrix of ``x_i - x_0``, whose pairwise differences are those of the records."""
    rows = records.numerators.tolist()
    first = rows[0]
    entries = [entry - start for row in rows for entry, start in zip(row, first, strict=True)]
    return matrix(fmpz_mat(records.rows, records.columns, entries), records.denominator)


def largest_over_pairs(points: Matrix, form: Matrix, progress: Progress) -> PairMaximum | None:
    """Return the exact maximum of ``(p_i - p_j)^T form (p_i - p_j)`` over all pairs i < j of rows, None for one row.

    Under the uniform query this is rho_star of a release with precision ``form``, for both neighbouring relations.
    Every pair is computed: ``-q_ij = 2 p_i^T F p_j - f_i - f_j`` with ``f_i = p_i^T F p_i`` is one entry of an integer
    matrix product, done in blocks of rows so that memory stays bounded.

    Sound because the symmetric hull of the sensitivity set lies in that of the differences x - y (every factor of
    t_g is below 1), and those are limits along the ray of queries (theory.md section 2, uniform query).
    """
    smallest, pair = fmpz(1), (0, 0)
    if points.rows < 2:
        return None
    for row, entries in negated_forms(points, form, progress):
        if entries and (least := min(entries)) < smallest:
            smallest, pair = least, (row, row + 1 + entries.index(least))
    return PairMaximum(fmpq(-smallest, forms_denominator(points, form)), pair)


def forms_denominator(points: Matrix, form: Matrix) -> fmpz:
    """Return the denominator of the integers that ``negated_forms`` yields."""
    return points.denominator**2 * form.denominator


def negated_forms(points: Matrix, form: Matrix, progress: Progress) -> Iterator[tuple[int, list[fmpz]]]:
    """Yield each row index i with the integers ``-q_ij`` for j = i + 1, ..., m - 1, over ``forms_denominator``."""
    count = points.rows
    done, total = 0, count * (count - 1) // 2
    for start, stop, product in _blocks(points.numerators, form.numerators):
        width = count - start
        for row in range(start, stop):
            yield row, product[(row - start) * width + (row - start) + 1 : (row - start + 1) * width]
        done += sum(count - 1 - row for row in range(start, stop))
        progress("pairs of records", done, total)


def _blocks(points: fmpz_mat, form: fmpz_mat) -> Iterator[tuple[int, int, list[fmpz]]]:
    """Yield ``(start, stop, entries)``: the flat rows start..stop of ``-q_ij`` for the columns j >= start."""
    count = points.nrows()
    rows = points.tolist()
    images = (points * form).tolist()
    norms = [
        sum((a * b for a, b in zip(row, image, strict=True)), fmpz(0)) for row, image in zip(rows, images, strict=True)
    ]
    left = [[2 * entry for entry in image] + [-norm, fmpz(-1)] for image, norm in zip(images, norms, strict=True)]
    right = [[*row, fmpz(1), norm] for row, norm in zip(rows, norms, strict=True)]
    start = 0
    while start < count:
        stop = min(count, start + max(1, BLOCK_ENTRIES // (count - start)))
        yield start, stop, (fmpz_mat(left[start:stop]) * fmpz_mat(right[start:]).transpose()).entries()
        start = stop
