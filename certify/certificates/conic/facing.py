"""Bounds by facial reduction, for programs without interior on one side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from flint import fmpq, fmpz

from certify.certificates.conic.dual import first_broken
from certify.certificates.conic.ends import Ends, Failure, Lower, Upper
from certify.certificates.conic.plain import Report, plain_ends
from certify.certificates.conic.primal import repair_tools
from certify.certificates.conic.reduction import DualReduction, PrimalReduction
from certify.certificates.conic.restriction import restored_faces, restored_point
from certify.checker.conic.check import lower_bound, upper_bound
from certify.checker.conic.cones import order
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.linear import combine
from certify.checker.conic.nearby import lifted
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import DualPoint, NearbyPrimalPoint, PrimalPoint, PrimalProof
from certify.checker.psd import quickly_psd
from certify.solvers.conic.solve import Backend

QUICK_ORDER = 40
LIFTS = (0, 8, 16, 24, 32, 40, 50, 60, 80, 100, 130, 170, 220, 290, 380, 500, 650, 850, 1100, 1450, 1900, 2500, 3300)
"""Powers of two by which exposing vectors are weighted to turn a y for the faces into a y for the whole cone."""


def primal_face_ends(
    problem: ConicProblem, reduction: PrimalReduction, backends: Sequence[Backend], digits: int, report: Report
) -> Ends:
    """Return bounds from (P) on its faces: X lifts to the whole cone, y bounds inf (P), and may lift as well."""
    local = plain_ends(repair_tools(reduction.restricted, interior_only=True), backends, digits, report)
    upper = None if local.upper is None else _lifted_upper(problem, reduction, local.upper.proof)
    lower = plain = None
    if local.lower is not None:
        point = DualPoint(reduction.exposures, local.lower.point.multipliers)
        lower = _checked_lower(problem, point)
        plain = _lifted_lower(problem, point)
    return Ends(plain, upper, lower, None, _told(local, "on the face"), local.solve_seconds)


def dual_face_ends(
    problem: ConicProblem, reduction: DualReduction, backends: Sequence[Backend], digits: int, report: Report
) -> Ends:
    """Return bounds from (D) on its faces: y is feasible for (D) itself, X bounds sup (D)."""
    local = plain_ends(repair_tools(reduction.restriction.problem, exact_only=True), backends, digits, report)
    lower = None if local.lower is None else _checked_lower(problem, local.lower.point)
    upper = None
    if local.upper is not None and isinstance(local.upper.proof, PrimalPoint):
        blocks = restored_point(problem, reduction.restriction, local.upper.proof.blocks)
        upper = _checked_upper(problem, PrimalPoint(reduction.exposures, blocks))
    return Ends(lower, None, None, upper, _told(local, "on the face of (D)"), local.solve_seconds)


def _told(local: Ends, where: str) -> tuple[Failure, ...]:
    return tuple(Failure(failure.end, f"{where}, {failure.why}") for failure in local.failures)


def _lifted_upper(problem: ConicProblem, reduction: PrimalReduction, proof: PrimalProof) -> Upper | None:
    match proof:
        case PrimalPoint(_, blocks):
            restored = restored_faces(reduction.faces, blocks)
            whole = tuple(lifted(face, value) for face, value in zip(reduction.faces, restored, strict=True))
            return _checked_upper(problem, PrimalPoint((), whole))
        case NearbyPrimalPoint():
            restored = restored_faces(reduction.faces, proof.blocks)
            near = NearbyPrimalPoint(reduction.faces, restored, proof.dropped, proof.dependencies, proof.eigenvalue)
            return _checked_upper(problem, near)
    assert_never(proof)


def _lifted_lower(problem: ConicProblem, point: DualPoint) -> Lower | None:
    """Return a plain dual point: each exposing vector, weighted heavily enough, lifts the slack to a larger face."""
    current: Lower | None = _checked_lower(problem, point)
    for kept in reversed(range(len(point.exposures))):
        if current is None:
            return None
        multipliers, vector, before = current.point.multipliers, point.exposures[kept], point.exposures[:kept]
        tries = (DualPoint(before, multipliers - vector.scaled(fmpq(fmpz(1) << power))) for power in LIFTS)
        found = next((lifted for lifted in tries if _is_inside(problem, lifted)), None)
        # The first weight that works may leave the slack singular where the next vector has to lift it: add as much.
        twice = None if found is None else DualPoint(before, found.multipliers + found.multipliers - multipliers)
        current = None if twice is None else _checked_lower(problem, twice)
    return current


def _is_inside(problem: ConicProblem, point: DualPoint) -> bool:
    """Return whether a dual point holds; where blocks are large only a quick proof counts, since refuting is slow."""
    if not point.exposures and any(order(part.cone) > QUICK_ORDER for part in problem.blocks):
        large = [part for part in problem.blocks if part.is_matrix and order(part.cone) > QUICK_ORDER]
        if not all(quickly_psd(dense_matrix(combine(part, 1, point.multipliers))) for part in large):
            return False
    return _checked_lower(problem, point) is not None


def _checked_lower(problem: ConicProblem, point: DualPoint) -> Lower | None:
    bound = lower_bound(problem, point)
    return None if bound.value is None or first_broken(bound.obligations) else Lower(point, bound.value)


def _checked_upper(problem: ConicProblem, proof: PrimalProof) -> Upper | None:
    bound = upper_bound(problem, proof)
    return None if bound.value is None or first_broken(bound.obligations) else Upper(proof, bound.value)
