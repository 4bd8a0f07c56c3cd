"""Audits for people: each claim with its verdict and what stands beside it, then what other accounting would say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from certify.certificates.audit import Audit, Decision
from certify.certificates.calibration import Accounting, accountings
from certify.checker.claims import CovarianceOptimum
from certify.checker.decimals import decimal_lower
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import ApproxDP
from certify.checker.verdict import Status
from certify.reports.guarantees import brief
from certify.reports.numbers import between, spelled
from certify.reports.remarks import describe_optimum, remarks
from certify.reports.results import Result
from certify.reports.sentences import sentence
from certify.reports.terminal import COLOURS, print_result

LEFT = (0, 0, 0, 2)


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """One claim of an audit as it is reported.

    Attributes:
        label: The file its certificate is in, or the number of the claim.
        decision: What was decided.
        noise: The optimal covariance with the claimed guarantee, or why there is none, or None for no word about it.
    """

    label: str
    decision: Decision
    noise: CovarianceOptimum | str | None


@dataclass(frozen=True, slots=True)
class AuditReport:
    """An audit as it is reported.

    Attributes:
        audit: What was proved and decided.
        claims: The claims, in order.
        naive: A lower bound of ``diam^2 lambda_max(Sigma^-1)``; None where that is infinite.
    """

    audit: Audit
    claims: tuple[ClaimReport, ...]
    naive: fmpq | None


def print_audit(console: Console, report: AuditReport) -> None:
    """Print every claim with its verdict, rho_star, and what naive accounting would have said."""
    for claim in report.claims:
        _print_claim(console, claim, report)
    print_result(console, Result("rho_star", report.audit.rho_star.verdict))
    table = accounting_table(report)
    if table is not None:
        console.print(Padding(table, LEFT, expand=False))
        console.print()


def _print_claim(console: Console, claim: ClaimReport, report: AuditReport) -> None:
    decision = claim.decision
    if decision.status is Status.UNDECIDED:
        console.print(Text.assemble((str(decision.status), COLOURS[decision.status]), f"  {claim.label}"))
        console.print(Padding(Text(sentence(decision.claim)), LEFT, expand=False))
    else:
        print_result(console, Result(claim.label, decision.verdict))
    for paragraph in paragraphs(claim, report.audit):
        weight = "bold" if paragraph.startswith(brief(decision.claim.guarantee)) else ""
        console.print(Padding(Text(paragraph, weight), LEFT, expand=False))
    console.print()


def paragraphs(claim: ClaimReport, audit: Audit) -> Iterator[str]:
    """Yield everything that is said beside the verdict on one claim."""
    yield from remarks(claim.decision, audit.rho_star.value)
    match claim.noise:
        case CovarianceOptimum():
            yield describe_optimum(claim.decision, claim.noise)
        case str(reason):
            yield f"Noise: {reason}."
        case None:
            return


def deltas_of(claims: Sequence[ClaimReport]) -> tuple[fmpq, ...]:
    """Return the distinct deltas strictly between 0 and 1 that are claimed, in order."""
    guarantees = [claim.decision.claim.guarantee for claim in claims]
    deltas = [each.delta for each in guarantees if isinstance(each, ApproxDP) and 0 < each.delta < 1]
    return tuple(dict.fromkeys(deltas))


def accounting_table(report: AuditReport) -> Table | None:
    """Return what exact and naive accounting say of rho_star and of epsilon at each claimed delta."""
    value = report.audit.rho_star.value
    if not isinstance(value, Enclosure):
        return None
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="bold")
    deltas: tuple[fmpq | None, ...] = deltas_of(report.claims) or (None,)
    table.add_column("accounting", no_wrap=True)
    table.add_column("rho_star", justify="right", no_wrap=True)
    for delta in deltas:
        if delta is not None:
            table.add_column(f"epsilon at delta = {spelled(delta) or decimal_lower(delta, 3)}", justify="right")
    ways = [accountings(value, report.naive, delta) for delta in deltas]
    for row in zip(*ways, strict=True):
        cells = [_cell(way.epsilon, way) for way in row if way.epsilon is not None]
        table.add_row(row[0].name, _cell(row[0].rho_star, row[0]), *cells)
    if report.naive is None:
        table.add_row("diameter and lambda_max", *["infinite"] * (len(table.columns) - 1))
    return table


def _cell(value: Enclosure, way: Accounting) -> str:
    return f"at least {decimal_lower(value.lower, 6)}" if way.from_below else between(value, 6)
