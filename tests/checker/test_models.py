"""The data model of releases, and the optimal covariance of each: what can be stated, proved and rejected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from flint import fmpq

from certify.checker import covariance
from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.claims import (
    CapacityMonotone,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.codec import Malformed
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity
from certify.checker.exponents import Exponent
from certify.checker.factors import factor, factor_on_grid
from certify.checker.guarantees import ZCDP, BinaryGuarantee, MutualInformationDP
from certify.checker.kernel import check
from certify.checker.privacy import rho_budget
from certify.checker.queries import covers
from certify.checker.sensitivity import (
    BallDomain,
    BoxDomain,
    DiffusionQuery,
    ExplicitVectors,
    FiniteDomain,
    FixedQuery,
    IdealDenoiser,
    Neighbours,
    QueryBall,
    QueryBox,
    QueryList,
    RecordMean,
    RecordSum,
    Release,
    SimplexDomain,
    UniformQuery,
    domain_of,
)
from certify.checker.vectors import Combination, Deletion, Difference, Record, Replacement, VectorName
from certify.checker.verdict import Status
from certify.checker.witnesses import (
    CompactDual,
    CovarianceWitness,
    DualBlock,
    FullDual,
    Multiplier,
    PrimalWitness,
    Support,
)
from tests.checker.models import integer_rows, row

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
RHO_ONE = ZCDP(fmpq(1, 2))
HAIR = fmpq(1, 10**30)
BITS = FiniteDomain(integer_rows([[0], [1]]), None)
SIGNS = FiniteDomain(integer_rows([[-1], [1]]), None)
ORIGIN = FixedQuery(row(0), fmpq(1, 2))
MIDDLE = FixedQuery(row(0), fmpq(3))


def optimum(
    release: Release,
    covariance: Matrix,
    bracket: tuple[fmpq, fmpq],
    multipliers: Sequence[tuple[VectorName, fmpq]],
    precision: Matrix,
    *,
    weight: Matrix | None = None,
    guarantee: BinaryGuarantee = RHO_ONE,
    primal: PrimalWitness | None = None,
) -> Certificate:
    """Return a certificate of an optimal covariance with W = I, no floor and rho = 1 unless given."""
    size = release.dimension
    claim = CovarianceOptimum(release, guarantee, weight or identity(size), fmpq(0), covariance, *bracket)
    dual = CompactDual(tuple(Multiplier(name, value) for name, value in multipliers), precision)
    return Certificate(claim, CovarianceWitness(primal or PrimalWitness(None, None), dual))


def exactly(value: fmpq | int) -> tuple[fmpq, fmpq]:
    return fmpq(value), fmpq(value)


def unit_records() -> Certificate:
    """The Gaussian matrix mechanism of the identity workload: S = {e_1, e_2}, Sigma = I, cost 2."""
    release = RecordSum(FiniteDomain(identity(2), None), ADD)
    return optimum(release, identity(2), exactly(2), [(Record(0), fmpq(1)), (Record(1), fmpq(1))], identity(2))


def explicit() -> Certificate:
    certificate = unit_records()
    return claim_with(certificate, sensitivity=ExplicitVectors(identity(2)))


def mean_of_ten() -> Certificate:
    """S = {1/10}: Sigma = 1/100 is optimal."""
    covariance, precision = row(fmpq(1, 100)), row(100)
    return optimum(
        RecordMean(BITS, 10), covariance, exactly(fmpq(1, 100)), [(Difference(0, 1), fmpq(1, 100))], precision
    )


def box() -> Certificate:
    """Edges 1 and 2 and W = diag(1, 4): Sigma_ii is proportional to edge / sqrt(W_ii), here 5 I, cost (1 + 4)^2."""
    release = IdealDenoiser(BoxDomain(row(3, 3), row(4, 5)), UniformQuery(), ADD)
    corners = [(Combination(row(1, sign)), fmpq(25, 2)) for sign in (1, -1)]
    weight, fifth = integer_rows([[1, 0], [0, 4]]), identity(2).scaled(fmpq(1, 5))
    return optimum(release, identity(2).scaled(fmpq(5)), exactly(25), corners, fifth, weight=weight)


def ball() -> Certificate:
    """A ball of radius 1/2: isotropic noise is optimal."""
    release = IdealDenoiser(BallDomain(row(7, 7), fmpq(1, 2)), UniformQuery(), REPLACE)
    axes = [(Combination(row(1, 0)), fmpq(1)), (Combination(row(0, 1)), fmpq(1))]
    return optimum(release, identity(2), exactly(2), axes, identity(2))


def simplex() -> Certificate:
    """The probability simplex in R^2: one direction s = (1, -1), the singular Sigma = s s^T is optimal."""
    release = IdealDenoiser(SimplexDomain(2, fmpq(1)), UniformQuery(), ADD)
    support = Support(integer_rows([[1], [-1]]), (0,))
    return optimum(
        release,
        integer_rows([[1, -1], [-1, 1]]),
        exactly(2),
        [(Difference(0, 1), fmpq(2))],
        identity(2).scaled(fmpq(1, 2)),
        primal=PrimalWitness(support, identity(1)),
    )


def equal_weights() -> Certificate:
    """Two records as far from the query as each other: the factor is 1/2, exactly."""
    release = IdealDenoiser(SIGNS, MIDDLE, ADD)
    return optimum(release, identity(1), exactly(1), [(Deletion(0, 0, 1), fmpq(1))], identity(1))


def equal_weights_replaced() -> Certificate:
    release = IdealDenoiser(SIGNS, MIDDLE, REPLACE)
    return optimum(release, identity(1), exactly(1), [(Replacement(0, 0, 1, 1), fmpq(1))], identity(1))


def irrational(release: Release, name: VectorName, factor: tuple[fmpq, fmpq]) -> Certificate:
    """One direction of length 1 and an irrational factor: v = f^2, bracketed by the ends of its enclosure."""
    lower, upper = factor
    covariance = upper**2
    multiplier = covariance**2 / lower**2
    value = multiplier * (2 * lower**2 / covariance - 1)
    return optimum(release, row(covariance), (value, covariance), [(name, multiplier)], row(1 / covariance))


def on_grid(exponent: int) -> tuple[fmpq, fmpq]:
    lower, upper = factor_on_grid(Exponent(fmpq(exponent), fmpq(0), fmpq(0)))
    return fmpq(lower, 1 << 128), fmpq(upper, 1 << 128)


def fixed_query() -> Certificate:
    return irrational(IdealDenoiser(BITS, ORIGIN, ADD), Deletion(0, 0, 1), on_grid(1))


def fixed_query_replaced() -> Certificate:
    """The third record z = x' makes the replacement a deletion, whose upper end carries the error of the grid of u."""
    lower, upper = on_grid(1)
    release = IdealDenoiser(BITS, ORIGIN, REPLACE)
    return irrational(release, Replacement(0, 0, 1, 1), (lower, upper + fmpq(1, 1 << 60)))


