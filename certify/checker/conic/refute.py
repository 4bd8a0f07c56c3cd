"""Counterexamples to conic claims: the obligations that make a claim false."""

from __future__ import annotations

from typing import assert_never

from flint import fmpq

from certify.checker.conic.check import Bound, farkas_ray, is_reduced, lower_bound, recession_ray, upper_bound
from certify.checker.conic.claims import (
    ConicBracket,
    ConicClaim,
    ConicFeasible,
    ConicGap,
    ConicInfeasible,
    Optimum,
    Side,
)
from certify.checker.conic.witnesses import (
    ConicCounterexample,
    DualInfeasibleWitness,
    DualPoint,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
    PrimalPoint,
)
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.verdict import Obligation

NAME = "counterexample contradicts the claim"


def refute_conic(claim: ConicClaim, witness: ConicCounterexample) -> tuple[Obligation, ...]:
    """Return the obligations that make a claim about a conic program false; it is refuted when all of them hold.

    Sound because each rule below derives a statement that is incompatible with the claim.
    """
    match claim:
        case ConicBracket():
            return _refute_bracket(claim, witness)
        case ConicGap():
            return _refute_gap(claim, witness)
        case ConicInfeasible():
            return _refute_infeasible(claim, witness)
        case ConicFeasible():
            return _refute_feasible(claim, witness)
    assert_never(claim)


def _refute_bracket(claim: ConicBracket, witness: ConicCounterexample) -> tuple[Obligation, ...]:
    """A bound beyond the other end, or a ray that makes the value infinite.

    Sound because a lower end above an upper bound of the value it is claimed of is false, likewise an upper end below
    a lower bound. With ``Optimum.BOTH`` the lower end is claimed of sup (D) and the upper end of inf (P), which are
    what points with exposing vectors bound. A Farkas ray makes inf (P) infinite, a recession ray makes sup (D) minus
    infinity.
    """
    problem, found = claim.problem, witness.contradiction
    match found:
        case DualPoint():
            applies = claim.upper is not None and not (claim.optimum is Optimum.DUAL and is_reduced(found))
            return _beyond(applies, lower_bound(problem, found), claim.upper, above=True)
        case PrimalPoint() | NearbyPrimalPoint():
            applies = claim.lower is not None and not (claim.optimum is Optimum.PRIMAL and is_reduced(found))
            return _beyond(applies, upper_bound(problem, found), claim.lower, above=False)
        case PrimalInfeasibleWitness(ray):
            applies = claim.upper is not None and claim.optimum is not Optimum.DUAL
            return (*farkas_ray(problem, ray), _applies(applies, "inf (P) is infinite"))
        case DualInfeasibleWitness(direction):
            applies = claim.lower is not None and claim.optimum is not Optimum.PRIMAL
            return (*recession_ray(problem, direction), _applies(applies, "sup (D) is minus infinity"))
    assert_never(found)


def _refute_gap(claim: ConicGap, witness: ConicCounterexample) -> tuple[Obligation, ...]:
    """A feasible point on the wrong side of the gap.

    Sound because a feasible y proves sup (D) >= b'y and a feasible X proves inf (P) <= <C, X>.
    """
    found = witness.contradiction
    match found:
        case DualPoint():
            return _beyond(not is_reduced(found), lower_bound(claim.problem, found), claim.dual_upper, above=True)
        case PrimalPoint() | NearbyPrimalPoint():
            return _beyond(not is_reduced(found), upper_bound(claim.problem, found), claim.primal_lower, above=False)
        case PrimalInfeasibleWitness() | DualInfeasibleWitness():
            return (_applies(False, "a ray does not close a gap"),)
    assert_never(found)


def _refute_infeasible(claim: ConicInfeasible, witness: ConicCounterexample) -> tuple[Obligation, ...]:
    """A feasible point of the side claimed infeasible.

    Sound because without exposing vectors the obligations of a bound are those of feasibility.
    """
    found = witness.contradiction
    match found:
        case DualPoint():
            side, bound = Side.DUAL, lower_bound(claim.problem, found)
        case PrimalPoint() | NearbyPrimalPoint():
            side, bound = Side.PRIMAL, upper_bound(claim.problem, found)
        case PrimalInfeasibleWitness() | DualInfeasibleWitness():
            return (_applies(False, "a ray is no feasible point"),)
        case _:
            assert_never(found)
    applies = side is claim.side and not is_reduced(found)
    return (*bound.obligations, _applies(applies, f"a feasible {side} point"))


def _refute_feasible(claim: ConicFeasible, witness: ConicCounterexample) -> tuple[Obligation, ...]:
    """A ray that makes the side claimed feasible infeasible."""
    found = witness.contradiction
    match found:
        case PrimalInfeasibleWitness(ray):
            return (*farkas_ray(claim.problem, ray), _applies(claim.side is Side.PRIMAL, "(P) is infeasible"))
        case DualInfeasibleWitness(direction):
            return (*recession_ray(claim.problem, direction), _applies(claim.side is Side.DUAL, "(D) is infeasible"))
        case DualPoint() | PrimalPoint() | NearbyPrimalPoint():
            return (_applies(False, "a point does not show infeasibility"),)
    assert_never(found)


def _beyond(applies: bool, bound: Bound, claimed: fmpq | None, *, above: bool) -> tuple[Obligation, ...]:
    """Return the obligations of a bound, and that it lies strictly above or below the claimed end."""
    if not applies or claimed is None:
        return (*bound.obligations, _applies(False, "no claimed end is bounded by this point"))
    if bound.value is None:
        return bound.obligations
    shown = exact_or(bound.value, decimal_lower(bound.value) if above else decimal_upper(bound.value))
    is_beyond = bound.value > claimed if above else bound.value < claimed
    return (*bound.obligations, _applies(is_beyond, f"the value is at {'least' if above else 'most'} {shown}"))


def _applies(holds: bool, detail: str) -> Obligation:
    return Obligation(NAME, holds, detail)
