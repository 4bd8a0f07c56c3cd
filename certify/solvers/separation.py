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
        keys: distinct vectors above the threshold, in increasing order.
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
    sensitivity: SensitivitySet,
    root: FloatArray,
    threshold: float,
    few: int,
    on_block: Callable[[], None],
    outermost: int | None = None,
) -> Violations:
    """Find vectors with s^T P s > threshold, P = root root^T: all if they are few, else each record's worst partner.

    Args:
        sensitivity: the set to search.
        root: shape (d, d).
        threshold: values at or below it are not returned.
        few: up to this many violated pairs are all returned.
        on_block: called after each block of work.
        outermost: of unscaled pairs, look only at those between this many records farthest from the middle.
    """
    match sensitivity:
        case PairDifferences(records):
            return _search_pairs(records @ root, threshold, few, on_block, outermost or len(records))
        case ScaledDifferences(records, factors):
            return _search_scaled_pairs(records @ root, factors, threshold, few, on_block)
        case ExplicitVectors(vectors):
            return _search_vectors(vectors @ root, threshold, on_block)


def _centred(records: FloatArray) -> FloatArray:
    """Differences do not change, but the Gram matrix loses fewer digits around the middle of the records."""
    return records - (records.min(axis=0) + records.max(axis=0)) / 2 if len(records) else records


def _oriented_keys(factors: FloatArray, first: IndexArray, second: IndexArray) -> IndexArray:
    """Both orders of a pair give parallel vectors, so only the one with the larger factor can bind."""
    swap = factors[first, second] < factors[second, first]
    return np.where(swap, second, first) * len(factors) + np.where(swap, first, second)


class _PairCollector:
    """Gathers pairs above a threshold tile by tile: all while they are few, else each record's worst partner."""

    def __init__(self, count: int, threshold: float, few: int) -> None:
        self._count = count
        self._threshold = threshold
        self._few = few
        self._values = np.zeros(count)
        self._partners = np.zeros(count, dtype=np.int64)
        self._above: list[tuple[IndexArray, FloatArray]] | None = []
        self._found = 0

    def record(self, tile: FloatArray, row_start: int, column_start: int) -> None:
        """Take in the values of rows row_start... against columns column_start..., in positions, not records."""
        self._record_rows(tile, row_start, column_start)
        self._record_columns(tile, row_start, column_start)
        if self._above is not None:
            self._record_above(self._above, tile, row_start, column_start)

    def pairs(self, order: IndexArray, records: int) -> Violations:
        """Return the pairs with positions translated by `order` to so many records."""
        largest = float(self._values.max(initial=0.0))
        if self._above is None:
            rows = np.nonzero(self._values > self._threshold)[0]
            positions, values = rows * self._count + self._partners[rows], self._values[rows]
        else:
            positions = np.concatenate([np.zeros(0, dtype=np.int64), *(keys for keys, _ in self._above)])
            values = np.concatenate([np.zeros(0), *(values for _, values in self._above)])
        first, second = (order[part] for part in np.divmod(positions, max(self._count, 1)))
        keys = np.minimum(first, second) * records + np.maximum(first, second)
        unique, where = np.unique(keys[first != second], return_index=True)
        return Violations(unique, values[first != second][where], largest)

    def _record_rows(self, tile: FloatArray, row_start: int, column_start: int) -> None:
        best = tile.argmax(axis=1)
        values = tile[np.arange(len(tile)), best]
        rows = np.nonzero(values > self._values[row_start : row_start + len(tile)])[0]
        self._values[row_start + rows] = values[rows]
        self._partners[row_start + rows] = column_start + best[rows]

    def _record_columns(self, tile: FloatArray, row_start: int, column_start: int) -> None:
        values = tile.max(axis=0)
        columns = np.nonzero(values > self._values[column_start : column_start + tile.shape[1]])[0]
        self._values[column_start + columns] = values[columns]
        self._partners[column_start + columns] = row_start + tile[:, columns].argmax(axis=0)

    def _record_above(
        self, above: list[tuple[IndexArray, FloatArray]], tile: FloatArray, row_start: int, column_start: int
    ) -> None:
        mask = tile > self._threshold
        self._found += int(np.count_nonzero(mask))
        if self._found > self._few:
            self._above = None
            return
        rows, columns = np.nonzero(mask)
        above.append(((row_start + rows) * self._count + column_start + columns, tile[mask]))


def _search_pairs(
    points: FloatArray, threshold: float, few: int, on_block: Callable[[], None], outermost: int
) -> Violations:
    """Search |y_i - y_j|^2 over pairs of rows, skipping what the triangle inequality rules out.

    With radii r_i = |y_i - centre| sorted downwards, a pair above the threshold needs r_i + r_j > sqrt(threshold),
    so the partners of a block are a prefix. The maximum is exact whenever it exceeds the threshold.
    """
    points = _centred(points)
    count = len(points)
    order = np.argsort(-np.einsum("ij,ij->i", points, points), kind="stable")[:outermost]
    points = points[order]
    left, right, squares = _gram_factors(points)
    radii = np.sqrt(squares)
    reach = np.sqrt(max(threshold, 0.0)) * (1 - 1e-12)
    collector = _PairCollector(len(points), threshold, few)
    start = 0
    while start < len(points):
        end = min(len(points), start + max(1, TILE // (len(points) - start)))
        stop = int(np.searchsorted(-radii, radii[start] - reach, side="right"))
        if stop <= start + 1:
            break
        collector.record(left[start : min(end, stop)] @ right[start:stop].T, start, start)
        start = end
        on_block()
    return collector.pairs(order, count)


def _search_scaled_pairs(
    points: FloatArray, factors: FloatArray, threshold: float, few: int, on_block: Callable[[], None]
) -> Violations:
    left, right, _ = _gram_factors(_centred(points))
    collector = _PairCollector(len(points), threshold, few)
    step = max(1, TILE // max(len(points), 1))
    for start in range(0, len(points), step):
        tile = left[start : start + step] @ right[start:].T
        tile *= np.maximum(factors[start : start + step, start:], factors[start:, start : start + step].T) ** 2
        collector.record(tile, start, start)
        on_block()
    found = collector.pairs(np.arange(len(points)), len(points))
    first, second = np.divmod(found.keys, max(len(points), 1))
    return Violations(_oriented_keys(factors, first, second), found.values, found.largest)


def _gram_factors(points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return L and R with (L R^T)_ij = |y_i - y_j|^2, so that one product gives a tile, and the squared lengths."""
    squares: FloatArray = np.einsum("ij,ij->i", points, points)
    ones = np.ones((len(points), 1))
    return np.hstack([-2 * points, squares[:, None], ones]), np.hstack([points, ones, squares[:, None]]), squares


def _search_vectors(points: FloatArray, threshold: float, on_block: Callable[[], None]) -> Violations:
    values = np.einsum("ij,ij->i", points, points)
    on_block()
    keys = np.nonzero(values > threshold)[0]
    return Violations(keys, values[keys], float(values.max(initial=0.0)))
