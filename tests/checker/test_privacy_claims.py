"""The rules of privacy claims: what is proved, what is refuted, and each rejection with the obligation it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flint import fmpq

from certify.checker import adaptive
from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.claims import CapacityMonotone, CovarianceOptimum, GaussianPrivacy, ReleasePrivacy
from certify.checker.exact import identity
from certify.checker.exponents import Exponent
from certify.checker.factors import factor
from certify.checker.guarantees import ZCDP, ApproxDP, MutualInformationDP, TotalVariation
from certify.checker.kernel import check
from certify.checker.sensitivity import ExplicitVectors, FixedQuery
from certify.checker.vectors import Difference, Record
from certify.checker.verdict import Status
from certify.checker.witnesses import (
    ByComputation,
    Counterexample,
    PrimalWitness,
    RhoStarWitness,
    Support,
)
from tests.checker.examples import square
from tests.checker.models import integer_rows, row
from tests.checker.privacy_examples import (
    BITS,
    DECIDED,
    HAIR,
    HALF,
    NEAR_ZERO,
    SQUARE,
    Case,
    bit_counterexample,
    denoiser,
    squares,
)


@pytest.mark.parametrize("name", DECIDED)
def test_every_claim_gets_the_status_it_deserves(name: str) -> None:
    case = DECIDED[name]()
    verdict = check(case.certificate)
    assert verdict.status is case.status, verdict.obligations
    assert not verdict.failed
    assert verdict.obligations


@pytest.mark.parametrize("name", DECIDED)
def test_every_certificate_survives_its_file(name: str) -> None:
    certificate = DECIDED[name]().certificate
    data = write_certificate(certificate)
    assert read_certificate(data) == certificate
    assert write_certificate(read_certificate(data)) == data


def claim_with(case: Case, **changes: Any) -> Certificate:
    return Certificate(replace(case.claim, **changes), case.witness)


def witness_with(case: Case, **changes: Any) -> Certificate:
    return Certificate(case.claim, replace(case.witness, **changes))


def _below(name: str, **changes: Any) -> Certificate:
    """Change the lower witness of a bracket of rho_star."""
    case = DECIDED[name]()
    assert isinstance(case.witness, RhoStarWitness)
    assert case.witness.below is not None
    return witness_with(case, below=replace(case.witness.below, **changes))


def _explicit(witness: Counterexample) -> Certificate:
    return Certificate(ReleasePrivacy(ExplicitVectors(integer_rows([[1]])), identity(1), ZCDP(HALF)), witness)


KIND = "witness is of the kind the claim needs"
BOUND = "guarantee holds at the bound of rho_star"
FAILS = "guarantee fails along the direction"
FITS = "witness fits the release"

REJECTED: dict[str, tuple[Callable[[], Certificate], str]] = {
    "the guarantee a hair too strong": (
        lambda: claim_with(DECIDED["exactly on the boundary"](), guarantee=ZCDP(HALF - HAIR)),
        BOUND,
    ),
    "delta too small": (
        lambda: claim_with(DECIDED["delta above the true 0.1269"](), guarantee=ApproxDP(fmpq(1), fmpq(126, 1000))),
        BOUND,
    ),
    "the precision does not dominate": (
        lambda: witness_with(DECIDED["a precision with room"](), precision=identity(2).scaled(HALF - HAIR)),
        "precision bounds the inverse",
    ),
    "the precision is negative": (
        lambda: witness_with(DECIDED["a precision with room"](), precision=identity(2).scaled(fmpq(-1))),
        "precision bounds the inverse",
    ),
    "the precision has another size": (
        lambda: witness_with(DECIDED["a precision with room"](), precision=identity(3)),
        "shapes agree",
    ),
    "no inverse": (
        lambda: Certificate(DECIDED["a direction without noise"]().claim, PrimalWitness(None, None)),
        "precision bounds the inverse",
    ),
    "a covariance that is not PSD": (
        lambda: claim_with(DECIDED["exactly on the boundary"](), covariance=integer_rows([[1, 2], [2, 1]])),
        "precision bounds the inverse",
    ),
    "the support carries too little": (
        lambda: witness_with(
            DECIDED["exactly on the boundary"](), support=Support(integer_rows([[1], [1]]), (0,)), precision=identity(1)
        ),
        "support carries covariance and records",
    ),
    "the support misses a record": (
        lambda: Certificate(
            DECIDED["a direction without noise"]().claim,
            PrimalWitness(Support(integer_rows([[1], [-1]]), (0,)), identity(1)),
        ),
        "support carries covariance and records",
    ),
    "a support of another shape": (
        lambda: witness_with(DECIDED["exactly on the boundary"](), support=Support(integer_rows([[1], [1]]), (0, 1))),
        "shapes agree",
    ),
    "fixed query, upper end": (
        lambda: claim_with(DECIDED["fixed query, f^2 = 0.53444664"](), guarantee=ZCDP(fmpq(26722, 10**5))),
        BOUND,
    ),
    "box bound too small": (
        lambda: witness_with(DECIDED["long box, by its bound"](), box_bound=row(*[fmpq(19, 10)] * 24)),
        "box bound dominates the precision",
    ),
    "box bound too large": (
        lambda: witness_with(DECIDED["long box, by its bound"](), box_bound=row(*[fmpq(201, 100)] * 24)),
        BOUND,
    ),
    "no box bound for a long box": (lambda: witness_with(DECIDED["long box, by its bound"](), box_bound=None), BOUND),
    "box bound of another length": (
        lambda: witness_with(DECIDED["long box, by its bound"](), box_bound=row(*[2] * 23)),
        "shapes agree",
    ),
    "box bound of two rows": (
        lambda: witness_with(DECIDED["long box, by its bound"](), box_bound=integer_rows([[1] * 24] * 2)),
        "shapes agree",
    ),
    "box bound without a box": (
        lambda: witness_with(DECIDED["exactly on the boundary"](), box_bound=row(1, 1)),
        "shapes agree",
    ),
    "ball over its eigenvalue": (
        lambda: claim_with(DECIDED["ball of records"](), guarantee=ZCDP(HALF - HAIR)),
        BOUND,
    ),
    "datasets that do not refute": (
        lambda: claim_with(DECIDED["a hair below the boundary"](), guarantee=ZCDP(HALF)),
        FAILS,
    ),
    "a query too near to refute": (
        lambda: witness_with(DECIDED["a hair below the boundary"](), query=FixedQuery(row(0, 0), fmpq(1))),
        FAILS,
    ),
    "a direction that sees nothing": (
        lambda: witness_with(DECIDED["a direction without noise"](), direction=row(1, -1)),
        FAILS,
    ),
    "the zero direction": (
        lambda: witness_with(DECIDED["a direction without noise"](), direction=row(0, 0)),
        FAILS,
    ),
    "the guarantee fails nowhere": (
        lambda: claim_with(DECIDED["a direction without noise"](), guarantee=TotalVariation(fmpq(1))),
        FAILS,
    ),
    "a record outside the domain": (
        lambda: witness_with(DECIDED["a hair below the boundary"](), records=integer_rows([[0, 0], [1, 2]])),
        "records belong to the domain",
    ),
    "a record outside the box": (
        lambda: witness_with(DECIDED["box of records, too little"](), records=integer_rows([[0, 0], [1, 3]])),
        "records belong to the domain",
    ),
    "a record outside the ball": (
        lambda: witness_with(DECIDED["ball of records, too little"](), records=integer_rows([[46, 46], [53, 54]], 10)),
        "records belong to the domain",
    ),
    "a record outside the simplex": (
        lambda: witness_with(
            DECIDED["simplex of records, too little"](), records=integer_rows([[2, -1, 0], [0, 0, 1]])
        ),
        "records belong to the domain",
    ),
    "a record whose sum is not the scale": (
        lambda: witness_with(DECIDED["simplex of records, too little"](), records=integer_rows([[1, 0, 0], [0, 0, 2]])),
        "records belong to the domain",
    ),
    "a query the claim does not cover": (
        lambda: witness_with(DECIDED["fixed query, too little"](), query=FixedQuery(row(-1), HALF)),
        "query is one the claim covers",
    ),
    "a query not in the list": (
        lambda: witness_with(DECIDED["list of queries, too little"](), query=FixedQuery(row(-1), HALF)),
        "query is one the claim covers",
    ),
    "a query outside the ball": (
        lambda: witness_with(DECIDED["ball of queries, too little"](), query=FixedQuery(row(-HALF - HAIR), HALF)),
        "query is one the claim covers",
    ),
    "a query at another noise level": (
        lambda: witness_with(DECIDED["ball of queries, too little"](), query=FixedQuery(row(-HALF), HALF - HAIR)),
        "query is one the claim covers",
    ),
    "a query outside the box": (
        lambda: witness_with(DECIDED["box of queries, too little"](), query=FixedQuery(row(-HALF - HAIR), HALF)),
        "query is one the claim covers",
    ),
    "a box query at another noise level": (
        lambda: witness_with(DECIDED["box of queries, too little"](), query=FixedQuery(row(-HALF), HALF - HAIR)),
        "query is one the claim covers",
    ),
    "a query of another dimension": (
        lambda: witness_with(DECIDED["a hair below the boundary"](), query=FixedQuery(row(0), fmpq(1))),
        FITS,
    ),
    "no query": (lambda: witness_with(DECIDED["fixed query, too little"](), query=None), FITS),
    "a query for a sum": (lambda: witness_with(DECIDED["sum, too little"](), query=NEAR_ZERO), FITS),
    "added instead of replaced": (lambda: witness_with(DECIDED["a hair below, replacement"](), second=None), FITS),
    "replaced instead of removed": (lambda: witness_with(DECIDED["a hair below the boundary"](), second=1), FITS),
    "a mean with a record removed": (lambda: witness_with(DECIDED["mean, too little"](), second=None), FITS),
    "a denoiser of nothing": (lambda: witness_with(DECIDED["a hair below the boundary"](), rest=()), FITS),
    "an index beyond the records": (lambda: witness_with(DECIDED["a hair below the boundary"](), rest=(2,)), FITS),
    "first beyond the records": (lambda: witness_with(DECIDED["a hair below the boundary"](), first=2), FITS),
    "records of another dimension": (
        lambda: witness_with(DECIDED["a hair below the boundary"](), records=integer_rows([[0], [1]])),
        FITS,
    ),
    "a direction of another dimension": (
        lambda: witness_with(DECIDED["a hair below the boundary"](), direction=row(1, 1, 1)),
        FITS,
    ),
    "a direction of two rows": (
        lambda: witness_with(DECIDED["a hair below the boundary"](), direction=identity(2)),
        FITS,
    ),
    "datasets for explicit vectors": (lambda: _explicit(Counterexample(BITS, (), 1, None, None, row(1))), FITS),
    "datasets of a covariance that is none": (
        lambda: claim_with(DECIDED["a hair below the boundary"](), covariance=integer_rows([[1, 0], [0, -1]])),
        "covariance is PSD",
    ),
    "a vector that does not refute": (
        lambda: claim_with(DECIDED["explicit vectors, too little"](), guarantee=ZCDP(fmpq(4))),
        FAILS,
    ),
    "a vector that is none": (lambda: witness_with(DECIDED["explicit vectors, too little"](), vector=Record(2)), FITS),
    "a vector of another kind": (
        lambda: witness_with(DECIDED["explicit vectors, too little"](), vector=Difference(0, 1)),
        FITS,
    ),
    "a vector with a short direction": (
        lambda: witness_with(DECIDED["explicit vectors, too little"](), direction=row(1)),
        FITS,
    ),
    "a vector of a covariance that is none": (
        lambda: claim_with(DECIDED["explicit vectors, too little"](), covariance=integer_rows([[1, 0], [0, -1]])),
        "covariance is PSD",
    ),
    "the guarantee alone does not decide": (
        lambda: Certificate(squares(ZCDP(fmpq(100))), ByComputation()),
        "guarantee decides alone",
    ),
    "any guarantee of a covariance that is none": (
        lambda: claim_with(DECIDED["total variation of one"](), covariance=integer_rows([[1, 2], [2, 1]])),
        "covariance is PSD",
    ),
    "rho_star, lower end too high": (
        lambda: claim_with(DECIDED["rho_star enclosed"](), lower=fmpq(2) + HAIR, upper=fmpq(3)),
        "lower bound",
    ),
    "rho_star, upper end too low": (
        lambda: claim_with(DECIDED["rho_star enclosed"](), lower=fmpq(1), upper=fmpq(2) - HAIR),
        "upper bound",
    ),
    "rho_star, no reason for the lower end": (
        lambda: witness_with(DECIDED["rho_star enclosed"](), below=None),
        "lower bound",
    ),
    "rho_star, a direction that sees less": (
        lambda: _below("rho_star enclosed", direction=row(1, 0)),
        "lower bound",
    ),
    "rho_star, the zero direction": (lambda: _below("rho_star enclosed", direction=row(0, 0)), "lower bound"),
    "rho_star, a vector that is none": (lambda: _below("rho_star enclosed", vector=Difference(0, 4)), FITS),
    "rho_star, a precision of another size": (
        lambda: witness_with(DECIDED["rho_star bounded"](), primal=PrimalWitness(None, identity(1))),
        "shapes agree",
    ),
    "rho_star, a precision that does not dominate": (
        lambda: witness_with(DECIDED["rho_star bounded"](), primal=PrimalWitness(None, identity(2).scaled(1 - HAIR))),
        "precision bounds the inverse",
    ),
    "rho_star finite after all": (
        lambda: claim_with(DECIDED["rho_star infinite"](), covariance=identity(2)),
        "vector lies outside the range of the covariance",
    ),
    "rho_star infinite in a direction without shift": (
        lambda: witness_with(DECIDED["rho_star infinite"](), vector=Difference(0, 0)),
        "vector lies outside the range of the covariance",
    ),
    "rho_star infinite of no vector": (
        lambda: witness_with(DECIDED["rho_star infinite"](), vector=Difference(0, 9)),
        FITS,
    ),
    "rho_star infinite of a covariance that is none": (
        lambda: claim_with(DECIDED["rho_star infinite"](), covariance=integer_rows([[1, -1], [-1, 0]])),
        "covariance is PSD",
    ),
    "a conversion with a witness": (
        lambda: Certificate(DECIDED["conversion"]().claim, PrimalWitness(None, None)),
        KIND,
    ),
    "a release with the witness of an optimum": (lambda: Certificate(squares(ZCDP(HALF)), square().witness), KIND),
    "an optimum with the witness of a release": (
        lambda: Certificate(square().claim, PrimalWitness(None, None)),
        KIND,
    ),
    "a bracket of rho_star with a mere precision": (
        lambda: Certificate(DECIDED["rho_star enclosed"]().claim, PrimalWitness(None, None)),
        KIND,
    ),
    "an infinite rho_star with a bracket": (
        lambda: Certificate(DECIDED["rho_star infinite"]().claim, DECIDED["rho_star enclosed"]().witness),
        KIND,
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected_certificates_name_the_failed_obligation(name: str) -> None:
    build, obligation = REJECTED[name]
    verdict = check(build())
    assert verdict.status is Status.REJECTED, verdict.obligations
    assert verdict.failed[0].name == obligation, verdict.failed
    assert verdict.failed[0].holds is False


def test_there_are_at_least_as_many_rejections_as_decisions() -> None:
    assert len(REJECTED) >= len(DECIDED)


NEARLY = fmpq(12692, 10**5)


@pytest.mark.parametrize(
    "certificate",
    [
        Certificate(GaussianPrivacy(fmpq(1), ApproxDP(fmpq(1), NEARLY)), ByComputation()),
        Certificate(squares(ApproxDP(fmpq(1), NEARLY)), PrimalWitness(None, None)),
        Certificate(
            squares(ApproxDP(fmpq(1), NEARLY)),
            Counterexample(SQUARE, (3,), 0, None, FixedQuery(row(-99, -99), fmpq(1)), row(1, 1)),
        ),
        Certificate(GaussianPrivacy(fmpq(1), MutualInformationDP(fmpq(11142, 10**5))), ByComputation()),
        Certificate(CapacityMonotone(fmpq(0), fmpq(10**10)), ByComputation()),
    ],
    ids=lambda certificate: f"{type(certificate.claim).__name__}, {type(certificate.witness).__name__}",
)
def test_what_the_precision_cannot_tell_is_undecided(certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the cap on precision lowered to 8 bits, numbers that agree to a few digits cannot be told apart."""
    monkeypatch.setattr(adaptive, "PRECISION_CAP", 8)
    verdict = check(certificate)
    assert verdict.status is Status.UNDECIDED, verdict.obligations
    assert [obligation.holds for obligation in verdict.failed] == [None]
    assert verdict.failed[0].detail


