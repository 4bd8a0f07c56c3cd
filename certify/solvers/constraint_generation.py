"""Grow and shrink a working set of sensitivity vectors until the interior-point optimum satisfies all of them.

Every dual point of a working set is dual feasible for the whole set, and every P becomes feasible when divided by the
largest s^T P s; so each round brackets the value, and the best ends of all rounds are kept.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from certify.solvers.coordinates import Coordinates
from certify.solvers.fixed_point import first_design
from certify.solvers.floor import Floor
from certify.solvers.frame import Frame, cholesky, frame_on, scaled
from certify.solvers.interior_point import Bounds, optimise
from certify.solvers.iterate import Iterate
from certify.solvers.problem import FloatArray, IndexArray, Progress, Report, Round, SolveOptions, SolverError, Status
from certify.solvers.separation import count_vectors, most_violated, vectors_at
from certify.solvers.starting_point import WorkingSet, starting_point
from certify.solvers.values import DualPoint, best_dual, feasibility_divisor, leverages
from certify.solvers.workers import HERE, Workers

AIM = 1e-12
"""Relative gap at which more iterations only move rounding errors."""

LOOSE = 1e-3
"""Relative gap that is enough while vectors are still missing from the working set."""

LARGE = 200
"""Dimension beyond which a solve stops at the gap that was asked for."""

DROPPING_ROUNDS = 12
"""Rounds after which vectors are no longer left out, so that none can come and go for ever."""

CARRYING = 1e-6
"""Share of the dual point, relative to their mean, above which a vector belongs to it."""

PATIENCE = 6
"""Rounds without a smaller gap after which binary64 is taken to be exhausted."""


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """Best primal and dual points met, in the coordinates of the solve.

    Attributes:
        frame: P, feasible for the whole set up to rounding.
        keys: vectors that carry weight in the dual.
        dual: their mu_j > 0 and the best P' for them.
        status: why the loop ended.
        history: bounds after each round.
    """

    frame: Frame
    keys: IndexArray
    dual: DualPoint
    status: Status
    history: tuple[Round, ...]


class Watch:
    """Clock, reporter and workers of one solve; remembers the round and the best relative gap so far."""

    def __init__(self, options: SolveOptions, report: Report, workers: Workers = HERE) -> None:
        self.workers = workers
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
    """One round: the optimum of a working set and what the whole set makes of it.

    Attributes:
        keys: the working set.
        vectors: its vectors, shape (J, d).
        iterate: the optimum.
        lower: its dual value.
        gap: its relative gap on the working set.
        frame: its P, with weights computed afresh.
        feasible: P divided until it is feasible for the whole set.
        excess: largest s^T P s over the whole set, relative to the working set, minus 1.
        violated: keys of vectors above the working set.
    """

    keys: IndexArray
    vectors: FloatArray
    iterate: Iterate
    lower: float
    gap: float
    frame: Frame
    feasible: Frame
    excess: float
    violated: IndexArray

    @property
    def upper(self) -> float:
        """Return the primal value of the feasible P."""
        return float(self.feasible.weights.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Bracket:
    """The visits with the best primal and the best dual value so far."""

    primal: _Visit
    dual: _Visit

    @property
    def relative_gap(self) -> float:
        return (self.primal.upper - self.dual.lower) / self.primal.upper

    def with_visit(self, visit: _Visit) -> _Bracket:
        primal = visit if visit.upper < self.primal.upper else self.primal
        return _Bracket(primal, visit if visit.lower > self.dual.lower else self.dual)


def generate(space: Coordinates, options: SolveOptions, watch: Watch) -> Optimum:
    """Solve the program over the whole set (rho = 1).

    Raises:
        numpy.linalg.LinAlgError: the vectors do not span the space numerically.
        SolverError: no round produced finite values.
    """
    design = first_design(space, watch.tick, watch.workers)
    working = WorkingSet(design.keys, design.multipliers, design.frame, space.floor_root)
    aim, wasted = _aim(space, options), 0
    whole = len(working.keys) == count_vectors(space.sensitivity)
    target, margin = (aim / 2, 0.003) if whole else (LOOSE, 0.1)
    bracket: _Bracket | None = None
    history: list[Round] = []
    while True:
        watch.round, watch.active = len(history) + 1, len(working.keys)
        visit = _visit(space, working, target, margin, watch)
        bracket = _Bracket(visit, visit) if bracket is None else bracket.with_visit(visit)
        wasted = 0 if bracket.relative_gap < 0.9 * watch.relative_gap else wasted + 1
        watch.relative_gap = bracket.relative_gap
        history.append(Round(watch.round, watch.active, bracket.dual.lower, bracket.primal.upper, watch.seconds))
        stuck = wasted >= PATIENCE or (visit.excess <= AIM / 10 and visit.gap > target)
        if bracket.relative_gap <= aim or stuck or watch.expired or watch.round >= options.round_limit:
            return _optimum(space, bracket, _status(watch, options), history)
        working = _revised(space.floor, visit, dropping=watch.round < DROPPING_ROUNDS)
        target = _next_target(visit, aim)
        margin = max(target, 1e-6)


def _optimum(space: Coordinates, bracket: _Bracket, status: Status, history: list[Round]) -> Optimum:
    if not np.isfinite(bracket.relative_gap):
        raise SolverError("the interior point broke down; the data may span too many orders of magnitude for binary64")
    keys, vectors, iterate = _carrying(space.floor, bracket.dual)
    return Optimum(bracket.primal.feasible, keys, best_dual(space.floor, vectors, iterate), status, tuple(history))


def _carrying(floor: Floor, visit: _Visit) -> tuple[IndexArray, FloatArray, Iterate]:
    """Leave out vectors whose multipliers are what the barrier has left of zero."""
    iterate = visit.iterate
    shares = leverages(floor, visit.vectors @ iterate.frame.root, iterate.multipliers, iterate.frame)
    kept = shares > CARRYING * shares.mean()
    carrying = replace(iterate, multipliers=iterate.multipliers[kept], slacks=iterate.slacks[kept])
    return visit.keys[kept], visit.vectors[kept], carrying


def _visit(space: Coordinates, working: WorkingSet, target: float, margin: float, watch: Watch) -> _Visit:
    """Optimise over the working set and search the whole set for violations."""
    vectors = vectors_at(space.sensitivity, working.keys)
    start = starting_point(space, vectors, working, margin)
    iterate, bounds = optimise(space.floor, vectors, start, target, watch.end_of_iteration)
    frame = frame_on(iterate.frame.root, space.weight_root)
    local = vectors @ frame.root
    inside = float(np.einsum("ij,ij->i", local, local).max())
    few = 2 * len(working.keys) + 1000
    found = most_violated(space.sensitivity, frame.root, inside, few, watch.tick, workers=watch.workers)
    largest = max(inside, found.largest)
    feasible = scaled(frame, 1 / feasibility_divisor(space.floor, frame, largest))
    excess = largest / inside - 1
    gap = bounds.relative_gap
    return _Visit(working.keys, vectors, iterate, bounds.lower, gap, frame, feasible, excess, found.keys)


def _revised(floor: Floor, visit: _Visit, *, dropping: bool) -> WorkingSet:
    """Leave out vectors that are far from binding and carry little of the dual point, take in the violated ones."""
    multipliers = visit.iterate.multipliers
    shares = leverages(floor, visit.vectors @ visit.frame.root, multipliers, visit.frame)
    kept = (shares > 0.01 * shares.mean() * visit.iterate.slacks) | (not dropping)
    fresh = np.setdiff1d(visit.violated, visit.keys[kept])
    keys = np.concatenate([visit.keys[kept], fresh])
    grown = np.concatenate([multipliers[kept], np.zeros(len(fresh))])
    return WorkingSet(keys, grown, visit.frame, _floor_root(visit.iterate))


def _floor_root(iterate: Iterate) -> FloatArray:
    """Return G with Y = G^T G outside the frame, or zeros without a floor."""
    root = iterate.frame.root
    if iterate.block is None:
        return np.zeros_like(root)
    return np.asarray(np.linalg.solve(root.T, cholesky(iterate.block.multiplier))).T


def _aim(space: Coordinates, options: SolveOptions) -> float:
    """Return the relative gap to stop at: what binary64 can reach, where that is not much more work than was asked."""
    return AIM if len(space.matrix) <= LARGE else max(AIM, options.relative_gap)


def _next_target(visit: _Visit, aim: float) -> float:
    """Solve no more exactly than the missing vectors deserve."""
    if visit.excess < 1e-9:
        return aim / 3
    return min(LOOSE, max(0.1 * visit.excess, aim / 3))


def _status(watch: Watch, options: SolveOptions) -> Status:
    if watch.relative_gap <= options.relative_gap:
        return Status.GAP_REACHED
    if watch.expired:
        return Status.TIME_LIMIT
    return Status.ROUND_LIMIT if watch.round >= options.round_limit else Status.STALLED
