"""certify rho."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from flint import fmpq

from certify.certificates.implications import DELTAS, EPSILONS, ORDERS, Question, implications
from certify.checker.certificate import write_certificate
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser, Release
from certify.checker.statements.records import read_records
from certify.checker.statements.tables import read_table
from certify.checker.verdict import Status
from certify.cli.design import NEIGHBOURS, RATIONAL
from certify.cli.files import (
    InputError,
    NothingFound,
    leave,
    read_bytes,
    require_folder,
    statement_errors,
    write_atomically,
)
from certify.cli.progress import checking
from certify.reports.results import Result, entry, exit_code

if TYPE_CHECKING:
    from certify.certificates.rho_star import RhoStarFinding

MISSING = "certify rho needs numpy ({} is missing); install it with: pip install 'certify[solve]'"


@click.command(name="rho")
@click.option("--records", required=True, metavar="FILE", help="The records, CSV or NPY, one a row.")
@click.option("--covariance", required=True, metavar="FILE", help="Sigma, CSV or NPY: symmetric, PSD.")
@click.option("--scale", type=RATIONAL, default="1", metavar="P/Q", help="Multiply every record by this. Default: 1.")
@click.option(
    "--neighbours",
    type=click.Choice(list(NEIGHBOURS)),
    default="add-remove",
    help="Default: add-remove. Under the uniform query both relations have the same rho_star.",
)
@click.option("--delta", type=RATIONAL, multiple=True, help="Tabulate epsilon at this delta; may be repeated.")
@click.option("--epsilon", type=RATIONAL, multiple=True, help="Tabulate delta at this epsilon; may be repeated.")
@click.option("--order", type=RATIONAL, multiple=True, help="Tabulate this Renyi order; may be repeated.")
@click.option("-o", "--output", metavar="FILE", help="Where to write the certificate of rho_star.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(
    records: str,
    covariance: str,
    scale: fmpq,
    neighbours: str,
    delta: tuple[fmpq, ...],
    epsilon: tuple[fmpq, ...],
    order: tuple[fmpq, ...],
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Enclose rho_star of a denoiser released with N(0, Sigma) noise, and tabulate every guarantee it fixes.

    The denoiser is the ideal one at every query point and noise level (the uniform query); for other queries and for
    sums and means see certify audit. rho_star is exact where the inverse of Sigma is short.
    """
    question = _question(delta, epsilon, order)
    if output is not None:
        require_folder(output)
    release, sigma = _read(records, covariance, scale, neighbours)
    found = _find(release, sigma, quiet=quiet)
    label = output or "rho_star"
    if output is not None and found.verdict.status is Status.PROVED:
        write_atomically(output, write_certificate(found.certificate))
    _print(found, label, release, question, as_json=as_json)
    leave(exit_code([Result(label, found.verdict)]))


def _question(deltas: tuple[fmpq, ...], epsilons: tuple[fmpq, ...], orders: tuple[fmpq, ...]) -> Question:
    for delta in deltas:
        if not 0 < delta < 1:
            raise InputError(f"--delta {delta}: delta lies strictly between 0 and 1")
    for epsilon in epsilons:
        if epsilon < 0:
            raise InputError(f"--epsilon {epsilon}: epsilon is not negative")
    for order in orders:
        if order < 1:
            raise InputError(f"--order {order}: a Renyi order is at least 1")
    return Question(deltas or DELTAS, epsilons or EPSILONS, orders or ORDERS)


def _read(records: str, covariance: str, scale: fmpq, neighbours: str) -> tuple[Release, Matrix]:
    if scale <= 0:
        raise InputError(f"--scale {scale}: a scale is positive")
    with statement_errors():
        domain = read_records(read_bytes(records), records, scale)
        sigma = read_table(read_bytes(covariance), covariance).values
    if (sigma.rows, sigma.columns) != (domain.dimension, domain.dimension):
        size = f"{sigma.rows} x {sigma.columns}"
        raise InputError(f"{covariance}: a {size} covariance for records of {domain.dimension} columns")
    return IdealDenoiser(domain, UniformQuery(), NEIGHBOURS[neighbours]), sigma


def _find(release: Release, sigma: Matrix, *, quiet: bool) -> RhoStarFinding:
    try:
        from certify.certificates.rho_star import AuditError, find_rho_star
    except ModuleNotFoundError as error:
        raise NothingFound(MISSING.format(error.name)) from None
    try:
        with checking("rho_star", quiet=quiet) as progress:
            return find_rho_star(release, sigma, progress)
    except AuditError as error:
        raise InputError(str(error)) from None


def _print(found: RhoStarFinding, label: str, release: Release, question: Question, *, as_json: bool) -> None:
    from certify.reports.implied import implied_entries, implied_table, multiplier_for

    value = found.value
    implied = list(implications(value, release, question)) if isinstance(value, Enclosure) else []
    multiplier = multiplier_for(value) if isinstance(value, Enclosure) else None
    if as_json:
        document = {
            "results": [entry(Result(label, found.verdict))],
            "implied": implied_entries(implied),
            "noise_multiplier": multiplier,
        }
        click.echo(json.dumps(document, indent=2))
        return
    from rich.padding import Padding

    from certify.reports.terminal import open_console, print_result

    console = open_console()
    print_result(console, Result(label, found.verdict))
    if isinstance(value, Enclosure):
        console.print(Padding(implied_table(implied, multiplier), (0, 0, 1, 2), expand=False))
    else:
        console.print("  No guarantee that promises anything holds: a difference has a direction without noise.\n")
