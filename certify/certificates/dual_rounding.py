"""From float multipliers to an exactly feasible compact dual point, with as little loss as they allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.certificates.floats import FloatArray, dyadic, from_floats, is_clearly_psd, round_dyadic, to_floats
from certify.certificates.reduction import Reduction, restrict_weight
from certify.certificates.short_rounding import bits_for, dual_precision_below, geometric_mean, short_multipliers
from certify.checker.exact import Matrix, inner, matrix
from certify.checker.psd import quickly_psd
from certify.checker.vectors import VectorName
from certify.checker.witnesses import CompactDual, FullDual, Multiplier

SHRINKS = (-56, -53, -50, -47, -44, -41, -38, -35, -32, -29, -26, -23, -20, -16, -12, -8, -4, -2)
MULTIPLIER_BITS = 60
PRECISION_BITS = 110
NEGLIGIBLE = 2.0**-60
EXACT_SIZE = 100
REFINED = 2.0**-64


@dataclass(frozen=True, slots=True)
class Budget:
    """What the dual value depends on besides the records: W (d x d), eta and the upper end of rho.

    Attributes:
        allowance: The part of the value that rounding may cost.
    """

    weight: Matrix
    floor: fmpq
    rho: fmpq
    allowance: float


@dataclass(frozen=True, slots=True)
class RoundedDual:
    """An exactly feasible dual point and its exact value."""

    dual: CompactDual | FullDual
    value: fmpq


def trivial_dual(budget: Budget) -> RoundedDual:
    """Return the dual point H = W without multipliers: v >= eta tr W."""
    return RoundedDual(CompactDual((), None), budget.floor * budget.weight.trace())


def round_compact(
    reduction: Reduction,
    names: Sequence[VectorName],
    multipliers: FloatArray,
    precision: FloatArray,
    budget: Budget,
) -> RoundedDual | None:
    """Return the exact compact dual point near float multipliers, or None where no shrinking makes H PSD.

    The multipliers are read as they are; with eta = 0 the precision P' is first improved, exactly evaluated residual by
    residual, toward the geometric mean of M^-1 and W, which is best for these multipliers (theory.md section 5).

    Args:
        reduction: The exact sensitivity set and the subspace that carries it.
        names: The names of the active vectors.
        multipliers: One for each name.
        precision: P' on the subspace, r x r.
        budget: What the dual value depends on besides the vectors.
    """
    keep = np.flatnonzero(multipliers > multipliers.max(initial=0.0) * NEGLIGIBLE).tolist()
    if not keep:
        return trivial_dual(budget)
    names = [names[index] for index in keep]
    if len(precision) > EXACT_SIZE and reduction.support is None:
        quick = _by_floats(reduction.vectors(names), names, multipliers[keep], precision, budget)
        if quick is not None:
            return quick
    weights = _dyadic_multipliers(multipliers[keep])
    moment = _moment(reduction.vectors(names), weights)
    central = from_floats((precision + precision.T) / 2)
    if budget.floor == 0:
        central = _geometric_mean(central, moment, restrict_weight(budget.weight, reduction.basis))
        scale = _best_scale(central, moment, weights, budget.rho)
        weights, moment, central = [w * scale**2 for w in weights], moment.scaled(scale**2), central.scaled(1 / scale)
    spread = reduction.basis @ moment @ reduction.basis.transpose()
    lifted = _lift(round_dyadic(central, PRECISION_BITS), reduction, budget.weight)
    return _shrink(_contract(lifted, spread, budget.weight), spread, weights, names, budget)


def _by_floats(
    vectors: Matrix, names: Sequence[VectorName], multipliers: FloatArray, precision: FloatArray, budget: Budget
) -> RoundedDual | None:
    """Return the dual point that floats lead to, shrunk by what its exact residual asks for, or None.

    Exact refinement of a large P' would cost more than the last digits of its value are worth.
    """
    if budget.floor != 0:
        central = from_floats((precision + precision.T) / 2)
        return _shrink_multipliers(vectors, names, _dyadic_multipliers(multipliers), central, budget)
    dense, weight = to_floats(vectors), to_floats(budget.weight)
    along = float(multipliers @ np.einsum("ij,ij->i", dense @ precision, dense))
    scale = along / (float(budget.rho) * float(multipliers.sum()))
    rounded = short_multipliers(multipliers * scale**2, bits_for(budget.allowance))
    moment = (dense.T * rounded) @ dense
    short = dual_precision_below(precision / scale, moment, weight, budget.allowance)
    if short is not None:
        weights, central = [dyadic(value) for value in rounded.tolist()], from_floats(short)
        value = 2 * inner(central, _moment(vectors, weights)) - budget.rho * sum(weights, fmpq(0))
        return RoundedDual(_compact(names, weights, central), value)
    mean = geometric_mean(moment, weight)
    if mean is None:
        return None
    return _shrink_multipliers(vectors, names, _dyadic_multipliers(rounded), from_floats(mean), budget)


def _shrink_multipliers(
    vectors: Matrix, names: Sequence[VectorName], weights: list[fmpq], precision: Matrix, budget: Budget
) -> RoundedDual | None:
    """Multiply the multipliers by the largest 1 - 2^k that makes floats see H = W - P' M P' as PSD."""
    moment = _moment(vectors, weights)
    full = precision @ moment @ precision
    residual, dense = to_floats(budget.weight - full), to_floats(full)
    clear = (k for k in SHRINKS if is_clearly_psd(residual + 2.0**k * dense))
    exponent = next(clear, None)
    if exponent is None:
        return None
    factor = 1 - fmpq(1, fmpz(1) << -exponent)
    weights = [factor * weight for weight in weights]
    value = budget.floor * (budget.weight.trace() - factor * full.trace())
    value += factor * 2 * inner(precision, moment) - budget.rho * sum(weights, fmpq(0))
    return RoundedDual(_compact(names, weights, precision), value)


def _compact(names: Sequence[VectorName], weights: Sequence[fmpq], precision: Matrix) -> CompactDual:
    return CompactDual(tuple(map(Multiplier, names, weights)), precision)


def _contract(precision: Matrix, moment: Matrix, weight: Matrix) -> Matrix:
    """Return ``C P'`` with C near I that shrinks only the directions in which ``P' M P'^T`` exceeds W.

    Where the optimum touches W in directions of very different cost, shrinking all of them alike would lose the costly
    ones for the error in a cheap one.
    """
    root = np.linalg.cholesky(to_floats(weight))
    for _ in range(2):
        half = np.linalg.solve(root, to_floats(precision @ moment @ precision.transpose()))
        values, vectors = np.linalg.eigh(np.linalg.solve(root, half.T))
        excess = np.where(values > 1, 1 / np.sqrt(np.maximum(values, 1)) - 1, 0.0)
        if not excess.any():
            break
        step = root @ (vectors * excess) @ np.linalg.solve(root.T, vectors).T
        precision = precision + round_dyadic(from_floats(step) @ precision, PRECISION_BITS)
    return precision


def _shrink(
    precision: Matrix, moment: Matrix, weights: list[fmpq], names: Sequence[VectorName], budget: Budget
) -> RoundedDual | None:
    """Multiply P' by the largest 1 - 2^k that makes H = W - P' M P'^T PSD."""
    full = precision @ moment @ precision.transpose()
    along = inner(precision, moment)
    total = sum(weights, fmpq(0))
    for exponent in SHRINKS:
        factor = 1 - fmpq(1, fmpz(1) << -exponent)
        multiplier = budget.weight - full.scaled(factor**2)
        if quickly_psd(multiplier):
            value = budget.floor * multiplier.trace() + 2 * factor * along - budget.rho * total
            return RoundedDual(_compact(names, weights, precision.scaled(factor)), value)
    return None


