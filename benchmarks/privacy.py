"""How fast privacy is decided: rigorous conversions beside floats, the capacity, an audit of the optical digits.

    python benchmarks/privacy.py

Prints tables and asserts nothing. CPU seconds of this process, so that a busy machine changes little.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from time import process_time
from typing import TypeVar

import numpy as np
from dp_accounting import GaussianDpEvent, PrivacyAccountant
from dp_accounting.pld import privacy_loss_mechanism
from dp_accounting.pld.pld_privacy_accountant import PLDAccountant
from dp_accounting.rdp.rdp_privacy_accountant import RdpAccountant
from flint import fmpq
from machine import print_table
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

Number = TypeVar("Number")


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def rate(work: Callable[[Number], object], arguments: list[Number]) -> float:
    """Return how many a second, by the least time of three runs: a shared machine is not always as fast."""
    return len(arguments) / min(seconds(lambda: [work(argument) for argument in arguments]) for _ in range(3))


def float_profile(epsilon: float, q: float) -> float:
    """The textbook formula in binary64, which loses every digit once delta is small."""
    s = math.sqrt(q)
    tail = math.erfc((epsilon / s - s / 2) / math.sqrt(2)) / 2
    return tail - math.exp(epsilon) * math.erfc((epsilon / s + s / 2) / math.sqrt(2)) / 2


def precise_profile(epsilon: fmpq, q: int) -> object:
    """The same formula with 60 digits and no error bound."""
    s, e = mp.sqrt(q), mpf(int(epsilon.p)) / int(epsilon.q)
    return ncdf(s / 2 - e / s) - mp.exp(e) * ncdf(-s / 2 - e / s)


def by_loss_distribution() -> Callable[[float], float]:
    """The closed formula of dp-accounting for one Gaussian release with q = 1."""
    loss = privacy_loss_mechanism.GaussianPrivacyLoss(1.0)
    return lambda epsilon: float(loss.get_delta_for_epsilon(epsilon))


def by_accountant(accountant: PrivacyAccountant) -> Callable[[float], float]:
    """An accountant of dp-accounting that has been told of one Gaussian release with q = 1."""
    accountant.compose(GaussianDpEvent(1.0))
    return lambda epsilon: float(accountant.get_delta(epsilon))


def conversions() -> None:
    epsilons = [fmpq(k, 1000) for k in range(1, 10_001)]
    floats = [k / 1000 for k in range(1, 2_001)]
    mp.dps = 60
    ours = rate(lambda epsilon: privacy_profile(epsilon, fmpq(1)), epsilons)
    peers: list[tuple[str, float]] = [
        ("certify: enclosure, 15 digits", ours),
        ("certify: enclosure, 50 digits", rate(lambda epsilon: privacy_profile(epsilon, fmpq(1), 50), epsilons[::20])),
        ("textbook formula in binary64", rate(lambda epsilon: float_profile(epsilon, 1.0), floats)),
        ("textbook formula, mpmath at 60 digits", rate(lambda epsilon: precise_profile(epsilon, 1), epsilons[::20])),
        ("dp-accounting: closed formula of the loss", rate(by_loss_distribution(), floats)),
        ("dp-accounting: Renyi accountant, not tight", rate(by_accountant(RdpAccountant()), floats)),
        ("dp-accounting: loss distribution accountant", rate(by_accountant(PLDAccountant()), floats[::20])),
    ]
    rows = [[name, f"{each:,.0f}", f"{ours / each:.3g}"] for name, each in peers]
    print_table("epsilon -> delta of a Gaussian release, q = 1", ("what", "a second", "certify is faster by"), rows)
    deltas, points = [fmpq(1, 10**k) for k in range(1, 301)], [fmpq(k, 20) for k in range(1, 401)]
    others: list[list[object]] = [
        ["delta -> epsilon, 15 digits", f"{rate(lambda delta: epsilon_of(delta, fmpq(1)), deltas):,.0f}"],
        ["C(q), 30 digits", f"{rate(lambda q: capacity(q, 30), points):,.0f}"],
    ]
    print_table("Other rigorous conversions", ("what", "a second"), others)


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
    rows: list[list[object]] = []
    claims = (ApproxDP(fmpq(1), fmpq(1, 10**5)), ApproxDP(fmpq(200), fmpq(1, 10**5)))
    for query in ("uniform", "fixed"):
        release, covariance = digits_domain(query)
        found = find_rho_star(release, covariance)
        lines: dict[str, Callable[[], object]] = {
            "enclosure of rho_star, checked": partial(find_rho_star, release, covariance),
            "its check alone": partial(check, found.certificate),
            "audit of one refuted and one proved claim": partial(audit, AuditTask(release, covariance, claims)),
        }
        rows += [[f"{query} query: {name}", f"{seconds(work):.2f}"] for name, work in lines.items()]
    print_table("Optical digits, 1,797 records, 1,613,706 pairs, d = 64", ("what", "CPU seconds"), rows)


if __name__ == "__main__":
    conversions()
    audits()
