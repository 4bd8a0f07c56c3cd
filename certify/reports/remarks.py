"""What an audit says beside a verdict, in sentences: the counterexample, the tightest true claim, the noise."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from certify.certificates.audit import Decision, smallest_scale
from certify.checker.claims import CovarianceOptimum
from certify.checker.enclosure import Enclosure
from certify.checker.privacy import RhoStar
from certify.checker.vectors import describe_vector
from certify.checker.verdict import Status
from certify.checker.witnesses import Counterexample, VectorWitness
from certify.reports.comparisons import beside, describe_attained
from certify.reports.counterexamples import describe_counterexample
from certify.reports.numbers import at_least, at_most, between, percent


def remarks(decision: Decision, value: RhoStar) -> Iterator[str]:
    """Yield what there is to say about a decision, one paragraph each.

    Args:
        decision: What was decided about one claim.
        value: What is known of rho_star.
    """
    guarantee, witness = decision.claim.guarantee, decision.certificate.witness
    if isinstance(witness, Counterexample):
        yield describe_counterexample(decision.claim, witness)
    if isinstance(witness, VectorWitness):
        yield f"The vector that refutes the claim: {describe_vector(witness.vector)}."
    if decision.attained is not None:
        yield describe_attained(guarantee, decision.attained)
    if decision.remedy:
        yield f"What would decide: {decision.remedy}."
    yield from beside(guarantee, decision.status, [each.guarantee for each in decision.alternatives])
    scaled = _scaled(decision, value)
    if scaled:
        yield scaled


def _scaled(decision: Decision, value: RhoStar) -> str:
    """Return by which factor the covariance may shrink, or has to grow, to have just the claimed guarantee."""
    scale = smallest_scale(decision.claim.guarantee, value)
    if scale is None or scale <= 0:
        return ""
    if decision.status is Status.PROVED and scale < 1:
        return f"{at_most(scale)} times this covariance still has the guarantee: {percent(1 - scale)} is to spare."
    if decision.status is Status.REFUTED:
        return f"{at_most(scale)} times this covariance would have the guarantee."
    return ""


def describe_optimum(decision: Decision, optimum: CovarianceOptimum) -> str:
    """Return what the optimal covariance with the claimed guarantee costs beside this one, both by their traces."""
    own, least = decision.claim.covariance.trace(), optimum.upper
    costs = f"that of the least covariance with the guarantee is {between(Enclosure(optimum.lower, optimum.upper), 8)}"
    if decision.status is Status.PROVED and own > 0:
        share = percent(max(1 - least / own, fmpq(0)))
        return f"Noise: the trace of this covariance is {at_least(own, 8)}; {costs}: {share} could be saved."
    return f"Noise: the trace of this covariance is {at_least(own, 8)}; {costs}."
