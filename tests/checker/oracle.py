"""An independent slow path: what a covariance claim asserts, decided with fractions and principal minors."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
from flint import fmpq
from mpmath import mp, mpf, ncdf, sqrt

from certify.checker.claims import CovarianceOptimum
from certify.checker.exact import Matrix
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, BinaryGuarantee, RenyiDP, TotalVariation
from certify.checker.sensitivity import FiniteDomain, domain_of
from certify.solvers.precision import PrecisionBackend
from certify.solvers.problem import CovarianceProblem, ExplicitVectors, SolveOptions, SolverError, ignore_progress

Rows = list[list[Fraction]]


def fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def fractions(value: Matrix) -> Rows:
    return [[fraction(value.entry(i, j)) for j in range(value.columns)] for i in range(value.rows)]


def determinant(m: Rows) -> Fraction:
    if not m:
        return Fraction(1)
    total = Fraction(0)
    for j, entry in enumerate(m[0]):
        total += (-1) ** j * entry * determinant([row[:j] + row[j + 1 :] for row in m[1:]])
    return total


def is_psd(m: Rows) -> bool:
    """All principal minors are nonnegative."""
    size = len(m)
    return all(
        determinant([[m[i][j] for j in chosen] for i in chosen]) >= 0
        for count in range(1, size + 1)
        for chosen in combinations(range(size), count)
    )


def is_positive_definite(m: Rows) -> bool:
    return all(determinant([row[:k] for row in m[:k]]) > 0 for k in range(1, len(m) + 1))


def budget(guarantee: BinaryGuarantee) -> Fraction:
    """The rho a guarantee allows; for (epsilon, delta) the known value of the one used in the examples."""
    match guarantee:
        case ZCDP(rho):
            return 2 * fraction(rho)
        case GDP(mu):
            return fraction(mu) ** 2
        case RenyiDP(alpha, epsilon):
            return 2 * fraction(epsilon) / fraction(alpha)
        case ApproxDP() | TotalVariation():
            return _by_bisection(guarantee)
        case _:
            raise NotImplementedError(guarantee)


def _by_bisection(guarantee: ApproxDP | TotalVariation) -> Fraction:
    epsilon = guarantee.epsilon if isinstance(guarantee, ApproxDP) else fmpq(0)
    eps, delta = (mpf(int(x.p)) / int(x.q) for x in (epsilon, guarantee.delta))
    with mp.workdps(60):
        low, high = mpf(10) ** -30, mpf(10) ** 6
        for _ in range(400):
            q = (low + high) / 2
            value = ncdf(sqrt(q) / 2 - eps / sqrt(q)) - mp.exp(eps) * ncdf(-sqrt(q) / 2 - eps / sqrt(q))
            low, high = (q, high) if value <= delta else (low, q)
        return Fraction(str(low))


def vectors(claim: CovarianceOptimum) -> Rows:
    domain = domain_of(claim.sensitivity)
    assert isinstance(domain, FiniteDomain)
    records = fractions(domain.records)
    pairs = combinations(records, 2)
    return [[a - b for a, b in zip(x, y, strict=True)] for x, y in pairs if x != y]


def is_true(claim: CovarianceOptimum) -> bool:
    """Whether the claim holds: exactly for the primal side, by a float optimum (1e-6) for the lower bound."""
    sigma, weight, floor, rho = fractions(claim.covariance), fractions(claim.weight), fraction(claim.floor), None
    size = len(sigma)
    above = [[sigma[i][j] - (floor if i == j else 0) for j in range(size)] for i in range(size)]
    rho = budget(claim.guarantee)
    cost = sum(w * s for row, other in zip(weight, sigma, strict=True) for w, s in zip(row, other, strict=True))
    if not (is_positive_definite(weight) and is_psd(above) and cost <= fraction(claim.upper)):
        return False
    bordered = ([[*row, s] for row, s in zip(sigma, v, strict=True)] + [[*v, rho]] for v in vectors(claim))
    return all(map(is_psd, bordered)) and float(claim.lower) <= float_optimum(claim, float(rho)) * (1 + 1e-6)


def float_optimum(claim: CovarianceOptimum, rho: float) -> float:
    """A float upper estimate of the optimum, from a solver that knows nothing of the certificate."""
    weight, floor = np.array(fractions(claim.weight), dtype=float), float(claim.floor)
    spanning = np.array(vectors(claim), dtype=float).reshape(-1, claim.weight.rows)
    if not len(spanning):
        return floor * float(np.trace(weight))
    if floor == 0:
        _, singular, axes = np.linalg.svd(spanning, full_matrices=False)
        basis = axes[singular > 1e-12 * singular.max()].T
        spanning, weight = spanning @ basis, basis.T @ weight @ basis
    try:
        problem = CovarianceProblem(ExplicitVectors(spanning), weight, floor, rho)
        solution = PrecisionBackend().solve(problem, SolveOptions(), ignore_progress)
    except SolverError:
        return float("inf")
    return solution.history[-1].value_upper_estimate
