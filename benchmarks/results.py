"""Run the benchmarks one after the other and write what they print to RESULTS.md.

    python benchmarks/results.py [NAME ...]

Without names all of them, in the order of NAMES; with names the sections of the others stay as they are. A benchmark
that fails or takes too long is reported as such.
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


def sections_of(page: str) -> dict[str, str]:
    """Return the sections of a page by name."""
    return {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in page.split("\n## ")[1:]}


def main() -> None:
    names = sys.argv[1:] or list(NAMES)
    page = HERE / "RESULTS.md"
    sections = sections_of(page.read_text()) if page.exists() else {}
    sections |= {name: section(name) for name in names if (HERE / f"{name}.py").exists()}
    order = [*NAMES, *sections]
    opening = (
        "# Results\n\nWritten by `python benchmarks/results.py`. Times are CPU seconds, wall seconds in brackets.\n"
    )
    page.write_text("\n".join([opening, *(sections[name] for name in sorted(sections, key=order.index))]))


if __name__ == "__main__":
    main()
