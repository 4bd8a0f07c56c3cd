"""The same certificates give the same bytes in every process, whatever the seed of its hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from certify.checker.certificate import write_certificate
from tests.checker.examples import square
from tests.reports.examples import BRACKET, refuted

OUTPUTS = ("--json=out.json", "--sarif=out.sarif", "--junit=out.xml", "--markdown=out.md", "--attest=out.intoto.json")
PROGRAM = str(Path(sys.executable).with_name("certify"))
COMMANDS = (
    ("check", "certificates", *OUTPUTS),
    ("report", "certificates", "-o", "report.html"),
    ("show", "certificates/square.cert.json"),
    ("diff", "certificates", "certificates"),
    ("figure1", "--dimension", "3", "--draws", "20", "--plot", "figure.svg"),
    ("figure1", "--dimension", "3", "--draws", "20", "--plot", "figure.png"),
)


def _run(folder: Path, seed: int) -> dict[str, bytes]:
    kept = folder / "certificates"
    kept.mkdir(parents=True)
    for name, data in (("square", write_certificate(square())), ("refuted", refuted().data)):
        (kept / f"{name}.cert.json").write_bytes(data)
    (kept / "eigenvalue.cert.json").write_bytes(write_certificate(BRACKET))
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    printed = b""
    for command in COMMANDS:
        done = subprocess.run([PROGRAM, *command], cwd=folder, env=environment, capture_output=True, check=False)
        assert done.returncode in {0, 3}, done.stderr.decode()
        printed += done.stdout
    return {"printed": printed, **{p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}}


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    first, second = _run(tmp_path / "a", 1), _run(tmp_path / "b", 2)
    assert set(first) == {
        "printed",
        "report.html",
        "figure.svg",
        "figure.png",
        *(name.partition("=")[2] for name in OUTPUTS),
    }
    assert [name for name in first if first[name] != second[name]] == []
    assert b"Eigenvalues of the points" in first["report.html"]
