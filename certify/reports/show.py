"""A claim or a conic program as parsed, in words and numbers."""

from __future__ import annotations

import json
from typing import assert_never

from flint import fmpq
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from certify.checker.adaptive import PrecisionExhaustedError
from certify.checker.certificate import Certificate, claim_digest
from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.privacy import rho_budget
from certify.checker.sensitivity import ExplicitVectors, IdealDenoiser, RecordMean, RecordSum, Release
from certify.checker.statements.words import ProblemStatement
from certify.reports.guarantees import describe
from certify.reports.numbers import exactly
from certify.reports.programs import program_facts
from certify.reports.sentences import (
    bounded,
    describe_domain,
    describe_neighbours,
    describe_query,
    describe_release,
    describe_weight,
    relative_gap,
    sentence,
)
from certify.reports.witnesses import describe_witness

SHOWN_SIZE = 8


def print_claim(console: Console, certificate: Certificate) -> None:
    """Print the claim of a certificate as a sentence and as a table, and what its witness consists of."""
    claim = certificate.claim
    console.print(Text.assemble((type(claim).__name__, "bold"), "  (not checked here: run certify check)"))
    console.print(Padding(Text(sentence(claim)), (0, 0, 0, 2), expand=False))
    console.print()
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _all_facts(certificate):
        table.add_row(name, Text(value))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))
    console.print()
    covariance = _covariance(claim)
    if covariance is not None and covariance.rows <= SHOWN_SIZE:
        console.print(Padding(Text("Sigma (rounded toward minus infinity)"), (0, 0, 0, 2), expand=False))
        console.print(Padding(_matrix_table(covariance), (0, 0, 0, 2), expand=False))
    console.print()


def claim_to_json(file: str, certificate: Certificate) -> str:
    """Return what ``print_claim`` shows, for programs; the numbers are in words, the exact ones are in the file."""
    claim = certificate.claim
    document = {
        "file": file,
        "kind": type(claim).__name__,
        "claim": sentence(claim),
        "claim_sha256": claim_digest(claim),
        "checked": False,
        "facts": dict(_all_facts(certificate)),
    }
    return json.dumps(document, indent=2)


def problem_to_json(file: str, statement: ProblemStatement) -> str:
    """Return what ``print_problem`` shows, for programs."""
    notices = [
        {"place": each.place, "value": each.value, "problem": each.problem, "count": each.count}
        for each in statement.notices
    ]
    facts = dict(program_facts(statement.problem))
    return json.dumps({"file": file, "entries": statement.entry_count, "facts": facts, "notices": notices}, indent=2)


def print_problem(console: Console, name: str, statement: ProblemStatement) -> None:
    """Print a conic program as parsed, with what other readers take differently."""
    console.print(Text.assemble((name, "bold"), f"  ({statement.entry_count} entries read)"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for fact, value in program_facts(statement.problem):
        table.add_row(fact, Text(value))
    for notice in statement.notices:
        times = "" if notice.count == 1 else f" ({notice.count} times)"
        table.add_row("notice", Text(f"{notice.place}: {notice.value!r} {notice.problem}{times}"))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))
    console.print()


def _all_facts(certificate: Certificate) -> list[tuple[str, str]]:
    return [*_facts(certificate.claim), ("witness", describe_witness(certificate))]


def _covariance(claim: Claim) -> Matrix | None:
    match claim:
        case CovarianceOptimum() | ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            return claim.covariance
        case _:
            return None


def _release_facts(release: Release) -> list[tuple[str, str]]:
    match release:
        case IdealDenoiser(domain, query, neighbours):
            return [
                ("records", describe_domain(domain)),
                ("neighbours", describe_neighbours(neighbours)),
                ("query", describe_query(query)),
            ]
        case RecordSum() | RecordMean() | ExplicitVectors():
            return [("release", describe_release(release))]
        case _:
            assert_never(release)


