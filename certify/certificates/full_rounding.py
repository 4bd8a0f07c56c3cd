"""From float dual blocks to an exactly feasible full dual point (theory.md section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
from flint import fmpq, fmpz

from certify.certificates.dual_rounding import SHRINKS, Budget, RoundedDual, lift_matrix, trivial_dual
from certify.certificates.floats import FloatArray, from_floats
from certify.certificates.reduction import Reduction
from certify.checker.exact import Matrix, matrix_of_fractions
from certify.checker.psd import quickly_psd
from certify.checker.vectors import VectorName
from certify.checker.witnesses import DualBlock, FullDual
from certify.solvers.problem import FullDual as FloatFullDual


def round_full(
    reduction: Reduction, names: Sequence[VectorName], dual: FloatFullDual, budget: Budget
) -> RoundedDual | None:
    """Return the exact full dual point near float blocks, or None where no shrinking makes H PSD.

    Each block is replaced by the Gram matrix of its float factor, which is PSD whatever the rounding; all blocks are
    then shrunk together until H = W - sum A_j is PSD. A block of the subspace is carried to R^d by ``lift_matrix``.
    """
    if not len(dual.indices):
        return trivial_dual(budget)
    grams = [
        _lifted_block(_gram_block(a, b, float(corner)), reduction, budget.weight)
        for a, b, corner in zip(dual.blocks, dual.borders, dual.corners, strict=True)
    ]
    inside = range(budget.weight.rows)
    total = reduce(add, (gram.select(inside, inside) for gram in grams))
    for exponent in SHRINKS:
        factor = 1 - fmpq(1, fmpz(1) << -exponent)
        multiplier = budget.weight - total.scaled(factor**2)
        if quickly_psd(multiplier):
            return _full_point(list(zip(names, grams, strict=True)), factor, multiplier, reduction, budget)
    return None


def _gram_block(a: FloatArray, b: FloatArray, corner: float) -> Matrix:
    whole = np.block([[a, b[:, None]], [b[None, :], np.array([[corner]])]])
    values, vectors = np.linalg.eigh((whole + whole.T) / 2)
    keep = values > values.max(initial=0.0) * 2.0**-50
    factor = from_floats(np.asarray(vectors[:, keep] * np.sqrt(values[keep])))
    return factor @ factor.transpose()


def _lifted_block(gram: Matrix, reduction: Reduction, weight: Matrix) -> Matrix:
    """Return ``diag(C, 1) Z diag(C, 1)^T``, PSD of size d + 1."""
    if reduction.support is None:
        return gram
    lift = lift_matrix(reduction, weight)
    size = lift.columns
    wide = [[lift.entry(i, j) for j in range(size)] + [fmpq(0)] for i in range(lift.rows)]
    bordered = matrix_of_fractions([*wide, [fmpq(0)] * size + [fmpq(1)]], size + 1)
    return bordered @ gram @ bordered.transpose()


def _full_point(
    blocks: list[tuple[VectorName, Matrix]], factor: fmpq, multiplier: Matrix, reduction: Reduction, budget: Budget
) -> RoundedDual:
    """Scale A by factor^2 and b by factor (a congruence of each block), and evaluate the dual value."""
    size = budget.weight.rows
    inside, last = range(size), [size]
    value = budget.floor * multiplier.trace()
    vectors = reduction.vectors([name for name, _ in blocks]) @ reduction.basis.transpose()
    entries = []
    for row, (name, gram) in enumerate(blocks):
        b, gamma = gram.select(inside, last).scaled(factor), gram.entry(size, size)
        value -= 2 * (vectors.select([row], inside) @ b).entry(0, 0) + budget.rho * gamma
        entries.append(DualBlock(name, gram.select(inside, inside).scaled(factor**2), b, gamma))
    return RoundedDual(FullDual(tuple(entries)), value)
