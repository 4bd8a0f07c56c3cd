"""The linear maps of a conic program on exact points: values of <A_i, X>, slacks and combinations of the A_i.

A combination ``sum y_i A_i`` of sparse matrices stays sparse: integers at coordinates over one positive denominator,
which no membership in a cone depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.conic.cones import cone_text, order
from certify.checker.conic.objection import Objection
from certify.checker.conic.problem import Block, ConicProblem, row_vector
from certify.checker.conic.witnesses import BlockPoint, FactoredPoint, MatrixPoint, VectorPoint
from certify.checker.exact import Matrix

Coordinate: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sparse:
    """The part of a combination of C and the A_i on one block.

    ``numerators[row, column] / denominator`` with row >= column (equal on a vector block), zero elsewhere.
    """

    order: int
    numerators: Mapping[Coordinate, fmpz]
    denominator: fmpz


@dataclass(frozen=True, slots=True)
class Values:
    """What a point X gives: ``<C, X>`` without the offset, and the 1 x m matrix of ``<A_i, X>``."""

    objective: fmpq
    constraints: Matrix


def why_misfit(problem: ConicProblem, point: tuple[BlockPoint, ...]) -> Objection | None:
    """Return what keeps a point from having the shape of X, None where it has it."""
    if len(point) != len(problem.blocks):
        return Objection(f"{len(point)} blocks where the program has {len(problem.blocks)}")
    for index, (part, value) in enumerate(zip(problem.blocks, point, strict=True), 1):
        if not has_shape(value, order(part.cone), is_matrix=part.is_matrix):
            return Objection(f"block {index} does not have the shape of {cone_text(part.cone)}")
    return None


def evaluate(problem: ConicProblem, point: tuple[BlockPoint, ...]) -> Values:
    """Return the values of a point that has the shape of X."""
    totals = [fmpq(0)] * (problem.constraint_count + 1)
    for part, value in zip(problem.blocks, point, strict=True):
        for constraint, total in _block_values(part, value).items():
            totals[constraint] += total
    return Values(totals[0], row_vector(totals[1:]))


def combine(part: Block, objective: int, multipliers: Matrix) -> Sparse:
    """Return ``objective * C - sum y_i A_i`` on one block, y the 1 x m ``multipliers``."""
    weights = [multipliers.denominator * objective, *(-y for y in multipliers.numerators.entries())]
    sums: dict[Coordinate, fmpz] = {}
    for constraint, row, column, numerator in part.entries():
        if weight := weights[constraint]:
            sums[row, column] = sums.get((row, column), 0) + weight * numerator
    kept = {where: total for where, total in sums.items() if total != 0}
    return Sparse(order(part.cone), kept, part.values.denominator * multipliers.denominator)


def dot(left: Matrix, right: Matrix) -> fmpq:
    """Return the inner product of two row vectors."""
    return (left @ right.transpose()).entry(0, 0) if left.columns else fmpq(0)


def restricted(entries: Sequence[tuple[int, int, fmpz]], basis: fmpz_mat) -> fmpz_mat:
    """Return ``V^T A V`` for a sparse symmetric A, from the few rows of V that A reaches.

    Args:
        entries: Row, column and value of the entries of A on and below the diagonal.
        basis: V, n x r.
    """
    reached = sorted({index for row, column, _ in entries for index in (row, column)})
    place = {index: k for k, index in enumerate(reached)}
    small = fmpz_mat(len(reached), len(reached))
    for row, column, value in entries:
        small[place[row], place[column]] = small[place[column], place[row]] = value
    rows = fmpz_mat(len(reached), basis.ncols(), [basis[i, j] for i in reached for j in range(basis.ncols())])
    return rows.transpose() * small * rows


def dense_vector(value: Sparse) -> list[fmpz]:
    """Return the numerators of a vector block, all of them."""
    return [value.numerators.get((i, i), fmpz(0)) for i in range(value.order)]


def vector_of(value: BlockPoint) -> Matrix:
    """Return the entries of a vector block, 1 x n.

    Raises:
        TypeError: If the block is a matrix.
    """
    if isinstance(value, VectorPoint):
        return value.entries
    raise TypeError("a matrix is no vector")


def entries_of(value: BlockPoint) -> tuple[Callable[[int, int], fmpz], fmpz]:
    """Return the numerator of a block of X at ``(row, column)`` as a function, and the common denominator."""
    match value:
        case VectorPoint(entries):
            flat = entries.numerators.entries()
            return (lambda row, _column: flat[row]), entries.denominator
        case MatrixPoint(symmetric):
            rows = symmetric.numerators.tolist()
            return (lambda row, column: rows[row][column]), symmetric.denominator
        case FactoredPoint():
            return _factored_entries(value)
        case _:
            assert_never(value)


def _factored_entries(value: FactoredPoint) -> tuple[Callable[[int, int], fmpz], fmpz]:
    """Return the entries of ``F F^T + diag(d)``, each a FLINT product of two rows when it is asked for."""
    width, scale = value.factor.columns, value.factor.denominator**2
    lines = [fmpz_mat(1, width, line) for line in value.factor.numerators.tolist()]
    turned = [line.transpose() for line in lines]
    added, step = value.diagonal.numerators.entries(), value.diagonal.denominator

    def entry(row: int, column: int) -> fmpz:
        product = (lines[row] * turned[column])[0, 0] * step
        return product + added[row] * scale if row == column else product

    return entry, scale * step


def _block_values(part: Block, value: BlockPoint) -> dict[int, fmpq]:
    """Return the inner products with one block of X; an entry off the diagonal stands for two."""
    sums: dict[int, fmpz] = {}
    entry, denominator = entries_of(value)
    for constraint, row, column, numerator in part.entries():
        term = numerator * entry(row, column)
        sums[constraint] = sums.get(constraint, 0) + (term if row == column else 2 * term)
    scale = denominator * part.values.denominator
    return {constraint: fmpq(total, scale) for constraint, total in sums.items()}


def has_shape(value: BlockPoint, size: int, *, is_matrix: bool) -> bool:
    """Return whether a block of X is a symmetric matrix of the given order, or a vector of that many entries."""
    match value:
        case VectorPoint(entries):
            fits = not is_matrix and _is_shaped(entries, 1, size)
        case MatrixPoint(symmetric):
            fits = is_matrix and _is_shaped(symmetric, size, size) and symmetric.is_symmetric()
        case FactoredPoint(factor, diagonal):
            fits = is_matrix and _is_shaped(factor, size, factor.columns) and _is_shaped(diagonal, 1, size)
        case _:
            assert_never(value)
    return fits


def _is_shaped(value: Matrix, rows: int, columns: int) -> bool:
    return (value.rows, value.columns) == (rows, columns) and value.denominator > 0
