"""Rational kernels and ranges guessed from nearly singular PSD matrices, and where to cut a spectrum in two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, arb_mat, fmpq, fmpz

from certify.checker.adaptive import at_precision
from certify.checker.exact import Matrix, matrix_of_fractions

SIGNIFICANCE = 0.2
"""An entry p/q is taken for the true one only where q^2 times its uncertainty is below this."""

CUTS = 2
CLEAR_DROP = 30.0
LEAST_SIZE = 1e-250
LEAST_ACCURACY_BITS = 30
GUARD_BITS = 64


@dataclass(frozen=True, slots=True)
class Split:
    """A PSD matrix of rank r in terms of r of its rows: the others are combinations of them.

    Attributes:
        pivots: The r rows.
        rest: The other rows.
        table: ``W_pp^-1 W_pq``, r x (n - r), rational.
    """

    pivots: tuple[int, ...]
    rest: tuple[int, ...]
    table: Matrix

    def kernel(self) -> Matrix:
        """Return a basis of the kernel, n x (n - r)."""
        rows: dict[int, list[fmpq]] = {
            i: [-self.table.entry(k, j) for j in range(len(self.rest))] for k, i in enumerate(self.pivots)
        }
        rows |= {i: [fmpq(j == k) for j in range(len(self.rest))] for k, i in enumerate(self.rest)}
        return matrix_of_fractions([rows[i] for i in sorted(rows)], len(self.rest))

    def range(self) -> Matrix:
        """Return a basis of the range, n x r."""
        width = len(self.pivots)
        rows: dict[int, list[fmpq]] = {i: [fmpq(j == k) for j in range(width)] for k, i in enumerate(self.pivots)}
        rows |= {i: [self.table.entry(j, k) for j in range(width)] for k, i in enumerate(self.rest)}
        return matrix_of_fractions([rows[i] for i in sorted(rows)], width)


@dataclass(frozen=True, slots=True)
class Elimination:
    """The rows of a nearly PSD matrix in the order of elimination, with their pivots."""

    order: tuple[int, ...]
    sizes: tuple[float, ...]

    def rank(self, threshold: float) -> int:
        """Return how many pivots come before the first one that is not above the threshold."""
        return next((k for k, size in enumerate(self.sizes) if size <= threshold), len(self.sizes))


def elimination(value: Matrix) -> Elimination:
    """Return the pivots of a nearly PSD matrix, the largest first, in enough precision to tell small ones from zero."""
    return at_precision(_precision(value), lambda: _elimination(value))


def _elimination(value: Matrix) -> Elimination:
    size = value.rows
    rows = [[arb(value.entry(i, j)) for j in range(size)] for i in range(size)]
    left, order, sizes = list(range(size)), list[int](), list[float]()
    while left:
        pivot = max(left, key=lambda i: float(rows[i][i]))
        left.remove(pivot)
        order.append(pivot)
        top = rows[pivot][pivot].mid()
        sizes.append(float(top))
        if not top > 0:
            continue
        for i in left:
            factor = (rows[i][pivot] / top).mid()
            for j in left:
                rows[i][j] = (rows[i][j] - factor * rows[pivot][j]).mid()
    return Elimination(tuple(order), tuple(sizes))


def cuts(values: Sequence[float]) -> list[float]:
    """Return thresholds between large and small values to try in turn.

    First where neighbours differ most, then the first clear drops below the largest value: facial reduction in several
    steps leaves a staircase of sizes, of which only the top is to be taken. The last threshold keeps every value.
    """
    given = np.asarray(values, dtype=float)
    largest = float(given.max(initial=0.0))
    if largest <= 0.0:
        return []
    floor = max(LEAST_SIZE, -float(given.min()))
    ordered = np.sort(np.maximum(given, floor))[::-1]
    drops = [
        (ordered[k] / ordered[k + 1], float(np.sqrt(ordered[k]) * np.sqrt(ordered[k + 1])))
        for k in range(len(ordered) - 1)
        if ordered[k] > CLEAR_DROP * ordered[k + 1]
    ]
    sharpest = [threshold for _, threshold in sorted(drops, reverse=True)[:CUTS]]
    first = [threshold for _, threshold in drops[:CUTS]]
    return [*dict.fromkeys([*sharpest, *first]), 0.0]


def grid_bits(spectra: Sequence[Elimination], threshold: float, least: int) -> int:
    """Return the bits of a grid that leaves the pivots above a threshold what they are, at least ``least``."""
    kept = [size for spectrum in spectra for size in spectrum.sizes if size > max(threshold, LEAST_SIZE)]
    return least + max(0, int(np.ceil(-np.log2(min(kept, default=1.0)))))


def split(value: Matrix, eliminated: Elimination, rank: int) -> Split | None:
    """Return the rational split of a nearly PSD matrix of nearly the given rank, None where no short one is near.

    Args:
        value: W, n x n, exact but only an approximation of a matrix of lower rank.
        eliminated: Its rows in the order of elimination, with their pivots.
        rank: r, the number of rows that are pivots.
    """
    size = value.rows
    pivots, rest = tuple(sorted(eliminated.order[:rank])), tuple(sorted(eliminated.order[rank:]))
    if not rank or rank == size:
        return Split(pivots, rest, matrix_of_fractions([[] for _ in pivots], 0) if rank else _no_rows(size))
    solved = at_precision(_precision(value), lambda: _solved(value, pivots, rest, eliminated.sizes[rank - 1]))
    if solved is None:
        return None
    table, uncertainty = solved
    entries = [[_simplest(entry, uncertainty) for entry in row] for row in table]
    known = [[entry for entry in row if entry is not None] for row in entries]
    if any(len(row) < len(rest) for row in known):
        return None
    return Split(pivots, rest, matrix_of_fractions(known, len(rest)))


def _precision(value: Matrix) -> int:
    return GUARD_BITS + 2 * value.denominator.bit_length()


def _no_rows(columns: int) -> Matrix:
    return matrix_of_fractions([], columns)


def _solved(
    value: Matrix, pivots: Sequence[int], rest: Sequence[int], large: float
) -> tuple[list[list[fmpq]], fmpq] | None:
    """Return ``W_pp^-1 W_pq`` with about how far it may be from that of the matrix of lower rank.

    What is left of W_qq without its part in the range of the pivots should vanish; in a PSD matrix an entry between
    the two spaces is at most the root of the product of what is left and ``large``, the least pivot kept.
    """
    block, side = _arbs(value, pivots, pivots), _arbs(value, pivots, rest)
    try:
        table = block.solve(side).mid()
    except ZeroDivisionError:
        return None
    left = _arbs(value, rest, rest) - side.transpose() * table
    small = max(float(abs(left[k, k].mid())) for k in range(len(rest)))
    tilt = fmpq(*float(np.sqrt(small / large)).as_integer_ratio())
    floor = fmpq(1, fmpz(1) << max(LEAST_ACCURACY_BITS, value.denominator.bit_length() // 3))
    rows = [[_fraction(entry) for entry in row] for row in table.tolist()]
    return rows, 4 * max(tilt, floor)


def _arbs(value: Matrix, rows: Sequence[int], columns: Sequence[int]) -> arb_mat:
    return arb_mat([[arb(value.entry(i, j)) for j in columns] for i in rows])


def _fraction(value: arb) -> fmpq:
    mantissa, exponent = value.mid().man_exp()
    power = int(exponent)
    return fmpq(mantissa << power) if power >= 0 else fmpq(mantissa, fmpz(1) << -power)


def _simplest(value: fmpq, tolerance: fmpq) -> fmpq | None:
    """Return the first convergent of a number within the tolerance, None where its denominator is not significant."""
    previous, current = (fmpz(1), fmpz(0)), (value.floor(), fmpz(1))
    rest = value - value.floor()
    while abs(fmpq(*current) - value) > tolerance:
        rest = 1 / rest
        digit = rest.floor()
        rest -= digit
        previous, current = current, (digit * current[0] + previous[0], digit * current[1] + previous[1])
    significant = current[1] ** 2 * tolerance < fmpq(*SIGNIFICANCE.as_integer_ratio())
    return fmpq(*current) if significant else None
