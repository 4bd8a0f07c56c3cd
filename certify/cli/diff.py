"""certify diff."""

from __future__ import annotations

from pathlib import Path

import click

from certify.checker.certificate import read_certificate
from certify.checker.codec import Malformed
from certify.checker.kernel import check
from certify.cli.check import PATTERN
from certify.cli.files import InputError, leave, read_bytes
from certify.cli.progress import checking
from certify.reports.results import Result


@click.command(name="diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(old: str, new: str, as_json: bool, quiet: bool) -> None:
    """Say what changed between two certificates, or between the *.cert.json files of two folders.

    Both sides are checked first; only proved claims are compared. A new claim is the same, stronger (it implies the old
    one), weaker, stronger in part and weaker in part, disjoint (both cannot be true) or a different claim. Exit codes:
    0 nothing got worse; 5 something is weaker, different or removed; 3 disjoint, or a claim is not proved; 4 malformed.
    """
    from certify.reports.diff import Pair, diff_exit_code, diff_lines, diff_to_json, outcome_of

    before, after = _files(old), _files(new)
    if Path(old).is_dir() != Path(new).is_dir():
        raise click.UsageError("give two certificates or two folders")
    names = sorted(before | after) if Path(old).is_dir() else [new]
    if not Path(old).is_dir():
        before, after = {new: old}, {new: new}
    outcomes = []
    for name in names:
        pair = Pair(name, *(_checked(side.get(name), quiet=quiet) for side in (before, after)))
        outcomes.append(outcome_of(pair))
    if not outcomes:
        click.echo(f"nothing was compared: neither folder holds {PATTERN} files", err=True)
    click.echo(diff_to_json(outcomes) if as_json else "\n".join(line for each in outcomes for line in diff_lines(each)))
    leave(diff_exit_code(outcomes))


def _files(path: str) -> dict[str, str]:
    """Return the certificates of a folder by their names inside it; nothing for a single file."""
    folder = Path(path)
    if not folder.exists():
        raise InputError(f"{path}: no such file or folder")
    if not folder.is_dir():
        return {}
    return {found.relative_to(folder).as_posix(): str(found) for found in folder.rglob(PATTERN) if found.is_file()}


def _checked(path: str | None, *, quiet: bool) -> Result | None:
    if path is None:
        return None
    try:
        certificate = read_certificate(read_bytes(path))
    except Malformed as error:
        return Result(path, error)
    with checking(path, quiet=quiet) as progress:
        return Result(path, check(certificate, progress))
