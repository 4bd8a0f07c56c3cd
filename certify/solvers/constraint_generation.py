"""Grow and shrink a working set of sensitivity vectors until the interior-point optimum satisfies all of them.

Every dual point of a working set is dual feasible for the whole set, and every P becomes feasible when divided by the
largest s^T P s; so each round brackets the value, and the best ends of all rounds are kept.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from certify.solvers.coordinates import Coordinates
from certify.solvers.fixed_point import Design, first_design
from certify.solvers.floor import Floor
from certify.solvers.frame import Frame, frame_on, scaled
from certify.solvers.interior_point import Bounds, optimise
from certify.solvers.newton_step import Iterate
from certify.solvers.problem import FloatArray, IndexArray, Progress, Report, Round, SolveOptions, Status
from certify.solvers.separation import most_violated, vectors_at
from certify.solvers.starting_point import WorkingSet, starting_point
from certify.solvers.values import best_dual_root, feasibility_divisor, leverages

AIM = 1e-12
"""Relative gap at which more iterations only move rounding errors."""

LOOSE = 1e-3
"""Relative gap that is enough while vectors are still missing from the working set."""


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """Best primal and dual points met, in the coordinates of the solve.

    Attributes:
        frame: P, feasible for the whole set up to rounding.
        keys: vectors that carry weight in the dual.
        multipliers: their mu_j > 0.
        dual_root: R' with P' = R' R'^T the best precision for them.
        status: why the loop ended.
        history: bounds after each round.
    """

    frame: Frame
    keys: IndexArray
    multipliers: FloatArray
    dual_root: FloatArray
    status: Status
    history: tuple[Round, ...]


class Watch:
    """Clock and reporter of one solve; remembers the round and the best relative gap so far."""

    def __init__(self, options: SolveOptions, report: Report) -> None:
        self.round = 0
        self.active = 0
        self.relative_gap = np.inf
        self._started = time.perf_counter()
        self._limit = np.inf if options.time_limit is None else options.time_limit
        self._report = report

    @property
    def seconds(self) -> float:
        """Return the time since the start."""
        return time.perf_counter() - self._started

    @property
    def expired(self) -> bool:
        """Return whether the time limit has passed."""
        return self.seconds > self._limit

    def tick(self) -> None:
        """Report progress; an interrupt raised by the report ends the solve."""
        self._report(Progress(self.round, self.active, self.relative_gap))

    def end_of_iteration(self, _: Bounds) -> bool:
        """Report progress; return whether to stop."""
        self.tick()
        return self.expired


@dataclass(frozen=True, slots=True, eq=False)
class _Visit:
    """What one round found: the optimum of a working set, its bounds for all vectors, and the violated vectors."""

    vectors: FloatArray
    iterate: Iterate
    frame: Frame
    feasible: Frame
    bounds: Bounds
    upper: float
    excess: float
    violated: IndexArray


def generate(space: Coordinates, options: SolveOptions, watch: Watch) -> Optimum:
    """Solve the program over the whole set (rho = 1).

    Raises:
        numpy.linalg.LinAlgError: the vectors do not span the space numerically.
    """
    working, target, margin = _opening(space, first_design(space, watch.tick)), LOOSE, 0.1
    primal, dual, lower, upper = working.frame, working, -np.inf, np.inf
    history: list[Round] = []
    for watch.round in range(1, options.round_limit + 1):
        watch.active = len(working.keys)
        visit = _visit(space, working, target, margin, watch)
        if visit.upper < upper:
            primal, upper = visit.feasible, visit.upper
        if visit.bounds.lower > lower:
            dual, lower = _reached(working, visit), visit.bounds.lower
        watch.relative_gap = (upper - lower) / upper
        history.append(Round(watch.round, len(working.keys), lower, upper, watch.seconds))
        stalled = visit.excess <= AIM / 10 and visit.bounds.relative_gap > target
        if watch.relative_gap <= AIM or stalled or watch.expired:
            break
        working = _revised(space.floor, working, visit)
        target = _next_target(visit)
        margin = max(target, 1e-6)
    status = _status(watch, options)
    vectors = vectors_at(space.sensitivity, dual.keys)
    root = best_dual_root(space.floor, space.weight_root, vectors, dual.multipliers, dual.floor_multiplier)
    return Optimum(primal, dual.keys, dual.multipliers, root, status, tuple(history))


def _opening(space: Coordinates, design: Design) -> WorkingSet:
    """Start from the design, whose P satisfies P^{-1} W P^{-1} = M + eta^2 W."""
    return WorkingSet(design.keys, design.multipliers, design.frame, space.floor_moment)


def _visit(space: Coordinates, working: WorkingSet, target: float, margin: float, watch: Watch) -> _Visit:
    """Optimise over the working set and search the whole set for violations."""
    vectors = vectors_at(space.sensitivity, working.keys)
    start = starting_point(space, vectors, working, margin)
    iterate, bounds = optimise(space.floor, vectors, start, target, watch.end_of_iteration)
    frame = frame_on(iterate.frame.root, space.weight_root)
    local = vectors @ frame.root
    inside = float(np.einsum("ij,ij->i", local, local).max())
    found = most_violated(space.sensitivity, frame.root, inside, 2 * len(working.keys) + 1000, watch.tick)
    largest = max(inside, found.largest)
    feasible = scaled(frame, 1 / feasibility_divisor(space.floor, frame, largest))
    upper = float(feasible.weights.sum())
    return _Visit(vectors, iterate, frame, feasible, bounds, upper, largest / inside - 1, found.keys)


def _revised(floor: Floor, working: WorkingSet, visit: _Visit) -> WorkingSet:
    """Leave out vectors that are far from binding and carry little of the dual point, take in the violated ones."""
    multipliers = visit.iterate.multipliers
    shares = leverages(floor, visit.vectors @ visit.frame.root, multipliers, visit.frame)
    kept = shares > 0.01 * shares.mean() * visit.iterate.slacks
    fresh = np.setdiff1d(visit.violated, working.keys[kept])
    keys = np.concatenate([working.keys[kept], fresh])
    grown = np.concatenate([multipliers[kept], np.zeros(len(fresh))])
    return WorkingSet(keys, grown, visit.frame, _floor_multiplier(visit.iterate))


def _reached(working: WorkingSet, visit: _Visit) -> WorkingSet:
    return WorkingSet(working.keys, visit.iterate.multipliers, visit.frame, _floor_multiplier(visit.iterate))


def _floor_multiplier(iterate: Iterate) -> FloatArray:
    """Return Y outside the frame, R^{-T} Y R^{-1}, or zeros without a floor."""
    root = iterate.frame.root
    if iterate.block is None:
        return np.zeros_like(root)
    multiplier: FloatArray = np.linalg.solve(root.T, np.linalg.solve(root.T, iterate.block.multiplier).T)
    return (multiplier + multiplier.T) / 2


def _next_target(visit: _Visit) -> float:
    """Solve no more exactly than the missing vectors deserve."""
    if visit.excess < 1e-9:
        return AIM / 3
    return min(LOOSE, max(0.1 * visit.excess, AIM / 3))


def _status(watch: Watch, options: SolveOptions) -> Status:
    if watch.relative_gap <= options.relative_gap:
        return Status.GAP_REACHED
    if watch.expired:
        return Status.TIME_LIMIT
    return Status.ROUND_LIMIT if watch.round == options.round_limit else Status.STALLED
