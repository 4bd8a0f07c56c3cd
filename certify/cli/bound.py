"""certify bound."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from certify.checker.certificate import Certificate, write_certificate
from certify.checker.kernel import check
from certify.cli.files import (
    InputError,
    NothingFound,
    leave,
    read_bytes,
    require_folder,
    statement_errors,
    write_atomically,
)
from certify.reports.results import EXIT_MALFORMED, EXIT_UNDECIDED, Result, exit_code, to_json

if TYPE_CHECKING:
    from certify.certificates.conic.bounds import Options
    from certify.certificates.conic.given import GivenPoint
    from certify.checker.conic.problem import ConicProblem

SUFFIX = ".cert.json"
STATE = "bound.rows.jsonl"
CONVENTIONS = ("sdpa", "csdp")


@click.command(name="bound")
@click.argument("problem", metavar="PROBLEM")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="The certificate; for a folder of problems, a folder."
)
@click.option("--solver", default="auto", metavar="NAME", help="auto, interior, clarabel or scs. Default: auto.")
@click.option("--solution", metavar="FILE", help="Certify what this solution file proves; needs --convention.")
@click.option("--convention", type=click.Choice(CONVENTIONS), help="Which tool's solution file it is; never guessed.")
@click.option(
    "--digits", type=click.IntRange(1, 60), default=8, help="Relative digits wanted of the bracket. Default: 8."
)
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(
    problem: str,
    output: str,
    solver: str,
    solution: str | None,
    convention: str | None,
    digits: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Bound the optimal value of a conic program exactly, or prove it infeasible.

    PROBLEM is a file in SDPA sparse (.dat-s) or CBF (.cbf) format, or a folder of them: then each gets a certificate
    in the output folder, and a run that was stopped goes on where it was. What cannot be certified is said, with the
    reason. A second claim about the same program goes to a file with -2 in its name, and so on.
    """
    if (solution is None) != (convention is None):
        raise click.UsageError("--solution and --convention are given together")
    options = _options(solver, digits, given_only=solution is not None)
    if Path(problem).is_dir():
        if solution is not None:
            raise click.UsageError("--solution belongs to one problem, not to a folder")
        _bound_folder(Path(problem), Path(output), options, quiet=quiet)
        return
    require_folder(output)
    with statement_errors():
        program = _read(problem)
    given = None if solution is None else _given(solution, convention, program)
    _bound_file(program, problem, output, options, given, as_json=as_json, quiet=quiet)


def _options(solver: str, digits: int, *, given_only: bool) -> Options:
    try:
        from certify.certificates.conic.bounds import Options
        from certify.solvers.conic.solve import Backend
    except ModuleNotFoundError as error:
        from certify.cli.designing import MISSING

        raise NothingFound(MISSING.format(f"{error.name} is missing")) from None
    if solver == "auto":
        return Options((), digits, given_only)
    try:
        return Options((Backend(solver),), digits, given_only)
    except ValueError:
        raise click.UsageError(f"--solver {solver}: choose one of auto, {', '.join(Backend)}") from None


def _read(path: str) -> ConicProblem:
    from certify.certificates.conic.tables import read_problem

    return read_problem(Path(path), read_bytes(path))


def _given(solution: str, convention: str | None, program: ConicProblem) -> GivenPoint:
    from certify.certificates.importers.sdpa_solutions import read_csdp_solution, read_sdpa_result
    from certify.certificates.importers.standard import ImportFailed

    read = read_sdpa_result if convention == "sdpa" else read_csdp_solution
    try:
        return read(read_bytes(solution).decode("utf-8", errors="replace"), program)
    except ImportFailed as error:
        raise InputError(f"{solution}: {error}") from None


def _bound_file(
    program: ConicProblem,
    problem: str,
    output: str,
    options: Options,
    given: GivenPoint | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    from certify.certificates.conic.bounds import bound

    def report(what: str) -> None:
        if not quiet:
            click.echo(f"{problem}: {what}", err=True)

    outcome = bound(program, options, given, report)
    results = []
    for number, each in enumerate(outcome.certified, 1):
        path = output if number == 1 else _numbered(output, number)
        certificate = Certificate(each.claim, each.witness)
        results.append(Result(path, check(certificate)))
        if exit_code(results) == 0:
            write_atomically(path, write_certificate(certificate))
    _print(results, as_json=as_json)
    for reason in () if as_json else outcome.reasons:
        click.echo(f"not certified: {reason}", err=bool(results))
    if not results:
        click.echo(f"UNDECIDED  {problem}: nothing was certified", err=True)
    leave(exit_code(results) if results else EXIT_UNDECIDED)


def _numbered(output: str, number: int) -> str:
    stem = output.removesuffix(SUFFIX)
    return f"{stem}-{number}{SUFFIX if stem != output else ''}"


def _print(results: list[Result], *, as_json: bool) -> None:
    if as_json:
        click.echo(to_json(results))
        return
    from certify.reports.terminal import open_console, print_result

    console = open_console()
    for result in results:
        print_result(console, result)


def _bound_folder(folder: Path, output: Path, options: Options, *, quiet: bool) -> None:
    from certify.certificates.conic.tables import SUFFIXES, bound_files
    from certify.reports.bounds import HEADER, row_lines

    files = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))
    if not files:
        raise InputError(f"{folder}: no {' or '.join(SUFFIXES)} file is in this folder")
    if not output.parent.is_dir():
        raise InputError(f"{output}: the folder {output.parent} does not exist; create it first")
    output.mkdir(exist_ok=True)
    verdicts = []

    def report(what: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"\r\x1b[K{what}", err=True, nl=False)

    click.echo(HEADER)
    for count, (row, certified) in enumerate(bound_files(files, output / STATE, options, report), 1):
        for number, each in enumerate(certified, 1):
            path = str(output / f"{row.name}{SUFFIX}")
            target = path if number == 1 else _numbered(path, number)
            write_atomically(target, write_certificate(Certificate(each.claim, each.witness)))
        report("")
        click.echo("\n".join(row_lines(row, count, len(files))))
        verdicts.append(row.verdict)
    if "refused" in verdicts:
        leave(EXIT_MALFORMED)
    leave(EXIT_UNDECIDED if {"undecided", "rejected"} & set(verdicts) else 0)