def query_list() -> Certificate:
    queries = QueryList((FixedQuery(row(fmpq(1, 2)), fmpq(1)), ORIGIN))
    return irrational(IdealDenoiser(BITS, queries, ADD), Deletion(1, 0, 1), on_grid(1))


def query_ball() -> Certificate:
    region = QueryBall(row(0), fmpq(1, 2), fmpq(1, 2))
    return irrational(IdealDenoiser(BITS, region, ADD), Deletion(0, 0, 1), on_grid(2))


def query_box() -> Certificate:
    region = QueryBox(row(fmpq(-1, 2)), row(fmpq(1, 2)), fmpq(1, 2))
    return irrational(IdealDenoiser(BITS, region, ADD), Deletion(0, 0, 1), on_grid(2))


def diffusion() -> Certificate:
    """State 0 at signal 1/2: sigma^2 = 1, so that the record 0 weighs exp(1/2) times as much as the record 1."""
    ends = factor(Exponent(fmpq(1, 2), fmpq(0), fmpq(0)))
    scale = fmpq(1 << 128)
    grid = (fmpq((ends.lower * scale).floor()) / scale, fmpq((ends.upper * scale).ceil()) / scale)
    return irrational(IdealDenoiser(BITS, DiffusionQuery(row(0), fmpq(1, 2)), ADD), Deletion(0, 0, 1), grid)


