"""The in-toto statement: what was checked, by digest, and what came of it, reproducibly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from flint import fmpq

from certify.checker.certificate import Certificate, claim_digest, write_certificate
from certify.checker.conic.claims import ConicBracket, Optimum
from certify.checker.conic.problem import problem_digest
from certify.checker.conic.witnesses import BracketWitness
from certify.checker.exact import identity
from certify.reports.attestation import OwnFile, to_statement
from tests.checker.examples import claim_with, one_hot, square
from tests.reports.examples import EIGENVALUE, Y, artifact_of, malformed, proved, refuted, rejected, undecided


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


def test_own_files_are_subjects_and_configuration() -> None:
    own = [OwnFile("data/records.csv", b"0,0\n")]
    resource = {"name": "data/records.csv", "digest": {"sha256": hashlib.sha256(b"0,0\n").hexdigest()}}
    statement = _statement(proved(), own=own)
    assert statement["subject"][1:] == [resource]
    assert statement["predicate"]["configuration"] == [resource]
    assert _statement(proved())["predicate"]["configuration"] == []


def test_the_predicate_is_a_test_result_with_one_test_for_each_file() -> None:
    artifacts = [proved(), rejected(), refuted(), malformed(), undecided()]
    statement = _statement(*artifacts)
    assert statement["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    predicate = statement["predicate"]
    assert predicate["passedTests"] == [proved().uri]
    assert predicate["failedTests"] == [artifact.uri for artifact in artifacts[1:]]
    assert predicate["warnedTests"] == []
    assert (predicate["result"], _statement(proved())["predicate"]["result"]) == ("FAILED", "PASSED")


def test_a_conic_program_is_named_by_the_digest_of_its_parsed_form() -> None:
    one = fmpq(1)
    bracket = Certificate(ConicBracket(EIGENVALUE, Optimum.BOTH, one, None), BracketWitness(Y, None))
    (found,) = _statement(artifact_of("a", write_certificate(bracket)))["predicate"]["verdicts"]
    assert found["program"] == {
        "digest": {"sha256": problem_digest(EIGENVALUE)},
        "annotations": {"reading": "decimal", "sourceValue": "same"},
    }
    assert (found["lower"], "upper" in found, "recordsDigest" in found) == ("1", False, False)
