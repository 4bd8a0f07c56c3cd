"""The tutorials are true: their files are written, their commands run in order, and the output is as shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pytest

TUTORIALS = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))
_FENCE = re.compile(r"^```(\{code-block\} )?(\w+)\n(?::caption: (\S+)\n\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"(.*?)(?:  # exit ([0-9]+))?\Z")
PLUGIN = any(each.value == "certify.pytest_plugin" for each in entry_points(group="pytest11"))


@dataclass(frozen=True)
class Command:
    """A command with the exit code and the output that the page shows; ``...`` in it stands for anything."""

    line: str
    code: int
    output: str


def _commands(block: str) -> list[Command]:
    commands = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        first, _, output = part.partition("\n")
        match = _EXIT.match(first)
        assert match is not None
        commands.append(Command(match[1], int(match[2] or 0), output))
    return commands


def _pattern(shown: str) -> str:
    """Return a pattern for the output shown: blanks of any width, ``...`` for anything."""
    words = [re.escape(" ".join(piece.split())) for piece in shown.split("...")]
    return r"\s*" + ".*?".join(r"\s*" + word.replace(r"\ ", r"\s+") + r"\s*" for word in words) + r"\s*\Z"


def _run(command: Command, folder: Path) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "200"}
    environment.pop("CI", None)
    if not PLUGIN:
        environment["PYTEST_ADDOPTS"] = "-p certify.pytest_plugin"
    done = subprocess.run(
        ["bash", "-c", command.line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == command.code, (command.line, done.stdout, done.stderr)
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_of_a_tutorial_run_as_shown(page: Path, tmp_path: Path) -> None:
    count = 0
    for _, language, name, body in _FENCE.findall(page.read_text("utf-8")):
        if name:
            (tmp_path / name).write_text(body, encoding="utf-8")
        for command in _commands(body) if language == "console" else []:
            printed = _run(command, tmp_path)
            assert re.match(_pattern(command.output), printed, re.DOTALL), (command, printed)
            count += 1
    assert count >= 6


def test_the_comparison_would_notice() -> None:
    assert re.match(_pattern("PROVED  a\n...\nwrote b\n"), "PROVED a\n\n x\n y\n\nwrote b\n", re.DOTALL)
    assert not re.match(_pattern("PROVED  a\n...\nwrote b\n"), "PROVED a\n", re.DOTALL)
    assert not re.match(_pattern("PROVED  a\n"), "PROVED  a\nand more\n", re.DOTALL)
    assert _commands("$ a b  # exit 3\nout\n$ c\n") == [Command("a b", 3, "out\n"), Command("c", 0, "")]
