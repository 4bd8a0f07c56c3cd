"""Results as a SARIF 2.1.0 log, for code scanning: one result for each obligation that fails or cannot be told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from certify.checker.certificate import claim_digest
from certify.checker.codec import Malformed
from certify.checker.verdict import Obligation, Status
from certify.reports.artifacts import Artifact, obligations_of, program_version
from certify.reports.positions import Region, region_of_obligation, region_of_path, region_of_problem
from certify.reports.results import exit_code
from certify.reports.sentences import sentence

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
TEXT_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of outcome, as code scanning lists it."""

    verdict: str
    level: str
    short: str
    full: str
    help: str


RULES = (
    Rule(
        "REJECTED",
        "error",
        "A certificate does not prove its claim",
        "The witness of the certificate fails an obligation, so nothing is known about the claim.",
        "Make the certificate again from the same inputs, or restore the bytes that were proved before.",
    ),
    Rule(
        "REFUTED",
        "error",
        "A claim is false",
        "The certificate holds a counterexample, and every obligation of it holds: the claim is false.",
        "Do not rely on the claim. The counterexample in the certificate can be checked by anyone.",
    ),
    Rule(
        "UNDECIDED",
        "warning",
        "A claim could not be decided",
        "The arithmetic stopped at its cap of precision before an obligation was decided; nothing is known.",
        "The message says what would decide it, such as a smaller bound or a claim off the boundary.",
    ),
    Rule(
        "MALFORMED",
        "error",
        "A file is no certificate",
        "The file is not exactly of the certificate format; the message names the place.",
        "Make the certificate again, or take the file out of what is checked.",
    ),
    Rule(
        "PROVED",
        "note",
        "A claim is proved",
        "Every obligation of the certificate holds in exact arithmetic. Only the claim in the message is proved.",
        "Nothing is to be done.",
    ),
)


def to_sarif(artifacts: Iterable[Artifact]) -> str:
    """Return the log: relative addresses, lines inside the certificates, fingerprints that survive moved lines.

    The same files and verdicts give the same text. Source: the SARIF 2.1.0 standard, and the properties that GitHub's
    code scanning reads.
    """
    checked = list(artifacts)
    run = {
        "tool": {"driver": _driver()},
        "automationDetails": {"id": "certify/"},
        "invocations": [{"executionSuccessful": True, "exitCode": exit_code([each.result for each in checked])}],
        "artifacts": [_artifact(artifact) for artifact in checked],
        "results": [result for index, artifact in enumerate(checked) for result in _results(artifact, index)],
        "columnKind": "utf16CodeUnits",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _driver() -> dict[str, Any]:
    return {"name": "certify", "semanticVersion": program_version(), "rules": [_rule(rule) for rule in RULES]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": _rule_id(rule.verdict),
        "name": rule.verdict.capitalize(),
        "shortDescription": {"text": rule.short},
        "fullDescription": {"text": rule.full},
        "help": {"text": rule.help, "markdown": rule.help},
        "defaultConfiguration": {"level": rule.level},
        "properties": {
            "tags": ["certificate", "verification"],
            "precision": "very-high",
            "problem.severity": "recommendation" if rule.level == "note" else rule.level,
        },
    }


def _rule_id(verdict: str) -> str:
    return f"certify/{verdict.lower()}"


def _artifact(artifact: Artifact) -> dict[str, Any]:
    return {
        "location": _location(artifact),
        "length": len(artifact.data),
        "hashes": {"sha-256": artifact.sha256},
        "roles": ["analysisTarget"],
    }


def _location(artifact: Artifact) -> dict[str, Any]:
    base = {} if artifact.uri.startswith("file:") else {"uriBaseId": "%SRCROOT%"}
    return {"uri": artifact.uri, **base}


def _results(artifact: Artifact, index: int) -> list[dict[str, Any]]:
    if artifact.status == Status.PROVED:
        return [_passed(artifact, index)]
    failed = [obligation for obligation in obligations_of(artifact) if not obligation.holds]
    return [_failed(artifact, index, obligation) for obligation in failed]


def _passed(artifact: Artifact, index: int) -> dict[str, Any]:
    outcome = artifact.result.outcome
    text = "" if isinstance(outcome, Malformed) else sentence(outcome.claim)
    message = f"PROVED. {text}"
    region = region_of_path(artifact.data.decode("utf-8", "replace"), "claim")
    return {**_result(artifact, index, message, region, "claim"), "kind": "pass", "level": "none"}


def _failed(artifact: Artifact, index: int, obligation: Obligation) -> dict[str, Any]:
    outcome = artifact.result.outcome
    if isinstance(outcome, Malformed):
        region, about = region_of_problem(artifact.data, outcome), ""
    else:
        region, about = region_of_obligation(artifact.data, obligation), f" Claim: {sentence(outcome.claim)}"
    verb = "cannot be told" if obligation.holds is None else "fails"
    message = f"{artifact.status}: {obligation.name} {verb}. {obligation.detail}.{about}"
    result = _result(artifact, index, message, region, obligation.name)
    return {**result, "kind": "fail", "level": _rule_of(artifact).level}


def _rule_of(artifact: Artifact) -> Rule:
    return next(rule for rule in RULES if rule.verdict == artifact.status)


def _result(artifact: Artifact, index: int, message: str, region: Region, name: str) -> dict[str, Any]:
    rule = _rule_of(artifact)
    place = {
        "artifactLocation": {**_location(artifact), "index": index},
        "region": {
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.line,
            "endColumn": region.end_column,
        },
    }
    return {
        "ruleId": _rule_id(rule.verdict),
        "ruleIndex": RULES.index(rule),
        "message": {"text": message if len(message) <= TEXT_LIMIT else f"{message[: TEXT_LIMIT - 4]} ..."},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": _fingerprints(artifact, name),
    }


def _fingerprints(artifact: Artifact, name: str) -> dict[str, str]:
    """Name a result by its file, verdict and obligation, not by its line: moving lines keeps the alert."""
    text = "\0".join((artifact.uri, artifact.status, name))
    stable = {"primaryLocationLineHash": f"{hashlib.sha256(text.encode()).hexdigest()[:16]}:1"}
    outcome = artifact.result.outcome
    return stable if isinstance(outcome, Malformed) else {**stable, "claim/v1": claim_digest(outcome.claim)}
