"""certify check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from certify.checker.certificate import Certificate, read_certificate
from certify.checker.claims import CovarianceOptimum, ReleasePrivacy, RhoStarEnclosure, RhoStarInfinite
from certify.checker.codec import Malformed
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.kernel import check
from certify.checker.pairs import PairSearch, largest_over_every_pair, largest_over_pairs
from certify.checker.sensitivity import FiniteDomain, domain_of
from certify.cli.cluster import on_workers, scheduler_option
from certify.cli.files import InputError, leave, read_bytes, statement_errors
from certify.cli.gate import STANDARD_OUTPUT, Outputs, artifacts_of, require_safe, write_outputs
from certify.cli.progress import checking
from certify.reports.results import EXIT_UNDECIDED, Result, exit_code, to_json

PATTERN = "*.cert.json"
NOTHING = f"nothing was checked: give certificates, or folders that hold {PATTERN} files"


@click.command(name="check")
@click.argument("files", nargs=-1, metavar="CERTIFICATE...")
@click.option(
    "--records", metavar="FILE", help="Re-read the records from your own file and compare them with the claim."
)
@click.option("--problem", metavar="FILE", help="Re-read the conic program from your own file and compare it.")
@click.option(
    "--json",
    is_flag=False,
    flag_value=STANDARD_OUTPUT,
    metavar="[FILE]",
    help="Machine-readable results, to FILE or to standard output; put it after the certificates.",
)
@click.option("--sarif", metavar="FILE", help="Write a SARIF 2.1.0 log for code scanning.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML: one test case for each obligation.")
@click.option("--markdown", metavar="FILE", help="Write a summary; $GITHUB_STEP_SUMMARY is added to.")
@click.option("--attest", metavar="FILE", help="Write an unsigned in-toto statement of the verdicts.")
@click.option("--every-pair", is_flag=True, help="Take the exact product of every pair of records, ruling none out.")
@scheduler_option
@click.option("-q", "--quiet", is_flag=True, help="Print no progress and, of results, the verdicts only.")
def command(
    files: tuple[str, ...],
    records: str | None,
    problem: str | None,
    json: str | None,
    sarif: str | None,
    junit: str | None,
    markdown: str | None,
    attest: str | None,
    every_pair: bool,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Check certificates: exact arithmetic, no tolerance, no solver.

    Prints each claim as one sentence with every obligation. A certificate proves only the statement inside it. A folder
    stands for all files in it named *.cert.json. Nothing checked is exit 5, never 0.
    """
    if every_pair and scheduler is not None:
        raise click.UsageError("--every-pair and --scheduler go through the pairs in different ways: give one of them")
    paths = [path for file in files for path in expanded(file)]
    outputs = Outputs(json, sarif, junit, markdown, attest)
    own = [file for file in (records, problem) if file is not None]
    require_safe(outputs, [*paths, *own])
    comparison = Comparison(records, problem)
    if scheduler is None:
        largest = largest_over_every_pair if every_pair else largest_over_pairs
        checked = [_check_here(_open(path, comparison), largest, quiet=quiet) for path in paths]
    else:
        checked = _check_there([_open(path, comparison) for path in paths], scheduler, quiet=quiet)
    results = [result for result, _ in checked]
    if not results:
        click.echo(NOTHING, err=True)
    _print(results, as_json=json == STANDARD_OUTPUT, quiet=quiet)
    if outputs.files():
        write_outputs(outputs, artifacts_of(results, [data for _, data in checked]), own)
    leave(exit_code(results) if results else EXIT_UNDECIDED)


def expanded(file: str) -> Iterator[str]:
    """Yield a file, or the certificates of a folder in a stable order."""
    folder = Path(file)
    if not folder.is_dir():
        yield file
        return
    yield from sorted(str(path) for path in folder.rglob(PATTERN) if path.is_file())


def _print(results: list[Result], *, as_json: bool, quiet: bool) -> None:
    if as_json:
        click.echo(to_json(results))
    elif quiet:
        for result in results:
            outcome = "MALFORMED" if isinstance(result.outcome, Malformed) else result.outcome.status
            click.echo(f"{outcome}  {result.file}")
    else:
        from certify.reports.terminal import open_console, print_result

        console = open_console()
        for result in results:
            print_result(console, result)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The user's own files that every claim is compared with, None for neither."""

    records: str | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was read: its certificate, or why it is none."""

    path: str
    data: bytes
    certificate: Certificate | Malformed


def _open(path: str, comparison: Comparison) -> Opened:
    """Read one file; one that cannot be read is malformed, so that the reports on the others are still written."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        return Opened(path, b"", Malformed("$", f"the file cannot be read: {error.strerror or error}"))
    try:
        certificate = read_certificate(data)
    except Malformed as error:
        return Opened(path, data, error)
    if comparison.records is not None:
        _compare_records(certificate, path, comparison.records)
    if comparison.problem is not None:
        _compare_problem(certificate, path, comparison.problem)
    return Opened(path, data, certificate)


def _check_here(opened: Opened, largest: PairSearch, *, quiet: bool) -> tuple[Result, bytes]:
    if isinstance(opened.certificate, Malformed):
        return Result(opened.path, opened.certificate), opened.data
    with checking(opened.path, quiet=quiet) as progress:
        return Result(opened.path, check(opened.certificate, progress, largest)), opened.data


def _check_there(files: list[Opened], scheduler: str, *, quiet: bool) -> list[tuple[Result, bytes]]:
    """Check on the workers of a scheduler: many files one task each, the pairs of a single one in blocks."""
    from certify.cluster.checking import InBlocks, check_all

    if len(files) == 1:
        with on_workers(scheduler) as workers:
            return [_check_here(files[0], InBlocks(workers), quiet=quiet)]
    with (
        checking(scheduler, quiet=quiet) as progress,
        on_workers(scheduler, lambda done: progress("certificates", done, len(files))) as workers,
    ):
        outcomes = check_all([each.data for each in files], workers)
    return [
        (Result(each.path, each.certificate if isinstance(each.certificate, Malformed) else outcome), each.data)
        for each, outcome in zip(files, outcomes, strict=True)
    ]


def _compare_records(certificate: Certificate, path: str, records: str) -> None:
    """Re-derive the records from the user's own file: a matching hash inside a certificate is not enough."""
    from certify.checker.statements.records import read_records

    claim = certificate.claim
    about = CovarianceOptimum | ReleasePrivacy | RhoStarEnclosure | RhoStarInfinite
    domain = domain_of(claim.sensitivity) if isinstance(claim, about) else None
    if not isinstance(domain, FiniteDomain) or domain.source is None:
        raise InputError(f"{path}: this certificate names no records file to compare with {records}")
    with statement_errors():
        own = read_records(read_bytes(records), records, domain.source.scale)
    if own.records != domain.records:
        raise InputError(f"{path}: the claim is not about the records in {records}; design a certificate for them")


def _compare_problem(certificate: Certificate, path: str, problem: str) -> None:
    """Re-derive the program from the user's own file: a matching hash inside a certificate is not enough."""
    from certify.checker.statements.problems import read_problem_statement

    claim = certificate.claim
    if not isinstance(claim, ConicBracket | ConicGap | ConicInfeasible | ConicFeasible):
        raise InputError(f"{path}: a {type(claim).__name__} claim is about no conic program to compare with {problem}")
    with statement_errors():
        own = read_problem_statement(read_bytes(problem), problem, claim.problem.reading).problem
    if own != claim.problem:
        raise InputError(f"{path}: the claim is not about the program in {problem}; bound that file instead")
