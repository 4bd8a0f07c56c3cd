"""From a float precision to an exactly feasible covariance that binary64 represents bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import frexp

import numpy as np
from flint import arb_mat, ctx, fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.certificates.feasible_precision import feasible_precision
from certify.certificates.floats import FloatArray, dyadic, from_floats, is_clearly_psd, to_floats
from certify.certificates.reduction import Reduction, restrict_weight
from certify.certificates.short_rounding import covariance_above
from certify.checker.enclosure import exact_fraction
from certify.checker.exact import Matrix, identity, inner, is_binary64, matrix
from certify.checker.psd import Psd, decide_psd, is_positive_definite, quickly_psd
from certify.checker.witnesses import PrimalWitness
from certify.solvers.problem import SensitivitySet

MARGINS = (-50, -47, -44, -41, -38, -35, -32, -29, -26, -23)
WORKING_BITS = 128
EXACT_SIZE = 100


@dataclass(frozen=True, slots=True)
class Primal:
    """An exact covariance with the witness of its feasibility and its exact cost."""

    covariance: Matrix
    witness: PrimalWitness
    cost: fmpq


@dataclass(frozen=True, slots=True)
class Target:
    """What the covariance has to meet: weight W (d x d), floor eta, and the relative cost that rounding may add."""

    weight: Matrix
    floor: fmpq
    allowance: float


def round_primal(
    reduction: Reduction,
    sensitivity: SensitivitySet | None,
    precision: FloatArray,
    rho: fmpq,
    target: Target,
    bits: int,
) -> Primal | None:
    """Return the cheapest exactly feasible covariance found near the inverse of a float precision, or None.

    Args:
        reduction: The exact sensitivity set and the subspace that carries it.
        sensitivity: The float vectors of the set, None where there are none to go through.
        precision: r x r, positive definite, roughly feasible.
        rho: The budget every quadratic form has to stay within.
        target: The weight, the floor and the tolerated loss.
        bits: Precision to which the rational P is rounded; fewer make checking faster.
    """
    feasible = feasible_precision(reduction, sensitivity, precision, rho, bits, may_grow=target.floor == 0)
    if feasible is None:
        return None
    if reduction.support is None:
        return _full(reduction, feasible, target)
    singular = _singular(reduction, feasible, target)
    if singular is not None and singular.cost <= _cost_upper(reduction, feasible, target):
        return singular
    found = [primal for primal in (singular, _inflated(reduction, feasible, target)) if primal is not None]
    return min(found, key=lambda primal: primal.cost, default=None)


def _cost_upper(reduction: Reduction, precision: Matrix, target: Target) -> fmpq:
    """Return about what the inverse of P costs with an allowance, less than any ``_inflated`` one; 0 if unknown."""
    weight = to_floats(restrict_weight(target.weight, reduction.basis))
    try:
        cost = float(np.trace(np.linalg.solve(to_floats(precision), weight)))
    except np.linalg.LinAlgError:
        return fmpq(0)
    return dyadic(cost * (1 + target.allowance / 8)) if np.isfinite(cost) else fmpq(0)


def _full(_: Reduction, precision: Matrix, target: Target) -> Primal | None:
    """A nonsingular covariance: the inverse of P, enlarged by the least margin that survives rounding to binary64.

    A large one is first taken from floats, with a margin that the tolerated loss allows, as short as that allows.
    """
    if precision.rows > EXACT_SIZE and (quick := _by_floats(precision, target)) is not None:
        return quick
    for enlarged in _enlargements(precision):
        covariance = _nearest_binary64(enlarged)
        if _is_feasible(covariance, precision, covariance, target.floor):
            return _nonsingular(covariance, precision, target)
    return None


def _by_floats(precision: Matrix, target: Target) -> Primal | None:
    seen = to_floats(precision)
    covariance = covariance_above(seen, target.allowance)
    if covariance is not None and _above_floor(covariance, target.floor):
        return _nonsingular(from_floats(covariance), precision, target)
    try:
        inverse = np.linalg.inv(seen)
    except np.linalg.LinAlgError:
        return None
    covariance = (inverse + inverse.T) / 2 * (1 + target.allowance / 8)
    exact = from_floats(covariance)
    dominance = to_floats(precision @ exact @ precision - precision)
    feasible = is_clearly_psd(dominance) and _above_floor(covariance, target.floor)
    return _nonsingular(exact, precision, target) if feasible else None


def _above_floor(covariance: FloatArray, floor: fmpq) -> bool:
    return floor == 0 or is_clearly_psd(covariance - float(floor) * np.eye(len(covariance)))


def _nonsingular(covariance: Matrix, precision: Matrix, target: Target) -> Primal:
    return Primal(covariance, PrimalWitness(None, precision), inner(target.weight, covariance))


def _singular(reduction: Reduction, precision: Matrix, target: Target) -> Primal | None:
    """A covariance B K B^T on the support alone, on a grid coarse enough for binary64 to hold all its entries."""
    for enlarged in _enlargements(precision):
        for core in _cores(reduction.basis, enlarged):
            covariance = reduction.basis @ core @ reduction.basis.transpose()
            if not all(is_binary64(covariance.entry(i, j)) for i in range(covariance.rows) for j in range(i + 1)):
                continue
            if _is_feasible(core, precision, covariance, target.floor):
                return Primal(covariance, PrimalWitness(reduction.support, precision), inner(target.weight, covariance))
    return None


def _cores(basis: Matrix, exact: Matrix) -> Iterator[Matrix]:
    """Yield K rounded entry by entry (enough where B selects coordinates) and K on a common grid."""
    if exact.rows == 0:
        yield exact
        return
    yield _nearest_binary64(exact)
    carried = to_floats(basis @ exact @ basis.transpose())
    unit = dyadic(2.0 ** (frexp(float(np.abs(carried).max()))[1] - 52)) * basis.denominator**2
    ratios = [fmpq(entry, exact.denominator) / unit for entry in exact.numerators.entries()]
    grid = fmpz_mat(exact.rows, exact.columns, [(ratio + fmpq(1, 2)).floor() for ratio in ratios])
    yield matrix(grid).scaled(unit)


def _inflated(reduction: Reduction, precision: Matrix, target: Target) -> Primal | None:
    """A nonsingular covariance a little above ``B K B^T``, where binary64 cannot hold a singular one.

    With ``T = B K B^T + delta/2 I`` the precision ``T^-1`` has ``s^T T^-1 s < t^T K^-1 t`` for ``s = B t``, and the
    covariance rounded from ``T + delta/2 I`` stays above T.
    """
    singular = reduction.basis @ _inverse(precision) @ reduction.basis.transpose()
    extra = inner(target.weight, singular) * dyadic(target.allowance / 4) / target.weight.trace()
    middle = singular + identity(singular.rows).scaled(extra / 2)
    covariance = _nearest_binary64(middle + identity(singular.rows).scaled(extra / 2))
    bounding = _rounded_inverse(middle)
    if bounding is None or not _is_feasible(covariance, bounding, covariance, target.floor):
        return None
    return Primal(covariance, PrimalWitness(None, bounding), inner(target.weight, covariance))


def _is_feasible(core: Matrix, precision: Matrix, covariance: Matrix, floor: fmpq) -> bool:
    """Whether the checker will accept core and precision: P > 0, P K P - P and Sigma - eta I are PSD.

    The last follows from the others where eta = 0.
    """
    if not (quickly_psd(precision @ core @ precision - precision) and is_positive_definite(precision)):
        return False
    return floor == 0 or isinstance(decide_psd(covariance - identity(covariance.rows).scaled(floor)), Psd)


def _enlargements(precision: Matrix) -> Iterator[Matrix]:
    """Yield the inverse, alone where it is exact, then times 1 + 2^k for growing k."""
    inverse = _inverse(precision)
    if precision @ inverse == identity(precision.rows):
        yield inverse
    for exponent in MARGINS:
        yield inverse.scaled(1 + fmpq(1, fmpz(1) << -exponent))


def _inverse(precision: Matrix) -> Matrix:
    """Return a close symmetric dyadic approximation of the inverse, by ball arithmetic."""
    return _rounded_inverse(precision) or matrix(*fmpq_mat(precision.numerators).inv().numer_denom()).scaled(
        fmpq(precision.denominator)
    )


def _rounded_inverse(value: Matrix) -> Matrix | None:
    if value.rows == 0:
        return value
    saved = ctx.prec
    ctx.prec = WORKING_BITS + 2 * max(entry.bit_length() for entry in value.numerators.entries())
    try:
        inverse = arb_mat(value.numerators).inv().mid()
        entries = [exact_fraction(entry) for entry in inverse.entries()]
    except ZeroDivisionError:
        return None
    finally:
        ctx.prec = saved
    return _symmetric_dyadic(entries, value)


def _symmetric_dyadic(entries: list[fmpq], value: Matrix) -> Matrix:
    """Round the entries of an inverse to ``WORKING_BITS`` bits relative to its diagonal, symmetrically."""
    size = value.rows
    heights = [entries[i * size + i] for i in range(size)]
    exponents = [(entry.p.bit_length() - entry.q.bit_length()) // 2 for entry in heights]
    lowest = min(exponents)
    grid = fmpz(1) << max(WORKING_BITS - 2 * lowest, 0)
    lower = [[(entries[i * size + j] * grid).floor() for j in range(i + 1)] for i in range(size)]
    rounded = [lower[max(i, j)][min(i, j)] for i in range(size) for j in range(size)]
    return matrix(fmpz_mat(size, size, rounded) * value.denominator, grid)


def _nearest_binary64(value: Matrix) -> Matrix:
    return from_floats(to_floats(value))
