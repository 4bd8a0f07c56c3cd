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
SIGNIFICANCE = 0.05
CUTS = 4
SMALL = 1e-2
LEAST_ACCURACY = 1e-9


def cuts(values: Sequence[float]) -> list[float]:
    """Return thresholds between large and small values, the clearest first: where a ratio of neighbours is largest.

    Only cuts below a hundredth of the largest value are tried; the last one keeps every value as large.
    """
    ordered = np.sort(np.maximum(np.asarray(values, dtype=float), 1e-300))[::-1]
    if len(ordered) == 0 or ordered[0] <= 1e-300:
        return []
    ratios = [
        (ordered[k] / ordered[k + 1], float(np.sqrt(ordered[k] * ordered[k + 1])))
        for k in range(len(ordered) - 1)
        if ordered[k + 1] < SMALL * ordered[0]
    ]
    ratios.sort(reverse=True)
    return [threshold for _, threshold in ratios[:CUTS]] + [0.0]


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
    entries = [_simplest(float(entry), 8 * accuracy) for entry in reduced.ravel()]
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
    """Return about how far eigenvectors below a threshold are tilted by those small values not being zero."""
    small, large = values[values <= threshold], values[values > threshold]
    ratio = float(np.abs(small).max() / large.min()) if len(small) and len(large) else 0.0
    return max(LEAST_ACCURACY, ratio)
