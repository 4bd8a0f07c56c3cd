"""What every command prints: JSON where asked, plain text in a pipe, colour on a terminal unless NO_COLOR says no."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from certify.checker.certificate import write_certificate
from certify.cli import main
from certify.cli.main import COMMANDS
from tests.checker.examples import square
from tests.proofs.store import FOLDER
from tests.reports.examples import rejected

PROGRAM = str(Path(sys.executable).with_name("certify"))
PROBLEM = "1\n1\n2\n-1.0\n0 1 1 1 -2.0\n0 1 1 2 -1.0\n0 1 2 2 -2.0\n1 1 1 1 -1.0\n1 1 2 2 -1.0\n"
SPECIFICATION = (
    'statistic = "sum"\nneighbours = "replace"\nrecords = {rows = [[0, 0], [3, 4]]}\n'
    "covariance = {isotropic = 25}\n[[claims]]\ngdp = 1\n"
)
RUNS = {
    "audit": ["audit.toml"],
    "bound": ["problem.dat-s", "-o", "bound.cert.json"],
    "check": ["square.cert.json"],
    "design": ["records.csv", "--rho", "1", "-o", "noise.cert.json"],
    "diff": ["square.cert.json", "square.cert.json"],
    "export": ["square.cert.json", "--covariance", "sigma.npy"],
    "figure1": ["--dimension", "3", "--draws", "5"],
    "privacy": ["--rho", "0.25", "--delta", "1e-5"],
    "prove": ["stored.cert.json", "-o", "stored.v"],
    "report": ["square.cert.json", "-o", "report.html"],
    "rho": ["--records", "records.csv", "--covariance", "sigma.csv", "--neighbours", "add-remove"],
    "show": ["square.cert.json"],
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("records.csv").write_text("0,0\n0,1\n1,0\n1,1\n", encoding="utf-8")
    Path("sigma.csv").write_text("2,0\n0,2\n", encoding="utf-8")
    Path("problem.dat-s").write_text(PROBLEM, encoding="utf-8")
    Path("audit.toml").write_text(SPECIFICATION, encoding="utf-8")
    Path("square.cert.json").write_bytes(write_certificate(square()))
    Path("stored.cert.json").write_bytes((FOLDER / "accepted" / "line.cert.json").read_bytes())


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
    return result.exit_code, result.stdout


def test_every_command_speaks_json() -> None:
    """The output of ``schema`` is JSON in any case."""
    assert set(RUNS) | {"schema"} == set(COMMANDS)
    for name in RUNS:
        options = {option for each in _command(name).params for option in each.opts}
        assert "--json" in options, name


def _command(name: str) -> click.Command:
    command: click.Command = import_module(f"certify.cli.{name}").command
    return command


@pytest.mark.parametrize("name", RUNS)
def test_the_output_is_one_json_document(name: str) -> None:
    code, text = _run(name, *RUNS[name], "--json")
    assert code == 0
    assert isinstance(json.loads(text), dict)
    # Statistics of random draws, and the noise multiplier that other accountants take, are floats.
    assert not _floats_of_claims(json.loads(text)) or name in ("figure1", "rho")


def _floats_of_claims(value: Any) -> bool:
    """Return whether a document has a floating-point number in it; exact numbers are texts."""
    match value:
        case dict():
            return any(map(_floats_of_claims, value.values()))
        case list():
            return any(map(_floats_of_claims, value))
        case _:
            return isinstance(value, float)


def test_the_schema_is_json() -> None:
    code, text = _run("schema")
    assert code == 0
    assert json.loads(text)["$schema"]


def test_show_says_in_json_what_it_prints() -> None:
    shown = json.loads(_run("show", "square.cert.json", "--json")[1])
    assert (shown["kind"], shown["checked"]) == ("CovarianceOptimum", False)
    assert shown["claim"] in " ".join(_run("show", "square.cert.json")[1].split())
    assert shown["facts"]["guarantee"] == "(rho = 0.5)-zero-concentrated differential privacy"
    program = json.loads(_run("show", "problem.dat-s", "--json")[1])
    assert (program["entries"], program["facts"]["equations m"], program["notices"]) == (5, "1", [])


def test_json_keeps_the_exit_code_of_a_report() -> None:
    Path("bad.cert.json").write_bytes(rejected().data)
    code, text = _run("report", "bad.cert.json", "-o", "report.html", "--json")
    assert code == 3
    assert json.loads(text)["results"][0]["verdict"] == "REJECTED"


def _on_a_terminal(*arguments: str, **environment: str) -> str:
    """Run the program on a terminal of its own and return what it shows."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    child = subprocess.Popen(
        [PROGRAM, *arguments], stdout=theirs, stderr=theirs, stdin=theirs, env={**kept, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:
        pass  # Linux says so when the other end is closed.
    os.close(ours)
    assert child.wait() == 0
    return shown.decode()


def test_colour_on_a_terminal_and_none_where_it_is_not_wanted() -> None:
    coloured = re.compile(r"\x1b\[[0-9;]*3[0-7]m")
    assert coloured.search(_on_a_terminal("check", "square.cert.json"))
    assert not coloured.search(_on_a_terminal("check", "square.cert.json", NO_COLOR="1"))
    piped = subprocess.run([PROGRAM, "check", "square.cert.json"], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stdout + piped.stderr
    assert not re.search(r"[ \t]+$", piped.stdout, re.MULTILINE)
    assert len(piped.stdout.splitlines()) > 10
    assert "PROVED" in piped.stdout


def test_quiet_prints_no_progress() -> None:
    arguments = ("figure1", "--dimension", "14", "--draws", "60")
    assert "draw" in _on_a_terminal(*arguments)
    assert "draw" not in _on_a_terminal(*arguments, "--quiet").replace("60 draws", "")
