"""Float arithmetic on points inside a cone: positive vectors and positive definite matrices alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from certify.solvers.conic.arrays import FloatArray

DENSE_EIGENVALUES = 150
SPARSE_FRACTION = 0.05
LANCZOS_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Factored:
    """A point in the interior of its cone; ``root`` is its lower Cholesky factor, or its square root if a vector."""

    value: FloatArray
    root: FloatArray


def factored(value: FloatArray) -> Factored | None:
    """Return the point with its root, or None if it is not in the interior to working precision."""
    if value.ndim == 1:
        return Factored(value, np.sqrt(value)) if np.all(value > 0) else None
    try:
        return Factored(value, la.cholesky(value, lower=True, check_finite=False))
    except la.LinAlgError:
        return None


def inverse(point: Factored) -> FloatArray:
    """Return the inverse, entry by entry for a vector."""
    if point.value.ndim == 1:
        return 1.0 / point.value
    lower, _ = la.lapack.dpotri(point.root, lower=1)
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)


def scaled_product(x: FloatArray, middle: FloatArray, inverse_slack: FloatArray) -> FloatArray:
    """Return the symmetric part of ``X D S^-1``; a sparse D is multiplied as such."""
    if x.ndim == 1:
        return x * middle * inverse_slack
    if np.count_nonzero(middle) < SPARSE_FRACTION * middle.size:
        product = np.asarray(x @ sp.csr_matrix(middle)) @ inverse_slack
    else:
        product = x @ middle @ inverse_slack
    return np.asarray((product + product.T) / 2)


def longest_step(point: Factored, direction: FloatArray) -> float:
    """Return about the largest t with ``point + t direction`` in the cone, possibly infinite."""
    if point.value.ndim == 1:
        ratios = direction / point.value
        least = float(ratios.min())
    else:
        half = la.solve_triangular(point.root, direction, lower=True, check_finite=False)
        least = _least_eigenvalue(la.solve_triangular(point.root, half.T, lower=True, check_finite=False))
    return -1.0 / least if least < 0 else np.inf


def moved(point: Factored, direction: FloatArray, step: float) -> Factored | None:
    """Return ``point + step direction`` if it is in the interior to working precision."""
    return factored(point.value + step * direction)


def _least_eigenvalue(matrix: FloatArray) -> float:
    """Return about the least eigenvalue, minus infinity where the matrix has overflowed."""
    if not np.all(np.isfinite(matrix)):
        return -np.inf
    if len(matrix) > DENSE_EIGENVALUES:
        try:
            value = eigsh(matrix, k=1, which="SA", tol=LANCZOS_TOLERANCE, return_eigenvectors=False)[0]
            return float(value - 2 * LANCZOS_TOLERANCE * abs(value))
        except ArpackNoConvergence:
            pass
    return float(np.linalg.eigvalsh((matrix + matrix.T) / 2)[0])
