"""Rational subspaces guessed from float eigenvectors, and where to cut a spectrum in two."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.linalg as la
from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix
from certify.solvers.conic.arrays import FloatArray

LARGEST_DENOMINATOR = 100_000
SIGNIFICANCE = 0.2
CUTS = 2
CLEAR_DROP = 30.0
NOISE = 1e-17
LEAST_ACCURACY = 1e-9


def cuts(values: Sequence[float]) -> list[float]:
    """Return thresholds between large and small values to try in turn.

    First where neighbours differ most, then the first clear drops below the largest value: facial reduction in several
    steps leaves a staircase of sizes, of which only the top is to be taken. The last threshold keeps every value.
    """
    given = np.asarray(values, dtype=float)
    largest = float(given.max(initial=0.0))
    if largest <= 0.0:
        return []
    floor = max(NOISE * largest, -float(given.min()))
    ordered = np.sort(np.maximum(given, floor))[::-1]
    drops = [
        (ordered[k] / ordered[k + 1], float(np.sqrt(ordered[k] * ordered[k + 1])))
        for k in range(len(ordered) - 1)
        if ordered[k] > CLEAR_DROP * ordered[k + 1]
    ]
    sharpest = [threshold for _, threshold in sorted(drops, reverse=True)[:CUTS]]
    first = [threshold for _, threshold in drops[:CUTS]]
    return [*dict.fromkeys([*sharpest, *first]), 0.0]


def rational_basis(vectors: FloatArray, accuracy: float) -> Matrix | None:
    """Return a rational basis of the span of float columns, in reduced form, or None where none is near.

    Args:
        vectors: Orthonormal columns, shape (n, k).
        accuracy: About how accurate they are.
    """
    size, count = vectors.shape
    if count == 0:
        return Matrix(fmpz_mat(size, 0), fmpz(1))
    pivots = la.qr(vectors.T, mode="r", pivoting=True)[-1][:count]
    reduced = vectors @ np.linalg.inv(vectors[pivots])
    entries = [_simplest(float(entry), 4 * accuracy) for entry in reduced.ravel()]
    known = [entry for entry in entries if entry is not None]
    if len(known) < len(entries):
        return None
    common = fmpz(1)
    for entry in known:
        common = common.lcm(entry.q)
    return matrix(fmpz_mat(size, count, [entry.p * (common // entry.q) for entry in known]), common)


def _simplest(value: float, tolerance: float) -> fmpq | None:
    """Return the rational of least denominator near a number, or None where nearness means nothing."""
    for limit in (1, 2, 4, 8, 16, 64, 256, 1024, 10_000, LARGEST_DENOMINATOR):
        near = Fraction(value).limit_denominator(limit)
        if abs(float(near) - value) <= tolerance:
            significant = near.denominator**2 * tolerance < SIGNIFICANCE
            return fmpq(near.numerator, near.denominator) if significant else None
    return None


def tilt(values: FloatArray, threshold: float) -> float:
    """Return about how far eigenvectors below a threshold are tilted by those small values not being zero.

    In a PSD matrix an entry between the two spaces is at most the root of the product of a small and a large value.
    """
    small, large = values[values <= threshold], values[values > threshold]
    ratio = float(np.abs(small).max() / large.min()) if len(small) and len(large) else 0.0
    return max(LEAST_ACCURACY, float(np.sqrt(ratio)))
