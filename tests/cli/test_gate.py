"""certify check as a gate: reports for machines, exit codes, and what it refuses to write over."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import write_certificate
from certify.cli import main
from tests.checker.examples import claim_with, one_hot, square

GOOD = write_certificate(square())
BAD = write_certificate(claim_with(square(), lower=fmpq(5), upper=fmpq(6)))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    Path("good.cert.json").write_bytes(GOOD)
    Path("bad.cert.json").write_bytes(BAD)
    return lambda *arguments: CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def test_every_report_is_written(run: Callable[..., Result]) -> None:
    options = ["--sarif", "o.sarif", "--junit", "o.xml", "--json", "o.json", "--markdown", "o.md", "--attest", "o.att"]
    result = run("check", "good.cert.json", "bad.cert.json", *options)
    assert result.exit_code == 3
    assert "REJECTED  bad.cert.json" in result.stdout
    assert [e["verdict"] for e in json.loads(Path("o.json").read_bytes())["results"]] == ["PROVED", "REJECTED"]
    assert len(json.loads(Path("o.sarif").read_bytes())["runs"][0]["results"]) == 2
    assert parse("o.xml").getroot().get("failures") == "1"  # noqa: S314
    assert "1 of 2 claims proved" in Path("o.md").read_text("utf-8")
    assert json.loads(Path("o.att").read_bytes())["predicate"]["result"] == "FAILED"


def test_json_prints_or_writes(run: Callable[..., Result]) -> None:
    for option in (["--json"], ["--json", "-"], ["--json=-"], ["--json", "-q"]):
        printed = run("check", "good.cert.json", *option)
        assert json.loads(printed.stdout)["results"][0]["verdict"] == "PROVED"
    written = run("check", "good.cert.json", "--json", "out.json")
    assert written.stdout.startswith("PROVED  good.cert.json")
    assert json.loads(Path("out.json").read_bytes()) == json.loads(printed.stdout)
    assert run("check", "good.cert.json", "--json=out.json").exit_code == 0


@pytest.mark.parametrize("option", ["--json", "--sarif", "--junit", "--markdown", "--attest"])
def test_no_report_is_written_over_a_certificate(run: Callable[..., Result], option: str) -> None:
    for arguments in (["check", option, "good.cert.json"], ["check", option, "good.cert.json", "bad.cert.json"]):
        refused = run(*arguments)
        assert refused.exit_code == 2
        assert "would be written over" in refused.stderr
    assert Path("good.cert.json").read_bytes() == GOOD
    assert run("check", "good.cert.json", option, "nowhere/out").exit_code == 4


def test_nothing_checked_is_exit_5(run: Callable[..., Result]) -> None:
    Path("empty").mkdir()
    Path("empty/other.json").write_bytes(GOOD)
    for arguments in ([], ["empty"]):
        result = run("check", *arguments, "--junit", "o.xml", "--sarif", "o.sarif", "--markdown", "o.md")
        assert result.exit_code == 5
        assert "nothing was checked" in result.stderr
        assert parse("o.xml").getroot().get("errors") == "1"  # noqa: S314
    assert run("check", "empty", "--json").exit_code == 5
    assert run("check", "empty", "--attest", "o.att").exit_code == 4
    assert not Path("o.att").exists()


def test_a_folder_stands_for_its_certificates(run: Callable[..., Result]) -> None:
    for name in ("a/two.cert.json", "a/b/one.cert.json"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(GOOD)
    Path("a/notes.txt").write_text("not a certificate", encoding="utf-8")
    result = run("check", "a", "-q")
    assert (result.exit_code, result.stdout) == (0, "PROVED  a/b/one.cert.json\nPROVED  a/two.cert.json\n")


def test_a_file_that_cannot_be_read_still_gives_reports_on_the_others(run: Callable[..., Result]) -> None:
    result = run("check", "absent.cert.json", "good.cert.json", "--sarif", "o.sarif", "-q")
    assert result.exit_code == 4
    assert result.stdout == "MALFORMED  absent.cert.json\nPROVED  good.cert.json\n"
    first, second = json.loads(Path("o.sarif").read_bytes())["runs"][0]["results"]
    assert "cannot be read: No such file" in first["message"]["text"]
    assert second["kind"] == "pass"


def test_addresses_are_relative_to_the_root_of_the_repository(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    folder = tmp_path / "repo" / "a b"
    folder.mkdir()
    (folder / "ü.cert.json").write_bytes(GOOD)
    monkeypatch.chdir(folder)
    run("check", "ü.cert.json", str(folder / "ü.cert.json"), "../../good.cert.json", "--sarif", "o.sarif")
    uris = [a["location"]["uri"] for a in json.loads(Path("o.sarif").read_bytes())["runs"][0]["artifacts"]]
    assert uris == ["a%20b/%C3%BC.cert.json"] * 2 + [(tmp_path / "good.cert.json").as_uri()]


def test_a_job_summary_is_added_to_and_a_page_is_replaced(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        run("check", "good.cert.json", "--markdown", "page.md")
    assert Path("page.md").read_text("utf-8").count("### certify") == 1
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(Path("summary.md").resolve()))
    Path("summary.md").write_text("from another step\n", encoding="utf-8")
    for _ in range(2):
        run("check", "good.cert.json", "--markdown", "summary.md")
    page = Path("summary.md").read_text("utf-8")
    assert page.startswith("from another step\n### certify")
    assert page.count("### certify") == 2


def test_reports_are_reproducible(run: Callable[..., Result]) -> None:
    Path("hot.cert.json").write_bytes(write_certificate(one_hot()))
    options = ["--sarif", "o.sarif", "--junit", "o.xml", "--json", "o.json", "--markdown", "o.md", "--attest", "o.att"]
    runs = []
    for _ in range(2):
        assert run("check", "good.cert.json", "hot.cert.json", *options).exit_code == 0
        runs.append([Path(path).read_bytes() for path in options[1::2]])
    assert runs[0] == runs[1]


WITHOUT_EXTRAS = """
import sys
for name in ("numpy", "scipy", "cvxpy", "matplotlib", "jinja2", "sympy"):
    sys.modules[name] = None
from certify.cli import main
main(sys.argv[1:])
"""


def test_the_gate_needs_no_solver_no_numpy_and_nothing_to_draw(run: Callable[..., Result]) -> None:
    assert run("schema", "-o", "schema.json").exit_code == 0
    reports = ["--sarif", "o.sarif", "--junit", "o.xml", "--markdown", "o.md", "--attest", "o.att", "--json", "o.json"]
    for arguments in (["check", "good.cert.json", *reports], ["diff", "good.cert.json", "good.cert.json"], ["schema"]):
        command = [sys.executable, "-c", WITHOUT_EXTRAS, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    command = [sys.executable, "-c", WITHOUT_EXTRAS, "report", "good.cert.json", "-o", "r.html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert "pip install 'certify[report]'" in done.stderr
