"""The `scs` and `clarabel` backends: general conic solvers through cvxpy, for cross-checking and small problems.

Small sets go in whole, as the paper's program, and come back with the full dual. Larger ones take the form with one
[X I; I P] block and linear rows inside constraint generation, and come back with a compact dual.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from certify.solvers.constraint_generation import Watch
from certify.solvers.coordinates import Coordinates, whitened
from certify.solvers.fixed_point import first_design
from certify.solvers.floor import FloorBlock, floor_room
from certify.solvers.frame import Frame, cholesky, frame_on, geometric_mean_frame, scaled
from certify.solvers.iterate import Iterate
from certify.solvers.problem import (
    CovarianceProblem,
    Dual,
    FloatArray,
    FullDual,
    Report,
    Round,
    Solution,
    SolveOptions,
    SolverError,
    Status,
    dimension,
)
from certify.solvers.separation import all_keys, count_vectors, indices_of, most_violated, vectors_at
from certify.solvers.units import dual_in_units, floor_solution, matrices_in_units
from certify.solvers.validation import validate
from certify.solvers.values import best_dual, feasibility_divisor, lower_value

if TYPE_CHECKING:
    from certify.solvers.cone_programs import BlockOptimum, Engine, RowOptimum

BLOCK_ENTRIES = 20_000
"""Most entries of all triangles [Sigma s; s^T 1] together for which the paper's program is built."""

ROUNDS = 20
"""Most rounds of constraint generation; each one is a full conic solve."""


@dataclass(frozen=True, slots=True)
class ConicBackend:
    """A conic solver behind the protocol; `name` is "scs" or "clarabel"."""

    name: str
    engine: Engine

    def solve(self, problem: CovarianceProblem, options: SolveOptions, report: Report) -> Solution:
        """Solve one or several conic programs; see certify.solvers.problem.Backend.

        An interrupt takes effect when the engine returns.

        Raises:
            ValueError: the problem is not well formed.
            SolverError: the vectors do not span the space in binary64, or the engine found no usable point.
        """
        validate(problem, options)
        watch = Watch(options, report)
        try:
            return floor_solution(problem, watch.tick) or self._solve(problem, options, watch)
        except np.linalg.LinAlgError as error:
            raise SolverError(f"the point of {self.engine} is not usable: {error}") from error

    def _solve(self, problem: CovarianceProblem, options: SolveOptions, watch: Watch) -> Solution:
        by_form = _by_blocks if fits_in_blocks(problem) else _by_rows
        return by_form(problem, whitened(problem), self.engine, options, watch)


def fits_in_blocks(problem: CovarianceProblem) -> bool:
    """Return whether the whole set is small enough for the paper's program."""
    size = dimension(problem.sensitivity) + 1
    return count_vectors(problem.sensitivity) * size * (size + 1) // 2 <= BLOCK_ENTRIES


def _by_blocks(
    problem: CovarianceProblem, space: Coordinates, engine: Engine, options: SolveOptions, watch: Watch
) -> Solution:
    """Solve the paper's program over the whole set."""
    from certify.solvers.cone_programs import solve_blocks  # noqa: PLC0415 cvxpy takes a second to load

    keys = all_keys(space.sensitivity)
    vectors, weight = vectors_at(space.sensitivity, keys), space.weight_root**2
    lowest = problem.floor * problem.rho * space.matrix.T @ space.matrix
    watch.round, watch.active = 1, len(keys)
    watch.tick()
    optimum = solve_blocks(weight, vectors, lowest if problem.floor else None, engine, options.time_limit)
    frame = frame_on(np.asarray(np.linalg.inv(cholesky(optimum.covariance))).T, space.weight_root)
    feasible = _feasible(space, frame, _largest(vectors, frame))
    blocks = _feasible_blocks(optimum, weight)
    excess = weight - blocks[:, :-1, :-1].sum(axis=0)
    lower = float(np.vdot(excess, lowest)) - float(2 * np.vdot(blocks[:, :-1, -1], vectors) + blocks[:, -1, -1].sum())
    matrix, rho = space.matrix, problem.rho
    dual = FullDual(
        indices_of(problem.sensitivity, keys),
        matrix @ blocks[:, :-1, :-1] @ matrix.T,
        blocks[:, :-1, -1] @ matrix.T / rho,
        blocks[:, -1, -1] / rho**2,
        matrix @ excess @ matrix.T if problem.floor else None,
    )
    return _solution(problem, space, feasible, dual, lower, watch, options)


