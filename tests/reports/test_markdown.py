"""The Markdown summary."""

from __future__ import annotations

from dataclasses import replace

from markdown_it import MarkdownIt

from certify.checker.codec import Malformed
from certify.reports.markdown import to_markdown
from certify.reports.results import Result
from tests.reports.examples import malformed, proved, refuted, rejected

PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


def test_the_summary_counts_and_names_what_fails() -> None:
    page = to_markdown([proved(), rejected(), refuted(), malformed()])
    assert page.startswith("### certify: 1 of 4 claims proved\n")
    assert "| ❌ REJECTED | <code>noise/false.cert.json</code> | lower bound |" in page
    assert page.count("<details open>") == 3
    assert page.count("<details>") == 1
    assert "For every dataset, of any size" in page


def test_texts_from_files_are_shown_as_they_are() -> None:
    nasty = "<img src=x onerror=alert(1)> [a](b) | `c` **d** &amp;\n\n# e"
    page = to_markdown([replace(malformed(), result=Result("a|b<i>", Malformed("$", nasty)))])
    assert "<img" not in page
    assert "<i>" not in page
    line = next(line for line in page.splitlines() if line.startswith("$: "))
    shown = PARSER.render(line)
    assert shown == ("<p>$: &lt;img src=x onerror=alert(1)&gt; [a](b) | `c` **d** &amp;amp; # e</p>\n")


def test_nothing_checked_says_so() -> None:
    assert "nothing was checked" in to_markdown([])
