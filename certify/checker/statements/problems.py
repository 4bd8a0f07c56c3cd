"""Conic programs by the suffix of their file."""

from __future__ import annotations

from pathlib import PurePath

from certify.checker.domains import Reading
from certify.checker.statements.cbf import read_cbf
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.sdpa import read_sdpa
from certify.checker.statements.words import ProblemStatement

SUFFIXES = (".dat-s", ".cbf")


def is_problem_file(name: str) -> bool:
    """Return whether the name of a file ends like that of a conic program."""
    return name.endswith(SUFFIXES)


def read_problem_statement(data: bytes, name: str, reading: Reading = Reading.DECIMAL) -> ProblemStatement:
    """Return the conic program in the bytes of a file, read by the suffix of its name.

    Raises:
        MalformedStatement: If the file is no such program, or its suffix is not known.
    """
    base = PurePath(name).name
    if base.endswith(".dat-s"):
        return read_sdpa(data, base, reading)
    if base.endswith(".cbf"):
        return read_cbf(data, base, reading)
    raise MalformedStatement(base, "", f"is neither of {', '.join(SUFFIXES)}; rename it after its format")
