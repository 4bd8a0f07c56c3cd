"""Verdicts as an unsigned in-toto Statement v1: what was checked, by digest, and exactly what came of it.

Signing is left to the tool of your choice: the statement is the payload of a DSSE envelope of type
``application/vnd.in-toto+json``. It holds no time and no host name, so the same inputs give the same bytes. A matching
digest proves nothing by itself: whoever relies on a statement checks the certificate again against their own data.

The predicate is the vetted one for results of tests, so that policy engines read it as it is: one test for each file.
What exactly came of each is in the field ``verdicts``, an extension as its specification allows. The predicate for
simple verification results would need a time, and the bytes would not be reproducible.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from certify.checker.certificate import FORMAT, VERSION, claim_digest
from certify.checker.claims import Claim, CovarianceOptimum, ReleasePrivacy, RhoStarEnclosure, RhoStarInfinite
from certify.checker.codec import Malformed, encode
from certify.checker.conic.claims import ConicClaim
from certify.checker.conic.problem import problem_digest
from certify.checker.sensitivity import FiniteDomain, domain_of
from certify.checker.verdict import Status
from certify.reports.artifacts import Artifact, obligations_of
from certify.reports.results import bracket_of, exit_code
from certify.reports.sentences import sentence

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of the person who runs the check, from which the records or program of every claim were derived anew."""

    uri: str
    data: bytes


def to_statement(artifacts: Iterable[Artifact], own: Sequence[OwnFile] = ()) -> bytes:
    """Return the canonical bytes of the statement: sorted keys, no spaces, ASCII, no floating-point number.

    The subjects are the certificate files and the user's own files, by the SHA-256 of their raw bytes. For each
    certificate the predicate names the claim by the digest of its canonical encoding, as parsed (spaces and line ends
    do not matter there, numbers do), and the records or the program by the digest of their exact values.
    """
    checked = list(artifacts)
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": [_resource(artifact.uri, artifact.data) for artifact in checked]
        + [_resource(each.uri, each.data) for each in own],
        "predicateType": PREDICATE_TYPE,
        "predicate": _predicate(checked, own),
    }
    return json.dumps(statement, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


def _predicate(checked: list[Artifact], own: Sequence[OwnFile]) -> dict[str, Any]:
    passed = exit_code([artifact.result for artifact in checked]) == 0
    return {
        "result": "PASSED" if passed else "FAILED",
        "configuration": [_resource(each.uri, each.data) for each in own],
        "passedTests": [artifact.uri for artifact in checked if artifact.status == Status.PROVED],
        "warnedTests": [],
        "failedTests": [artifact.uri for artifact in checked if artifact.status != Status.PROVED],
        "verifier": {"name": "certify.checker", "version": _versions()},
        "format": f"{FORMAT} {VERSION}",
        "verdicts": [_verdict(artifact) for artifact in checked],
    }


def _versions() -> dict[str, str]:
    named = {name: version(name) for name in ("certify", "python-flint")}
    return {**named, "python": platform.python_version()}


def _verdict(artifact: Artifact) -> dict[str, Any]:
    outcome = artifact.result.outcome
    obligations = [{"name": o.name, "holds": o.holds, "detail": o.detail} for o in obligations_of(artifact)]
    entry = {"subject": artifact.sha256, "verdict": artifact.status, "obligations": obligations}
    return entry if isinstance(outcome, Malformed) else {**entry, **_about(outcome.claim)}


def _about(claim: Claim) -> dict[str, Any]:
    about = {
        "kind": type(claim).__name__,
        "sentence": sentence(claim),
        "claimDigest": {"sha256": claim_digest(claim)},
        **_records(claim),
        **_program(claim),
    }
    ends = zip(("lower", "upper"), bracket_of(claim), strict=True)
    return {**about, **{name: str(end) for name, end in ends if end is not None}}


def _program(claim: Claim) -> dict[str, Any]:
    """Return the digest of a conic program as parsed, and how its numbers and its value were read."""
    if not isinstance(claim, ConicClaim):
        return {}
    problem = claim.problem
    read = {"reading": str(problem.reading), "sourceValue": str(problem.source_value)}
    return {"program": {"digest": {"sha256": problem_digest(problem)}, "annotations": read}}


def _records(claim: Claim) -> dict[str, Any]:
    """Return the digests of the records: of the file as it was read, and of the exact values inside the claim."""
    match claim:
        case CovarianceOptimum() | ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            domain = domain_of(claim.sensitivity)
        case _:
            return {}
    if not isinstance(domain, FiniteDomain):
        return {}
    parsed = json.dumps(encode(domain.records), sort_keys=True, separators=(",", ":")).encode("ascii")
    found: dict[str, Any] = {"recordsDigest": {"sha256": hashlib.sha256(parsed).hexdigest()}}
    source = domain.source
    if source is None:
        return found
    read = {"scale": str(source.scale), "reading": str(source.reading)}
    return {**found, "recordsFile": {"name": source.name, "digest": {"sha256": source.sha256}, "annotations": read}}


def _resource(uri: str, data: bytes) -> dict[str, Any]:
    return {"name": uri, "digest": {"sha256": hashlib.sha256(data).hexdigest()}}