def information() -> Certificate:
    """Two records and a bound on mutual information: v = 1 / C^-1(kappa)."""
    guarantee = MutualInformationDP(fmpq(1, 10))
    budget = rho_budget(guarantee)
    assert isinstance(budget, Enclosure)
    bracket = (1 / budget.upper, 1 / budget.lower)
    multipliers: list[tuple[VectorName, fmpq]] = [(Difference(0, 1), 1 / budget.upper**2)]
    release = IdealDenoiser(BITS, UniformQuery(), REPLACE)
    return optimum(release, row(bracket[1]), bracket, multipliers, row(budget.upper), guarantee=guarantee)


def in_blocks() -> Certificate:
    """The box with full dual blocks."""
    certificate = box()
    blocks = []
    for sign in (1, -1):
        image = integer_rows([[1, 2 * sign]], 5)
        a = (image.transpose() @ image).scaled(fmpq(25, 2))
        b = image.transpose().scaled(fmpq(-25, 2))
        blocks.append(DualBlock(Combination(row(1, sign)), a, b, fmpq(25, 2)))
    return witness_with(certificate, dual=FullDual(tuple(blocks)))


OPTIMA: dict[str, Callable[[], Certificate]] = {
    build.__name__: build
    for build in (
        unit_records,
        explicit,
        mean_of_ten,
        box,
        ball,
        simplex,
        equal_weights,
        equal_weights_replaced,
        fixed_query,
        fixed_query_replaced,
        query_list,
        query_ball,
        query_box,
        diffusion,
        information,
        in_blocks,
    )
}


def claim_with(certificate: Certificate, **changes: Any) -> Certificate:
    return replace(certificate, claim=replace(certificate.claim, **changes))


def witness_with(certificate: Certificate, **changes: Any) -> Certificate:
    return replace(certificate, witness=replace(certificate.witness, **changes))


def named(certificate: Certificate, name: VectorName) -> Certificate:
    """Let every multiplier point at another vector."""
    witness = certificate.witness
    assert isinstance(witness, CovarianceWitness)
    assert isinstance(witness.dual, CompactDual)
    moved = tuple(replace(multiplier, vector=name) for multiplier in witness.dual.multipliers)
    return replace(certificate, witness=replace(witness, dual=replace(witness.dual, multipliers=moved)))


def smaller(certificate: Certificate, by: fmpq) -> Certificate:
    """Shrink the covariance."""
    claim = certificate.claim
    assert isinstance(claim, CovarianceOptimum)
    return claim_with(certificate, covariance=claim.covariance.scaled(1 - by))


def raised(certificate: Certificate, by: fmpq) -> Certificate:
    """Claim a higher lower bound."""
    claim = certificate.claim
    assert isinstance(claim, CovarianceOptimum)
    return claim_with(certificate, lower=claim.lower * (1 + by), upper=2 * claim.upper)


@pytest.mark.parametrize("name", OPTIMA)
def test_optima_are_proved_and_survive_their_file(name: str) -> None:
    certificate = OPTIMA[name]()
    verdict = check(certificate)
    assert verdict.status is Status.PROVED, verdict.failed
    assert read_certificate(write_certificate(certificate)) == certificate


@pytest.mark.parametrize("name", OPTIMA)
def test_no_higher_lower_bound_is_proved(name: str) -> None:
    verdict = check(raised(OPTIMA[name](), fmpq(1, 10**15)))
    assert verdict.status is Status.REJECTED
    assert [obligation.name for obligation in verdict.failed] == ["lower bound"]


@pytest.mark.parametrize("name", sorted(set(OPTIMA) - {"simplex"}))
def test_no_smaller_covariance_is_proved(name: str) -> None:
    verdict = check(smaller(OPTIMA[name](), fmpq(1, 10**15)))
    assert verdict.status is Status.REJECTED
    assert "is within the budget" in verdict.failed[0].name


@pytest.mark.parametrize("name", ["fixed_query", "query_list", "query_ball", "query_box", "diffusion"])
def test_brackets_of_irrational_optima_are_as_narrow_as_the_enclosure(name: str) -> None:
    claim = OPTIMA[name]().claim
    assert isinstance(claim, CovarianceOptimum)
    assert 0 < claim.upper - claim.lower < claim.upper / 10**37


def lopsided() -> Certificate:
    """The box in blocks, one of them not symmetric."""
    certificate = in_blocks()
    witness = certificate.witness
    assert isinstance(witness, CovarianceWitness)
    assert isinstance(witness.dual, FullDual)
    first, second = witness.dual.blocks
    tilted = replace(first, a=first.a + integer_rows([[0, 1], [0, 0]]))
    return witness_with(certificate, dual=FullDual((tilted, second)))


