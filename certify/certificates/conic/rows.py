"""Bounding one problem file: what was found out as one row of a table, with the certificates behind it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeAlias, assert_never

from flint import fmpq

from certify.certificates.conic.bounds import Options, Outcome, bound, silent
from certify.certificates.conic.plain import Report
from certify.checker.certificate import Certificate, write_certificate
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible, Optimum, Side
from certify.checker.conic.problem import source_ends
from certify.checker.exact import parse_rational
from certify.checker.kernel import check
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.problems import SUFFIXES, read_problem_statement
from certify.checker.verdict import Status

VARIABLES = {Side.PRIMAL: "X", Side.DUAL: "y"}
"""The variable of each side; tools disagree about which side is the primal one."""

TIME_LIMIT = "time limit"
"""The verdict about a problem that was given up because it took too long."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What a run found out about one problem file.

    Attributes:
        name: The file without folder and suffix.
        sha256: Of its bytes; a row is reused only for the same bytes and digits.
        digits: The digits asked.
        verdict: In few words: bracket, lower, upper, gap, no feasible X or y, a feasible X or y, undecided, refused,
            rejected, time limit.
        lower: The proved lower bound of the value that the file states, an exact fraction, or None.
        upper: The proved upper bound, likewise.
        solve_seconds: Time in solvers.
        certify_seconds: Time from the file to the certificates, solvers left out; all of it under a time limit.
        check_seconds: Time the checker takes for the first claim.
        reasons: Why what is missing is missing.
    """

    name: str
    sha256: str
    digits: int
    verdict: str
    lower: str | None
    upper: str | None
    solve_seconds: float
    certify_seconds: float
    check_seconds: float
    reasons: tuple[str, ...]

    @property
    def relative_gap(self) -> fmpq | None:
        """``(upper - lower) / max(1, |upper|)``, None where a bound is missing."""
        lower, upper = self.ends
        return None if lower is None or upper is None else (upper - lower) / max(fmpq(1), abs(upper))

    @property
    def ends(self) -> tuple[fmpq | None, fmpq | None]:
        """The bounds as exact numbers."""
        lower, upper = (None if text is None else parse_rational(text) for text in (self.lower, self.upper))
        return lower, upper


Found: TypeAlias = tuple[TableRow, tuple[bytes, ...]]
"""A row with the certificates behind it, the most telling one first, as they are written to files."""


def bound_file(file: Path, data: bytes, options: Options, report: Report = silent) -> Found:
    """Return what can be certified about the problem in a file of the given bytes."""
    digest = hashlib.sha256(data).hexdigest()
    started = perf_counter()
    try:
        problem = read_problem_statement(data, file.name).problem
    except MalformedStatement as error:
        return without_bounds(file, data, options, "refused", 0.0, str(error)), ()
    outcome = bound(problem, options, None, report)
    found = perf_counter() - started
    report("checking")
    certificates = [Certificate(each.claim, each.witness) for each in outcome.certified]
    started = perf_counter()
    rejected = any(check(certificate).status is not Status.PROVED for certificate in certificates[:1])
    checked = perf_counter() - started
    verdict, lower, upper = ("rejected", None, None) if rejected else summary(outcome)
    row = TableRow(
        row_name(file),
        digest,
        options.digits,
        verdict,
        None if lower is None else str(lower),
        None if upper is None else str(upper),
        outcome.solve_seconds,
        found - outcome.solve_seconds,
        checked,
        outcome.reasons,
    )
    return row, tuple(map(write_certificate, certificates))


def without_bounds(file: Path, data: bytes, options: Options, verdict: str, seconds: float, reason: str) -> TableRow:
    """Return the row of a file about which nothing was certified."""
    digest = hashlib.sha256(data).hexdigest()
    return TableRow(row_name(file), digest, options.digits, verdict, None, None, 0.0, seconds, 0.0, (reason,))


def row_name(file: Path) -> str:
    """Return the name of a file without the suffix that tells its format."""
    suffix = next((known for known in SUFFIXES if file.name.endswith(known)), file.suffix)
    return file.name.removesuffix(suffix)


def summary(outcome: Outcome) -> tuple[str, fmpq | None, fmpq | None]:
    """Return the verdict of the first claim and its bounds of the value that the source states."""
    if not outcome.certified:
        return "undecided", None, None
    claim = outcome.certified[0].claim
    match claim:
        case ConicInfeasible(_, side):
            return f"no feasible {VARIABLES[side]}", None, None
        case ConicGap(problem, dual_upper, primal_lower):
            return "gap", *source_ends(problem, dual_upper, primal_lower)
        case ConicBracket(problem, optimum, neutral_lower, neutral_upper):
            lower, upper = source_ends(problem, neutral_lower, neutral_upper)
            kind = "bracket" if lower is not None and upper is not None else "lower" if upper is None else "upper"
            return kind if optimum is Optimum.BOTH else f"{kind} of {optimum} value", lower, upper
        case ConicFeasible(_, side):
            return f"a feasible {VARIABLES[side]}", None, None
        case _:
            assert_never(claim)
