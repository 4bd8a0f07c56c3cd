"""Bounds from points of the program itself: float solves repaired, then multiprecision where floats fall short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TypeAlias

import numpy as np
from flint import fmpq

from certify.certificates.conic.centres import dual_centre, primal_centre
from certify.certificates.conic.dual import dual_point
from certify.certificates.conic.dyadic import grid_matrix, grid_row
from certify.certificates.conic.ends import End, Ends, Failure, Lower, Upper, joined
from certify.certificates.conic.exactly import exact_ends
from certify.certificates.conic.precise_grid import exact_multipliers, exact_parts
from certify.certificates.conic.primal import Tools, primal_proof, projected
from certify.certificates.conic.refine import (
    Effort,
    effort_for,
    independent_points,
    most_accurate,
    precise_dual,
    precise_primal,
    stubborn_effort,
    work,
)
from certify.checker.conic.witnesses import DualPoint, PrimalProof
from certify.solvers.conic.arrays import (
    BlockArrays,
    FloatArray,
    FloatBlock,
    FloatPoint,
    FloatProblem,
    FloatSolution,
)
from certify.solvers.conic.precise_points import PrecisePoint
from certify.solvers.conic.solve import Backend, backends_for, solve

Report: TypeAlias = Callable[[str], None]
"""Called with what is being done, in words."""

REFINED_WORK = 6e7
"""Refinement is tried unasked up to this many multiprecision operations in one iteration."""

ASKED_WORK = 2e9
FLOAT_DIGITS = 12
GUESSED_DIGITS = 5
FLOAT_BITS = 60
TINY_WORK = 2e5
STUBBORN_WORK = 1e7
CENTRED_ENTRIES = 20_000


def float_ends(tools: Tools, backends: Sequence[Backend], report: Report) -> tuple[Ends, tuple[FloatPoint, ...]]:
    """Return bounds from float solves, one backend after another until both ends are certified.

    The float points of the first backend come along, to start a refinement from.
    """
    ends = Ends()
    first: tuple[FloatPoint, ...] | None = None
    for backend in backends:
        report(f"solving with {backend}")
        started = perf_counter()
        solution = solve_independent(tools, backend)
        seconds = perf_counter() - started
        first = first or tuple(FloatPoint(projected(tools, p.x), p.y) for p in (*solution.path, solution.point))
        report(f"rounding what {backend} returned")
        ends = joined(ends, replace(repaired_ends(tools, solution, f"from {backend}"), solve_seconds=seconds))
        if ends.lower is not None and ends.upper is not None:
            break
    return ends, first or ()


def solve_independent(tools: Tools, backend: Backend) -> FloatSolution:
    """Return a float solution of the problem without the equations that depend on others; their y is zero."""
    kept, floats = tools.correction.kept, tools.floats
    if len(kept) == len(floats.right_hand_side):
        return solve(floats, backend)
    blocks = tuple(FloatBlock(block.cone, block.cost, block.rows[kept]) for block in floats.blocks)
    solution = solve(FloatProblem(blocks, floats.right_hand_side[kept]), backend)

    def padded(point: FloatPoint) -> FloatPoint:
        y = np.zeros(len(floats.right_hand_side))
        y[kept] = point.y
        return FloatPoint(point.x, y)

    return replace(solution, point=padded(solution.point), path=tuple(map(padded, solution.path)))


def repaired_ends(tools: Tools, solution: FloatSolution, source: str) -> Ends:
    """Return the bounds that the points of one float solution give after repair."""
    path: list[FloatPoint] = [*solution.path, solution.point]
    lower = repaired_dual(tools, [point.y for point in path])
    upper = repaired_primal(tools, [point.x for point in path])
    ends = ends_of(lower, upper, f"{source} ({solution.message})")
    return joined(ends, _guessed_from_floats(tools, path[-1])) if _may_guess(tools, ends) else ends


def _may_guess(tools: Tools, ends: Ends) -> bool:
    """Return whether the bounds are close enough for an exact optimum to be guessed, and interior points not wanted."""
    return not tools.interior_only and is_close(ends, GUESSED_DIGITS)


def _guessed_from_floats(tools: Tools, point: FloatPoint) -> Ends:
    x = projected(tools, point.x)
    parts = [
        grid_row(part, FLOAT_BITS) if part.ndim == 1 else grid_matrix((part + part.T) / 2, FLOAT_BITS) for part in x
    ]
    return exact_ends(tools.problem, parts, grid_row(point.y, FLOAT_BITS))


def repaired_dual(tools: Tools, path: Sequence[FloatArray]) -> tuple[DualPoint, fmpq] | str:
    """Return an exact dual point near float ones, moved toward an interior point found apart where they need one."""
    found = dual_point(tools.problem, tools.floats, path)
    if not isinstance(found, str) or not is_worth_centring(tools):
        return found
    centre = dual_centre(tools.floats)
    return found if centre is None else dual_point(tools.problem, tools.floats, [centre, *path])


def repaired_primal(tools: Tools, path: Sequence[BlockArrays]) -> tuple[PrimalProof, fmpq] | str:
    """Return a primal proof near float points, moved toward an interior point found apart where they need one."""
    found = primal_proof(tools, path)
    if not isinstance(found, str) or not is_worth_centring(tools):
        return found
    centre = primal_centre(tools.floats)
    return found if centre is None else primal_proof(tools, [centre, *path])


def is_worth_centring(tools: Tools) -> bool:
    """Return whether the problem is small enough to be solved once more for an interior point."""
    return sum(len(block.cost.ravel()) for block in tools.floats.blocks) <= CENTRED_ENTRIES


def refined_ends(tools: Tools, effort: Effort, start: Sequence[FloatPoint], report: Report) -> Ends:
    """Return bounds from the multiprecision method, started from float points where they are good enough."""
    report(f"solving with {effort.precision} bits")
    started = perf_counter()
    points = independent_points(tools, effort, start)
    seconds = perf_counter() - started
    report(f"rounding from {effort.precision} bits")
    lower = precise_dual(tools.problem, points)
    upper = precise_primal(tools, points)
    ends = replace(ends_of(lower, upper, f"at {effort.precision} bits"), solve_seconds=seconds)
    return joined(ends, _guessed(tools, points, effort)) if _may_guess(tools, ends) else ends


def _guessed(tools: Tools, points: Sequence[PrecisePoint], effort: Effort) -> Ends:
    best = points[most_accurate(points)]
    x = exact_parts(tools.problem, best, effort.precision)
    return exact_ends(tools.problem, x, exact_multipliers(best, effort.precision))


def plain_ends(tools: Tools, backends: Sequence[Backend], digits: int, report: Report) -> Ends:
    """Return bounds from float solves, refined where they miss ``digits`` relative digits and the problem is small."""
    ends, points = float_ends(tools, backends or backends_for(tools.floats), report)
    return ends if is_close(ends, digits) else joined(ends, refined_if_small(tools, digits, points, report))


def is_close(ends: Ends, digits: int) -> bool:
    """Return whether the plain bounds agree to so many relative digits."""
    gap = ends.relative_gap()
    return gap is not None and gap <= fmpq(1, 10**digits)


def refined_if_small(tools: Tools, digits: int, start: Sequence[FloatPoint], report: Report) -> Ends:
    """Return bounds from the multiprecision method, none where the problem is too large for the digits asked."""
    operations = work(tools.problem)
    if operations > (ASKED_WORK if digits > FLOAT_DIGITS else REFINED_WORK):
        return Ends()
    ends = refined_ends(tools, effort_for(digits), start, report)
    if is_close(ends, digits) or operations > (STUBBORN_WORK if digits > FLOAT_DIGITS else TINY_WORK):
        return ends
    return joined(ends, refined_ends(tools, stubborn_effort(digits), (), report))


def ends_of(lower: tuple[DualPoint, fmpq] | str, upper: tuple[PrimalProof, fmpq] | str, source: str) -> Ends:
    """Return the bounds found, and why those are missing that were not."""
    failures = [
        Failure(end, f"{source}: {found}")
        for end, found in ((End.LOWER, lower), (End.UPPER, upper))
        if isinstance(found, str)
    ]
    return Ends(
        None if isinstance(lower, str) else Lower(*lower),
        None if isinstance(upper, str) else Upper(*upper),
        failures=tuple(failures),
    )
