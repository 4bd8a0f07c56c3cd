"""certify diff as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import write_certificate
from certify.cli import main
from tests.checker.examples import claim_with, line, square
from tests.reports.examples import malformed, refuted, rejected

GOOD = write_certificate(square())
LOOSE = write_certificate(claim_with(square(), lower=fmpq(3), upper=fmpq(5)))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    for folder in ("old", "new"):
        Path(folder).mkdir()
    return lambda *arguments: CliRunner().invoke(main, ["diff", *arguments], catch_exceptions=False)


def _write(**contents: bytes) -> None:
    for name, data in contents.items():
        folder, stem = name.split("_")
        Path(folder, f"{stem}.cert.json").write_bytes(data)


@pytest.mark.parametrize(
    ("old", "new", "word", "code"),
    [
        (GOOD, GOOD, "same", 0),
        (LOOSE, GOOD, "stronger", 0),
        (GOOD, LOOSE, "weaker", 5),
        (GOOD, write_certificate(line()), "different claim", 5),
        (GOOD, rejected().data, "not both proved (PROVED, REJECTED)", 3),
        (refuted().data, GOOD, "not both proved (REFUTED, PROVED)", 3),
        (GOOD, malformed().data, "not both proved", 4),
    ],
)
def test_two_certificates(run: Callable[..., Result], old: bytes, new: bytes, word: str, code: int) -> None:
    _write(old_a=old, new_a=new)
    result = run("old/a.cert.json", "new/a.cert.json")
    assert (result.stdout.splitlines()[0], result.exit_code) == (f"{word}  new/a.cert.json", code)


def test_the_parts_that_changed_are_shown_exactly(run: Callable[..., Result]) -> None:
    _write(old_a=GOOD, new_a=LOOSE)
    assert "  least cost: [4, 4] -> [3, 5] (weaker)" in run("old/a.cert.json", "new/a.cert.json").stdout
    (entry,) = json.loads(run("old/a.cert.json", "new/a.cert.json", "--json").stdout)["differences"]
    assert (entry["relation"], entry["changes"]) == (
        "weaker",
        [{"part": "least cost", "old": "[4, 4]", "new": "[3, 5]", "effect": "weaker"}],
    )


def test_two_folders(run: Callable[..., Result]) -> None:
    _write(old_a=LOOSE, new_a=GOOD, old_b=GOOD, new_c=GOOD)
    result = run("old", "new")
    words = [row.split("  ") for row in result.stdout.splitlines() if not row.startswith(" ")]
    assert words == [["stronger", "a.cert.json"], ["removed", "b.cert.json"], ["added", "c.cert.json"]]
    assert result.exit_code == 5
    Path("old/b.cert.json").unlink()
    assert run("old", "new").exit_code == 0


def test_nothing_compared_is_exit_5(run: Callable[..., Result]) -> None:
    result = run("old", "new")
    assert result.exit_code == 5
    assert "nothing was compared" in result.stderr
    assert run("old", "nowhere").exit_code == 4
    _write(old_a=GOOD)
    assert run("old", "old/a.cert.json").exit_code == 2
