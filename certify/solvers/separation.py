"""Find sensitivity vectors that violate s^T P s <= 1, with bounded memory.

A sensitivity vector is named by one integer key: i * m + j for the pair (i, j) of m records, the row number
for explicit vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.solvers.problem import (
    ExplicitVectors,
    FloatArray,
    IndexArray,
    PairDifferences,
    ScaledDifferences,
    SensitivitySet,
)

TILE = 1 << 21
"""Entries of one block of the Gram matrix: 16 MiB, small enough to stay out of swap and large enough for BLAS."""


@dataclass(frozen=True, slots=True, eq=False)
class Violations:
    """The largest values of s^T P s found.

    Attributes:
        keys: distinct vectors above the threshold, largest value first.
        values: s^T P s of each.
        largest: the maximum over the whole set, or 0 for an empty set.
    """

    keys: IndexArray
    values: FloatArray
    largest: float


def count_vectors(sensitivity: SensitivitySet) -> int:
    """Return the number of sensitivity vectors up to sign (and, for pairs, up to order)."""
    match sensitivity:
        case PairDifferences(records) | ScaledDifferences(records, _):
            return len(records) * (len(records) - 1) // 2
        case ExplicitVectors(vectors):
            return len(vectors)


def all_keys(sensitivity: SensitivitySet) -> IndexArray:
    """Return the key of every vector; only sensible when count_vectors is small."""
    match sensitivity:
        case PairDifferences(records):
            first, second = np.triu_indices(len(records), 1)
            return first * len(records) + second
        case ScaledDifferences(records, factors):
            first, second = np.triu_indices(len(records), 1)
            return _oriented_keys(factors, first, second)
        case ExplicitVectors(vectors):
            return np.arange(len(vectors))


def indices_of(sensitivity: SensitivitySet, keys: IndexArray) -> IndexArray:
    """Return the record pairs, shape (k, 2), or the row numbers, shape (k,), that the keys stand for."""
    match sensitivity:
        case PairDifferences(records) | ScaledDifferences(records, _):
            return np.stack(np.divmod(keys, max(len(records), 1)), axis=1)
        case ExplicitVectors():
            return keys


def vectors_at(sensitivity: SensitivitySet, keys: IndexArray) -> FloatArray:
    """Return the sensitivity vectors of the keys, shape (k, d)."""
    match sensitivity:
        case PairDifferences(records):
            first, second = np.divmod(keys, max(len(records), 1))
            return records[first] - records[second]
        case ScaledDifferences(records, factors):
            first, second = np.divmod(keys, max(len(records), 1))
            return factors[first, second][:, None] * (records[first] - records[second])
        case ExplicitVectors(vectors):
            return vectors[keys]


def transform(sensitivity: SensitivitySet, matrix: FloatArray) -> SensitivitySet:
    """Return the set of matrix^T s for s in the set."""
    match sensitivity:
        case PairDifferences(records):
            return PairDifferences(_centred(records) @ matrix)
        case ScaledDifferences(records, factors):
            return ScaledDifferences(_centred(records) @ matrix, factors)
        case ExplicitVectors(vectors):
            return ExplicitVectors(vectors @ matrix)


def most_violated(
    sensitivity: SensitivitySet, root: FloatArray, threshold: float, limit: int, on_block: Callable[[], None]
) -> Violations:
    """Find vectors with s^T P s > threshold, P = root root^T: for each record its worst partner, at most `limit`.

    Args:
        sensitivity: the set to search.
        root: shape (d, d).
        threshold: values at or below it are not returned.
        limit: the largest number of keys returned.
        on_block: called after each block of work.
    """
    match sensitivity:
        case PairDifferences(records):
            found = _search_pairs(records @ root, threshold, on_block)
        case ScaledDifferences(records, factors):
            found = _search_scaled_pairs(records @ root, factors, threshold, on_block)
        case ExplicitVectors(vectors):
            found = _search_vectors(vectors @ root, threshold, on_block)
    order = np.argsort(-found.values, kind="stable")[:limit]
    return Violations(found.keys[order], found.values[order], found.largest)


def _centred(records: FloatArray) -> FloatArray:
    """Differences do not change, but the Gram matrix loses fewer digits around the middle of the records."""
    return records - (records.min(axis=0) + records.max(axis=0)) / 2 if len(records) else records


def _oriented_keys(factors: FloatArray, first: IndexArray, second: IndexArray) -> IndexArray:
    """Both orders of a pair give parallel vectors, so only the one with the larger factor can bind."""
    swap = factors[first, second] < factors[second, first]
    return np.where(swap, second, first) * len(factors) + np.where(swap, first, second)


@dataclass(slots=True)
class _WorstPartners:
    """For each record the largest value seen and the partner that gave it; filled block by block."""

    values: FloatArray
    partners: IndexArray

    def record_rows(self, start: int, tile: FloatArray, column_start: int) -> None:
        best = tile.argmax(axis=1)
        values = tile[np.arange(len(tile)), best]
        rows = np.nonzero(values > self.values[start : start + len(tile)])[0]
        self.values[start + rows] = values[rows]
        self.partners[start + rows] = column_start + best[rows]

    def record_columns(self, start: int, tile: FloatArray, column_start: int) -> None:
        values = tile.max(axis=0)
        columns = np.nonzero(values > self.values[column_start : column_start + tile.shape[1]])[0]
        self.values[column_start + columns] = values[columns]
        self.partners[column_start + columns] = start + tile[:, columns].argmax(axis=0)


def _search_pairs(points: FloatArray, threshold: float, on_block: Callable[[], None]) -> Violations:
    """Search |y_i - y_j|^2 over pairs of rows, skipping what the triangle inequality rules out.

    With radii r_i = |y_i - centre| sorted downwards, a pair above the threshold needs r_i + r_j > sqrt(threshold),
    so the partners of a block are a prefix. The maximum is exact whenever it exceeds the threshold.
    """
    points = _centred(points)
    order = np.argsort(-np.einsum("ij,ij->i", points, points), kind="stable")
    points = points[order]
    squares = np.einsum("ij,ij->i", points, points)
    radii = np.sqrt(squares)
    ones = np.ones((len(points), 1))
    left = np.hstack([-2 * points, squares[:, None], ones])
    right = np.hstack([points, ones, squares[:, None]])
    reach = np.sqrt(max(threshold, 0.0)) * (1 - 1e-12)
    worst = _WorstPartners(np.zeros(len(points)), np.full(len(points), -1))
    start = 0
    while start < len(points):
        end = min(len(points), start + max(1, TILE // (len(points) - start)))
        stop = int(np.searchsorted(-radii, radii[start] - reach, side="right"))
        if stop <= start + 1:
            break
        tile = left[start : min(end, stop)] @ right[start:stop].T
        worst.record_rows(start, tile, start)
        worst.record_columns(start, tile, start)
        start = end
        on_block()
    partners = np.where(worst.partners < 0, 0, order[worst.partners])
    return _distinct_pairs(order, partners, worst.values, threshold)


def _search_scaled_pairs(
    points: FloatArray, factors: FloatArray, threshold: float, on_block: Callable[[], None]
) -> Violations:
    points = _centred(points)
    squares = np.einsum("ij,ij->i", points, points)
    ones = np.ones((len(points), 1))
    left = np.hstack([-2 * points, squares[:, None], ones])
    right = np.hstack([points, ones, squares[:, None]])
    worst = _WorstPartners(np.zeros(len(points)), np.full(len(points), -1))
    step = max(1, TILE // max(len(points), 1))
    for start in range(0, len(points), step):
        tile = left[start : start + step] @ right[start:].T
        tile *= np.maximum(factors[start : start + step, start:], factors[start:, start : start + step].T) ** 2
        worst.record_rows(start, tile, start)
        worst.record_columns(start, tile, start)
        on_block()
    rows = np.arange(len(points))
    found = _distinct_pairs(rows, np.maximum(worst.partners, 0), worst.values, threshold)
    first, second = np.divmod(found.keys, max(len(points), 1))
    return Violations(_oriented_keys(factors, first, second), found.values, found.largest)


def _distinct_pairs(first: IndexArray, second: IndexArray, values: FloatArray, threshold: float) -> Violations:
    """Name each unordered pair once, by its smaller record first."""
    above = (values > threshold) & (first != second)
    keys = np.minimum(first, second) * len(first) + np.maximum(first, second)
    unique, where = np.unique(keys[above], return_index=True)
    return Violations(unique, values[above][where], float(values.max(initial=0.0)))


def _search_vectors(points: FloatArray, threshold: float, on_block: Callable[[], None]) -> Violations:
    values = np.einsum("ij,ij->i", points, points)
    on_block()
    keys = np.nonzero(values > threshold)[0]
    return Violations(keys, values[keys], float(values.max(initial=0.0)))
