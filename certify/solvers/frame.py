"""Coordinates in which the precision is the identity and the weight is diagonal.

A frame (R, w) of the pair (P, W) has P = R R^T and R^{-1} W R^{-T} = diag(w). The objective tr(W P^{-1}) is sum(w),
s^T P s is |R^T s|^2, and the second derivative of the objective at P, along R D R^T, is sum_ab (w_a + w_b) D_ab^2:
diagonal, whatever the units of the columns. Weights enter through a root N with W = N N^T. Singular values are used
in place of eigenvalues: the w then have relative errors near eps sqrt(max w / min w), not eps max w / min w.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from certify.solvers.problem import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A frame of (P, W): `root` R with P = R R^T, shape (d, d), and `weights` w > 0, shape (d,)."""

    root: FloatArray
    weights: FloatArray


def cholesky(matrix: FloatArray) -> FloatArray:
    """Return lower triangular L with L L^T = matrix.

    Raises:
        numpy.linalg.LinAlgError: matrix is not numerically positive definite.
    """
    return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)


def solve_lower(triangle: FloatArray, right: FloatArray, *, transposed: bool = False) -> FloatArray:
    """Return L^{-1} B, or L^{-T} B, for a lower triangular L."""
    solution: FloatArray = lapack.dtrtrs(triangle, right, lower=1, trans=int(transposed))[0]
    return solution


def frame_on(root: FloatArray, weight_root: FloatArray) -> Frame:
    """Return the frame of (root root^T, weight_root weight_root^T), computed afresh from both.

    Raises:
        numpy.linalg.LinAlgError: root is singular or not finite.
    """
    relative = np.asarray(np.linalg.solve(root, weight_root), dtype=np.float64)
    vectors, values, _ = np.linalg.svd(relative)
    return Frame(root @ vectors, values**2)


def moved(frame: Frame, step: FloatArray) -> tuple[Frame, FloatArray]:
    """Return the frame of R (I + step) R^T, whose root is R F, and F.

    Raises:
        numpy.linalg.LinAlgError: I + step is not numerically positive definite.
    """
    lower = cholesky(np.eye(len(step)) + step)
    vectors, values, _ = np.linalg.svd(solve_lower(lower, np.diag(np.sqrt(frame.weights))))
    change = lower @ vectors
    return Frame(frame.root @ change, values**2), change


def scaled(frame: Frame, factor: float) -> Frame:
    """Return the frame of factor P."""
    return Frame(frame.root * np.sqrt(factor), frame.weights / factor)


def geometric_mean_frame(moment_root: FloatArray, weight_root: FloatArray) -> Frame:
    """Return the frame of the P > 0 with P M P = W: the geometric mean of M^{-1} and W, theory.md section 4.

    With M = C C^T, C lower triangular, and the singular value decomposition N^T C = U S V^T it is
    P = C^{-T} V S V^T C^{-1}, so R = C^{-T} V S^{1/2} and w = S. The sum of w is tr (W^{1/2} M W^{1/2})^{1/2}.
    """
    _, values, vectors = np.linalg.svd(weight_root.T @ moment_root)
    return Frame(solve_lower(moment_root, vectors.T * np.sqrt(values), transposed=True), values)


def moment_root(vectors: FloatArray, multipliers: FloatArray, more: FloatArray | None = None) -> FloatArray:
    """Return lower triangular C with C C^T = sum mu_j s_j s_j^T + more^T more, without forming the sum.

    There must be at least d rows of vectors and of `more`, shape (k, d), together.
    """
    rows = np.sqrt(multipliers)[:, None] * vectors
    triangle = np.linalg.qr(rows if more is None else np.vstack([rows, more]), mode="r")
    return np.asarray(triangle).T


def dual_root(vectors: FloatArray, multipliers: FloatArray, weights: FloatArray) -> float:
    """Return tr (W^{1/2} M W^{1/2})^{1/2}, M = sum mu_j s_j s_j^T, in the coordinates of a frame with these weights.

    It is the sum of the singular values of diag(mu^{1/2}) S diag(w^{1/2}), taken through a QR factorisation of that
    product, because forming M would square its condition number.
    """
    rooted = np.sqrt(multipliers)[:, None] * vectors * np.sqrt(weights)
    triangle = np.linalg.qr(rooted, mode="r")
    return float(np.linalg.svd(triangle, compute_uv=False).sum())