def _facts(claim: Claim) -> list[tuple[str, str]]:
    match claim:
        case CovarianceOptimum():
            return [
                *_release_facts(claim.sensitivity),
                ("guarantee", describe(claim.guarantee)),
                ("budget", _budget(claim.guarantee)),
                ("weight", describe_weight(claim.weight)),
                ("noise floor", bounded(claim.floor)),
                ("lower bound", _exact_and(claim.lower, decimal_lower(claim.lower, 20))),
                ("upper bound", _exact_and(claim.upper, decimal_upper(claim.upper, 20))),
                ("relative gap", f"at most {decimal_upper(relative_gap(claim), 3)}"),
                ("covariance", _matrix_summary(claim.covariance)),
            ]
        case ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            return [*_about_release(claim), ("covariance", _matrix_summary(claim.covariance))]
        case GaussianPrivacy() | Composition() | NoiseCalibration() | CapacityMonotone():
            return _about_numbers(claim)
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            return program_facts(claim.problem)
        case _:
            assert_never(claim)


def _about_release(claim: ReleasePrivacy | RhoStarEnclosure | RhoStarInfinite) -> list[tuple[str, str]]:
    facts = _release_facts(claim.sensitivity)
    match claim:
        case ReleasePrivacy():
            return [*facts, ("guarantee", describe(claim.guarantee)), ("budget", _budget(claim.guarantee))]
        case RhoStarEnclosure(_, _, lower, upper):
            ends = [("at least", lower, decimal_lower(lower, 20)), ("at most", upper, decimal_upper(upper, 20))]
            return [*facts, *((f"rho_star {name}", _exact_and(end, rounded)) for name, end, rounded in ends)]
        case RhoStarInfinite():
            return [*facts, ("rho_star", "infinite")]
        case _:
            assert_never(claim)


def _about_numbers(claim: GaussianPrivacy | Composition | NoiseCalibration | CapacityMonotone) -> list[tuple[str, str]]:
    match claim:
        case GaussianPrivacy(rho_star, guarantee):
            facts = [("rho_star", exactly(rho_star))]
        case Composition(rho_stars, guarantee):
            facts = [("rho_star", ", ".join(map(exactly, rho_stars))), ("in all", exactly(sum(rho_stars, fmpq(0))))]
        case NoiseCalibration(sensitivity, sigma, guarantee):
            facts = [("sensitivity", exactly(sensitivity)), ("sigma", exactly(sigma))]
        case CapacityMonotone(lower, upper):
            return [("interval", f"{exactly(lower)} to {exactly(upper)}")]
        case _:
            assert_never(claim)
    return [*facts, ("guarantee", describe(guarantee)), ("budget", _budget(guarantee))]


def _budget(guarantee: BinaryGuarantee) -> str:
    try:
        budget = rho_budget(guarantee)
    except PrecisionExhaustedError:
        return "too close to a limit to be computed"
    if not isinstance(budget, Enclosure):
        return type(budget).__name__.lower()
    if budget.is_exact:
        return f"rho_star <= {bounded(budget.lower)}, exactly"
    return f"rho_star <= rho with rho between {decimal_lower(budget.lower, 20)} and {decimal_upper(budget.upper, 20)}"


def _exact_and(value: fmpq, rounded: str) -> str:
    exact = exact_or(value, "")
    return exact or f"{rounded} (rounded outward)"


def _matrix_summary(value: Matrix) -> str:
    diagonal = [value.entry(i, i) for i in range(value.rows)]
    least, most = min(diagonal), max(diagonal)
    ends = f"{exact_or(least, decimal_lower(least, 6))} to {exact_or(most, decimal_upper(most, 6))}"
    return f"{value.rows} x {value.columns}, trace {decimal_upper(value.trace(), 10)}, diagonal entries from {ends}"


def _matrix_table(value: Matrix) -> Table:
    table = Table(box=None, show_header=False)
    for _ in range(value.columns):
        table.add_column(justify="right")
    for i in range(value.rows):
        table.add_row(*(decimal_lower(value.entry(i, j), 8) for j in range(value.columns)))
    return table
