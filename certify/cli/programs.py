"""Reading the conic program that a command is about, with a solution of it from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from certify.checker.domains import Reading
from certify.checker.statements.problems import read_problem_statement
from certify.cli.files import InputError, read_bytes, statement_errors

if TYPE_CHECKING:
    from certify.certificates.importers.conventions import Convention
    from certify.certificates.importers.raw import Imported
    from certify.checker.conic.problem import ConicProblem

SOLUTIONS = ("sdpa", "csdp")
LAYOUTS = ("full", "lower-sqrt2", "upper-sqrt2", "lower-plain", "upper-plain")
ARRAYS = {".mat": "sedumi", ".npz": "npz"}


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its solution, and the same data under other conventions, read when asked for."""

    imported: Imported
    readings: Iterable[tuple[Convention, Imported]]


def read_program(
    problem: str, solution: str | None, convention: str | None, reading: str | None, *, quiet: bool
) -> Program:
    """Return a program, with the solution in its own file of arrays or in a solution file; notices are printed.

    Raises:
        InputError: If a file cannot be read or does not say what its convention promises.
        click.UsageError: If a convention is missing, superfluous or of another kind of file.
    """
    path = Path(problem)
    if path.suffix in ARRAYS:
        require_convention(problem, convention, LAYOUTS, "lays its PSD blocks out")
        if solution is not None:
            raise click.UsageError(f"--solution: {problem} brings its own solution; leave the option out")
        if reading is not None:
            raise click.UsageError(f"--reading: the numbers in {problem} are binary64; leave the option out")
        return _read_arrays(path, str(convention))
    if solution is not None:
        require_convention(solution, convention, SOLUTIONS, "writes solutions")
    elif convention is not None:
        raise click.UsageError(f"--convention: {problem} needs none, and no --solution is given")
    with statement_errors():
        statement = read_problem_statement(read_bytes(problem), problem, Reading(reading or Reading.DECIMAL))
    for notice in () if quiet else statement.notices:
        times = "" if notice.count == 1 else f" ({notice.count} times)"
        click.echo(f"{problem}: notice: {notice.place}: {notice.value!r} {notice.problem}{times}", err=True)
    return Program(_with_solution(statement.problem, solution, convention), ())


def require_convention(file: str, convention: str | None, known: tuple[str, ...], what: str) -> None:
    """Raise where a convention is not one of those that the file can have.

    Raises:
        click.UsageError: Naming the file and the choices.
    """
    if convention not in known:
        said = "it is never guessed" if convention is None else f"{convention} is of another kind of file"
        raise click.UsageError(f"--convention: say how the tool behind {file} {what}, {said}: {', '.join(known)}")


def _with_solution(program: ConicProblem, solution: str | None, convention: str | None) -> Imported:
    from certify.certificates.conic.given import GivenPoint
    from certify.certificates.importers.files import SolutionFormat, read_solution
    from certify.certificates.importers.raw import Imported
    from certify.certificates.importers.standard import ImportFailed

    if solution is None:
        return Imported(program, GivenPoint(None, None))
    read_bytes(solution)
    try:
        return Imported(program, read_solution(Path(solution), program, SolutionFormat(str(convention))))
    except ImportFailed as error:
        raise InputError(f"{solution}: {error}") from None


def _read_arrays(path: Path, convention: str) -> Program:
    from certify.certificates.importers.conventions import Convention
    from certify.certificates.importers.files import ProblemFormat, other_readings, read_problem_file
    from certify.certificates.importers.standard import ImportFailed

    read_bytes(str(path))
    file_format, named = ProblemFormat(ARRAYS[path.suffix]), Convention(convention)
    try:
        return Program(read_problem_file(path, file_format, named), other_readings(path, file_format, named))
    except ImportFailed as error:
        raise InputError(f"{path}: {error}") from None
