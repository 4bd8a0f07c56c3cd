"""Audits: from a release, a covariance and claims to a verdict with a certificate for each claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from flint import fmpq

from certify.certificates.calibration import tightest
from certify.certificates.counterexamples import attained, counterexample
from certify.certificates.rho_star import RhoStarFinding, find_rho_star
from certify.checker.adaptive import PrecisionExhaustedError
from certify.checker.certificate import Certificate
from certify.checker.claims import GaussianPrivacy, ReleasePrivacy
from certify.checker.decimals import decimal_lower, decimal_upper
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.kernel import check, silent
from certify.checker.pairs import Progress
from certify.checker.privacy import (
    Infinite,
    RhoBudget,
    RhoStar,
    Unattainable,
    Unlimited,
    condition,
    holds,
    rho_budget,
)
from certify.checker.releases import Release
from certify.checker.verdict import Status, Verdict
from certify.checker.witnesses import ByComputation, Counterexample, PrivacyWitness, VectorWitness

ROUNDING = fmpq(1, 10**12)


@dataclass(frozen=True, slots=True)
class AuditTask:
    """What to audit.

    Attributes:
        release: What is released about which records.
        covariance: Sigma, d x d, symmetric.
        guarantees: What is claimed of the release plus N(0, Sigma) noise, in order.
    """

    release: Release
    covariance: Matrix
    guarantees: tuple[BinaryGuarantee, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A guarantee that does hold: the kernel proves it of every release whose rho_star is the proved upper bound."""

    guarantee: BinaryGuarantee
    certificate: Certificate
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one claim.

    Attributes:
        claim: The claim.
        status: PROVED, REFUTED or UNDECIDED.
        certificate: Of the claim where it was decided; of the enclosure of rho_star where it was not.
        verdict: What the kernel says of the certificate.
        remedy: What would decide an undecided claim, else empty.
        attained: For a refuted claim the rho_star that the counterexample attains, enclosed.
        alternatives: The tightest guarantees of the same notion that do hold.
    """

    claim: ReleasePrivacy
    status: Status
    certificate: Certificate
    verdict: Verdict
    remedy: str
    attained: RhoStar | None
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """What is proved about rho_star, and the decision on each claim, in order."""

    rho_star: RhoStarFinding
    decisions: tuple[Decision, ...]


def audit(task: AuditTask, progress: Progress = silent) -> Audit:
    """Return a decision on every claim, each with a certificate that the kernel has checked.

    Args:
        task: The release, the covariance and the claims.
        progress: Called while certificates are checked.

    Raises:
        AuditError: If the covariance is not PSD, or numbers are beyond the range of binary64.
        ValueError: If a claim does not fit the release.
    """
    found = find_rho_star(task.release, task.covariance, progress)
    sharper: list[RhoStarFinding] = []

    def sharpen() -> RhoStarFinding:
        if not sharper:
            sharper.append(find_rho_star(task.release, task.covariance, progress, exact=True))
        return sharper[0]

    claims = [ReleasePrivacy(task.release, task.covariance, guarantee) for guarantee in task.guarantees]
    return Audit(found, tuple(decide(claim, found, sharpen, progress) for claim in claims))


def decide(
    claim: ReleasePrivacy, found: RhoStarFinding, sharpen: Callable[[], RhoStarFinding], progress: Progress
) -> Decision:
    """Return the decision on one claim.

    Args:
        claim: The claim.
        found: What is known of rho_star.
        sharpen: Finds rho_star once more with an exact inverse; called where the enclosure does not decide.
        progress: Called while certificates are checked.
    """
    for attempt in _attempts(claim, found, sharpen):
        certificate = Certificate(claim, attempt)
        verdict = check(certificate, progress)
        if verdict.status in {Status.PROVED, Status.REFUTED}:
            return _decided(certificate, claim, verdict, found)
    remedy = _remedy(claim.guarantee, found.value)
    return Decision(claim, Status.UNDECIDED, found.certificate, found.verdict, remedy, None, ())


def _attempts(
    claim: ReleasePrivacy, found: RhoStarFinding, sharpen: Callable[[], RhoStarFinding]
) -> Iterator[PrivacyWitness]:
    """Yield witnesses that may decide the claim, the most promising first."""
    if isinstance(_condition_or_none(claim.guarantee), Unlimited | Unattainable):
        yield ByComputation()
        return
    met = _holds_or_none(claim.guarantee, found.value)
    if met is not False and found.primal is not None:
        yield found.primal
    if met is not True:
        yield from _refutations(claim, found)
    if met is None and _is_rounded(found.value):
        sharper = sharpen()
        if sharper.primal is not None:
            yield sharper.primal
        yield from _refutations(claim, sharper)


def _is_rounded(value: RhoStar) -> bool:
    """Return whether only the rounding of the inverse can keep the ends of an enclosure apart."""
    return isinstance(value, Enclosure) and 0 < value.upper - value.lower <= ROUNDING * value.upper


def _refutations(claim: ReleasePrivacy, found: RhoStarFinding) -> Iterator[Counterexample | VectorWitness]:
    """Yield two datasets that may refute the claim, then the vector of the hull that they come from."""
    if found.worst is None:
        return
    budget = _budget_or_none(claim.guarantee)
    if budget is not None:
        datasets = counterexample(claim, found.worst, budget)
        if datasets is not None:
            yield datasets
    yield found.worst


def _decided(certificate: Certificate, claim: ReleasePrivacy, verdict: Verdict, found: RhoStarFinding) -> Decision:
    witness = certificate.witness
    reached = attained(claim, witness) if isinstance(witness, Counterexample | VectorWitness) else None
    return Decision(claim, verdict.status, certificate, verdict, "", reached, tuple(_alternatives(claim, found)))


def _alternatives(claim: ReleasePrivacy, found: RhoStarFinding) -> Iterator[Alternative]:
    """Yield the tightest guarantees that the kernel proves at the upper bound of rho_star that it has proved."""
    value = found.value
    if isinstance(value, Infinite) or found.verdict.status is not Status.PROVED:
        return
    for guarantee in tightest(claim.guarantee, value.upper):
        certificate = Certificate(GaussianPrivacy(value.upper, guarantee), ByComputation())
        verdict = check(certificate)
        if verdict.status is Status.PROVED:
            yield Alternative(guarantee, certificate, verdict)


def certify_tightest(decision: Decision, found: RhoStarFinding, progress: Progress = silent) -> Certificate | None:
    """Return a checked certificate that the release has the tightest guarantee, None where there is none.

    Args:
        decision: A decision with alternatives, the first of which is meant.
        found: What is known of rho_star.
        progress: Called while the certificate is checked.
    """
    if not decision.alternatives or found.primal is None:
        return None
    claim = replace(decision.claim, guarantee=decision.alternatives[0].guarantee)
    certificate = Certificate(claim, found.primal)
    return certificate if check(certificate, progress).status is Status.PROVED else None


def _remedy(guarantee: BinaryGuarantee, value: RhoStar) -> str:
    budget = _budget_or_none(guarantee)
    match value:
        case Infinite():
            return "rho_star is infinite, and the guarantee could not be told to limit it; state another kappa or delta"
        case Enclosure(lower, upper):
            ends = f"rho_star lies between {decimal_lower(lower, 20)} and {decimal_upper(upper, 20)}"
            if not isinstance(budget, Enclosure):
                return (
                    f"{ends}; too close to the boundary for the largest precision: change the last digit of the claim"
                )
            limit = decimal_lower(budget.lower, 20)
            return f"{ends}, and the guarantee allows it to be {limit}; a tighter bound of rho_star would decide"
        case _:
            assert_never(value)


def _condition_or_none(guarantee: BinaryGuarantee) -> object:
    try:
        return condition(guarantee)
    except PrecisionExhaustedError:
        return None


def _holds_or_none(guarantee: BinaryGuarantee, value: RhoStar) -> bool | None:
    try:
        return holds(guarantee, value)
    except PrecisionExhaustedError:
        return None


def _budget_or_none(guarantee: BinaryGuarantee) -> RhoBudget | None:
    try:
        return rho_budget(guarantee)
    except PrecisionExhaustedError:
        return None


def smallest_scale(guarantee: BinaryGuarantee, value: RhoStar) -> fmpq | None:
    """Return a factor c, as small as the bounds allow, such that c Sigma has the guarantee; None where none is known.

    ``rho_star(c Sigma) = rho_star(Sigma) / c``, and what is at most the lower end of a budget has the guarantee.
    """
    budget = _budget_or_none(guarantee)
    if not isinstance(budget, Enclosure) or budget.lower <= 0 or isinstance(value, Infinite):
        return None
    return value.upper / budget.lower
