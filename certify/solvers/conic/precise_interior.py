"""The primal-dual interior-point iteration in multiprecision; ``precise`` has its data, ``interior`` its float twin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from flint import arb, arb_mat, ctx

from certify.checker.conic.problem import ConicProblem
from certify.solvers.conic.arrays import FloatPoint
from certify.solvers.conic.midpoints import (
    column,
    difference,
    inner,
    longest_step,
    scaled_product,
    symmetric_part,
)
from certify.solvers.conic.precise import PreciseProblem, precise_problem
from certify.solvers.conic.precise_points import (
    PrecisePoint,
    from_floats,
    is_central,
    measured,
    residuals,
    starting_point,
)

BOUNDARY_FRACTION = 0.95
ALMOST_FULL = 1.0 - 1e-9
SMALL_STEP = 1e-6


Direction: TypeAlias = tuple[list[arb_mat], list[arb_mat], list[arb], list[arb]]
"""Steps of X, S, y and the free coordinates."""


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """The Newton system at an iterate, its Schur complement inverted."""

    problem: PreciseProblem
    point: PrecisePoint
    mu: arb
    inverses: tuple[arb_mat, ...]
    residuals: tuple[arb_mat, ...]
    solver: arb_mat

    def direction(self, centring: arb, correction: Sequence[arb_mat] | None) -> Direction:
        """Return the steps of X, S, y and the free coordinates."""
        problem, x = self.problem, self.point.x
        constant = [(inv * (centring * self.mu) - part).mid() for inv, part in zip(self.inverses, x, strict=True)]
        constant = [
            (c - scaled_product(part, r, inv)).mid()
            for c, part, r, inv in zip(constant, x, self.residuals, self.inverses, strict=True)
        ]
        if correction is not None:
            constant = [(c - d).mid() for c, d in zip(constant, correction, strict=True)]
        total = problem.apply([(a + b).mid() for a, b in zip(x, constant, strict=True)])
        right = [b - t for b, t in zip(problem.right_hand_side, total, strict=True)]
        free_right = difference(problem.free_cost, problem.free.transpose() * column(self.point.y))
        solution = (self.solver * column([*right, *free_right])).mid().entries()
        dy, free = solution[: len(right)], solution[len(right) :]
        combined = [block.adjoint(dy) for block in problem.blocks]
        dx = [
            (c + scaled_product(part, m, inv)).mid()
            for c, part, m, inv in zip(constant, x, combined, self.inverses, strict=True)
        ]
        ds = [(r - c).mid() for r, c in zip(self.residuals, combined, strict=True)]
        return dx, ds, dy, [a - b for a, b in zip(free, self.point.free, strict=True)]


def precise_path(
    problem: ConicProblem, precision: int, iterations: int, start: Sequence[FloatPoint] = ()
) -> Iterator[PrecisePoint]:
    """Yield the iterates of the method with ``precision`` bits, until no step is possible or the limit is reached.

    The working precision of Arb is set while an iterate is computed and restored before it is yielded.

    Args:
        problem: The program.
        precision: Working precision in bits.
        iterations: How many iterates to yield at most.
        start: Float points from the most central to the best; the method starts from the last one that is central
            enough, and from multiples of the identity where none is.

    Raises:
        ValueError: If the problem has a cone other than free, zero, nonnegative or PSD.
    """
    with _working(precision):
        prepared = precise_problem(problem)
        warm = (from_floats(problem, prepared, given) for given in reversed(start))
        point = next((found for found in warm if found is not None and is_central(found)), None) or starting_point(
            prepared
        )
    for _ in range(iterations):
        with _working(precision):
            following = _advance(prepared, point)
        if following is None:
            return
        point = following
        yield point


def centred(problem: ConicProblem, point: PrecisePoint, precision: int) -> PrecisePoint:
    """Return the point after one full step to the centre, which takes off all its infeasibility, if X allows the step.

    Taking it off in the metric of the point keeps X positive definite where the least correction would not.
    """
    with _working(precision):
        prepared = precise_problem(problem)
        system = _system(prepared, point)
        if system is None:
            return point
        dx, ds, dy, free = system.direction(arb(1), None)
        steps = _steps(point, dx, ds)
        if steps is None or min(steps) < ALMOST_FULL:
            return point
        return _moved(prepared, point, (dx, ds, dy, free), (1.0, 1.0))


@contextmanager
def _working(precision: int) -> Iterator[None]:
    before = ctx.prec
    try:
        ctx.prec = precision
        yield
    finally:
        ctx.prec = before


def _advance(problem: PreciseProblem, point: PrecisePoint) -> PrecisePoint | None:
    system = _system(problem, point)
    if system is None:
        return None
    predicted = system.direction(arb(0), None)
    steps = _steps(point, predicted[0], predicted[1])
    if steps is None:
        return None
    target = _gap_after(point, predicted[0], predicted[1], steps) / problem.degree
    centring = min(1.0, max(0.01, float(target / system.mu) ** 2))
    if min(steps) < 0.2:
        centring = max(centring, 0.3)
    correction = [scaled_product(dx, ds, inv) for dx, ds, inv in zip(*predicted[:2], system.inverses, strict=True)]
    dx, ds, dy, free = system.direction(arb(centring), correction)
    steps = _steps(point, dx, ds)
    if steps is None or max(steps) < SMALL_STEP:
        return None
    return _moved(problem, point, (dx, ds, dy, free), steps)


def _moved(
    problem: PreciseProblem, point: PrecisePoint, direction: Direction, steps: tuple[float, float]
) -> PrecisePoint:
    dx, ds, dy, free = direction
    primal, dual = arb(steps[0]), arb(steps[1])
    return measured(
        problem,
        [(a + d * primal).mid() for a, d in zip(point.x, dx, strict=True)],
        [(a + d * dual).mid() for a, d in zip(point.s, ds, strict=True)],
        [(a + d * dual).mid() for a, d in zip(point.y, dy, strict=True)],
        [(a + d * primal).mid() for a, d in zip(point.free, free, strict=True)],
    )


def _system(problem: PreciseProblem, point: PrecisePoint) -> System | None:
    count, extra = len(point.y), len(point.free)
    try:
        inverses = tuple(symmetric_part(part.inv()) for part in point.s)
        whole = arb_mat(count + extra, count + extra)
        for block, part, inv in zip(problem.blocks, point.x, inverses, strict=True):
            for i, row in zip(block.active, block.schur(part, inv), strict=True):
                for j, value in zip(block.active, row, strict=True):
                    whole[i, j] = (whole[i, j] + value).mid()
        for i in range(count):
            for j in range(extra):
                whole[i, count + j] = whole[count + j, i] = problem.free[i, j]
        solver = whole.inv().mid()
    except ZeroDivisionError:
        return None
    mu = sum((inner(a, b) for a, b in zip(point.x, point.s, strict=True)), arb(0)) / problem.degree
    return System(problem, point, mu.mid(), inverses, residuals(problem, point.s, point.y), solver)


def _steps(point: PrecisePoint, dx: Sequence[arb_mat], ds: Sequence[arb_mat]) -> tuple[float, float] | None:
    lengths = []
    for parts, directions in ((point.x, dx), (point.s, ds)):
        longest = 1.0 / BOUNDARY_FRACTION
        for part, direction in zip(parts, directions, strict=True):
            step = longest_step(part, direction)
            if step is None:
                return None
            longest = min(longest, step)
        lengths.append(BOUNDARY_FRACTION * longest)
    return lengths[0], lengths[1]


def _gap_after(point: PrecisePoint, dx: Sequence[arb_mat], ds: Sequence[arb_mat], steps: tuple[float, float]) -> arb:
    primal, dual = arb(steps[0]), arb(steps[1])
    return sum(
        (inner(x + d * primal, s + e * dual) for x, d, s, e in zip(point.x, dx, point.s, ds, strict=True)),
        arb(0),
    )
