"""The one passage between JSON and the frozen dataclasses of claims and witnesses: strict, total, canonical.

A dataclass is an object that carries ``kind``, its class name, and its fields.
Exact numbers are canonical decimal strings (``-3/7``, ``2^60`` for a power of two as a denominator); small structural
integers (indices, sizes) are JSON integers. Nothing else is accepted: no unknown or missing field, no JSON float.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix, shown

DIGIT_LIMIT = 200_000
INDEX_LIMIT = 1 << 40
TEXT_LIMIT = 10_000
_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]*)\Z")
_POWER_OF_TWO = re.compile(r"2\^([1-9][0-9]{0,6})\Z")


class Triangle(StrEnum):
    """How a matrix is written: all its rows, or the lower triangle of a symmetric matrix."""

    ROWS = "rows"
    LOWER = "lower_triangle"


Symmetric = Annotated[Matrix, Triangle.LOWER]
"""A symmetric matrix, written by its lower triangle."""


class Malformed(Exception):
    """A file that is no certificate: names the place inside it, what is there and what is expected.

    Attributes:
        place: The path inside the JSON document, such as ``claim.records.rows[3][2]``.
        problem: What is wrong there and what to do.

    Example:
        >>> import certify
        >>> try:
        ...     certify.read_certificate(b"{}")
        ... except certify.Malformed as error:
        ...     print(error.place)
        format
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem

    def __reduce__(self) -> tuple[type[Malformed], tuple[str, str]]:
        return Malformed, (self.place, self.problem)


