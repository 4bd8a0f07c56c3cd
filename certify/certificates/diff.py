"""What changed between two claims: stronger, weaker, disjoint, or not about the same thing.

A claim is taken apart into its subject, which has to agree, and its strengths, each of them ordered: claim A is
stronger than B where it implies B. Two claims about the same number whose brackets do not meet cannot both be true.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, assert_never

from flint import fmpq

from certify.checker.adaptive import PrecisionExhaustedError
from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible, Optimum
from certify.checker.conic.problem import ConicProblem
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.privacy import RhoBudget, Unattainable, Unlimited, rho_budget
from certify.checker.releases import Release


class Relation(StrEnum):
    """How a new claim relates to an old one."""

    SAME = "same"
    STRONGER = "stronger"
    WEAKER = "weaker"
    INCOMPARABLE = "stronger in part, weaker in part"
    DISJOINT = "disjoint"
    DIFFERENT = "different claim"


@dataclass(frozen=True, slots=True)
class Bracket:
    """A number lies in ``[lower, upper]``; an end that is None is not claimed."""

    lower: fmpq | None
    upper: fmpq | None


@dataclass(frozen=True, slots=True)
class Infinite:
    """The number is infinite."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A guarantee: stronger where it allows rho_star less."""

    guarantee: BinaryGuarantee


@dataclass(frozen=True, slots=True)
class Premise:
    """What the claim is about, at most this much: stronger where it is larger."""

    value: fmpq


@dataclass(frozen=True, slots=True)
class Reach:
    """Everything from ``lower`` to ``upper``: stronger where it covers more."""

    lower: fmpq
    upper: fmpq


@dataclass(frozen=True, slots=True)
class Truth:
    """A statement or its negation."""

    value: bool


Strength: TypeAlias = Bracket | Infinite | Promise | Premise | Reach | Truth
Value: TypeAlias = Strength | Release | Matrix | ConicProblem | fmpq | str


@dataclass(frozen=True, slots=True)
class Change:
    """One part of a claim that changed, and what that does to the claim."""

    name: str
    old: Value
    new: Value
    relation: Relation


@dataclass(frozen=True, slots=True)
class Difference:
    """How a new claim relates to an old one, with every part that changed."""

    relation: Relation
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Anatomy:
    """A claim taken apart.

    Attributes:
        subject: What has to agree for two claims to be about the same thing.
        strengths: What is said about it.
        means: What shows it, and may change freely.
    """

    subject: tuple[tuple[str, Value], ...]
    strengths: tuple[tuple[str, Strength], ...]
    means: tuple[tuple[str, Value], ...] = ()


def compare_claims(old: Claim, new: Claim) -> Difference:
    """Return how the new claim relates to the old one. Nothing is checked: that is the kernel's."""
    before, after = anatomy(old), anatomy(new)
    subject = _changed(before.subject, after.subject)
    if subject or [name for name, _ in before.subject] != [name for name, _ in after.subject]:
        kind: tuple[Change, ...] = ()
        if type(old) is not type(new):
            kind = (Change("kind", type(old).__name__, type(new).__name__, Relation.DIFFERENT),)
        return Difference(Relation.DIFFERENT, (*kind, *subject))
    found = _strengths(before, after)
    means = [
        Change(change.name, change.old, change.new, Relation.SAME) for change in _changed(before.means, after.means)
    ]
    return Difference(joined([change.relation for change in found]), (*found, *means))


def joined(relations: list[Relation]) -> Relation:
    """Return the relation of two claims from the relations of their parts."""
    present = set(relations) - {Relation.SAME}
    for worst in (Relation.DIFFERENT, Relation.DISJOINT):
        if worst in present:
            return worst
    if len(present) > 1:
        return Relation.INCOMPARABLE
    return present.pop() if present else Relation.SAME


def anatomy(claim: Claim) -> Anatomy:
    """Return the subject and the strengths of a claim."""
    match claim:
        case CovarianceOptimum():
            return _optimum(claim)
        case ReleasePrivacy(release, covariance, guarantee):
            return Anatomy(_noisy(release, covariance), (("guarantee", Promise(guarantee)),))
        case RhoStarEnclosure(release, covariance, lower, upper):
            return Anatomy(_noisy(release, covariance), (("rho_star", Bracket(lower, upper)),))
        case RhoStarInfinite(release, covariance):
            return Anatomy(_noisy(release, covariance), (("rho_star", Infinite()),))
        case GaussianPrivacy() | Composition() | NoiseCalibration() | CapacityMonotone():
            return _numbers(claim)
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            return _program(claim)
        case _:
            assert_never(claim)


def _optimum(claim: CovarianceOptimum) -> Anatomy:
    subject = (("release", claim.sensitivity), ("weight", claim.weight), ("noise floor", claim.floor))
    strengths = (("guarantee", Promise(claim.guarantee)), ("least cost", Bracket(claim.lower, claim.upper)))
    return Anatomy(subject, strengths, (("covariance", claim.covariance),))


def _noisy(release: Release, covariance: Matrix) -> tuple[tuple[str, Value], ...]:
    return (("release", release), ("covariance", covariance))


