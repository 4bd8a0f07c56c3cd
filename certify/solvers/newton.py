"""The linear system of one interior-point iteration, in the coordinates of a frame.

Unknowns are the symmetric step D of the precision and the steps of the multipliers mu_j of the J vectors s_j:

    h o D + sum_j dmu_j s_j s_j^T = E                         (h o D is the entrywise product)
    s_j^T D s_j - (t_j / mu_j) dmu_j = -f_j

Eliminating D leaves a J x J system, eliminating dmu an n x n one with n = d(d+1)/2; the smaller is factorised.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from certify.solvers.problem import FloatArray, IndexArray

CHUNK = 1 << 20
"""Entries of the block of products s_ja s_jb that is held at once while a system is formed."""

LOW_RANK_ERROR = 1e-9
"""Relative error of a low-rank 1 / h: Newton steps stay accurate to as many digits, and the next step corrects them."""


@dataclass(frozen=True, slots=True, eq=False)
class TriangleIndex:
    """Rows, columns and multiplicities (1 on the diagonal, 2 off it) of the upper triangle of a d x d matrix."""

    rows: IndexArray
    columns: IndexArray
    multiplicity: FloatArray


def triangle_index(d: int) -> TriangleIndex:
    """Return the index of the upper triangle of a d x d matrix."""
    rows, columns = np.triu_indices(d)
    return TriangleIndex(rows, columns, np.where(rows == columns, 1.0, 2.0))


def squares_under(matrix: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return s^T D s for each row s of vectors."""
    values: FloatArray = np.einsum("ij,ij->i", vectors @ matrix, vectors)
    return values


def moment_of(vectors: FloatArray, multipliers: FloatArray) -> FloatArray:
    """Return sum_j mu_j s_j s_j^T, shape (d, d)."""
    moment: FloatArray = (vectors.T * multipliers) @ vectors
    return moment


