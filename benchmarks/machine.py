"""What a benchmark ran on, clocks, and tables.

python benchmarks/machine.py
"""

from __future__ import annotations

import os
import platform
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")
PACKAGES = ("python-flint", "numpy", "scipy", "cvxpy", "scs", "clarabel", "sympy")


@dataclass(frozen=True, slots=True)
class Clocked:
    """Seconds that something took: of this process and the ones it waited for, and on the wall."""

    cpu: float
    wall: float

    def __str__(self) -> str:
        return f"{self.cpu:.3g} ({self.wall:.3g})"


def clocked(work: Callable[[], Result]) -> tuple[Result, Clocked]:
    """Return what the work returned and how long it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Clocked(time.process_time() - cpu, time.perf_counter() - wall)


def print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(headings) + " |")
    print("|" + " --- |" * len(headings))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def peak_gigabytes() -> float:
    """Return the largest memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    rows = [
        ("processor", processor()),
        ("cores", os.cpu_count()),
        ("load over 1, 5, 15 minutes", load),
        ("BLAS threads", os.environ.get("OPENBLAS_NUM_THREADS", "not limited")),
        ("system", platform.platform()),
        ("Python", platform.python_version()),
        *((name, version(name)) for name in PACKAGES),
    ]
    print_table("Machine", ("what", "value"), rows)


if __name__ == "__main__":
    main()
