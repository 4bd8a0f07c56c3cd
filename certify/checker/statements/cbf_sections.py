"""The sections of a CBF file: keywords, counted lines, cones and coordinate lists, each checked where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flint import fmpq

from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    Power,
    Rotated,
    SecondOrder,
    Zero,
    order,
)
from certify.checker.domains import Reading
from certify.checker.statements.words import SIZE_LIMIT, Word, integer, malformed, number, numbered_lines

KEYWORDS = (
    "VER", "OBJSENSE", "POWCONES", "POW*CONES", "PSDVAR", "VAR", "INT", "PSDCON", "CON", "OBJFCOORD", "OBJACOORD",
    "OBJBCOORD", "FCOORD", "ACOORD", "BCOORD", "HCOORD", "DCOORD", "CHANGE",
)  # fmt: skip
_WORD = re.compile(r"[^ \t]+")
_POWER = re.compile(r"@([0-9]{1,9}):(POW\*?)\Z")

Line = list[Word]


@dataclass(frozen=True, slots=True)
class Section:
    """A keyword and the lines under it."""

    keyword: Word
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class CbfFile:
    """The sections of a file, with what messages and numbers need."""

    name: str
    reading: Reading
    sections: Mapping[str, Section]


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive scalar variables or constraints of one cone.

    Attributes:
        cone: The cone, in this package's order of coordinates.
        sign: -1 where the file's vector is the negative of one in the cone (``L-``).
        is_reversed: Whether the file lists the coordinates in the opposite order (``EXP``).
    """

    cone: Cone
    sign: int
    is_reversed: bool

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return order(self.cone)

    def coordinate(self, position: int) -> int:
        """Return the coordinate of the cone that stands at a position of the segment."""
        return self.size - 1 - position if self.is_reversed else position


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a coordinate section: its indices, its value and its words."""

    indices: tuple[int, ...]
    value: fmpq
    words: Line


def read_sections(data: bytes, name: str, reading: Reading) -> CbfFile:
    """Return the sections of a file; blank lines and lines starting with ``#`` are skipped.

    Raises:
        MalformedStatement: If text stands before the first keyword or a keyword occurs twice.
    """
    sections: dict[str, Section] = {}
    current: Section | None = None
    for line, text in numbered_lines(data):
        words = [Word(match[0], line, match.start() + 1) for match in _WORD.finditer(text)]
        if not words or words[0].text.startswith("#"):
            continue
        if words[0].text in KEYWORDS and len(words) == 1:
            if words[0].text in sections:
                raise malformed(name, words[0], "is a section for the second time; give each section once")
            current = sections[words[0].text] = Section(words[0], [])
        elif current is None:
            raise malformed(name, words[0], "stands where a keyword such as VER is expected")
        else:
            current.lines.append(words)
    return CbfFile(name, reading, sections)


def single_word(file: CbfFile, keyword: str) -> Word | None:
    """Return the one word of a section, None where the section is missing.

    Raises:
        MalformedStatement: If the section does not hold exactly one word.
    """
    section = file.sections.get(keyword)
    if section is None:
        return None
    words = [word for line in section.lines for word in line]
    if len(words) != 1:
        raise malformed(file.name, section.keyword, f"is followed by {len(words)} words where one is expected")
    return words[0]


def counted_lines(file: CbfFile, keyword: str, heads: int = 1) -> tuple[Line, list[Line]]:
    """Return the first line of a section, of ``heads`` integers, and the lines after it; nothing where it is missing.

    Raises:
        MalformedStatement: If the first line is not of that form.
    """
    section = file.sections.get(keyword)
    if section is None:
        return [Word("0", 0, 0)] * heads, []
    head = section.lines[0] if section.lines else []
    if len(head) != heads:
        raise malformed(file.name, section.keyword, f"is followed by a line of {heads} integers")
    for word in head:
        natural(file, word, "a count")
    return head, section.lines[1:]


def sizes(file: CbfFile, keyword: str) -> list[int]:
    """Return the matrix orders in a section such as PSDVAR.

    Raises:
        MalformedStatement: If they are not as many as announced, or an order is not positive.
    """
    (announced,), lines = counted_lines(file, keyword)
    words = [word for line in lines for word in line]
    _require_count(file, announced, len(words), "orders")
    return [_size(file, word, 1) for word in words]


def segments(file: CbfFile, keyword: str, powers: Mapping[str, list[fmpq]]) -> list[Segment]:
    """Return the cones in a section VAR or CON.

    Raises:
        MalformedStatement: If a cone is unknown or of a wrong size, or the counts do not agree.
    """
    (total, announced), lines = counted_lines(file, keyword, heads=2)
    _require_count(file, announced, len(lines), "cones")
    found = [_segment(file, line, powers) for line in lines]
    _require_count(file, total, sum(segment.size for segment in found), "coordinates of cones")
    return found


def power_cones(file: CbfFile) -> dict[str, list[fmpq]]:
    """Return the exponents alpha of the power cones that ``@k:POW`` and ``@k:POW*`` name.

    Raises:
        MalformedStatement: If a cone does not have exactly two positive parameters.
    """
    return {"POW": _exponents(file, "POWCONES"), "POW*": _exponents(file, "POW*CONES")}


def entries(file: CbfFile, keyword: str, limits: tuple[int, ...]) -> list[Entry]:
    """Return the entries of a coordinate section, each index below its limit and each place given once.

    Raises:
        MalformedStatement: If a line is of another form, an index is out of range, or a place is given twice.
    """
    (announced,), lines = counted_lines(file, keyword)
    _require_count(file, announced, len(lines), "entries")
    seen: dict[tuple[int, ...], int] = {}
    found = []
    for words in lines:
        entry = _entry(file, words, limits)
        if entry.indices in seen:
            remedy = f"starts a second value for the place on line {seen[entry.indices]}; give each place once"
            raise malformed(file.name, words[0], remedy)
        seen[entry.indices] = words[0].line
        found.append(entry)
    return found


def triangle_entries(file: CbfFile, keyword: str, limits: tuple[int, ...], orders: list[int]) -> list[Entry]:
    """Return the entries of a section whose last two indices are a place in a lower triangle.

    The order of the matrix is ``orders[k]``, k the index before those two, or the first for HCOORD and DCOORD.

    Raises:
        MalformedStatement: As ``entries``, or if a place lies outside the triangle.
    """
    owner = 0 if keyword in ("HCOORD", "DCOORD") else len(limits) - 1
    found = entries(file, keyword, (*limits, SIZE_LIMIT, SIZE_LIMIT))
    for entry in found:
        row, column = entry.indices[-2:]
        if row >= orders[entry.indices[owner]]:
            raise malformed(file.name, entry.words[-3], "is a row beyond the order of its matrix")
        if column > row:
            raise malformed(file.name, entry.words[-2], f"lies above the diagonal; write it as ({column}, {row})")
    return found


def natural(file: CbfFile, word: Word, what: str) -> int:
    """Return the integer that a word spells, which must not be negative or huge.

    Raises:
        MalformedStatement: If it is.
    """
    value = integer(word, file.name, what)
    if not 0 <= value <= SIZE_LIMIT:
        raise malformed(file.name, word, f"is not between 0 and {SIZE_LIMIT}")
    return value


def _entry(file: CbfFile, words: Line, limits: tuple[int, ...]) -> Entry:
    if len(words) != len(limits) + 1:
        raise malformed(file.name, words[-1], f"ends a line of {len(words)} words; {len(limits)} indices and a value")
    indices = tuple(integer(word, file.name, "an index") for word in words[:-1])
    for word, index, limit in zip(words, indices, limits, strict=False):
        if not 0 <= index < limit:
            raise malformed(file.name, word, f"is an index out of range; there are {limit}, counted from 0")
    return Entry(indices, number(words[-1], file.name, file.reading), words)


def _require_count(file: CbfFile, announced: Word, found: int, what: str) -> None:
    if int(announced.text) != found:
        raise malformed(file.name, announced, f"{what} are announced but {found} are given")


def _size(file: CbfFile, word: Word, least: int) -> int:
    size = natural(file, word, "a size")
    if size < least:
        raise malformed(file.name, word, f"is too small a size; at least {least}")
    return size


def _segment(file: CbfFile, line: Line, powers: Mapping[str, list[fmpq]]) -> Segment:
    if len(line) != 2:
        raise malformed(file.name, line[0], "starts a line that should be a cone and a size")
    cone, size = line
    match cone.text:
        case "F":
            return Segment(Free(_size(file, size, 1)), 1, False)
        case "L=":
            return Segment(Zero(_size(file, size, 1)), 1, False)
        case "L+" | "L-":
            return Segment(Nonnegative(_size(file, size, 1)), 1 if cone.text == "L+" else -1, False)
        case "Q":
            return Segment(SecondOrder(_size(file, size, 1)), 1, False)
        case "QR":
            return Segment(Rotated(_size(file, size, 2)), 1, False)
        case _:
            return _curved_segment(file, cone, size, powers)


def _curved_segment(file: CbfFile, cone: Word, size: Word, powers: Mapping[str, list[fmpq]]) -> Segment:
    if natural(file, size, "a size") != 3:
        raise malformed(
            file.name, size, f"is the size of {cone.text}; only cones of size 3 are read besides F, L and Q"
        )
    if cone.text in ("EXP", "EXP*"):
        return Segment(Exponential() if cone.text == "EXP" else DualExponential(), 1, True)
    match = _POWER.match(cone.text)
    if match is None or int(match[1]) >= len(powers[match[2]]):
        raise malformed(file.name, cone, "is no cone of this format, or is not defined in POWCONES")
    alpha = powers[match[2]][int(match[1])]
    return Segment(Power(alpha) if match[2] == "POW" else DualPower(alpha), 1, False)


def _exponents(file: CbfFile, keyword: str) -> list[fmpq]:
    (announced, total), lines = counted_lines(file, keyword, heads=2)
    words = [word for line in lines for word in line]
    found = []
    for start in range(0, len(words), 3):
        chunk = words[start : start + 3]
        if len(chunk) < 3 or chunk[0].text != "2":
            raise malformed(file.name, chunk[0], "starts a power cone that does not have exactly two parameters")
        first, second = (number(word, file.name, file.reading) for word in chunk[1:])
        if first <= 0 or second <= 0:
            raise malformed(file.name, chunk[1], "or the next parameter is not positive")
        found.append(first / (first + second))
    _require_count(file, announced, len(found), "power cones")
    _require_count(file, total, 2 * len(found), "parameters")
    return found
