"""A bound of the spectral norm of a symmetric matrix by products alone, far cheaper than its eigenvalues."""

from __future__ import annotations

import numpy as np

from certify.solvers.problem import FloatArray


def norm_upper(symmetric: FloatArray) -> float:
    """Return an upper bound of the largest size of an eigenvalue, at most ``d^(1/8)`` times it.

    It is the fourth root of the Frobenius norm of the fourth power: the norm of the eigenvalues with exponent 8.
    """
    square = symmetric @ symmetric
    return float(np.linalg.norm(square @ square) ** 0.25)
