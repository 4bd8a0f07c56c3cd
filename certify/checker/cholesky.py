"""The Cholesky witness: a quick proof, by integer products alone, that a matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from flint import fmpz, fmpz_mat

BLOCK = 40


def cholesky_witness(numerators: fmpz_mat, bits: int, *, strict: bool = False) -> bool:
    """Return True only if the symmetric integer matrix is PSD (``strict``: positive definite).

    A fixed-point Cholesky factor L with ``bits`` fractional bits is computed for the matrix, balanced by powers of
    two and lowered by a small multiple of the identity; then ``A = L L^T + R`` defines R exactly. False means only
    that this witness proves nothing.

    Sound because ``L L^T`` is PSD, and R, symmetric with nonnegative diagonally dominant rows, is PSD (positive
    definite when the dominance is strict); balancing is a congruence. How L was found does not matter.
    Source: theory.md section 5.
    """
    size = numerators.nrows()
    shifts = _balance(numerators)
    if shifts is None:
        return False
    balanced, top = shifts
    unit = 2 * bits - top
    rows = [[_shift(entry, unit) for entry in row] for row in balanced]
    lowered = [
        [entry - (size << (bits + 4)) if i == j else entry for j, entry in enumerate(row)] for i, row in enumerate(rows)
    ]
    factor = _factor(lowered, bits)
    if factor is None:
        return False
    lower = fmpz_mat(factor)
    grow, shrink = max(unit, 0), max(-unit, 0)
    remainder = fmpz_mat(balanced) * fmpz(2) ** grow - lower * lower.transpose() * fmpz(2) ** shrink
    return _is_diagonally_dominant(remainder, strict=strict)


def _balance(numerators: fmpz_mat) -> tuple[list[list[fmpz]], int] | None:
    """Scale rows and columns alike by powers of two until all diagonal entries have about the same bit length.

    Returns the scaled rows and that bit length (even), or None where a diagonal entry is not positive.
    """
    rows = numerators.tolist()
    lengths = [row[i].bit_length() if row[i] > 0 else 0 for i, row in enumerate(rows)]
    if not lengths or min(lengths) == 0:
        return None
    top = max(lengths) + max(lengths) % 2
    shifts = [(top - length) // 2 for length in lengths]
    return [
        [entry << (a + b) for entry, b in zip(row, shifts, strict=True)] for row, a in zip(rows, shifts, strict=True)
    ], top


def _shift(entry: fmpz, places: int) -> fmpz:
    return entry << places if places >= 0 else entry >> -places


def _factor(rows: list[list[fmpz]], bits: int) -> list[list[fmpz]] | None:
    """Return L, lower triangular with ``bits`` fractional bits, with ``L L^T`` near the matrix (which has ``2 bits``)."""
    size = len(rows)
    if size <= BLOCK:
        return _factor_block([[int(entry) for entry in row] for row in rows])
    half = size // 2
    upper_left = _factor([row[:half] for row in rows[:half]], bits)
    if upper_left is None:
        return None
    corner = fmpz_mat([row[:half] for row in rows[half:]])
    below = corner * fmpz_mat(_invert(upper_left, bits)).transpose()
    left = [[entry >> (2 * bits) for entry in row] for row in below.tolist()]
    left_matrix = fmpz_mat(left)
    schur = fmpz_mat([row[half:] for row in rows[half:]]) - left_matrix * left_matrix.transpose()
    lower_right = _factor(schur.tolist(), bits)
    if lower_right is None:
        return None
    zeros = [fmpz(0)] * (size - half)
    return [row + zeros for row in upper_left] + [a + b for a, b in zip(left, lower_right, strict=True)]


def _factor_block(rows: list[list[int]]) -> list[list[fmpz]] | None:
    size = len(rows)
    factor: list[list[int]] = []
    for i, row in enumerate(rows):
        current: list[int] = []
        for j in range(i):
            other = factor[j]
            current.append((row[j] - sum(map(int.__mul__, current, other))) // other[j])
        pivot = row[i] - sum(entry * entry for entry in current)
        if pivot <= 0:
            return None
        root = isqrt(pivot)
        if root == 0:
            return None
        factor.append([*current, root])
    return [[fmpz(entry) for entry in row] + [fmpz(0)] * (size - len(row)) for row in factor]


def _invert(factor: Sequence[Sequence[fmpz]], bits: int) -> list[list[fmpz]]:
    """Return an approximate inverse of a lower triangular fixed-point matrix, with ``bits`` fractional bits."""
    size = len(factor)
    if size <= BLOCK:
        return _invert_block([[int(entry) for entry in row] for row in factor], bits)
    half = size // 2
    upper_left = _invert([row[:half] for row in factor[:half]], bits)
    lower_right = _invert([row[half:] for row in factor[half:]], bits)
    left = fmpz_mat([list(row[:half]) for row in factor[half:]])
    product = fmpz_mat(lower_right) * left * fmpz_mat(upper_left)
    below = [[-(entry >> (2 * bits)) for entry in row] for row in product.tolist()]
    zeros = [fmpz(0)] * (size - half)
    return [row + zeros for row in upper_left] + [a + b for a, b in zip(below, lower_right, strict=True)]


def _invert_block(factor: list[list[int]], bits: int) -> list[list[fmpz]]:
    size = len(factor)
    one = 1 << (2 * bits)
    inverse: list[list[int]] = []
    for i, row in enumerate(factor):
        current = [-sum(row[k] * inverse[k][j] for k in range(j, i)) // row[i] for j in range(i)]
        inverse.append([*current, one // row[i]])
    return [[fmpz(entry) for entry in row] + [fmpz(0)] * (size - len(row)) for row in inverse]


def _is_diagonally_dominant(remainder: fmpz_mat, *, strict: bool) -> bool:
    """Return whether each diagonal entry is at least (``strict``: exceeds) the absolute sum of the rest of its row."""
    for i, row in enumerate(remainder.tolist()):
        slack = 2 * row[i] - sum(map(abs, row), fmpz(0)) if row[i] >= 0 else fmpz(-1)
        if slack < 0 or (strict and slack == 0):
            return False
    return True
