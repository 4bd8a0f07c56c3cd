"""Exact solutions of rational linear equations near float vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Solved:
    """Linear equations in reduced form: some unknowns as combinations of the others.

    Attributes:
        order: The unknowns in the order of the columns.
        reduced: The reduced row echelon form, right-hand side in the last column.
        pivots: The column of each row that it is solved for.
    """

    order: tuple[int, ...]
    reduced: fmpq_mat
    pivots: tuple[int, ...]

    def near(self, target: Sequence[fmpq], bits: int) -> Matrix:
        """Return the exact solution, 1 x n, whose other unknowns are those of the target on the grid ``2^-bits``."""
        count = len(self.order)
        values = [on_grid(target[place], bits) for place in self.order]
        others = [j for j in range(count) if j not in set(self.pivots)]
        for i, pivot in enumerate(self.pivots):
            rest = (self.reduced[i, j] * values[j] for j in others if self.reduced[i, j] != 0)
            values[pivot] = self.reduced[i, count] - sum(rest, fmpq(0))
        solution = [fmpq(0)] * count
        for place, value in zip(self.order, values, strict=True):
            solution[place] = value
        return row_vector(solution)


def solved(equations: Matrix, right: Matrix) -> Solved | None:
    """Return the equations ``E v = f`` in reduced form, or None where they have no solution.

    The unknowns solved for are chosen so that small changes of the others change them little.

    Args:
        equations: E, e x n.
        right: f, e x 1.
    """
    count = equations.columns
    order = pivot_order(float_matrix(equations)) if equations.rows else list(range(count))
    arranged = equations.select(range(equations.rows), order)
    joined = fmpq_mat(equations.rows, count + 1)
    for i in range(equations.rows):
        for j in range(count):
            joined[i, j] = arranged.entry(i, j)
        joined[i, count] = right.entry(i, 0)
    reduced, rank = joined.rref()
    pivots = tuple(next(j for j in range(count + 1) if reduced[i, j] != 0) for i in range(rank))
    return None if pivots and pivots[-1] == count else Solved(tuple(order), reduced, pivots)


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


def solved_sparse(rows: Sequence[SparseRow], right: Sequence[fmpq], count: int) -> Solved | None:
    """Return sparse equations of ``count`` unknowns in reduced form, or None where they have no solution.

    Few equations are all kept, since floats cannot tell dependent ones from nearly dependent ones.
    """
    few = len(rows) <= FEW_ROWS and count <= FEW_ROWS
    chosen = range(len(rows)) if few else independent_rows(rows, count)
    zero = fmpq(0)
    equations = matrix_of_fractions([[rows[i].get(j, zero) for j in range(count)] for i in chosen], count)
    return solved(equations, matrix_of_fractions([[right[i]] for i in chosen], 1))
