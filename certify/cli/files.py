"""Reading and writing files, with errors that name them; writing is atomic."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from certify.checker.certificate import Certificate, read_certificate
from certify.checker.codec import Malformed
from certify.checker.statements.malformed import MalformedStatement
from certify.reports.results import EXIT_MALFORMED, EXIT_UNDECIDED


class InputError(click.ClickException):
    """Input that cannot be used; the message names the file, the place, the value and what to do."""

    exit_code = EXIT_MALFORMED


class NothingFound(click.ClickException):
    """No certificate was found."""

    exit_code = EXIT_UNDECIDED


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        InputError: If it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; give a file that can be read") from None


def load_certificate(path: str) -> Certificate:
    """Return the certificate in a file.

    Raises:
        InputError: If the file cannot be read or is no certificate.
    """
    try:
        return read_certificate(read_bytes(path))
    except Malformed as error:
        raise InputError(f"{path}: MALFORMED: {error}") from None


@contextmanager
def statement_errors() -> Iterator[None]:
    """Turn errors of statements into errors of the command."""
    try:
        yield
    except MalformedStatement as error:
        raise InputError(str(error)) from None


def require_folder(path: str) -> None:
    """Raise before long work when the output could not be written.

    Raises:
        InputError: If the folder of the path does not exist or cannot be written.
    """
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError(f"{path}: the folder {folder} does not exist; create it first")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path}: the folder {folder} cannot be written")


def write_atomically(path: str, data: bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        InputError: If it cannot be written.
    """
    import tempfile

    require_folder(path)
    target = Path(path)
    try:
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def leave(code: int) -> NoReturn:
    """End the process with an exit code."""
    sys.exit(code)
