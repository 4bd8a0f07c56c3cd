"""Checking starts fast because it loads nothing but the checker, the command line and python-flint."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from certify.checker.certificate import write_certificate
from tests.checker.examples import square

HEAVY = (
    "numpy",
    "scipy",
    "cvxpy",
    "rich",
    "email",
    "importlib.metadata",
    "certify.solvers",
    "certify.checker.statements.sdpa",
)


def test_a_quiet_check_loads_only_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "square.cert.json").write_bytes(write_certificate(square()))
    code = (
        "import atexit, sys\n"
        f"atexit.register(lambda: print([name for name in {HEAVY!r} if name in sys.modules]))\n"
        "from certify.cli import main\n"
        "main(['check', 'square.cert.json', '-q'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "PROVED  square.cert.json\n[]\n"
