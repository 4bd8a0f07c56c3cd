"""The README is true: its commands and its Python example run as written."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_commands_run_in_order(tmp_path: Path) -> None:
    (tmp_path / "records.csv").write_text("0,0\n0,1\n1,0.5\n", encoding="utf-8")
    commands = [line.removeprefix("$ ") for block in _blocks("console") for line in block.splitlines()]
    assert len(commands) >= 6
    for command in commands:
        program, *arguments = shlex.split(command)
        path = Path(sys.executable).with_name(program)
        done = subprocess.run([path, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stderr)


@pytest.mark.parametrize("block", _blocks("python"))
def test_the_python_examples_run(tmp_path: Path, block: str) -> None:
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "PROVED 73.998020" in done.stdout


def test_every_folder_it_names_exists() -> None:
    for name in re.findall(r"^\| `([^|]*)` \|", README, re.MULTILINE):
        for folder in name.replace("`", "").split(", "):
            assert (ROOT / folder).is_dir(), folder
