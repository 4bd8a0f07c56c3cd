"""Outcomes that only a fault of the checker could bring about are still reported as contradictions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq

from certify.checker.verdict import Obligation, Status, Verdict
from certify.reports.diff import Pair, diff_exit_code, diff_lines, outcome_of
from certify.reports.results import Result
from tests.checker.examples import claim_of, square


def _result(status: Status, lower: int, upper: int) -> Result:
    claim = replace(claim_of(square()), lower=fmpq(lower), upper=fmpq(upper))
    return Result("a.cert.json", Verdict(status, claim, (Obligation("made up", True, ""),)))


def test_disjoint_brackets_are_a_contradiction() -> None:
    outcome = outcome_of(Pair("a", _result(Status.PROVED, 1, 2), _result(Status.PROVED, 3, 4)))
    assert (outcome.word, outcome.code, diff_exit_code([outcome])) == ("disjoint", 3, 3)
    assert diff_lines(outcome) == [
        "disjoint  a",
        "  both cannot be true: the checker has a fault, or the data are not what they were",
        "  least cost: [1, 2] -> [3, 4] (disjoint)",
    ]


def test_proved_and_refuted_is_a_contradiction() -> None:
    outcome = outcome_of(Pair("a", _result(Status.PROVED, 1, 2), _result(Status.REFUTED, 1, 2)))
    assert (outcome.word, outcome.code) == ("disjoint", 3)


def test_undecided_is_not_compared() -> None:
    outcome = outcome_of(Pair("a", _result(Status.PROVED, 1, 2), _result(Status.UNDECIDED, 1, 1)))
    assert (outcome.word, outcome.code) == ("not both proved (PROVED, UNDECIDED)", 5)


def test_long_numbers_are_rounded_outward_in_words_and_exact_for_machines() -> None:
    claim = replace(claim_of(square()), lower=fmpq(10**30 + 1, 3 * 10**29), upper=fmpq(10**30 + 2, 10**29))
    new = Result("a", Verdict(Status.PROVED, claim, (Obligation("made up", True, ""),)))
    old = _result(Status.PROVED, 4, 4)
    line = diff_lines(outcome_of(Pair("a", old, new)))[1]
    assert line == "  least cost: [4, 4] -> [3.33333333333, 10.0000000001] (weaker)"


@pytest.mark.parametrize(
    ("power", "shown"),
    [
        (13, "[4, 4.0000000000001] -> [4, 4.0000000000002]"),
        (30, "[4, 4.000000000000000000000000000001] -> [4, 4.000000000000000000000000000002]"),
        (60, f"[4, {4 * 10**60 + 1}/{10**60}] -> [4, {2 * 10**60 + 1}/{10**60 // 2}]"),
    ],
)
def test_numbers_have_the_digits_that_tell_them_apart(power: int, shown: str) -> None:
    def result(step: int) -> Result:
        claim = replace(claim_of(square()), upper=4 + fmpq(step, 10**power))
        return Result("a", Verdict(Status.PROVED, claim, (Obligation("made up", True, ""),)))

    assert shown in diff_lines(outcome_of(Pair("a", result(1), result(2))))[1]
