"""PSD blocks taken apart where no coefficient couples their rows: a block diagonal X is then as good as any other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite
from certify.solvers.conic.arrays import (
    FloatArray,
    FloatBlock,
    FloatPoint,
    FloatProblem,
    FloatSolution,
    IndexArray,
)


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The rows of a PSD block by component; those that are alone make one nonnegative vector, empty or not."""

    groups: tuple[IndexArray, ...]
    alone: IndexArray

    def parts(self, block: FloatBlock) -> list[FloatBlock]:
        """Return the block in parts, the vector last."""
        matrices = [_part(block, rows) for rows in self.groups]
        return [*matrices, _vector_part(block, self.alone)] if len(self.alone) else matrices

    def assembled(self, shape: tuple[int, ...], parts: Iterator[FloatArray]) -> FloatArray:
        """Return the matrix of the given parts, zero between them."""
        whole: FloatArray = np.zeros(shape)
        for rows in self.groups:
            whole[np.ix_(rows, rows)] = next(parts)
        if len(self.alone):
            whole[self.alone, self.alone] = next(parts)
        return whole


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A problem with its PSD blocks taken apart.

    Attributes:
        problem: The problem in parts, with the same equations.
        shapes: The shape of every block of the whole problem.
        splits: How each of them was taken apart, None for one left whole.
    """

    problem: FloatProblem
    shapes: tuple[tuple[int, ...], ...]
    splits: tuple[Split | None, ...]

    def joined(self, solution: FloatSolution) -> FloatSolution:
        """Return a solution of the parts as one of the whole."""
        path = tuple(map(self._joined, solution.path))
        return replace(solution, point=self._joined(solution.point), path=path)

    def _joined(self, point: FloatPoint) -> FloatPoint:
        parts = iter(point.x)
        x = [
            next(parts) if split is None else split.assembled(shape, parts)
            for shape, split in zip(self.shapes, self.splits, strict=True)
        ]
        return FloatPoint(tuple(x), point.y)


def parts_of(problem: FloatProblem) -> Parts:
    """Return the problem with every PSD block split into its connected components."""
    splits = tuple(map(_split, problem.blocks))
    blocks = [
        part
        for block, split in zip(problem.blocks, splits, strict=True)
        for part in ([block] if split is None else split.parts(block))
    ]
    shapes = tuple(block.shape for block in problem.blocks)
    return Parts(FloatProblem(tuple(blocks), problem.right_hand_side), shapes, splits)


def _split(block: FloatBlock) -> Split | None:
    """Return the components of a PSD block, None where there is but one."""
    if not isinstance(block.cone, PositiveSemidefinite):
        return None
    size = block.cone.size
    used = np.union1d(np.flatnonzero(block.cost), block.rows.indices[block.rows.data != 0])
    graph = sp.coo_matrix((np.ones(len(used)), np.divmod(used, size)), shape=(size, size))
    count, labels = connected_components(graph, directed=False)
    if count == 1:
        return None
    sizes = np.bincount(labels)
    groups = tuple(np.flatnonzero(labels == label) for label in np.flatnonzero(sizes > 1))
    return Split(groups, np.flatnonzero(sizes[labels] == 1))


def _part(block: FloatBlock, rows: IndexArray) -> FloatBlock:
    cells = (rows[:, None] * block.shape[0] + rows[None, :]).ravel()
    cost = block.cost[np.ix_(rows, rows)]
    return FloatBlock(PositiveSemidefinite(len(rows)), cost, sp.csr_matrix(block.rows[:, cells]))


def _vector_part(block: FloatBlock, rows: IndexArray) -> FloatBlock:
    cells = rows * (block.shape[0] + 1)
    return FloatBlock(Nonnegative(len(rows)), block.cost[rows, rows], sp.csr_matrix(block.rows[:, cells]))