def _dyadic_multipliers(values: FloatArray) -> list[fmpq]:
    unit = dyadic(2.0 ** (np.frexp(values.max())[1] - MULTIPLIER_BITS))
    return [(dyadic(value) / unit + fmpq(1, 2)).floor() * unit for value in values.tolist()]


def _moment(vectors: Matrix, weights: list[fmpq]) -> Matrix:
    """Return ``M = sum_j mu_j s_j s_j^T`` for the rows s_j."""
    common = max((weight.q for weight in weights), default=fmpz(1))
    integers = [weight.p * (common // weight.q) for weight in weights]
    rows = vectors.numerators.tolist()
    scaled = fmpz_mat(
        len(rows), vectors.columns, [entry * w for row, w in zip(rows, integers, strict=True) for entry in row]
    )
    return matrix(vectors.numerators.transpose() * scaled, common * vectors.denominator**2)


def _geometric_mean(start: Matrix, moment: Matrix, weight: Matrix) -> Matrix:
    """Improve P toward P M P = W by Newton steps, each solved in floats for a residual that is taken exactly.

    Floats see everything scaled by the powers of two that bring the diagonal of P near 1, which loses nothing.
    """
    best, precision = start, start
    smallest = np.inf
    near_moment, near_weight = to_floats(moment), to_floats(weight)
    for _ in range(6):
        residual, near = to_floats(weight - precision @ moment @ precision), to_floats(precision)
        roots = np.ldexp(1.0, np.frexp(np.sqrt(np.abs(near.diagonal())))[1])
        scale = roots[:, None] * roots
        size = float(np.abs(residual / scale).max())
        if size >= smallest / 4:
            break
        best, smallest = precision, size
        if size <= REFINED * float(np.abs(near_weight / scale).max()):
            break
        step = _newton_step(near / scale, near_moment * scale, residual / scale)
        if step is None:
            break
        precision = round_dyadic(precision + from_floats(step * scale), 2 * PRECISION_BITS)
    return best


def _newton_step(precision: FloatArray, moment: FloatArray, residual: FloatArray) -> FloatArray | None:
    """Solve ``D M P + P M D = R``: with P = C C^T, D = C Y C^T and G = C^T M C it is ``Y G + G Y = C^-1 R C^-T``."""
    try:
        factor = np.linalg.cholesky(precision)
    except np.linalg.LinAlgError:
        return None
    values, vectors = np.linalg.eigh(factor.T @ moment @ factor)
    if values.min() <= values.max() * 2.0**-40:
        return None
    half = np.linalg.solve(factor, residual)
    rotated = vectors.T @ np.linalg.solve(factor, half.T) @ vectors
    frame = factor @ vectors
    step = frame @ (rotated / (values[:, None] + values)) @ frame.T
    return np.asarray((step + step.T) / 2)


def _best_scale(precision: Matrix, moment: Matrix, weights: list[fmpq], rho: fmpq) -> fmpq:
    """Return c such that the multipliers c^2 mu_j with P'/c give the largest dual value: tr(P' M) = c rho sum mu_j."""
    ratio = inner(precision, moment) / (rho * sum(weights, fmpq(0)))
    grid = fmpz(1) << max(64 - (ratio.p.bit_length() - ratio.q.bit_length()), 0)
    return fmpq((ratio * grid).floor(), grid)


def _lift(precision: Matrix, reduction: Reduction, weight: Matrix) -> Matrix:
    """Return ``C P' C^T``, so that B^T (C P' C^T) B = P' and H stays PSD off the span."""
    if reduction.support is None:
        return precision
    lift = lift_matrix(reduction, weight)
    return round_dyadic(lift @ precision @ lift.transpose(), PRECISION_BITS)


def lift_matrix(reduction: Reduction, weight: Matrix) -> Matrix:
    """Return ``C = W B (B^T W B)^-1``, a left inverse of B with ``C (B^T W B) C^T <= W``."""
    seen = restrict_weight(weight, reduction.basis)
    numerators, denominator = fmpq_mat(seen.numerators).inv().numer_denom()
    return weight @ reduction.basis @ matrix(numerators * seen.denominator, denominator)
