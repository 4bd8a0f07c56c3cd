"""The rules of conic programs: weak duality, Farkas rays and facial reduction over products of cones.

Every rule is exact and one-sided; a bracket needs a rule for each end. Source: theory.md section 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from flint import fmpq

from certify.checker.conic.claims import (
    ConicBracket,
    ConicClaim,
    ConicFeasible,
    ConicGap,
    ConicInfeasible,
    Optimum,
    Side,
)
from certify.checker.conic.cones import dual_cone
from certify.checker.conic.linear import combine, dot, evaluate, why_misfit
from certify.checker.conic.nearby import check_nearby
from certify.checker.conic.objection import obligation
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.reduction import (
    Reduction,
    reduce_dual,
    reduce_primal,
    why_not_multipliers,
    why_outside_duals,
)
from certify.checker.conic.witnesses import (
    BracketWitness,
    ConicWitness,
    DualInfeasibleWitness,
    DualPoint,
    FeasibleWitness,
    GapWitness,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
    PrimalPoint,
    PrimalProof,
)
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.obligations import counted
from certify.checker.verdict import Obligation

MULTIPLIERS = "multipliers have the shape of y"
EVERY_BLOCK = "every block"
POINT = "point has the shape of X"


@dataclass(frozen=True, slots=True)
class Bound:
    """What a point bounds if all its obligations hold; the value is None where it could not be computed."""

    obligations: tuple[Obligation, ...]
    value: fmpq | None


def check_conic(claim: ConicClaim, witness: ConicWitness) -> tuple[Obligation, ...]:
    """Return the obligations of a claim about a conic program; the claim is proved when all of them hold.

    Sound because each rule below is: its docstring says why.
    """
    match claim, witness:
        case ConicBracket(), BracketWitness():
            return _check_bracket(claim, witness)
        case ConicGap(), GapWitness():
            return _check_gap(claim, witness)
        case ConicInfeasible(problem, Side.PRIMAL), PrimalInfeasibleWitness(ray):
            return farkas_ray(problem, ray)
        case ConicInfeasible(problem, Side.DUAL), DualInfeasibleWitness(direction):
            return recession_ray(problem, direction)
        case ConicFeasible(), FeasibleWitness():
            return _check_feasible(claim, witness)
        case _:
            detail = f"a {type(witness).__name__} proves no such {type(claim).__name__}"
            return (Obligation("witness is of the kind the claim needs", False, detail),)


def lower_bound(problem: ConicProblem, point: DualPoint) -> Bound:
    """Return the obligations that make ``b'y + offset`` a lower bound, and its value.

    Sound because, with F the faces that contain every primal feasible X, the slack ``S = C - sum y_i A_i`` in F* gives
    ``<C, X> - b'y = <S, X> >= 0``: inf (P) is at least ``b'y``. Without exposing vectors F* = K*, so that y is dual
    feasible and sup (D) is at least ``b'y`` too.
    Proof: ``conic_rule_bracket``, ``facial_weak_duality``.
    """
    shape = obligation(
        MULTIPLIERS, why_not_multipliers(problem, point.multipliers), f"{problem.constraint_count} numbers"
    )
    reduction = reduce_primal(problem, point.exposures)
    opening = (*reduction.obligations, shape)
    if not all(entry.holds for entry in opening):
        return Bound(opening, None)
    slack = [combine(part, 1, point.multipliers) for part in problem.blocks]
    outside = why_outside_duals(reduction.faces, [part.cone for part in problem.blocks], slack)
    inside = obligation("slack C - sum y_i A_i lies in the dual cone", outside, EVERY_BLOCK)
    value = dot(problem.right_hand_side, point.multipliers) + problem.offset
    return Bound((*opening, inside), value)


def upper_bound(problem: ConicProblem, proof: PrimalProof) -> Bound:
    """Return the obligations that make ``<C, X> + offset`` an upper bound, and its value (or a larger one).

    Sound because, with F the faces that contain the slack S of every dual feasible y, X in F* with ``<A_i, X> = b_i``
    gives ``<C, X> - b'y = <S, X> >= 0``: sup (D) is at most ``<C, X>``. Without exposing points F* = K, so that X is
    primal feasible and inf (P) is at most ``<C, X>`` too. A nearby point is primal feasible itself.
    Proof: ``conic_rule_bracket``, ``facial_upper_bound``.
    """
    match proof:
        case PrimalPoint():
            return _exact_upper_bound(problem, proof)
        case NearbyPrimalPoint():
            nearby = check_nearby(problem, proof)
            value = None if nearby.objective_upper is None else nearby.objective_upper + problem.offset
            return Bound(nearby.obligations, value)
    assert_never(proof)


def farkas_ray(problem: ConicProblem, ray: DualPoint) -> tuple[Obligation, ...]:
    """Return the obligations that make (P) infeasible.

    Sound because, with F the faces that contain every feasible X, ``-sum y_i A_i`` in F* would give
    ``0 <= <-sum y_i A_i, X> = -b'y < 0`` for a feasible X. With exposing vectors this covers weak infeasibility, where
    no ray without them exists.
    Proof: ``conic_rule_primal_infeasible``, ``facial_farkas_primal``.
    """
    shape = obligation(
        MULTIPLIERS, why_not_multipliers(problem, ray.multipliers), f"{problem.constraint_count} numbers"
    )
    reduction = reduce_primal(problem, ray.exposures)
    opening = (*reduction.obligations, shape)
    if not all(entry.holds for entry in opening):
        return opening
    combined = [combine(part, 0, ray.multipliers) for part in problem.blocks]
    outside = why_outside_duals(reduction.faces, [part.cone for part in problem.blocks], combined)
    gain = dot(problem.right_hand_side, ray.multipliers)
    return (
        *opening,
        obligation("-sum y_i A_i lies in the dual cone", outside, EVERY_BLOCK),
        Obligation("b'y is positive", gain > 0, f"b'y = {exact_or(gain, decimal_lower(gain))}"),
    )


def recession_ray(problem: ConicProblem, ray: PrimalPoint) -> tuple[Obligation, ...]:
    """Return the obligations that make (D) infeasible.

    Sound because, with F the faces that contain every feasible slack S, X in F* with ``<A_i, X> = 0`` would give
    ``0 <= <S, X> = <C, X> < 0`` for a feasible S. It does not say that (P) is unbounded: (P) may be infeasible.
    Proof: ``conic_rule_dual_infeasible``, ``facial_farkas_dual``.
    """
    reduction, opening = _reduced(problem, ray)
    if not all(entry.holds for entry in opening):
        return opening
    values = evaluate(problem, ray.blocks)
    cost = values.objective
    return (
        *opening,
        _point_inside(problem, ray, reduction),
        Obligation("every <A_i, X> is zero", bool(values.constraints.numerators.is_zero()), "homogeneous equations"),
        Obligation("<C, X> is negative", cost < 0, f"<C, X> = {exact_or(cost, decimal_upper(cost))}"),
    )


def _exact_upper_bound(problem: ConicProblem, point: PrimalPoint) -> Bound:
    reduction, opening = _reduced(problem, point)
    if not all(entry.holds for entry in opening):
        return Bound(opening, None)
    values = evaluate(problem, point.blocks)
    off = (values.constraints - problem.right_hand_side).numerators.entries()
    broken = next((i for i, entry in enumerate(off, 1) if entry != 0), None)
    detail = counted(len(off), "equation") if broken is None else f"equation {broken} is not satisfied"
    equations = Obligation("equations <A_i, X> = b_i hold exactly", broken is None, detail)
    return Bound((*opening, equations, _point_inside(problem, point, reduction)), values.objective + problem.offset)


def _reduced(problem: ConicProblem, point: PrimalPoint) -> tuple[Reduction, tuple[Obligation, ...]]:
    """Return the faces of K* and the obligations that come before the values of a point."""
    reduction = reduce_dual(problem, point.exposures)
    shape = obligation(POINT, why_misfit(problem, point.blocks), counted(len(point.blocks), "block"))
    return reduction, (*reduction.obligations, shape)


def _point_inside(problem: ConicProblem, point: PrimalPoint, reduction: Reduction) -> Obligation:
    outside = why_outside_duals(reduction.faces, [dual_cone(part.cone) for part in problem.blocks], point.blocks)
    return obligation("X lies in the cone", outside, EVERY_BLOCK)


def _check_bracket(claim: ConicBracket, witness: BracketWitness) -> tuple[Obligation, ...]:
    """Each claimed end is reached by the value of its point.

    Sound because of ``lower_bound`` and ``upper_bound``; a point with exposing vectors bounds one of the two optimal
    values only, and is taken for a claim about that one only.
    """
    ends = (witness.dual is None) == (claim.lower is None) and (witness.primal is None) == (claim.upper is None)
    which = "both values" if claim.optimum is Optimum.BOTH else f"{claim.optimum} value"
    obligations = [Obligation("witness has a point for each claimed end, and no other", ends, which)]
    if ends and claim.lower is not None and witness.dual is not None:
        fits = claim.optimum is Optimum.PRIMAL or not is_reduced(witness.dual)
        obligations += [_kind(fits), *_reached_lower(claim.problem, witness.dual, claim.lower)]
    if ends and claim.upper is not None and witness.primal is not None:
        fits = claim.optimum is Optimum.DUAL or not is_reduced(witness.primal)
        obligations += [_kind(fits), *_reached_upper(claim.problem, witness.primal, claim.upper)]
    return tuple(obligations)


def _check_gap(claim: ConicGap, witness: GapWitness) -> tuple[Obligation, ...]:
    """The dual value is bounded above and the primal value below, with a gap between.

    Sound because ``lower_bound`` always bounds inf (P) from below and ``upper_bound`` always bounds sup (D) from above.
    """
    return (
        *_reached_upper(claim.problem, witness.primal, claim.dual_upper),
        *_reached_lower(claim.problem, witness.dual, claim.primal_lower),
    )


def _check_feasible(claim: ConicFeasible, witness: FeasibleWitness) -> tuple[Obligation, ...]:
    """The point satisfies the constraints of its program.

    Sound because without exposing vectors the obligations of a bound are those of feasibility.
    """
    match witness.point:
        case DualPoint():
            side, bound = Side.DUAL, lower_bound(claim.problem, witness.point)
        case PrimalPoint() | NearbyPrimalPoint():
            side, bound = Side.PRIMAL, upper_bound(claim.problem, witness.point)
        case _:
            assert_never(witness.point)
    return (
        Obligation("point is of the claimed side", side is claim.side, f"{side} point"),
        _kind(not is_reduced(witness.point)),
        *bound.obligations,
    )


def is_reduced(point: DualPoint | PrimalProof) -> bool:
    """Return whether a point relies on exposing vectors: it bounds one optimal value only and need not be feasible."""
    match point:
        case DualPoint(exposures) | PrimalPoint(exposures):
            return bool(exposures)
        case NearbyPrimalPoint():
            return False
    assert_never(point)


def _kind(fits: bool) -> Obligation:
    detail = "exposing vectors prove a bound of one optimal value, not feasibility"
    if fits:
        detail = "it lies in the whole cone, or a bound of one optimal value is claimed"
    return Obligation("point proves what is claimed of it", fits, detail)


def _reached_lower(problem: ConicProblem, point: DualPoint, claimed: fmpq) -> tuple[Obligation, ...]:
    bound = lower_bound(problem, point)
    if bound.value is None:
        return bound.obligations
    shown = exact_or(bound.value, decimal_lower(bound.value))
    return (
        *bound.obligations,
        Obligation("dual value reaches the lower bound", bound.value >= claimed, f"b'y = {shown}"),
    )


def _reached_upper(problem: ConicProblem, proof: PrimalProof, claimed: fmpq) -> tuple[Obligation, ...]:
    bound = upper_bound(problem, proof)
    if bound.value is None:
        return bound.obligations
    shown = exact_or(bound.value, decimal_upper(bound.value))
    return (
        *bound.obligations,
        Obligation("primal value reaches the upper bound", bound.value <= claimed, f"<C, X> = {shown}"),
    )
