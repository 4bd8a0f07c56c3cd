"""The quadratic form of every pair of points, by one integer matrix product (theory.md section 5)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt
from operator import itemgetter, mul, neg, sub
from typing import TypeAlias

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix
from certify.checker.lanes import flagged, lanes_of, suspects

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

PairSearch: TypeAlias = "Callable[[Matrix, Matrix, Progress], PairMaximum | None]"
"""What finds the largest form over all pairs: ``largest_over_pairs``, or the same rule run elsewhere."""

BLOCK_ENTRIES = 300_000
FIRST_ROWS = 64
FILTER_ROWS = 64
FILTERED = 500
"""From how many pairs a point on they are filtered: below, packing the point costs more than it saves."""
SUSPECTED = 16
"""Where more than one pair in so many is suspected, one product for all of them is faster."""


@dataclass(frozen=True, slots=True)
class PairMaximum:
    """The largest quadratic form over all pairs of points, and a pair of row indices that attains it."""

    value: fmpq
    pair: tuple[int, int]


def differences(records: Matrix) -> Matrix:
    """Return the m x d matrix of ``x_i - x_0``, whose pairwise differences are those of the records."""
    rows = records.numerators.tolist()
    first = rows[0]
    entries = [entry - start for row in rows for entry, start in zip(row, first, strict=True)]
    return matrix(fmpz_mat(records.rows, records.columns, entries), records.denominator)


def largest_over_pairs(
    points: Matrix, form: Matrix, progress: Progress, *, exhaustive: bool = False
) -> PairMaximum | None:
    """Return the exact maximum of ``(p_i - p_j)^T form (p_i - p_j)`` over all pairs i < j of rows, None for one row.

    Under the uniform query this is rho_star of a release with precision ``form``, for both neighbouring relations.
    ``form`` must be PSD. Points are taken by decreasing distance from a centre, in blocks, so that memory stays
    bounded and pairs that are too close to the centre to reach the largest value so far need no product. Where many
    are left, a filter names those whose form can exceed it (``certify.checker.lanes``). ``exhaustive`` takes the
    product of every pair all the same, and the value is the same.

    Sound because the symmetric hull of the sensitivity set lies in that of the differences x - y (every factor of
    t_g is below 1), and those are limits along the ray of queries (theory.md section 2, uniform query); and a pair is
    passed over only where ``sqrt(q_ij) <= r_i + r_j`` (triangle inequality in the seminorm of a PSD form, with r above
    the distance from the centre) is at most the root of a value already found.
    Proof: ``uniform_query_qform``, ``uniform_query_approached``.
    """
    if points.rows < 2:
        return None
    table = _centred(points, form)
    best, first, second = _farthest(table, 0, 1, points.rows)
    start, total, rows = 0, points.rows * (points.rows - 1) // 2, FIRST_ROWS
    while start < points.rows - 1:
        reach = isqrt(int(best)) - table.radii[start]
        stop = points.rows if exhaustive else bisect_right(table.radii, -reach, lo=start + 1, key=neg)
        if stop <= start + 1:
            break
        rows = min(rows, stop - start, max(1, BLOCK_ENTRIES // (stop - start)))
        found = _farthest(table, start, rows, stop)
        if found[0] > best:
            best, first, second = found
        start, rows = start + rows, points.rows
        if not exhaustive and _pairs_left(table, start, stop, best) > FILTERED * (stop - start):
            best, first, second = _farthest_filtered(table, start, stop, (best, first, second), progress)
            break
        left = points.rows - start
        progress("pairs of records", total - left * (left - 1) // 2, total)
    progress("pairs of records", total, total)
    pair = sorted((table.order[first], table.order[second]))
    return PairMaximum(fmpq(best, forms_denominator(points, form)), (pair[0], pair[1]))


def largest_over_every_pair(points: Matrix, form: Matrix, progress: Progress) -> PairMaximum | None:
    """Return what ``largest_over_pairs`` returns, by the exact integer product of every pair."""
    return largest_over_pairs(points, form, progress, exhaustive=True)


@dataclass(frozen=True, slots=True)
class _Centred:
    """Points by decreasing distance from a centre: ``left_i . right_j = -q_ij``, and ``radii_i > sqrt(q(p_i - c))``."""

    order: list[int]
    radii: list[int]
    left: list[list[fmpz]]
    right: list[list[fmpz]]


def _centred(points: Matrix, form: Matrix) -> _Centred:
    table = points.numerators.tolist()
    centre = [sum(column, fmpz(0)) // points.rows for column in zip(*table, strict=True)]
    rows = [[entry - middle for entry, middle in zip(row, centre, strict=True)] for row in table]
    left, right, norms = _bordered(rows, form.numerators)
    order = sorted(range(points.rows), key=norms.__getitem__, reverse=True)
    radii = [isqrt(max(int(norms[i]), 0)) + 1 for i in order]
    return _Centred(order, radii, [left[i] for i in order], [right[i] for i in order])


def radii_upper(points: Matrix, centre: Matrix, form: Matrix) -> list[fmpq]:
    """Return for every row p a rational above the distance ``((p - c)^T form (p - c))^(1/2)`` from one centre (1 x d).

    Two rows whose sum of radii is r have a form of at most r^2, so blocks of rows too close to the centre can be left
    out together. Sound because of the triangle inequality in the seminorm of a PSD form.
    """
    common = points.denominator.lcm(centre.denominator)
    table = (points.numerators * (common // points.denominator)).tolist()
    middle = (centre.numerators * (common // centre.denominator)).entries()
    rows = [list(map(sub, row, middle)) for row in table]
    _, _, norms = _bordered(rows, form.numerators)
    scale = common**2 * form.denominator
    return [fmpq(isqrt(int(norm * scale)) + 1, scale) for norm in norms]


def _farthest(table: _Centred, start: int, rows: int, stop: int) -> tuple[fmpz, int, int]:
    """Return the largest q_ij, with i and j, over ``start <= i < start + rows`` and ``i < j < stop``."""
    product = fmpz_mat(table.left[start : start + rows]) * fmpz_mat(table.right[start:stop]).transpose()
    entries, width = product.entries(), stop - start
    best, pair = fmpz(-1), (start, start)
    for row in range(rows):
        line = entries[row * width + row + 1 : (row + 1) * width]
        if line and -(least := min(line)) > best:
            best, pair = -least, (start + row, start + row + 1 + line.index(least))
    return best, *pair


def _pairs_left(table: _Centred, start: int, stop: int, best: fmpz) -> int:
    """Return about how many pairs the radii leave, from one row in FILTER_ROWS."""
    root = isqrt(int(best))
    firsts = range(start, stop, FILTER_ROWS)
    ends = (bisect_right(table.radii, table.radii[i] - root, lo=i, hi=stop, key=neg) for i in firsts)
    return FILTER_ROWS * sum(end - first for first, end in zip(firsts, ends, strict=True))


def _farthest_filtered(
    table: _Centred, start: int, stop: int, known: tuple[fmpz, int, int], progress: Progress
) -> tuple[fmpz, int, int]:
    """Return the larger of what is known and the largest q_ij, with i and j, over ``start <= i < j < stop``.

    Sound because ``suspects`` leaves out no pair with a form above the value it is given, and the form of every pair
    that it names is taken; where it names many, or its lanes do not suffice, that of every pair of the rows.
    """
    lanes = lanes_of(
        [row[:-2] for row in table.left[start:stop]],
        [row[:-2] for row in table.right[start:stop]],
        [row[-1] for row in table.right[start:stop]],
    )
    best, count = known, stop - start
    for row in range(0, count - 1, FILTER_ROWS):
        first = start + row
        end = bisect_right(table.radii, table.radii[first] - isqrt(int(best[0])), lo=first, hi=stop, key=neg)
        if end <= first + 1:
            break
        rows = range(row, min(row + FILTER_ROWS, end - start))
        flags = None if lanes is None else list(suspects(lanes, rows, end - start, int(best[0])))
        few = flags is not None and SUSPECTED * sum(flag.bit_count() for _, _, flag in flags) < len(rows) * (
            end - first
        )
        found = _farthest_named(table, start, flags, best) if flags is not None and few else None
        best = max(best, found or _farthest(table, first, len(rows), end), key=itemgetter(0))
        progress("pairs of records", row * count - row * row // 2, count * (count - 1) // 2)
    return best


def _farthest_named(
    table: _Centred, start: int, flags: list[tuple[int, int, int]], best: tuple[fmpz, int, int]
) -> tuple[fmpz, int, int]:
    """Return the larger of ``best`` and the largest form of the pairs that are flagged."""
    for row, first, flag in flags:
        for other in flagged(first, flag):
            i, j = start + row, start + other
            form = -sum(map(mul, table.left[i], table.right[j]), fmpz(0))
            if form > best[0]:
                best = form, i, j
    return best


def forms_denominator(points: Matrix, form: Matrix) -> fmpz:
    """Return the denominator of the integers that ``negated_forms`` yields."""
    return points.denominator**2 * form.denominator


def negated_forms(points: Matrix, form: Matrix, progress: Progress) -> Iterator[tuple[int, list[fmpz]]]:
    """Yield each row index i with the integers ``-q_ij`` for j = i + 1, ..., m - 1, over ``forms_denominator``."""
    count = points.rows
    done, total = 0, count * (count - 1) // 2
    for start, stop, product in _blocks(points.numerators, form.numerators):
        width = count - start
        for row in range(start, stop):
            yield row, product[(row - start) * width + (row - start) + 1 : (row - start + 1) * width]
        done += sum(count - 1 - row for row in range(start, stop))
        progress("pairs of records", done, total)


def _blocks(points: fmpz_mat, form: fmpz_mat) -> Iterator[tuple[int, int, list[fmpz]]]:
    """Yield ``(start, stop, entries)``: the flat rows start..stop of ``-q_ij`` for the columns j >= start."""
    count = points.nrows()
    left, right, _ = _bordered(points.tolist(), form)
    start = 0
    while start < count:
        stop = min(count, start + max(1, BLOCK_ENTRIES // (count - start)))
        yield start, stop, (fmpz_mat(left[start:stop]) * fmpz_mat(right[start:]).transpose()).entries()
        start = stop


def _bordered(rows: list[list[fmpz]], form: fmpz_mat) -> tuple[list[list[fmpz]], list[list[fmpz]], list[fmpz]]:
    """Return rows with ``left_i . right_j = 2 p_i^T F p_j - f_i - f_j`` and the ``f_i = p_i^T F p_i``."""
    images = (fmpz_mat(len(rows), form.nrows(), [entry for row in rows for entry in row]) * form).tolist()
    norms = [sum(map(mul, row, image), fmpz(0)) for row, image in zip(rows, images, strict=True)]
    left = [[2 * entry for entry in image] + [-norm, fmpz(-1)] for image, norm in zip(images, norms, strict=True)]
    right = [[*row, fmpz(1), norm] for row, norm in zip(rows, norms, strict=True)]
    return left, right, norms