def _feasible_blocks(optimum: BlockOptimum, weight: FloatArray) -> FloatArray:
    """Return PSD blocks near the engine's with sum_j A_j + H = W for a PSD H.

    The sum of the engine's blocks misses W by its tolerance. A congruence with the geometric mean C of its inverse and
    W repairs that: C is near I, and the value moves by the square of the miss, where scaling would lose the miss.
    """
    values, vectors = np.linalg.eigh(optimum.blocks)
    blocks = (vectors * np.maximum(values, 0.0)[:, None, :]) @ vectors.transpose(0, 2, 1)
    total = blocks[:, :-1, :-1].sum(axis=0)
    if optimum.floor_multiplier is not None:
        values, vectors = np.linalg.eigh(optimum.floor_multiplier)
        total = total + (vectors * np.maximum(values, 0.0)) @ vectors.T
    root = geometric_mean_frame(cholesky(total), np.sqrt(weight)).root
    change = np.eye(len(weight) + 1)
    change[:-1, :-1] = root @ root.T
    return np.asarray(change @ blocks @ change)


def _by_rows(
    problem: CovarianceProblem, space: Coordinates, engine: Engine, options: SolveOptions, watch: Watch
) -> Solution:
    """Solve the form with linear rows over a growing working set."""
    from certify.solvers.cone_programs import solve_rows  # noqa: PLC0415 cvxpy takes a second to load

    keys = first_design(space, watch.tick).keys
    weight, highest = space.weight_root**2, _highest(space)
    while True:
        watch.round, watch.active = watch.round + 1, len(keys)
        watch.tick()
        vectors = vectors_at(space.sensitivity, keys)
        optimum = solve_rows(weight, vectors, highest, engine, options.time_limit)
        iterate = _iterate(space, vectors, optimum)
        inside = _largest(vectors, iterate.frame)
        found = most_violated(space.sensitivity, iterate.frame.root, inside, len(keys) + 1000, watch.tick)
        fresh = np.setdiff1d(found.keys, keys)
        enough = found.largest <= inside * (1 + options.relative_gap / 10)
        if enough or len(fresh) == 0 or watch.expired or watch.round >= min(ROUNDS, options.round_limit):
            break
        keys = np.union1d(keys, fresh)
    feasible = _feasible(space, iterate.frame, max(inside, found.largest))
    lower = lower_value(space.floor, iterate, vectors @ iterate.frame.root)
    dual = dual_in_units(problem, space, keys, best_dual(space.floor, vectors, iterate))
    return _solution(problem, space, feasible, dual, lower, watch, options)


def _highest(space: Coordinates) -> FloatArray | None:
    """Return B of the floor P <= B."""
    identity = Frame(np.eye(len(space.matrix)), np.diag(space.weight_root) ** 2)
    room = floor_room(space.floor, identity)
    return None if room is None else room + np.eye(len(room))


def _iterate(space: Coordinates, vectors: FloatArray, optimum: RowOptimum) -> Iterate:
    """Return the point of an engine as one of the interior point, with tiny positive values in place of zeros."""
    frame = frame_on(cholesky(optimum.precision), space.weight_root)
    local = vectors @ frame.root
    multipliers = np.maximum(optimum.multipliers, 1e-14 * optimum.multipliers.max(initial=1e-300))
    slacks = np.maximum(1 - np.einsum("ij,ij->i", local, local), 1e-14)
    room = floor_room(space.floor, frame)
    if room is None or optimum.floor_multiplier is None:
        return Iterate(frame, multipliers, slacks, None)
    block = FloorBlock(room, _positive(frame.root.T @ optimum.floor_multiplier @ frame.root))
    return Iterate(frame, multipliers, slacks, block)


def _positive(matrix: FloatArray) -> FloatArray:
    """Return the nearest matrix that is safely positive definite."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    raised = np.maximum(values, max(1e-14 * float(values[-1]), 1e-300))
    return np.asarray((vectors * raised) @ vectors.T)


def _largest(vectors: FloatArray, frame: Frame) -> float:
    local = vectors @ frame.root
    return float(np.einsum("ij,ij->i", local, local).max())


def _feasible(space: Coordinates, frame: Frame, largest: float) -> Frame:
    return scaled(frame, 1 / feasibility_divisor(space.floor, frame, largest))


def _solution(
    problem: CovarianceProblem,
    space: Coordinates,
    feasible: Frame,
    dual: Dual,
    lower: float,
    watch: Watch,
    options: SolveOptions,
) -> Solution:
    covariance, precision = matrices_in_units(space, feasible, problem.rho)
    upper = float(feasible.weights.sum())
    reached = (upper - lower) / upper <= options.relative_gap
    status = Status.GAP_REACHED if reached else Status.TIME_LIMIT if watch.expired else Status.STALLED
    entry = Round(watch.round, watch.active, lower / problem.rho, upper / problem.rho, watch.seconds)
    return Solution(covariance, precision, dual, status, (entry,))
