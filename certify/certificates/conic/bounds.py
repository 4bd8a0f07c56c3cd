"""What can be certified about a conic program, by search: float solves, repair, facial reduction, refinement.

Every step may fail; each failure leaves its reason. Nothing is claimed that the exact rules of the checker do not
accept. Source: theory.md section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from certify.certificates.conic.ends import End, Ends, Lower, Upper, joined
from certify.certificates.conic.facing import dual_face_ends, primal_face_ends
from certify.certificates.conic.given import GivenPoint, given_ends, given_farkas_ray, given_recession_ray
from certify.certificates.conic.plain import FLOAT_DIGITS, Report, float_ends, is_close, refined_if_small
from certify.certificates.conic.primal import Tools, repair_tools
from certify.certificates.conic.reduction import reduce_dual_side, reduce_primal_side
from certify.checker.conic.claims import (
    ConicBracket,
    ConicClaim,
    ConicFeasible,
    ConicGap,
    ConicInfeasible,
    Optimum,
    Side,
)
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import (
    BracketWitness,
    ConicWitness,
    DualInfeasibleWitness,
    FeasibleWitness,
    GapWitness,
    PrimalInfeasibleWitness,
)
from certify.checker.decimals import decimal_upper
from certify.solvers.conic.arrays import FloatPoint
from certify.solvers.conic.solve import Backend, backends_for

DEFAULT_DIGITS = 8
FAR_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Options:
    """What to try.

    Attributes:
        backends: The float solvers to ask, in order; empty for all that know the cones.
        digits: The relative digits wanted of the bracket; more than twelve ask for multiprecision.
        given_only: Whether to certify what a given solution proves and to ask no solver.
    """

    backends: tuple[Backend, ...] = ()
    digits: int = DEFAULT_DIGITS
    given_only: bool = False


@dataclass(frozen=True, slots=True)
class Certified:
    """A claim with a witness that the checker accepts."""

    claim: ConicClaim
    witness: ConicWitness


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was certified, the most telling claim first, and the reasons for what was not.

    With nothing certified the verdict about the program is UNDECIDED, and the reasons say why.
    """

    certified: tuple[Certified, ...]
    reasons: tuple[str, ...]
    solve_seconds: float


def silent(_what: str) -> None:
    """Report nothing."""


def bound(
    problem: ConicProblem,
    options: Options | None = None,
    given: GivenPoint | None = None,
    report: Report = silent,
) -> Outcome:
    """Return what can be certified about a conic program.

    Args:
        problem: The program.
        options: What to try.
        given: A solution from elsewhere, tried before any solver is asked.
        report: Called with what is being done.
    """
    options = options or Options()
    tools = repair_tools(problem)
    ends, rays = _from_given(tools, given)
    points: tuple[FloatPoint, ...] = ()
    if not rays and not options.given_only and not is_close(ends, options.digits):
        found, points = float_ends(tools, options.backends or backends_for(tools.floats), report)
        ends = joined(ends, found)
    if rays or options.given_only:
        return Outcome((*rays, *_claims(problem, ends)), _reasons(ends, options, rays), ends.solve_seconds)
    ends, rays = _with_faces(problem, ends, options, report)
    if rays:
        return Outcome((*rays, *_feasible(problem, ends)), (), ends.solve_seconds)
    if not is_close(ends, options.digits) and not _is_explained(ends):
        ends = joined(ends, refined_if_small(tools, options.digits, points, report))
    return Outcome(_claims(problem, ends), _reasons(ends, options, rays), ends.solve_seconds)


def _reasons(ends: Ends, options: Options, rays: Sequence[Certified]) -> tuple[str, ...]:
    """Return why an end is missing, or that the bracket is wider than asked.

    An end is named by the point that would prove it, since a source may state the negative of the neutral value.
    """
    if rays or _is_explained(ends):
        return ()
    missing = {end: by for end, by, found in ((End.LOWER, "y", ends.lower), (End.UPPER, "X", ends.upper)) if not found}
    reasons = [f"no bound by {missing[f.end]} {f.why}" for f in ends.failures if f.end in missing]
    gap = ends.relative_gap()
    if gap is not None and not is_close(ends, options.digits):
        hint = "" if options.digits > FLOAT_DIGITS else f"; ask for more than {FLOAT_DIGITS} digits to try harder"
        reasons.append(f"the bounds agree to a relative {decimal_upper(gap, 2)} only{hint}")
    return tuple(reasons)


