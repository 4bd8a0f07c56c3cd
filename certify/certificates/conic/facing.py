"""Bounds by facial reduction, for programs without interior on one side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from flint import fmpq, fmpz

from certify.certificates.conic.dual import first_broken
from certify.certificates.conic.ends import Ends, Lower, Upper
from certify.certificates.conic.plain import plain_ends
from certify.certificates.conic.reduction import DualReduction, PrimalReduction
from certify.certificates.conic.restriction import restored_faces, restored_point
from certify.checker.conic.check import lower_bound, upper_bound
from certify.checker.conic.nearby import lifted
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import DualPoint, NearbyPrimalPoint, PrimalPoint, PrimalProof
from certify.solvers.conic.solve import Backend

LIFTS = (0, 10, 20, 30, 45, 60, 80, 120)
"""Powers of two by which exposing vectors are weighted to turn a y for the faces into a y for the whole cone."""


def primal_face_ends(
    problem: ConicProblem, reduction: PrimalReduction, backends: Sequence[Backend], digits: int
) -> Ends:
    """Return bounds from (P) on its faces: X lifts to the whole cone, y bounds inf (P), and may lift as well."""
    local = plain_ends(reduction.restricted, backends, digits)
    upper = None if local.upper is None else _lifted_upper(problem, reduction, local.upper.proof)
    lower = plain = None
    if local.lower is not None:
        point = DualPoint(reduction.exposures, local.lower.point.multipliers)
        lower = _checked_lower(problem, point)
        plain = _lifted_lower(problem, point)
    reasons = tuple(f"on the face: {reason}" for reason in local.reasons)
    return Ends(plain, upper, lower, None, reasons)


def dual_face_ends(problem: ConicProblem, reduction: DualReduction, backends: Sequence[Backend], digits: int) -> Ends:
    """Return bounds from (D) on its faces: y is feasible for (D) itself, X bounds sup (D)."""
    local = plain_ends(reduction.restriction.problem, backends, digits, exact_only=True)
    lower = None if local.lower is None else _checked_lower(problem, local.lower.point)
    upper = None
    if local.upper is not None and isinstance(local.upper.proof, PrimalPoint):
        blocks = restored_point(problem, reduction.restriction, local.upper.proof.blocks)
        upper = _checked_upper(problem, PrimalPoint(reduction.exposures, blocks))
    reasons = tuple(f"on the face of (D): {reason}" for reason in local.reasons)
    return Ends(lower, None, None, upper, reasons)


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
    """Return a plain dual point: the exposing vectors, weighted heavily, lift the slack off the faces."""
    for power in LIFTS:
        multipliers = point.multipliers
        for step, vector in enumerate(reversed(point.exposures), 1):
            multipliers = multipliers - vector.scaled(fmpq(fmpz(1) << power * step))
        found = _checked_lower(problem, DualPoint((), multipliers))
        if found is not None:
            return found
    return None


def _checked_lower(problem: ConicProblem, point: DualPoint) -> Lower | None:
    bound = lower_bound(problem, point)
    return None if bound.value is None or first_broken(bound.obligations) else Lower(point, bound.value)


def _checked_upper(problem: ConicProblem, proof: PrimalProof) -> Upper | None:
    bound = upper_bound(problem, proof)
    return None if bound.value is None or first_broken(bound.obligations) else Upper(proof, bound.value)
