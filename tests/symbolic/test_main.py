"""The command: exit codes, plain text in a pipe, and no acquaintance with certify."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from sympy import Symbol

from symbolic import __main__ as command
from symbolic.catalogue import IDENTITIES, Family
from symbolic.identity import Expand, Identity

x = Symbol("x", real=True)
TRUE = Identity("true", "nowhere", x + 1, 1 + x, Expand())
FALSE = Identity("false", "nowhere", x + 1, x, Expand())


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_the_command_proves_everything_and_prints_plain_lines() -> None:
    done = python("-m", "symbolic")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == len(IDENTITIES) + 1
    assert all(line.startswith("PROVED ") for line in lines[:-1])
    assert lines[-1] == f"{len(IDENTITIES)} of {len(IDENTITIES)} identities proved"
    assert "\x1b" not in done.stdout


def use(monkeypatch: pytest.MonkeyPatch, *identities: Identity) -> None:
    monkeypatch.setattr(command, "FAMILIES", (Family("trial", "Trial.", identities),))


def test_exit_code_is_three_unless_all_are_proved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, TRUE)
    assert command.main([]) == 0
    use(monkeypatch, TRUE, FALSE)
    assert command.main([]) == 3
    assert "left - right leaves 1" in capsys.readouterr().out


def test_json_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    use(monkeypatch, TRUE, FALSE)
    assert command.main(["--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert [entry["verdict"] for entry in document["identities"]] == ["PROVED", "FAILED"]


def test_a_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    use(monkeypatch, TRUE, FALSE)
    assert command.main([]) == 3
    printed = capsys.readouterr().out
    assert "\x1b" in printed
    assert "1 of 2 identities proved" in printed


def test_readme_proves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--readme"]) == 0
    assert capsys.readouterr().out.startswith("# symbolic\n")


def test_wrong_usage_is_exit_code_two() -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(["--json", "--readme"])
    assert stopped.value.code == 2


def test_symbolic_does_not_know_certify() -> None:
    program = (
        "import sys, symbolic.__main__, symbolic.catalogue; "
        "sys.exit(any(name.partition('.')[0] == 'certify' for name in sys.modules))"
    )
    done = python("-c", program)
    assert done.returncode == 0, done.stderr
