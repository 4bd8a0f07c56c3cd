"""The histogram of certify figure1."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner
from matplotlib.image import imread

from certify.cli import main


def _run(*arguments: str) -> tuple[int, str]:
    quick = ["--dimension", "3", "--draws", "40"]
    result = CliRunner().invoke(main, ["figure1", *quick, *arguments], catch_exceptions=False)
    return result.exit_code, result.output


def test_svg_and_png_are_written_with_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = _run()
    assert _run("--plot", "f.svg") == (code, text) == _run("--plot", "f.png")
    assert code == 0
    svg = Path("f.svg").read_text("utf-8")
    fromstring(svg)  # noqa: S314
    mean = next(line.split()[1] for line in text.splitlines() if line.strip().startswith("mean"))
    assert f"mean {mean}" in svg
    assert "covariances, of 40" in svg
    assert imread(BytesIO(Path("f.png").read_bytes())).shape == (672, 1024, 4)
    assert _run("--plot", "g.svg")[0] == 0
    assert Path("g.svg").read_bytes() == Path("f.svg").read_bytes()


def test_other_suffixes_and_folders_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _run("--plot", "f.pdf")[0] == 4
    assert _run("--plot", "nowhere/f.svg")[0] == 4
    assert list(tmp_path.iterdir()) == []
