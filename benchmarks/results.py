"""Run the benchmarks one after the other and write what they print to RESULTS.md.

    python benchmarks/results.py [NAME ...]

Without names all of them, in the order of NAMES. A benchmark that fails or takes too long is reported as such.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ("machine", "covariance", "domains", "psd", "growth", "privacy")
LIMIT = 1800


def section(name: str) -> str:
    """Return the section of one benchmark: its command and what it printed."""
    command = f"python benchmarks/{name}.py"
    sys.stderr.write(command + "\n")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}
    try:
        done = subprocess.run(
            [sys.executable, HERE / f"{name}.py"],
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return f"## {name}\n\n`{command}` took more than {LIMIT} s and was stopped.\n"
    printed = done.stdout.strip()
    failed = f"\n\nFailed with exit code {done.returncode}." if done.returncode else ""
    return f"## {name}\n\n`{command}`\n\n{printed}{failed}\n"


def main() -> None:
    names = sys.argv[1:] or NAMES
    opening = "# Results\n\nWritten by `python benchmarks/results.py`. Times are CPU seconds, wall seconds in brackets."
    present = [name for name in names if (HERE / f"{name}.py").exists()]
    (HERE / "RESULTS.md").write_text("\n".join([opening + "\n", *map(section, present)]))


if __name__ == "__main__":
    main()