@dataclass(frozen=True, slots=True, eq=False)
class NewtonSystem:
    """A factorised system; `curvature` is h, `ratios` is t / mu, `index` is None when the step was eliminated."""

    vectors: FloatArray
    curvature: FloatArray
    ratios: FloatArray
    index: TriangleIndex | None
    factor: FloatArray

    def solve(self, right: FloatArray, shift: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return (D, dmu) for right-hand sides E = right, shape (d, d), and f = shift, shape (J,)."""
        if self.index is None:
            rest = squares_under(right / self.curvature, self.vectors) + shift
            multiplier_step: FloatArray = lapack.dpotrs(self.factor, rest, lower=1)[0]
            return (right - moment_of(self.vectors, multiplier_step)) / self.curvature, multiplier_step
        rows, columns = self.index.rows, self.index.columns
        known = right - moment_of(self.vectors, shift / self.ratios)
        flat = lapack.dpotrs(self.factor, known[rows, columns] * self.index.multiplicity, lower=1)[0]
        step = np.empty_like(right)
        step[rows, columns] = flat
        step[columns, rows] = flat
        return step, (squares_under(step, self.vectors) + shift) / self.ratios


def factorise(vectors: FloatArray, curvature: FloatArray, ratios: FloatArray, index: TriangleIndex) -> NewtonSystem:
    """Form and factorise the smaller of the two reduced systems.

    Args:
        vectors: s_j in the frame, shape (J, d).
        curvature: h > 0, symmetric, shape (d, d).
        ratios: t_j / mu_j > 0, shape (J,).
        index: triangle_index(d).
    """
    if len(vectors) < len(index.rows):
        matrix = _multiplier_matrix(vectors, curvature, ratios, index)
        return NewtonSystem(vectors, curvature, ratios, None, _cholesky(matrix))
    matrix = _step_matrix(vectors, curvature, ratios, index)
    return NewtonSystem(vectors, curvature, ratios, index, _cholesky(matrix))


def _multiplier_matrix(
    vectors: FloatArray, curvature: FloatArray, ratios: FloatArray, index: TriangleIndex
) -> FloatArray:
    """Return diag(t / mu) + (sum_ab s_ja s_jb s_ka s_kb / h_ab)_jk."""
    factors = inverse_factors(curvature, len(curvature) // 4)
    if factors is None:
        matrix = _summed_products(vectors, curvature, index)
    else:
        matrix = np.zeros((len(vectors), len(vectors)))
        for factor in factors:
            matrix += ((vectors * factor) @ vectors.T) ** 2
    matrix[np.diag_indices_from(matrix)] += ratios
    return matrix


def inverse_factors(curvature: FloatArray, most: int) -> FloatArray | None:
    """Return rows l_r with 1 / h_ab = sum_r l_ra l_rb to LOW_RANK_ERROR, or None if that takes `most` rows or more.

    1 / (w_a + w_b) is a Cauchy matrix, whose singular values fall geometrically: for large d a handful of rows replaces
    the d(d+1)/2 products of a pair of vectors by that many scalar products. Pivoted Cholesky on unit diagonal.
    """
    scale = np.sqrt(np.diag(curvature))
    matrix = scale[:, None] * scale / curvature
    rows = np.zeros((most, len(scale)))
    left = np.ones(len(scale))
    for count in range(most):
        pivot = int(left.argmax())
        if left[pivot] <= LOW_RANK_ERROR:
            found = rows[:count]
            enough = np.abs(found.T @ found - matrix).max() <= 10 * LOW_RANK_ERROR
            return np.asarray(found / scale) if enough else None
        rows[count] = (matrix[pivot] - rows[:count, pivot] @ rows[:count]) / np.sqrt(left[pivot])
        left = left - rows[count] ** 2
    return None


def _summed_products(vectors: FloatArray, curvature: FloatArray, index: TriangleIndex) -> FloatArray:
    """Return (sum_ab s_ja s_jb s_ka s_kb / h_ab)_jk, accumulated over chunks of (a, b)."""
    rows = np.ascontiguousarray(vectors.T)
    matrix = np.zeros((len(vectors), len(vectors)))
    scale = np.sqrt(index.multiplicity / curvature[index.rows, index.columns])[:, None]
    step = max(1, CHUNK // max(len(vectors), 1))
    for start in range(0, len(index.rows), step):
        part = slice(start, start + step)
        products = rows[index.rows[part]]
        products *= rows[index.columns[part]]
        products *= scale[part]
        matrix += products.T @ products
    return matrix


def _step_matrix(vectors: FloatArray, curvature: FloatArray, ratios: FloatArray, index: TriangleIndex) -> FloatArray:
    """Return the matrix of D -> h o D + sum_j (mu_j / t_j) (s_j^T D s_j) s_j s_j^T on upper triangles."""
    size = len(index.rows)
    matrix = np.zeros((size, size))
    step = max(1, CHUNK // size)
    for start in range(0, len(vectors), step):
        part = vectors[start : start + step]
        products = part[:, index.rows] * part[:, index.columns]
        products *= index.multiplicity
        products /= np.sqrt(ratios[start : start + step])[:, None]
        matrix += products.T @ products
    matrix[np.diag_indices(size)] += index.multiplicity * curvature[index.rows, index.columns]
    return matrix


def _cholesky(matrix: FloatArray) -> FloatArray:
    """Factorise, adding to the diagonal when rounding has made the matrix indefinite (dependent active vectors)."""
    scale = np.diag(matrix).copy()
    ridge = 0.0
    for _ in range(8):
        factor, info = lapack.dpotrf(matrix, lower=1, overwrite_a=0)
        if info == 0:
            return np.asarray(factor)
        ridge = max(1e-15, 100 * ridge)
        matrix[np.diag_indices_from(matrix)] = scale * (1 + ridge)
    raise np.linalg.LinAlgError("the Newton system is not numerically positive definite")
