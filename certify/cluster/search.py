"""Solving over more records than one machine should search: constraint generation on records, searched in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
from scipy.linalg import qr

from certify.cluster.workers import Workers
from certify.solvers.problem import (
    Backend,
    CompactDual,
    CovarianceProblem,
    Dual,
    FloatArray,
    FullDual,
    IndexArray,
    PairDifferences,
    Report,
    Solution,
    SolveOptions,
    Status,
)

BLOCK_ROWS = 20_000
FIRST_RECORDS = 300
PAIRS_PER_TASK = 200
ROUNDS = 60
TILE_ROWS = 500


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The worst pairs of two blocks of records.

    Attributes:
        largest: The largest form of a pair seen, 0 where all are ruled out.
        pairs: Indices of the worst pairs above the threshold, (k, 2).
    """

    largest: float
    pairs: IndexArray


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    root: FloatArray
    threshold: float
    first: range
    second: range


@dataclass(frozen=True, slots=True)
class BlockBackend:
    """A backend that solves on few records with another one and searches all pairs for violations on workers.

    Records enter the working set when one of the worst pairs of some two blocks needs them. Sets that are not pair
    differences, and few records, go to the inner backend at once.
    """

    inner: Backend
    workers: Workers
    block_rows: int = BLOCK_ROWS

    @property
    def name(self) -> str:
        """Name of the inner backend: the solution is of its kind."""
        return self.inner.name

    def solve(self, problem: CovarianceProblem, options: SolveOptions, report: Report) -> Solution:
        """Solve; see certify.solvers.problem.Backend.

        Raises:
            ValueError: the problem is not well formed.
            SolverError: no usable point was found.
        """
        match problem.sensitivity:
            case PairDifferences(records) if len(records) > self.block_rows:
                return self._generate(problem, records, options, report)
            case _:
                return self.inner.solve(problem, options, report)

    def _generate(
        self, problem: CovarianceProblem, records: FloatArray, options: SolveOptions, report: Report
    ) -> Solution:
        outward = _outward(records)
        records, limit = records[outward] - records.mean(axis=0), problem.rho * (1 + options.relative_gap / 8)
        chosen = _first_records(records)
        for _ in range(ROUNDS):
            part = replace(problem, sensitivity=PairDifferences(records[chosen]))
            solution = self.inner.solve(part, options, report)
            largest, pairs = self._worst(records, solution.precision, limit)
            fresh = np.setdiff1d(pairs, chosen)
            if largest <= limit or not len(fresh):
                break
            chosen = np.union1d(chosen, fresh)
        return _over_all(solution, outward[chosen], max(largest / problem.rho, 1.0), done=largest <= limit)

    def _worst(self, records: FloatArray, precision: FloatArray, threshold: float) -> tuple[float, IndexArray]:
        root: FloatArray = np.asarray(np.linalg.cholesky((precision + precision.T) / 2), dtype=np.float64)
        tasks = _tasks(records, root, threshold, self.block_rows)
        found = self.workers.run(search_blocks, records, tasks)
        pairs = [each.pairs for each in found]
        return max((each.largest for each in found), default=0.0), np.unique(np.concatenate([_NO_PAIRS, *pairs]))


_NO_PAIRS = np.zeros((0, 2), dtype=np.int64)


def search_blocks(records: FloatArray, task: _Task) -> Found:
    """Return the worst pairs between two blocks of records, tile by tile."""
    columns = records[task.second.start : task.second.stop] @ task.root
    squares = np.einsum("ij,ij->i", columns, columns)
    largest, pairs, values = 0.0, [_NO_PAIRS], [np.zeros(0)]
    for start in range(task.first.start, task.first.stop, TILE_ROWS):
        rows = records[start : min(start + TILE_ROWS, task.first.stop)] @ task.root
        tile = np.einsum("ij,ij->i", rows, rows)[:, None] + squares - 2 * rows @ columns.T
        largest = max(largest, float(tile.max()))
        first, second = np.nonzero(tile > task.threshold)
        pairs.append(np.stack([first + start, second + task.second.start], axis=1))
        values.append(tile[first, second])
    everything, heights = np.concatenate(pairs), np.concatenate(values)
    return Found(largest, everything[np.argsort(-heights, kind="stable")[:PAIRS_PER_TASK]])


def _tasks(records: FloatArray, root: FloatArray, threshold: float, block_rows: int) -> list[_Task]:
    """Return the pairs of blocks whose radii about the middle do not rule a violation out (triangle inequality)."""
    blocks = [range(start, min(start + block_rows, len(records))) for start in range(0, len(records), block_rows)]
    radii = [float(np.linalg.norm(records[block.start : block.stop] @ root, axis=1).max()) for block in blocks]
    reach = np.sqrt(threshold) * (1 - 1e-12)
    pairs = combinations_with_replacement(range(len(blocks)), 2)
    return [_Task(root, threshold, blocks[i], blocks[j]) for i, j in pairs if radii[i] + radii[j] > reach]


def _outward(records: FloatArray) -> IndexArray:
    """Return the order of decreasing distance from the middle, in the metric of the second moment."""
    centred = records - records.mean(axis=0)
    moment = centred.T @ centred / len(records)
    distances = np.einsum("ij,ij->i", centred @ np.linalg.pinv(moment, hermitian=True), centred)
    return np.argsort(-distances, kind="stable")


def _first_records(records: FloatArray) -> IndexArray:
    """Return the outermost records, with others that make the differences span."""
    _, _, pivots = qr((records - records[0]).T, mode="economic", pivoting=True)
    spanning = pivots[: records.shape[1]]
    return np.union1d(np.arange(min(FIRST_RECORDS, len(records))), np.append(spanning, 0))


def _over_all(solution: Solution, names: Sequence[int] | IndexArray, excess: float, *, done: bool) -> Solution:
    """Return a solution on few records as one on all: feasible for them, its vectors under their own names."""
    indices = np.asarray(names)[solution.dual.indices]
    covariance, precision = solution.covariance * excess, solution.precision / excess
    status = solution.status if done else Status.ROUND_LIMIT
    last = solution.history[-1]
    history = (*solution.history, replace(last, value_upper_estimate=last.value_upper_estimate * excess))
    return Solution(covariance, precision, _named(solution.dual, indices, solution.precision), status, history)


def _named(dual: Dual, indices: IndexArray, precision: FloatArray) -> Dual:
    match dual:
        case CompactDual(_, multipliers, seen):
            return CompactDual(indices, multipliers, precision if seen is None else seen)
        case FullDual():
            return replace(dual, indices=indices)
