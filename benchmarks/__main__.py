"""Run the benchmarks and write RESULTS.md: ``python -m benchmarks [NAME ...]`` is ``python benchmarks/results.py``."""

from __future__ import annotations

import runpy
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).with_name("results.py")), run_name="__main__")
