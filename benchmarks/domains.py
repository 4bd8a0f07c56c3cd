"""Design, certify and check for real and synthetic records, at every query and at one: constraint generation at work.

    python benchmarks/domains.py [--rows N]

Times are CPU seconds, wall seconds in brackets. A fixed query has directed vectors: both orders of a pair count. The
query point is the mean of the records, to four decimals, and sigma^2 their mean squared distance from it over 4d.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
from covariance import HEADINGS, RHO_ONE, SAMPLE, run
from flint import fmpq, fmpz_mat
from machine import peak_gigabytes, print_table

from certify.certificates.covariance import DesignTask
from certify.certificates.floats import FloatArray, to_floats
from certify.checker.domains import FiniteDomain
from certify.checker.exact import identity, matrix, parse_rational
from certify.checker.queries import FixedQuery, Query, UniformQuery
from certify.checker.releases import IdealDenoiser, Neighbours
from certify.checker.statements.records import read_records


@dataclass(frozen=True, slots=True)
class Case:
    """A domain under a name, and the queries it is asked at."""

    name: str
    domain: FiniteDomain
    query: Query

    def line(self) -> list[object]:
        """Return a row of a table: what it is, HEADINGS without the first, the peak of memory so far."""
        release = IdealDenoiser(self.domain, self.query, Neighbours.ADD_OR_REMOVE_ONE)
        task = DesignTask(release, RHO_ONE, identity(self.domain.dimension), fmpq(0))
        sys.stderr.write(f"{self.name}\n")
        return [*run(task, 1e-9).line(self.name), f"{peak_gigabytes():.2f}"]


def sample(name: str, scale: fmpq) -> FiniteDomain:
    file = SAMPLE.with_name(f"{name}.csv")
    return read_records(file.read_bytes(), file.name, scale)


def synthetic(rows: int, columns: int) -> FiniteDomain:
    """Standard normal records, rounded to multiples of 1/256."""
    values = np.rint(np.random.default_rng(rows + columns).standard_normal((rows, columns)) * 256)
    return FiniteDomain(matrix(fmpz_mat(rows, columns, values.astype(int).ravel().tolist()), 256), None)


def in_the_middle(domain: FiniteDomain) -> FixedQuery:
    records: FloatArray = to_floats(domain.records)
    point = [round(10_000 * float(value)) for value in records.mean(axis=0)]
    spread = ((records - records.mean(axis=0)) ** 2).sum(axis=1).mean() / (4 * records.shape[1])
    return FixedQuery(matrix(fmpz_mat(1, len(point), point), 10_000), parse_rational(f"{spread:.4f}"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Design, certify and check for real and synthetic records.")
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the synthetic records")
    rows = parser.parse_args().rows
    domains = {name: sample(name, fmpq(1, 16 if name == "optdigits" else 1)) for name in ("iris", "wine", "optdigits")}
    cases = [
        Case(f"{name}, {which} query", domain, query)
        for name, domain in domains.items()
        for which, query in (("every", UniformQuery()), ("one", in_the_middle(domain)))
    ]
    cases.append(Case(f"normal, {rows} x 32, every query", synthetic(rows, 32), UniformQuery()))
    print_table("Constraint generation, rho = 1", (*HEADINGS, "peak GB so far"), [case.line() for case in cases])


if __name__ == "__main__":
    main()
