"""The in-toto statement: what was checked, by digest, and what came of it, reproducibly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from flint import fmpq

from certify.checker.certificate import claim_digest, write_certificate
from certify.checker.exact import identity
from certify.reports.attestation import OwnFile, to_statement
from tests.checker.examples import claim_with, one_hot, square
from tests.reports.examples import artifact_of, malformed, proved, refuted, rejected, undecided


def _statement(*artifacts: Any, own: Sequence[OwnFile] = ()) -> Any:
    return json.loads(to_statement(artifacts, own))


def test_the_statement_has_the_required_form() -> None:
    statement = _statement(proved())
    assert set(statement) == {"_type", "subject", "predicateType", "predicate"}
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    digest = {"sha256": hashlib.sha256(proved().data).hexdigest()}
    assert statement["subject"] == [{"name": "noise/square.cert.json", "digest": digest}]
    (verdict,) = statement["predicate"]["verdicts"]
    assert verdict["verdict"] == "PROVED"
    assert verdict["claimDigest"] == {"sha256": claim_digest(square().claim)}
    assert (verdict["lower"], verdict["upper"]) == ("4", "4")
    assert statement["predicate"]["result"] == "PASSED"


@pytest.mark.parametrize("other", [rejected(), refuted(), malformed(), undecided()], ids=lambda a: a.status)
def test_one_file_that_is_not_proved_fails_the_whole(other: Any) -> None:
    statement = _statement(proved(), other)
    assert statement["predicate"]["result"] == "FAILED"
    assert [v["verdict"] for v in statement["predicate"]["verdicts"]] == ["PROVED", other.status]


def test_the_claim_digest_ignores_layout_and_sees_every_number() -> None:
    data = write_certificate(square())
    loose = artifact_of("a", json.dumps(json.loads(data), indent=4).encode())
    changed = artifact_of("a", write_certificate(claim_with(square(), lower=fmpq(3))))

    def digests(artifact: Any) -> tuple[str, str]:
        statement = _statement(artifact)
        (verdict,) = statement["predicate"]["verdicts"]
        return statement["subject"][0]["digest"]["sha256"], verdict["claimDigest"]["sha256"]

    raw, claim = digests(artifact_of("a", data))
    assert digests(loose)[0] != raw
    assert digests(loose)[1] == claim
    assert digests(changed)[1] != claim


def test_the_records_digest_is_that_of_the_records_alone() -> None:
    def records(certificate: Any) -> str:
        (verdict,) = _statement(artifact_of("a", write_certificate(certificate)))["predicate"]["verdicts"]
        return str(verdict["recordsDigest"]["sha256"])

    assert records(square()) == records(claim_with(square(), covariance=identity(2).scaled(fmpq(3)), upper=fmpq(6)))
    assert records(square()) != records(one_hot())


def _values(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            for inner in value.values():
                yield from _values(inner)
        case list():
            for inner in value:
                yield from _values(inner)
        case _:
            yield value


def test_the_bytes_are_canonical_and_reproducible() -> None:
    artifacts = [proved(), refuted(), malformed()]
    data = to_statement(artifacts)
    assert data == to_statement(artifacts)
    statement = json.loads(data)
    assert data.decode("ascii") == json.dumps(statement, sort_keys=True, separators=(",", ":")) + "\n"
    assert not [value for value in _values(statement) if isinstance(value, float)]


def test_records_that_were_compared_are_named() -> None:
    own = [OwnFile("data/records.csv", b"0,0\n")]
    digest = {"sha256": hashlib.sha256(b"0,0\n").hexdigest()}
    compared = _statement(proved(), own=own)["predicate"]["comparedWith"]
    assert compared == [{"uri": "data/records.csv", "digest": digest}]
    assert "comparedWith" not in _statement(proved())["predicate"]
