"""The largest quadratic form over each kind of sensitivity hull, enclosed (theory.md sections 2 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import mul
from typing import assert_never

from flint import fmpq, fmpz

from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity, inner
from certify.checker.exponents import NoReach, PairExponents, largest_exponent, reach_upper
from certify.checker.factors import GRID_BITS, STEP_BITS, TABLE_BITS, factor_on_grid, squared_factors_upper
from certify.checker.hulls import Ball, Deletions, Hull, Pairs, Replacements, Rows, Zonotope
from certify.checker.obligations import counted
from certify.checker.pairs import (
    PairMaximum,
    PairSearch,
    Progress,
    forms_denominator,
    largest_over_pairs,
    negated_forms,
)
from certify.checker.psd import Psd, decide_psd
from certify.checker.replacements import largest_replacement
from certify.checker.signs import largest_over_signs


@dataclass(frozen=True, slots=True)
class Supremum:
    """An enclosure of ``sup s^T form s`` over a hull, over how many vectors it was taken and where it is reached."""

    value: Enclosure
    counted: str
    where: str


def supremum(
    hull: Hull, form: Matrix, limit: fmpq | None, progress: Progress, largest: PairSearch = largest_over_pairs
) -> Supremum | None:
    """Return the supremum of a PSD form (d x d) over a hull; None where the hull is empty or the point zero.

    Args:
        hull: The hull.
        form: The form, usually a precision.
        limit: Over a ball the supremum is an eigenvalue: it is compared with this number, and where it is no larger
            the number is the upper end.
        progress: Called while pairs are gone through.
        largest: What finds the largest form over all pairs of records.
    """
    match hull:
        case Rows(points):
            return _over_rows(points, form)
        case Pairs(points):
            return _over_pairs(largest(points, form, progress), points.rows)
        case Deletions():
            return _over_deletions(hull, form, progress)
        case Replacements():
            return _over_replacements(hull, form, progress)
        case Zonotope(generators):
            return _over_zonotope(generators @ form @ generators.transpose())
        case Ball(radius, _):
            return _over_ball(form.scaled(radius**2), limit)
        case _:
            assert_never(hull)


def _over_rows(points: Matrix, form: Matrix) -> Supremum:
    values = _sparse_forms(points, form) if _is_sparse(points) else _dense_forms(points, form)
    largest = max(values)
    value = fmpq(largest, forms_denominator(points, form))
    return Supremum(Enclosure(value, value), counted(len(values), "vector"), f"vector {values.index(largest)}")


def _dense_forms(points: Matrix, form: Matrix) -> list[fmpz]:
    images = (points.numerators * form.numerators).tolist()
    rows = zip(points.numerators.tolist(), images, strict=True)
    return [sum(map(mul, row, image), fmpz(0)) for row, image in rows]


def _sparse_forms(points: Matrix, form: Matrix) -> list[fmpz]:
    """Return what ``_dense_forms`` returns, from the entries that are not zero: unit vectors need one entry each."""
    entries = form.numerators.tolist()
    supports = [[(index, entry) for index, entry in enumerate(row) if entry] for row in points.numerators.tolist()]
    return [sum((a * b * entries[i][j] for i, a in row for j, b in row), fmpz(0)) for row in supports]


def _is_sparse(points: Matrix) -> bool:
    """Return whether all pairs of nonzero entries of a row, over all rows, are no more than the entries of the rows."""
    counts = [sum(map(bool, row)) for row in points.numerators.tolist()]
    return sum(count * count for count in counts) <= points.rows * points.columns


def _over_pairs(largest: PairMaximum | None, records: int) -> Supremum | None:
    if largest is None:
        return None
    pair = f"records {largest.pair[0]}, {largest.pair[1]}"
    return Supremum(Enclosure(largest.value, largest.value), _counted_pairs(records), pair)


def _over_deletions(hull: Deletions, form: Matrix, progress: Progress) -> Supremum | None:
    """Enclose the largest ``f^2 q`` over all pairs, f the larger of the two factors and q the form of x - y.

    A table bounds f^2 in integers for every pair; the few pairs that could exceed the largest value so far have their
    factor enclosed. Of t(x, y) and t(y, x) only the longer matters: both are multiples of x - y.

    Sound because the pairs passed over have a value at most that of a pair that was enclosed, and f(x, y) increases
    with ``|e(x) - e(y)| + reach``, which the table index is not below.
    """
    if hull.points.rows < 2:
        return None
    keys = hull.exponents.weights.floor_units(STEP_BITS)
    table = _table_beyond(hull.exponents)
    last = len(table) - 1
    lower, upper, pair = fmpz(0), fmpz(0), (0, 1)
    threshold = fmpz(0)
    for row, entries in negated_forms(hull.points, form, progress):
        key, nearer = keys[row], -(threshold >> TABLE_BITS)
        for other, entry in enumerate(entries, row + 1):
            if entry >= nearer or entry * table[min(abs(keys[other] - key), last)] >= -threshold:
                continue
            low, high = _larger_factor(hull.exponents, row, other)
            upper = max(upper, -entry * high**2)
            if -entry * low**2 > lower:
                lower, pair = -entry * low**2, (row, other)
                threshold = lower >> (2 * GRID_BITS - TABLE_BITS)
                nearer = -(threshold >> TABLE_BITS)
    scale = forms_denominator(hull.points, form) << 2 * GRID_BITS
    value = Enclosure(fmpq(lower, scale), fmpq(upper, scale))
    return Supremum(value, _counted_pairs(hull.points.rows), f"records {pair[0]}, {pair[1]}")


def _table_beyond(exponents: PairExponents) -> tuple[fmpz, ...]:
    """Return the table of squared factors, indexed by ``|k - k'|`` for the floors k of two log weights.

    ``2^STEP_BITS |e(x) - e(y)| < |k - k'| + 2``, and the region adds at most its reach.
    """
    table = squared_factors_upper()
    reach = reach_upper(exponents) * (fmpz(1) << STEP_BITS)
    return table[min(2 + int(reach.ceil()), len(table) - 1) :]


def _larger_factor(exponents: PairExponents, first: int, second: int) -> tuple[fmpz, fmpz]:
    """Return the grid ends of the larger of the factors of t(x, y) and t(y, x): the one of the heavier record."""
    if exponents.weights.ratio(first, second).sign() < 0:
        first, second = second, first
    return factor_on_grid(largest_exponent(exponents, first, second))


def _over_replacements(hull: Replacements, form: Matrix, progress: Progress) -> Supremum | None:
    """Enclose the largest form over all replacements, starting from the deletions, which are among them."""
    count = hull.points.rows
    deletions = _over_deletions(Deletions(hull.points, PairExponents(hull.weights, NoReach())), form, progress)
    if deletions is None:
        return None
    found = largest_replacement(hull.points, hull.weights, form, deletions.value, progress)
    taken = counted(count * count * (count - 1) // 2, "replacement")
    if found.triple is None:
        return Supremum(found.value, taken, deletions.where)
    first, second, third = found.triple
    return Supremum(found.value, taken, f"records {first}, {second} beside {third}")


def _over_zonotope(form: Matrix) -> Supremum:
    return Supremum(largest_over_signs(form), f"a box of {counted(form.rows, 'edge')}", "a vertex")


def _over_ball(form: Matrix, limit: fmpq | None) -> Supremum | None:
    """Enclose the largest eigenvalue of a PSD form: at most ``limit`` if ``limit I - form`` is PSD, else the trace."""
    if form.rows == 0:
        return None
    trace = form.trace()
    bounded = limit is not None and isinstance(decide_psd(identity(form.rows).scaled(limit) - form), Psd)
    upper = min(limit, trace) if limit is not None and bounded else trace
    lower = min(upper, inner(form, form) / trace) if trace > 0 else fmpq(0)
    return Supremum(Enclosure(lower, upper), "a ball", "a direction of the largest eigenvalue")


def _counted_pairs(points: int) -> str:
    return counted(points * (points - 1) // 2, "pair")
