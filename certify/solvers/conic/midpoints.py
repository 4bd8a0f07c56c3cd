"""Arb matrices of which only the midpoints are kept: multiprecision arithmetic without any claim."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg as la
from flint import arb, arb_mat


def longest_step(part: arb_mat, direction: arb_mat) -> float | None:
    """Return about the largest t with ``part + t direction`` PSD, or None where the part is not positive definite."""
    root = cholesky(part)
    if root is None:
        return None
    try:
        half = root.solve(direction).mid()
        scaled = root.solve(half.transpose()).mid()
    except ZeroDivisionError:
        return None
    size = part.nrows()
    floats = np.array([float(entry) for entry in scaled.entries()]).reshape(size, size)
    if not np.all(np.isfinite(floats)):
        return None
    least = float(la.eigvalsh((floats + floats.T) / 2, subset_by_index=[0, 0])[0])
    return -1.0 / least if least < 0 else np.inf


def least_product_eigenvalue(x: arb_mat, s: arb_mat) -> float:
    """Return about the least eigenvalue of ``X S``, both positive definite, or zero where X is not."""
    root = cholesky(x)
    if root is None:
        return 0.0
    size = x.nrows()
    product = (root.transpose() * s * root).mid()
    floats = np.array([float(entry) for entry in product.entries()]).reshape(size, size)
    return float(la.eigvalsh((floats + floats.T) / 2, subset_by_index=[0, 0])[0])


def cholesky(value: arb_mat) -> arb_mat | None:
    """Return the lower Cholesky factor, or None where the matrix is not positive definite to working precision."""
    size = value.nrows()
    rows: list[list[arb]] = []
    for i in range(size):
        row: list[arb] = []
        for j in range(i):
            row.append(((value[i, j] - dot(row, rows[j][:j])) / rows[j][j]).mid())
        pivot = (value[i, i] - dot(row, row)).mid()
        if not pivot > 0:
            return None
        rows.append([*row, pivot.sqrt().mid()])
    return arb_mat([row + [arb(0)] * (size - len(row)) for row in rows])


def dot(left: Sequence[arb], right: Sequence[arb]) -> arb:
    """Return the inner product of two sequences."""
    return sum((a * b for a, b in zip(left, right, strict=True)), arb(0))


def scaled_product(x: arb_mat, middle: arb_mat, inverse: arb_mat) -> arb_mat:
    """Return the symmetric part of ``X D S^-1``."""
    return symmetric_part((x * middle).mid() * inverse)


def symmetric_part(value: arb_mat) -> arb_mat:
    """Return ``(A + A^T) / 2``."""
    return ((value + value.transpose()) * arb("0.5")).mid()


def inner(left: arb_mat, right: arb_mat) -> arb:
    """Return the trace inner product."""
    return dot(left.entries(), right.entries())


def scaled_identity(size: int, scale: float) -> arb_mat:
    """Return a multiple of the identity."""
    value = arb_mat(size, size)
    for i in range(size):
        value[i, i] = arb(scale)
    return value


def column(values: Sequence[arb]) -> arb_mat:
    """Return the n x 1 matrix of the given numbers."""
    return arb_mat(len(values), 1, list(values))


def difference(left: Sequence[arb], right: arb_mat) -> list[arb]:
    """Return the entries of ``left - right``, right a column."""
    return [(a - b).mid() for a, b in zip(left, right.entries(), strict=True)]


def norm(values: Sequence[arb]) -> float:
    """Return the Euclidean norm in binary64."""
    return float(sum((value * value for value in values), arb(0)).sqrt())
