"""Strict reading of TOML: exact numbers, tables whose keys are all known, errors that name file, key and remedy."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from certify.checker.exact import Matrix, matrix_of_fractions, parse_rational, shown
from certify.checker.statements.malformed import MalformedStatement


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number with a point or an exponent as the file spells it."""

    text: str


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a TOML file with the file and the key it stands at.

    Attributes:
        name: The name of the file.
        place: The key, such as ``claims[2].delta``; empty for the whole file.
        value: What stands there.
    """

    name: str
    place: str
    value: Any

    def error(self, problem: str) -> MalformedStatement:
        """Return the error that says what is wrong here."""
        return MalformedStatement(self.name, self.place, problem)


def read_toml(data: bytes, name: str) -> Node:
    """Return the whole of a TOML file; numbers with a point or an exponent keep their spelling.

    Raises:
        MalformedStatement: If the bytes are no TOML.
    """
    try:
        document = tomllib.loads(data.decode("utf-8"), parse_float=Spelled)
    except UnicodeDecodeError as error:
        raise MalformedStatement(name, f"byte {error.start}", "not UTF-8 text; give a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise MalformedStatement(name, "", f"not TOML: {error}") from None
    except RecursionError:
        raise MalformedStatement(name, "", "nested too deeply") from None
    return Node(name, "", document)


def table(node: Node, required: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Node]:
    """Return the entries of a table that has all required keys and none beyond the optional ones.

    Raises:
        MalformedStatement: If the node is no table, or a key is missing or unknown.
    """
    known = (*required, *optional)
    if not isinstance(node.value, dict):
        raise node.error(f"{_kind(node.value)} stands where a table with the keys {_listed(known)} is expected")
    for key in node.value:
        if key not in known:
            raise entry(node, key).error(f"unknown key; the keys here are {_listed(known)}")
    for key in required:
        if key not in node.value:
            raise node.error(f"the key {key!r} is missing; the keys here are {_listed(known)}")
    return {key: entry(node, key) for key in node.value}


def choice(node: Node, keys: Sequence[str]) -> tuple[str, Node]:
    """Return the one entry of a table that has exactly one of the keys.

    Raises:
        MalformedStatement: If it is no such table.
    """
    entries = table(node, (), keys)
    if len(entries) != 1:
        found = "none" if not entries else " and ".join(entries)
        raise node.error(f"give exactly one of {_listed(keys)}, not {found}")
    return next(iter(entries.items()))


def entry(node: Node, key: str) -> Node:
    """Return the node under a key of a table."""
    return Node(node.name, f"{node.place}.{key}" if node.place else key, node.value[key])


def items(node: Node) -> list[Node]:
    """Return the items of a list that is not empty, counted from 1 in messages.

    Raises:
        MalformedStatement: If it is no list or an empty one.
    """
    if not isinstance(node.value, list):
        raise node.error(f"{_kind(node.value)} stands where a list is expected")
    if not node.value:
        raise node.error("the list is empty; give at least one item")
    return [Node(node.name, f"{node.place}[{index}]", item) for index, item in enumerate(node.value, 1)]


def text(node: Node) -> str:
    """Return a text.

    Raises:
        MalformedStatement: If it is none.
    """
    if not isinstance(node.value, str):
        raise node.error(f"{_kind(node.value)} stands where a text is expected; write it in quotes")
    return str(node.value)


def one_of(node: Node, words: Sequence[str]) -> str:
    """Return a text that is one of the given words.

    Raises:
        MalformedStatement: If it is none of them.
    """
    word = text(node)
    if word not in words:
        raise node.error(f"{shown(word)} is not one of {_listed(words)}")
    return word


def number(node: Node) -> fmpq:
    """Return the exact rational that a number, or a text such as ``"1/3"``, spells.

    Raises:
        MalformedStatement: If it spells none.
    """
    match node.value:
        case bool():
            raise node.error("true or false stands where a number is expected")
        case int(value):
            return fmpq(value)
        case Spelled(spelling):
            return _rational(node, spelling.replace("_", ""))
        case str(spelling):
            return _rational(node, spelling)
        case other:
            raise node.error(f"{_kind(other)} stands where a number or a text such as '1/3' is expected")


def whole(node: Node) -> int:
    """Return an integer.

    Raises:
        MalformedStatement: If it is none.
    """
    if type(node.value) is not int:
        raise node.error(f"{_kind(node.value)} stands where a whole number is expected")
    return int(node.value)


def row(node: Node) -> Matrix:
    """Return the 1 x d matrix that a list of numbers is.

    Raises:
        MalformedStatement: If it is no such list.
    """
    entries = [number(item) for item in items(node)]
    return matrix_of_fractions([entries], len(entries))


def rows(node: Node) -> Matrix:
    """Return the matrix that a list of lists of numbers, all of one length, is.

    Raises:
        MalformedStatement: If it is no such list.
    """
    found = [row(item) for item in items(node)]
    for index, each in enumerate(found, 1):
        if each.columns != found[0].columns:
            raise Node(node.name, f"{node.place}[{index}]", None).error(
                f"{each.columns} numbers where the first row has {found[0].columns}"
            )
    listed = [[each.entry(0, column) for column in range(each.columns)] for each in found]
    return matrix_of_fractions(listed, found[0].columns)


def _rational(node: Node, spelling: str) -> fmpq:
    try:
        return parse_rational(spelling)
    except ValueError as error:
        raise node.error(str(error)) from None


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | Spelled():
            return "a number"
        case str():
            return "a text"
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return "a date or time"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
