"""Bounding many problem files: one row for each, written down as soon as it is known, so that a run can resume."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from flint import fmpq, fmpz

from certify.certificates.conic.bounds import Certified, Options, Outcome, bound, silent
from certify.certificates.conic.plain import Report
from certify.checker.certificate import Certificate
from certify.checker.conic.claims import ConicBracket, ConicGap, ConicInfeasible
from certify.checker.conic.problem import ConicProblem
from certify.checker.kernel import check
from certify.checker.statements.cbf import read_cbf
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.sdpa import read_sdpa
from certify.checker.verdict import Status

SUFFIXES = (".dat-s", ".cbf")


@dataclass(frozen=True, slots=True)
class TableRow:
    """What a run found out about one problem file.

    Attributes:
        name: The file without folder and suffix.
        sha256: Of its bytes; a row is reused only for the same bytes and digits.
        digits: The digits asked.
        verdict: In few words: bracket, lower bound, upper bound, gap, primal infeasible, dual infeasible, undecided,
            refused.
        lower: The proved lower bound in the neutral sign, an exact fraction, or None.
        upper: The proved upper bound, likewise.
        solve_seconds: Time in solvers.
        certify_seconds: Time from the file to the certificates, solvers left out.
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
        if self.lower is None or self.upper is None:
            return None
        lower, upper = _fraction(self.lower), _fraction(self.upper)
        return (upper - lower) / max(fmpq(1), abs(upper))


def bound_files(
    files: Sequence[Path], state: Path, options: Options, report: Report = silent
) -> Iterator[tuple[TableRow, tuple[Certified, ...]]]:
    """Yield a row for each file with its certified claims; rows already in ``state`` come back without claims.

    Args:
        files: Problem files, SDPA sparse (``.dat-s``) or CBF (``.cbf``).
        state: A file of rows, one JSON object a line; it is read first and appended to.
        options: What to try.
        report: Called with what is being done, the name of the file in front.
    """
    known = {(row.name, row.sha256, row.digits): row for row in _rows(state)}
    for file in files:
        data = file.read_bytes()
        name = _name(file)
        old = known.get((name, hashlib.sha256(data).hexdigest(), options.digits))
        if old is not None:
            yield old, ()
            continue
        row, certified = _run(file, data, options, _prefixed(report, name))
        with state.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(row)) + "\n")
        yield row, certified


def _prefixed(report: Report, name: str) -> Report:
    return lambda what: report(f"{name}: {what}")


def read_problem(file: Path, data: bytes) -> ConicProblem:
    """Return the problem in a file, read by its suffix.

    Raises:
        MalformedStatement: If the file is no such program, or its suffix is not known.
    """
    if file.name.endswith(".dat-s"):
        return read_sdpa(data, file.name).problem
    if file.name.endswith(".cbf"):
        return read_cbf(data, file.name).problem
    raise MalformedStatement(file.name, "", f"is neither of {', '.join(SUFFIXES)}; rename it after its format")


def _run(file: Path, data: bytes, options: Options, report: Report) -> tuple[TableRow, tuple[Certified, ...]]:
    digest = hashlib.sha256(data).hexdigest()
    started = perf_counter()
    try:
        problem = read_problem(file, data)
    except MalformedStatement as error:
        refused = TableRow(_name(file), digest, options.digits, "refused", None, None, 0.0, 0.0, 0.0, (str(error),))
        return refused, ()
    outcome = bound(problem, options, None, report)
    found = perf_counter() - started
    report("checking")
    started = perf_counter()
    rejected = [each for each in outcome.certified[:1] if not _is_proved(each)]
    checked = perf_counter() - started
    verdict, lower, upper = ("rejected", None, None) if rejected else _summary(outcome)
    return (
        TableRow(
            _name(file),
            digest,
            options.digits,
            verdict,
            None if lower is None else str(lower),
            None if upper is None else str(upper),
            outcome.solve_seconds,
            found - outcome.solve_seconds,
            checked,
            outcome.reasons,
        ),
        outcome.certified,
    )


def _is_proved(certified: Certified) -> bool:
    return check(Certificate(certified.claim, certified.witness)).status is Status.PROVED


def _summary(outcome: Outcome) -> tuple[str, fmpq | None, fmpq | None]:
    if not outcome.certified:
        return "undecided", None, None
    claim = outcome.certified[0].claim
    match claim:
        case ConicInfeasible(_, side):
            return f"{side} infeasible", None, None
        case ConicGap(_, dual_upper, primal_lower):
            return "gap", dual_upper, primal_lower
        case ConicBracket(_, optimum, lower, upper):
            kind = "bracket" if lower is not None and upper is not None else "lower" if upper is None else "upper"
            return kind if optimum == "both" else f"{kind} of {optimum} value", lower, upper
        case _:
            return "feasible", None, None


def _rows(state: Path) -> list[TableRow]:
    if not state.exists():
        return []
    lines = [json.loads(line) for line in state.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [TableRow(**{**line, "reasons": tuple(line["reasons"])}) for line in lines]


def _name(file: Path) -> str:
    suffix = next((known for known in SUFFIXES if file.name.endswith(known)), file.suffix)
    return file.name.removesuffix(suffix)


def _fraction(text: str) -> fmpq:
    numerator, _, denominator = text.partition("/")
    return fmpq(fmpz(numerator), fmpz(denominator or "1"))
