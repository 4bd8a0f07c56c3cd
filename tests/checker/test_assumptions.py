"""What is assumed and not formalised is named, for every claim and in the proofs' README."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import fmpq

from certify.checker.assumptions import Assumption, assumptions
from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    GaussianPrivacy,
    ReleasePrivacy,
    RhoStarEnclosure,
)
from certify.checker.conic.claims import ConicBracket, Optimum
from certify.checker.conic.cones import Nonnegative
from certify.checker.domains import BallDomain, FiniteDomain
from certify.checker.exact import identity, matrix_of_fractions
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.queries import FixedQuery, UniformQuery
from certify.checker.releases import IdealDenoiser, Neighbours
from tests.checker.conic.examples import problem, vector_block
from tests.checker.examples import line

HALF = fmpq(1, 2)
ROW = matrix_of_fractions([[HALF]], 1)
BALL = IdealDenoiser(BallDomain(ROW, HALF), UniformQuery(), Neighbours.REPLACE_ONE)
DOMAIN = FiniteDomain(ROW, None)
AT_A_QUERY = IdealDenoiser(DOMAIN, FixedQuery(ROW, HALF), Neighbours.REPLACE_ONE)
ANYWHERE = IdealDenoiser(DOMAIN, UniformQuery(), Neighbours.REPLACE_ONE)

GUARANTEES: list[tuple[BinaryGuarantee, Assumption]] = [
    (ApproxDP(HALF, HALF), Assumption.GAUSSIAN_TAIL),
    (TotalVariation(HALF), Assumption.GAUSSIAN_TAIL),
    (GDP(HALF), Assumption.GAUSSIAN_TESTING),
    (ZCDP(HALF), Assumption.RENYI_DIVERGENCE),
    (RenyiDP(fmpq(2), HALF), Assumption.RENYI_DIVERGENCE),
    (MutualInformationDP(HALF), Assumption.CAPACITY_INTEGRAL),
]

CLAIMS: list[tuple[Claim, tuple[Assumption, ...]]] = [
    (line().claim, (Assumption.RENYI_DIVERGENCE,)),
    (ReleasePrivacy(BALL, identity(1), GDP(HALF)), (Assumption.EXTREME_POINTS, Assumption.GAUSSIAN_TESTING)),
    (RhoStarEnclosure(AT_A_QUERY, identity(1), HALF, HALF), (Assumption.EXPONENTIAL_WEIGHTS,)),
    (RhoStarEnclosure(ANYWHERE, identity(1), HALF, HALF), ()),
    (Composition((HALF,), GDP(HALF)), (Assumption.COMPOSITION, Assumption.GAUSSIAN_TESTING)),
    (CapacityMonotone(HALF, fmpq(1)), (Assumption.CAPACITY_INTEGRAL,)),
    (ConicBracket(problem([vector_block(Nonnegative(1), [1], [1])], [1]), Optimum.BOTH, HALF, None), ()),
]


@pytest.mark.parametrize(("guarantee", "assumed"), GUARANTEES, ids=lambda value: type(value).__name__)
def test_every_guarantee_names_what_it_rests_on(guarantee: BinaryGuarantee, assumed: Assumption) -> None:
    assert assumptions(GaussianPrivacy(HALF, guarantee)) == (assumed,)


@pytest.mark.parametrize(("claim", "assumed"), CLAIMS, ids=lambda value: type(value).__name__)
def test_every_claim_names_what_it_rests_on(claim: Claim, assumed: tuple[Assumption, ...]) -> None:
    assert assumptions(claim) == assumed


def test_the_readme_of_the_proofs_lists_every_assumption() -> None:
    readme = (Path(__file__).parents[2] / "proofs" / "README.md").read_text(encoding="utf-8")
    listed = {line.split("|")[1].strip() for line in readme.splitlines() if line.startswith("| ")}
    assert {str(assumption) for assumption in Assumption} <= listed
