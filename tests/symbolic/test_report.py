"""Presentation: the README is in step, failures say what is left, JSON is complete."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from rich.console import Console
from sympy import Integer, Symbol

import symbolic
from symbolic.catalogue import FAMILIES, IDENTITIES
from symbolic.identity import Cancel, Expand, Failed, Identity, Proved, Undecided
from symbolic.report import Outcome, json_of, line_of, readme_text, statement_of, summary_of, table_of

x = Symbol("x", real=True)
FALSE = Identity("wrong [sum]", "nowhere", x + 1, x, Expand())
OUTCOMES = [
    Outcome("family", FALSE, Proved("expand polynomials", ("one step", "another"))),
    Outcome("family", FALSE, Failed("1")),
    Outcome("family", FALSE, Undecided("because " + "x" * 500)),
]


def test_readme_is_generated_from_the_identities() -> None:
    """If this fails: python -m symbolic --readme > symbolic/README.md."""
    readme = Path(str(symbolic.__file__)).with_name("README.md").read_text(encoding="utf-8")
    assert readme == readme_text()
    assert all(f"| {identity.name} |" in readme for identity in IDENTITIES)


def test_families_are_complete() -> None:
    assert sum(len(family.identities) for family in FAMILIES) == len(IDENTITIES)
    assert all(family.identities and family.summary for family in FAMILIES)
    folder = Path(str(symbolic.__file__)).parent
    stated = {path.stem for path in folder.glob("*.py") if "IDENTITIES = (" in path.read_text(encoding="utf-8")}
    assert stated == {family.name for family in FAMILIES}


def test_references_are_to_the_paper_or_the_theory() -> None:
    assert all(i.reference.startswith(("paper section ", "theory.md section ")) for i in IDENTITIES)


def test_lines() -> None:
    proved, failed, undecided = map(line_of, OUTCOMES)
    assert proved == "PROVED     family       wrong [sum]  [nowhere]  expand polynomials"
    assert failed.endswith("left - right leaves 1")
    assert undecided.startswith("UNDECIDED")
    assert undecided.endswith("xxx ...")
    assert summary_of(OUTCOMES) == "1 of 3 identities proved"


def test_json() -> None:
    document = json.loads(json_of(OUTCOMES))
    assert (document["proved"], document["total"]) == (1, 3)
    assert [entry["verdict"] for entry in document["identities"]] == ["PROVED", "FAILED", "UNDECIDED"]
    assert document["identities"][1]["domains"] == ["x real"]
    assert document["identities"][2]["detail"] == "because " + "x" * 500


def test_table_keeps_brackets() -> None:
    printed = StringIO()
    Console(width=200, file=printed).print(table_of(OUTCOMES))
    assert "wrong [sum]" in printed.getvalue()
    assert "FAILED" in printed.getvalue()


def test_statements_show_what_is_given() -> None:
    w = Symbol("w", positive=True)
    some = Symbol("some", nonnegative=True)
    claim = Identity("n", "none", w, Integer(1), Cancel(), where=((w, x + 1),), assuming=((some, w - 1),))
    assert statement_of(claim) == "w = 1, where w = x + 1; some >= 0 for some = w - 1"
    assert claim.domains == ("x real",)
