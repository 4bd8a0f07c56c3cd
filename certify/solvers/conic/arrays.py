"""A conic program as float solvers see it, and float points of it. Everything here is untrusted.

A block of a point is a vector of shape (n,), or for a PSD block a symmetric matrix of shape (n, n). The rows of a
block's coefficient matrix are the A_i flattened in that shape, both triangles present, so that ``<A_i, X>`` is a plain
dot product. Notation follows theory.md section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from certify.checker.conic.cones import Cone, PositiveSemidefinite, order
from certify.checker.conic.problem import Block, ConicProblem

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int64]
BlockArrays = tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FloatBlock:
    """The coefficients on one cone.

    Attributes:
        cone: K_j, the cone of the primal block.
        cost: C on this block, in the shape of a point.
        rows: The A_i on this block, shape (m, size of a flattened point).
    """

    cone: Cone
    cost: FloatArray
    rows: sp.csr_matrix

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a point of this block."""
        return self.cost.shape

    def apply(self, x: FloatArray) -> FloatArray:
        """Return all ``<A_i, x>``, shape (m,)."""
        return np.asarray(self.rows @ x.ravel())

    def adjoint(self, y: FloatArray) -> FloatArray:
        """Return ``sum y_i A_i`` in the shape of a point."""
        return np.asarray(self.rows.T @ y).reshape(self.shape)


@dataclass(frozen=True, slots=True, eq=False)
class FloatProblem:
    """The neutral form in binary64: ``min <C, X>``, ``<A_i, X> = b_i``, X in K; ``max b'y``, C - sum y_i A_i in K*."""

    blocks: tuple[FloatBlock, ...]
    right_hand_side: FloatArray

    def apply(self, x: Sequence[FloatArray]) -> FloatArray:
        """Return all ``<A_i, X>``, shape (m,)."""
        total = np.zeros_like(self.right_hand_side)
        for block, part in zip(self.blocks, x, strict=True):
            total += block.apply(part)
        return total

    def slack(self, y: FloatArray) -> BlockArrays:
        """Return ``S = C - sum y_i A_i``, block by block."""
        return tuple(block.cost - block.adjoint(y) for block in self.blocks)

    def cost(self, x: Sequence[FloatArray]) -> float:
        """Return ``<C, X>``, without the offset of the problem."""
        return float(sum(np.vdot(block.cost, part) for block, part in zip(self.blocks, x, strict=True)))


class FloatStatus(StrEnum):
    """A solver's opinion: evidence of nothing, a hint where to look for a certificate."""

    SOLVED = "solved"
    PRIMAL_INFEASIBLE = "primal infeasible"
    DUAL_INFEASIBLE = "dual infeasible"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, eq=False)
class FloatPoint:
    """A primal X and a dual y, or rays of them. The slack is always recomputed from y."""

    x: BlockArrays
    y: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class FloatSolution:
    """What a backend returned.

    Attributes:
        status: The solver's opinion.
        point: The best point, or rays where the status says infeasible (y a Farkas ray, x a recession ray).
        path: Earlier, more central points of an interior-point method, from the most central to the best.
        message: The solver's own words.
        accuracy: The largest of the relative gap and infeasibilities, infinite where the solver does not say.
    """

    status: FloatStatus
    point: FloatPoint
    path: tuple[FloatPoint, ...]
    message: str
    accuracy: float = np.inf


def float_problem(problem: ConicProblem) -> FloatProblem:
    """Return the problem with every number rounded to the nearest binary64."""
    count = problem.constraint_count
    denominator = int(problem.right_hand_side.denominator)
    rhs = np.array([int(b) / denominator for b in problem.right_hand_side.numerators.entries()], dtype=float)
    return FloatProblem(tuple(float_block(block, count) for block in problem.blocks), rhs)


def float_block(block: Block, count: int) -> FloatBlock:
    """Return one block of a problem with ``count`` constraints in binary64."""
    size = order(block.cone)
    shape = (size, size) if isinstance(block.cone, PositiveSemidefinite) else (size,)
    constraints = np.array(block.constraints, dtype=np.int64)
    rows, columns = np.array(block.rows, dtype=np.int64), np.array(block.columns, dtype=np.int64)
    denominator = int(block.values.denominator)
    values = np.array([int(v) / denominator for v in block.values.numerators.entries()], dtype=float)
    flat = rows
    if len(shape) == 2:
        off = rows != columns
        flat = np.concatenate([rows * size + columns, (columns * size + rows)[off]])
        constraints = np.concatenate([constraints, constraints[off]])
        values = np.concatenate([values, values[off]])
    full = sp.csr_matrix((values, (constraints, flat)), shape=(count + 1, int(np.prod(shape))))
    return FloatBlock(block.cone, full[0].toarray().reshape(shape), full[1:].tocsr())
