"""A feasible X near an approximate one: the least correction exists, is short, and the interior absorbs it.

With G the Gram matrix of the equations and r their residual at X0, ``D = sum u_i A_i`` with ``G u = r`` makes X0 + D
satisfy them, and ``|D|^2 = r' G^-1 r``. So a huge rational X is never written down. Source: theory.md section 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.conic.cones import Cone, Nonnegative, PositiveSemidefinite, order
from certify.checker.conic.faces import dense_matrix, pulled_back, why_no_face
from certify.checker.conic.gram import diagonal_of, gram_matrix, lowered
from certify.checker.conic.linear import Sparse, combine, dense_vector, dot, evaluate, has_shape, vector_of
from certify.checker.conic.margin import why_no_margin
from certify.checker.conic.objection import obligation
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.sparse import why_not_psd
from certify.checker.conic.witnesses import (
    BlockPoint,
    Congruence,
    Face,
    Generated,
    MatrixPoint,
    NearbyPrimalPoint,
    VectorPoint,
    WholeCone,
)
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.exact import Matrix, identity
from certify.checker.obligations import counted
from certify.checker.verdict import Obligation


@dataclass(frozen=True, slots=True)
class Nearby:
    """What a nearby point proves when all its obligations hold: some feasible X has ``<C, X> <= objective_upper``."""

    obligations: tuple[Obligation, ...]
    objective_upper: fmpq | None


def check_nearby(problem: ConicProblem, proof: NearbyPrimalPoint) -> Nearby:
    """Return the obligations that make a feasible X exist near X0, and an upper bound of its objective.

    Sound because: the faces lie in the cones, so X = V R V^T (or G z) is in K whenever R (or z) is in the smaller
    cone, and the program in R and z has the constraints pulled back to the faces. For the kept constraints G is
    positive definite (``G >= t diag(G) > 0``), so the correction D above exists, and
    ``|D|^2 = r' G^-1 r <= r' diag(G)^-1 r / t <= rho^2``. Every point within rho of X0 lies in the cone, so X0 + D
    does. It satisfies the kept equations; a dropped one is a combination of them on the faces, right-hand side
    included. Its objective differs from that of X0 by ``<C, D> <= |C| rho``, both on the faces.
    Proof: ``correction_exists``, ``nearby_point``.
    """
    opening = _shapes(problem, proof)
    if not all(entry.holds for entry in opening):
        return Nearby(opening, None)
    kept = [i for i in range(1, problem.constraint_count + 1) if i not in set(proof.dropped)]
    values = evaluate(
        problem, tuple(lifted(face, value) for face, value in zip(proof.faces, proof.blocks, strict=True))
    )
    residual = (problem.right_hand_side - values.constraints).select([0], [i - 1 for i in kept])
    gram = gram_matrix(problem, proof.faces, kept)
    bounded = _bounded_below(gram, proof.eigenvalue)
    obligations = (*opening, _dependencies(problem, proof), bounded)
    if not bounded.holds:
        return Nearby(obligations, None)
    radius = correction_upper(gram, residual, proof.eigenvalue)
    return Nearby(
        (*obligations, _margin(problem, proof, radius)), values.objective + _norm_upper(problem, proof) * radius
    )


def correction_upper(gram: Sparse, residual: Matrix, share: fmpq) -> fmpq:
    """Return an upper bound of ``sqrt(r' diag(G)^-1 r / t)``, r a row vector and t the share; diag(G) > 0.

    Each term of the sum is rounded upward.
    """
    squares = diagonal_of(gram)
    shift = 64 + max((square.bit_length() for square in squares), default=0)
    terms = (
        -((-(entry**2) << shift) // square)
        for entry, square in zip(residual.numerators.entries(), squares, strict=True)
    )
    total = fmpq(sum(terms, fmpz(0)) * gram.denominator, residual.denominator**2 << shift)
    return sqrt_upper(total / share)


def sqrt_upper(value: fmpq) -> fmpq:
    """Return a dyadic number not below the square root of a nonnegative rational, about 60 bits accurate."""
    if value == 0:
        return fmpq(0)
    power = max(0, (value.q.bit_length() - value.p.bit_length()) // 2 + 64)
    ceiling = -((-value.p << 2 * power) // value.q)
    return fmpq(isqrt(int(ceiling)) + 1, fmpz(1) << power)


def lifted(face: Face, value: BlockPoint) -> BlockPoint:
    """Return the block of X that coordinates on a face stand for."""
    match face:
        case WholeCone():
            return value
        case Congruence(basis):
            return MatrixPoint(basis @ dense_matrix(value) @ basis.transpose())
        case Generated(generators):
            return VectorPoint(vector_of(value) @ generators.transpose())
    assert_never(face)


def _shapes(problem: ConicProblem, proof: NearbyPrimalPoint) -> tuple[Obligation, ...]:
    name = "nearby point has the shape of its faces"
    if not len(proof.faces) == len(proof.blocks) == len(problem.blocks):
        return (Obligation(name, False, f"the program has {counted(len(problem.blocks), 'block')}"),)
    for index, (part, face, value) in enumerate(zip(problem.blocks, proof.faces, proof.blocks, strict=True), 1):
        objection = why_no_face(face, part.cone)
        if objection is not None:
            detail = f"block {index}: {objection.reason}"
            return (Obligation("faces lie in the cones", objection.holds, detail),)
        if not _fits(part, face, value):
            return (Obligation(name, False, f"block {index} does not fit its face"),)
    table, count = proof.dependencies, problem.constraint_count
    fits = (table.rows, table.columns) == (len(proof.dropped), count) and table.denominator > 0
    ordered = list(proof.dropped) == sorted(set(proof.dropped)) and all(1 <= i <= count for i in proof.dropped)
    return (Obligation(name, fits and ordered, f"dropped: {len(proof.dropped)} of {counted(count, 'equation')}"),)


def _fits(part: Block, face: Face, value: BlockPoint) -> bool:
    match face:
        case WholeCone():
            return has_shape(value, order(part.cone), is_matrix=part.is_matrix)
        case Congruence(basis):
            return has_shape(value, basis.columns, is_matrix=True)
        case Generated(generators):
            return has_shape(value, generators.columns, is_matrix=False)
    assert_never(face)


def _dependencies(problem: ConicProblem, proof: NearbyPrimalPoint) -> Obligation:
    """Each dropped equation follows from the kept ones.

    Sound because ``sum c_i A_i = 0`` on the faces and ``sum c_i b_i = 0``, where c is 1 at the dropped constraint and
    vanishes at the other dropped ones: the equation is minus a combination of kept ones.
    """
    name, table = "dropped equations follow from the others", proof.dependencies
    if table.select(range(table.rows), [i - 1 for i in proof.dropped]) != identity(table.rows):
        return Obligation(name, False, "the columns of the dropped equations are not the identity")
    for index, constraint in enumerate(proof.dropped):
        row = table.select([index], range(table.columns))
        if dot(row, problem.right_hand_side) != 0:
            return Obligation(name, False, f"the right-hand sides contradict equation {constraint}")
        if not all(
            _vanishes(combine(part, 0, row), face) for part, face in zip(problem.blocks, proof.faces, strict=True)
        ):
            return Obligation(name, False, f"equation {constraint} is no combination of the others on the faces")
    return Obligation(name, True, counted(len(proof.dropped), "equation"))


def _vanishes(value: Sparse, face: Face) -> bool:
    if not value.numerators:
        return True
    match face:
        case WholeCone():
            return False
        case Congruence(basis):
            return bool(pulled_back(basis, value).numerators.is_zero())
        case Generated(generators):
            return bool((fmpz_mat(1, value.order, dense_vector(value)) * generators.numerators).is_zero())
    assert_never(face)


def _bounded_below(gram: Sparse, share: fmpq) -> Obligation:
    """``G - t diag(G)`` is PSD, with t > 0 and a positive diagonal, so that G is positive definite."""
    name = "Gram matrix of the equations is bounded below"
    if share <= 0 or any(square <= 0 for square in diagonal_of(gram)):
        return Obligation(name, False, "the eigenvalue is not positive, or a kept equation vanishes on the faces")
    return obligation(
        name,
        why_not_psd(lowered(gram, share)),
        f"{counted(gram.order, 'equation')}, t = {exact_or(share, decimal_lower(share))}",
    )


def _margin(problem: ConicProblem, proof: NearbyPrimalPoint, radius: fmpq) -> Obligation:
    """Every point within the radius of X0 lies in the cones."""
    name = "interior absorbs the correction"
    for index, (part, face, value) in enumerate(zip(problem.blocks, proof.faces, proof.blocks, strict=True), 1):
        cone = _small_cone(face, part.cone)
        objection = None if cone is None else why_no_margin(cone, value, radius)
        if objection is not None:
            detail = f"block {index}, moved by up to {decimal_upper(radius)}: {objection.reason}"
            return Obligation(name, objection.holds, detail)
    return Obligation(name, True, f"a feasible point lies within {decimal_upper(radius)}")


def _small_cone(face: Face, cone: Cone) -> Cone | None:
    """Return the cone whose image a face is, None for the origin."""
    match face:
        case WholeCone():
            return cone
        case Congruence(basis):
            return PositiveSemidefinite(basis.columns) if basis.columns else None
        case Generated(generators):
            return Nonnegative(generators.columns) if generators.columns else None
    assert_never(face)


def _norm_upper(problem: ConicProblem, proof: NearbyPrimalPoint) -> fmpq:
    """Return an upper bound of ``|C|`` on the faces."""
    square = gram_matrix(problem, proof.faces, [0])
    return sqrt_upper(fmpq(diagonal_of(square)[0], square.denominator))
