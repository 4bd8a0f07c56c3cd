"""The interior-point method of ``interior`` in multiprecision, for small problems and many digits.

Every block is a matrix here: a nonnegative vector of n entries is n blocks of order one. Matrices are Arb matrices of
which only the midpoints are kept: nothing here is rigorous, and nothing needs to be. Step lengths come from binary64
eigenvalues of scaled matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, arb_mat, fmpq

from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Zero, cone_text
from certify.checker.conic.problem import Block, ConicProblem

Terms = tuple[tuple[int, int, arb], ...]
"""The entries ``(row, column, value)`` of a symmetric matrix, both triangles."""


@dataclass(frozen=True, slots=True, eq=False)
class PreciseBlock:
    """The coefficients on one PSD block of the given order: C, and the A_i that do not vanish on it."""

    order: int
    cost: arb_mat
    active: tuple[int, ...]
    terms: tuple[Terms, ...]

    def apply(self, x: arb_mat) -> list[arb]:
        """Return ``<A_i, X>`` for the active i."""
        return [sum((value * x[i, j] for i, j, value in terms), arb(0)) for terms in self.terms]

    def adjoint(self, y: Sequence[arb]) -> arb_mat:
        """Return ``sum y_i A_i``."""
        total = arb_mat(self.order, self.order)
        for index, terms in zip(self.active, self.terms, strict=True):
            for i, j, value in terms:
                total[i, j] = (total[i, j] + y[index] * value).mid()
        return total

    def schur(self, x: arb_mat, inverse: arb_mat) -> list[list[arb]]:
        """Return ``<A_i, X A_j S^-1>`` for active i and j."""
        size, count = self.order, len(self.active)
        if not count:
            return []
        wide = arb_mat(size, size * count)
        for k, terms in enumerate(self.terms):
            for i, j, value in terms:
                wide[i, k * size + j] = value
        left = (x * wide).mid().tolist()
        tall = arb_mat([row[k * size : (k + 1) * size] for k in range(count) for row in left])
        both = (tall * inverse).mid().tolist()
        return [
            [sum((value * both[k * size + i][j] for i, j, value in terms), arb(0)) for k in range(count)]
            for terms in self.terms
        ]


@dataclass(frozen=True, slots=True, eq=False)
class PreciseProblem:
    """The problem over PSD blocks and free coordinates.

    Attributes:
        blocks: The PSD blocks.
        free: The coefficients of the free coordinates, m x f.
        free_cost: C on them, f entries.
        right_hand_side: b, m entries.
    """

    blocks: tuple[PreciseBlock, ...]
    free: arb_mat
    free_cost: tuple[arb, ...]
    right_hand_side: tuple[arb, ...]

    @property
    def degree(self) -> int:
        """The sum of the orders of the blocks."""
        return sum(block.order for block in self.blocks)

    def apply(self, x: Sequence[arb_mat]) -> list[arb]:
        """Return all ``<A_i, X>`` over the PSD blocks."""
        total = [arb(0)] * len(self.right_hand_side)
        for block, part in zip(self.blocks, x, strict=True):
            for index, value in zip(block.active, block.apply(part), strict=True):
                total[index] = (total[index] + value).mid()
        return total


def precise_problem(problem: ConicProblem) -> PreciseProblem:
    """Return the problem in Arb numbers of the current precision.

    Raises:
        ValueError: If the problem has a cone other than free, zero, nonnegative or PSD.
    """
    blocks: list[PreciseBlock] = []
    columns: list[list[fmpq]] = []
    for part in problem.blocks:
        match part.cone:
            case Zero():
                continue
            case Free(size):
                columns += _columns(part, size, problem.constraint_count)
            case Nonnegative(size):
                blocks += [_block(part, [index]) for index in range(size)]
            case PositiveSemidefinite(size):
                blocks.append(_block(part, list(range(size))))
            case _:
                raise ValueError(f"the multiprecision method has no {cone_text(part.cone)}")
    right = problem.right_hand_side
    free = [[arb(column[i + 1]) for column in columns] for i in range(right.columns)]
    return PreciseProblem(
        tuple(blocks),
        arb_mat(free) if columns and free else arb_mat(right.columns, len(columns)),
        tuple(arb(column[0]) for column in columns),
        tuple(arb(right.entry(0, i)) for i in range(right.columns)),
    )


def _columns(part: Block, size: int, count: int) -> list[list[fmpq]]:
    table = [[fmpq(0)] * (count + 1) for _ in range(size)]
    for constraint, row, _, numerator in part.entries():
        table[row][constraint] = fmpq(numerator, part.values.denominator)
    return table


def _block(part: Block, kept: list[int]) -> PreciseBlock:
    place = {index: k for k, index in enumerate(kept)}
    cost = arb_mat(len(kept), len(kept))
    terms: dict[int, list[tuple[int, int, arb]]] = {}
    for constraint, row, column, numerator in part.entries():
        if row not in place:
            continue
        i, j, value = place[row], place[column], arb(fmpq(numerator, part.values.denominator)).mid()
        if constraint == 0:
            cost[i, j] = cost[j, i] = value
            continue
        entries = terms.setdefault(constraint - 1, [])
        entries.append((i, j, value))
        if i != j:
            entries.append((j, i, value))
    active = tuple(sorted(terms))
    return PreciseBlock(len(kept), cost, active, tuple(tuple(terms[index]) for index in active))
