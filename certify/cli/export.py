"""certify export."""

from __future__ import annotations

import json
from pathlib import Path

import click

from certify.checker.claims import CovarianceOptimum
from certify.checker.kernel import check
from certify.checker.verdict import Status
from certify.cli.files import InputError, leave, load_certificate, require_folder, write_atomically
from certify.cli.progress import checking
from certify.reports.export import FORMATS, to_table_bytes
from certify.reports.results import EXIT_REFUSED


@click.command(name="export")
@click.argument("file", metavar="CERTIFICATE")
@click.option("--covariance", required=True, metavar="FILE", help="Where to write Sigma: a .npy or .csv file.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(file: str, covariance: str, as_json: bool, quiet: bool) -> None:
    """Write the covariance that a certificate is about, the very numbers, after checking the certificate.

    A .npy file holds them as float64, a .csv file as exact decimals; nothing is written unless the claim is PROVED.
    """
    suffix = Path(covariance).suffix.lower()
    if suffix not in FORMATS:
        raise click.UsageError(f"--covariance {covariance}: the name must end in .npy or .csv")
    require_folder(covariance)
    certificate = load_certificate(file)
    if not isinstance(certificate.claim, CovarianceOptimum):
        raise InputError(f"{file}: a {type(certificate.claim).__name__} claim has no covariance to export")
    with checking(file, quiet=quiet) as progress:
        verdict = check(certificate, progress)
    if verdict.status is not Status.PROVED:
        click.echo(f"{verdict.status}  {file}: {verdict.failed[0].name}: {verdict.failed[0].detail}", err=True)
        leave(EXIT_REFUSED)
    try:
        data = to_table_bytes(certificate.claim.covariance, suffix)
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    write_atomically(covariance, data)
    size = certificate.claim.covariance.rows
    if as_json:
        click.echo(json.dumps({"file": file, "verdict": "PROVED", "covariance": covariance, "size": size}, indent=2))
        return
    click.echo(f"PROVED  {file}\nwrote the {size} x {size} covariance to {covariance}")
