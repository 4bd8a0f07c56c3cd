"""Facial reduction: exposing vectors that confine every feasible point to a face (theory.md section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from flint import fmpq

from certify.checker.conic.cones import Cone, dual_cone
from certify.checker.conic.faces import Element, exposed, why_outside_dual
from certify.checker.conic.linear import combine, dot, evaluate, why_misfit
from certify.checker.conic.objection import Objection, obligation
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import BlockPoint, Congruence, Face, Generated, WholeCone
from certify.checker.exact import Matrix
from certify.checker.verdict import Obligation


@dataclass(frozen=True, slots=True)
class Reduction:
    """One face for each block that carries all feasible points, if every obligation holds."""

    faces: tuple[Face, ...]
    obligations: tuple[Obligation, ...]

    @property
    def holds(self) -> bool:
        """Whether every exposing vector does what it should."""
        return all(entry.holds for entry in self.obligations)


def reduce_primal(problem: ConicProblem, exposures: Sequence[Matrix]) -> Reduction:
    """Return faces of K that contain every primal feasible X.

    Sound because, by induction, every feasible X lies in the face F so far: an exposing vector y has
    ``Z = sum y_i A_i`` in F* and ``<Z, X> = b'y = 0``, so X lies in the part of F orthogonal to Z, which is the next
    face. Without exposing vectors F = K.
    Proof: ``primal_face_sound``.
    """
    reduction = Reduction((WholeCone(),) * len(problem.blocks), ())
    for vector in exposures:
        objection = why_not_multipliers(problem, vector)
        if objection is None and dot(problem.right_hand_side, vector) != 0:
            objection = Objection("b'y is not zero")
        elements = () if objection else [combine(part, 0, vector.scaled(fmpq(-1))) for part in problem.blocks]
        reduction = _cut(reduction, [part.cone for part in problem.blocks], objection or elements)
        if not reduction.holds:
            break
    return reduction


def reduce_dual(problem: ConicProblem, exposures: Sequence[tuple[BlockPoint, ...]]) -> Reduction:
    """Return faces of K* that contain the slack S of every dual feasible y.

    Sound because, by induction, every such S lies in the face F so far: an exposing point X lies in F* and
    ``<S, X> = <C, X> - sum y_i <A_i, X> = 0``, so S lies in the part of F orthogonal to X, which is the next face.
    Without exposing points F = K*.
    Proof: ``dual_face_sound``.
    """
    reduction = Reduction((WholeCone(),) * len(problem.blocks), ())
    for point in exposures:
        objection = why_misfit(problem, point)
        if objection is None:
            values = evaluate(problem, point)
            if values.objective != 0 or not values.constraints.numerators.is_zero():
                objection = Objection("<C, X> or some <A_i, X> is not zero")
        reduction = _cut(reduction, [dual_cone(part.cone) for part in problem.blocks], objection or point)
        if not reduction.holds:
            break
    return reduction


def why_not_multipliers(problem: ConicProblem, vector: Matrix) -> Objection | None:
    """Return None where a matrix has the shape of y, else what shape it should have."""
    fits = (vector.rows, vector.columns) == (1, problem.constraint_count) and vector.denominator > 0
    return None if fits else Objection(f"expected a row of {problem.constraint_count} numbers")


def why_outside_duals(faces: Sequence[Face], cones: Sequence[Cone], elements: Sequence[Element]) -> Objection | None:
    """Return None where each element lies in the dual of its face, else the first block where it does not, and why."""
    for index, (face, cone, element) in enumerate(zip(faces, cones, elements, strict=True), 1):
        objection = why_outside_dual(face, cone, element)
        if objection is not None:
            return Objection(f"block {index} ({type(cone).__name__}): {objection.reason}", objection.holds)
    return None


def _cut(before: Reduction, cones: Sequence[Cone], elements: Sequence[Element] | Objection) -> Reduction:
    """Return the reduction after one more exposing vector, given by its blocks or by what is wrong with it."""
    name = f"exposing vector {len(before.obligations) + 1} confines to a face"
    faces = elements if isinstance(elements, Objection) else _smaller_faces(before.faces, cones, elements)
    if isinstance(faces, Objection):
        return Reduction(before.faces, (*before.obligations, obligation(name, faces, "")))
    return Reduction(faces, (*before.obligations, obligation(name, None, _sizes(faces))))


def _smaller_faces(
    faces: Sequence[Face], cones: Sequence[Cone], elements: Sequence[Element]
) -> tuple[Face, ...] | Objection:
    if (objection := why_outside_duals(faces, cones, elements)) is not None:
        return objection
    smaller: list[Face] = []
    for face, cone, element in zip(faces, cones, elements, strict=True):
        found = exposed(face, cone, element)
        if isinstance(found, Objection):
            return found
        smaller.append(found)
    return tuple(smaller)


def _sizes(faces: Sequence[Face]) -> str:
    """Return the orders of the faces that are not whole cones, for people."""
    sizes = []
    for index, face in enumerate(faces, 1):
        match face:
            case WholeCone():
                continue
            case Congruence(columns) | Generated(columns):
                sizes.append(f"block {index} to {columns.columns}")
            case _:
                assert_never(face)
    return "reduces " + ", ".join(sizes) if sizes else "reduces nothing"
