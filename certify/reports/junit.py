"""Results as JUnit XML: one suite for each file, one test case for each obligation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from certify.checker.certificate import claim_digest
from certify.checker.codec import Malformed
from certify.checker.verdict import Obligation
from certify.reports.artifacts import Artifact, obligations_of
from certify.reports.positions import region_of_obligation, region_of_problem
from certify.reports.sentences import sentence

_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")

NOTHING = "something is checked"


def to_junit(artifacts: Iterable[Artifact]) -> bytes:
    """Return the XML: a refused obligation is a failure, a malformed file or an open obligation an error.

    Nothing checked is one suite with one error, so that no viewer shows an empty run as green. There are no times and
    no host names: the same files and verdicts give the same bytes.
    """
    root = Element("testsuites", name="certify")
    for artifact in artifacts:
        _suite(root, artifact)
    if not len(root):
        _empty(root)
    for kind in ("tests", "failures", "errors", "skipped"):
        root.set(kind, str(sum(int(suite.get(kind, "0")) for suite in root)))
    indent(root, " ")
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _suite(root: Element, artifact: Artifact) -> None:
    suite = SubElement(root, "testsuite", name=artifact.uri)
    properties = SubElement(suite, "properties")
    for name, value in _properties(artifact):
        SubElement(properties, "property", name=name, value=_clean(value))
    obligations = obligations_of(artifact)
    names = _distinct([obligation.name for obligation in obligations])
    cases = [_case(suite, artifact, name, each) for name, each in zip(names, obligations, strict=True)]
    _count(suite, cases)


def _distinct(names: list[str]) -> list[str]:
    """Return the names, numbered where one comes again: viewers take cases of one name for one case."""
    return [
        name if (number := names[: i + 1].count(name)) == 1 else f"{name} ({number})" for i, name in enumerate(names)
    ]


def _count(suite: Element, cases: list[Element]) -> None:
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", str(sum(case.find("error") is not None for case in cases)))
    suite.set("skipped", "0")


def _properties(artifact: Artifact) -> list[tuple[str, str]]:
    found = [("verdict", artifact.status), ("sha256", artifact.sha256)]
    outcome = artifact.result.outcome
    if not isinstance(outcome, Malformed):
        found += [("claim", sentence(outcome.claim)), ("claim-sha256", claim_digest(outcome.claim))]
    return found


def _case(suite: Element, artifact: Artifact, name: str, obligation: Obligation) -> Element:
    outcome = artifact.result.outcome
    malformed = isinstance(outcome, Malformed)
    region = (
        region_of_problem(artifact.data, outcome)
        if isinstance(outcome, Malformed)
        else region_of_obligation(artifact.data, obligation)
    )
    case = SubElement(suite, "testcase", classname=artifact.uri, name=name)
    case.set("file", artifact.uri)
    case.set("line", str(region.line))
    if obligation.holds:
        return case
    kind = "error" if malformed or obligation.holds is None else "failure"
    detail = _clean(obligation.detail)
    SubElement(case, kind, type=artifact.status, message=detail).text = detail
    return case


def _empty(root: Element) -> None:
    suite = SubElement(root, "testsuite", name="certify")
    case = SubElement(suite, "testcase", classname="certify", name=NOTHING)
    SubElement(case, "error", type="UNDECIDED", message="no certificate was given").text = "no certificate was given"
    _count(suite, [case])


def _clean(text: str) -> str:
    """Return the text without the characters that XML cannot hold."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
