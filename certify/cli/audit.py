"""certify audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from certify.checker.certificate import write_certificate
from certify.checker.verdict import Status
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
from certify.reports.results import EXIT_PROVED, EXIT_REFUSED, EXIT_UNDECIDED

if TYPE_CHECKING:
    from certify.certificates.audit import AuditTask, Decision
    from certify.checker.claims import CovarianceOptimum
    from certify.checker.releases import Release
    from certify.reports.audits import AuditReport

MISSING = "{} needs numpy ({} is missing); install it with: pip install 'certify[solve]'"
LATER = "ask for the optimal covariance with --design; it takes a while at this size"
NO_SOLVERS = "the optimal covariance needs the solvers; install them with: pip install 'certify[solve]'"
SUFFIX = ".cert.json"


@click.command(name="audit")
@click.argument("specification", metavar="SPEC.toml")
@click.option("-o", "--output", metavar="FILE", help="Write the certificates; several claims are numbered, see above.")
@click.option(
    "--design/--no-design",
    default=None,
    help="Find the optimal covariance for each claim, to compare. Default: where that takes seconds.",
)
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(specification: str, output: str | None, design: bool | None, as_json: bool, quiet: bool) -> None:
    """Decide privacy claims about a release with a given covariance: PROVED, or REFUTED with a counterexample.

    Numbers are exact: decimals as they are spelled, fractions as texts such as "1/3". Files are found relative to the
    specification. It has these keys:

    \b
      statistic   "denoiser", "sum", "mean" (with count = N) or "vectors"
      records     {file = "r.csv", scale = "1/16"} or {rows = [[0, 1], [1, 0]]}, or instead
      domain      {box = {lower = [..], upper = [..]}}, {ball = {centre = [..], radius = R}} or
                  {simplex = {dimension = D, scale = S}}
      vectors     {file = ..} or {rows = ..}, for "vectors" alone
      neighbours  "add-remove" or "replace"; no default
      query       of a denoiser: "uniform", {fixed = {point = [..], sigma = S}},
                  {diffusion = {state = [..], signal = A}}, {list = [..]},
                  {ball = {centre = [..], radius = R, sigma = S}} or
                  {box = {lower = [..], upper = [..], sigma = S}}
      covariance  {file = "s.npy"}, {rows = [[..]]}, {diagonal = [..]} or {isotropic = variance}
      [[claims]]  epsilon with delta, or zcdp, gdp, renyi = {alpha = A, epsilon = E},
                  total_variation, mutual_information

    With -o a.cert.json one claim is written to that file, several to a-1.cert.json, a-2.cert.json, ... in order; beside
    a refuted claim the tightest true one goes to a-tightest.cert.json or a-1-tightest.cert.json. For an undecided claim
    the file holds the certificate of what is known about rho_star.
    """  # noqa: D301 (click reads the backspace character)
    if output is not None:
        require_folder(output)
    task = _task(specification)
    report = _report(task, output, design, quiet=quiet)
    if output is not None:
        _write(report, quiet=quiet)
    if as_json:
        from certify.reports.audit_json import audit_to_json

        click.echo(audit_to_json(report))
    else:
        from certify.reports.audits import print_audit
        from certify.reports.terminal import open_console

        print_audit(open_console(), report)
    leave(_exit_code([claim.decision for claim in report.claims]))


def _task(specification: str) -> AuditTask:
    try:
        from certify.certificates.specification import read_specification
    except ModuleNotFoundError as error:
        raise NothingFound(MISSING.format("certify audit", error.name)) from None
    folder = Path(specification).parent
    with statement_errors():
        data = read_bytes(specification)
        return read_specification(data, specification, lambda file: read_bytes(str(folder / file)))


def _report(task: AuditTask, output: str | None, design: bool | None, *, quiet: bool) -> AuditReport:
    from certify.certificates.audit import audit
    from certify.certificates.naive import naive_rho_lower
    from certify.certificates.rho_star import AuditError
    from certify.reports.audits import AuditReport, ClaimReport

    try:
        with checking("audit", quiet=quiet) as progress:
            found = audit(task, progress)
    except AuditError as error:
        raise InputError(str(error)) from None
    primal = found.rho_star.primal
    naive = naive_rho_lower(task.release, task.covariance, None if primal is None else primal.precision)
    labels = _labels(output, len(found.decisions))
    claims = tuple(
        ClaimReport(label, decision, _noise(task.release, decision, design, quiet=quiet))
        for label, decision in zip(labels, found.decisions, strict=True)
    )
    return AuditReport(found, claims, naive)


def _labels(output: str | None, count: int) -> list[str]:
    if output is None:
        return [f"claim {number}" for number in range(1, count + 1)]
    return [output] if count == 1 else [_marked(output, str(number)) for number in range(1, count + 1)]


def _marked(path: str, mark: str) -> str:
    """Return a file name with a mark before its suffix."""
    suffix = SUFFIX if path.endswith(SUFFIX) else Path(path).suffix
    return f"{path.removesuffix(suffix)}-{mark}{suffix}"


def _noise(release: Release, decision: Decision, design: bool | None, *, quiet: bool) -> CovarianceOptimum | str | None:
    """Return the optimal covariance with the claimed guarantee, or a word on why it is not there."""
    if design is False or decision.status is Status.UNDECIDED:
        return None
    try:
        from certify.certificates.saving import NoOptimum, find_optimum, is_quick
        from certify.solvers.problem import SolveOptions
    except ModuleNotFoundError:
        return NO_SOLVERS
    if design is None and not is_quick(release):
        return LATER
    limit = SolveOptions().round_limit
    with checking("optimal covariance", quiet=quiet) as show:
        found = find_optimum(
            release, decision.claim.guarantee, lambda p: show("round of the solver, at most", p.round, limit)
        )
    return found.reason if isinstance(found, NoOptimum) else found.claim


def _write(report: AuditReport, *, quiet: bool) -> None:
    from certify.certificates.audit import certify_tightest

    for claim in report.claims:
        decision = claim.decision
        write_atomically(claim.label, write_certificate(decision.certificate))
        if decision.status is not Status.REFUTED:
            continue
        with checking(claim.label, quiet=quiet) as progress:
            tightest = certify_tightest(decision, report.audit.rho_star, progress)
        if tightest is not None:
            write_atomically(_marked(claim.label, "tightest"), write_certificate(tightest))


def _exit_code(decisions: list[Decision]) -> int:
    statuses = {decision.status for decision in decisions}
    if Status.REFUTED in statuses:
        return EXIT_REFUSED
    return EXIT_UNDECIDED if Status.UNDECIDED in statuses else EXIT_PROVED
