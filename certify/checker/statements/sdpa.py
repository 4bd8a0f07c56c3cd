"""SDPA sparse files (.dat-s), every coefficient read exactly and every ambiguity refused.

The file's (P) min c'x with X = sum x_i F_i - F_0 PSD and (D) max <F_0, Y> with <F_i, Y> = c_i, Y PSD are, in the
neutral form, C = -F_0, A_i = F_i, b = c, X = Y, y = -x; values change sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from flint import fmpq

from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite
from certify.checker.conic.problem import Block, Coefficient, ConicProblem, SourceValue, block, row_vector
from certify.checker.domains import Reading
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.words import (
    SIZE_LIMIT,
    Notice,
    ProblemStatement,
    Word,
    integer,
    looks_numeric,
    malformed,
    notices,
    number,
    numbered_lines,
)

_WORD = re.compile(r"[^ \t,(){}=]+|=")
_PUNCTUATION = re.compile(r"[,(){}]")
_TRAILERS = ("*INTEGER", "*RANK1")
_COMMENT = "a comment between entries, where CSDP stops reading; move it to the top"
_BRACES = "an entry with commas or braces, which CSDP refuses; write blanks"
_TEXT = "text after an entry, where CSDP stops reading; remove it"
_SECOND = "a second number after a count, ignored as every reader does; remove it"


class _Line(NamedTuple):
    """A line that is neither blank nor a comment; words are cut when they are asked for, since files are long."""

    number: int
    text: str

    def words(self) -> list[Word]:
        return [Word(match[0], self.number, match.start() + 1) for match in _WORD.finditer(self.text)]


@dataclass(frozen=True, slots=True)
class _File:
    """The lines of a file still to be read, with what messages and numbers need."""

    name: str
    reading: Reading
    lines: Iterator[_Line]

    def next_line(self, what: str) -> _Line:
        found = next(self.lines, None)
        if found is None:
            raise MalformedStatement(self.name, "", f"the file ends where {what} should stand; it is cut off or empty")
        return found


@dataclass(frozen=True, slots=True)
class _Header:
    """What stands before the entries: the signed block sizes, c, and numbers that no reader heeds."""

    sizes: tuple[int, ...]
    costs: tuple[fmpq, ...]
    ignored: tuple[Word, ...]


class _Entry(NamedTuple):
    """One entry: block, matrix, row >= column, all from zero, its value, its line, and a remark after it."""

    block: int
    matrix: int
    row: int
    column: int
    value: fmpq
    line: _Line
    remark: Word | None


def read_sdpa(data: bytes, name: str, reading: Reading = Reading.DECIMAL) -> ProblemStatement:
    """Return the conic program in the bytes of an SDPA sparse file.

    Args:
        data: The bytes of the file.
        name: Its name, for messages.
        reading: Whether numbers are the decimals they spell or the binary64 numbers nearest to them.

    Raises:
        MalformedStatement: If the file is no such program, or several readers would take it for different ones; the
            exception names line, column, value and remedy. No other exception is raised for any bytes.
    """
    comments, lines = _lines(data, name)
    file = _File(name, reading, iter(lines))
    header = _header(file)
    entries = [_entry(line, file, header) for line in file.lines]
    _require_distinct(entries, name)
    problem = ConicProblem(reading, SourceValue.NEGATED, _blocks(header, entries), row_vector(header.costs), fmpq(0))
    return ProblemStatement(problem, len(entries), _notices(header, entries, comments))


def _lines(data: bytes, name: str) -> tuple[list[Word], list[_Line]]:
    """Return the comments of a file and its other lines that hold a word."""
    comments, lines = [], []
    for line, text in numbered_lines(data):
        bare = text.strip(" \t")
        if bare.upper() in _TRAILERS:
            remedy = "asks for integers or rank one, which no bound here respects; remove it to bound the relaxation"
            raise malformed(name, Word(bare, line, 1), remedy)
        if bare.startswith(('"', "*")):
            comments.append(Word(bare, line, 1))
        elif _WORD.search(text):
            lines.append(_Line(line, text))
    return comments, lines


def _header(file: _File) -> _Header:
    constraints, after_constraints = _count(file, "the number of constraints")
    blocks, after_blocks = _count(file, "the number of blocks")
    sizes = [_size(word, file.name) for word in _numbers(file, blocks, "block sizes")]
    costs = [number(word, file.name, file.reading) for word in _numbers(file, constraints, "objective coefficients")]
    ignored = [word for word in (*after_constraints, *after_blocks) if looks_numeric(word)]
    return _Header(tuple(sizes), tuple(costs), tuple(ignored))


def _count(file: _File, what: str) -> tuple[Word, tuple[Word, ...]]:
    """Return the word of a count, which may be followed by any text, and the word after it, if any."""
    words = file.next_line(what).words()
    if integer(words[0], file.name, what) < 0:
        raise malformed(file.name, words[0], f"is negative; {what} is expected here")
    return words[0], tuple(words[1:2])


def _numbers(file: _File, announced: Word, what: str) -> list[Word]:
    """Return as many words as announced, from one line or several; text may follow the last one."""
    count = int(announced.text)
    found: list[Word] = []
    while len(found) < count:
        words = file.next_line(f"{count} {what} (announced on line {announced.line})").words()
        surplus = words[count - len(found) :]
        found += words[: count - len(found)]
        if surplus and looks_numeric(surplus[0]):
            problem = f"is one number too many: line {announced.line} announces {count} {what}"
            raise malformed(file.name, surplus[0], f"{problem} (a decimal comma, or a wrong count?)")
    return found


def _size(word: Word, name: str) -> int:
    size = integer(word, name, "a block size")
    if not 0 < abs(size) <= SIZE_LIMIT:
        raise malformed(name, word, f"is no block size; use 1 to {SIZE_LIMIT}, negative for a diagonal block")
    return size


def _entry(line: _Line, file: _File, header: _Header) -> _Entry:
    words, name = line.words(), file.name
    if len(words) < 5:
        raise malformed(name, words[-1], f"ends an entry of {len(words)} words; write: matrix block row column value")
    if len(words) > 5 and looks_numeric(words[5]):
        raise malformed(name, words[5], "is a sixth number on a line of five (a decimal comma, or two entries?)")
    matrix = _in_range(words[0], name, "the matrix number", 0, len(header.costs))
    part = _in_range(words[1], name, "the block number", 1, len(header.sizes)) - 1
    size = header.sizes[part]
    row = _in_range(words[2], name, "the row", 1, abs(size)) - 1
    column = _in_range(words[3], name, "the column", 1, abs(size)) - 1
    if size < 0 and row != column:
        raise malformed(name, words[3], f"is off the diagonal of block {part + 1}, which is diagonal; remove the entry")
    value, remark = number(words[4], name, file.reading), words[5] if len(words) > 5 else None
    return _Entry(part, matrix, max(row, column), min(row, column), value, line, remark)


def _in_range(word: Word, name: str, what: str, least: int, most: int) -> int:
    value = integer(word, name, what)
    if not least <= value <= most:
        raise malformed(name, word, f"is out of range: {what} runs from {least} to {most}")
    return value


def _require_distinct(entries: list[_Entry], name: str) -> None:
    seen: dict[tuple[int, int, int, int], int] = {}
    for entry in entries:
        key = (entry.block, entry.matrix, entry.row, entry.column)
        if key in seen:
            words = entry.line.words()
            text = " ".join(word.text for word in words[:4])
            remedy = f"has a value on line {seen[key]} already (there or across the diagonal); give each entry once"
            raise malformed(name, Word(text, words[0].line, words[0].column), remedy)
        seen[key] = entry.line.number


def _blocks(header: _Header, entries: list[_Entry]) -> tuple[Block, ...]:
    parts: list[list[Coefficient]] = [[] for _ in header.sizes]
    for entry in entries:
        value = -entry.value if entry.matrix == 0 else entry.value
        parts[entry.block].append((entry.matrix, entry.row, entry.column, value))
    cones = [PositiveSemidefinite(size) if size > 0 else Nonnegative(-size) for size in header.sizes]
    return tuple(block(cone, part) for cone, part in zip(cones, parts, strict=True))


def _notices(header: _Header, entries: list[_Entry], comments: list[Word]) -> tuple[Notice, ...]:
    lines = [entry.line.number for entry in entries]
    inside = [word for word in comments if lines and lines[0] < word.line < lines[-1]]
    braces = [entry.line.words()[0] for entry in entries if _PUNCTUATION.search(entry.line.text)]
    texts = [entry.remark for entry in entries if entry.remark is not None]
    return notices((header.ignored, _SECOND), (inside, _COMMENT), (braces, _BRACES), (texts, _TEXT))
