"""certify bound on a folder of problems: a table, one certificate or more for each, resumable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from certify.checker.statements.problems import is_problem_file
from certify.cli.files import InputError, leave, write_atomically
from certify.reports.results import EXIT_MALFORMED, EXIT_UNDECIDED

if TYPE_CHECKING:
    from certify.certificates.conic.bounds import Options

SUFFIX = ".cert.json"
STATE = "bound.rows.jsonl"


def bound_folder(folder: Path, output: Path, options: Options, limit: float | None, *, quiet: bool) -> NoReturn:
    """Bound every problem of a folder, the small files first, and leave with the exit code of the run.

    Raises:
        InputError: If there is no problem, or the output cannot be written.
    """
    from certify.certificates.conic.rows import TIME_LIMIT
    from certify.certificates.conic.tables import bound_files
    from certify.reports.bounds import HEADER, row_lines

    files = sorted((path for path in folder.iterdir() if is_problem_file(path.name)), key=_size)
    if not files:
        raise InputError(f"{folder}: no .dat-s or .cbf file is in this folder")
    if not output.parent.is_dir():
        raise InputError(f"{output}: the folder {output.parent} does not exist; create it first")
    output.mkdir(exist_ok=True)

    def report(what: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"\r\x1b[K{what}", err=True, nl=False)

    click.echo(HEADER)
    verdicts = []
    for count, (row, certificates) in enumerate(bound_files(files, output / STATE, options, limit, report), 1):
        for number, certificate in enumerate(certificates, 1):
            write_atomically(numbered(str(output / f"{row.name}{SUFFIX}"), number), certificate)
        report("")
        click.echo("\n".join(row_lines(row, count, len(files))))
        verdicts.append(row.verdict)
    if "refused" in verdicts:
        leave(EXIT_MALFORMED)
    leave(EXIT_UNDECIDED if {"undecided", "rejected", TIME_LIMIT} & set(verdicts) else 0)


def numbered(output: str, number: int) -> str:
    """Return the file of a claim: the first goes to the output itself, the second to the same name with -2."""
    if number == 1:
        return output
    stem = output.removesuffix(SUFFIX)
    return f"{stem}-{number}{SUFFIX if stem != output else ''}"


def _size(file: Path) -> tuple[int, str]:
    return file.stat().st_size, file.name
