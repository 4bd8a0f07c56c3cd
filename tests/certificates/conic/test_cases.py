"""Every public case, by search: the right answer or an honest UNDECIDED, and never a wrong one."""

from __future__ import annotations

import pytest
from flint import fmpq

from certify.certificates.conic.bounds import Outcome, bound
from certify.checker.conic.claims import ConicBracket, ConicGap, ConicInfeasible, Optimum, Side
from certify.checker.conic.hermitian import hermitian_block
from certify.checker.conic.problem import ConicProblem
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.sdpa import read_sdpa
from tests.certificates.conic.examples import accepted
from tests.checker.conic.examples import case_problem, cases, number, problem

CASES = cases()
CLOSE = fmpq(1, 10**7)

VALUES = {
    "waki-pop-relaxation-r5": "0",
    "waki-pop-relaxation-r2": "0",
    "scaled-1e16-2x2": "200000000",
    "scaled-1e8-2x2": "20000",
    "primal-infimum-not-attained": "0",
    "scsjl150-x2-x-1": "-3/4",
    "cvxpy2610-soc-as-2x2": "0",
    "cvxpy3390-opposite-rows": "1",
    "clarabelcpp36-flat-qp": "1",
}
"""The value in the neutral sign, which is the negative of an LMI's."""

SQUARES = {"csdp11-sqrt2": fmpq(2), "cvxpy262-not-psd": fmpq(19, 16)}
"""Values -sqrt(q), by q."""

FILES = {
    "sdpa-file-csdp-silent-truncation": "-2",
    "sdpa-python-sign": "-30",
    "sdpa-file-sdplib-braces-plus": "-2",
    "moi1541-diagonal-and-psd": "1/2",
}
REFUSED = {
    "sdpa-file-duplicate-entries": "give each entry once",
    "nan-data-optimal": "'nan' is not a finite number",
    "sdpa-file-integer-section-ignored": "integers",
}
INFEASIBLE = {
    "liu-pataki-weakly-infeasible-clean",
    "near-feasible-1e-9",
    "motzkin-sos-bound",
    "weakly-infeasible-2x2",
    "scs14-primal-and-dual-infeasible",
    "sosjl137-reduced-basis",
}
ELSEWHERE = {
    "svec-missing-sqrt2": "importers",
    "svec-triangle-order": "importers",
    "cvxopt87-sign": "importers",
    "hermitian-dual-factor-2": "below",
    "sedumi-complex-minus-sqrt2": "below",
    "nonsymmetric-psd-expression": "below",
    "positive-duality-gap": "below",
    "cvxpy-status-laundering": "importers",
}
"""Decided by search as well, in tests of their own."""

NOT_CONIC = {"dp-subsampled-gaussian-eps0", "dp-prv-accountant-tiny-delta"}


def test_every_case_is_in_a_table() -> None:
    tables = (VALUES, SQUARES, FILES, REFUSED, INFEASIBLE, ELSEWHERE, NOT_CONIC)
    assert sorted(name for table in tables for name in table) == sorted(CASES)
    assert len(CASES) - len(NOT_CONIC) == 32


def _bracket(outcome: Outcome) -> tuple[fmpq, fmpq]:
    assert all(accepted(each) for each in outcome.certified)
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicBracket), outcome.reasons
    assert claim.optimum is Optimum.BOTH
    assert claim.lower is not None, outcome.reasons
    assert claim.upper is not None, outcome.reasons
    return claim.lower, claim.upper


@pytest.mark.parametrize("name", VALUES)
def test_the_bracket_closes_on_the_known_value(name: str) -> None:
    lower, upper = _bracket(bound(case_problem(CASES[name]["data"])))
    value = number(VALUES[name])
    assert lower <= value <= upper
    assert upper - lower <= CLOSE * max(fmpq(1), abs(value))


