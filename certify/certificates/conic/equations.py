"""The equations ``<A_i, X> = b_i`` around a float X: least corrections in floats, pivots that solve them exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.certificates.conic.affine import SparseRow, solved_sparse
from certify.checker.conic.cones import Zero
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.gram import gram_matrix
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import WholeCone
from certify.checker.exact import Matrix, matrix
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatProblem, IndexArray

Place: TypeAlias = tuple[int, int, int]
"""Block, row, column of a coordinate of X, row >= column."""

REGULARISATION = 1e-14
DEPENDENT = 1e-10
MOST_EQUATIONS = 150
MOST_UNKNOWNS = 3_000


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """Least corrections of X: ``A* G^-1 r``, G the Gram matrix of independent equations scaled to unit diagonal.

    Attributes:
        floats: The problem.
        kept: Indices of the k independent equations, from zero.
        scale: Square roots of the diagonal of G, shape (k,).
        gram: The scaled G, shape (k, k).
        factor: Cholesky factor of the scaled G, slightly regularised.
    """

    floats: FloatProblem
    kept: IndexArray
    scale: FloatArray
    gram: FloatArray
    factor: tuple[FloatArray, bool]

    def step(self, residual: FloatArray) -> BlockArrays:
        """Return the least D with ``<A_i, D> = residual_i`` for the kept i; zero on zero blocks."""
        weights = np.zeros(len(residual))
        weights[self.kept] = la.cho_solve(self.factor, residual[self.kept] / self.scale) / self.scale
        return tuple(
            np.zeros(block.shape) if isinstance(block.cone, Zero) else block.adjoint(weights)
            for block in self.floats.blocks
        )

    def least_eigenvalue(self) -> float:
        """Return about the smallest eigenvalue of the scaled G."""
        return float(la.eigvalsh(self.gram, subset_by_index=[0, 0])[0]) if len(self.gram) else 1.0


def correction(floats: FloatProblem) -> Correction:
    """Return the least corrections of a problem, with as many independent equations as floats can tell."""
    count = len(floats.right_hand_side)
    gram = sp.csr_matrix((count, count))
    for block in floats.blocks:
        if not isinstance(block.cone, Zero):
            gram = gram + block.rows @ block.rows.T
    dense = np.asarray(gram.toarray())
    nonzero = np.flatnonzero(np.diag(dense) > 0)
    scale = np.sqrt(np.diag(dense)[nonzero])
    dense = dense[np.ix_(nonzero, nonzero)] / scale[:, None] / scale[None, :]
    chosen = _independent(dense)
    dense = dense[np.ix_(chosen, chosen)]
    factor = la.cho_factor(dense + REGULARISATION * np.eye(len(chosen)))
    return Correction(floats, nonzero[chosen], scale[chosen], dense, factor)


def _independent(gram: FloatArray) -> IndexArray:
    """Return the places of independent rows of a PSD matrix with unit diagonal, by pivoted Cholesky."""
    if not len(gram):
        return np.zeros(0, dtype=np.int64)
    _, pivots, rank, _ = la.lapack.dpstrf(gram, tol=DEPENDENT, lower=1)
    return np.sort(pivots[:rank] - 1).astype(np.int64)


def dependencies(problem: ConicProblem, kept: IndexArray) -> tuple[tuple[int, ...], Matrix] | None:
    """Return the equations not kept, from one, and how each follows from the kept ones; None where one does not.

    The k x m table has in row d the multipliers c with ``sum c_i A_i = 0``, one at the dropped equation.
    """
    count = problem.constraint_count
    chosen = {int(i) for i in kept}
    dropped = [i for i in range(count) if i not in chosen]
    table = fmpz_mat(len(dropped), count)
    if not dropped:
        return (), Matrix(table, fmpz(1))
    faces = (WholeCone(),) * len(problem.blocks)
    gram = dense_matrix(gram_matrix(problem, faces, list(range(1, count + 1)))).numerators
    order = sorted(chosen)
    left = fmpz_mat([[gram[i, j] for j in order] for i in order]) if order else fmpz_mat(0, 0)
    right = fmpz_mat(len(order), len(dropped), [-gram[i, j] for i in order for j in dropped])
    try:
        integers, denominator = fmpq_mat(left).solve(fmpq_mat(right)).numer_denom()
    except ZeroDivisionError:
        return None
    for d, index in enumerate(dropped):
        table[d, index] = denominator
        for k, i in enumerate(order):
            table[d, i] = integers[k, d]
    return tuple(i + 1 for i in dropped), matrix(table, denominator)


@dataclass(frozen=True, slots=True)
class Pivot:
    """A coordinate of X that solves an equation once all other coordinates are fixed."""

    constraint: int
    place: Place
    coefficient: fmpq


@dataclass(frozen=True, slots=True)
class Triangle:
    """Pivots in an order in which each is met by no later equation, with the entries of every equation."""

    pivots: tuple[Pivot, ...]
    entries: tuple[tuple[tuple[Place, fmpq], ...], ...]


def triangle(problem: ConicProblem) -> Triangle | None:
    """Return pivots that solve the equations one by one, or None where elimination would be needed.

    A coordinate met by only one of the equations left is taken as its pivot, and the equation set aside; the
    equations are then solved in the reverse order.
    """
    entries = _entries(problem)
    meets: dict[Place, set[int]] = {}
    for index, row in enumerate(entries):
        for place, _ in row:
            meets.setdefault(place, set()).add(index)
    ready = [place for place, users in meets.items() if len(users) == 1]
    found: list[Pivot] = []
    while ready:
        place = ready.pop()
        users = meets[place]
        if not users:
            continue
        index = min(users)
        best, coefficient = max(
            ((p, c) for p, c in entries[index] if meets[p] == {index}), key=lambda pair: abs(pair[1])
        )
        found.append(Pivot(index + 1, best, coefficient))
        for other, _ in entries[index]:
            meets[other].discard(index)
            if len(meets[other]) == 1:
                ready.append(other)
    return Triangle(tuple(reversed(found)), entries) if len(found) == len(entries) else None


def solve_triangle(plan: Triangle, right: Sequence[fmpq], entry: Callable[[Place], fmpq]) -> dict[Place, fmpq]:
    """Return the values of the pivots that satisfy every equation, all other coordinates given by ``entry``."""
    solved: dict[Place, fmpq] = {}
    for pivot in plan.pivots:
        total = right[pivot.constraint - 1]
        for place, coefficient in plan.entries[pivot.constraint - 1]:
            if place != pivot.place:
                total -= coefficient * (solved[place] if place in solved else entry(place))
        solved[pivot.place] = total / pivot.coefficient
    return solved


def eliminate(problem: ConicProblem, entry: Callable[[Place], fmpq], bits: int) -> dict[Place, fmpq] | None:
    """Return values of all coordinates that the equations meet, near the given ones, that satisfy them exactly.

    None where the equations have no solution or are too many.
    """
    entries = _entries(problem)
    places = sorted({place for row in entries for place, _ in row})
    if len(entries) > MOST_EQUATIONS or len(places) > MOST_UNKNOWNS:
        return None
    index = {place: k for k, place in enumerate(places)}
    rows: list[SparseRow] = [{index[place]: value for place, value in row} for row in entries]
    right = [problem.right_hand_side.entry(0, i) for i in range(len(rows))]
    reduced = solved_sparse(rows, right, len(places))
    if reduced is None:
        return None
    solution = reduced.near([entry(place) for place in places], bits)
    return {place: solution.entry(0, k) for place, k in index.items()}


def _entries(problem: ConicProblem) -> tuple[tuple[tuple[Place, fmpq], ...], ...]:
    """Return the places that each equation meets with their coefficients, twice the entry off the diagonal."""
    rows: list[list[tuple[Place, fmpq]]] = [[] for _ in range(problem.constraint_count)]
    for index, part in enumerate(problem.blocks):
        if isinstance(part.cone, Zero):
            continue
        for constraint, row, column, numerator in part.entries():
            if constraint:
                weight = fmpz(1 if row == column else 2)
                value = fmpq(numerator * weight, part.values.denominator)
                rows[constraint - 1].append(((index, row, column), value))
    return tuple(map(tuple, rows))
