"""The Cholesky witness: a quick proof, by integer products alone, that a matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from flint import fmpz, fmpz_mat

WIDTH = 40
"""Order of the tiles of the factor."""

GUARD = 32
"""Fractional bits that the inverse of a diagonal tile has more than the factor, so that no step has to be corrected."""


def cholesky_witness(numerators: fmpz_mat, bits: int, *, strict: bool = False) -> bool:
    """Return True only if the symmetric integer matrix is PSD (``strict``: positive definite).

    A fixed-point Cholesky factor L with ``bits`` fractional bits is computed for the matrix, balanced by powers of
    two and lowered by a small multiple of the identity; ``A = L L^T + R`` defines R exactly. False means only that
    this witness proves nothing.

    Sound because ``L L^T`` is PSD, and R, symmetric with nonnegative diagonally dominant rows, is PSD (positive
    definite when the dominance is strict); balancing is a congruence. Where bits of A are cut off, ``A = A' + E`` with
    the entries of E in [0, 1), which the dominance allows for. How L was found does not matter.
    Proof: ``psd_cholesky_witness``, ``pd_cholesky_witness``, ``psd_congr_unit``. Source: theory.md section 5.
    """
    shifts = _balancing_shifts(numerators, bits)
    if shifts is None:
        return False
    size = len(shifts)
    margin = fmpz(size) << (bits + 4)
    fixed = _balanced(numerators, shifts)
    for i, row in enumerate(fixed):
        row[i] -= margin
    remainder = _factor(fixed, bits)
    if remainder is None:
        return False
    diagonal, around = remainder
    cut = size if min(shifts) < 0 else 0
    slacks = [entry + margin - other - cut for entry, other in zip(diagonal, around, strict=True)]
    return min(slacks) > 0 if strict else min(slacks) >= 0


def _balancing_shifts(numerators: fmpz_mat, bits: int) -> list[int] | None:
    """Return the power of two for each row and its column that gives the diagonal ``2 bits - 1`` or ``2 bits`` bits.

    None where a diagonal entry is not positive.
    """
    diagonal = [numerators[i, i] for i in range(numerators.nrows())]
    if not diagonal or min(diagonal) <= 0:
        return None
    return [(2 * bits - entry.bit_length()) // 2 for entry in diagonal]


def _balanced(numerators: fmpz_mat, shifts: list[int]) -> list[list[fmpz]]:
    """Return the lower triangle of the matrix, its rows and columns scaled, bits behind the point cut off."""
    return [
        _shifted(row[: i + 1], [shift + other for other in shifts[: i + 1]])
        for i, (row, shift) in enumerate(zip(numerators.tolist(), shifts, strict=True))
    ]


def _shifted(row: list[fmpz], shifts: list[int]) -> list[fmpz]:
    if min(shifts) >= 0:
        return [entry << shift for entry, shift in zip(row, shifts, strict=True)]
    return [entry << shift if shift >= 0 else entry >> -shift for entry, shift in zip(row, shifts, strict=True)]


def _factor(rows: list[list[fmpz]], bits: int) -> tuple[list[fmpz], list[fmpz]] | None:
    """Factor a matrix, given by its lower triangle, tile by tile, and return what is left of it.

    The matrix has ``2 bits`` fractional bits, the factor L ``bits``. Returns the diagonal of ``R = A - L L^T`` and for
    each row the sum of the absolute values of its other entries; None where a pivot is not positive.
    """
    size = len(rows)
    starts = range(0, size, WIDTH)
    factor: list[list[fmpz_mat]] = [[] for _ in starts]
    diagonal, around = [fmpz(0)] * size, [fmpz(0)] * size
    for k, start in enumerate(starts):
        stop = min(start + WIDTH, size)
        beside = [tile.transpose() for tile in factor[k]]
        block = _schur(_tile(rows, start, start, stop), factor[k], beside)
        corner = _factor_block([[int(entry) for entry in row[: i + 1]] for i, row in enumerate(block.tolist())])
        if corner is None:
            return None
        lower = _stack(corner, stop - start)
        inverse = _stack(_invert_block(corner, bits), stop - start).transpose()
        factor[k].append(lower)
        _collect_block((block - lower * lower.transpose()).tolist(), start, diagonal, around)
        for i, below in enumerate(starts[k + 1 :], k + 1):
            tile = _schur(_tile(rows, below, start, stop), factor[i], beside)
            factor[i].append(_cut(tile * inverse, 2 * bits + GUARD))
            _collect_tile((tile - factor[i][k] * lower.transpose()).tolist(), below, start, around)
    return diagonal, around


def _tile(rows: list[list[fmpz]], below: int, start: int, stop: int) -> fmpz_mat:
    """Return at most WIDTH rows from ``below`` on, columns ``start`` to ``stop``, with zeros above the diagonal."""
    chosen = rows[below : below + WIDTH]
    return _stack([row[start:stop] + [fmpz(0)] * (stop - len(row)) for row in chosen], stop - start)


def _schur(tile: fmpz_mat, left: Sequence[fmpz_mat], right: Sequence[fmpz_mat]) -> fmpz_mat:
    for first, second in zip(left, right, strict=True):
        tile -= first * second
    return tile


def _stack(rows: Sequence[Sequence[fmpz]], columns: int) -> fmpz_mat:
    return fmpz_mat(len(rows), columns, [entry for row in rows for entry in row])


def _cut(value: fmpz_mat, bits: int) -> fmpz_mat:
    return fmpz_mat(value.nrows(), value.ncols(), [entry >> bits for entry in value.entries()])


def _collect_block(rows: list[list[fmpz]], start: int, diagonal: list[fmpz], around: list[fmpz]) -> None:
    """Add the lower triangle of a diagonal block of R to its row sums, mirrored."""
    for i, row in enumerate(rows):
        diagonal[start + i] = row[i]
        for j, entry in enumerate(row[:i]):
            around[start + i] += abs(entry)
            around[start + j] += abs(entry)


def _collect_tile(rows: list[list[fmpz]], below: int, start: int, around: list[fmpz]) -> None:
    """Add a tile of R below the diagonal to its row sums, mirrored."""
    sizes = [list(map(abs, row)) for row in rows]
    for i, row in enumerate(sizes, below):
        around[i] += sum(row, fmpz(0))
    for j, column in enumerate(zip(*sizes, strict=True), start):
        around[j] += sum(column, fmpz(0))


def _factor_block(rows: list[list[int]]) -> list[list[fmpz]] | None:
    size = len(rows)
    factor: list[list[int]] = []
    for row in rows:
        current: list[int] = []
        for j, other in enumerate(factor):
            current.append((row[j] - sum(map(int.__mul__, current, other))) // other[j])
        pivot = row[-1] - sum(entry * entry for entry in current)
        if pivot <= 0:
            return None
        factor.append([*current, isqrt(pivot)])
    return [[fmpz(entry) for entry in row] + [fmpz(0)] * (size - len(row)) for row in factor]


def _invert_block(factor: Sequence[Sequence[fmpz]], bits: int) -> list[list[fmpz]]:
    """Return an approximate inverse of a lower triangular matrix with ``bits`` fractional bits; it has GUARD more."""
    size = len(factor)
    one = 1 << (2 * bits + GUARD)
    inverse: list[list[int]] = []
    for i, row in enumerate([[int(entry) for entry in line] for line in factor]):
        current = [-sum(row[k] * inverse[k][j] for k in range(j, i)) // row[i] for j in range(i)]
        inverse.append([*current, one // row[i]])
    return [[fmpz(entry) for entry in row] + [fmpz(0)] * (size - len(row)) for row in inverse]
