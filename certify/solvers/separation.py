"""Find sensitivity vectors that violate s^T P s <= 1, with bounded memory.

A sensitivity vector is named by one integer key: i * m + j for the pair (i, j) of m records, the row number
for explicit vectors.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from certify.solvers.pair_search import TILE, PairCollector, Violations, centred, gram_factors, search_pairs
from certify.solvers.problem import (
    ExplicitVectors,
    FloatArray,
    IndexArray,
    PairDifferences,
    ScaledDifferences,
    SensitivitySet,
)
from certify.solvers.workers import HERE, Workers


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
            return PairDifferences(centred(records) @ matrix)
        case ScaledDifferences(records, factors):
            return ScaledDifferences(centred(records) @ matrix, factors)
        case ExplicitVectors(vectors):
            return ExplicitVectors(vectors @ matrix)


def most_violated(
    sensitivity: SensitivitySet,
    root: FloatArray,
    threshold: float,
    few: int,
    on_block: Callable[[], None],
    outermost: int | None = None,
    workers: Workers = HERE,
) -> Violations:
    """Find vectors with s^T P s > threshold, P = root root^T: all if they are few, else each record's worst partner.

    Args:
        sensitivity: the set to search.
        root: shape (d, d).
        threshold: values at or below it are not returned.
        few: up to this many violated pairs are all returned.
        on_block: called after each block of work.
        outermost: of unscaled pairs, look only at those between this many records farthest from the middle.
        workers: what unscaled pairs are searched on.
    """
    match sensitivity:
        case PairDifferences(records):
            return search_pairs(records @ root, threshold, few, on_block, outermost or len(records), workers)
        case ScaledDifferences(records, factors):
            return _search_scaled_pairs(records @ root, factors, threshold, few, on_block)
        case ExplicitVectors(vectors):
            return _search_vectors(vectors @ root, threshold, on_block)


def _oriented_keys(factors: FloatArray, first: IndexArray, second: IndexArray) -> IndexArray:
    """Both orders of a pair give parallel vectors, so only the one with the larger factor can bind."""
    swap = factors[first, second] < factors[second, first]
    return np.where(swap, second, first) * len(factors) + np.where(swap, first, second)


def _search_scaled_pairs(
    points: FloatArray, factors: FloatArray, threshold: float, few: int, on_block: Callable[[], None]
) -> Violations:
    left, right, _ = gram_factors(centred(points))
    collector = PairCollector(len(points), threshold, few)
    step = max(1, TILE // max(len(points), 1))
    for start in range(0, len(points), step):
        tile = left[start : start + step] @ right[start:].T
        tile *= np.maximum(factors[start : start + step, start:], factors[start:, start : start + step].T) ** 2
        collector.record(tile, start, start)
        on_block()
    found = collector.pairs(np.arange(len(points)), len(points))
    first, second = np.divmod(found.keys, max(len(points), 1))
    return Violations(_oriented_keys(factors, first, second), found.values, found.largest)


def _search_vectors(points: FloatArray, threshold: float, on_block: Callable[[], None]) -> Violations:
    values = np.einsum("ij,ij->i", points, points)
    on_block()
    keys = np.nonzero(values > threshold)[0]
    return Violations(keys, values[keys], float(values.max(initial=0.0)))
