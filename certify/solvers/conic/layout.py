"""How cone blocks become rows of a solver's standard form ``A x + s = b``, s in a product of its cones.

For each block a sparse matrix T maps a flattened slack of ours to the solver's s, so that the solver's multiplier z
gives back ``X = T^T z``. T carries the triangle order and the factor sqrt(2) of PSD cones, the rotation of rotated
cones, and the linear images that turn dual exponential and dual power cones into primal ones.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

import numpy as np
import scipy.sparse as sp

from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)


class Triangle(StrEnum):
    """Which triangle a solver stores, always column by column: SCS the lower one, Clarabel the upper one."""

    LOWER = "lower"
    UPPER = "upper"


def slack_rows(cone: Cone, triangle: Triangle) -> sp.csr_matrix:
    """Return T of shape (rows of the solver, size of a flattened block) for a slack in ``cone``."""
    match cone:
        case Free():
            rows = sp.csr_matrix((0, cone.size))
        case Zero(size) | Nonnegative(size) | SecondOrder(size):
            rows = sp.identity(size, format="csr")
        case Rotated(size):
            rows = _rotation(size)
        case PositiveSemidefinite(size):
            rows = _scaled_triangle(size, triangle)
        case Exponential() | Power():
            rows = sp.identity(3, format="csr")
        case DualExponential():
            # (u, v, w) is in the dual cone exactly when (u - v, -u, w) is in the primal one.
            rows = sp.csr_matrix(np.array([[1.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
        case DualPower(alpha):
            exponent = float(alpha.p) / float(alpha.q)
            rows = sp.csr_matrix(np.diag([1 / exponent, 1 / (1 - exponent), 1.0]))
        case _:
            assert_never(cone)
    return rows


def triangle_indices(size: int, triangle: Triangle) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of a triangle in column-major order."""
    if triangle is Triangle.UPPER:
        columns, rows = np.tril_indices(size)
    else:
        columns, rows = np.triu_indices(size)
    return rows, columns


def _scaled_triangle(size: int, triangle: Triangle) -> sp.csr_matrix:
    rows, columns = triangle_indices(size, triangle)
    weight = np.where(rows == columns, 0.5, np.sqrt(0.5))
    index = np.arange(len(rows))
    return sp.csr_matrix(
        (
            np.concatenate([weight, weight]),
            (np.concatenate([index, index]), np.concatenate([rows * size + columns, columns * size + rows])),
        ),
        shape=(len(rows), size * size),
    )


def _rotation(size: int) -> sp.csr_matrix:
    """Return the orthogonal map of ``2 u v >= |x|^2`` onto ``t >= |(r, x)|``: ``t, r = (u + v, u - v) / sqrt(2)``."""
    matrix = sp.identity(size, format="lil")
    matrix[:2, :2] = np.sqrt(0.5) * np.array([[1.0, 1.0], [1.0, -1.0]])
    return matrix.tocsr()
