"""Integer witnesses that a symmetric matrix is PSD, as the Rocq program reads them (proofs/theories/Integers.v)."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt, lcm

from flint import fmpq, fmpz, fmpz_mat

WITNESS_BITS = (24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
EXACT_SIZE = 24

Rows = list[list[int]]


@dataclass(frozen=True, slots=True)
class SquaresWitness:
    """``scale A = F diag(weights) F^T + R`` with R diagonally dominant: A is a sum of squares and a dominant rest.

    Attributes:
        scale: A positive integer.
        weights: Nonnegative integers, one for each column of F.
        factor: F, one row for each row of A.
    """

    scale: int
    weights: tuple[int, ...]
    factor: tuple[tuple[int, ...], ...]


def find_squares(a: fmpz_mat, *, strict: bool = False) -> SquaresWitness | None:
    """Return a witness that a symmetric integer matrix is PSD (``strict``: positive definite), None if none was found.

    A fixed-point Cholesky factor with few bits is tried first, because the time of the Rocq program grows with the
    bits; near singularity more are needed. Up to ``EXACT_SIZE`` rows LDL^T decides PSD-ness in the end.
    """
    rows = [[int(entry) for entry in row] for row in a.tolist()]
    if is_dominant(rows, strict=strict):
        return SquaresWitness(1, (), tuple(() for _ in rows))
    for bits in WITNESS_BITS:
        witness = _fixed_point(rows, bits)
        if witness is not None and is_dominant(remainder(rows, witness), strict=strict):
            return witness
    return None if strict or len(rows) > EXACT_SIZE else _exact(rows)


def remainder(rows: Rows, witness: SquaresWitness) -> Rows:
    """Return ``R = scale A - F diag(weights) F^T``."""
    factor = witness.factor
    weighted = [[weight * entry for weight, entry in zip(witness.weights, row, strict=True)] for row in factor]
    return [
        [witness.scale * entry - sum(map(int.__mul__, left, right)) for entry, right in zip(row, factor, strict=True)]
        for row, left in zip(rows, weighted, strict=True)
    ]


def is_dominant(rows: Rows, *, strict: bool) -> bool:
    """Return whether each diagonal entry is at least (``strict``: exceeds) the absolute sum of the rest of its row."""
    slacks = (2 * row[i] - sum(map(abs, row)) for i, row in enumerate(rows))
    return all(slack > 0 if strict else slack >= 0 for slack in slacks)


def _fixed_point(rows: Rows, bits: int) -> SquaresWitness | None:
    """Factor the matrix, scaled to ``2 bits`` bits and lowered a little so that rounding leaves a dominant rest."""
    size = len(rows)
    unit = 2 * bits - max(row[i].bit_length() for i, row in enumerate(rows))
    scaled = [[entry << unit if unit >= 0 else entry >> -unit for entry in row] for row in rows]
    margin = size << (bits + 1)
    factor: Rows = []
    for i, row in enumerate(scaled):
        current: list[int] = []
        for j in range(i):
            other = factor[j]
            current.append((row[j] - sum(map(int.__mul__, current, other))) // other[j])
        pivot = row[i] - margin - sum(entry * entry for entry in current)
        if pivot <= 0:
            return None
        factor.append([*current, isqrt(pivot)])
    scale, weight = (1 << unit, 1) if unit >= 0 else (1, 1 << -unit)
    return SquaresWitness(scale, (weight,) * size, tuple(tuple(row + [0] * (size - len(row))) for row in factor))


def _exact(rows: Rows) -> SquaresWitness | None:
    """Return the LDL^T factorisation over the integers, None where the matrix is not PSD."""
    size = len(rows)
    rest = [[fmpq(entry) for entry in row] for row in rows]
    columns: list[list[fmpq]] = []
    pivots: list[fmpq] = []
    for k in range(size):
        pivot = rest[k][k]
        if pivot < 0 or (pivot == 0 and any(rest[i][k] != 0 for i in range(k, size))):
            return None
        if pivot == 0:
            continue
        column = [fmpq(0)] * k + [rest[i][k] / pivot for i in range(k, size)]
        for i in range(k, size):
            rest[i] = [entry - column[i] * pivot * other for entry, other in zip(rest[i], column, strict=True)]
        columns.append(column)
        pivots.append(pivot)
    return _integral(columns, pivots, size)


def _integral(columns: list[list[fmpq]], pivots: list[fmpq], size: int) -> SquaresWitness:
    """Clear the denominators of ``A = sum_k pivot_k column_k column_k^T``."""
    units = [lcm(*(int(entry.q) for entry in column)) for column in columns]
    terms = [pivot / fmpz(unit) ** 2 for pivot, unit in zip(pivots, units, strict=True)]
    scale = lcm(*(int(term.q) for term in terms))
    weights = tuple(int((term * scale).p) for term in terms)
    factor = tuple(
        tuple(int((column[i] * unit).p) for column, unit in zip(columns, units, strict=True)) for i in range(size)
    )
    return SquaresWitness(scale, weights, factor)
