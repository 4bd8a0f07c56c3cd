"""The linear system of one interior-point iteration, in the coordinates of a frame.

Unknowns are the symmetric step D of the precision and the steps of the multipliers mu_j of the J vectors s_j:

    h o D + V D V + sum_j dmu_j s_j s_j^T = E                 (h o D is the entrywise product)
    s_j^T D s_j - (t_j / mu_j) dmu_j = -f_j

V comes from a noise floor that the frame does not diagonalise and is absent otherwise. Eliminating D leaves a J x J
system, eliminating dmu an n x n one with n = d(d+1)/2; the smaller is factorised, the second one whenever there is a V.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from certify.solvers.problem import FloatArray, IndexArray

CHUNK = 1 << 20
"""Entries of the block of products s_ja s_jb that is held at once while a system is formed."""


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


def factorise(
    vectors: FloatArray, curvature: FloatArray, ratios: FloatArray, coupling: FloatArray | None, index: TriangleIndex
) -> NewtonSystem:
    """Form and factorise the smaller of the two reduced systems.

    Args:
        vectors: s_j in the frame, shape (J, d).
        curvature: h > 0, symmetric, shape (d, d).
        ratios: t_j / mu_j > 0, shape (J,).
        coupling: V, symmetric positive definite, shape (d, d), or None for 0.
        index: triangle_index(d).
    """
    if coupling is None and len(vectors) < len(index.rows):
        matrix = _multiplier_matrix(vectors, curvature, ratios, index)
        return NewtonSystem(vectors, curvature, ratios, None, _cholesky(matrix))
    matrix = _step_matrix(vectors, curvature, ratios, index)
    if coupling is not None:
        _add_coupling(matrix, coupling, index)
    return NewtonSystem(vectors, curvature, ratios, index, _cholesky(matrix))


def _multiplier_matrix(
    vectors: FloatArray, curvature: FloatArray, ratios: FloatArray, index: TriangleIndex
) -> FloatArray:
    """Return diag(t / mu) + (sum_ab s_ja s_jb s_ka s_kb / h_ab)_jk, accumulated over chunks of (a, b)."""
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
    matrix[np.diag_indices_from(matrix)] += ratios
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


def _add_coupling(matrix: FloatArray, coupling: FloatArray, index: TriangleIndex) -> None:
    """Add the matrix of D -> V D V on upper triangles: m_ab m_cd (V_ac V_bd + V_ad V_bc) / 2 at row ab, column cd."""
    columns_first, columns_second = coupling[:, index.rows], coupling[:, index.columns]
    for a in range(len(coupling)):
        part = np.nonzero(index.rows == a)[0]
        block = columns_first[a] * columns_second[index.columns[part]]
        block += columns_second[a] * columns_first[index.columns[part]]
        block *= index.multiplicity / 2
        block *= index.multiplicity[part, None]
        matrix[part] += block


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
