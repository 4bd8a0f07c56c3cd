"""An infeasible primal-dual interior-point method for free, nonnegative and PSD blocks, in binary64.

The HKM direction with Mehrotra's predictor and corrector. It keeps the iterates central, which is what rounding to an
exact point needs: a point with small residuals and eigenvalues well above them.
Source: Helmberg, Rendl, Vanderbei and Wolkowicz (1996); Todd, Toh and Tutuncu (1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Zero, cone_text
from certify.solvers.conic.arrays import FloatArray, FloatBlock, FloatPoint, FloatProblem, FloatSolution, FloatStatus
from certify.solvers.conic.newton import Direction, Geometry, Iterate, NewtonSystem, newton_system
from certify.solvers.conic.positive import Factored, longest_step, moved
from certify.solvers.conic.schur import schur_plan

MAX_ITERATIONS = 100
PATIENCE = 8
PROGRESS = 0.9
REMEMBERED = 24
KEPT_POINTS = 8
SPACING = 3.0
TARGET = 1e-12
SOLVED = 1e-6
SMALL_STEP = 1e-4
OVERFLOWN = 1e60
BOUNDARY_FRACTION = 0.95


@dataclass(frozen=True, slots=True)
class Measures:
    """Relative duality gap and infeasibilities of an iterate."""

    gap: float
    primal: float
    dual: float

    @property
    def worst(self) -> float:
        """The largest of the three."""
        return max(abs(self.gap), self.primal, self.dual)


@dataclass(frozen=True, slots=True, eq=False)
class Visited:
    """An iterate with its measures."""

    iterate: Iterate
    measures: Measures


def solve_with_interior_point(problem: FloatProblem) -> FloatSolution:
    """Solve a problem over free, zero, nonnegative and PSD blocks.

    Raises:
        ValueError: If the problem has another cone.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        visited = _run(_geometry(problem))
    best = min(range(len(visited)), key=lambda k: visited[k].measures.worst)
    points = [_whole(problem, visit.iterate) for visit in _spaced(visited[: best + 1])]
    measures = visited[best].measures
    status = FloatStatus.SOLVED if measures.worst < SOLVED else FloatStatus.STOPPED
    message = f"gap {measures.gap:.1e}, primal {measures.primal:.1e}, dual {measures.dual:.1e}"
    return FloatSolution(status, points[-1], tuple(points[:-1]), message, measures.worst)


def _spaced(visited: Sequence[Visited]) -> list[Visited]:
    """Return the last iterate and earlier ones, each a few times less accurate than the next."""
    kept = [visited[-1]]
    for visit in reversed(visited[:-1]):
        if visit.measures.worst > SPACING * kept[0].measures.worst and len(kept) <= KEPT_POINTS:
            kept.insert(0, visit)
    return kept


def _geometry(problem: FloatProblem) -> Geometry:
    for block in problem.blocks:
        if not isinstance(block.cone, Free | Zero | Nonnegative | PositiveSemidefinite):
            raise ValueError(f"the interior-point method has no {cone_text(block.cone)}; use clarabel or scs")
    active = tuple(block for block in problem.blocks if isinstance(block.cone, Nonnegative | PositiveSemidefinite))
    free = [block for block in problem.blocks if isinstance(block.cone, Free)]
    count = len(problem.right_hand_side)
    if not active:
        # A block that no equation meets keeps the method going where there are free coordinates only.
        active = (FloatBlock(Nonnegative(1), np.ones(1), sp.csr_matrix((count, 1))),)
    return Geometry(
        FloatProblem(active, problem.right_hand_side),
        np.hstack([np.zeros((count, 0)), *(block.rows.toarray() for block in free)]),
        np.concatenate([np.zeros(0), *(block.cost for block in free)]),
        tuple(schur_plan(block) if len(block.shape) == 2 else None for block in active),
        sum(block.shape[0] for block in active),
    )


def _run(geometry: Geometry) -> list[Visited]:
    """Return the last iterates, until the target is reached, no step is left, or nothing has improved for a while."""
    iterate = _start(geometry)
    visited = [Visited(iterate, _measures(geometry, iterate))]
    best, waited = visited[0].measures.worst, 0
    for _ in range(MAX_ITERATIONS):
        system = newton_system(geometry, iterate)
        following = None if system is None else _advance(system)
        if following is None:
            break
        iterate = following
        visited.append(Visited(iterate, _measures(geometry, iterate)))
        worst = visited[-1].measures.worst
        if not worst < OVERFLOWN:
            visited.pop()
            break
        best, waited = (worst, 0) if worst < PROGRESS * best else (best, waited + 1)
        if best < TARGET or waited > PATIENCE:
            break
        del visited[:-REMEMBERED]
    return visited


