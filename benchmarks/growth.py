"""How time grows with the records m, the columns d and the vectors J, with fitted exponents.

    python benchmarks/growth.py

Times are CPU seconds, wall seconds in brackets. The exponent is the slope of log CPU time by least squares over the
upper half of the sizes, where start-up no longer counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpz_mat
from machine import Clocked, clocked, peak_gigabytes, print_table

from certify.certificates.covariance import DesignTask, design_covariance
from certify.certificates.floats import from_floats, round_to_bits
from certify.checker.domains import FiniteDomain
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.guarantees import ZCDP
from certify.checker.kernel import check, silent
from certify.checker.pairs import largest_over_pairs
from certify.checker.queries import UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, Release
from certify.solvers.problem import ignore_progress
from certify.solvers.select import backend_by_name

GAP = 1e-9


@dataclass(frozen=True, slots=True)
class Point:
    """What one size took: to solve and build, and to check."""

    size: int
    design: Clocked
    check: Clocked


def records(rows: int, columns: int) -> Matrix:
    """Return standard normal records, rounded to multiples of 1/256."""
    values = np.random.default_rng(rows + columns).standard_normal((rows, columns))
    return matrix(fmpz_mat(rows, columns, np.rint(values * 256).astype(int).ravel().tolist()), 256)


def measure(size: int, release: Release) -> Point:
    task = DesignTask(release, ZCDP(fmpq(1, 2)), identity(release.dimension), fmpq(0))
    design, designed = clocked(lambda: design_covariance(task, backend_by_name("auto"), GAP, ignore_progress))
    _, checked = clocked(lambda: check(design.certificate))
    return Point(size, designed, checked)


def denoiser(rows: int, columns: int) -> Release:
    domain = FiniteDomain(records(rows, columns), None)
    return IdealDenoiser(domain, UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)


def vectors(count: int) -> Release:
    return ExplicitVectors(from_floats(np.random.default_rng(count).standard_normal((count, 8))))


def exponent(sizes: Sequence[int], times: Sequence[Clocked]) -> str:
    upper = len(sizes) // 2
    if len(sizes) - upper < 2:
        return "-"
    slope = np.polyfit(np.log(sizes[upper:]), np.log([max(time.cpu, 1e-6) for time in times[upper:]]), 1)[0]
    return f"{slope:.2f}"


def grow(title: str, letter: str, sizes: Sequence[int], release: Callable[[int], Release]) -> None:
    points = [measure(size, release(size)) for size in sizes]
    rows: list[list[object]] = [[point.size, point.design, point.check] for point in points]
    designs, checks = [point.design for point in points], [point.check for point in points]
    rows.append(["exponent", exponent(sizes, designs), exponent(sizes, checks)])
    print_table(title, (letter, "solve and build s", "exact check s"), rows)


def grow_pairs(sizes: Sequence[int], columns: int) -> None:
    """Time the exact maximum over all pairs: with pruning, and forced through every pair while they are few."""
    root = np.random.default_rng(0).standard_normal((columns, columns))
    forms = {
        "normal records, some form": (
            records,
            from_floats(round_to_bits(root @ root.T / columns + np.eye(columns) / 10, 45)),
        ),
        "normal records, I": (records, identity(columns)),
        "uniform cube, I": (cube, identity(columns)),
    }
    for name, (cloud, form) in forms.items():
        rows: list[list[object]] = []
        times = []
        for size in sizes:
            points = cloud(size, columns)
            _, pruned = clocked(lambda points=points, form=form: largest_over_pairs(points, form, silent))
            every: object = "-"
            if size <= 3000:
                work = lambda points=points, form=form: largest_over_pairs(points, form, silent, exhaustive=True)  # noqa: E731
                _, every = clocked(work)
            times.append(pruned)
            rows.append([size, size * (size - 1) // 2, pruned, every, f"{peak_gigabytes():.2f}"])
        rows.append(["exponent", "", exponent(sizes, times), "", ""])
        headings = ("m", "pairs", "exact maximum s", "every pair forced s", "peak GB so far")
        print_table(f"Exact maximum over all pairs, d = {columns}, {name}", headings, rows)


def cube(rows: int, columns: int) -> Matrix:
    values = np.random.default_rng(rows).integers(0, 257, (rows, columns))
    return matrix(fmpz_mat(rows, columns, values.ravel().tolist()), 256)


def main() -> None:
    argparse.ArgumentParser(description="How time grows with the size of the problem.").parse_args()
    grow_pairs([100, 1_000, 10_000, 100_000], 32)
    grow("Records, d = 16", "m", [100, 1_000, 10_000, 100_000], lambda m: denoiser(m, 16))
    grow("Columns, 300 records", "d", [4, 8, 16, 32, 64, 128], lambda d: denoiser(300, d))
    grow("Explicit vectors, d = 8", "J", [100, 1_000, 10_000, 100_000], vectors)


if __name__ == "__main__":
    main()