REJECTED: dict[str, tuple[Callable[[], Certificate], str]] = {
    "a block that is not symmetric": (lopsided, "shapes agree"),
    "a precision that is not symmetric": (
        lambda: witness_with(ball(), primal=PrimalWitness(None, integer_rows([[1, 1], [0, 1]]))),
        "shapes agree",
    ),
    "vector of another kind": (lambda: named(unit_records(), Difference(0, 1)), "shapes agree"),
    "record beyond the domain": (lambda: named(unit_records(), Record(2)), "shapes agree"),
    "corner outside the box": (lambda: named(box(), Combination(row(1, fmpq(101, 100)))), "shapes agree"),
    "axis outside the ball": (lambda: named(ball(), Combination(row(1, fmpq(1, 100)))), "shapes agree"),
    "query beyond the list": (lambda: named(query_list(), Deletion(2, 0, 1)), "shapes agree"),
    "the other query of the list": (lambda: named(query_list(), Deletion(0, 0, 1)), "lower bound"),
    "the lighter record": (lambda: named(fixed_query(), Deletion(0, 1, 0)), "lower bound"),
    "another third record": (lambda: named(fixed_query_replaced(), Replacement(0, 0, 1, 0)), "lower bound"),
    "vertex beyond the simplex": (lambda: named(simplex(), Difference(0, 2)), "shapes agree"),
    "box bound for records": (
        lambda: witness_with(unit_records(), primal=PrimalWitness(None, None, row(1, 1))),
        "shapes agree",
    ),
    "a query that moved": (
        lambda: claim_with(fixed_query(), sensitivity=IdealDenoiser(BITS, FixedQuery(row(-HAIR), fmpq(1, 2)), ADD)),
        "every sensitivity vector is within the budget",
    ),
    "a noise level that fell": (
        lambda: claim_with(fixed_query(), sensitivity=IdealDenoiser(BITS, FixedQuery(row(0), fmpq(1, 2) - HAIR), ADD)),
        "every sensitivity vector is within the budget",
    ),
    "a region that grew": (
        lambda: claim_with(
            query_ball(), sensitivity=IdealDenoiser(BITS, QueryBall(row(0), fmpq(1, 2) + HAIR, fmpq(1, 2)), ADD)
        ),
        "every sensitivity vector is within the budget",
    ),
    "a query added to the list": (
        lambda: claim_with(
            query_list(), sensitivity=IdealDenoiser(BITS, QueryList((FixedQuery(row(-1), fmpq(1)), ORIGIN)), ADD)
        ),
        "every sensitivity vector is within the budget",
    ),
    "a larger box": (
        lambda: claim_with(
            box(), sensitivity=IdealDenoiser(BoxDomain(row(3, 3), row(4, 5 + HAIR)), UniformQuery(), ADD)
        ),
        "every sensitivity vector is within the budget",
    ),
    "a larger ball": (
        lambda: claim_with(
            ball(), sensitivity=IdealDenoiser(BallDomain(row(7, 7), fmpq(1, 2) + HAIR), UniformQuery(), REPLACE)
        ),
        "every sensitivity vector is within the budget",
    ),
    "one record fewer in the mean": (
        lambda: claim_with(mean_of_ten(), sensitivity=RecordMean(BITS, 9)),
        "every pair of records is within the budget",
    ),
    "another vector": (
        lambda: claim_with(explicit(), sensitivity=ExplicitVectors(integer_rows([[1, 0], [0, 1], [1, 1]]))),
        "every sensitivity vector is within the budget",
    ),
    "less information": (
        lambda: claim_with(information(), guarantee=MutualInformationDP(fmpq(1, 10) - HAIR)),
        "every pair of records is within the budget",
    ),
    "information that limits nothing": (
        lambda: claim_with(information(), guarantee=MutualInformationDP(fmpq(1))),
        "budget",
    ),
    "information below zero": (lambda: claim_with(information(), guarantee=MutualInformationDP(fmpq(-1))), "budget"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected_optima_name_the_failed_obligation(name: str) -> None:
    build, obligation = REJECTED[name]
    verdict = check(build())
    assert verdict.status is Status.REJECTED
    assert verdict.failed[0].name == obligation, verdict.failed


def test_a_weaker_noise_level_keeps_the_guarantee() -> None:
    """More noise at the query makes the weights more equal: the same covariance still has the budget."""
    weaker = IdealDenoiser(BITS, FixedQuery(row(0), fmpq(1, 2) + HAIR), ADD)
    verdict = check(claim_with(fixed_query(), sensitivity=weaker, lower=fmpq(0)))
    assert verdict.status is Status.PROVED, verdict.failed


@pytest.mark.parametrize(
    ("budget", "failed"),
    [
        (Enclosure(fmpq(1), fmpq(1)), []),
        (Enclosure(fmpq(1) - HAIR, fmpq(1)), ["every sensitivity vector is within the budget"]),
        (Enclosure(fmpq(1), fmpq(1) + HAIR), ["lower bound"]),
    ],
    ids=["exact", "lower end below", "upper end above"],
)
def test_a_budget_known_by_an_enclosure_is_used_at_its_safe_end(
    budget: Enclosure, failed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The primal has to meet the lower end; the dual bounds the optimum for every budget up to the upper end."""
    monkeypatch.setattr(covariance, "rho_budget", lambda _: budget)
    assert [obligation.name for obligation in check(unit_records()).failed] == failed


TWO = identity(2)
MEANINGLESS: dict[str, tuple[Callable[[], object], str]] = {
    "no record": (lambda: FiniteDomain(integer_rows([[1]]).select((), (0,)), None), "at least one record"),
    "an empty box": (lambda: BoxDomain(row(1, 1), row(2, 0)), "column 1"),
    "a box of two lengths": (lambda: BoxDomain(row(1), row(2, 2)), "1 and 2 columns"),
    "a box of two rows": (lambda: BoxDomain(TWO, TWO), "one row"),
    "a negative radius": (lambda: BallDomain(row(0), fmpq(-1)), "radius"),
    "a centre of two rows": (lambda: BallDomain(TWO, fmpq(1)), "one row"),
    "a simplex of no column": (lambda: SimplexDomain(0, fmpq(1)), "at least one column"),
    "a simplex of scale zero": (lambda: SimplexDomain(2, fmpq(0)), "scale"),
    "no variance": (lambda: FixedQuery(row(0), fmpq(0)), "variance"),
    "a query of two rows": (lambda: FixedQuery(TWO, fmpq(1)), "one row"),
    "signal one": (lambda: DiffusionQuery(row(0), fmpq(1)), "signal"),
    "signal zero": (lambda: DiffusionQuery(row(0), fmpq(0)), "signal"),
    "a state of two rows": (lambda: DiffusionQuery(TWO, fmpq(1, 2)), "one row"),
    "no query": (lambda: QueryList(()), "no query"),
    "queries of two dimensions": (lambda: QueryList((ORIGIN, FixedQuery(row(0, 0), fmpq(1)))), "one dimension"),
    "a negative query radius": (lambda: QueryBall(row(0), fmpq(-1), fmpq(1)), "radius"),
    "a query ball without noise": (lambda: QueryBall(row(0), fmpq(1), fmpq(0)), "variance"),
    "an empty query box": (lambda: QueryBox(row(1), row(0), fmpq(1)), "empty"),
    "a query box without noise": (lambda: QueryBox(row(0), row(1), fmpq(0)), "variance"),
    "a query of another dimension": (
        lambda: IdealDenoiser(BITS, FixedQuery(row(0, 0), fmpq(1)), ADD),
        "2 columns but the records have 1",
    ),
    "a box at one query": (lambda: IdealDenoiser(BoxDomain(row(0), row(1)), ORIGIN, ADD), "uniform query"),
    "a region under replacement": (
        lambda: IdealDenoiser(BITS, QueryBall(row(0), fmpq(1), fmpq(1)), REPLACE),
        "add_or_remove_one only",
    ),
    "a box of queries under replacement": (
        lambda: IdealDenoiser(BITS, QueryBox(row(0), row(1), fmpq(1)), REPLACE),
        "add_or_remove_one only",
    ),
    "a sum over a ball off the origin": (lambda: RecordSum(BallDomain(row(1), fmpq(1)), ADD), "origin"),
    "a mean of nothing": (lambda: RecordMean(BITS, 0), "at least one record"),
    "no vector": (lambda: ExplicitVectors(integer_rows([[1]]).select((), (0,))), "at least one sensitivity vector"),
    "a covariance of another size": (
        lambda: ReleasePrivacy(RecordSum(BITS, ADD), TWO, RHO_ONE),
        "covariance is 2 x 2",
    ),
    "a covariance that is not symmetric": (
        lambda: ReleasePrivacy(ExplicitVectors(TWO), integer_rows([[1, 1], [0, 1]]), RHO_ONE),
        "not symmetric",
    ),
    "a bracket of another size": (
        lambda: RhoStarEnclosure(RecordSum(BITS, ADD), TWO, fmpq(0), fmpq(1)),
        "covariance is 2 x 2",
    ),
    "an empty bracket": (
        lambda: RhoStarEnclosure(RecordSum(BITS, ADD), identity(1), fmpq(1), fmpq(0)),
        "empty",
    ),
    "an infinity of another size": (lambda: RhoStarInfinite(RecordSum(BITS, ADD), TWO), "covariance is 2 x 2"),
    "information of three records": (
        lambda: ReleasePrivacy(
            RecordSum(FiniteDomain(integer_rows([[0], [1], [2]]), None), REPLACE),
            identity(1),
            MutualInformationDP(fmpq(1, 10)),
        ),
        "domain of two records",
    ),
    "information of a record added": (
        lambda: ReleasePrivacy(RecordSum(BITS, ADD), identity(1), MutualInformationDP(fmpq(1, 10))),
        "replace_one",
    ),
    "information of vectors": (
        lambda: ReleasePrivacy(ExplicitVectors(identity(1)), identity(1), MutualInformationDP(fmpq(1, 10))),
        "domain of two records",
    ),
    "information of a box": (
        lambda: ReleasePrivacy(RecordMean(BoxDomain(row(0), row(1)), 2), identity(1), MutualInformationDP(fmpq(1, 10))),
        "domain of two records",
    ),
    "a negative rho_star": (lambda: GaussianPrivacy(fmpq(-1), RHO_ONE), "rho_star"),
    "a composition of nothing": (lambda: Composition((), RHO_ONE), "at least one release"),
    "a composition of a negative one": (lambda: Composition((fmpq(1), fmpq(-1)), RHO_ONE), "rho_star"),
    "a negative sensitivity": (lambda: NoiseCalibration(fmpq(-1), fmpq(1), RHO_ONE), "sensitivity"),
    "no noise": (lambda: NoiseCalibration(fmpq(1), fmpq(0), RHO_ONE), "sigma"),
    "an interval of one point": (lambda: CapacityMonotone(fmpq(1), fmpq(1)), "lower < upper"),
    "an interval below zero": (lambda: CapacityMonotone(fmpq(-1), fmpq(1)), "lower < upper"),
}


@pytest.mark.parametrize("name", MEANINGLESS)
def test_what_means_nothing_cannot_be_stated(name: str) -> None:
    build, message = MEANINGLESS[name]
    with pytest.raises(ValueError, match=message):
        build()


def test_a_meaningless_release_in_a_file_is_malformed_at_its_place() -> None:
    data = write_certificate(query_ball()).replace(b'"add_or_remove_one"', b'"replace_one"')
    with pytest.raises(Malformed, match="add_or_remove_one only") as caught:
        read_certificate(data)
    assert caught.value.place == "claim.sensitivity"


def test_only_explicit_vectors_have_no_domain() -> None:
    assert domain_of(ExplicitVectors(identity(1))) is None
    for release in (RecordSum(BITS, ADD), RecordMean(BITS, 2), IdealDenoiser(BITS, UniformQuery(), ADD)):
        assert domain_of(release) == BITS


def test_which_queries_a_model_covers() -> None:
    state = DiffusionQuery(row(0), fmpq(1, 2))
    region = QueryBall(row(0), fmpq(1), fmpq(1, 2))
    assert covers(UniformQuery(), state)
    assert covers(state, state)
    assert not covers(state, FixedQuery(row(0), fmpq(1)))
    assert covers(QueryList((state, ORIGIN)), ORIGIN)
    assert not covers(QueryList((state,)), ORIGIN)
    assert covers(region, FixedQuery(row(1), fmpq(1, 2)))
    assert not covers(region, state)
    assert not covers(QueryBox(row(0), row(1), fmpq(1)), state)