def _start(geometry: Geometry) -> Iterate:
    """Return multiples of the identity large enough for the data (the starting point of SDPT3 and CSDP)."""
    problem = geometry.problem
    degree = max(geometry.degree, 1)
    squares = np.zeros(len(problem.right_hand_side))
    for block in problem.blocks:
        squares += np.asarray(block.rows.multiply(block.rows).sum(axis=1)).ravel()
    norms = np.sqrt(squares)
    cost = np.sqrt(sum(float(np.vdot(block.cost, block.cost)) for block in problem.blocks))
    primal = 10.0 * degree * float(np.max((1 + np.abs(problem.right_hand_side)) / (1 + norms), initial=1.0))
    dual = 10.0 * (1 + max(float(np.max(norms, initial=0.0)), cost))
    units = [np.ones(b.shape[0]) if len(b.shape) == 1 else np.eye(b.shape[0]) for b in problem.blocks]
    x = tuple(Factored(primal * unit, np.sqrt(primal) * unit) for unit in units)
    s = tuple(Factored(dual * unit, np.sqrt(dual) * unit) for unit in units)
    return Iterate(x, s, np.zeros(len(norms)), np.zeros(geometry.free.shape[1]))


def _measures(geometry: Geometry, iterate: Iterate) -> Measures:
    problem = geometry.problem
    x = [part.value for part in iterate.x]
    primal = problem.right_hand_side - problem.apply(x) - geometry.free @ iterate.free
    free = geometry.free_cost - geometry.free.T @ iterate.y
    dual = [slack - part.value for slack, part in zip(problem.slack(iterate.y), iterate.s, strict=True)]
    cost = problem.cost(x) + float(geometry.free_cost @ iterate.free)
    bound = float(problem.right_hand_side @ iterate.y)
    return Measures(
        (cost - bound) / (1 + abs(cost) + abs(bound)),
        float(np.linalg.norm(primal)) / (1 + float(np.linalg.norm(problem.right_hand_side))),
        _norm([*dual, free]) / (1 + _norm([*(block.cost for block in problem.blocks), geometry.free_cost])),
    )


def _norm(parts: Sequence[FloatArray]) -> float:
    return float(np.sqrt(sum(float(np.vdot(part, part)) for part in parts)))


def _advance(system: NewtonSystem) -> Iterate | None:
    """Return the next iterate, or None when no useful step is left."""
    predictor = system.direction(0.0, None)
    steps = _steps(system.iterate, predictor)
    target = _gap_after(system.iterate, predictor, steps) / system.geometry.degree
    centring = min(1.0, max(0.02, (target / system.mu) ** 2))
    if min(steps) < 0.2:
        centring = max(centring, 0.3)
    step = system.direction(centring, system.second_order(predictor))
    primal, dual = _steps(system.iterate, step)
    x, primal = _move(system.iterate.x, step.x, primal)
    s, dual = _move(system.iterate.s, step.s, dual)
    if max(primal, dual) < SMALL_STEP:
        return None
    return Iterate(x, s, system.iterate.y + dual * step.y, system.iterate.free + primal * step.free)


def _steps(iterate: Iterate, step: Direction) -> tuple[float, float]:
    primal = min(map(longest_step, iterate.x, step.x), default=np.inf)
    dual = min(map(longest_step, iterate.s, step.s), default=np.inf)
    return min(1.0, BOUNDARY_FRACTION * primal), min(1.0, BOUNDARY_FRACTION * dual)


def _gap_after(iterate: Iterate, step: Direction, lengths: tuple[float, float]) -> float:
    primal, dual = lengths
    return sum(
        float(np.vdot(x.value + primal * dx, s.value + dual * ds))
        for x, dx, s, ds in zip(iterate.x, step.x, iterate.s, step.s, strict=True)
    )


def _move(
    points: Sequence[Factored], directions: Sequence[FloatArray], step: float
) -> tuple[tuple[Factored, ...], float]:
    """Move all blocks by the step, shortened until every block is inside its cone; a step of 0 keeps the point."""
    while step >= SMALL_STEP:
        following = [moved(point, direction, step) for point, direction in zip(points, directions, strict=True)]
        if all(point is not None for point in following):
            return tuple(point for point in following if point is not None), step
        step *= 0.8
    return tuple(points), 0.0


def _whole(problem: FloatProblem, iterate: Iterate) -> FloatPoint:
    """Put the blocks back into the order of the problem; zero blocks of X are zero."""
    active = iter(iterate.x)
    free = iter(np.split(iterate.free, np.cumsum([b.shape[0] for b in problem.blocks if isinstance(b.cone, Free)])))
    parts = []
    for block in problem.blocks:
        if isinstance(block.cone, Free):
            parts.append(next(free))
        elif isinstance(block.cone, Zero):
            parts.append(np.zeros(block.shape))
        else:
            parts.append(next(active).value)
    return FloatPoint(tuple(parts), iterate.y)
