"""The JSON Schema of the certificate format: in step with the reader, and true of real certificates."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.codec import Malformed, decode
from certify.reports.schema import _reachable, _schema_of, certificate_schema, published_schema
from tests.checker.examples import ACCEPTED, square
from tests.reports.examples import refuted

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(certificate_schema())
VALIDATOR = Draft202012Validator(SCHEMA)
STORED = sorted((ROOT / "proofs" / "certificates").rglob("*.json"))


def test_the_published_schema_is_the_generated_one() -> None:
    assert published_schema() == certificate_schema(), (
        "the certificate format changed: run certify schema -o certify/schema/certificate.schema.json"
    )


def test_it_is_a_schema_in_which_every_reference_leads_somewhere() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    text = certificate_schema()
    names = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}
    assert names <= set(SCHEMA["$defs"])
    assert {"CovarianceOptimum", "ReleasePrivacy", "ConicBracket", "Counterexample"} <= names


@pytest.mark.parametrize("name", ACCEPTED)
def test_real_certificates_are_valid(name: str) -> None:
    VALIDATOR.validate(json.loads(write_certificate(ACCEPTED[name]())))
    VALIDATOR.validate(json.loads(refuted().data))


def test_stored_certificates_that_can_be_read_are_valid() -> None:
    for path in STORED:
        try:
            read_certificate(path.read_bytes())
        except Malformed:
            continue
        VALIDATOR.validate(json.loads(path.read_bytes()))


def _edits() -> list[tuple[tuple[str | int, ...], Any]]:
    return [
        (("version",), 2),
        (("format",), "certificate"),
        (("claim", "lower"), 4),
        (("claim", "lower"), "4.0"),
        (("claim", "lower"), "8/1"),
        (("claim", "kind"), "Nothing"),
        (("claim", "more"), "1"),
        (("claim", "covariance", "denominator"), "-1"),
        (("claim", "covariance", "lower_triangle", 0), "2"),
        (("claim", "sensitivity", "neighbours"), "any"),
        (("claim", "sensitivity", "domain", "source"), {}),
        (("witness", "primal", "support"), "none"),
        (("witness", "dual", "multipliers", 0, "vector", "first"), -1),
        (("witness", "dual", "multipliers", 0, "vector", "first"), "0"),
    ]


@pytest.mark.parametrize(("path", "value"), _edits())
def test_what_the_reader_refuses_is_not_valid(path: tuple[str | int, ...], value: Any) -> None:
    document = json.loads(write_certificate(square()))
    changed = deepcopy(document)
    target: Any = changed
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    with pytest.raises(Malformed):
        read_certificate(json.dumps(changed).encode())
    assert not VALIDATOR.is_valid(changed)


@given(st.fractions(), st.sampled_from(["{}", "{}/1", "0{}", "+{}", "{}.0", " {}"]))
def test_rationals_are_valid_exactly_where_the_reader_takes_them(number: Fraction, form: str) -> None:
    text = form.format(number)
    rational = Draft202012Validator(SCHEMA["$defs"]["rational"])
    try:
        decode(text, fmpq, "here")
    except Malformed:
        assert not rational.is_valid(text)
    else:
        assert rational.is_valid(text)


def test_a_hint_that_is_no_data_is_refused() -> None:
    with pytest.raises(TypeError, match="not data"):
        _schema_of(float)

    @dataclass(frozen=True, slots=True)
    class Multiplier:
        value: int

    from certify.checker.witnesses import Multiplier as Other  # noqa: PLC0415

    with pytest.raises(TypeError, match="are called Multiplier"):
        _reachable([Multiplier, Other])
