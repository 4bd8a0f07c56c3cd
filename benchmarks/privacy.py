"""How fast privacy is decided: rigorous conversions beside floats, the capacity, an audit of the optical digits.

    python benchmarks/privacy.py

Prints a table and asserts nothing. CPU seconds of this process, so that a busy machine changes little.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from time import process_time

import numpy as np
from flint import fmpq
from mpmath import mp, mpf, ncdf

from certify.certificates.audit import AuditTask, audit
from certify.certificates.floats import from_floats, to_floats
from certify.certificates.rho_star import find_rho_star
from certify.checker.capacity import capacity
from certify.checker.conversions import epsilon_of, privacy_profile
from certify.checker.exact import Matrix
from certify.checker.guarantees import ApproxDP
from certify.checker.kernel import check
from certify.checker.queries import FixedQuery, Query, UniformQuery
from certify.checker.releases import IdealDenoiser, Neighbours
from certify.checker.statements.records import read_records

ROW = "{:<58} {:>14} {:>14}"


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def rate(work: Callable[[fmpq], object], arguments: list[fmpq]) -> float:
    return len(arguments) / seconds(lambda: [work(argument) for argument in arguments])


def float_profile(epsilon: float, q: float) -> float:
    """The textbook formula in binary64, which loses every digit once delta is small."""
    s = math.sqrt(q)
    tail = math.erfc((epsilon / s - s / 2) / math.sqrt(2)) / 2
    return tail - math.exp(epsilon) * math.erfc((epsilon / s + s / 2) / math.sqrt(2)) / 2


def precise_profile(epsilon: fmpq, q: int) -> object:
    """The same formula with 60 digits and no error bound."""
    s, e = mp.sqrt(q), mpf(int(epsilon.p)) / int(epsilon.q)
    return ncdf(s / 2 - e / s) - mp.exp(e) * ncdf(-s / 2 - e / s)


def conversions() -> None:
    print(ROW.format("conversion, per second", "rigorous", "without proof"))
    many = [fmpq(k, 1000) for k in range(1, 10_001)]
    floats = [k / 1000 for k in range(1, 10_001)]
    plain = len(floats) / seconds(lambda: [float_profile(epsilon, 1.0) for epsilon in floats])
    fast = rate(lambda epsilon: privacy_profile(epsilon, fmpq(1)), many)
    print(ROW.format("epsilon -> delta, 15 digits / binary64", f"{fast:,.0f}", f"{plain:,.0f}"))
    few = many[::20]
    mp.dps = 60
    digits = rate(lambda epsilon: privacy_profile(epsilon, fmpq(1), 50), few)
    unproved = rate(lambda epsilon: precise_profile(epsilon, 1), few)
    print(ROW.format("epsilon -> delta, 50 digits / mpmath at 60", f"{digits:,.0f}", f"{unproved:,.0f}"))
    deltas = [fmpq(1, 10**k) for k in range(1, 301)]
    print(ROW.format("delta -> epsilon, 15 digits", f"{rate(lambda d: epsilon_of(d, fmpq(1)), deltas):,.0f}", ""))
    points = [fmpq(k, 20) for k in range(1, 401)]
    print(ROW.format("C(q), 30 digits", f"{rate(lambda q: capacity(q, 30), points):,.0f}", ""))


def digits_domain(query: str) -> tuple[IdealDenoiser, Matrix]:
    """The optical digits, pixel values over 16, with a float covariance that is singular on three constant columns."""
    source = files("certify.samples") / "optdigits.csv"
    domain = read_records(source.read_bytes(), "optdigits.csv", fmpq(1, 16))
    covariance = np.cov(to_floats(domain.records).T)
    moving = np.diag(covariance) > 0
    covariance = np.where(np.outer(moving, moving), covariance + 0.01 * np.eye(len(moving)), 0.0)
    model: Query = UniformQuery()
    if query == "fixed":
        model = FixedQuery(domain.records.select((5,), range(domain.dimension)), fmpq(1))
    release = IdealDenoiser(domain, model, Neighbours.ADD_OR_REMOVE_ONE)
    return release, from_floats((covariance + covariance.T) / 2)


def audits() -> None:
    print()
    print(ROW.format("optical digits: 1,797 records, d = 64, 1,613,706 pairs", "CPU seconds", ""))
    claims = (ApproxDP(fmpq(1), fmpq(1, 10**5)), ApproxDP(fmpq(200), fmpq(1, 10**5)))
    for query in ("uniform", "fixed"):
        release, covariance = digits_domain(query)
        found = find_rho_star(release, covariance)
        lines: dict[str, Callable[[], object]] = {
            "enclosure of rho_star, checked": partial(find_rho_star, release, covariance),
            "its check alone": partial(check, found.certificate),
            "audit of one refuted and one proved claim": partial(audit, AuditTask(release, covariance, claims)),
        }
        for name, work in lines.items():
            print(ROW.format(f"{query} query: {name}", f"{seconds(work):.2f}", ""))


if __name__ == "__main__":
    conversions()
    audits()
