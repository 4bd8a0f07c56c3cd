"""Search for facial reduction: exposing vectors one after another, until the rest has interior or a ray appears."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from flint import fmpq, fmpz_mat

from certify.certificates.conic.auxiliary import SHIFT, exposing_problem, recession_problem, supports_reduction
from certify.certificates.conic.dyadic import grid_matrix, grid_row, nearest_float
from certify.certificates.conic.exposing import Exposure, Ray, exact_exposure
from certify.certificates.conic.precise_grid import exact_multipliers, exact_parts
from certify.certificates.conic.recession import ExposingPoint, RecessionRay, exact_ray
from certify.certificates.conic.refine import Effort, most_accurate, precise_points, work
from certify.certificates.conic.restriction import (
    DualRestriction,
    restored_point,
    restricted_dual,
    restricted_primal,
    tidied,
)
from certify.checker.conic.check import farkas_ray, recession_ray
from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite, Zero, order
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.reduction import reduce_dual, reduce_primal
from certify.checker.conic.witnesses import BlockPoint, DualPoint, Face, PrimalPoint
from certify.checker.exact import Matrix, identity, matrix
from certify.solvers.conic.arrays import FloatArray, float_problem
from certify.solvers.conic.interior import solve_with_interior_point

STEPS = 12
CLEAR = 1e-3
"""A level t above this says that there is nothing to find,"""

CERTAIN = 1e3
"""and so does one above this many times its uncertainty."""

PRECISE_EFFORTS = ((Effort(512, 1e-50, 120, 12), 3e6), (Effort(1280, 1e-125, 240, 12), 3e6))
"""What is tried after a float solution, each up to so many operations in one iteration."""

FLOAT_BITS = 60


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
                faces = tidied(reduction.faces)
                restricted = restricted_primal(problem, faces)
                found = PrimalReduction((*found.exposures, vector), faces, restricted, None)
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
                found = DualReduction(
                    (*found.exposures, point), restricted_dual(problem, tidied(reduction.faces)), None
                )
            case _:
                assert_never(step)
    return found


@dataclass(frozen=True, slots=True)
class AuxiliarySolution:
    """X block by block and y (1 x m) of an auxiliary program, and about how accurate they are."""

    x: tuple[Matrix, ...]
    y: Matrix
    accuracy: float

    def rules_out(self, level: float) -> bool:
        """Return whether the least level t is clearly positive, so that there is nothing to find."""
        return level > CLEAR or level > CERTAIN * self.accuracy


def _primal_step(problem: ConicProblem) -> Exposure | Ray | None:
    count = problem.constraint_count
    for solution in _solutions(exposing_problem(problem)):
        if solution.rules_out(nearest_float(solution.y.entry(0, count))):
            return None
        vector = solution.y.select([0], range(count))
        if not vector.numerators.is_zero() and (found := exact_exposure(problem, vector)) is not None:
            return found
    return None


def _dual_step(problem: ConicProblem) -> ExposingPoint | RecessionRay | None:
    for solution in _solutions(recession_problem(problem)):
        level = solution.x[-1].entry(0, 0) - SHIFT
        if solution.rules_out(nearest_float(level)):
            return None
        if (found := exact_ray(problem, _unshifted(problem, solution.x, level))) is not None:
            return found
    return None


def _unshifted(problem: ConicProblem, parts: Sequence[Matrix], level: fmpq) -> list[Matrix]:
    """Return X from the blocks ``X + t E`` of the auxiliary program; zero blocks are put back."""
    given = iter(parts)
    blocks = []
    for part in problem.blocks:
        size = order(part.cone)
        match part.cone:
            case Zero():
                blocks.append(matrix(fmpz_mat(1, size)))
            case Nonnegative():
                blocks.append(next(given) - matrix(fmpz_mat(1, size, [1] * size)).scaled(level))
            case PositiveSemidefinite():
                blocks.append(next(given) - identity(size).scaled(level))
            case _:
                blocks.append(next(given))
    return blocks


def _solutions(problem: ConicProblem) -> Iterator[AuxiliarySolution]:
    """Yield a float solution of an auxiliary program, and better ones where they are cheap enough."""
    solution = solve_with_interior_point(float_problem(problem))
    point = solution.point
    yield AuxiliarySolution(tuple(map(_read, point.x)), grid_row(point.y, FLOAT_BITS), solution.accuracy)
    for effort, most in PRECISE_EFFORTS:
        points = precise_points(problem, effort) if work(problem) < most else []
        if points:
            best, bits = points[most_accurate(points)], effort.precision
            yield AuxiliarySolution(exact_parts(problem, best, bits), exact_multipliers(best, bits), best.worst)


def _read(part: FloatArray) -> Matrix:
    return grid_row(part, FLOAT_BITS) if part.ndim == 1 else grid_matrix((part + part.T) / 2, FLOAT_BITS)
