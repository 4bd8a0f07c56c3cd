"""JUnit XML: one test case for each obligation, red whenever the verdict is."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

import pytest

from certify.checker.certificate import write_certificate
from certify.checker.codec import Malformed
from certify.checker.verdict import Verdict
from certify.reports.artifacts import Artifact
from certify.reports.junit import to_junit
from certify.reports.results import Result
from tests.reports.examples import BRACKET, artifact_of, malformed, proved, refuted, rejected, undecided


def _parsed(*artifacts: Artifact) -> Element:
    return fromstring(to_junit(artifacts))  # noqa: S314


def test_one_test_case_for_each_obligation() -> None:
    artifact = proved()
    assert isinstance(artifact.result.outcome, Verdict)
    (suite,) = _parsed(artifact)
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [o.name for o in artifact.result.outcome.obligations]
    assert {case.get("classname") for case in cases} == {"noise/square.cert.json"}
    assert all(not list(case) for case in cases)
    lines = artifact.data.decode().splitlines()
    upper = next(case for case in cases if case.get("name") == "upper bound")
    assert '"upper"' in lines[int(upper.get("line", "0")) - 1]


@pytest.mark.parametrize(
    ("artifact", "failures", "errors", "word"),
    [
        (proved(), 0, 0, ""),
        (rejected(), 1, 0, "REJECTED"),
        (refuted(), 1, 0, "REFUTED"),
        (malformed(), 0, 1, "MALFORMED"),
        (undecided(), 0, 1, "UNDECIDED"),
    ],
)
def test_every_verdict_that_is_not_proved_is_red(artifact: Artifact, failures: int, errors: int, word: str) -> None:
    root = _parsed(artifact)
    (suite,) = root
    for element in (root, suite):
        assert (element.get("failures"), element.get("errors")) == (str(failures), str(errors))
        assert element.get("tests") == str(len(suite.findall("testcase")))
    found = [entry.get("type") for case in suite.findall("testcase") for entry in case]
    assert found == ([word] if word else [])
    (verdict,) = [p.get("value") for p in suite.iter("property") if p.get("name") == "verdict"]
    assert verdict == artifact.status


def test_no_two_cases_of_a_suite_have_one_name() -> None:
    (suite,) = _parsed(artifact_of("a", write_certificate(BRACKET)))
    names = [case.get("name") for case in suite.findall("testcase")]
    assert len(names) == len(set(names)) == 10
    assert "point proves what is claimed of it (2)" in names


def test_nothing_checked_is_red() -> None:
    root = _parsed()
    assert (root.get("tests"), root.get("errors")) == ("1", "1")


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    artifact = replace(malformed(), result=Result("a\x01b", Malformed("claim.\x00 <&>", "\x1b[31m\ud800")))
    (suite,) = _parsed(artifact)
    (error,) = suite.iter("error")
    assert error.get("message") == "claim.\ufffd <&>: \ufffd[31m\ufffd"


def test_the_bytes_are_reproducible() -> None:
    assert to_junit([proved(), refuted()]) == to_junit([proved(), refuted()])
