"""The outcome for one file, as data that every output format shares."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from certify.checker.claims import Claim, CovarianceOptimum, RhoStarEnclosure
from certify.checker.codec import Malformed
from certify.checker.conic.claims import ConicBracket
from certify.checker.conic.problem import source_ends
from certify.checker.verdict import Status, Verdict
from certify.reports.programs import gap_between
from certify.reports.sentences import relative_gap, sentence

EXIT_PROVED = 0
EXIT_REFUSED = 3
EXIT_MALFORMED = 4
EXIT_UNDECIDED = 5


@dataclass(frozen=True, slots=True)
class Result:
    """A file with its verdict, or with the reason why it is no certificate."""

    file: str
    outcome: Verdict | Malformed


def exit_code(results: list[Result]) -> int:
    """Return the exit code of a run: malformed input over a refusal over an undecided claim; nothing checked is 5."""
    codes = {_code(result.outcome) for result in results}
    for code in (EXIT_MALFORMED, EXIT_REFUSED, EXIT_UNDECIDED):
        if code in codes:
            return code
    return EXIT_PROVED if results else EXIT_UNDECIDED


def _code(outcome: Verdict | Malformed) -> int:
    if isinstance(outcome, Malformed):
        return EXIT_MALFORMED
    match outcome.status:
        case Status.PROVED:
            return EXIT_PROVED
        case Status.REFUTED | Status.REJECTED:
            return EXIT_REFUSED
        case Status.UNDECIDED:
            return EXIT_UNDECIDED


def to_json(results: list[Result]) -> str:
    """Return the machine-readable report; exact numbers are strings."""
    return json.dumps({"results": [entry(result) for result in results]}, indent=2)


def entry(result: Result) -> dict[str, Any]:
    """Return the machine-readable report of one file."""
    empty = {"kind": None, "claim": None, "lower": None, "upper": None, "relative_gap": None}
    if isinstance(result.outcome, Malformed):
        problem = {"name": "file is a certificate", "holds": False, "detail": str(result.outcome)}
        return {"file": result.file, "verdict": "MALFORMED", **empty, "obligations": [problem]}
    verdict, claim = result.outcome, result.outcome.claim
    numbers = zip(("lower", "upper", "relative_gap"), _numbers(claim), strict=True)
    return {
        "file": result.file,
        "verdict": str(verdict.status),
        "kind": type(claim).__name__,
        "claim": sentence(claim),
        **{name: None if value is None else str(value) for name, value in numbers},
        "obligations": [{"name": o.name, "holds": o.holds, "detail": o.detail} for o in verdict.obligations],
    }


def bracket_of(claim: Claim) -> tuple[fmpq | None, fmpq | None]:
    """Return the ends that a claim proves for its value, in the sense of its sentence; None for what it does not."""
    match claim:
        case CovarianceOptimum() | RhoStarEnclosure():
            return claim.lower, claim.upper
        case ConicBracket():
            return source_ends(claim.problem, claim.lower, claim.upper)
        case _:
            return None, None


def _numbers(claim: Claim) -> tuple[fmpq | None, fmpq | None, fmpq | None]:
    lower, upper = bracket_of(claim)
    if isinstance(claim, CovarianceOptimum):
        return lower, upper, relative_gap(claim)
    if lower is None or upper is None or not isinstance(claim, ConicBracket):
        return lower, upper, None
    return lower, upper, gap_between(lower, upper)
