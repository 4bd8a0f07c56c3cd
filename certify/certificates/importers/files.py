"""Solution and problem files of other tools by format, which is named and never guessed from the contents."""

from __future__ import annotations

import gzip
import lzma
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import assert_never

import numpy as np

from certify.certificates.conic.given import GivenPoint
from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.raw import Imported, import_arrays
from certify.certificates.importers.sdpa_solutions import read_csdp_solution, read_sdpa_result
from certify.certificates.importers.sedumi import read_sedumi
from certify.certificates.importers.standard import ImportFailed
from certify.checker.conic.problem import ConicProblem


class SolutionFormat(StrEnum):
    """Files that hold a solution of a problem stated elsewhere."""

    SDPA = "sdpa"
    CSDP = "csdp"


class ProblemFormat(StrEnum):
    """Files that hold a problem, and perhaps a solution, in binary64."""

    SEDUMI = "sedumi"
    NPZ = "npz"


def read_solution(path: Path, problem: ConicProblem, file_format: SolutionFormat) -> GivenPoint:
    """Return the point in a solution file, which may be compressed (``.gz``, ``.xz``).

    Raises:
        ImportFailed: If the file cannot be read or does not fit the problem.
    """
    text = _text(path)
    match file_format:
        case SolutionFormat.SDPA:
            return read_sdpa_result(text, problem)
        case SolutionFormat.CSDP:
            return read_csdp_solution(text, problem)
    assert_never(file_format)


def read_problem_file(path: Path, file_format: ProblemFormat, convention: Convention) -> Imported:
    """Return the program in a problem file of binary64 numbers, with the solution it holds, if any.

    Raises:
        ImportFailed: If the file is no such program.
    """
    match file_format:
        case ProblemFormat.SEDUMI:
            return read_sedumi(path, convention)
        case ProblemFormat.NPZ:
            return read_npz(path, convention)
    assert_never(file_format)


def other_readings(
    path: Path, file_format: ProblemFormat, convention: Convention
) -> Iterator[tuple[Convention, Imported]]:
    """Yield the program in a problem file under every other convention that it can be read with."""
    for other in Convention:
        if other is not convention:
            with suppress(ImportFailed):
                yield other, read_problem_file(path, file_format, other)


def read_npz(path: Path, convention: Convention) -> Imported:
    """Return the program in an npz dump; see ``import_arrays`` for its arrays. Pickled objects are refused.

    Raises:
        ImportFailed: If the file is no such dump.
    """
    try:
        with np.load(path, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
    except (ValueError, zipfile.BadZipFile, EOFError, AttributeError, TypeError) as error:
        raise ImportFailed(f"{path.name} is no npz file of plain arrays: {error}") from None
    return import_arrays(arrays, convention)


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        if path.suffix == ".xz":
            data = lzma.decompress(data)
        elif path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8")
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
        raise ImportFailed(f"{path.name} cannot be decompressed: {error}") from None
    except UnicodeDecodeError as error:
        raise ImportFailed(f"{path.name} is no text: byte {error.start} is not UTF-8") from None
