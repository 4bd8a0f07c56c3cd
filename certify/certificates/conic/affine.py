"""Exact solutions of rational linear equations near float vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import scipy.linalg as la
from flint import fmpq, fmpq_mat, fmpz

from certify.certificates.conic.dyadic import float_matrix, nearest_float
from certify.checker.conic.problem import row_vector
from certify.checker.exact import Matrix, matrix_of_fractions
from certify.solvers.conic.arrays import FloatArray

SparseRow: TypeAlias = Mapping[int, fmpq]
"""The coefficients of one linear equation by unknown."""

INDEPENDENT = 1e-9
FEW_ROWS = 250


def nearest_exact(equations: Matrix, right: Matrix, target: Sequence[fmpq], bits: int) -> Matrix | None:
    """Return an exact solution v, 1 x n, of ``E v = f`` near a target, or None where there is none.

    The coordinates that are not solved for are read on the grid of step ``2^-bits``; those solved for are chosen so
    that small changes of the others change them little.

    Args:
        equations: E, e x n.
        right: f, e x 1.
        target: n numbers, nearly a solution.
        bits: The grid.
    """
    count = equations.columns
    if equations.rows == 0:
        return row_vector([on_grid(value, bits) for value in target])
    order = pivot_order(float_matrix(equations))
    arranged = equations.select(range(equations.rows), order)
    joined = fmpq_mat(equations.rows, count + 1)
    for i in range(equations.rows):
        for j in range(count):
            joined[i, j] = arranged.entry(i, j)
        joined[i, count] = right.entry(i, 0)
    reduced, rank = joined.rref()
    pivots = [next(j for j in range(count + 1) if reduced[i, j] != 0) for i in range(rank)]
    if pivots and pivots[-1] == count:
        return None
    values = [on_grid(target[place], bits) for place in order]
    chosen = set(pivots)
    for i, pivot in enumerate(pivots):
        rest = (reduced[i, j] * values[j] for j in range(pivot + 1, count) if j not in chosen and reduced[i, j] != 0)
        values[pivot] = reduced[i, count] - sum(rest, fmpq(0))
    solution = [fmpq(0)] * count
    for place, value in zip(order, values, strict=True):
        solution[place] = value
    return row_vector(solution)


def on_grid(value: fmpq, bits: int) -> fmpq:
    """Return the nearest multiple of ``2^-bits``."""
    return fmpq((2 * (value.p << bits) + value.q) // (2 * value.q), fmpz(1) << bits)


def pivot_order(matrix: FloatArray) -> list[int]:
    """Return the columns of a matrix with well-conditioned pivots first (QR with column pivoting)."""
    if not np.all(np.isfinite(matrix)):
        return list(range(matrix.shape[1]))
    return [int(index) for index in la.qr(matrix, mode="r", pivoting=True)[-1]]


def independent_rows(rows: Sequence[SparseRow], count: int) -> list[int]:
    """Return the indices of some rows, of ``count`` unknowns, that span all of them.

    The choice is made by pivoting in floats; a wrong one is caught when the solution is checked exactly.
    """
    floats = np.zeros((len(rows), count))
    for i, row in enumerate(rows):
        for j, value in row.items():
            floats[i, j] = nearest_float(value)
    lengths = np.linalg.norm(floats, axis=1)
    floats /= np.where(lengths > 0, lengths, 1.0)[:, None]
    if not floats.size:
        return []
    triangle, pivots = la.qr(floats.T, mode="r", pivoting=True)
    sizes = np.abs(np.diag(triangle))
    rank = int(np.sum(sizes > INDEPENDENT * max(1.0, float(sizes.max()))))
    return sorted(int(i) for i in pivots[:rank])


def solve_sparse(rows: Sequence[SparseRow], right: Sequence[fmpq], target: Sequence[fmpq], bits: int) -> Matrix | None:
    """Return an exact solution, 1 x n, of sparse equations near n given numbers; see ``nearest_exact``.

    Few equations are all kept, since floats cannot tell dependent ones from nearly dependent ones.
    """
    count = len(target)
    few = len(rows) <= FEW_ROWS and count <= FEW_ROWS
    chosen = range(len(rows)) if few else independent_rows(rows, count)
    zero = fmpq(0)
    equations = matrix_of_fractions([[rows[i].get(j, zero) for j in range(count)] for i in chosen], count)
    return nearest_exact(equations, matrix_of_fractions([[right[i]] for i in chosen], 1), target, bits)
