"""Search for facial reduction: exposing vectors one after another, until the rest has interior or a ray appears."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from certify.certificates.conic.auxiliary import SHIFT, exposing_problem, recession_problem, supports_reduction
from certify.certificates.conic.dyadic import float_block_of, float_row
from certify.certificates.conic.exposing import Exposure, Ray, exact_exposure
from certify.certificates.conic.precise_grid import exact_multipliers, exact_parts
from certify.certificates.conic.recession import ExposingPoint, RecessionRay, exact_ray
from certify.certificates.conic.refine import Effort, precise_points, work
from certify.certificates.conic.restriction import (
    DualRestriction,
    restored_point,
    restricted_dual,
    restricted_primal,
)
from certify.checker.conic.check import farkas_ray, recession_ray
from certify.checker.conic.cones import Nonnegative, Zero
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.reduction import reduce_dual, reduce_primal
from certify.checker.conic.witnesses import BlockPoint, DualPoint, Face, PrimalPoint
from certify.checker.exact import Matrix
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatPoint, float_problem
from certify.solvers.conic.interior import solve_with_interior_point

STEPS = 12
CLEAR = 1e-3
"""A level t above this says that there is nothing to find."""

PRECISE_EFFORT = Effort(320, 1e-25, 90)
PRECISE_WORK = 3e6
PRECISE_BITS = 200


@dataclass(frozen=True, slots=True)
class PrimalReduction:
    """What is known of side (P): exposing vectors, the faces they leave, (P) on them, and a Farkas ray if any."""

    exposures: tuple[Matrix, ...]
    faces: tuple[Face, ...]
    restricted: ConicProblem
    ray: DualPoint | None


@dataclass(frozen=True, slots=True)
class DualReduction:
    """What is known of side (D): exposing points, (D) on the faces they leave, and a recession ray if any."""

    exposures: tuple[tuple[BlockPoint, ...], ...]
    restriction: DualRestriction
    ray: PrimalPoint | None


def reduce_primal_side(problem: ConicProblem) -> PrimalReduction:
    """Look for exposing vectors and a Farkas ray of side (P)."""
    found = PrimalReduction((), reduce_primal(problem, ()).faces, problem, None)
    for _ in range(STEPS if supports_reduction(problem) else 0):
        step = _primal_step(found.restricted)
        match step:
            case None:
                break
            case Ray(vector):
                ray = DualPoint(found.exposures, vector)
                if all(each.holds for each in farkas_ray(problem, ray)):
                    return PrimalReduction(found.exposures, found.faces, found.restricted, ray)
                break
            case Exposure(vector):
                reduction = reduce_primal(problem, (*found.exposures, vector))
                if not reduction.holds:
                    break
                restricted = restricted_primal(problem, reduction.faces)
                found = PrimalReduction((*found.exposures, vector), reduction.faces, restricted, None)
            case _:
                assert_never(step)
    return found


def reduce_dual_side(problem: ConicProblem) -> DualReduction:
    """Look for exposing points and a recession ray of side (D)."""
    found = DualReduction((), restricted_dual(problem, reduce_dual(problem, ()).faces), None)
    for _ in range(STEPS if supports_reduction(problem) else 0):
        step = _dual_step(found.restriction.problem)
        match step:
            case None:
                break
            case RecessionRay(blocks):
                ray = PrimalPoint(found.exposures, restored_point(problem, found.restriction, blocks))
                if all(each.holds for each in recession_ray(problem, ray)):
                    return DualReduction(found.exposures, found.restriction, ray)
                break
            case ExposingPoint(blocks):
                point = restored_point(problem, found.restriction, blocks)
                reduction = reduce_dual(problem, (*found.exposures, point))
                if not reduction.holds:
                    break
                found = DualReduction((*found.exposures, point), restricted_dual(problem, reduction.faces), None)
            case _:
                assert_never(step)
    return found


def _primal_step(problem: ConicProblem) -> Exposure | Ray | None:
    floats = float_problem(problem)
    for point in _solutions(exposing_problem(problem)):
        y, level = point.y[:-1], float(point.y[-1])
        if level > CLEAR:
            return None
        if np.any(y) and (found := exact_exposure(problem, floats, y)) is not None:
            return found
    return None


def _dual_step(problem: ConicProblem) -> ExposingPoint | RecessionRay | None:
    floats = float_problem(problem)
    for point in _solutions(recession_problem(problem)):
        level = float(point.x[-1][0]) - SHIFT
        if level > CLEAR:
            return None
        x = _unshifted(problem, point.x, level)
        if any(np.any(part) for part in x) and (found := exact_ray(problem, floats, x)) is not None:
            return found
    return None


def _unshifted(problem: ConicProblem, parts: BlockArrays, level: float) -> BlockArrays:
    """Return X from the blocks ``X + t E`` of the auxiliary program; zero blocks are put back."""
    given = iter(parts)
    blocks: list[FloatArray] = []
    for part in problem.blocks:
        value = np.zeros(part.cone.size) if isinstance(part.cone, Zero) else next(given)
        if value.ndim == 2:
            value = value - level * np.eye(len(value))
        elif isinstance(part.cone, Nonnegative):
            value = value - level
        blocks.append(value)
    return tuple(blocks)


def _solutions(problem: ConicProblem) -> Iterator[FloatPoint]:
    """Yield a float solution of an auxiliary program, and a better one where that is cheap enough."""
    yield solve_with_interior_point(float_problem(problem)).point
    if work(problem) < PRECISE_WORK:
        points = precise_points(problem, PRECISE_EFFORT)
        if points:
            parts = exact_parts(problem, points[-1], PRECISE_BITS)
            y = float_row(exact_multipliers(points[-1], PRECISE_BITS))
            yield FloatPoint(tuple(map(float_block_of, parts)), y)
