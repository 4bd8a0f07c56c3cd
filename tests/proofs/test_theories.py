"""The table of proofs/README.md: every theorem exists, and rests on no axiom."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("rocq")
"""Both files that run make in proofs/ share a worker, so that two builds never meet."""

PROOFS = Path(__file__).parents[2] / "proofs"
THEORIES = PROOFS / "theories"
MISSING = "coqc is not installed: apt-get install the packages that proofs/Makefile names"


def _rows() -> list[tuple[list[str], str]]:
    lines = (PROOFS / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [line.split("|") for line in lines if "Closed under the global context" in line]
    return [(re.findall(r"`(\w+)`", row[2]), row[3].strip().strip("`")) for row in cells]


def _stated(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r"^\s*(?:Theorem|Lemma|Corollary|Definition|Proposition|Fact)\s+(\w+)", text, re.MULTILINE))


def test_the_table_names_theorems_that_its_files_state() -> None:
    assert len(_rows()) >= 25
    for theorems, file in _rows():
        assert theorems
        assert set(theorems) <= _stated(PROOFS / file), file


def test_every_proof_that_the_checker_cites_is_a_theorem() -> None:
    stated = set().union(*map(_stated, THEORIES.glob("*.v")))
    cited = [
        (path.name, name)
        for path in sorted((PROOFS.parent / "certify" / "checker").rglob("*.py"))
        for passage in re.findall(r"Proof: ((?:``\w+``[,.\s]*)+)", path.read_text(encoding="utf-8"))
        for name in re.findall(r"``(\w+)``", passage)
    ]
    assert len(cited) >= 40
    assert [each for each in cited if each[1] not in stated] == []


def test_every_theorem_of_the_table_is_printed_by_the_assumptions_file() -> None:
    printed = (THEORIES / "Assumptions.v").read_text(encoding="utf-8")
    for theorems, _ in _rows():
        for theorem in theorems:
            assert re.search(rf"\b{theorem}\b", printed), theorem


def test_nothing_is_admitted_and_no_axiom_is_stated() -> None:
    for path in sorted(THEORIES.glob("*.v")):
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Conjecture)\b", text), path.name


@pytest.mark.skipif(shutil.which("coqc") is None, reason=MISSING)
def test_the_theorems_are_closed_under_the_global_context() -> None:
    done = subprocess.run(["make", "-C", PROOFS, "assumptions"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    asked = len(
        re.findall(r"^Print Assumptions", (THEORIES / "Assumptions.v").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert done.stdout.count("Closed under the global context") >= asked
    assert "Axioms:" not in done.stdout
