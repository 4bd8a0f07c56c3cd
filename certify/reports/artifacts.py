"""A checked file with its bytes, as the reports for machines need it."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from certify.checker.codec import Malformed
from certify.checker.verdict import Obligation, Status
from certify.reports.results import Result

IS_CERTIFICATE = "file is a certificate"
NOT_REFUTED = "claim is not refuted"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that was checked.

    Attributes:
        uri: Its address relative to the root of the repository, percent-encoded, with forward slashes.
        data: Its bytes; empty where it could not be read.
        result: Its verdict, or why it is no certificate.
    """

    uri: str
    data: bytes
    result: Result

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def status(self) -> str:
        """The verdict in one word, MALFORMED for a file that is no certificate."""
        outcome = self.result.outcome
        return "MALFORMED" if isinstance(outcome, Malformed) else str(outcome.status)


def obligations_of(artifact: Artifact) -> tuple[Obligation, ...]:
    """Return what had to hold, one entry for each test a report lists.

    A refuted claim adds that it is not refuted, which fails: all obligations of its counterexample hold.
    """
    outcome = artifact.result.outcome
    if isinstance(outcome, Malformed):
        return (Obligation(IS_CERTIFICATE, False, str(outcome)),)
    if outcome.status is Status.REFUTED:
        proof = outcome.obligations[-1].detail
        return (*outcome.obligations, Obligation(NOT_REFUTED, False, f"a counterexample was verified: {proof}"))
    return outcome.obligations


def repository_root(folder: Path) -> Path:
    """Return the nearest folder from the given one upward that is the root of a git repository, else the folder."""
    folder = folder.resolve()
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)


def uri_of(file: str, root: Path) -> str:
    """Return the address of a file relative to the root; outside of it the full ``file:`` address."""
    path = Path(os.path.normpath(Path.cwd() / file))
    for base in (root, root.resolve()):
        if path.is_relative_to(base):
            return quote(path.relative_to(base).as_posix())
    return path.as_uri()


def program_version() -> str:
    """Return the version of this program."""
    return version("certify")
