"""The interior-point method of ``interior`` in multiprecision, for small problems and many digits.

Every block is a matrix here: a nonnegative vector of n entries is n blocks of order one, a vector of a quadratic cone
is an arrow matrix. Matrices are Arb matrices of
which only the midpoints are kept: nothing here is rigorous, and nothing needs to be. Step lengths come from binary64
eigenvalues of scaled matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import arb, arb_mat, fmpq

from certify.checker.conic.cones import (
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Rotated,
    SecondOrder,
    Zero,
    cone_text,
    order,
)
from certify.checker.conic.problem import Block, ConicProblem

Entry: TypeAlias = tuple[int, int, int, arb]
"""Constraint, row, column, value; the mirror image is meant as well."""


@dataclass(frozen=True, slots=True, eq=False)
class PreciseBlock:
    """The coefficients on one PSD block of order n.

    Attributes:
        order: n.
        cost: C, n x n.
        active: The k constraints whose A_i does not vanish on the block.
        places: The t entries ``(row, column)``, both triangles, where some active A_i does not vanish.
        rows: The active A_i at these places, k x t.
        wide: The active A_i side by side, n x k n.
    """

    order: int
    cost: arb_mat
    active: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    rows: arb_mat
    wide: arb_mat

    def apply(self, x: arb_mat) -> list[arb]:
        """Return ``<A_i, X>`` for the active i."""
        if not self.active:
            return []
        return (self.rows * arb_mat(len(self.places), 1, [x[i, j] for i, j in self.places])).mid().entries()

    def adjoint(self, y: Sequence[arb]) -> arb_mat:
        """Return ``sum y_i A_i``."""
        total = arb_mat(self.order, self.order)
        if self.active:
            weights = arb_mat(1, len(self.active), [y[index] for index in self.active])
            for (i, j), value in zip(self.places, (weights * self.rows).mid().entries(), strict=True):
                total[i, j] = value
        return total

    def schur(self, x: arb_mat, inverse: arb_mat) -> list[list[arb]]:
        """Return ``<A_i, X A_j S^-1>`` for active i and j."""
        size, count = self.order, len(self.active)
        if not count:
            return []
        left = (x * self.wide).mid().tolist()
        tall = arb_mat([row[k * size : (k + 1) * size] for k in range(count) for row in left])
        both = (tall * inverse).mid().tolist()
        gathered = arb_mat([[both[k * size + i][j] for k in range(count)] for i, j in self.places])
        table: list[list[arb]] = (self.rows * gathered).mid().tolist()
        return table


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
        ValueError: If the problem has an exponential or power cone, or none but free and zero ones.
    """
    blocks = [made for part in problem.blocks for made in _blocks(part)]
    free_blocks = [(part, part.cone.size) for part in problem.blocks if isinstance(part.cone, Free)]
    columns = [column for part, size in free_blocks for column in _columns(part, size, problem.constraint_count)]
    if not blocks:
        raise ValueError("the multiprecision method needs a block that is neither free nor zero")
    right = problem.right_hand_side
    free = [[arb(column[i + 1]) for column in columns] for i in range(right.columns)]
    return PreciseProblem(
        tuple(blocks),
        arb_mat(free) if columns and free else arb_mat(right.columns, len(columns)),
        tuple(arb(column[0]) for column in columns),
        tuple(arb(right.entry(0, i)) for i in range(right.columns)),
    )


def _blocks(part: Block) -> list[PreciseBlock]:
    """Return the matrix blocks that stand for a block, none for a free or zero one."""
    match part.cone:
        case Zero() | Free():
            return []
        case Nonnegative(size) | Rotated(2 as size):
            return [_block(1, _coordinate(part, index)) for index in range(size)]
        case PositiveSemidefinite(size):
            return [_block(size, _entries(part))]
        case SecondOrder(size):
            return [_block(size, _arrow(part))]
        case Rotated(size):
            return [_block(size - 1, _rotated_arrow(part))]
        case _:
            raise ValueError(f"the multiprecision method has no {cone_text(part.cone)}")


def _columns(part: Block, size: int, count: int) -> list[list[fmpq]]:
    table = [[fmpq(0)] * (count + 1) for _ in range(size)]
    for constraint, row, _, numerator in part.entries():
        table[row][constraint] = fmpq(numerator, part.values.denominator)
    return table


def _entries(part: Block) -> Iterator[Entry]:
    for constraint, row, column, numerator in part.entries():
        yield constraint, row, column, arb(fmpq(numerator, part.values.denominator)).mid()


def _coordinate(part: Block, index: int) -> Iterator[Entry]:
    return ((constraint, 0, 0, value) for constraint, row, _, value in _entries(part) if row == index)


def _arrow(part: Block) -> Iterator[Entry]:
    """Yield ``[[t, x'], [x, t I]]``, which is PSD exactly where ``t >= |x|``."""
    for constraint, row, _, value in _entries(part):
        if row == 0:
            yield from ((constraint, i, i, value) for i in range(order(part.cone)))
        else:
            yield constraint, row, 0, value


def _rotated_arrow(part: Block) -> Iterator[Entry]:
    """Yield ``[[2 v, x'], [x, u I]]``, which is PSD exactly where ``u, v >= 0`` and ``2 u v >= |x|^2``."""
    for constraint, row, _, value in _entries(part):
        if row == 0:
            yield from ((constraint, i, i, value) for i in range(1, order(part.cone) - 1))
        elif row == 1:
            yield constraint, 0, 0, 2 * value
        else:
            yield constraint, row - 1, 0, value


def _block(size: int, entries: Iterable[Entry]) -> PreciseBlock:
    cost = arb_mat(size, size)
    terms: dict[int, dict[tuple[int, int], arb]] = {}
    for constraint, i, j, value in entries:
        if constraint == 0:
            cost[i, j] = cost[j, i] = value
        else:
            found = terms.setdefault(constraint - 1, {})
            found[i, j] = found[j, i] = value
    active = tuple(sorted(terms))
    places = tuple(sorted({where for found in terms.values() for where in found}))
    rows = arb_mat(len(active), len(places))
    wide = arb_mat(size, size * len(active))
    column_of = {where: k for k, where in enumerate(places)}
    for k, index in enumerate(active):
        for (i, j), value in terms[index].items():
            rows[k, column_of[i, j]] = value
            wide[i, k * size + j] = value
    return PreciseBlock(size, cost, active, places, rows, wide)