def _from_given(tools: Tools, given: GivenPoint | None) -> tuple[Ends, list[Certified]]:
    """Return what a given solution proves: bounds, or rays where it proves none."""
    if given is None:
        return Ends(), []
    ends = given_ends(tools, given)
    rays = []
    farkas = given_farkas_ray(tools, given) if ends.upper is None else None
    recession = given_recession_ray(tools, given) if ends.lower is None else None
    if farkas is not None:
        rays.append(Certified(ConicInfeasible(tools.problem, Side.PRIMAL), PrimalInfeasibleWitness(farkas)))
    if recession is not None:
        rays.append(Certified(ConicInfeasible(tools.problem, Side.DUAL), DualInfeasibleWitness(recession)))
    return ends, rays


def _with_faces(problem: ConicProblem, ends: Ends, options: Options, report: Report) -> tuple[Ends, list[Certified]]:
    """Look for faces and rays where a side could not be certified, then on both where the bounds are far apart."""
    rays: list[Certified] = []
    tried: set[Side] = set()
    for _ in Side:
        wanted = _wanting(ends) - tried
        tried |= wanted
        for side in (side for side in Side if side in wanted):
            report(f"looking for faces and rays of ({'P' if side is Side.PRIMAL else 'D'})")
            found, ray = _from_faces(problem, side, options, report)
            ends = joined(ends, found)
            rays += [] if ray is None else [ray]
        if rays:
            break
    return ends, rays


def _wanting(ends: Ends) -> set[Side]:
    """Return the sides that have no certified point, or both where their bounds are far apart."""
    missing = {side for side, end in ((Side.PRIMAL, ends.upper), (Side.DUAL, ends.lower)) if end is None}
    return missing or (set() if is_close(ends, FAR_DIGITS) else set(Side))


def _from_faces(problem: ConicProblem, side: Side, options: Options, report: Report) -> tuple[Ends, Certified | None]:
    """Return the bounds that facial reduction of one side gives, or the ray that it ends in."""
    if side is Side.PRIMAL:
        primal = reduce_primal_side(problem)
        if primal.ray is not None:
            return Ends(), Certified(ConicInfeasible(problem, side), PrimalInfeasibleWitness(primal.ray))
        if primal.exposures:
            return primal_face_ends(problem, primal, options.backends, options.digits, report), None
        return Ends(), None
    dual = reduce_dual_side(problem)
    if dual.ray is not None:
        return Ends(), Certified(ConicInfeasible(problem, side), DualInfeasibleWitness(dual.ray))
    if dual.exposures:
        return dual_face_ends(problem, dual, options.backends, options.digits, report), None
    return Ends(), None


def _feasible(problem: ConicProblem, ends: Ends) -> list[Certified]:
    """Return the sides that are known to be feasible, beside a ray that proves the other one infeasible."""
    found = []
    if ends.upper is not None:
        found.append(Certified(ConicFeasible(problem, Side.PRIMAL), FeasibleWitness(ends.upper.proof)))
    if ends.lower is not None:
        found.append(Certified(ConicFeasible(problem, Side.DUAL), FeasibleWitness(ends.lower.point)))
    return found


def _is_explained(ends: Ends) -> bool:
    """Return whether a proved gap between the two values leaves nothing to refine."""
    return (
        ends.primal_lower is not None
        and ends.dual_upper is not None
        and ends.dual_upper.value < ends.primal_lower.value
    )


def _claims(problem: ConicProblem, ends: Ends) -> tuple[Certified, ...]:
    found = []
    if _is_explained(ends) and ends.primal_lower is not None and ends.dual_upper is not None:
        found.append(
            Certified(
                ConicGap(problem, ends.dual_upper.value, ends.primal_lower.value),
                GapWitness(ends.primal_lower.point, ends.dual_upper.proof),
            )
        )
    found += _one_sided(problem, ends)
    if ends.primal_lower is not None and (ends.lower is None or ends.primal_lower.value > ends.lower.value):
        found.append(_bracket(problem, Optimum.PRIMAL, ends.primal_lower, ends.upper))
    if ends.dual_upper is not None and (ends.upper is None or ends.dual_upper.value < ends.upper.value):
        found.append(_bracket(problem, Optimum.DUAL, ends.lower, ends.dual_upper))
    return tuple(found)


def _one_sided(problem: ConicProblem, ends: Ends) -> list[Certified]:
    if ends.lower is None and ends.upper is None:
        return []
    return [_bracket(problem, Optimum.BOTH, ends.lower, ends.upper)]


def _bracket(problem: ConicProblem, optimum: Optimum, lower: Lower | None, upper: Upper | None) -> Certified:
    low: fmpq | None = None if lower is None else lower.value
    high: fmpq | None = None if upper is None else upper.value
    witness = BracketWitness(None if lower is None else lower.point, None if upper is None else upper.proof)
    return Certified(ConicBracket(problem, optimum, low, high), witness)
