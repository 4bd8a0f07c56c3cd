"""Design: from a release and a guarantee to a certificate of the optimal covariance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
from flint import fmpq, fmpz

from certify.certificates.dual_rounding import Budget, RoundedDual, round_compact
from certify.certificates.errors import DesignError
from certify.certificates.families import Family
from certify.certificates.floats import dyadic, to_floats
from certify.certificates.full_rounding import round_full
from certify.certificates.primal_rounding import Primal, Target, round_primal
from certify.certificates.proposals import Proposal, closed_form, floor_alone, from_solution
from certify.certificates.reduction import Reduction, reduce_release, restrict_weight
from certify.certificates.short_rounding import bits_for
from certify.checker.certificate import Certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.decimals import decimal_exponent
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.hulls import spanning
from certify.checker.privacy import Unattainable, Unlimited, rho_budget
from certify.checker.releases import Release
from certify.checker.witnesses import CovarianceWitness
from certify.solvers.problem import (
    Backend,
    CovarianceProblem,
    ExplicitVectors,
    FullDual,
    PairDifferences,
    Report,
    ScaledDifferences,
    SensitivitySet,
    Solution,
    SolveOptions,
    SolverError,
)

BOUND_DIGITS = 30
EXACT_BITS = 256
ATTEMPTS = 3
SMALL_DOMAIN = 300
SAFE_RANGE = (1e-140, 1e140)
OUT_OF_RANGE = "squares of these records are beyond the range of binary64; bring them near 1 with --scale"


@dataclass(frozen=True, slots=True)
class DesignTask:
    """What to design: a release, the guarantee it needs, the task weight W (d x d), the noise floor eta >= 0."""

    release: Release
    guarantee: BinaryGuarantee
    weight: Matrix
    floor: fmpq


@dataclass(frozen=True, slots=True)
class Design:
    """A certificate with the float solve that led to it, None where none was needed."""

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
    reduction = reduce_release(task.release, to_span=task.floor == 0)
    try:
        proposal = _without_solver(task, reduction, rho)
        if proposal is not None:
            return _accept(_certify(task, reduction, None, proposal, rho, relative_gap, fine=True))
        return _solve(task, reduction, rho, backend, relative_gap, report)
    except OverflowError:
        raise DesignError(OUT_OF_RANGE) from None


def _solve(
    task: DesignTask, reduction: Reduction, rho: Enclosure, backend: Backend, relative_gap: float, report: Report
) -> Design:
    family = reduction.family()
    problem = _float_problem(task, reduction, family, rho)
    best: Design | None = None
    for attempt in range(ATTEMPTS):
        options = SolveOptions(relative_gap=relative_gap / (4 * 16**attempt))
        try:
            solution = backend.solve(problem, options, report)
        except SolverError as error:
            if best is None:
                raise DesignError(str(error)) from error
            break
        proposal = from_solution(solution, family.name)
        fine = attempt > 0 or _size(family.sensitivity) <= SMALL_DOMAIN
        certificate = _certify(task, reduction, family.sensitivity, proposal, rho, relative_gap, fine=fine)
        best = _better(best, None if certificate is None else Design(certificate, solution))
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


def _budget(guarantee: BinaryGuarantee) -> Enclosure:
    match rho_budget(guarantee):
        case Enclosure(lower, upper) if lower > 0:
            return Enclosure(lower, upper)
        case Unlimited():
            raise DesignError(
                f"{guarantee.describe()} limits nothing: every covariance has it, and the least is the floor"
            )
        case Enclosure() | Unattainable():
            raise DesignError(f"{guarantee.describe()} cannot be met by finite Gaussian noise; allow a positive budget")


def _accept(certificate: Certificate | None) -> Design:
    if certificate is None:
        raise DesignError("no exact certificate was found near the closed form; choose another --floor")
    return Design(certificate, None)


def _better(best: Design | None, new: Design | None) -> Design | None:
    if best is None or new is None:
        return best or new
    return min(best, new, key=lambda design: bracket_gap(design.certificate))


def _without_solver(task: DesignTask, reduction: Reduction, rho: Enclosure) -> Proposal | None:
    """Return the optimum where nothing has to be searched: nothing to protect, or a closed form."""
    size = len(reduction.pivots)
    if size == 0 or all(spanning(hull).numerators.is_zero() for hull in reduction.hulls):
        return floor_alone(size, float(task.floor))
    return closed_form(reduction.hulls, task.weight, task.floor, rho.lower) if reduction.support is None else None


def _float_problem(task: DesignTask, reduction: Reduction, family: Family, rho: Enclosure) -> CovarianceProblem:
    weight = to_floats(restrict_weight(task.weight, reduction.basis))
    floor, budget = float(task.floor), float(rho.lower)
    span = float(np.abs(_entries(family.sensitivity)).max())
    if not (all(SAFE_RANGE[0] < size < SAFE_RANGE[1] for size in (span, budget)) and np.isfinite(weight).all()):
        raise DesignError(OUT_OF_RANGE)
    return CovarianceProblem(family.sensitivity, (weight + weight.T) / 2, floor, budget)


def _certify(
    task: DesignTask,
    reduction: Reduction,
    sensitivity: SensitivitySet | None,
    proposal: Proposal,
    rho: Enclosure,
    relative_gap: float,
    *,
    fine: bool,
) -> Certificate | None:
    target = Target(task.weight, task.floor, relative_gap)
    bits = 52 if fine else min(45, bits_for(relative_gap))
    primal = round_primal(reduction, sensitivity, proposal.precision, rho.lower, target, bits)
    dual = _round_dual(reduction, proposal, Budget(task.weight, task.floor, rho.upper, relative_gap))
    return None if primal is None or dual is None else _assemble(task, primal, dual)


def _round_dual(reduction: Reduction, proposal: Proposal, budget: Budget) -> RoundedDual | None:
    match proposal.dual:
        case FullDual():
            return round_full(reduction, proposal.names, proposal.dual, budget)
        case (multipliers, precision):
            return round_compact(reduction, proposal.names, multipliers, precision, budget)


def _assemble(task: DesignTask, primal: Primal, dual: RoundedDual) -> Certificate:
    claim = CovarianceOptimum(
        task.release,
        task.guarantee,
        task.weight,
        task.floor,
        primal.covariance,
        _shorten(dual.value, upward=False),
        _shorten(primal.cost, upward=True),
    )
    return Certificate(claim, CovarianceWitness(primal.witness, dual.dual))


def _size(sensitivity: SensitivitySet) -> int:
    return len(_entries(sensitivity))


def _entries(sensitivity: SensitivitySet) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    match sensitivity:
        case PairDifferences(records) | ScaledDifferences(records, _):
            return records
        case ExplicitVectors(vectors):
            return vectors
        case _:
            assert_never(sensitivity)


def _shorten(value: fmpq, *, upward: bool) -> fmpq:
    """Round a long fraction outward to ``BOUND_DIGITS`` significant decimal digits; keep a short one."""
    if value == 0 or value.height_bits() <= EXACT_BITS:
        return value
    places = BOUND_DIGITS - 1 - decimal_exponent(value)
    grid = fmpq(fmpz(10) ** max(places, 0), fmpz(10) ** max(-places, 0))
    return ((value * grid).ceil() if upward else (value * grid).floor()) / grid
