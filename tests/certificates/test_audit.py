"""Audits: each claim is decided with a certificate that the kernel accepts, or refuted by datasets to look at."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.certificates.audit import Audit, AuditTask, Decision, audit, certify_tightest, smallest_scale
from certify.certificates.rho_star import find_rho_star
from certify.checker.capacity import capacity
from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.claims import RhoStarEnclosure
from certify.checker.denoiser import deletion, replacement
from certify.checker.domains import BoxDomain, FiniteDomain, contains
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity, inner
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.kernel import check
from certify.checker.privacy import Infinite, holds
from certify.checker.queries import FixedQuery, UniformQuery, covers
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Release, domain_of
from certify.checker.verdict import Status
from certify.checker.witnesses import ByComputation, Counterexample, PrimalWitness, VectorWitness
from tests.certificates.audit_examples import ADD, COVARIANCE, RECORDS, RELEASES, REPLACE, exact

SMALL = fmpq(1, 10**12)


def _audited(release: Release, *guarantees: BinaryGuarantee, covariance: Matrix = COVARIANCE) -> Audit:
    return audit(AuditTask(release, covariance, guarantees))


def _decided(release: Release, guarantee: BinaryGuarantee, covariance: Matrix = COVARIANCE) -> Decision:
    (decision,) = _audited(release, guarantee, covariance=covariance).decisions
    return decision


def _rho_star(name: str) -> Enclosure:
    value = find_rho_star(RELEASES[name], COVARIANCE).value
    assert isinstance(value, Enclosure)
    return value


@pytest.mark.parametrize("name", RELEASES)
def test_a_claim_just_below_rho_star_is_refuted_and_one_at_it_is_proved(name: str) -> None:
    value = _rho_star(name)
    result = _audited(RELEASES[name], ZCDP(value.lower / 2 * (1 - SMALL)), ZCDP(value.upper / 2))
    below, at = result.decisions
    assert (below.status, at.status) == (Status.REFUTED, Status.PROVED)
    for decision in (below, at):
        again = read_certificate(write_certificate(decision.certificate))
        assert again.claim == decision.claim
        assert check(again).status is decision.status
    expected = VectorWitness if isinstance(RELEASES[name], ExplicitVectors) else Counterexample
    assert isinstance(below.certificate.witness, expected)
    assert isinstance(below.attained, Enclosure)
    assert value.lower * (1 - SMALL) < below.attained.lower <= below.attained.upper <= value.upper
    assert below.attained.upper - below.attained.lower <= value.upper * SMALL


@pytest.mark.parametrize("name", [name for name, release in RELEASES.items() if domain_of(release) is not None])
def test_the_datasets_of_a_counterexample_are_neighbours_of_the_domain(name: str) -> None:
    release = RELEASES[name]
    witness = _decided(release, ApproxDP(fmpq(1, 10), fmpq(1, 10**6))).certificate.witness
    domain = domain_of(release)
    assert isinstance(witness, Counterexample)
    assert domain is not None
    records = [witness.records.select((row,), range(2)) for row in range(witness.records.rows)]
    assert len(records) <= 3
    assert all(contains(domain, record) for record in records)
    if isinstance(release, IdealDenoiser):
        assert witness.query is not None
        assert covers(release.query, witness.query)


@pytest.mark.parametrize("name", ["uniform, add or remove", "ball of queries", "diffusion, replace", "list, replace"])
def test_the_attained_value_is_that_of_the_denoiser_at_the_datasets(name: str) -> None:
    decision = _decided(RELEASES[name], GDP(fmpq(1, 100)))
    witness = decision.certificate.witness
    assert isinstance(witness, Counterexample)
    assert witness.query is not None
    rows = [witness.records.select((row,), range(2)) for row in range(witness.records.rows)]
    rest = witness.records.select(witness.rest, range(2))
    if witness.second is None:
        dataset = witness.records.select((*witness.rest, witness.first), range(2))
        moved = deletion(dataset, len(witness.rest), witness.query)
    else:
        moved = replacement(rest, rows[witness.first], rows[witness.second], witness.query)
    shift = sum((witness.direction.entry(0, j) * moved[j].lower for j in range(2)), fmpq(0))
    noise = inner(witness.direction @ COVARIANCE, witness.direction)
    assert isinstance(decision.attained, Enclosure)
    assert abs(shift**2 / noise - decision.attained.lower) < SMALL


@pytest.mark.parametrize(
    "guarantee",
    [
        ZCDP(fmpq(1, 8)),
        GDP(fmpq(1, 2)),
        RenyiDP(fmpq(3), fmpq(1, 5)),
        ApproxDP(fmpq(1), fmpq(1, 10**5)),
        TotalVariation(fmpq(1, 5)),
    ],
)
def test_the_tightest_true_claim_stands_beside_a_refuted_one(guarantee: BinaryGuarantee) -> None:
    result = _audited(RELEASES["uniform, replace"], guarantee)
    (decision,) = result.decisions
    assert decision.status is Status.REFUTED
    first = decision.alternatives[0]
    assert type(first.guarantee) is type(guarantee)
    assert first.verdict.status is Status.PROVED
    certificate = certify_tightest(decision, result.rho_star)
    assert certificate is not None
    assert certificate.claim == replace(decision.claim, guarantee=first.guarantee)
    assert check(read_certificate(write_certificate(certificate))).status is Status.PROVED
    tighter = _slightly_stronger(first.guarantee)
    assert _decided(RELEASES["uniform, replace"], tighter).status is Status.REFUTED


def _slightly_stronger(guarantee: BinaryGuarantee) -> BinaryGuarantee:
    """One unit in the fourth digit: the alternatives are rounded up at the fifth."""
    less = 1 - fmpq(1, 9000)
    match guarantee:
        case ZCDP(rho):
            return ZCDP(rho * less)
        case GDP(mu):
            return GDP(mu * less)
        case RenyiDP(alpha, epsilon):
            return RenyiDP(alpha, epsilon * less)
        case ApproxDP(epsilon, delta):
            return ApproxDP(epsilon * less, delta)
        case TotalVariation(delta):
            return TotalVariation(delta * less)
        case MutualInformationDP(kappa):
            return MutualInformationDP(kappa * less)


def test_both_ends_of_an_approximate_claim_are_tightened() -> None:
    decision = _decided(RELEASES["uniform, replace"], ApproxDP(fmpq(1), fmpq(1, 10**5)))
    least_epsilon, least_delta = (each.guarantee for each in decision.alternatives)
    assert isinstance(least_epsilon, ApproxDP)
    assert isinstance(least_delta, ApproxDP)
    assert least_epsilon.delta == fmpq(1, 10**5)
    assert least_epsilon.epsilon > 1
    assert least_delta.epsilon == 1
    assert least_delta.delta > fmpq(1, 10**5)


def test_a_claim_exactly_on_the_boundary_is_proved() -> None:
    release = IdealDenoiser(FiniteDomain(exact([0, 0], [1, 1]), None), UniformQuery(), ADD)
    covariance = identity(2).scaled(fmpq(2))
    exactly, below = _audited(release, ZCDP(fmpq(1, 2)), ZCDP(fmpq(1, 2) - SMALL**3), covariance=covariance).decisions
    assert exactly.status is Status.PROVED
    assert below.status is Status.REFUTED
    assert isinstance(below.attained, Enclosure)
    assert 1 - 4 * SMALL**3 < below.attained.lower < 1


def test_an_eigenvalue_on_the_boundary_is_decided() -> None:
    covariance = exact([2, 1], [1, 2])
    ball = RELEASES["ball, uniform"]
    exactly, below = _audited(ball, ZCDP(fmpq(9, 2)), ZCDP(fmpq(9, 2) - SMALL), covariance=covariance).decisions
    assert (exactly.status, below.status) == (Status.PROVED, Status.REFUTED)


@pytest.mark.parametrize("name", [name for name in RELEASES if "mean" not in name])
def test_an_infinite_rho_star_refutes_every_claim_that_limits_anything(name: str) -> None:
    covariance = exact([1, 0], [0, 0])
    result = _audited(RELEASES[name], ApproxDP(fmpq(5), fmpq(9, 10)), TotalVariation(fmpq(1)), covariance=covariance)
    refuted, vacuous = result.decisions
    assert refuted.status is Status.REFUTED
    assert isinstance(refuted.attained, Infinite)
    assert refuted.alternatives == ()
    assert vacuous.status is Status.PROVED
    assert isinstance(vacuous.certificate.witness, ByComputation)
    assert smallest_scale(refuted.claim.guarantee, result.rho_star.value) is None
    assert certify_tightest(refuted, result.rho_star) is None


def test_pure_privacy_needs_a_release_that_reveals_nothing() -> None:
    assert _decided(RELEASES["mean"], ApproxDP(fmpq(100), fmpq(0))).status is Status.REFUTED
    one = IdealDenoiser(FiniteDomain(exact([1, 2]), None), UniformQuery(), ADD)
    for guarantee in (ApproxDP(fmpq(0), fmpq(0)), ZCDP(fmpq(0)), TotalVariation(fmpq(0))):
        decision = _decided(one, guarantee)
        assert decision.status is Status.PROVED
        assert isinstance(decision.certificate.witness, PrimalWitness)


def test_mutual_information_of_binary_records() -> None:
    binary = IdealDenoiser(FiniteDomain(exact([0, 0], [1, 1]), None), UniformQuery(), REPLACE)
    value = find_rho_star(binary, COVARIANCE).value
    assert isinstance(value, Enclosure)
    nats = capacity(value.upper)
    kappas = [fmpq(-1), fmpq(0), nats.lower * (1 - SMALL), nats.upper, fmpq(7, 10)]
    claims = [MutualInformationDP(kappa) for kappa in kappas]
    statuses = [decision.status for decision in _audited(binary, *claims).decisions]
    assert statuses == [Status.REFUTED, Status.REFUTED, Status.REFUTED, Status.PROVED, Status.PROVED]
    with pytest.raises(ValueError, match="two records"):
        _audited(RELEASES["uniform, replace"], claims[0])


def test_an_undecided_claim_says_what_is_known_and_what_would_decide() -> None:
    size = 21
    signs = exact(*[[(-1) ** (i * j % 3) if i != j else 40 for j in range(size)] for i in range(size)])
    covariance = signs @ signs.transpose()
    box = IdealDenoiser(BoxDomain(exact([0] * size), exact([1] * size)), UniformQuery(), ADD)
    value = find_rho_star(box, covariance).value
    assert isinstance(value, Enclosure)
    if value.is_exact:
        pytest.fail("this box was meant to have a gap between its vertices and its bound")
    decision = _decided(box, ZCDP((value.lower + value.upper) / 4), covariance)
    assert decision.status is Status.UNDECIDED
    assert isinstance(decision.certificate.claim, RhoStarEnclosure)
    assert decision.verdict.status is Status.PROVED
    assert "a tighter bound of rho_star would decide" in decision.remedy
    proved, refuted = _audited(
        box, ZCDP(value.upper / 2), ZCDP(value.lower / 2 * (1 - SMALL)), covariance=covariance
    ).decisions
    assert (proved.status, refuted.status) == (Status.PROVED, Status.REFUTED)


def test_a_rounded_inverse_is_sharpened_where_the_claim_is_close() -> None:
    size = 13
    factor = exact(*[[((i * 7 + j * 5) % 11) - 5 + 9 * (i == j) for j in range(size)] for i in range(size)])
    covariance = factor @ factor.transpose()
    release = IdealDenoiser(FiniteDomain(factor, None), UniformQuery(), ADD)
    sharp = find_rho_star(release, covariance, exact=True).value
    rounded = find_rho_star(release, covariance).value
    assert isinstance(sharp, Enclosure)
    assert isinstance(rounded, Enclosure)
    assert sharp.is_exact
    assert not rounded.is_exact
    tiny = SMALL**8
    claims = ZCDP(sharp.lower / 2), ZCDP(sharp.lower / 2 - tiny)
    exactly, below = _audited(release, *claims, covariance=covariance).decisions
    assert (exactly.status, below.status) == (Status.PROVED, Status.REFUTED)


def test_scaling_the_covariance_meets_the_claim_and_no_less_does() -> None:
    release, guarantee = RELEASES["sum, replace"], ApproxDP(fmpq(1), fmpq(1, 10**5))
    scale = smallest_scale(guarantee, _rho_star("sum, replace"))
    assert scale is not None
    for factor, status in ((scale, Status.PROVED), (scale * (1 - SMALL), Status.REFUTED)):
        assert _decided(release, guarantee, COVARIANCE.scaled(factor)).status is status


@settings(max_examples=30, deadline=None)
@given(
    name=st.sampled_from(sorted(RELEASES)),
    epsilon=st.fractions(0, 12, max_denominator=50),
    digits=st.integers(1, 40),
)
def test_a_decision_agrees_with_the_enclosure(name: str, epsilon: object, digits: int) -> None:
    guarantee = ApproxDP(fmpq(str(epsilon)), fmpq(1, 10**digits))
    decision = _decided(RELEASES[name], guarantee)
    expected = {True: Status.PROVED, False: Status.REFUTED}
    assert decision.status is expected[bool(holds(guarantee, _rho_star(name)))]


def test_stronger_claims_are_never_proved_after_weaker_ones_are_refuted() -> None:
    claims = [ApproxDP(fmpq(k, 4), fmpq(1, 10**5)) for k in range(60)]
    statuses = [decision.status for decision in _audited(RELEASES["list, replace"], *claims).decisions]
    assert {Status.PROVED, Status.REFUTED} == set(statuses)
    assert all((a, b) != (Status.PROVED, Status.REFUTED) for a, b in pairwise(statuses))


def test_a_refutation_with_a_changed_record_or_query_is_rejected() -> None:
    decision = _decided(RELEASES["uniform, add or remove"], GDP(fmpq(1)))
    witness = decision.certificate.witness
    assert isinstance(witness, Counterexample)
    assert isinstance(witness.query, FixedQuery)
    at_the_other = replace(witness.query, point=witness.records.select(witness.rest, range(2)))
    for changed in (
        replace(witness, records=witness.records.scaled(fmpq(2))),
        replace(witness, query=at_the_other),
        replace(witness, direction=witness.direction.scaled(fmpq(0))),
        replace(witness, second=witness.rest[0]),
    ):
        assert check(replace(decision.certificate, witness=changed)).status is Status.REJECTED


def test_the_domain_of_the_examples_is_what_the_certificates_are_about() -> None:
    decision = _decided(RELEASES["uniform, replace"], ZCDP(fmpq(100)))
    assert domain_of(decision.claim.sensitivity) is RECORDS
