"""Tables of numbers, CSV (exact decimals) or NPY (exact binary64), read without any rounding."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from flint import fmpq

from certify.checker.exact import Matrix, matrix_of_fractions, parse_rational, shown
from certify.checker.sensitivity import Reading
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.npy import MAGIC, read_npy


@dataclass(frozen=True, slots=True)
class Table:
    """A table of exact numbers with the column names of its header (empty where it has none)."""

    values: Matrix
    header: tuple[str, ...]
    reading: Reading


def read_table(data: bytes, name: str) -> Table:
    """Return the exact table in a CSV or NPY file (recognised by its first bytes).

    CSV cells are read as the decimals (or fractions p/q) they spell. A first line in which no cell starts like a number
    (with a digit, a sign or a point) is a header. NPY entries are read as the binary numbers they are.

    Raises:
        MalformedStatement: If the file is no table of finite numbers, naming line and column.
    """
    if data.startswith(MAGIC):
        return Table(read_npy(data, name), (), Reading.BINARY64)
    rows = _cells(data, name)
    header: tuple[str, ...] = ()
    if rows and all(_is_word(cell) for cell in rows[0][1]):
        header = tuple(cell.strip() for cell in rows[0][1])
        rows = rows[1:]
    if not rows:
        raise MalformedStatement(
            name, "", "the file has no row of numbers; give one record a line, numbers split by commas"
        )
    width = len(header) if header else len(rows[0][1])
    values = [_row(cells, width, name, line) for line, cells in rows]
    return Table(matrix_of_fractions(values, width), header, Reading.DECIMAL)


def _cells(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    """Return (line number, cells) of every line, trailing blank lines left out."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedStatement(name, f"byte {error.start}", "not UTF-8 text; give a CSV or NPY file") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            rows.append((reader.line_num, cells))  # noqa: PERF401 (line_num moves with the loop)
    except csv.Error as error:
        raise MalformedStatement(name, f"line {reader.line_num}", f"not CSV: {error}") from None
    while rows and not any(cell.strip() for cell in rows[-1][1]):
        rows.pop()
    return rows


def _is_word(cell: str) -> bool:
    """Whether a cell can only be a column name: it starts like no number and spells no NaN or infinity."""
    text = cell.strip()
    return bool(text) and text[0] not in "0123456789+-." and not _not_finite(text)


def _not_finite(text: str) -> bool:
    return text.lower().lstrip("+-") in {"nan", "inf", "infinity", "na", "n/a", "null", "none"}


def _row(cells: list[str], width: int, name: str, line: int) -> list[fmpq]:
    if len(cells) != width:
        hint = _separator_hint(cells)
        raise MalformedStatement(name, f"line {line}", f"{len(cells)} cells where {width} are expected{hint}")
    return [_cell(cell, name, f"line {line}, column {column}") for column, cell in enumerate(cells, 1)]


def _cell(cell: str, name: str, place: str) -> fmpq:
    text = cell.strip()
    try:
        return parse_rational(text)
    except ValueError as error:
        if not text:
            raise MalformedStatement(name, place, "the cell is empty; fill it or remove the record") from None
        if _not_finite(text):
            raise MalformedStatement(name, place, f"{shown(text)} is not a finite number; remove the record") from None
        raise MalformedStatement(name, place, f"{error}{_separator_hint([cell])}") from None


def _separator_hint(cells: list[str]) -> str:
    if len(cells) == 1 and any(mark in cells[0] for mark in ";\t"):
        return "; split cells by commas, not by semicolons or tabs"
    return "" if len(cells) == 1 else "; a decimal point is written '.', and every line has the same number of cells"
