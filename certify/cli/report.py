"""certify report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from certify.checker.certificate import Certificate, read_certificate
from certify.checker.codec import Malformed
from certify.checker.kernel import check
from certify.cli.check import NOTHING, expanded
from certify.cli.files import InputError, NothingFound, leave, read_bytes, require_folder, write_atomically
from certify.cli.gate import Outputs, artifacts_of, require_safe
from certify.cli.progress import checking
from certify.reports.results import EXIT_UNDECIDED, Result, exit_code, to_json

if TYPE_CHECKING:
    from certify.reports.html import Section
    from certify.reports.pictures import Gallery
    from certify.reports.pixels import Shape
    from certify.solvers.problem import Round

MISSING = "certify report needs {} to draw; install it with: pip install 'certify[report]'"
_SHAPE = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})\Z")


@click.command(name="report")
@click.argument("files", nargs=-1, metavar="CERTIFICATE...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the HTML page.")
@click.option("--image", metavar="ROWSxCOLUMNS", help="Show records as images of this shape. Default: guessed.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(files: tuple[str, ...], output: str, image: str | None, as_json: bool, quiet: bool) -> None:
    """Check certificates and write one self-contained HTML page about them, with pictures.

    The page opens from disk, loads nothing and runs no script. The exit code is that of certify check.
    """
    shape = _shape(image)
    paths = [path for file in files for path in expanded(file)]
    require_safe(Outputs(None, None, None, output, None), paths)
    require_folder(output)
    if not paths:
        click.echo(NOTHING, err=True)
        leave(EXIT_UNDECIDED)
    data = [read_bytes(path) for path in paths]
    certificates = [_certificate(each) for each in data]
    results = [_result(path, each, quiet=quiet) for path, each in zip(paths, certificates, strict=True)]
    page = page_about(results, data, certificates, shape, (), quiet=quiet)
    write_atomically(output, page.encode())
    if as_json:
        click.echo(to_json(results))
        leave(exit_code(results))
    for result in results:
        outcome = "MALFORMED" if isinstance(result.outcome, Malformed) else result.outcome.status
        click.echo(f"{outcome}  {result.file}")
    click.echo(f"wrote {output}")
    leave(exit_code(results))


def _shape(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = _SHAPE.match(text)
    if match is None:
        raise click.UsageError(f"--image {text}: write the rows and columns of an image, such as 8x8")
    return int(match[1]), int(match[2])


def _certificate(data: bytes) -> Certificate | Malformed:
    try:
        return read_certificate(data)
    except Malformed as error:
        return error


def _result(path: str, certificate: Certificate | Malformed, *, quiet: bool) -> Result:
    if isinstance(certificate, Malformed):
        return Result(path, certificate)
    with checking(path, quiet=quiet) as progress:
        return Result(path, check(certificate, progress))


def page_about(
    results: list[Result],
    data: list[bytes],
    certificates: list[Certificate | Malformed],
    shape: tuple[int, int] | None,
    history: Sequence[Round],
    *,
    quiet: bool,
) -> str:
    """Return the HTML page about checked files; ``history`` holds the rounds of the solve that led to them, if known.

    Raises:
        NothingFound: If what draws is not installed.
        InputError: If records do not have the shape of images that was given.
    """
    try:
        from certify.reports.html import section, to_html
        from certify.reports.pixels import Shape
    except ModuleNotFoundError as error:
        raise NothingFound(MISSING.format(error.name)) from None
    form = None if shape is None else Shape(*shape)
    sections: list[Section] = []
    for index, (artifact, found) in enumerate(zip(artifacts_of(results, data), certificates, strict=True), 1):
        certificate = None if isinstance(found, Malformed) else found
        pictures = (
            None if certificate is None else _gallery(certificate, form, history, artifact.result.file, quiet=quiet)
        )
        sections.append(section(index, artifact, certificate, pictures))
    return to_html(sections)


def _gallery(
    certificate: Certificate, shape: Shape | None, history: Sequence[Round], file: str, *, quiet: bool
) -> Gallery:
    from certify.reports.pictures import gallery

    try:
        with checking(f"{Path(file).name}: pictures", quiet=quiet) as progress:
            return gallery(certificate, shape, history, progress)
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
