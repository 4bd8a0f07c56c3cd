"""Bounds with many digits: exact points from the multiprecision interior-point method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from flint import arb, fmpq

from certify.certificates.conic.draft import Draft
from certify.certificates.conic.dual import first_broken
from certify.certificates.conic.dyadic import float_block_of
from certify.certificates.conic.precise_grid import exact_multipliers, exact_parts
from certify.certificates.conic.primal import Tools, proof_near
from certify.checker.conic.check import lower_bound
from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Rotated, SecondOrder, Zero, order
from certify.checker.conic.problem import ConicProblem, block
from certify.checker.conic.witnesses import DualPoint, PrimalProof
from certify.solvers.conic.arrays import FloatPoint
from certify.solvers.conic.precise_interior import centred, precise_path
from certify.solvers.conic.precise_points import PrecisePoint

TRIES = 8
GUARD_BITS = 48
DUAL_FEASIBLE = 1e-15
CENTRED = 3
MOVING = (Nonnegative, PositiveSemidefinite, SecondOrder, Rotated)
KNOWN = (*MOVING, Free, Zero)


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to try.

    Attributes:
        precision: Working precision in bits.
        gap: The relative gap and infeasibility to stop at.
        iterations: How many iterations at most.
        patience: After how many iterations without progress to stop.
    """

    precision: int
    gap: float
    iterations: int
    patience: int


def effort_for(digits: int) -> Effort:
    """Return the effort that a bracket of so many relative digits takes on a problem with interior."""
    return Effort(128 + 12 * digits, 10.0 ** -(digits + 2), 200, 12)


def stubborn_effort(digits: int) -> Effort:
    """Return the effort for a problem on which an ordinary one failed: ill-posed ones converge late, after detours."""
    return Effort(416 + 24 * digits, 10.0 ** -(digits + 4), 200 + 10 * digits, 80)


def work(problem: ConicProblem) -> float:
    """Return a rough count of multiprecision operations in one iteration, infinite where a cone is not supported."""
    cones = [part.cone for part in problem.blocks]
    if not any(isinstance(cone, MOVING) for cone in cones) or not all(isinstance(cone, KNOWN) for cone in cones):
        return np.inf
    total = float(problem.constraint_count) ** 3
    for part in problem.blocks:
        if isinstance(part.cone, PositiveSemidefinite | SecondOrder | Rotated):
            active = len(set(part.constraints) - {0})
            total += 2.0 * active * order(part.cone) ** 3 + float(active) * len(part.constraints)
    return total


def precise_points(problem: ConicProblem, effort: Effort, start: Sequence[FloatPoint] = ()) -> list[PrecisePoint]:
    """Return the iterates until the effort is spent; ``start`` warms the method up."""
    visited: list[PrecisePoint] = []
    best = 0
    for point in precise_path(problem, effort.precision, effort.iterations, start):
        visited.append(point)
        if point.worst < visited[best].worst:
            best = len(visited) - 1
        if visited[best].worst < effort.gap or len(visited) - best > effort.patience:
            break
    for k in range(max(0, best - CENTRED), best + 1 if visited else 0):
        visited[k] = centred(problem, visited[k], effort.precision)
    return visited


def most_accurate(points: Sequence[PrecisePoint]) -> int:
    """Return the place of the iterate with the least gap and infeasibilities."""
    return min(range(len(points)), key=lambda k: points[k].worst)


def independent_points(tools: Tools, effort: Effort, start: Sequence[FloatPoint]) -> list[PrecisePoint]:
    """Return the iterates of the problem without the equations that depend on others; their y is zero."""
    kept = [int(index) for index in tools.correction.kept]
    if len(kept) == tools.problem.constraint_count:
        return precise_points(tools.problem, effort, start)
    fewer = [FloatPoint(point.x, point.y[kept]) for point in start]
    points = precise_points(with_equations(tools.problem, kept), effort, fewer)
    return [replace(point, y=_padded(point.y, kept, tools.problem.constraint_count)) for point in points]


def with_equations(problem: ConicProblem, kept: Sequence[int]) -> ConicProblem:
    """Return the problem with some of its equations, counted from zero, in the given order."""
    place = {index + 1: k for k, index in enumerate(kept, 1)} | {0: 0}
    blocks = [
        block(
            part.cone,
            (
                (place[constraint], row, column, fmpq(numerator, part.values.denominator))
                for constraint, row, column, numerator in part.entries()
                if constraint in place
            ),
        )
        for part in problem.blocks
    ]
    right = problem.right_hand_side.select([0], kept)
    return ConicProblem(problem.reading, problem.source_value, tuple(blocks), right, problem.offset)


def _padded(y: Sequence[arb], kept: Sequence[int], count: int) -> tuple[arb, ...]:
    given = dict(zip(kept, y, strict=True))
    return tuple(given.get(index, arb(0)) for index in range(count))


def precise_dual(problem: ConicProblem, points: Sequence[PrecisePoint]) -> tuple[DualPoint, fmpq] | str:
    """Return an exact dual point from the iterate of best bound that gives one, or why none does.

    Where (P) is hardly feasible the bound goes on rising long after gap and infeasibilities were least.
    """
    reason = "the multiprecision method made no step"
    feasible = [point for point in reversed(points) if point.dual < DUAL_FEASIBLE]
    for point in sorted(feasible, key=lambda point: -point.bound)[:TRIES]:
        candidate = DualPoint((), exact_multipliers(point, _bits(point)))
        bound = lower_bound(problem, candidate)
        broken = first_broken(bound.obligations)
        if broken is None and bound.value is not None:
            return candidate, bound.value
        reason = broken or reason
    return reason


def precise_primal(tools: Tools, points: Sequence[PrecisePoint]) -> tuple[PrimalProof, fmpq] | str:
    """Return a primal proof from the most accurate iterate that gives one, or why none does."""
    reason = "the multiprecision method made no step"
    upto = points[: most_accurate(points) + 1] if points else []
    for point in reversed(upto[-TRIES:]):
        bits = _bits(point)
        parts = exact_parts(tools.problem, point, bits)
        shape = tuple(float_block_of(part) for part in parts)
        found = proof_near(tools, Draft((False,) * len(parts), parts), bits, shape)
        if not isinstance(found, str):
            return found
        reason = found
    return reason


def _bits(point: PrecisePoint) -> int:
    """Return the bits of a grid well below the eigenvalues of the iterate."""
    return GUARD_BITS + int(np.ceil(2 * max(0.0, -np.log2(max(point.mu, 1e-290)))))
