"""certify bound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from certify.checker.certificate import Certificate, write_certificate
from certify.checker.domains import Reading
from certify.checker.kernel import check
from certify.cli.bound_folder import bound_folder, numbered
from certify.cli.files import NothingFound, leave, require_folder, write_atomically
from certify.cli.programs import ARRAYS, LAYOUTS, SOLUTIONS, Program, read_program
from certify.reports.results import EXIT_UNDECIDED, Result, exit_code, to_json

if TYPE_CHECKING:
    from certify.certificates.conic.bounds import Options


@click.command(name="bound")
@click.argument("problem", metavar="PROBLEM")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="The certificate; for a folder of problems, a folder."
)
@click.option("--solver", default="auto", metavar="NAME", help="auto, interior, clarabel or scs. Default: auto.")
@click.option("--solution", metavar="FILE", help="Certify what this solution file proves; needs --convention.")
@click.option(
    "--convention",
    type=click.Choice((*SOLUTIONS, *LAYOUTS)),
    help="Which tool's solution file it is, or how a .mat or .npz file lays out its matrices; never guessed.",
)
@click.option(
    "--reading",
    type=click.Choice([str(reading) for reading in Reading]),
    help="Take the numbers of a text file for the decimals they spell (the default), or for the binary64 numbers "
    "nearest to them, which is what solvers see.",
)
@click.option(
    "--digits", type=click.IntRange(1, 60), default=8, help="Relative digits wanted of the bracket. Default: 8."
)
@click.option(
    "--limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="For each problem of a folder."
)
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(
    problem: str,
    output: str,
    solver: str,
    solution: str | None,
    convention: str | None,
    reading: str | None,
    digits: int,
    limit: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Bound the optimal value of a conic program exactly, or prove it infeasible.

    PROBLEM is a file in SDPA sparse (.dat-s) or CBF (.cbf) format, or a folder of them: then each gets a certificate
    in the output folder, and a run that was stopped goes on where it was. SeDuMi .mat files and .npz dumps of arrays
    need --convention. What cannot be certified is said, with the reason. A second claim about the same program goes to
    a file with -2 in its name, and so on.
    """
    options = _options(solver, digits, given_only=solution is not None)
    if Path(problem).is_dir():
        if solution is not None or convention is not None or reading is not None or as_json:
            raise click.UsageError("--solution, --convention, --reading and --json belong to one problem, no folder")
        bound_folder(Path(problem), Path(output), options, limit, quiet=quiet)
    if limit is not None:
        raise click.UsageError("--limit belongs to a folder; stop the run of one problem yourself")
    if convention is not None and solution is None and Path(problem).suffix not in ARRAYS:
        raise click.UsageError("--convention says which tool wrote the file of --solution; give that, too")
    require_folder(output)
    program = read_program(problem, solution, convention, reading, quiet=quiet)
    _bound_file(program, problem, output, options, as_json=as_json, quiet=quiet)


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


def _bound_file(program: Program, problem: str, output: str, options: Options, *, as_json: bool, quiet: bool) -> None:
    from certify.certificates.importers.bounding import bound_imported

    def report(what: str) -> None:
        if not quiet:
            click.echo(f"{problem}: {what}", err=True)

    outcome = bound_imported(program.imported, options, report, program.readings)
    results = []
    for number, each in enumerate(outcome.certified, 1):
        path = numbered(output, number)
        certificate = Certificate(each.claim, each.witness)
        results.append(Result(path, check(certificate)))
        if exit_code(results) == 0:
            write_atomically(path, write_certificate(certificate))
    _print(results, as_json=as_json)
    for reason in outcome.reasons:
        click.echo(f"not certified: {reason}", err=True)
    if not results:
        click.echo(f"UNDECIDED  {problem}: nothing was certified", err=True)
    leave(exit_code(results) if results else EXIT_UNDECIDED)


def _print(results: list[Result], *, as_json: bool) -> None:
    if as_json:
        click.echo(to_json(results))
        return
    from certify.reports.terminal import open_console, print_result

    console = open_console()
    for result in results:
        print_result(console, result)
