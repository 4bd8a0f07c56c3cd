"""Places inside certificate files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.codec import Malformed
from certify.checker.verdict import Obligation
from certify.reports.positions import (
    OBLIGATION_PLACES,
    Region,
    _offset,
    region_of_obligation,
    region_of_path,
    region_of_problem,
)
from tests.checker.examples import one_hot, square

DATA = write_certificate(square())
TEXT = DATA.decode("ascii")


def _line(region: Region, text: str = TEXT) -> str:
    return text.splitlines()[region.line - 1][region.column - 1 : region.end_column - 1]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("claim.lower", '"lower": "4",'),
        ("claim.upper", '"upper": "4",'),
        ("claim.guarantee.rho", '"rho": "1/2"'),
        ("witness.primal.precision", '"precision": {'),
        ("claim.sensitivity.domain.records.rows[2]", '["1","0"],'),
        ("claim.sensitivity.domain.records.rows[2][1]", '"0"],'),
        ("claim.nothing", '"claim": {'),
        ("claim.lower.deeper", '"lower": "4",'),
        ("nowhere", "{"),
        ("$", "{"),
    ],
)
def test_a_path_leads_to_its_line(path: str, line: str) -> None:
    assert _line(region_of_path(TEXT, path)) == line


def test_integer_elements_are_not_taken_for_indices() -> None:
    text = '{"a": [3, 1, 2, 0], "b": {"3": 7}}'
    assert text[region_of_path(text, "a[3]").column - 1 :].startswith("0]")
    assert text[region_of_path(text, "b.3").column - 1 :].startswith('"3"')


def _broken(old: str, new: str) -> tuple[bytes, Malformed]:
    assert old in TEXT
    data = TEXT.replace(old, new, 1).encode()
    with pytest.raises(Malformed) as caught:
        read_certificate(data)
    return data, caught.value


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"rho": "1/2"', '"rho": "2/4"', '"rho": "2/4"'),
        ('["1","0"]', '["1","x"]', '"x"],'),
        ('"rho": "1/2"', '"rho": 0.5', "0.5"),
        ('"rho": "1/2"', '"rho": "1/2",\n "rho": "1/2"', '"rho": "1/2"'),
        ('"rho": "1/2"', '"rho": "1/2" "', '"'),
        ('"upper": "4"', '"hugger": "4"', '"hugger": "4",'),
        ('"version": 1', '"version": 7', '"version": 7,'),
    ],
)
def test_a_problem_leads_to_its_line(old: str, new: str, line: str) -> None:
    data, problem = _broken(old, new)
    assert _line(region_of_problem(data, problem), data.decode()).startswith(line), problem.place


def test_a_byte_that_is_no_text_leads_to_its_line() -> None:
    data = DATA.replace(b'"rho"', b'"r\xffo"')
    with pytest.raises(Malformed) as caught:
        read_certificate(data)
    region = region_of_problem(data, caught.value)
    assert data.decode("utf-8", "replace").splitlines()[region.line - 1][region.column - 1] == "\ufffd"


def test_every_obligation_has_a_place_in_some_certificate() -> None:
    for name, path in OBLIGATION_PLACES:
        data = write_certificate(one_hot())
        region = region_of_obligation(data, Obligation(f"{name} and so on", False, ""))
        top = path.split(".")[0]
        assert region.line >= region_of_path(data.decode(), top).line
    lower = region_of_obligation(DATA, Obligation("lower bound", False, ""))
    assert _line(lower) == '"lower": "4",'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a"\\{,:', max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"[.', min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def _paths(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner: list[tuple[str | int, ...]] = [here] if here else []
    match value:
        case dict():
            for key in value:
                inner += _paths(value[key], (*here, key))
        case list():
            for index, item in enumerate(value):
                inner += _paths(item, (*here, index))
    return inner


@settings(max_examples=30, deadline=None)
@given(JSON)
def test_every_member_of_any_document_is_found(document: Any) -> None:
    text = json.dumps(document, indent=1)
    for path in _paths(document):
        rest = text[_offset(text, list(path)) :]
        value = document
        for step in path:
            value = value[step]
        start = json.dumps(path[-1]) + ": " if isinstance(path[-1], str) else ""
        assert rest.startswith(start + json.dumps(value, indent=1).split("\n", maxsplit=1)[0])


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.text(max_size=20))
def test_any_bytes_and_any_place_have_a_region(data: bytes, place: str) -> None:
    for where in (place, "claim.lower", "byte 3", "line 2, column 9", "key 'a'"):
        region = region_of_problem(data, Malformed(where, ""))
        assert region.line >= 1
        assert 1 <= region.column < region.end_column
