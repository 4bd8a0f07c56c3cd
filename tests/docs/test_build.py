"""The documentation builds with every warning an error, links to nothing that is missing, and loads nothing."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

DOCS = Path(__file__).parents[2] / "docs"


class Links(HTMLParser):
    """Collects the addresses that a page links to or loads, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.linked: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors.add(found.get("id") or "")
        address = found.get("href") or found.get("src")
        if address is not None:
            (self.linked if tag == "a" else self.loaded).append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(target / "trees")]
    done = subprocess.run([*command, str(DOCS), str(target / "html")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target / "html"


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = {path.resolve(): Links(path) for path in site.rglob("*.html")}
    assert {"index.html", "explanation.html", "auditor.html", "api.html"} <= {path.name for path in pages}
    for path, links in pages.items():
        for address in links.loaded:
            assert not urlsplit(address).netloc, (path.name, address)
        for address in links.linked:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), (path.name, address)
            if parts.fragment and target in pages:
                assert parts.fragment in pages[target].anchors, (path.name, address)


def test_formulas_and_signatures_are_there(site: Path) -> None:
    explanation = (site / "explanation.html").read_text("utf-8")
    assert explanation.count("<math") > 20
    assert "merror" not in explanation
    reference = (site / "reference" / "api.html").read_text("utf-8")
    for name in ("CovarianceOptimum", "read_certificate", "check", "design", "Certified", "RhoStarEnclosure"):
        assert f"{name}</span>" in reference, name
    commands = (site / "reference" / "commands.html").read_text("utf-8")
    assert "certify diff" in commands
    assert "--sarif FILE" in commands
