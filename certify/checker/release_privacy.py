"""The rules of claims about a release with a given covariance: its privacy and its rho_star."""

from __future__ import annotations

from flint import fmpq

from certify.checker.claims import ReleasePrivacy, RhoStarEnclosure, RhoStarInfinite
from certify.checker.decimals import decimal_upper, exact_or
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.hulls import Ball, Hull, hulls_of
from certify.checker.obligations import at_most_obligation, psd_obligation
from certify.checker.pairs import PairSearch, Progress
from certify.checker.primal import RhoBound, bound_rho_star, primal_misfits
from certify.checker.privacy import Infinite, Unattainable, Unlimited, condition, holds, rho_budget
from certify.checker.refutation import rho_along
from certify.checker.verdict import Finding, Obligation, Status
from certify.checker.witnesses import PrimalWitness, RhoStarWitness, VectorWitness


def prove_release_privacy(
    claim: ReleasePrivacy, witness: PrimalWitness, progress: Progress, largest: PairSearch
) -> tuple[Obligation, ...]:
    """Return the obligations of a ``ReleasePrivacy``; the claim is proved when all of them hold.

    Sound because each guarantee is one inequality on rho_star that holds below any number at which it holds
    (theory.md sections 3 and 6), and the bound of rho_star is one such number. A bound exactly on the boundary is
    decided by comparing rationals.
    """
    hulls = hulls_of(claim.sensitivity)
    shapes = _shapes(witness, hulls, claim.sensitivity.dimension)
    if not shapes.holds:
        return (shapes,)
    limit = _limit(claim.guarantee, hulls)
    bound = bound_rho_star(hulls, claim.covariance, witness, limit, progress, largest)
    return (shapes, *bound.obligations, _guarantee_at(claim.guarantee, bound))


def decide_by_guarantee(claim: ReleasePrivacy) -> Finding:
    """Decide a ``ReleasePrivacy`` whose guarantee every release has, or none.

    Sound because ``condition`` is: Unlimited holds even at rho_star = infinity, Unattainable fails even at 0.
    """
    name, psd = "guarantee decides alone", psd_obligation("covariance is PSD", "Sigma", claim.covariance)
    match condition(claim.guarantee):
        case Unlimited():
            return Finding(Status.PROVED, (psd, Obligation(name, True, "every release has this guarantee")))
        case Unattainable():
            return Finding(Status.REFUTED, (psd, Obligation(name, True, "no release has this guarantee")))
        case _:
            detail = "it depends on the release: a precision would prove it, two datasets would refute it"
            return Finding(Status.PROVED, (psd, Obligation(name, False, detail)))


def enclose_rho_star(
    claim: RhoStarEnclosure, witness: RhoStarWitness, progress: Progress, largest: PairSearch
) -> tuple[Obligation, ...]:
    """Return the obligations of a ``RhoStarEnclosure``; the claim is proved when all of them hold.

    Sound because ``bound_rho_star`` bounds rho_star from above and ``rho_along`` from below, and rho_star >= 0.
    """
    hulls = hulls_of(claim.sensitivity)
    shapes = _shapes(witness.primal, hulls, claim.sensitivity.dimension)
    if not shapes.holds:
        return (shapes,)
    bound = bound_rho_star(hulls, claim.covariance, witness.primal, claim.upper, progress, largest)
    obligations = (shapes, *bound.obligations)
    if bound.upper is not None:
        ends = (bound.upper, claim.upper)
        obligations += (at_most_obligation("upper bound", bound.detail + ":", *ends, "the claimed upper bound"),)
    return (*obligations, *_lower_end(claim, witness.below))


def _lower_end(claim: RhoStarEnclosure, below: VectorWitness | None) -> tuple[Obligation, ...]:
    name = "lower bound"
    if below is None:
        return (Obligation(name, bool(claim.lower <= 0), "rho_star is at least 0"),)
    fits, rho_star = rho_along(claim, below)
    if not isinstance(rho_star, Enclosure):
        return (fits, Obligation(name, False, "the direction has no noise")) if fits.holds else (fits,)
    ends = (claim.lower, rho_star.lower)
    return (fits, at_most_obligation(name, "the claimed lower bound", *ends, "(y.s)^2 / (y^T Sigma y)"))


def show_rho_star_infinite(claim: RhoStarInfinite, witness: VectorWitness) -> tuple[Obligation, ...]:
    """Return the obligations of a ``RhoStarInfinite``; the claim is proved when all of them hold.

    Sound because for a PSD Sigma ``y^T Sigma y = 0`` makes y orthogonal to its range, and y.s is not 0 (``rho_along``).
    """
    fits, rho_star = rho_along(claim, witness)
    if not fits.holds:
        return (fits,)
    outside = isinstance(rho_star, Infinite)
    detail = "y.s is not 0" if outside else "y^T Sigma y > 0 or y.s = 0: the direction shows nothing"
    found = Obligation("vector lies outside the range of the covariance", outside, detail)
    return (fits, psd_obligation("covariance is PSD", "Sigma", claim.covariance), found)


def _shapes(witness: PrimalWitness, hulls: tuple[Hull, ...], dimension: int) -> Obligation:
    misfits = primal_misfits(witness, hulls, dimension)
    return Obligation("shapes agree", not misfits, misfits[0] if misfits else f"sensitivity vectors in R^{dimension}")


def _limit(guarantee: BinaryGuarantee, hulls: tuple[Hull, ...]) -> fmpq | None:
    """Return what rho_star may be, where the bound over a hull is a comparison with it."""
    if not any(isinstance(hull, Ball) for hull in hulls):
        return None
    budget = rho_budget(guarantee)
    return budget.lower if isinstance(budget, Enclosure) else None


def _guarantee_at(guarantee: BinaryGuarantee, bound: RhoBound) -> Obligation:
    name = "guarantee holds at the bound of rho_star"
    if bound.upper is None:
        return Obligation(name, False, bound.detail)
    met = holds(guarantee, Enclosure(bound.upper, bound.upper))
    shown = exact_or(bound.upper, decimal_upper(bound.upper, 20))
    verdict = {
        True: "has the guarantee",
        False: "does not have the guarantee: two datasets would refute the claim, a smaller bound might prove it",
        None: f"cannot be told to have {guarantee.describe()}: a smaller bound would decide it",
    }[met]
    return Obligation(name, met, f"{bound.detail}; a release with rho_star = {shown} {verdict}")
