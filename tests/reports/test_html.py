"""The HTML page: complete, escaped, self-contained, and quiet in a real browser."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from flint import fmpq

from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.codec import Malformed
from certify.checker.conic.claims import ConicBracket, Optimum
from certify.checker.conic.problem import SourceValue
from certify.checker.conic.witnesses import BracketWitness
from certify.checker.kernel import silent
from certify.cli import main
from certify.reports.artifacts import Artifact
from certify.reports.html import Section, section, to_html
from certify.reports.pictures import Gallery, gallery
from certify.reports.results import Result
from certify.reports.sentences import sentence
from tests.checker.examples import square
from tests.reports.browser import browser, visit
from tests.reports.examples import EIGENVALUE, X, Y, artifact_of, malformed, proved, refuted, rejected

FORBIDDEN = ("script", "iframe", "object", "embed", "form", "base", "audio", "video")


class Reader(HTMLParser):
    """Collects tags, attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def _read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


@cache
def _pictures(data: bytes) -> Gallery:
    return gallery(read_certificate(data), None, (), silent)


def _section(artifact: Artifact, index: int = 1) -> Section:
    if isinstance(artifact.result.outcome, Malformed):
        return section(index, artifact, None, None)
    return section(index, artifact, read_certificate(artifact.data), _pictures(artifact.data))


def _conic() -> Artifact:
    """The least eigenvalue of a matrix, of a source that states its negative."""
    turned = replace(EIGENVALUE, source_value=SourceValue.NEGATED)
    certificate = Certificate(ConicBracket(turned, Optimum.BOTH, fmpq(1), fmpq(1)), BracketWitness(Y, X))
    return artifact_of("bounds/eigenvalue.cert.json", write_certificate(certificate))


ALL = to_html([_section(a, i) for i, a in enumerate([proved(), rejected(), refuted(), malformed(), _conic()], 1)])


def test_the_page_says_what_was_decided_about_what() -> None:
    text = " ".join(_read(ALL).text.split())
    assert "2 of 5 claims are PROVED" in text
    assert sentence(square().claim) in text
    for word in ("REJECTED", "REFUTED", "MALFORMED", "✗ FAILS", "isotropic noise costs", "exact"):
        assert word in text
    assert proved().sha256 in text
    assert "certify check noise/square.cert.json" in text
    assert "not proved" not in text


def test_a_refuted_claim_shows_its_counterexample_and_every_claim_its_assumptions() -> None:
    text = " ".join(_read(to_html([_section(refuted())])).text.split())
    assert "The vector that refutes the claim: pair 0, 1." in text
    assert "The claim is REFUTED" in text
    assert "Assumed: The noise is exactly Gaussian" in text
    assert "Assumed: Without a formal proof in Rocq: Renyi divergence of Gaussians." in text


def test_a_conic_claim_is_shown_in_the_sense_of_its_source() -> None:
    page = to_html([_section(_conic())])
    text = " ".join(_read(page).text.split())
    assert "the optimum is exactly -1" in text
    assert "The values of the obligations are those of the neutral form" in text
    assert "Eigenvalues of the points" in text
    assert "program: equations m1" in text
    assert "certify check bounds/eigenvalue.cert.json --problem YOUR_FILE" in text
    assert "neutral form" not in _read(to_html([_section(proved())])).text


def test_every_obligation_has_its_row() -> None:
    page = to_html([_section(rejected())])
    reader = _read(page)
    outcome = rejected().result.outcome
    assert not isinstance(outcome, Malformed)
    assert re.findall(r'<th scope="row">([^<]*)</th>', page) == [o.name for o in outcome.obligations]
    assert reader.text.count("✗ FAILS") == 1
    assert "The certificate is REJECTED" in reader.text


def test_the_numbers_of_what_is_not_proved_say_so() -> None:
    text = _read(to_html([_section(rejected())])).text
    assert "only claimed: no covariance costs less than" in text
    assert "isotropic noise costs" not in text
    assert "only claimed" not in _read(to_html([_section(proved())])).text


def test_nothing_is_loaded_and_nothing_runs() -> None:
    reader = _read(ALL)
    assert not set(FORBIDDEN) & set(reader.tags)
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    addresses = [value or "" for name, value in reader.attributes if name in ("src", "href", "xlink:href", "srcset")]
    assert all(address.startswith(("#", "data:")) for address in addresses)
    assert not re.search(r"@import|url\((?!#)", ALL)
    assert "default-src 'none'" in ALL
    identifiers = [value for name, value in reader.attributes if name == "id"]
    assert len(identifiers) == len(set(identifiers))
    anchors = {address[1:] for address in addresses if address.startswith("#")}
    assert anchors <= set(identifiers)


def test_texts_from_files_are_shown_as_text() -> None:
    nasty = "<img src=x onerror=alert(1)>'\"&{{ 7 * 7 }}"
    artifact = replace(malformed(), result=Result(nasty, Malformed("$", nasty)))
    page = to_html([_section(artifact)])
    assert "<img" not in page
    assert nasty in _read(page).text
    assert "certify check '<img" in _read(page).text


def test_the_page_is_reproducible() -> None:
    assert to_html([_section(proved())]) == to_html([_section(proved())])


def test_the_browser_finds_nothing_to_complain_about(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(ALL, encoding="utf-8")
    with browser() as running:
        for width in (1280, 390):
            for scheme in ("light", "dark"):
                seen = visit(running, page, width, scheme)
                assert seen.console == []
                assert seen.requests == [page.as_uri()]
                assert seen.overflow <= 0
        assert seen.focusable[:2] == ["skip", "A"]
        assert "scroll" in seen.focusable


def test_the_browser_test_would_notice(tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text(
        '<!DOCTYPE html><script>console.log("x")</script><img src="missing.png"><p style="width:3000px">wide', "utf-8"
    )
    with browser() as running:
        seen = visit(running, page, 390, "dark")
    assert "log: x" in seen.console
    assert len(seen.requests) == 2
    assert seen.overflow > 0


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").mkdir()
    Path("a/good.cert.json").write_bytes(write_certificate(square()))
    Path("a/bad.cert.json").write_bytes(rejected().data)

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["report", *arguments], catch_exceptions=False)
        return result.exit_code, result.output

    code, text = run("a", "-o", "both.html", "-q")
    assert (code, text) == (3, "REJECTED  a/bad.cert.json\nPROVED  a/good.cert.json\nwrote both.html\n")
    assert "1 of 2 claims are PROVED" in Path("both.html").read_text("utf-8")
    assert run("a/good.cert.json", "-o", "a/bad.cert.json")[0] == 2
    assert run("a/good.cert.json", "-o", "x.html", "--image", "8")[0] == 2
    assert run("a/good.cert.json", "-o", "x.html", "--image", "3x3")[0] == 4
    good = run("a/good.cert.json", "-o", "x.html", "--image", "1x2")
    assert good == (0, "PROVED  a/good.cert.json\nwrote x.html\n")
    assert 'alt="record 0"' in Path("x.html").read_text("utf-8")
    Path("empty").mkdir()
    assert run("empty", "-o", "empty.html")[0] == 5
    assert not Path("empty.html").exists()
