"""Exact positive semidefiniteness beside rational elimination in Python, sympy, and a float Cholesky factorisation.

    python benchmarks/psd.py [--sizes 8 16 32 64 128] [--witness 250 500 1000]

Matrices are G G^T / n + I with G standard normal, read as the dyadic rationals they are. Times are CPU seconds, the
least of a few runs, and in brackets how many times as long as decide_psd.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import sympy
from machine import clocked, print_table

from certify.certificates.floats import FloatArray, from_floats
from certify.checker.exact import Matrix
from certify.checker.psd import decide_by_ldl, decide_psd

FRACTIONS_LIMIT = 40
SYMPY_LIMIT = 12
REPEATED = 0.5
MOST_RUNS = 20


def well_conditioned(size: int) -> FloatArray:
    root = np.random.default_rng(size).standard_normal((size, size))
    gram = root @ root.T / size + np.eye(size)
    return np.asarray((gram + gram.T) / 2)


def by_fractions(rows: list[list[Fraction]]) -> bool:
    """Decide by LDL^T over fractions, without pivoting."""
    size = len(rows)
    for k in range(size):
        pivot = rows[k][k]
        if pivot < 0 or (pivot == 0 and any(rows[i][k] for i in range(k, size))):
            return False
        for i in range(k + 1, size if pivot else 0):
            factor = rows[i][k] / pivot
            rows[i] = [entry - factor * above for entry, above in zip(rows[i], rows[k], strict=True)]
    return True


def compare(size: int) -> list[object]:
    floats = well_conditioned(size)
    exact = from_floats(floats)
    fractions = [[Fraction(entry) for entry in row] for row in floats.tolist()]
    ours = seconds(lambda: decide_psd(exact))
    return [
        size,
        f"{ours:.3g}",
        beside(ours, seconds(lambda: decide_by_ldl(exact))),
        beside(ours, seconds(lambda: by_fractions(fractions))) if size <= FRACTIONS_LIMIT else "-",
        beside(ours, seconds(lambda: sympy_matrix(exact).is_positive_semidefinite)) if size <= SYMPY_LIMIT else "-",
        beside(ours, seconds(lambda: np.linalg.cholesky(floats))),
    ]


def sympy_matrix(exact: Matrix) -> sympy.Matrix:
    size = range(exact.rows)
    entries = [[exact.entry(i, j) for j in size] for i in size]
    return sympy.Matrix([[sympy.Rational(int(entry.p), int(entry.q)) for entry in row] for row in entries])


def seconds(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of a few runs, as many as fit into half a second."""
    found, spent = [clocked(work)[1].cpu], 0.0
    while (spent := spent + found[-1]) < REPEATED and len(found) < MOST_RUNS:
        found.append(clocked(work)[1].cpu)
    return min(found)


def beside(ours: float, theirs: float) -> str:
    """Return the time of another way with its ratio to ours."""
    return f"{theirs:.3g} ({theirs / ours:.2g} x)"


def main() -> None:
    parser = argparse.ArgumentParser(description="Exact positive semidefiniteness beside other tools.")
    parser.add_argument("--sizes", type=int, nargs="*", default=[8, 12, 24, 40, 64, 100], help="orders to compare at")
    parser.add_argument("--witness", type=int, nargs="*", default=[250, 500, 1000], help="orders for the witness alone")
    arguments = parser.parse_args()
    headings = ("n", "decide_psd", "rational LDL in FLINT", "fractions", "sympy", "float Cholesky (no proof)")
    print_table(
        "Exact PSD: CPU seconds (times as long as decide_psd)", headings, [compare(size) for size in arguments.sizes]
    )
    rows = []
    for size in arguments.witness:
        floats = well_conditioned(size)
        ours = seconds(partial(decide_psd, from_floats(floats)))
        rows.append([size, f"{ours:.3g}", beside(ours, seconds(partial(np.linalg.cholesky, floats)))])
    print_table("Large and exact, likewise", ("n", "decide_psd", "float Cholesky (no proof)"), rows)


if __name__ == "__main__":
    main()
