"""Positive semidefiniteness of a symmetric rational matrix, decided exactly.

Three independent ways: rational LDL^T, which decides and yields a direction when the answer is no; a Cholesky
witness, which proves the answer yes quickly and is silent otherwise; the signs of the characteristic polynomial,
which decide too and cross-examine the first in tests.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.checker.cholesky import cholesky_witness
from certify.checker.exact import Matrix, select_entries

SMALL = 12
LARGE = 100
"""Order from which on a coarse witness pays: its products fit one machine word, those of 60 bits two."""


@dataclass(frozen=True, slots=True)
class Psd:
    """The matrix is positive semidefinite; ``rank`` is its rank where LDL^T decided, else None."""

    rank: int | None


@dataclass(frozen=True, slots=True)
class NotPsd:
    """The matrix is not positive semidefinite: ``direction^T A direction = value < 0``, all integers."""

    direction: tuple[fmpz, ...]
    value: fmpq


def decide_psd(a: Matrix) -> Psd | NotPsd:
    """Decide whether a symmetric rational matrix is positive semidefinite.

    Larger matrices are first offered to the Cholesky witness; where it is silent, LDL^T decides.

    Raises:
        ValueError: If the matrix is not symmetric.
    """
    if not a.is_symmetric():
        raise ValueError("positive semidefiniteness is asked of symmetric matrices only")
    if a.rows > SMALL and quickly_psd(a):
        return Psd(rank=None)
    return decide_by_ldl(a)


def quickly_psd(a: Matrix) -> bool:
    """Return True only if a symmetric matrix is PSD; beyond small sizes False only means that no quick proof worked."""
    if a.rows <= SMALL:
        return isinstance(decide_by_ldl(a), Psd)
    return _has_witness(a, strict=False)


def _has_witness(a: Matrix, *, strict: bool) -> bool:
    sizes = (60, 192) if a.rows < LARGE else (28, 60, 192)
    return any(cholesky_witness(a.numerators, bits, strict=strict) for bits in sizes)


def is_positive_definite(a: Matrix) -> bool:
    """Decide whether a symmetric rational matrix is positive definite.

    Sound because it is when it is PSD and of full rank. Proof: ``pd_ldl_sound``, ``pd_cholesky_witness``.
    """
    if not a.is_symmetric():
        raise ValueError("positive definiteness is asked of symmetric matrices only")
    if a.rows > SMALL and _has_witness(a, strict=True):
        return True
    decision = decide_by_ldl(a)
    return isinstance(decision, Psd) and decision.rank == a.rows


def decide_by_ldl(a: Matrix) -> Psd | NotPsd:
    """Decide by fraction-free LDL^T elimination without pivoting.

    Sound because elimination is a congruence: after the positive pivots K the remaining matrix S satisfies
    ``x^T A x = y^T S y`` for ``x = (-A_KK^-1 A_KR y, y)``. A negative pivot is such a y at once. A zero pivot
    with a nonzero entry in its column gives one in two coordinates; a zero pivot with a zero column leaves the
    form unchanged. When every pivot is positive or zero, A is a sum of nonnegative squares.
    Proof: ``psd_ldl_sound``, ``psd_ldl_complete``, ``refuting_vector``. Source: theory.md section 5.
    """
    rows = [row[: i + 1] for i, row in enumerate(a.numerators.tolist())]
    size, previous, kept = a.rows, fmpz(1), list[int]()
    for k in range(size):
        pivot = rows[k][k]
        if pivot < 0:
            return _refute(a, kept, {k: fmpz(1)})
        if pivot == 0:
            partner = next((i for i in range(k + 1, size) if rows[i][k] != 0), None)
            if partner is not None:
                return _refute(a, kept, _dip(rows[partner][k], rows[partner][partner], k, partner))
            continue
        column = [rows[i][k] for i in range(k, size)]
        for i in range(k + 1, size):
            row, factor = rows[i], column[i - k]
            row[k + 1 :] = [
                (pivot * entry - factor * other) // previous
                for entry, other in zip(row[k + 1 :], column[1:], strict=False)
            ]
        kept.append(k)
        previous = pivot
    return Psd(rank=len(kept))


def _dip(off_diagonal: fmpz, corner: fmpz, first: int, second: int) -> dict[int, fmpz]:
    """Return y with ``y^T [[0, b], [b, c]] y < 0`` for ``b != 0``: y = (t, 1) has the value ``2 b t + c``."""
    step = abs(corner) + 1
    return {first: -step if off_diagonal > 0 else step, second: fmpz(1)}


def _refute(a: Matrix, kept: list[int], rest: dict[int, fmpz]) -> NotPsd:
    """Pull a negative direction of the remaining matrix back to the whole one, and evaluate it there."""
    direction = [fmpz(0)] * a.rows
    others = list(rest)
    scale = fmpz(1)
    if kept:
        right = select_entries(a.numerators, kept, others) * fmpz_mat(len(others), 1, list(rest.values()))
        integers, scale = fmpq_mat(select_entries(a.numerators, kept, kept)).solve(fmpq_mat(right)).numer_denom()
        for row, index in enumerate(kept):
            direction[index] = -integers[row, 0]
    for index, entry in rest.items():
        direction[index] = entry * scale
    value = quadratic_form(a, direction)
    if value >= 0:
        raise ArithmeticError("the refuting direction does not refute; please report this matrix")
    return NotPsd(tuple(direction), value)


def quadratic_form(a: Matrix, direction: list[fmpz]) -> fmpq:
    """Return ``direction^T A direction``."""
    column = fmpz_mat(a.rows, 1, direction)
    return fmpq((column.transpose() * a.numerators * column)[0, 0], a.denominator)


def is_psd_by_characteristic_polynomial(a: Matrix) -> bool:
    """Decide by the signs of the integer characteristic polynomial.

    Sound because a symmetric matrix has real eigenvalues only, and a polynomial with real roots has no negative
    root iff its coefficients alternate in sign, zeros allowed (Descartes). Not formalised; no rule uses it.
    Source: theory.md section 5.
    """
    if not a.is_symmetric():
        raise ValueError("positive semidefiniteness is asked of symmetric matrices only")
    coefficients = a.numerators.charpoly().coeffs()
    return all(c * (-1) ** (a.rows - power) >= 0 for power, c in enumerate(coefficients))
