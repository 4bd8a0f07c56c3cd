"""The rule of CovarianceOptimum: accepted and rejected certificates, each rejection naming the failed obligation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.certificate import Certificate
from certify.checker.exact import Matrix, identity, matrix_of_fractions
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, TotalVariation
from certify.checker.kernel import check
from certify.checker.vectors import Difference
from certify.checker.verdict import Status
from certify.checker.witnesses import FullDual, Multiplier, Support
from tests.checker.examples import (
    ACCEPTED,
    EQUIVALENT_BUDGETS,
    claim_of,
    claim_with,
    dual_with,
    line,
    one_hot,
    one_record,
    primal_with,
    rows,
    square,
    square_in_blocks,
    weighted_line,
    witness_of,
)
from tests.checker.oracle import fractions, is_psd, is_true


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted_certificates_are_proved_and_true(name: str) -> None:
    certificate = ACCEPTED[name]()
    verdict = check(certificate)
    assert verdict.status is Status.PROVED, verdict.failed
    assert is_true(claim_of(certificate))


@pytest.mark.parametrize("guarantee", EQUIVALENT_BUDGETS, ids=str)
def test_equal_budgets_have_equal_optima(guarantee: Guarantee) -> None:
    assert check(claim_with(square(), guarantee=guarantee)).status is Status.PROVED


def _block_with_negative_corner() -> Certificate:
    certificate = square_in_blocks()
    dual = witness_of(certificate).dual
    assert isinstance(dual, FullDual)
    first, second = dual.blocks
    return dual_with(certificate, blocks=(replace(first, gamma=fmpq(-1)), second))


def _block_of_size_one() -> Certificate:
    certificate = square_in_blocks()
    dual = witness_of(certificate).dual
    assert isinstance(dual, FullDual)
    return dual_with(certificate, blocks=(replace(dual.blocks[0], a=identity(1)), dual.blocks[1]))


REJECTED: dict[str, tuple[Callable[[], Certificate], str]] = {
    "lower bound too high": (
        lambda: claim_with(square(), lower=fmpq(4) + fmpq(1, 10**30), upper=fmpq(5)),
        "lower bound",
    ),
    "upper bound too low": (
        lambda: claim_with(square(), lower=fmpq(3), upper=fmpq(4) - fmpq(1, 10**30)),
        "upper bound",
    ),
    "covariance a hair too small": (
        lambda: claim_with(square(), covariance=identity(2).scaled(2 - fmpq(1, 10**30)), lower=fmpq(3)),
        "precision bounds the inverse",
    ),
    "precision over the budget": (
        lambda: claim_with(
            primal_with(square(), precision=identity(2).scaled(fmpq(1, 2) + fmpq(1, 10**30))), lower=fmpq(3)
        ),
        "every pair of records is within the budget",
    ),
    "budget a hair smaller": (
        lambda: claim_with(square(), guarantee=ZCDP(fmpq(1, 2) - fmpq(1, 10**30)), lower=fmpq(3)),
        "every pair of records is within the budget",
    ),
    "covariance below the floor": (
        lambda: claim_with(square(), floor=fmpq(2) + fmpq(1, 10**30)),
        "covariance is at least the floor",
    ),
    "covariance not PSD": (
        lambda: claim_with(one_hot(), covariance=rows([1, -2], [-2, 1])),
        "covariance is at least the floor",
    ),
    "covariance a hair from PSD": (
        lambda: claim_with(square(), covariance=rows([1, 1], [1, 1]) - identity(2).scaled(fmpq(1, 10**30))),
        "covariance is at least the floor",
    ),
    "floor a hair above zero": (
        lambda: claim_with(one_hot(), floor=fmpq(1, 10**30)),
        "covariance is at least the floor",
    ),
    "indefinite weight": (lambda: claim_with(square(), weight=rows([1, 2], [2, 1])), "weight is positive definite"),
    "singular weight": (lambda: claim_with(square(), weight=rows([1, 1], [1, 1])), "weight is positive definite"),
    "negative multiplier": (
        lambda: dual_with(
            square(), multipliers=(Multiplier(Difference(0, 3), fmpq(-1)), Multiplier(Difference(1, 2), fmpq(2)))
        ),
        "multipliers are nonnegative",
    ),
    "multipliers too large": (
        lambda: dual_with(
            square(), multipliers=(Multiplier(Difference(0, 3), fmpq(3)), Multiplier(Difference(1, 2), fmpq(2)))
        ),
        "floor multiplier is PSD",
    ),
    "no multipliers": (lambda: dual_with(square(), multipliers=()), "lower bound"),
    "multiplier of a missing record": (
        lambda: dual_with(square(), multipliers=(Multiplier(Difference(0, 4), fmpq(1)),)),
        "shapes agree",
    ),
    "block not PSD": (_block_with_negative_corner, "dual blocks are PSD"),
    "blocks too large": (
        lambda: claim_with(square_in_blocks(), weight=identity(2).scaled(fmpq(1, 2))),
        "floor multiplier is PSD",
    ),
    "wrong support": (
        lambda: primal_with(one_hot(), support=Support(rows([1], [1]), (0,))),
        "support carries covariance and records",
    ),
    "covariance outside the support": (
        lambda: claim_with(one_hot(), covariance=identity(2)),
        "support carries covariance and records",
    ),
    "records outside the support": (
        lambda: claim_with(
            primal_with(square(), support=Support(rows([1], [-1]), (0,)), precision=identity(1)),
            covariance=rows([1, -1], [-1, 1]),
        ),
        "support carries covariance and records",
    ),
    "support of the wrong size": (
        lambda: primal_with(one_hot(), support=Support(rows([1], [-1]), (0, 1))),
        "shapes agree",
    ),
    "pivot beyond the columns": (
        lambda: primal_with(one_hot(), support=Support(rows([1], [-1]), (2,))),
        "shapes agree",
    ),
    "precision of the wrong size": (lambda: primal_with(square(), precision=identity(3)), "shapes agree"),
    "dual precision of the wrong size": (lambda: dual_with(square(), precision=identity(3)), "shapes agree"),
    "block of the wrong size": (
        _block_of_size_one,
        "shapes agree",
    ),
    "precision not positive definite": (
        lambda: primal_with(square(), precision=rows([1, 1], [1, 1], over=2)),
        "precision bounds the inverse",
    ),
    "singular covariance without a support": (
        lambda: primal_with(one_hot(), support=None, precision=None),
        "precision bounds the inverse",
    ),
    "no budget at all": (lambda: claim_with(one_record(), guarantee=TotalVariation(fmpq(1))), "budget"),
    "pure privacy": (
        lambda: claim_with(line(), guarantee=ApproxDP(fmpq(1), fmpq(0))),
        "budget",
    ),
    "irrational budget, covariance a little too small": (
        lambda: claim_with(weighted_line(), covariance=rows([66286], over=10000)),
        "every pair of records is within the budget",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejected_certificates_name_the_failed_obligation(name: str) -> None:
    build, obligation = REJECTED[name]
    verdict = check(build())
    assert verdict.status is Status.REJECTED
    assert verdict.failed[0].name == obligation, verdict.failed


def test_the_direct_primal_inverts_the_covariance_exactly() -> None:
    certificate = primal_with(square(), precision=None)
    assert check(certificate).status is Status.PROVED


def test_a_weaker_bracket_is_proved_too() -> None:
    assert check(claim_with(square(), lower=fmpq(0), upper=fmpq(100))).status is Status.PROVED


def test_every_notion_with_the_same_budget_rejects_the_next_smaller_one() -> None:
    assert check(claim_with(square(), guarantee=GDP(fmpq(999_999, 1_000_000)))).status is Status.REJECTED


def test_progress_reaches_the_number_of_pairs() -> None:
    seen: list[tuple[str, int, int]] = []
    check(square(), lambda what, done, total: seen.append((what, done, total)))
    assert seen[-1] == ("pairs of records", 6, 6)


RATIONAL = st.fractions(-3, 3, max_denominator=5).map(lambda f: fmpq(f.numerator, f.denominator))
PRECISION = st.lists(st.lists(RATIONAL, min_size=2, max_size=2), min_size=2, max_size=2)


@given(PRECISION, st.lists(RATIONAL, min_size=2, max_size=2), st.sampled_from([fmpq(0), fmpq(1, 3)]))
def test_the_gap_formula_is_an_identity(precision: list[list[fmpq]], multipliers: list[fmpq], floor: fmpq) -> None:
    """It holds for every dual point, feasible or not, with P' symmetric or not, and at an irrational rho."""
    entries = tuple(Multiplier(Difference(i, j), mu) for (i, j), mu in zip([(0, 3), (1, 2)], multipliers, strict=True))
    for guarantee in (ZCDP(fmpq(1, 2)), ApproxDP(fmpq(1), fmpq(1, 100))):
        certificate = dual_with(square(), multipliers=entries, precision=matrix_of_fractions(precision, 2))
        verdict = check(claim_with(certificate, floor=floor, guarantee=guarantee, lower=fmpq(-100), upper=fmpq(100)))
        (gap,) = [obligation for obligation in verdict.obligations if obligation.name == "gap formula"]
        assert gap.holds


SYMMETRIC = st.tuples(RATIONAL, RATIONAL, RATIONAL).map(lambda e: matrix_of_fractions([[e[0], e[1]], [e[1], e[2]]], 2))


@given(SYMMETRIC, SYMMETRIC, st.sampled_from([fmpq(0), fmpq(1, 3)]))
def test_the_floor_is_judged_rightly_whatever_precision_is_claimed(
    covariance: Matrix, precision: Matrix, floor: fmpq
) -> None:
    """Where eta = 0 the rule may read it off the other obligations; the principal minors must agree."""
    certificate = primal_with(claim_with(square(), covariance=covariance, floor=floor), precision=precision)
    (decided,) = [each for each in check(certificate).obligations if each.name == "covariance is at least the floor"]
    assert decided.holds == is_psd(fractions(covariance - identity(2).scaled(floor)))


def test_a_floor_of_zero_is_shown_by_the_precision() -> None:
    certificate = claim_with(primal_with(square(), precision=identity(2).scaled(fmpq(1, 2))), lower=fmpq(3))
    (decided,) = [each for each in check(certificate).obligations if each.name == "covariance is at least the floor"]
    assert decided.holds
    assert "P K P - P" in decided.detail
