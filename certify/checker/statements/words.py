"""Words of a problem file with their place, the numbers they spell, and what a reader has to say about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isinf
from typing import NamedTuple

from flint import fmpq

from certify.checker.conic.problem import ConicProblem
from certify.checker.domains import Reading
from certify.checker.exact import binary64_fraction, parse_rational, shown
from certify.checker.statements.malformed import MalformedStatement

DIGIT_LIMIT = 1_000
EXPONENT_LIMIT = 1_000
SIZE_LIMIT = 10_000_000
_LINE_END = re.compile(r"\r\n|\n|\r")
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}\Z")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD]([+-]?[0-9]+))?\Z")
_FORTRAN = str.maketrans("dD", "ee")


class Word(NamedTuple):
    """A run of characters without blanks, and where it starts: line and column count from one."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something accepted that other readers of the format take differently.

    Attributes:
        place: Where it is met first, such as ``line 7, column 1``.
        value: What stands there.
        problem: What it is, and what to do to be rid of the notice.
        count: How often it is met.
    """

    place: str
    value: str
    problem: str
    count: int


@dataclass(frozen=True, slots=True)
class ProblemStatement:
    """A conic program as read from a file, with the number of entries the file holds and what to tell the reader."""

    problem: ConicProblem
    entry_count: int
    notices: tuple[Notice, ...]


def numbered_lines(data: bytes) -> list[tuple[int, str]]:
    """Return the lines of a file with their numbers from one, a UTF-8 byte order mark removed.

    Bytes are read as Latin-1, so that every file has lines; what is no ASCII is refused where it is no comment.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return list(enumerate(_LINE_END.split(text), 1))


def malformed(name: str, word: Word, problem: str) -> MalformedStatement:
    """Return the error about one word of a file: its place, its text, what is wrong and what to do."""
    return MalformedStatement(name, f"line {word.line}, column {word.column}", f"{shown(word.text)} {problem}")


def integer(word: Word, name: str, what: str) -> int:
    """Return the integer that a word spells; ``what`` names it in the message.

    Raises:
        MalformedStatement: If it spells no integer of at most 15 digits.
    """
    text = word.text
    if not _INTEGER.match(text):
        raise malformed(name, word, f"is not an integer; {what} is written with digits only")
    return int(text)


def number(word: Word, name: str, reading: Reading) -> fmpq:
    """Return the exact number that a word spells under a reading; exponents may be written ``e`` or ``d``.

    Raises:
        MalformedStatement: If it spells no finite decimal number of bounded length and exponent.
    """
    try:
        return _value(word.text, reading)
    except ValueError as error:
        raise malformed(name, word, str(error)) from None


@lru_cache(maxsize=1 << 14)
def _value(text: str, reading: Reading) -> fmpq:
    match = _NUMBER.match(text)
    if match is None:
        raise ValueError(_why_no_number(text))
    text, exponent = text.translate(_FORTRAN), match[1] or "0"
    if len(text) > DIGIT_LIMIT or len(exponent) > 7 or abs(int(exponent)) > EXPONENT_LIMIT:
        raise ValueError(f"is longer than {DIGIT_LIMIT} characters or the exponent {EXPONENT_LIMIT}; round or scale it")
    if reading is Reading.DECIMAL:
        return parse_rational(text)
    value = float(text)
    if isinf(value):
        raise ValueError("overflows binary64; read the file as decimals or scale the problem")
    return binary64_fraction(value)


def looks_numeric(word: Word) -> bool:
    """Return whether a word spells a number, so that it cannot be taken for a remark."""
    return _NUMBER.match(word.text) is not None


def notices(*kinds: tuple[Sequence[Word], str]) -> tuple[Notice, ...]:
    """Return one notice for each kind of remark that has a word: where it is met first, and how often."""
    return tuple(
        Notice(f"line {words[0].line}, column {words[0].column}", words[0].text, problem, len(words))
        for words, problem in kinds
        if words
    )


def _why_no_number(text: str) -> str:
    bare = text.lstrip("+-").lower()
    if bare in ("nan", "inf", "infinity"):
        return "is not a finite number; remove it, a program has finite coefficients"
    if bare.startswith("0x"):
        return "is a hexadecimal number; write a decimal"
    if "/" in text:
        return "is a fraction, which this format does not have; write a decimal"
    return "is not a decimal number such as -1.5e-3"
