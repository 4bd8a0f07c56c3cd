"""Where something is inside a certificate file: from a path such as ``claim.lower`` to a line for people and editors.

Total on any bytes: a path that leads nowhere ends at the nearest place on the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from certify.checker.codec import Malformed
from certify.checker.verdict import Obligation

Step: TypeAlias = str | int

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_STEP = re.compile(r"\[([0-9]+)\]|'([^']*)'|([^.\[\]']+)")
_DIRECT = re.compile(r"line ([0-9]+), column ([0-9]+)\Z")
_BYTE = re.compile(r"byte ([0-9]+)\Z")
_QUOTED = re.compile(r"(key|number) '(.*)'\Z")

OBLIGATION_PLACES = (
    ("upper bound", "claim.upper"),
    ("primal value", "claim.upper"),
    ("lower bound", "claim.lower"),
    ("dual value", "claim.lower"),
    ("weight", "claim.weight"),
    ("budget", "claim.guarantee"),
    ("guarantee", "claim.guarantee"),
    ("covariance", "claim.covariance"),
    ("every pair", "claim.covariance"),
    ("every sensitivity vector", "claim.covariance"),
    ("precision bounds", "witness.primal.precision"),
    ("support", "witness.primal.support"),
    ("box bound", "witness.primal.box_bound"),
    ("multipliers", "witness.dual"),
    ("floor multiplier", "witness.dual"),
    ("dual blocks", "witness.dual"),
    ("gap formula", "witness.dual"),
    ("records belong", "witness.records"),
    ("query", "witness.query"),
    ("witness", "witness"),
    ("shapes", "witness"),
    ("point", "witness"),
    ("exposing", "witness"),
    ("faces", "witness"),
)
"""How the name of an obligation begins, and the member of the file that it is about; anything else is about the claim.
"""


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of one line; lines and columns count from 1, and ``end_column`` is the column after the last."""

    line: int
    column: int
    end_column: int


def region_of_obligation(data: bytes, obligation: Obligation) -> Region:
    """Return the line of the member of a certificate that an obligation is about."""
    place = next((path for start, path in OBLIGATION_PLACES if obligation.name.startswith(start)), "claim")
    return region_of_path(_text(data), place)


def region_of_problem(data: bytes, problem: Malformed) -> Region:
    """Return the line that makes a file no certificate."""
    text = _text(data)
    if match := _DIRECT.match(problem.place):
        lines = text.splitlines()
        line = min(int(match[1]), max(len(lines), 1))
        return _rest_of_line(text, sum(len(each) + 1 for each in lines[: line - 1]) + int(match[2]) - 1)
    if match := _BYTE.match(problem.place):
        return _rest_of_line(text, len(data[: int(match[1])].decode("utf-8", "replace")))
    if match := _QUOTED.match(problem.place):
        return _rest_of_line(text, _last(text, json.dumps(match[2]) if match[1] == "key" else match[2]))
    return region_of_path(text, problem.place)


def region_of_path(text: str, place: str) -> Region:
    """Return where the member at a path such as ``claim.records.rows[3]`` begins, to the end of its line."""
    return _rest_of_line(text, _offset(text, _steps(place)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _steps(place: str) -> list[Step]:
    if place == "$":
        return []
    return [int(index) if index else quoted or name for index, quoted, name in _STEP.findall(place)]


def _offset(text: str, steps: list[Step]) -> int:
    """Return the offset of the deepest member on the way that exists."""
    tokens = _TOKEN.finditer(text)
    opening = next(tokens, None)
    found = 0 if opening is None else opening.start()
    for step in steps:
        member = _member(tokens, step)
        if member is None:
            break
        found = member.start()
        if isinstance(step, str):
            next(tokens, None)
            next(tokens, None)
    return found


def _member(tokens: Iterator[re.Match[str]], step: Step) -> re.Match[str] | None:
    """Return the key, or the first token of the element, that a step names in the container just opened."""
    wanted = json.dumps(step)
    depth, index, fresh = 0, 0, True
    for token in tokens:
        mark = token[0]
        if depth == 0 and fresh and (index == step if isinstance(step, int) else mark == wanted):
            return token
        fresh = False
        depth += (mark in "{[") - (mark in "}]")
        if depth < 0:
            return None
        if depth == 0 and mark == ",":
            index, fresh = index + 1, True
    return None


def _last(text: str, wanted: str) -> int:
    return max(text.rfind(wanted), 0)


def _rest_of_line(text: str, offset: int) -> Region:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    last = (len(text) if end < 0 else end) - start + 1
    column = offset - start + 1
    return Region(text.count("\n", 0, offset) + 1, column, max(last, column + 1))
