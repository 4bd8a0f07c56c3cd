"""What is released about which records, and every sensitivity vector that follows (theory.md section 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

BLOCK_ENTRIES = 1_000_000


class Neighbours(StrEnum):
    """When two datasets are neighbours: one record is added or removed, or one is replaced by another."""

    ADD_OR_REMOVE_ONE = "add_or_remove_one"
    REPLACE_ONE = "replace_one"


class Reading(StrEnum):
    """How numbers were read: as the decimals they spell, or as the binary64 numbers they are."""

    DECIMAL = "decimal"
    BINARY64 = "binary64"


@dataclass(frozen=True, slots=True)
class Source:
    """Where records came from: base name and SHA-256 of the file, the factor they were scaled by, the reading."""

    name: str
    sha256: str
    scale: fmpq
    reading: Reading


@dataclass(frozen=True, slots=True)
class FiniteDomain:
    """A finite public domain: ``records`` is an m x d matrix whose rows are the records a dataset may contain.

    Raises:
        ValueError: If there is no record or no column.
    """

    records: Matrix
    source: Source | None

    def __post_init__(self) -> None:
        if self.records.rows == 0 or self.records.columns == 0:
            raise ValueError("a domain needs at least one record and one column")

    @property
    def dimension(self) -> int:
        """The number of columns d of a record."""
        return self.records.columns


@dataclass(frozen=True, slots=True)
class UniformQuery:
    """The guarantee holds at every query point g in R^d and every noise level sigma > 0 (paper, Corollary 1)."""


Query: TypeAlias = UniformQuery


@dataclass(frozen=True, slots=True)
class IdealDenoiser:
    """The release is the ideal denoiser m_g(D) of a dataset D over the domain, of any size (theory.md section 1)."""

    domain: FiniteDomain
    query: Query
    neighbours: Neighbours


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
    count, smallest, pair = points.rows, fmpz(1), (0, 0)
    if count < 2:
        return None
    done, total = 0, count * (count - 1) // 2
    for start, stop, product in _negated_forms(points.numerators, form.numerators):
        width = count - start
        for row in range(start, stop):
            entries = product[(row - start) * width + (row - start) + 1 : (row - start + 1) * width]
            if entries and (least := min(entries)) < smallest:
                smallest, pair = least, (row, row + 1 + entries.index(least))
        done += sum(count - 1 - row for row in range(start, stop))
        progress("pairs of records", done, total)
    return PairMaximum(fmpq(-smallest, points.denominator**2 * form.denominator), pair)


def _negated_forms(points: fmpz_mat, form: fmpz_mat) -> Iterator[tuple[int, int, list[fmpz]]]:
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
