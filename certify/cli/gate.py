"""What certify check writes for machines, and the refusal to write over what it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from certify.checker.certificate import FORMAT
from certify.cli.files import InputError, require_folder, write_atomically
from certify.reports.results import Result, to_json

if TYPE_CHECKING:
    from certify.reports.artifacts import Artifact

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write, None for those not wanted; ``json`` may be ``-`` for standard output."""

    json: str | None
    sarif: str | None
    junit: str | None
    markdown: str | None
    attest: str | None

    def files(self) -> tuple[str, ...]:
        """Return every file that will be written."""
        wanted = (self.json, self.sarif, self.junit, self.markdown, self.attest)
        return tuple(path for path in wanted if path is not None and path != STANDARD_OUTPUT)


def require_safe(outputs: Outputs, inputs: Iterable[str]) -> None:
    """Raise before any work if a report would replace a file that is read, or any certificate.

    Raises:
        click.UsageError: If it would; most likely the file name after an option was meant to be checked.
        InputError: If a folder does not exist.
    """
    read = {Path(path).resolve() for path in inputs}
    for path in outputs.files():
        target = Path(path)
        if target.resolve() in read or (target.is_file() and f'"{FORMAT}"'.encode() in target.read_bytes()):
            raise click.UsageError(
                f"{path} would be written over, but it is read or is a certificate; "
                "put the certificates before the options, or write --json=- for standard output"
            )
        require_folder(path)


def artifacts_of(results: list[Result], data: list[bytes]) -> list[Artifact]:
    """Return the checked files with their bytes and their addresses in the repository of the working folder."""
    from certify.reports.artifacts import Artifact, repository_root, uri_of

    root = repository_root(Path.cwd())
    return [Artifact(uri_of(result.file, root), each, result) for result, each in zip(results, data, strict=True)]


def write_outputs(outputs: Outputs, artifacts: list[Artifact], own: Sequence[str]) -> None:
    """Write every report that is wanted; ``own`` are the user's files that the claims were compared with."""
    if outputs.json is not None and outputs.json != STANDARD_OUTPUT:
        write_atomically(outputs.json, f"{to_json([each.result for each in artifacts])}\n".encode())
    if outputs.sarif is not None:
        from certify.reports.sarif import to_sarif

        write_atomically(outputs.sarif, to_sarif(artifacts).encode())
    if outputs.junit is not None:
        from certify.reports.junit import to_junit

        write_atomically(outputs.junit, to_junit(artifacts))
    if outputs.markdown is not None:
        from certify.reports.markdown import to_markdown

        _write_page(outputs.markdown, to_markdown(artifacts).encode())
    if outputs.attest is not None:
        _write_statement(outputs.attest, artifacts, own)


def _write_page(path: str, page: bytes) -> None:
    """Write a page; the summary of a CI job belongs to every step of the job, so that one is added to."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary is not None and Path(path).resolve() == Path(summary).resolve() and Path(path).is_file():
        page = Path(path).read_bytes() + page
    write_atomically(path, page)


def _write_statement(path: str, artifacts: list[Artifact], own: Sequence[str]) -> None:
    from certify.reports.artifacts import repository_root, uri_of
    from certify.reports.attestation import OwnFile, to_statement

    if not artifacts:
        raise InputError(f"{path}: a statement is about at least one file; none was checked")
    root = repository_root(Path.cwd())
    files = [OwnFile(uri_of(file, root), Path(file).read_bytes()) for file in own]
    write_atomically(path, to_statement(artifacts, files))
