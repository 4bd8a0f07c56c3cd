"""Positive semidefiniteness of large sparse symmetric integer matrices.

A matrix is split into the connected components of its graph; each is decided by its diagonal, or by eliminating rows
of few entries with rounding that only ever lowers the matrix, until what is left is dense.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import TypeAlias

from flint import fmpq_mat, fmpz, fmpz_mat, nmod_mat

from certify.checker.conic.linear import Coordinate, Sparse
from certify.checker.conic.objection import Objection
from certify.checker.exact import Matrix, select_entries
from certify.checker.psd import NotPsd, decide_by_ldl, decide_psd, quickly_psd

DENSE_ORDER = 40
"""Components up to this order are decided as dense matrices."""

DENSE_SHARE = 3
"""Elimination goes on while the shortest row reaches less than one in this many of the rows left."""

DECISION_ORDER = 200
"""Beyond this order a matrix without a quick proof counts as not proved, for want of time to decide it."""

GUARD_BITS = (64, 256)
PRIME = (1 << 61) - 1

SOLVE_LIMIT = 2_000_000
"""Unknowns times equations of the largest exact linear system that is solved to decide one matrix."""

Rows: TypeAlias = dict[int, dict[int, int]]
"""A symmetric integer matrix: for each row its nonzero entries, the diagonal among them."""


def why_not_psd(value: Sparse) -> Objection | None:
    """Return None where a sparse symmetric matrix is proved PSD, else why it is not.

    Sound because a matrix is PSD iff its diagonal blocks of connected components are.
    """
    for component in components(value.numerators):
        if (objection := _why_component_not_psd(component)) is not None:
            return objection
    return None


def components(numerators: Mapping[Coordinate, fmpz]) -> list[Rows]:
    """Return the rows of each connected component of the matrix; rows without any entry belong to none."""
    rows: Rows = {}
    for (row, column), entry in numerators.items():
        rows.setdefault(row, {})[column] = int(entry)
        rows.setdefault(column, {})[row] = int(entry)
    found, seen = [], set[int]()
    for start in sorted(rows):
        if start not in seen:
            reached = _reachable(rows, start)
            seen |= reached
            found.append({row: rows[row] for row in sorted(reached)})
    return found


def _reachable(rows: Rows, start: int) -> set[int]:
    reached, open_rows = {start}, [start]
    while open_rows:
        fresh = rows[open_rows.pop()].keys() - reached
        reached |= fresh
        open_rows += fresh
    return reached


def _why_component_not_psd(rows: Rows) -> Objection | None:
    if all(2 * row[i] >= sum(map(abs, row.values())) for i, row in rows.items() if i in row) and _has_diagonal(rows):
        return None
    lacking = next((i for i, row in rows.items() if row.get(i, 0) <= 0), None)
    if lacking is not None:
        return Objection(f"row {lacking + 1} has entries but no positive diagonal entry")
    if len(rows) > DENSE_ORDER and any(_is_psd_after_elimination(rows, bits) for bits in GUARD_BITS):
        return None
    return why_dense_not_psd(_dense(rows))


def why_dense_not_psd(a: Matrix) -> Objection | None:
    """Return None where a symmetric matrix is proved PSD, else why it is not, or that it could not be proved.

    Sound because both ways to None are: ``psd`` decides, and ``is_psd_of_lower_rank`` says why it is.
    """
    if a.rows > DENSE_ORDER and (quickly_psd(a) or is_psd_of_lower_rank(a)):
        return None
    if a.rows > DECISION_ORDER:
        text = f"a matrix of order {a.rows} is indefinite or nearly singular: too large to decide without a margin"
        return Objection(text, None)
    decision = decide_by_ldl(a) if a.rows > DENSE_ORDER else decide_psd(a)
    if isinstance(decision, NotPsd):
        return Objection(f"v^T S v < 0 for an exact v, of order {a.rows}")
    return None


def is_psd_of_lower_rank(a: Matrix) -> bool:
    """Return True only if a symmetric matrix is PSD; False unless it is exactly singular.

    Rows and columns P that are independent modulo a prime are taken, the others are Q.

    Sound because with A_PP PSD and invertible and ``A_QQ = A_QP X`` for the solution of ``A_PP X = A_PQ``, A is
    ``[I; X'] A_PP [I, X]``, a congruence of a PSD matrix. The prime only proposes P; A_PP is invertible modulo it, as
    in every symmetric matrix whose columns P span all columns.
    Proof: ``psd_lower_rank``.
    """
    reduced, rank = nmod_mat(a.numerators, PRIME).rref()
    lines = reduced.tolist()
    pivots = [next(j for j, entry in enumerate(lines[i]) if int(entry) != 0) for i in range(rank)]
    others = [j for j in range(a.rows) if j not in set(pivots)]
    core = Matrix(select_entries(a.numerators, pivots, pivots), fmpz(1))
    if not others or rank**2 * len(others) > SOLVE_LIMIT or not quickly_psd(core):
        return False
    beside = select_entries(a.numerators, pivots, others)
    integers, denominator = fmpq_mat(core.numerators).solve(fmpq_mat(beside)).numer_denom()
    return bool(beside.transpose() * integers == select_entries(a.numerators, others, others) * denominator)


def _has_diagonal(rows: Rows) -> bool:
    return all(i in row for i, row in rows.items())


def _is_psd_after_elimination(rows: Rows, bits: int) -> bool:
    rest = eliminate({i: {j: entry << bits for j, entry in row.items()} for i, row in rows.items()})
    return rest is not None and (len(rest) < len(rows)) and (not rest or quickly_psd(_dense(rest)))


def eliminate(rows: Rows) -> Rows | None:
    """Return a smaller matrix that proves the given one PSD if it is PSD itself, None where a pivot is not positive.

    Rows are eliminated shortest first, until the shortest reaches a good share of all that are left.

    Sound because with pivot p > 0 and column c the matrix is PSD iff its Schur complement ``T = A - c c^T / p`` is.
    T is replaced by an integer matrix that differs by less than one in each entry where c c^T has one, and whose
    diagonal there is lowered by the number of those entries in the row: the difference has nonnegative diagonally
    dominant rows, so it is PSD, and T is PSD if the lowered matrix is.
    Proof: ``psd_eliminate``, ``psd_dominant``.
    """
    left = {i: dict(row) for i, row in rows.items()}
    queue = [(len(row), i) for i, row in left.items()]
    heapq.heapify(queue)
    while queue:
        length, pivot_row = heapq.heappop(queue)
        if pivot_row not in left or len(left[pivot_row]) != length:
            continue
        if (length - 1) * DENSE_SHARE > len(left):
            return left
        column = left.pop(pivot_row)
        pivot = column.pop(pivot_row, 0)
        if pivot <= 0:
            return None
        for i in column:
            del left[i][pivot_row]
        _subtract_outer(left, column, pivot)
        for i in column:
            heapq.heappush(queue, (len(left[i]), i))
    return left


def _subtract_outer(left: Rows, column: dict[int, int], pivot: int) -> None:
    """Subtract ``c c^T / p``, rounded, and lower the diagonal by the number of entries rounded in each row."""
    count = len(column)
    for i, entry in column.items():
        row = left[i]
        for j, other in column.items():
            row[j] = row.get(j, 0) - entry * other // pivot
        row[i] -= count


def _dense(rows: Rows) -> Matrix:
    place = {row: index for index, row in enumerate(rows)}
    numerators = fmpz_mat(len(rows), len(rows))
    for i, row in rows.items():
        for j, entry in row.items():
            numerators[place[i], place[j]] = entry
    return Matrix(numerators, fmpz(1))