def test_a_refutation_too_near_the_boundary_is_undecided() -> None:
    """The claim is at f^2 / 2 to 6,000 bits, more than the enclosure of two datasets is refined to."""
    ends = factor(Exponent(fmpq(1), fmpq(0), fmpq(0)), bits=6000)
    claim = ReleasePrivacy(denoiser(BITS, NEAR_ZERO), identity(1), ZCDP(ends.lower * ends.upper / 2))
    verdict = check(Certificate(claim, bit_counterexample(NEAR_ZERO)))
    assert verdict.status is Status.UNDECIDED
    assert "datasets farther beyond it would decide" in verdict.failed[0].detail


def test_the_same_claims_are_decided_at_the_full_precision() -> None:
    true_delta = GaussianPrivacy(fmpq(1), ApproxDP(fmpq(1), NEARLY))
    assert check(Certificate(true_delta, ByComputation())).status is Status.REFUTED


def test_a_refutation_shows_the_violating_value() -> None:
    verdict = check(DECIDED["fixed query, too little"]().certificate)
    assert "0.534446" in verdict.obligations[-1].detail


def test_a_claim_keeps_its_whole_meaning_in_the_verdict() -> None:
    case = DECIDED["fixed query, too little"]()
    assert check(case.certificate).claim == case.claim
    assert not isinstance(case.claim, CovarianceOptimum)