def encode(value: object, hint: Any = None) -> Any:
    """Return the JSON value of a dataclass, number, matrix, tuple, text or None."""
    match value:
        case None | int() | str():
            return str(value) if isinstance(value, StrEnum) else value
        case fmpq():
            return str(value)
        case Matrix():
            return _encode_matrix(value, _triangle(hint))
        case tuple():
            inner = get_args(_bare(hint))
            return [encode(item, inner[0] if inner else None) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        hints = _hints(type(value))
        encoded = {field.name: encode(getattr(value, field.name), hints[field.name]) for field in fields(value)}
        return {"kind": type(value).__name__, **encoded}
    raise TypeError(f"{type(value).__name__} is not data of a certificate")


def decode(value: Any, hint: Any, place: str) -> Any:
    """Return the typed value that a JSON value spells, or raise.

    Args:
        value: What ``json.loads`` returned.
        hint: The type wanted: a dataclass, a union of dataclasses, ``X | None``, ``tuple[X, ...]``, a scalar.
        place: The path of the value, for messages.

    Raises:
        Malformed: Wherever the value is not exactly of the wanted form.
    """
    bare = _bare(hint)
    origin = get_origin(bare)
    if origin in (Union, UnionType):
        return _decode_union(value, get_args(bare), place)
    if origin is tuple:
        items = _expect(value, list, place)
        return tuple(decode(item, get_args(bare)[0], f"{place}[{i}]") for i, item in enumerate(items))
    if bare is Matrix:
        return _decode_matrix(value, _triangle(hint), place)
    if is_dataclass(bare):
        return _decode_union(value, (bare,), place)
    return _decode_scalar(value, bare, place)


def _decode_scalar(value: Any, hint: Any, place: str) -> Any:
    if hint is fmpq:
        return _decode_fraction(value, place)
    if hint is int:
        number = _expect(value, int, place)
        if not 0 <= number <= INDEX_LIMIT:
            raise Malformed(place, f"{number} is not an index or size between 0 and {INDEX_LIMIT}")
        return number
    return _decode_text(_expect(value, str, place), hint, place)


def _decode_text(text: str, hint: Any, place: str) -> str:
    if len(text) > TEXT_LIMIT:
        raise Malformed(place, f"a text longer than {TEXT_LIMIT} characters")
    if hint is not str and text not in {str(member) for member in hint}:
        raise Malformed(place, f"{shown(text)} is not one of {', '.join(map(str, hint))}")
    return text if hint is str else hint(text)


def _decode_union(value: Any, members: tuple[Any, ...], place: str) -> Any:
    variants = [member for member in members if member is not NoneType]
    if value is None and len(variants) < len(members):
        return None
    if _bare(variants[0]) is Matrix or not is_dataclass(variants[0]):
        return decode(value, variants[0], place)
    kind = _expect(value, dict, place).get("kind")
    for member in variants:
        if member.__name__ == kind:
            return _decode_fields(value, member, place)
    names = ", ".join(member.__name__ for member in variants)
    found = shown(kind) if isinstance(kind, str) else "missing" if kind is None else "no text"
    raise Malformed(f"{place}.kind", f"{found}; expected one of {names}")


def _decode_fields(document: dict[str, Any], cls: Any, place: str) -> Any:
    names = {field.name for field in fields(cls)}
    if unknown := sorted(set(document) - names - {"kind"}):
        raise Malformed(f"{place}.{shown(unknown[0])}", f"unknown field; {cls.__name__} has {', '.join(sorted(names))}")
    if missing := sorted(names - set(document)):
        raise Malformed(place, f"field {missing[0]!r} of {cls.__name__} is missing")
    hints = _hints(cls)
    arguments = {name: decode(document[name], hints[name], f"{place}.{name}") for name in names}
    try:
        return cls(**arguments)
    except ValueError as error:
        raise Malformed(place, str(error)) from None


def _decode_fraction(value: Any, place: str) -> fmpq:
    numerator, slash, denominator = _expect(value, str, place).partition("/")
    if not slash:
        return fmpq(_decode_integer(numerator, place))
    fraction = fmpq(_decode_integer(numerator, place), _positive(_decode_integer(denominator, place), place))
    if str(fraction) != value:
        raise Malformed(place, f"{shown(value)} is not in lowest terms; write {shown(str(fraction))}")
    return fraction


def _decode_integer(text: Any, place: str) -> fmpz:
    if not isinstance(text, str) or not _INTEGER.match(text):
        raise Malformed(place, f"{shown(str(text))} is not an integer written as a canonical decimal string")
    if len(text) > DIGIT_LIMIT:
        raise Malformed(place, f"a number of more than {DIGIT_LIMIT} digits")
    return fmpz(text)


def _positive(denominator: fmpz, place: str) -> fmpz:
    if denominator <= 0:
        raise Malformed(place, f"the denominator {shown(str(denominator))} is not positive")
    return denominator


def _decode_denominator(value: Any, place: str) -> fmpz:
    if isinstance(value, str) and (match := _POWER_OF_TWO.match(value)):
        return fmpz(2) ** int(match[1])
    denominator = _positive(_decode_integer(value, place), place)
    if _encode_denominator(denominator) != value:
        raise Malformed(place, f"write this power of two as {_encode_denominator(denominator)!r}")
    return denominator


def _encode_denominator(denominator: fmpz) -> str:
    power = denominator.bit_length() - 1
    return f"2^{power}" if power > 0 and denominator == fmpz(2) ** power else str(denominator)


def _encode_matrix(value: Matrix, triangle: Triangle) -> dict[str, Any]:
    rows = value.numerators.tolist()
    if triangle is Triangle.LOWER:
        rows = [row[: i + 1] for i, row in enumerate(rows)]
    size = {"columns": value.columns} if triangle is Triangle.ROWS else {}
    return {
        "denominator": _encode_denominator(value.denominator),
        **size,
        triangle: [[str(e) for e in r] for r in rows],
    }


def _decode_matrix(value: Any, triangle: Triangle, place: str) -> Matrix:
    document = _expect(value, dict, place)
    expected = {"denominator", str(triangle)} | ({"columns"} if triangle is Triangle.ROWS else set())
    if set(document) != expected:
        raise Malformed(place, f"a matrix here has exactly the fields {', '.join(sorted(expected))}")
    denominator = _decode_denominator(document["denominator"], f"{place}.denominator")
    where = f"{place}.{triangle}"
    rows = _expect(document[triangle], list, where)
    lower = triangle is Triangle.LOWER
    columns = len(rows) if lower else _decode_scalar(document["columns"], int, f"{place}.columns")
    entries = []
    for i, row in enumerate(rows):
        width = i + 1 if lower else columns
        if not isinstance(row, list) or len(row) != width:
            raise Malformed(f"{where}[{i}]", f"expected a list of {width} numbers")
        entries.append(_decode_row(row, f"{where}[{i}]"))
    numerators = _fill(entries) if lower else fmpz_mat(len(rows), columns, [e for row in entries for e in row])
    result = matrix(numerators, denominator)
    if result.denominator != denominator:
        raise Malformed(f"{place}.denominator", "the matrix is not in lowest terms")
    return result


def _decode_row(row: list[Any], place: str) -> list[fmpz]:
    try:
        if all(map(_INTEGER.match, row)) and max(map(len, row), default=0) <= DIGIT_LIMIT:
            return list(map(fmpz, row))
    except TypeError:
        pass
    return [_decode_integer(entry, f"{place}[{j}]") for j, entry in enumerate(row)]


def _fill(lower: list[list[fmpz]]) -> fmpz_mat:
    size = len(lower)
    return fmpz_mat(size, size, [lower[max(i, j)][min(i, j)] for i in range(size) for j in range(size)])


def _expect(value: Any, wanted: type[Any], place: str) -> Any:
    if type(value) is not wanted:
        names = {dict: "an object", list: "a list", str: "a text", int: "a small integer"}
        raise Malformed(place, f"expected {names[wanted]}")
    return value


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _triangle(hint: Any) -> Triangle:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else _optional_marks(hint)
    return Triangle.LOWER if Triangle.LOWER in marks else Triangle.ROWS


def _optional_marks(hint: Any) -> tuple[Any, ...]:
    return next((get_args(arm)[1:] for arm in get_args(hint) if get_origin(arm) is Annotated), ())


_hints: Callable[[Any], dict[str, Any]] = cache(lambda cls: get_type_hints(cls, include_extras=True))
