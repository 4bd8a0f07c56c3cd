"""What changed between certificates, in words: for people, for machines, and as an exit code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, assert_never

from flint import fmpq

from certify.certificates.diff import (
    Bracket,
    Change,
    Difference,
    Infinite,
    Premise,
    Promise,
    Reach,
    Relation,
    Strength,
    Truth,
    Value,
    compare_claims,
)
from certify.checker.codec import Malformed
from certify.checker.conic.problem import ConicProblem, problem_digest
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.exact import Matrix
from certify.checker.releases import ExplicitVectors, IdealDenoiser, RecordMean, RecordSum
from certify.checker.verdict import Status
from certify.reports.guarantees import describe
from certify.reports.results import EXIT_PROVED, EXIT_REFUSED, EXIT_UNDECIDED, Result, exit_code
from certify.reports.sentences import describe_release

DIGITS = (12, 16, 20, 24, 32, 40)
"""How many digits are tried, in order, to tell two numbers apart."""
NOT_PROVED = "not both proved"
ADDED = "added"
REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate before and after; None where there is none of that name."""

    name: str
    old: Result | None
    new: Result | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a certificate.

    Attributes:
        name: The name of the file.
        word: How the new claim relates to the old one, or why it cannot be said.
        changes: Every part of the claim that changed.
        code: 0 where nothing got worse, 3 where a claim is false or not proved, 4 malformed, 5 where something is no
            longer known.
    """

    name: str
    word: str
    changes: tuple[Change, ...]
    code: int


def outcome_of(pair: Pair) -> Outcome:
    """Return what became of a certificate whose verdicts, before and after, are known."""
    if pair.new is None:
        return Outcome(pair.name, REMOVED, (), EXIT_UNDECIDED)
    if pair.old is None:
        return Outcome(pair.name, ADDED, (), exit_code([pair.new]))
    old, new = pair.old.outcome, pair.new.outcome
    code = exit_code([pair.old, pair.new])
    if isinstance(old, Malformed) or isinstance(new, Malformed):
        return Outcome(pair.name, NOT_PROVED, (), code)
    if old.claim == new.claim and {old.status, new.status} == {Status.PROVED, Status.REFUTED}:
        return Outcome(pair.name, str(Relation.DISJOINT), (), EXIT_REFUSED)
    difference = compare_claims(old.claim, new.claim)
    if not old.status is new.status is Status.PROVED:
        return Outcome(pair.name, f"{NOT_PROVED} ({old.status}, {new.status})", difference.changes, code)
    return Outcome(pair.name, str(difference.relation), difference.changes, _code(difference))


def diff_exit_code(outcomes: Iterable[Outcome]) -> int:
    """Return 4 over 3 over 5 over 0; nothing compared is 5."""
    codes = [outcome.code for outcome in outcomes]
    return next((code for code in (4, EXIT_REFUSED, EXIT_UNDECIDED) if code in codes), 0) if codes else EXIT_UNDECIDED


def _code(difference: Difference) -> int:
    match difference.relation:
        case Relation.SAME | Relation.STRONGER:
            return EXIT_PROVED
        case Relation.WEAKER | Relation.INCOMPARABLE | Relation.DIFFERENT:
            return EXIT_UNDECIDED
        case Relation.DISJOINT:
            return EXIT_REFUSED
        case _:
            assert_never(difference.relation)


def diff_lines(outcome: Outcome) -> list[str]:
    """Return the outcome as plain lines."""
    lines = [f"{outcome.word}  {outcome.name}"]
    if outcome.word == Relation.DISJOINT:
        lines.append("  both cannot be true: the checker has a fault, or the data are not what they were")
    for change in outcome.changes:
        effect = "" if change.relation is Relation.SAME else f" ({change.relation})"
        old, new = describe_change(change)
        lines.append(f"  {change.name}: {old} -> {new}{effect}")
    return lines


def diff_to_json(outcomes: Iterable[Outcome]) -> str:
    """Return the outcomes as JSON; numbers are exact, as strings."""
    return json.dumps({"differences": [_entry(outcome) for outcome in outcomes]}, indent=2)


def _entry(outcome: Outcome) -> dict[str, Any]:
    changes = [
        {
            "part": change.name,
            "old": describe_value(change.old, None),
            "new": describe_value(change.new, None),
            "effect": str(change.relation),
        }
        for change in outcome.changes
    ]
    return {"file": outcome.name, "relation": outcome.word, "changes": changes}


def describe_change(change: Change) -> tuple[str, str]:
    """Return the old and the new part in words, with as many digits as it takes to tell them apart, or exactly."""
    described = ((describe_value(change.old, digits), describe_value(change.new, digits)) for digits in DIGITS)
    exact = describe_value(change.old, None), describe_value(change.new, None)
    return next((pair for pair in described if pair[0] != pair[1]), exact)


def describe_value(value: Value, digits: int | None) -> str:
    """Return a part of a claim in words; long numbers are rounded outward to so many digits, None for exactly."""
    match value:
        case str():
            return value
        case fmpq():
            return _end(value, digits, upward=False)
        case Matrix() | ConicProblem():
            return _data(value, digits or DIGITS[-1])
        case IdealDenoiser() | RecordSum() | RecordMean() | ExplicitVectors():
            return describe_release(value)
        case _:
            return _strength(value, digits)


def _strength(value: Strength, digits: int | None) -> str:
    match value:
        case Bracket(lower, upper):
            ends = (_end(lower, digits, upward=False), _end(upper, digits, upward=True))
            text = f"[{ends[0] or '-infinity'}, {ends[1] or '+infinity'}]"
        case Reach(lower, upper):
            text = f"[{_end(lower, digits, upward=True)}, {_end(upper, digits, upward=False)}]"
        case Premise(number):
            text = f"up to {_end(number, digits, upward=False)}"
        case Infinite():
            text = "infinite"
        case Promise(guarantee):
            text = guarantee.describe() if digits is None else describe(guarantee)
        case Truth(holds):
            text = "yes" if holds else "no"
        case _:
            assert_never(value)
    return text


def _end(value: fmpq | None, digits: int | None, *, upward: bool) -> str:
    if value is None or digits is None:
        return "" if value is None else str(value)
    return exact_or(value, decimal_upper(value, digits) if upward else decimal_lower(value, digits))


def _data(value: Matrix | ConicProblem, digits: int) -> str:
    if isinstance(value, ConicProblem):
        return f"a program with {value.constraint_count} equations (SHA-256 {problem_digest(value)[:16]}...)"
    trace = f", trace {decimal_lower(value.trace(), digits)}..." if value.rows == value.columns else ""
    return f"a {value.rows} x {value.columns} matrix{trace}"
