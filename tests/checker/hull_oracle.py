"""Membership in a symmetric hull by an exact linear programme (simplex method, Bland's rule, fractions)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Vector = Sequence[Fraction]


def gauge(point: Vector, vectors: Sequence[Vector]) -> Fraction | None:
    """Return the least sum of |c_i| with ``sum c_i vectors_i = point``, None if the vectors do not span the point.

    The point is in the symmetric convex hull (with 0) exactly if this is at most 1.
    """
    columns = [*map(list, vectors), *([-entry for entry in vector] for vector in vectors)]
    rows = [[column[i] for column in columns] for i in range(len(point))]
    right = list(point)
    for i, value in enumerate(right):
        if value < 0:
            rows[i], right[i] = [-entry for entry in rows[i]], -value
    return _two_phases(rows, right, len(columns))


def _two_phases(rows: list[list[Fraction]], right: list[Fraction], count: int) -> Fraction | None:
    size = len(rows)
    artificial = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    tableau = [[*row, *unit, value] for row, unit, value in zip(rows, artificial, right, strict=True)]
    basis = list(range(count, count + size))
    _minimise(tableau, basis, [Fraction(0)] * count + [Fraction(1)] * size)
    if any(row[-1] for row, index in zip(tableau, basis, strict=True) if index >= count):
        return None
    _expel(tableau, basis, count)
    kept = [[*row[:count], row[-1]] for row, index in zip(tableau, basis, strict=True) if index < count]
    basis = [index for index in basis if index < count]
    _minimise(kept, basis, [Fraction(1)] * count)
    return sum((row[-1] for row in kept), Fraction(0))


def _minimise(tableau: list[list[Fraction]], basis: list[int], cost: list[Fraction]) -> None:
    while True:
        reduced = [
            cost[j] - sum((cost[b] * row[j] for b, row in zip(basis, tableau, strict=True)), Fraction(0))
            for j in range(len(cost))
        ]
        entering = next((j for j, value in enumerate(reduced) if value < 0), None)
        if entering is None:
            return
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(tableau) if row[entering] > 0]
        _pivot(tableau, basis, min(ratios)[2], entering)


def _expel(tableau: list[list[Fraction]], basis: list[int], count: int) -> None:
    for i, index in enumerate(basis):
        if index >= count:
            entering = next((j for j in range(count) if tableau[i][j] != 0), None)
            if entering is not None:
                _pivot(tableau, basis, i, entering)


def _pivot(tableau: list[list[Fraction]], basis: list[int], leaving: int, entering: int) -> None:
    head = tableau[leaving][entering]
    tableau[leaving] = [entry / head for entry in tableau[leaving]]
    for i, row in enumerate(tableau):
        if i != leaving and row[entering] != 0:
            factor = row[entering]
            tableau[i] = [entry - factor * other for entry, other in zip(row, tableau[leaving], strict=True)]
    basis[leaving] = entering
