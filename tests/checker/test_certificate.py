"""Certificate files: canonical, strict, total, and safe against tampering."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.certificate import claim_digest, read_certificate, write_certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.codec import INDEX_LIMIT, TEXT_LIMIT, Malformed, encode
from certify.checker.exact import identity
from certify.checker.kernel import check
from certify.checker.verdict import Status
from tests.checker.examples import ACCEPTED, claim_with, one_hot, square, weighted_line
from tests.checker.oracle import is_true


@pytest.mark.parametrize("name", ACCEPTED)
def test_writing_and_reading_are_inverse_and_bytes_are_canonical(name: str) -> None:
    certificate = ACCEPTED[name]()
    data = write_certificate(certificate)
    assert read_certificate(data) == certificate
    assert write_certificate(read_certificate(data)) == data
    assert data.endswith(b"}\n")
    data.decode("ascii")


def test_large_powers_of_two_are_written_short() -> None:
    certificate = claim_with(square(), covariance=identity(2).scaled(2 + fmpq(1, 2**60)), upper=fmpq(5))
    data = write_certificate(certificate)
    assert b'"denominator": "2^60"' in data
    assert read_certificate(data) == certificate


def test_the_digest_names_the_claim() -> None:
    assert claim_digest(square().claim) == claim_digest(square().claim)
    assert claim_digest(square().claim) != claim_digest(claim_with(square(), lower=fmpq(3)).claim)


def _document() -> Any:
    return json.loads(write_certificate(square()))


def _edited(*path: str | int, value: Any) -> bytes:
    document = _document()
    target = document
    for step in path[:-1]:
        target = target[step]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return json.dumps(document).encode()


MALFORMED = {
    "empty": (b"", "line 1"),
    "not JSON": (b"{", "line 1"),
    "not UTF-8": (b"\xff\xfe", "byte 0"),
    "a list": (b"[]", "format"),
    "another format": (b'{"format": "x"}', "format"),
    "deep nesting": (b"[" * 100_000, "$"),
    "deep objects": (b'{"a":' * 100_000, "$"),
    "duplicate key": (b'{"format": 1, "format": 2}', "key 'format'"),
    "a float": (b'{"format": 1.5}', "number '1.5'"),
    "NaN": (b'{"format": NaN}', "number 'NaN'"),
    "a huge JSON integer": (b'{"format": ' + b"9" * 30 + b"}", "number"),
    "wrong version": (_edited("version", value=2), "version"),
    "version true": (_edited("version", value=True), "version"),
    "extra top field": (_edited("extra", value=1), "$"),
    "no witness": (_edited("witness", value=...), "$"),
    "unknown claim": (_edited("claim", "kind", value="Optimum"), "claim.kind"),
    "kind missing": (_edited("claim", "kind", value=...), "claim.kind"),
    "kind is a number": (_edited("claim", "kind", value=3), "claim.kind"),
    "claim is a text": (_edited("claim", value="x"), "claim"),
    "unknown field": (_edited("claim", "note", value="x"), "claim.'note'"),
    "missing field": (_edited("claim", "floor", value=...), "claim"),
    "number as JSON": (_edited("claim", "floor", value=0), "claim.floor"),
    "number with a plus": (_edited("claim", "floor", value="+1"), "claim.floor"),
    "number with zeros": (_edited("claim", "floor", value="007"), "claim.floor"),
    "negative zero": (_edited("claim", "floor", value="-0"), "claim.floor"),
    "decimal": (_edited("claim", "floor", value="0.5"), "claim.floor"),
    "fraction not reduced": (_edited("claim", "floor", value="2/4"), "claim.floor"),
    "fraction over one": (_edited("claim", "floor", value="2/1"), "claim.floor"),
    "zero denominator": (_edited("claim", "floor", value="1/0"), "claim.floor"),
    "negative denominator": (_edited("claim", "floor", value="1/-2"), "claim.floor"),
    "a number of too many digits": (_edited("claim", "floor", value="1" * 200_001), "claim.floor"),
    "trailing newline": (_edited("claim", "floor", value="1\n"), "claim.floor"),
    "arabic digits": (_edited("claim", "floor", value="١"), "claim.floor"),
    "negative floor": (_edited("claim", "floor", value="-1"), "claim"),
    "empty bracket": (_edited("claim", "lower", value="5"), "claim"),
    "matrix not reduced": (_edited("claim", "covariance", "denominator", value="2^1"), "claim.covariance.denominator"),
    "power of two in full": (
        _edited("claim", "covariance", value={"denominator": "2", "lower_triangle": [["1"], ["0", "1"]]}),
        "claim.covariance.denominator",
    ),
    "power one": (_edited("claim", "covariance", "denominator", value="2^0"), "claim.covariance.denominator"),
    "matrix with other fields": (_edited("claim", "covariance", value={"denominator": "1"}), "claim.covariance"),
    "ragged triangle": (
        _edited("claim", "covariance", "lower_triangle", value=[["1"], ["1"]]),
        "claim.covariance.lower_triangle[1]",
    ),
    "entry is a JSON number": (
        _edited("claim", "covariance", "lower_triangle", 1, 0, value=0),
        "claim.covariance.lower_triangle[1][0]",
    ),
    "entry is a text": (
        _edited("claim", "covariance", "lower_triangle", 1, 0, value="x"),
        "claim.covariance.lower_triangle[1][0]",
    ),
    "covariance of another size": (
        _edited("claim", "covariance", value={"denominator": "1", "lower_triangle": [["1"]]}),
        "claim",
    ),
    "columns wrong": (
        _edited("claim", "sensitivity", "domain", "records", "columns", value=3),
        "claim.sensitivity.domain.records.rows[0]",
    ),
    "no records": (_edited("claim", "sensitivity", "domain", "records", "rows", value=[]), "claim.sensitivity.domain"),
    "unknown neighbours": (_edited("claim", "sensitivity", "neighbours", value="all"), "claim.sensitivity.neighbours"),
    "negative zCDP": (_edited("claim", "guarantee", "rho", value="-1"), "claim.guarantee"),
    "index negative": (
        _edited("witness", "dual", "multipliers", 0, "vector", "first", value=-1),
        "witness.dual.multipliers[0].vector.first",
    ),
    "index a bool": (
        _edited("witness", "dual", "multipliers", 0, "vector", "first", value=True),
        "witness.dual.multipliers[0].vector.first",
    ),
    "index too large": (
        _edited("witness", "dual", "multipliers", 0, "vector", "first", value=INDEX_LIMIT + 1),
        "witness.dual.multipliers[0].vector.first",
    ),
    "text too long": (
        _edited("claim", "sensitivity", "neighbours", value="x" * (TEXT_LIMIT + 1)),
        "claim.sensitivity.neighbours",
    ),
    "multipliers no list": (_edited("witness", "dual", "multipliers", value={}), "witness.dual.multipliers"),
}


def test_a_file_beyond_the_limit_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_certificate(square())
    monkeypatch.setattr("certify.checker.certificate.SIZE_LIMIT", len(data))
    assert read_certificate(data) == square()
    with pytest.raises(Malformed, match="larger than"):
        read_certificate(data + b"\n")


def test_only_data_of_certificates_can_be_written() -> None:
    for value in (1.5, {"a": 1}, [1], object(), fmpq):
        with pytest.raises(TypeError, match="is not data of a certificate"):
            encode(value)


def test_certificates_and_errors_survive_pickling() -> None:
    assert pickle.loads(pickle.dumps(weighted_line())) == weighted_line()  # noqa: S301
    error = pickle.loads(pickle.dumps(Malformed("claim.upper", "is no number")))  # noqa: S301
    assert (error.place, error.problem, str(error)) == ("claim.upper", "is no number", "claim.upper: is no number")


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_files_name_the_place(name: str) -> None:
    data, place = MALFORMED[name]
    with pytest.raises(Malformed) as caught:
        read_certificate(data)
    assert caught.value.place.startswith(place), caught.value
    assert caught.value.problem


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_any_bytes_end_in_a_certificate_or_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        read_certificate(data)


@given(st.data())
@settings(max_examples=200)
def test_damaged_files_end_in_a_verdict_or_malformed(data: st.DataObject) -> None:
    original = write_certificate(ACCEPTED[data.draw(st.sampled_from(sorted(ACCEPTED)))]())
    position = data.draw(st.integers(0, len(original) - 1))
    damage = data.draw(st.binary(max_size=3))
    damaged = original[:position] + damage + original[position + data.draw(st.integers(0, 3)) :]
    try:
        verdict = check(read_certificate(damaged))
    except Malformed:
        return
    assert verdict.status in {Status.PROVED, Status.REJECTED}
    if verdict.status is Status.PROVED:
        assert isinstance(verdict.claim, CovarianceOptimum)
        assert is_true(verdict.claim)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["1", "-1/2", "2^3", "ZCDP", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["kind", "rho", "rows"]), inner),
    max_leaves=8,
)


@given(st.data(), JSON)
@settings(max_examples=200)
def test_any_subtree_may_be_replaced(data: st.DataObject, replacement: Any) -> None:
    document = json.loads(write_certificate(one_hot()))
    path = data.draw(st.sampled_from(list(_paths(document, ()))))
    _set(document, path, replacement)
    try:
        verdict = check(read_certificate(json.dumps(document).encode()))
    except Malformed:
        return
    assert verdict.status in {Status.PROVED, Status.REJECTED}


def _paths(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths(item, (*path, index))


def _get(document: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def _set(document: Any, path: tuple[str | int, ...], value: Any) -> None:
    _get(document, path[:-1])[path[-1]] = value


def _numbers(document: Any) -> list[tuple[str | int, ...]]:
    return [path for path in _paths(document, ()) if _is_number(_get(document, path))]


def _is_number(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and value.lstrip("-")[:1].isdigit() and len(value) < 100)


def _mutations(value: Any) -> list[Any]:
    if isinstance(value, int):
        return [value + 1, max(value - 1, 0), 0]
    if "^" in value:
        return ["1", "2^1", "2^61", "3"]
    number = fmpq(value)
    changes = [number + 1, number - 1, -number, number * 2, number / 2, fmpq(0), number + fmpq(1, 10**20)]
    return [str(change) for change in changes if change != number]


@pytest.mark.parametrize("name", ACCEPTED)
def test_tampering_with_any_number_never_proves_a_false_claim(name: str) -> None:
    original = json.loads(write_certificate(ACCEPTED[name]()))
    tried = proved = 0
    for path in _numbers(original):
        for value in _mutations(_get(original, path)):
            document = json.loads(json.dumps(original))
            _set(document, path, value)
            tried += 1
            try:
                verdict = check(read_certificate(json.dumps(document).encode()))
            except Malformed:
                continue
            if verdict.status is Status.PROVED:
                proved += 1
                assert isinstance(verdict.claim, CovarianceOptimum)
                assert is_true(verdict.claim), (path, value)
    assert tried > 30
    assert proved < tried


def test_a_tightened_bracket_is_rejected_whatever_the_witness() -> None:
    tight = weighted_line()
    assert isinstance(tight.claim, CovarianceOptimum)
    for changes in ({"lower": fmpq(34)}, {"upper": fmpq(33)}):
        assert check(claim_with(tight, **changes)).status is Status.REJECTED
