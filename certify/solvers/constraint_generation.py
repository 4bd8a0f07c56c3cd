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
from certify.solvers.frame import Frame, frame_on, scaled
from certify.solvers.interior_point import Bounds, Iterate, optimise
from certify.solvers.problem import FloatArray, IndexArray, Progress, Report, Round, SolveOptions, Status
from certify.solvers.separation import most_violated, vectors_at

AIM = 1e-12
"""Relative gap at which more iterations only move rounding errors."""

LOOSE = 1e-3
"""Relative gap that is enough while vectors are still missing from the working set."""


@dataclass(frozen=True, slots=True, eq=False)
class WorkingSet:
    """Keys of the vectors in play, their multipliers (0 for newcomers) and the frame of a matching P."""

    keys: IndexArray
    multipliers: FloatArray
    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """Best primal and dual points met, in the coordinates of the solve.

    Attributes:
        frame: P, feasible for the whole set up to rounding.
        keys: vectors that carry weight in the dual.
        multipliers: their mu_j > 0.
        status: why the loop ended.
        history: bounds after each round.
    """

    frame: Frame
    keys: IndexArray
    multipliers: FloatArray
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

    iterate: Iterate
    frame: Frame
    bounds: Bounds
    upper: float
    largest: float
    excess: float
    violated: IndexArray


def generate(space: Coordinates, options: SolveOptions, watch: Watch) -> Optimum:
    """Solve the program over the whole set (floor 0, rho = 1).

    Raises:
        numpy.linalg.LinAlgError: the vectors do not span the space numerically.
    """
    working, target, margin = _opening(first_design(space.sensitivity, space.weight_root, watch.tick)), LOOSE, 0.1
    primal, dual, lower, upper = working.frame, working, 0.0, np.inf
    history: list[Round] = []
    for watch.round in range(1, options.round_limit + 1):
        watch.active = len(working.keys)
        visit = _visit(space, working, target, margin, watch)
        if visit.upper < upper:
            primal, upper = scaled(visit.frame, 1 / visit.largest), visit.upper
        if visit.bounds.lower > lower:
            dual, lower = WorkingSet(working.keys, visit.iterate.multipliers, visit.frame), visit.bounds.lower
        watch.relative_gap = (upper - lower) / upper
        history.append(Round(watch.round, len(working.keys), lower, upper, watch.seconds))
        stalled = visit.excess <= AIM / 10 and visit.bounds.relative_gap > target
        if watch.relative_gap <= AIM or stalled or watch.expired:
            break
        working = _revised(working, visit)
        target = _next_target(visit)
        margin = max(target, 1e-6)
    status = _status(watch, options)
    return Optimum(primal, dual.keys, dual.multipliers, status, tuple(history))


def _opening(design: Design) -> WorkingSet:
    return WorkingSet(design.keys, design.weights, design.frame)


def _visit(space: Coordinates, working: WorkingSet, target: float, margin: float, watch: Watch) -> _Visit:
    """Optimise over the working set and search the whole set for violations."""
    vectors = vectors_at(space.sensitivity, working.keys)
    iterate, bounds = optimise(vectors, _started(vectors, working, margin), target, watch.end_of_iteration)
    frame = frame_on(iterate.frame.root, space.weight_root)
    local = vectors @ frame.root
    inside = float(np.einsum("ij,ij->i", local, local).max())
    found = most_violated(space.sensitivity, frame.root, inside, 2 * len(working.keys) + 1000, watch.tick)
    largest = max(inside, found.largest)
    upper = float(frame.weights.sum()) * largest
    return _Visit(iterate, frame, bounds, upper, largest, largest / inside - 1, found.keys)


def _started(vectors: FloatArray, working: WorkingSet, margin: float) -> Iterate:
    """Return a strictly positive point near the working set's own, every slack at least about `margin`."""
    local = vectors @ working.frame.root
    values = np.einsum("ij,ij->i", local, local)
    shrink = 1 / (float(values.max()) * (1 + margin))
    slacks = 1 - values * shrink
    multipliers = working.multipliers / shrink**2
    mean = float(multipliers @ slacks) / np.count_nonzero(multipliers)
    return Iterate(scaled(working.frame, shrink), np.maximum(multipliers, 0.1 * mean / slacks), slacks)


def _revised(working: WorkingSet, visit: _Visit) -> WorkingSet:
    """Leave out vectors that are far from binding, take in the violated ones."""
    multipliers = visit.iterate.multipliers
    kept = multipliers > 0.01 * multipliers.mean() * visit.iterate.slacks
    fresh = np.setdiff1d(visit.violated, working.keys[kept])
    keys = np.concatenate([working.keys[kept], fresh])
    return WorkingSet(keys, np.concatenate([multipliers[kept], np.zeros(len(fresh))]), visit.frame)


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
