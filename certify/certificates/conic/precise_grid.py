"""Multiprecision iterates read exactly on a dyadic grid."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, arb_mat, fmpz, fmpz_mat

from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Rotated, SecondOrder, order
from certify.checker.conic.problem import ConicProblem
from certify.checker.exact import Matrix, matrix
from certify.solvers.conic.precise_points import PrecisePoint


def exact_parts(problem: ConicProblem, point: PrecisePoint, bits: int) -> tuple[Matrix, ...]:
    """Return X on the grid of step ``2^-bits`` in the blocks of the problem: 1 x n for a vector, n x n for a matrix."""
    blocks, free = iter(point.x), iter(point.free)
    parts = []
    for part in problem.blocks:
        match part.cone:
            case PositiveSemidefinite(size):
                entries = _symmetric_entries(next(blocks), bits)
                parts.append(matrix(fmpz_mat(size, size, entries), fmpz(1) << bits))
            case SecondOrder(size):
                parts.append(_from_arrow(next(blocks), size, bits))
            case Rotated(size) if size > 2:
                parts.append(_from_rotated_arrow(next(blocks), size, bits))
            case Nonnegative(size) | Rotated(size):
                parts.append(_grid_row([next(blocks)[0, 0] for _ in range(size)], bits))
            case Free(size):
                parts.append(_grid_row([next(free) for _ in range(size)], bits))
            case _:
                parts.append(_grid_row([arb(0)] * order(part.cone), bits))
    return tuple(parts)


def _from_arrow(value: arb_mat, size: int, bits: int) -> Matrix:
    """Return the x with ``<Arrow(s), Z> = <s, x>`` for every s, computed on the grid, where sums are exact."""
    diagonal = [_on_grid(value[i, i], bits) for i in range(size)]
    rest = [2 * _on_grid(value[i, 0], bits) for i in range(1, size)]
    return matrix(fmpz_mat(1, size, [sum(diagonal, fmpz(0)), *rest]), fmpz(1) << bits)


def _from_rotated_arrow(value: arb_mat, size: int, bits: int) -> Matrix:
    corner, *diagonal = [_on_grid(value[i, i], bits) for i in range(size - 1)]
    rest = [2 * _on_grid(value[i, 0], bits) for i in range(1, size - 1)]
    return matrix(fmpz_mat(1, size, [sum(diagonal, fmpz(0)), 2 * corner, *rest]), fmpz(1) << bits)


def exact_multipliers(point: PrecisePoint, bits: int) -> Matrix:
    """Return y on the grid of step ``2^-bits``, 1 x m."""
    return _grid_row(point.y, bits)


def _grid_row(values: Sequence[arb], bits: int) -> Matrix:
    return matrix(fmpz_mat(1, len(values), [_on_grid(value, bits) for value in values]), fmpz(1) << bits)


def _symmetric_entries(value: arb_mat, bits: int) -> list[fmpz]:
    size = value.nrows()
    lower = [[_on_grid(value[i, j], bits) for j in range(i + 1)] for i in range(size)]
    return [lower[max(i, j)][min(i, j)] for i in range(size) for j in range(size)]


def _on_grid(value: arb, bits: int) -> fmpz:
    mantissa, exponent = value.mid().man_exp()
    places = int(exponent) + bits
    return mantissa << places if places >= 0 else mantissa >> -places
