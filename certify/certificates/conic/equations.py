"""The equations ``<A_i, X> = b_i`` around a float X: least corrections in floats, pivots that solve them exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from flint import fmpq, fmpz

from certify.checker.conic.cones import Zero
from certify.checker.conic.problem import ConicProblem
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatProblem

Place: TypeAlias = tuple[int, int, int]
"""Block, row, column of a coordinate of X, row >= column."""

REGULARISATION = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """Least corrections of X: ``A* G^-1 r`` with G the Gram matrix of the equations, diagonal scaled to one.

    Attributes:
        floats: The problem.
        scale: Square roots of the diagonal of G, shape (m,).
        gram: The scaled G, shape (m, m).
        factor: Cholesky factor of the scaled G, slightly regularised.
    """

    floats: FloatProblem
    scale: FloatArray
    gram: FloatArray
    factor: tuple[FloatArray, bool]

    def step(self, residual: FloatArray) -> BlockArrays:
        """Return the least D with ``<A_i, D> = residual_i``; zero on zero blocks."""
        weights = la.cho_solve(self.factor, residual / self.scale) / self.scale
        return tuple(
            np.zeros(block.shape) if isinstance(block.cone, Zero) else block.adjoint(weights)
            for block in self.floats.blocks
        )

    def least_eigenvalue(self) -> float:
        """Return about the smallest eigenvalue of the scaled G: zero where the equations are dependent."""
        return float(la.eigvalsh(self.gram, subset_by_index=[0, 0])[0]) if len(self.gram) else 1.0


def correction(floats: FloatProblem) -> Correction:
    """Return the least corrections of a problem; dependent equations are regularised."""
    count = len(floats.right_hand_side)
    gram = sp.csr_matrix((count, count))
    for block in floats.blocks:
        if not isinstance(block.cone, Zero):
            gram = gram + block.rows @ block.rows.T
    dense = np.asarray(gram.toarray())
    diagonal = np.diag(dense)
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    dense = dense / scale[:, None] / scale[None, :] + np.diag(np.where(diagonal > 0, 0.0, 1.0))
    return Correction(floats, scale, dense, la.cho_factor(dense + REGULARISATION * np.eye(count)))


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
