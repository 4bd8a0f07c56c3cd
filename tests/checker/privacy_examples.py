"""Small certificates about privacy, made by hand, with numbers known in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpq

from certify.checker.certificate import Certificate
from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.exact import Matrix, identity
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.sensitivity import (
    BallDomain,
    BoxDomain,
    DiffusionQuery,
    ExplicitVectors,
    FiniteDomain,
    FixedQuery,
    IdealDenoiser,
    Neighbours,
    Query,
    QueryBall,
    QueryBox,
    QueryList,
    RecordMean,
    RecordSum,
    Release,
    SimplexDomain,
    UniformQuery,
)
from certify.checker.vectors import Combination, Deletion, Difference, Record
from certify.checker.verdict import Status
from certify.checker.witnesses import (
    ByComputation,
    Counterexample,
    PrimalWitness,
    RhoStarWitness,
    Support,
    VectorWitness,
    Witness,
)
from tests.checker.models import integer_rows, row

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
HAIR = fmpq(1, 10**30)
HALF = fmpq(1, 2)

SQUARE = integer_rows([[0, 0], [0, 1], [1, 0], [1, 1]])
BITS = integer_rows([[0], [1]])
BY_INVERSE = PrimalWitness(None, None)


@dataclass(frozen=True)
class Case:
    """A certificate and the status it deserves."""

    claim: Claim
    witness: Witness
    status: Status

    @property
    def certificate(self) -> Certificate:
        return Certificate(self.claim, self.witness)


def proved(claim: Claim, witness: Witness) -> Case:
    return Case(claim, witness, Status.PROVED)


def refuted(claim: Claim, witness: Witness) -> Case:
    return Case(claim, witness, Status.REFUTED)


def denoiser(records: Matrix, query: Query, neighbours: Neighbours = ADD) -> IdealDenoiser:
    return IdealDenoiser(FiniteDomain(records, None), query, neighbours)


def squares(guarantee: BinaryGuarantee, neighbours: Neighbours = ADD) -> ReleasePrivacy:
    """The corners of the unit square at every query with Sigma = 2 I: rho_star is exactly 1."""
    return ReleasePrivacy(denoiser(SQUARE, UniformQuery(), neighbours), identity(2).scaled(fmpq(2)), guarantee)


def along_the_diagonal(gamma: int, second: int | None = None) -> Counterexample:
    """Delete (0, 0) from the corners (0, 0), (1, 1), seen from far out on the ray; the factor tends to 1."""
    query = FixedQuery(row(-gamma, -gamma), fmpq(1))
    return Counterexample(integer_rows([[0, 0], [1, 1]]), (1,), 0, second, query, row(1, 1))


def bits(release: Release, guarantee: BinaryGuarantee, variance: fmpq | int = 1) -> ReleasePrivacy:
    return ReleasePrivacy(release, identity(1).scaled(fmpq(variance)), guarantee)


def bit_counterexample(query: FixedQuery | DiffusionQuery | None, second: int | None = None) -> Counterexample:
    """Delete 0 from {0, 1}, or replace it by 1 beside 1."""
    return Counterexample(BITS, (1,), 0, second, query, row(1))


NEAR_ZERO = FixedQuery(row(0), HALF)
"""From here the record 0 weighs e times as much as the record 1: the factor is 1/(1 + 1/e) = 0.73105857863..."""

TWO_QUERIES = QueryList((FixedQuery(row(HALF), fmpq(7)), NEAR_ZERO))

FLAT = ReleasePrivacy(
    denoiser(integer_rows([[0, 0], [1, 1]]), UniformQuery()), integer_rows([[1, -1], [-1, 1]]), ZCDP(fmpq(9))
)
"""The covariance has no noise along (1, 1), where the two records differ."""

TALL_BOX = IdealDenoiser(BoxDomain(row(0, 0), row(1, 2)), UniformQuery(), ADD)
BALL = IdealDenoiser(BallDomain(row(5, 5), HALF), UniformQuery(), ADD)
CORRELATED = integer_rows([[2, 1], [1, 2]])
EDGES = 24
LONG_BOX = IdealDenoiser(BoxDomain(row(*[0] * EDGES), row(*[1] * EDGES)), UniformQuery(), ADD)


def long_box(bound: fmpq) -> Case:
    """P = 2 I - J/24 has the rows sums 1: sup v^T P v over signs is at most 48, proved by y = (2, ..., 2)."""
    ones = integer_rows([[1] * EDGES] * EDGES, EDGES)
    precision = identity(EDGES).scaled(fmpq(2)) - ones
    covariance = (identity(EDGES) + ones).scaled(HALF)
    claim = ReleasePrivacy(LONG_BOX, covariance, ZCDP(fmpq(EDGES)))
    return proved(claim, PrimalWitness(None, precision, row(*[bound] * EDGES)))


DECIDED: dict[str, Callable[[], Case]] = {
    "exactly on the boundary": lambda: proved(squares(ZCDP(HALF)), BY_INVERSE),
    "exactly on the boundary, GDP": lambda: proved(squares(GDP(fmpq(1))), BY_INVERSE),
    "exactly on the boundary, Renyi": lambda: proved(squares(RenyiDP(fmpq(4), fmpq(2))), BY_INVERSE),
    "a hair below the boundary": lambda: refuted(squares(ZCDP(HALF - HAIR)), along_the_diagonal(100)),
    "a hair below, replacement": lambda: refuted(
        squares(ZCDP(HALF - HAIR), REPLACE), along_the_diagonal(100, second=1)
    ),
    "delta above the true 0.1269": lambda: proved(squares(ApproxDP(fmpq(1), fmpq(127, 1000))), BY_INVERSE),
    "delta below the true 0.1269": lambda: refuted(squares(ApproxDP(fmpq(1), fmpq(126, 1000))), along_the_diagonal(9)),
    "pure privacy": lambda: refuted(squares(ApproxDP(fmpq(700), fmpq(0))), along_the_diagonal(0)),
    "total variation of one": lambda: proved(squares(TotalVariation(fmpq(1))), ByComputation()),
    "a precision with room": lambda: proved(
        squares(ZCDP(HALF + HAIR)), PrimalWitness(None, identity(2).scaled(HALF + HAIR))
    ),
    "one record": lambda: proved(
        ReleasePrivacy(denoiser(integer_rows([[3]]), UniformQuery()), identity(1), ApproxDP(fmpq(0), fmpq(0))),
        BY_INVERSE,
    ),
    "a singular covariance that carries the records": lambda: proved(
        ReleasePrivacy(
            denoiser(integer_rows([[1, 0], [0, 1]]), UniformQuery()), integer_rows([[1, -1], [-1, 1]]), ZCDP(HALF)
        ),
        PrimalWitness(Support(integer_rows([[1], [-1]]), (0,)), None),
    ),
    "a direction without noise": lambda: refuted(FLAT, along_the_diagonal(0)),
    "a direction without noise, by a vector": lambda: refuted(FLAT, VectorWitness(Difference(0, 1), row(1, 1))),
    "mutual information, C(1) = 0.11142": lambda: proved(
        bits(denoiser(BITS, UniformQuery(), REPLACE), MutualInformationDP(fmpq(1115, 10**4))), BY_INVERSE
    ),
    "mutual information too small": lambda: refuted(
        bits(denoiser(BITS, UniformQuery(), REPLACE), MutualInformationDP(fmpq(1114, 10**4))),
        bit_counterexample(FixedQuery(row(-99), fmpq(1)), second=1),
    ),
    "mutual information of log 2": lambda: proved(
        bits(denoiser(BITS, UniformQuery(), REPLACE), MutualInformationDP(fmpq(7, 10))), ByComputation()
    ),
    "no mutual information at all": lambda: refuted(
        bits(denoiser(BITS, UniformQuery(), REPLACE), MutualInformationDP(fmpq(0))),
        bit_counterexample(FixedQuery(row(0), fmpq(1)), second=1),
    ),
    "negative mutual information": lambda: refuted(
        bits(denoiser(BITS, UniformQuery(), REPLACE), MutualInformationDP(fmpq(-1))), ByComputation()
    ),
    "fixed query, f^2 = 0.53444664": lambda: proved(
        bits(denoiser(BITS, NEAR_ZERO), ZCDP(fmpq(26723, 10**5))), BY_INVERSE
    ),
    "fixed query, too little": lambda: refuted(
        bits(denoiser(BITS, NEAR_ZERO), ZCDP(fmpq(26722, 10**5))), bit_counterexample(NEAR_ZERO)
    ),
    "fixed query, replacement": lambda: proved(
        bits(denoiser(BITS, NEAR_ZERO, REPLACE), ZCDP(fmpq(26723, 10**5))), BY_INVERSE
    ),
    "fixed query, replacement, too little": lambda: refuted(
        bits(denoiser(BITS, NEAR_ZERO, REPLACE), ZCDP(fmpq(26722, 10**5))), bit_counterexample(NEAR_ZERO, second=1)
    ),
    "fixed query, by a vector": lambda: refuted(
        bits(denoiser(BITS, NEAR_ZERO), ZCDP(fmpq(26722, 10**5))), VectorWitness(Deletion(0, 0, 1), row(1))
    ),
    "equal weights are exact": lambda: proved(
        bits(denoiser(BITS, FixedQuery(row(HALF), fmpq(7))), ZCDP(fmpq(1, 8))), BY_INVERSE
    ),
    "equal weights are exact, a hair less": lambda: refuted(
        bits(denoiser(BITS, FixedQuery(row(HALF), fmpq(7))), ZCDP(fmpq(1, 8) - HAIR)),
        bit_counterexample(FixedQuery(row(HALF), fmpq(7))),
    ),
    "diffusion state": lambda: proved(
        bits(denoiser(BITS, DiffusionQuery(row(0), HALF)), ZCDP(fmpq(19373, 10**5))), BY_INVERSE
    ),
    "diffusion state, too little": lambda: refuted(
        bits(denoiser(BITS, DiffusionQuery(row(0), HALF)), ZCDP(fmpq(1937, 10**4))),
        bit_counterexample(DiffusionQuery(row(0), HALF)),
    ),
    "list of queries": lambda: proved(
        bits(denoiser(BITS, QueryList((FixedQuery(row(HALF), fmpq(7)), NEAR_ZERO))), ZCDP(fmpq(26723, 10**5))),
        BY_INVERSE,
    ),
    "list of queries, too little": lambda: refuted(
        bits(denoiser(BITS, TWO_QUERIES), ZCDP(fmpq(26722, 10**5))),
        bit_counterexample(NEAR_ZERO),
    ),
    "ball of queries, f = 1/(1 + e^-2)": lambda: proved(
        bits(denoiser(BITS, QueryBall(row(0), HALF, HALF)), ZCDP(fmpq(3880, 10**4))), BY_INVERSE
    ),
    "ball of queries, too little": lambda: refuted(
        bits(denoiser(BITS, QueryBall(row(0), HALF, HALF)), ZCDP(fmpq(3879, 10**4))),
        bit_counterexample(FixedQuery(row(-HALF), HALF)),
    ),
    "box of queries": lambda: proved(
        bits(denoiser(BITS, QueryBox(row(-HALF), row(HALF), HALF)), ZCDP(fmpq(3880, 10**4))), BY_INVERSE
    ),
    "box of queries, too little": lambda: refuted(
        bits(denoiser(BITS, QueryBox(row(-HALF), row(HALF), HALF)), ZCDP(fmpq(3879, 10**4))),
        bit_counterexample(FixedQuery(row(-HALF), HALF)),
    ),
    "sum": lambda: proved(bits(RecordSum(FiniteDomain(BITS, None), ADD), ZCDP(HALF)), BY_INVERSE),
    "sum, too little": lambda: refuted(
        bits(RecordSum(FiniteDomain(BITS, None), ADD), ZCDP(HALF - HAIR)),
        Counterexample(BITS, (), 1, None, None, row(1)),
    ),
    "sum, replacement": lambda: refuted(
        bits(RecordSum(FiniteDomain(integer_rows([[-1], [1]]), None), REPLACE), ZCDP(fmpq(2) - HAIR)),
        Counterexample(integer_rows([[-1], [1]]), (0, 0, 1), 1, 0, None, row(-3)),
    ),
    "mean": lambda: proved(bits(RecordMean(FiniteDomain(BITS, None), 10), ZCDP(fmpq(1, 200))), BY_INVERSE),
    "mean, too little": lambda: refuted(
        bits(RecordMean(FiniteDomain(BITS, None), 10), ZCDP(fmpq(1, 200) - HAIR)),
        Counterexample(BITS, (), 1, 0, None, row(1)),
    ),
    "explicit vectors": lambda: proved(
        ReleasePrivacy(ExplicitVectors(integer_rows([[1, 0], [2, 2]])), identity(2), ZCDP(fmpq(4))), BY_INVERSE
    ),
    "explicit vectors, too little": lambda: refuted(
        ReleasePrivacy(ExplicitVectors(integer_rows([[1, 0], [2, 2]])), identity(2), ZCDP(fmpq(4) - HAIR)),
        VectorWitness(Record(1), row(1, 1)),
    ),
    "box of records": lambda: proved(ReleasePrivacy(TALL_BOX, identity(2), ZCDP(fmpq(5, 2))), BY_INVERSE),
    "box of records, correlated": lambda: proved(ReleasePrivacy(TALL_BOX, CORRELATED, ZCDP(fmpq(7, 3))), BY_INVERSE),
    "box of records, correlated, too little": lambda: refuted(
        ReleasePrivacy(TALL_BOX, CORRELATED, ZCDP(fmpq(7, 3) - HAIR)),
        VectorWitness(Combination(row(1, -1)), row(4, -5)),
    ),
    "box of records, too little": lambda: refuted(
        ReleasePrivacy(TALL_BOX, identity(2), ZCDP(fmpq(5, 2) - HAIR)),
        Counterexample(integer_rows([[0, 0], [1, 2]]), (0,), 1, None, FixedQuery(row(100, 200), fmpq(1)), row(1, 2)),
    ),
    "long box, by its bound": lambda: long_box(fmpq(2)),
    "ball of records": lambda: proved(ReleasePrivacy(BALL, CORRELATED, ZCDP(HALF)), BY_INVERSE),
    "ball of records, delta": lambda: proved(
        ReleasePrivacy(BALL, CORRELATED, ApproxDP(fmpq(1), fmpq(127, 1000))), BY_INVERSE
    ),
    "ball of records, too little": lambda: refuted(
        ReleasePrivacy(BALL, identity(2), ZCDP(HALF - HAIR)),
        Counterexample(
            integer_rows([[47, 46], [53, 54]], 10), (0,), 1, None, FixedQuery(row(500, 600), fmpq(1)), row(3, 4)
        ),
    ),
    "simplex of records": lambda: proved(
        ReleasePrivacy(RecordSum(SimplexDomain(3, fmpq(1)), ADD), identity(3), ZCDP(HALF)), BY_INVERSE
    ),
    "simplex of records, too little": lambda: refuted(
        ReleasePrivacy(RecordSum(SimplexDomain(3, fmpq(1)), REPLACE), identity(3), ZCDP(fmpq(1) - HAIR)),
        Counterexample(integer_rows([[1, 0, 0], [0, 0, 1]]), (), 0, 1, None, row(1, 0, -1)),
    ),
    "rho_star enclosed": lambda: proved(
        RhoStarEnclosure(denoiser(SQUARE, UniformQuery()), identity(2), fmpq(2), fmpq(2)),
        RhoStarWitness(BY_INVERSE, VectorWitness(Difference(0, 3), row(1, 1))),
    ),
    "rho_star bounded": lambda: proved(
        RhoStarEnclosure(denoiser(SQUARE, UniformQuery()), identity(2), fmpq(-1), fmpq(3)),
        RhoStarWitness(PrimalWitness(None, identity(2)), None),
    ),
    "rho_star infinite": lambda: proved(
        RhoStarInfinite(FLAT.sensitivity, FLAT.covariance), VectorWitness(Difference(1, 0), row(2, 2))
    ),
    "conversion": lambda: proved(GaussianPrivacy(fmpq(1), ApproxDP(fmpq(1), fmpq(127, 1000))), ByComputation()),
    "conversion, too little": lambda: refuted(
        GaussianPrivacy(fmpq(1), ApproxDP(fmpq(1), fmpq(126, 1000))), ByComputation()
    ),
    "conversion on the boundary": lambda: proved(GaussianPrivacy(fmpq(1), ZCDP(HALF)), ByComputation()),
    "conversion to information": lambda: proved(
        GaussianPrivacy(fmpq(1), MutualInformationDP(fmpq(1115, 10**4))), ByComputation()
    ),
    "epsilon of 710 and delta of 1e-300": lambda: refuted(
        GaussianPrivacy(fmpq(100), ApproxDP(fmpq(710), fmpq(1, 10**1200))), ByComputation()
    ),
    "composition": lambda: proved(Composition((HALF, fmpq(1, 3), fmpq(1, 6)), GDP(fmpq(1))), ByComputation()),
    "composition, too little": lambda: refuted(
        Composition((HALF, fmpq(1, 3), fmpq(1, 6) + HAIR), GDP(fmpq(1))), ByComputation()
    ),
    "the widely copied calibration": lambda: refuted(
        NoiseCalibration(fmpq(1), fmpq(9849, 1000), ApproxDP(fmpq(1), fmpq(1, 10**30))), ByComputation()
    ),
    "enough noise": lambda: proved(
        NoiseCalibration(fmpq(1), fmpq(12), ApproxDP(fmpq(1), fmpq(1, 10**30))), ByComputation()
    ),
    "nothing to protect": lambda: proved(
        NoiseCalibration(fmpq(0), fmpq(1), ApproxDP(fmpq(0), fmpq(0))), ByComputation()
    ),
    "capacity increases": lambda: proved(CapacityMonotone(fmpq(0), fmpq(64)), ByComputation()),
}
