"""Design: from records and a guarantee to a certificate of the optimal covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpz

from certify.certificates.dual_rounding import Budget, RoundedDual, round_compact, round_full, trivial_dual
from certify.certificates.floats import dyadic, to_floats
from certify.certificates.primal_rounding import Primal, Target, round_primal
from certify.certificates.reduction import Reduction, reduce_domain, restrict
from certify.checker.certificate import Certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.decimals import decimal_exponent
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import Guarantee
from certify.checker.privacy import Unattainable, Unlimited, rho_budget
from certify.checker.sensitivity import FiniteDomain, IdealDenoiser, Neighbours, UniformQuery
from certify.checker.witnesses import CovarianceWitness
from certify.solvers.problem import (
    Backend,
    CovarianceProblem,
    PairDifferences,
    Report,
    Solution,
    SolveOptions,
    SolverError,
)
from certify.solvers.problem import CompactDual as FloatCompactDual

BOUND_DIGITS = 30
EXACT_BITS = 256
ATTEMPTS = 3
SMALL_DOMAIN = 300
SAFE_RANGE = (1e-140, 1e140)
OUT_OF_RANGE = "squares of these records are beyond the range of binary64; bring them near 1 with --scale"


class DesignError(Exception):
    """No certificate could be built; the message says why and what to try."""


@dataclass(frozen=True, slots=True)
class DesignTask:
    """What to design: records, neighbouring relation, guarantee, task weight W (d x d), noise floor eta >= 0."""

    domain: FiniteDomain
    neighbours: Neighbours
    guarantee: Guarantee
    weight: Matrix
    floor: fmpq


@dataclass(frozen=True, slots=True)
class Design:
    """A certificate with the history of the float solve that led to it."""

    certificate: Certificate
    solution: Solution | None


def design_covariance(task: DesignTask, backend: Backend, relative_gap: float, report: Report) -> Design:
    """Return a certificate of the optimal covariance of a task.

    The float solve is repeated with a smaller target and finer rounding, a bounded number of times, until the exact
    bracket is within ``relative_gap``; the best certificate is returned in any case, its bracket is what it says.

    Raises:
        DesignError: If the guarantee leaves nothing to design, or no exact certificate was found.
    """
    rho = _budget(task.guarantee)
    reduction = reduce_domain(task.domain, to_span=task.floor == 0)
    if reduction.points.rows == 1 or reduction.points.columns == 0:
        return _without_noise_to_shape(task, reduction, rho)
    problem = _float_problem(task, reduction, rho)
    best: Design | None = None
    for attempt in range(ATTEMPTS):
        options = SolveOptions(relative_gap=relative_gap / 10 ** (attempt + 1))
        try:
            solution = backend.solve(problem, options, report)
        except SolverError as error:
            if best is None:
                raise DesignError(str(error)) from error
            break
        best = _better(best, _certify(task, reduction, rho, solution, relative_gap, attempt))
        if best is not None and bracket_gap(best.certificate) <= dyadic(relative_gap):
            break
    if best is None:
        raise DesignError(
            "no exact certificate was found near the float solution; try another --solver or a larger --gap"
        )
    return best


def bracket_gap(certificate: Certificate) -> fmpq:
    """Return the relative gap ``(upper - lower) / upper`` of a covariance certificate, 0 for the empty bracket."""
    claim = certificate.claim
    if not isinstance(claim, CovarianceOptimum) or claim.upper == 0:
        return fmpq(0)
    return (claim.upper - claim.lower) / claim.upper


def _budget(guarantee: Guarantee) -> Enclosure:
    match rho_budget(guarantee):
        case Enclosure(lower, upper) if lower > 0:
            return Enclosure(lower, upper)
        case Unlimited():
            raise DesignError(
                f"{guarantee.describe()} limits nothing: every covariance has it, and the least is the floor"
            )
        case Enclosure() | Unattainable():
            raise DesignError(f"{guarantee.describe()} cannot be met by finite Gaussian noise; allow a positive budget")


def _better(best: Design | None, new: Design | None) -> Design | None:
    if best is None or new is None:
        return best or new
    return min(best, new, key=lambda design: bracket_gap(design.certificate))


def _float_problem(task: DesignTask, reduction: Reduction, rho: Enclosure) -> CovarianceProblem:
    try:
        points = to_floats(reduction.points)
        weight = to_floats(restrict(task.weight, reduction.basis))
        floor, budget = float(task.floor), float(rho.lower)
    except OverflowError:
        raise DesignError(OUT_OF_RANGE) from None
    span = float(np.abs(points).max())
    if not (all(SAFE_RANGE[0] < size < SAFE_RANGE[1] for size in (span, budget)) and np.isfinite(weight).all()):
        raise DesignError(OUT_OF_RANGE)
    return CovarianceProblem(PairDifferences(points), (weight + weight.T) / 2, floor, budget)


def _certify(
    task: DesignTask, reduction: Reduction, rho: Enclosure, solution: Solution, relative_gap: float, attempt: int
) -> Design | None:
    bits = 45 if reduction.points.rows > SMALL_DOMAIN and attempt == 0 else 52
    target = Target(task.weight, task.floor, relative_gap)
    primal = round_primal(reduction, solution.precision, rho.lower, target, bits)
    dual = _round_dual(reduction, solution, Budget(task.weight, task.floor, rho.upper))
    if primal is None or dual is None:
        return None
    return Design(_assemble(task, primal, dual), solution)


def _round_dual(reduction: Reduction, solution: Solution, budget: Budget) -> RoundedDual | None:
    if isinstance(solution.dual, FloatCompactDual):
        return round_compact(reduction, solution.dual, solution.precision, budget)
    return round_full(reduction, solution.dual, budget)


def _without_noise_to_shape(task: DesignTask, reduction: Reduction, rho: Enclosure) -> Design:
    """One distinct record: nothing to protect, the floor alone is optimal and v = eta tr W."""
    target = Target(task.weight, task.floor, 0.0)
    size = reduction.points.columns
    precision = np.eye(size) / float(task.floor) if task.floor > 0 else np.zeros((size, size))
    primal = round_primal(reduction, precision, rho.lower, target, 52)
    if primal is None:
        raise DesignError("the noise floor cannot be represented; choose another --floor")
    return Design(_assemble(task, primal, trivial_dual(Budget(task.weight, task.floor, rho.upper))), None)


def _assemble(task: DesignTask, primal: Primal, dual: RoundedDual) -> Certificate:
    claim = CovarianceOptimum(
        IdealDenoiser(task.domain, UniformQuery(), task.neighbours),
        task.guarantee,
        task.weight,
        task.floor,
        primal.covariance,
        _shorten(dual.value, upward=False),
        _shorten(primal.cost, upward=True),
    )
    return Certificate(claim, CovarianceWitness(primal.witness, dual.dual))


def _shorten(value: fmpq, *, upward: bool) -> fmpq:
    """Round a long fraction outward to ``BOUND_DIGITS`` significant decimal digits; keep a short one."""
    if value == 0 or value.height_bits() <= EXACT_BITS:
        return value
    places = BOUND_DIGITS - 1 - decimal_exponent(value)
    grid = fmpq(fmpz(10) ** max(places, 0), fmpz(10) ** max(-places, 0))
    return ((value * grid).ceil() if upward else (value * grid).floor()) / grid
