"""Comparisons of claims: stronger means that the new claim implies the old one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.diff import Relation, compare_claims, joined
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
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible, Optimum, Side
from certify.checker.conic.cones import Nonnegative
from certify.checker.exact import identity
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, MutualInformationDP, RenyiDP
from tests.checker.conic.examples import problem, vector_block
from tests.checker.examples import claim_of, line, square

OPTIMUM = claim_of(square())
RELEASE = OPTIMUM.sensitivity
UNIT = identity(2)
PROGRAM = problem([vector_block(Nonnegative(1), [1], [1])], [1])
OTHER = problem([vector_block(Nonnegative(1), [2], [1])], [1])
HALF, ONE, TWO, THREE = fmpq(1, 2), fmpq(1), fmpq(2), fmpq(3)

REVERSED = {Relation.STRONGER: Relation.WEAKER, Relation.WEAKER: Relation.STRONGER}


def _pairs() -> dict[str, tuple[Claim, Claim, Relation]]:
    wide = replace(OPTIMUM, lower=THREE, upper=fmpq(5))
    rho = RhoStarEnclosure(RELEASE, UNIT, ONE, THREE)
    both = ConicBracket(PROGRAM, Optimum.BOTH, ONE, TWO)
    return {
        "the same": (OPTIMUM, OPTIMUM, Relation.SAME),
        "a narrower bracket": (wide, OPTIMUM, Relation.STRONGER),
        "a shifted bracket": (wide, replace(wide, lower=fmpq(4), upper=fmpq(6)), Relation.INCOMPARABLE),
        "brackets apart": (OPTIMUM, replace(OPTIMUM, lower=fmpq(5), upper=fmpq(6)), Relation.DISJOINT),
        "brackets that touch": (wide, replace(wide, lower=fmpq(5), upper=fmpq(6)), Relation.INCOMPARABLE),
        "another covariance": (OPTIMUM, replace(OPTIMUM, covariance=UNIT.scaled(THREE)), Relation.SAME),
        "another weight": (OPTIMUM, replace(OPTIMUM, weight=UNIT.scaled(TWO)), Relation.DIFFERENT),
        "another floor": (OPTIMUM, replace(OPTIMUM, floor=ONE), Relation.DIFFERENT),
        "other records": (OPTIMUM, claim_of(line()), Relation.DIFFERENT),
        "a smaller budget, far away": (
            OPTIMUM,
            replace(OPTIMUM, guarantee=ZCDP(fmpq(1, 4)), lower=fmpq(8), upper=fmpq(8)),
            Relation.STRONGER,
        ),
        "another name of the budget": (OPTIMUM, replace(OPTIMUM, guarantee=GDP(ONE)), Relation.SAME),
        "another name and a wider bracket": (
            OPTIMUM,
            replace(OPTIMUM, guarantee=GDP(ONE), upper=fmpq(5)),
            Relation.WEAKER,
        ),
        "a larger epsilon": (
            ReleasePrivacy(RELEASE, UNIT, ApproxDP(ONE, HALF)),
            ReleasePrivacy(RELEASE, UNIT, ApproxDP(TWO, HALF)),
            Relation.WEAKER,
        ),
        "another notion with less": (
            ReleasePrivacy(RELEASE, UNIT, RenyiDP(TWO, TWO)),
            ReleasePrivacy(RELEASE, UNIT, GDP(ONE)),
            Relation.STRONGER,
        ),
        "a promise that limits nothing": (
            ReleasePrivacy(RELEASE, UNIT, ZCDP(ONE)),
            ReleasePrivacy(RELEASE, UNIT, ApproxDP(ONE, ONE)),
            Relation.WEAKER,
        ),
        "noise of another size": (
            ReleasePrivacy(RELEASE, UNIT, ZCDP(ONE)),
            ReleasePrivacy(RELEASE, UNIT.scaled(TWO), ZCDP(ONE)),
            Relation.DIFFERENT,
        ),
        "rho_star apart": (rho, replace(rho, lower=fmpq(4), upper=fmpq(5)), Relation.DISJOINT),
        "rho_star finite and infinite": (rho, RhoStarInfinite(RELEASE, UNIT), Relation.DISJOINT),
        "more releases allowed": (GaussianPrivacy(ONE, ZCDP(TWO)), GaussianPrivacy(TWO, ZCDP(TWO)), Relation.STRONGER),
        "more releases and less said": (
            GaussianPrivacy(ONE, ZCDP(ONE)),
            GaussianPrivacy(TWO, ZCDP(TWO)),
            Relation.INCOMPARABLE,
        ),
        "no budget at all": (
            GaussianPrivacy(ONE, MutualInformationDP(HALF)),
            GaussianPrivacy(ONE, MutualInformationDP(-HALF)),
            Relation.STRONGER,
        ),
        "composition": (Composition((ONE, ONE), ZCDP(TWO)), Composition((THREE,), ZCDP(TWO)), Relation.STRONGER),
        "calibration": (NoiseCalibration(ONE, ONE, ZCDP(ONE)), NoiseCalibration(ONE, TWO, ZCDP(ONE)), Relation.WEAKER),
        "two kinds about numbers": (
            Composition((ONE,), ZCDP(ONE)),
            GaussianPrivacy(ONE, ZCDP(ONE)),
            Relation.DIFFERENT,
        ),
        "a longer range": (CapacityMonotone(ONE, TWO), CapacityMonotone(HALF, TWO), Relation.STRONGER),
        "a range elsewhere": (CapacityMonotone(ONE, TWO), CapacityMonotone(TWO, THREE), Relation.INCOMPARABLE),
        "an end that is no longer claimed": (both, replace(both, upper=None), Relation.WEAKER),
        "a bracket against a gap": (both, ConicGap(PROGRAM, HALF, TWO), Relation.DISJOINT),
        "one optimum of two": (both, replace(both, optimum=Optimum.PRIMAL), Relation.DIFFERENT),
        "feasible and infeasible": (
            ConicFeasible(PROGRAM, Side.PRIMAL),
            ConicInfeasible(PROGRAM, Side.PRIMAL),
            Relation.DISJOINT,
        ),
        "another side": (ConicFeasible(PROGRAM, Side.PRIMAL), ConicFeasible(PROGRAM, Side.DUAL), Relation.DIFFERENT),
        "another program": (
            ConicFeasible(PROGRAM, Side.PRIMAL),
            ConicFeasible(OTHER, Side.PRIMAL),
            Relation.DIFFERENT,
        ),
    }


@pytest.mark.parametrize("name", _pairs())
def test_relations_both_ways(name: str) -> None:
    old, new, relation = _pairs()[name]
    assert compare_claims(old, new).relation is relation
    assert compare_claims(new, old).relation is REVERSED.get(relation, relation)


def test_every_part_that_changed_is_listed() -> None:
    new = replace(OPTIMUM, lower=THREE, upper=fmpq(5), covariance=UNIT.scaled(fmpq(5, 2)))
    assert [(c.name, c.relation) for c in compare_claims(OPTIMUM, new).changes] == [
        ("least cost", Relation.WEAKER),
        ("covariance", Relation.SAME),
    ]
    other = compare_claims(OPTIMUM, GaussianPrivacy(ONE, ZCDP(ONE)))
    assert [(c.name, c.old, c.new) for c in other.changes] == [("kind", "CovarianceOptimum", "GaussianPrivacy")]


def test_guarantees_that_cannot_be_told_apart_are_incomparable() -> None:
    near = ApproxDP(ONE, fmpq(1, 1000))
    next_to = ApproxDP(ONE, fmpq(1, 1000) + fmpq(1, 10**60))
    difference = compare_claims(GaussianPrivacy(ONE, near), GaussianPrivacy(ONE, next_to))
    assert difference.relation is Relation.INCOMPARABLE


@given(st.lists(st.sampled_from([r for r in Relation if r is not Relation.SAME])))
def test_joining_is_about_the_set_of_relations(relations: list[Relation]) -> None:
    assert joined(relations) is joined(sorted([*relations, *relations, Relation.SAME]))
    if not relations:
        assert joined(relations) is Relation.SAME


FRACTIONS = st.fractions(-3, 3, max_denominator=4).map(lambda f: fmpq(f.numerator, f.denominator))
ENDS = st.tuples(FRACTIONS, FRACTIONS).map(sorted)


@given(ENDS, ENDS)
def test_a_bracket_is_stronger_exactly_when_it_lies_inside(old: list[fmpq], new: list[fmpq]) -> None:
    claims = [RhoStarEnclosure(RELEASE, UNIT, *ends) for ends in (old, new)]
    relation = compare_claims(*claims).relation
    inside = old[0] <= new[0] and new[1] <= old[1]
    assert (relation in (Relation.SAME, Relation.STRONGER)) == inside
    assert (relation is Relation.DISJOINT) == (max(old[0], new[0]) > min(old[1], new[1]))