@pytest.mark.parametrize("name", SQUARES)
def test_the_bracket_closes_on_a_square_root(name: str) -> None:
    lower, upper = _bracket(bound(case_problem(CASES[name]["data"])))
    assert upper < 0
    assert upper**2 <= SQUARES[name] <= lower**2
    assert upper - lower <= CLOSE


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_read_as_it_says(name: str) -> None:
    lower, upper = _bracket(bound(read_sdpa(CASES[name]["data"]["text"].encode(), name).problem))
    value = number(FILES[name])
    # One file writes 0.3333333333333333, which is not 1/3: its value is only near the one stated for thirds.
    slack = fmpq(1, 10**15) if name.startswith("moi1541") else fmpq(0)
    assert lower - slack <= value <= upper + slack
    assert upper - lower <= CLOSE * max(fmpq(1), abs(value))


@pytest.mark.parametrize("name", REFUSED)
def test_the_file_is_refused(name: str) -> None:
    with pytest.raises(MalformedStatement, match=REFUSED[name]):
        read_sdpa(CASES[name]["data"]["text"].encode(), name)


@pytest.mark.parametrize("name", sorted(INFEASIBLE))
def test_infeasibility_is_proved(name: str) -> None:
    outcome = bound(case_problem(CASES[name]["data"]))
    assert all(accepted(each) for each in outcome.certified)
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicInfeasible)
    assert claim.side is Side.PRIMAL
    assert not any(isinstance(each.claim, ConicBracket) for each in outcome.certified)


def test_a_problem_without_feasible_points_on_either_side_is_no_unbounded_one() -> None:
    outcome = bound(case_problem(CASES["scs14-primal-and-dual-infeasible"]["data"]))
    sides = {each.claim.side for each in outcome.certified if isinstance(each.claim, ConicInfeasible)}
    assert sides == {Side.PRIMAL, Side.DUAL}


def test_a_positive_gap_is_proved_as_such() -> None:
    outcome = bound(case_problem(CASES["positive-duality-gap"]["data"]))
    assert all(accepted(each) for each in outcome.certified)
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicGap)
    assert 0 <= claim.dual_upper <= CLOSE
    assert 1 - CLOSE <= claim.primal_lower <= 1


def test_the_symmetric_part_of_a_lopsided_matrix_gives_one() -> None:
    lower, upper = _bracket(bound(case_problem(CASES["nonsymmetric-psd-expression"]["data"]["symmetrised_lmi"])))
    assert lower <= -1 <= upper
    assert upper - lower <= CLOSE


def _hermitian(
    cost: list[tuple[int, int, int, int]], data: list[list[tuple[int, int, int, int]]], b: list[int]
) -> ConicProblem:
    """``min Re tr(C X)``, ``Re tr(A_i X) = b_i``, X Hermitian PSD of order two; entries (row, column, re, im)."""
    entries = [(k, i, j, fmpq(re), fmpq(im)) for k, m in enumerate([cost, *data]) for i, j, re, im in m]
    return problem([hermitian_block(2, entries)], b)


def test_the_complex_problem_has_the_value_minus_root_two() -> None:
    lower, upper = _bracket(bound(_hermitian([(1, 0, 1, 1)], [[(0, 0, 1, 0), (1, 1, 1, 0)]], [1])))
    assert upper < -1
    assert upper**2 <= 2 <= lower**2
    assert upper - lower <= CLOSE


def test_the_hermitian_dual_needs_the_factor_two_in_the_right_place() -> None:
    # min Re tr(C X) with X - A PSD, as an LMI in X, has the one dual feasible Y = C. Here side (P) holds Y: its
    # equations say Y = C and its cost is -Re tr(A Y), which C / 2 would halve.
    cost = [(0, 0, -1, 0), (1, 0, -1, 1)]
    units = [[(0, 0, 1, 0)], [(1, 1, 1, 0)], [(1, 0, 1, 0)], [(1, 0, 0, 1)]]
    lower, upper = _bracket(bound(_hermitian(cost, units, [2, 2, 0, -2])))
    assert lower <= -4 <= upper
    assert upper - lower <= CLOSE
