"""Complex Hermitian PSD blocks through their real embedding, with the factor two in the right place.

``E(H) = [[Re H, -Im H], [Im H, Re H]]`` is PSD iff H is, and ``<E(A), E(X)> = 2 Re tr(A X)``. So the coefficients, not
the variables, are halved: with ``E(A_i) / 2`` on a real PSD block of order 2n every value is that of the complex
program. Source: theory.md section 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from flint import fmpq, fmpz_mat

from certify.checker.conic.cones import PositiveSemidefinite
from certify.checker.conic.problem import Block, Coefficient, block
from certify.checker.conic.witnesses import MatrixPoint
from certify.checker.exact import Matrix, matrix

ComplexCoefficient: TypeAlias = tuple[int, int, int, fmpq, fmpq]
"""Constraint (0 for C), row, column, real part, imaginary part of the entry at ``(row, column)``."""

HALF = fmpq(1, 2)


def hermitian_block(size: int, coefficients: Iterable[ComplexCoefficient]) -> Block:
    """Return the real PSD block of order ``2 size`` that stands for a Hermitian block; each entry is given once.

    Sound because a Hermitian X gives the real point E(X) with the same inner products, and from a real PSD block
    ``[[P, Q'], [Q, R]]`` the Hermitian ``((P + R) + i (Q - Q')) / 2`` is PSD with the same inner products: the values
    of the two programs agree. The real slack is E(S) / 2, PSD iff the Hermitian slack S is.

    Raises:
        ValueError: If a diagonal entry is not real, or a coordinate occurs twice or is out of range.
    """
    return block(PositiveSemidefinite(2 * size), (real for entry in coefficients for real in _embedded(size, entry)))


def hermitian_point(real: Matrix, imaginary: Matrix) -> MatrixPoint:
    """Return the point E(X) of ``hermitian_block`` for ``X = real + i imaginary``, n x n, Hermitian."""
    scale = real.denominator * imaginary.denominator
    re, im = real.numerators * imaginary.denominator, imaginary.numerators * real.denominator
    top = [[*a, *(-b for b in c)] for a, c in zip(re.tolist(), im.tolist(), strict=True)]
    bottom = [[*c, *a] for a, c in zip(re.tolist(), im.tolist(), strict=True)]
    return MatrixPoint(matrix(fmpz_mat(2 * real.rows, 2 * real.rows, [e for row in top + bottom for e in row]), scale))


def complex_parts(point: MatrixPoint) -> tuple[Matrix, Matrix]:
    """Return the real and the imaginary part of the Hermitian matrix that a real point of order 2n stands for."""
    n = point.matrix.rows // 2
    first, second = range(n), range(n, 2 * n)
    real = point.matrix.select(first, first) + point.matrix.select(second, second)
    imaginary = point.matrix.select(second, first) - point.matrix.select(first, second)
    return real.scaled(HALF), imaginary.scaled(HALF)


def _embedded(size: int, entry: ComplexCoefficient) -> Iterator[Coefficient]:
    """Yield the lower-triangle entries of E(A) / 2 that one entry of A and its mirror image make."""
    constraint, row, column, real, imaginary = entry
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"({row}, {column}) lies outside a Hermitian block of order {size}")
    if row == column and imaginary != 0:
        raise ValueError(f"the diagonal entry ({row}, {column}) of a Hermitian matrix is real")
    yield constraint, row, column, real * HALF
    yield constraint, size + row, size + column, real * HALF
    if row != column:
        yield constraint, size + row, column, imaginary * HALF
        yield constraint, size + column, row, -imaginary * HALF
