"""The largest quadratic form over all replacements ``u_g(x, x'; z)`` at one query, enclosed (theory.md section 2).

With f, f' the factors of x and x' beside z, ``u = f (x - z) - f' (x' - z)``, so its form needs only those of the three
differences: ``(f - f') (f q(x, z) - f' q(x', z)) + f f' q(x, x')``. Where x is the heavier of the two, f >= f' and
``u = f' (x - x') + (f - f') (x - z)`` has a form of at most ``f^2 max(q(x, x'), q(x, z))``: few triples come near the
largest deletion, which is a replacement too (z = x').
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq, fmpz

from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.exponents import LogWeights
from certify.checker.factors import STEP_BITS, TABLE_BITS, factor_on_grid, squared_factors_upper
from certify.checker.pairs import Progress, forms_denominator, negated_forms

COARSE_BITS = 64


@dataclass(frozen=True, slots=True)
class ReplacementMaximum:
    """An enclosure of the largest form, and the row indices (x, x', z) of a replacement that nearly attains it.

    ``triple`` is None where no replacement exceeds the largest deletion.
    """

    value: Enclosure
    triple: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class _Records:
    """What the search looks at: the form of each pair, its far partners by decreasing form, and the log weights."""

    forms: list[list[fmpz]]
    partners: list[list[int]]
    weights: LogWeights
    keys: list[int]


@dataclass(frozen=True, slots=True)
class _Best:
    """The largest value so far, where, and the widest factor.

    The value is an integer over the denominator of the forms times ``4^COARSE_BITS``, the width one over
    ``2^COARSE_BITS``.
    """

    value: fmpz
    triple: tuple[int, int, int] | None
    width: fmpz


def largest_replacement(
    points: Matrix, weights: LogWeights, form: Matrix, deletion: Enclosure, progress: Progress
) -> ReplacementMaximum:
    """Return the largest form (PSD, d x d) over all replacements among the rows of ``points`` (m x d, m >= 2).

    ``deletion`` encloses the largest form over all deletions, and is where the search starts. Factors take their lower
    ends f_lower on a grid, at most epsilon below f; the error is added at the end. All m^2 forms are kept in memory.

    Sound because (1) with lower ends a replacement stays in the hull (``members.named_vectors``), so the largest value
    q found is a lower bound. (2) For the upper bound let x be the heavier of x and x', and Q the largest form of a
    difference. ``f^2 q(x, z)`` is the form of a deletion. Where ``f^2 q(x, x')``, bounded by the table or taken with
    f_lower in place of f, is at most q, ``f sqrt(q(x, x')) <= sqrt(q) + epsilon sqrt(Q)``. Every other u differs from
    the one looked at by ``e (x - z) - e' (x' - z)`` with ``0 <= e, e' <= epsilon``, whose norm in the form is largest
    at a corner of that square, so it is at most ``epsilon sqrt(Q)``. (3) As q <= Q, ``(sqrt(q) + epsilon sqrt(Q))^2``
    is at most ``q + (2 epsilon + epsilon^2) Q``; and no u has a form above Q, being a convex combination of
    differences.
    """
    unit = forms_denominator(points, form)
    scale = fmpq(unit << 2 * COARSE_BITS)
    best = _Best((deletion.lower * scale).floor(), None, fmpz(0))
    records = _records(points, weights, form, best, progress)
    for third in range(points.rows):
        best = _beside(records, third, best)
        progress("third records", third + 1, points.rows)
    largest = deletion.lower if best.triple is None else fmpq(best.value) / scale
    longest = fmpq(max(max(row) for row in records.forms), unit)
    epsilon = fmpq(best.width, fmpz(1) << COARSE_BITS)
    upper = max(largest + (2 * epsilon + epsilon**2) * longest, deletion.upper)
    return ReplacementMaximum(Enclosure(largest, min(upper, longest)), best.triple)


def _records(points: Matrix, weights: LogWeights, form: Matrix, best: _Best, progress: Progress) -> _Records:
    """Return the records with the partners that are far enough for some factor f <= 1."""
    forms = [[fmpz(0)] * points.rows for _ in range(points.rows)]
    for row, entries in negated_forms(points, form, progress):
        for other, entry in enumerate(entries, row + 1):
            forms[row][other] = forms[other][row] = -entry
    bar = best.value >> 2 * COARSE_BITS
    partners = [
        sorted((other for other, value in enumerate(row) if value > bar), key=row.__getitem__, reverse=True)
        for row in forms
    ]
    return _Records(forms, partners, weights, weights.floor_units(STEP_BITS))


def _beside(records: _Records, third: int, best: _Best) -> _Best:
    """Look at every replacement beside the record ``third`` that may exceed the largest value so far."""
    factors = {third: (fmpz(1) << COARSE_BITS - 1, fmpz(0))}
    value, triple = best.value, best.triple
    for first in _heavy_enough(records, third, best):
        f, row = _lower_factor(records, factors, first, third), records.forms[first]
        for second in records.partners[first]:
            if f * f * row[second] <= value:
                break
            g = _lower_factor(records, factors, second, third)
            found = (f - g) * (f * row[third] - g * records.forms[second][third]) + f * g * row[second]
            if found > value:
                value, triple = found, (first, second, third)
    return _Best(value, triple, max(best.width, *(width for _, width in factors.values())))


def _heavy_enough(records: _Records, third: int, best: _Best) -> Iterator[int]:
    """Yield the records whose factor beside ``third`` may be large enough for their farthest partner.

    ``2^STEP_BITS (e(x) - e(z)) < k - k' + 2`` for the floors k and k' of two log weights.
    """
    table, key = squared_factors_upper(), records.keys[third]
    last, bar = len(table) - 1, best.value >> 2 * COARSE_BITS - TABLE_BITS
    for first, partners in enumerate(records.partners):
        step = min(max(records.keys[first] - key + 2, 0), last)
        if partners and table[step] * records.forms[first][partners[0]] > bar:
            yield first


def _lower_factor(records: _Records, factors: dict[int, tuple[fmpz, fmpz]], index: int, third: int) -> fmpz:
    """Return the lower end of a factor beside ``third``, remembering it with the width of its enclosure."""
    if index not in factors:
        lower, upper = factor_on_grid(records.weights.ratio(index, third), COARSE_BITS)
        factors[index] = (lower, upper - lower)
    return factors[index][0]