def _numbers(claim: GaussianPrivacy | Composition | NoiseCalibration | CapacityMonotone) -> Anatomy:
    match claim:
        case GaussianPrivacy(rho_star, guarantee):
            return _implication("Gaussian releases", rho_star, guarantee)
        case Composition(rho_stars, guarantee):
            return _implication("composed releases", sum(rho_stars, fmpq(0)), guarantee)
        case NoiseCalibration(sensitivity, sigma, guarantee):
            return _implication("isotropic noise", (sensitivity / sigma) ** 2, guarantee)
        case CapacityMonotone(lower, upper):
            return Anatomy((("statement", "the capacity increases"),), (("range", Reach(lower, upper)),))
        case _:
            assert_never(claim)


def _implication(about: str, rho_star: fmpq, guarantee: BinaryGuarantee) -> Anatomy:
    return Anatomy((("statement", about),), (("rho_star", Premise(rho_star)), ("guarantee", Promise(guarantee))))


def _program(claim: ConicBracket | ConicGap | ConicInfeasible | ConicFeasible) -> Anatomy:
    """Take a claim about a conic program apart; both optimal values are two numbers with one end each."""
    program: tuple[str, Value] = ("program", claim.problem)
    match claim:
        case ConicBracket(_, Optimum.BOTH, lower, upper):
            ends = (("dual value", Bracket(lower, None)), ("primal value", Bracket(None, upper)))
            return Anatomy((program, ("statement", "both values")), ends)
        case ConicBracket(_, optimum, lower, upper):
            return Anatomy((program, ("statement", f"{optimum} value")), ((f"{optimum} value", Bracket(lower, upper)),))
        case ConicGap(_, dual_upper, primal_lower):
            ends = (("dual value", Bracket(None, dual_upper)), ("primal value", Bracket(primal_lower, None)))
            return Anatomy((program, ("statement", "both values")), ends)
        case ConicInfeasible(_, side) | ConicFeasible(_, side):
            return Anatomy((program, ("side", str(side))), (("feasible", Truth(isinstance(claim, ConicFeasible))),))
        case _:
            assert_never(claim)


def _changed(old: tuple[tuple[str, Value], ...], new: tuple[tuple[str, Value], ...]) -> list[Change]:
    after = dict(new)
    return [
        Change(name, value, after[name], Relation.DIFFERENT)
        for name, value in old
        if name in after and after[name] != value
    ]


def _strengths(before: Anatomy, after: Anatomy) -> list[Change]:
    """Compare part by part; the brackets of optima under different guarantees are of different numbers."""
    changes: list[Change] = []
    for (name, old), (_, new) in zip(before.strengths, after.strengths, strict=True):
        if old == new:
            continue
        promises = [change.relation for change in changes if isinstance(change.old, Promise)]
        if isinstance(old, Bracket) and joined(promises) is not Relation.SAME:
            continue
        changes.append(Change(name, old, new, _relation(old, new)))
    return changes


def _relation(old: Strength, new: Strength) -> Relation:
    match old, new:
        case Bracket(), Bracket():
            return _of_brackets(old, new)
        case Promise(before), Promise(after):
            return _of_guarantees(before, after)
        case Premise(before), Premise(after):
            return _ordered(weaker=after < before, stronger=after > before)
        case Reach(), Reach():
            loses = new.lower > old.lower or new.upper < old.upper
            return _ordered(weaker=loses, stronger=new.lower < old.lower or new.upper > old.upper)
        case _:
            return Relation.DISJOINT


def _of_brackets(old: Bracket, new: Bracket) -> Relation:
    if _above(new.lower, old.upper) or _above(old.lower, new.upper):
        return Relation.DISJOINT
    weaker = _looser(old.lower, new.lower, sign=1) or _looser(old.upper, new.upper, sign=-1)
    stronger = _looser(new.lower, old.lower, sign=1) or _looser(new.upper, old.upper, sign=-1)
    return _ordered(weaker=weaker, stronger=stronger)


def _above(lower: fmpq | None, upper: fmpq | None) -> bool:
    return lower is not None and upper is not None and lower > upper


def _looser(old: fmpq | None, new: fmpq | None, *, sign: int) -> bool:
    """Return whether the new end says less: it is missing, or smaller (``sign`` 1, a lower end) or larger (-1)."""
    if old is None:
        return False
    return new is None or bool(sign * new < sign * old)


def _ordered(*, weaker: bool, stronger: bool) -> Relation:
    if weaker:
        return Relation.INCOMPARABLE if stronger else Relation.WEAKER
    return Relation.STRONGER if stronger else Relation.SAME


def _of_guarantees(old: BinaryGuarantee, new: BinaryGuarantee) -> Relation:
    """Compare how much rho_star the guarantees allow; two that cannot be told apart count as incomparable."""
    try:
        before, after = _allowed(rho_budget(old)), _allowed(rho_budget(new))
    except PrecisionExhaustedError:
        return Relation.INCOMPARABLE
    if before == after and (before is None or before.is_exact):
        return Relation.SAME
    if before is None or (after is not None and after.upper <= before.lower):
        return Relation.STRONGER
    if after is None or before.upper <= after.lower:
        return Relation.WEAKER
    return Relation.INCOMPARABLE


def _allowed(budget: RhoBudget) -> Enclosure | None:
    """Return how much rho_star a guarantee allows, None for any amount, a negative number for none at all."""
    match budget:
        case Enclosure():
            return budget
        case Unlimited():
            return None
        case Unattainable():
            return Enclosure(fmpq(-1), fmpq(-1))
        case _:
            assert_never(budget)
