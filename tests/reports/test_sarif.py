"""The SARIF log: valid under the published schema, and what code scanning reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from certify.reports.artifacts import Artifact
from certify.reports.sarif import to_sarif
from tests.reports.examples import malformed, proved, refuted, rejected, undecided

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "sarif" / "sarif-2.1.0-rtm.5.json").read_text("utf-8"))
ALL = [proved(), rejected(), refuted(), malformed(), undecided()]


def _run(*artifacts: Artifact) -> Any:
    log = json.loads(to_sarif(artifacts))
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in Draft4Validator(SCHEMA).iter_errors(log)]
    assert errors == []
    (run,) = log["runs"]
    return run


def test_the_schema_refuses_what_is_no_log() -> None:
    log = json.loads(to_sarif(ALL))
    log["runs"][0]["results"][0]["message"] = {}
    assert not Draft4Validator(SCHEMA).is_valid(log)


def test_every_verdict_is_valid_and_has_its_level() -> None:
    run = _run(*ALL)
    found = [(r["ruleId"], r["kind"], r["level"]) for r in run["results"]]
    assert found == [
        ("certify/proved", "pass", "none"),
        ("certify/rejected", "fail", "error"),
        ("certify/refuted", "fail", "error"),
        ("certify/malformed", "fail", "error"),
        ("certify/undecided", "fail", "warning"),
    ]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert 0 < len(result["message"]["text"]) <= 1000
    for rule in rules:
        assert len(rule["shortDescription"]["text"]) <= 1024
        assert len(rule["fullDescription"]["text"]) <= 1024
    assert run["invocations"][0]["exitCode"] == 4
    assert run["automationDetails"]["id"] == "certify/"


@pytest.mark.parametrize(
    ("artifact", "line"),
    [(rejected(), ' "lower": "5",'), (malformed(), ' "upper": "2.0",'), (proved(), '"claim": {')],
)
def test_lines_lead_into_the_file(artifact: Artifact, line: str) -> None:
    (result,) = _run(artifact)["results"]
    (location,) = result["locations"]
    region = location["physicalLocation"]["region"]
    text = artifact.data.decode().splitlines()[region["startLine"] - 1]
    assert text.strip() == line.strip()
    assert text[region["startColumn"] - 1 : region["endColumn"] - 1] == line.strip()
    assert region["endLine"] == region["startLine"]
    where = location["physicalLocation"]["artifactLocation"]
    assert where == {"uri": artifact.uri, "uriBaseId": "%SRCROOT%", "index": 0}


def test_fingerprints_survive_moved_lines_and_tell_files_apart() -> None:
    artifact = rejected()
    moved = Artifact(artifact.uri, b"\n\n" + artifact.data, artifact.result)
    (before,), (after,) = _run(artifact)["results"], _run(moved)["results"]
    assert before["locations"] != after["locations"]
    assert before["partialFingerprints"] == after["partialFingerprints"]
    other = Artifact("elsewhere/false.cert.json", artifact.data, artifact.result)
    assert _run(other)["results"][0]["partialFingerprints"] != before["partialFingerprints"]


def test_hashes_are_those_of_the_bytes_and_the_text_is_reproducible() -> None:
    (entry,) = _run(proved())["artifacts"]
    assert entry["hashes"] == {"sha-256": proved().sha256}
    assert to_sarif(ALL) == to_sarif(ALL)


def test_nothing_checked_is_a_valid_log_without_results() -> None:
    run = _run()
    assert run["results"] == []
    assert run["invocations"][0]["exitCode"] == 5
