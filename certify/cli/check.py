"""certify check."""

from __future__ import annotations

import click

from certify.checker.certificate import Certificate, read_certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.codec import Malformed
from certify.checker.kernel import check
from certify.checker.sensitivity import FiniteDomain, domain_of
from certify.checker.statements.records import read_records
from certify.cli.files import InputError, leave, read_bytes, statement_errors
from certify.cli.progress import checking
from certify.reports.results import Result, exit_code, to_json


@click.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option(
    "--records", metavar="FILE", help="Re-read the records from your own file and compare them with the claim."
)
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress and, of results, the verdicts only.")
def command(files: tuple[str, ...], records: str | None, as_json: bool, quiet: bool) -> None:
    """Check certificates: exact arithmetic, no tolerance, no solver.

    Prints each claim as one sentence with every obligation. A certificate proves only the statement inside it.
    """
    results = [_check_file(path, records, quiet=quiet) for path in files]
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
    leave(exit_code(results))


def _check_file(path: str, records: str | None, *, quiet: bool) -> Result:
    try:
        certificate = read_certificate(read_bytes(path))
    except Malformed as error:
        return Result(path, error)
    if records is not None:
        _compare_records(certificate, path, records)
    with checking(path, quiet=quiet) as progress:
        return Result(path, check(certificate, progress))


def _compare_records(certificate: Certificate, path: str, records: str) -> None:
    """Re-derive the records from the user's own file: a matching hash inside a certificate is not enough."""
    claim = certificate.claim
    domain = domain_of(claim.sensitivity) if isinstance(claim, CovarianceOptimum) else None
    if not isinstance(domain, FiniteDomain) or domain.source is None:
        raise InputError(f"{path}: this certificate names no records file to compare with {records}")
    with statement_errors():
        own = read_records(read_bytes(records), records, domain.source.scale)
    if own.records != domain.records:
        raise InputError(f"{path}: the claim is not about the records in {records}; design a certificate for them")
