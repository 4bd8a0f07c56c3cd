"""A point X on a dyadic grid while it is being repaired, block by block.

A PSD block on which the equations meet only the diagonal is drafted by its diagonal alone: the rest of X is free, and
is written at the end as a thin factor whose rows are shorter than the diagonal allows, so that it is PSD at sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from flint import fmpq, fmpz, fmpz_mat

from certify.certificates.conic.dyadic import float_row, grid_matrix, grid_row
from certify.certificates.conic.equations import Place
from certify.certificates.conic.margins import margin
from certify.checker.conic.cones import Cone, PositiveSemidefinite, Zero
from certify.checker.conic.problem import Block, ConicProblem, row_vector
from certify.checker.conic.witnesses import BlockPoint, FactoredPoint, MatrixPoint, VectorPoint
from certify.checker.exact import Matrix, matrix
from certify.solvers.conic.arrays import BlockArrays, FloatArray

TAIL = 2.0**-44
FACTOR_BITS = 56
LARGE_ORDER = 60


@dataclass(frozen=True, slots=True)
class Draft:
    """The blocks of X: 1 x n for a vector block or a diagonal, n x n for a matrix block."""

    kinds: tuple[bool, ...]
    parts: tuple[Matrix, ...]


def by_diagonal(problem: ConicProblem) -> tuple[bool, ...]:
    """Return for each block whether it is drafted by its diagonal alone."""
    return tuple(map(_is_by_diagonal, problem.blocks))


def draft_margin(cones: Sequence[Cone], kinds: Sequence[bool], x: BlockArrays) -> float:
    """Return about how far inside the cones X is where it matters; a thin factor needs a positive diagonal only."""
    margins = [
        float(np.diag(part).min()) if thin else margin(cone, part)
        for cone, thin, part in zip(cones, kinds, x, strict=True)
        if not isinstance(cone, Zero)
    ]
    return min(margins, default=np.inf)


def draft(problem: ConicProblem, kinds: tuple[bool, ...], x: BlockArrays, bits: int) -> Draft:
    """Read a float X on the grid of step ``2^-bits``."""
    parts = []
    for block, thin, part in zip(problem.blocks, kinds, x, strict=True):
        if block.is_matrix and not thin:
            parts.append(grid_matrix((part + part.T) / 2, bits))
        else:
            parts.append(grid_row(np.diag(part).copy() if thin else part, bits))
    return Draft(kinds, tuple(parts))


def added(problem: ConicProblem, point: Draft, step: BlockArrays, bits: int) -> Draft:
    """Return the draft plus a float step, read on the grid."""
    more = draft(problem, point.kinds, step, bits)
    return Draft(point.kinds, tuple(a + b for a, b in zip(point.parts, more.parts, strict=True)))


def equation_view(problem: ConicProblem, point: Draft) -> tuple[BlockPoint, ...]:
    """Return a point that agrees with the draft wherever the equations look."""
    return tuple(
        FactoredPoint(_no_columns(part.columns), part) if thin else _plain(block, part)
        for block, thin, part in zip(problem.blocks, point.kinds, point.parts, strict=True)
    )


def entry_of(point: Draft) -> Callable[[Place], fmpq]:
    """Return the entries of the draft as a function of their place."""

    def entry(place: Place) -> fmpq:
        index, row, column = place
        part = point.parts[index]
        return part.entry(row, column) if part.rows > 1 or part.columns == 1 else part.entry(0, row)

    return entry


def replaced(point: Draft, values: Mapping[Place, fmpq]) -> Draft:
    """Return the draft with some entries replaced, mirror images included."""
    by_block: dict[int, dict[tuple[int, int], fmpq]] = {}
    for (index, row, column), value in values.items():
        by_block.setdefault(index, {})[row, column] = value
    parts = list(point.parts)
    for index, entries in by_block.items():
        parts[index] = _with_entries(parts[index], entries)
    return Draft(point.kinds, tuple(parts))


def finished(problem: ConicProblem, point: Draft, x: BlockArrays) -> tuple[BlockPoint, ...] | None:
    """Return the whole point, thin factors included, or None where a diagonal is not positive."""
    blocks: list[BlockPoint] = []
    for block, thin, part, floats in zip(problem.blocks, point.kinds, point.parts, x, strict=True):
        whole = thin_point(part, floats) if thin else _plain(block, part)
        if whole is None:
            return None
        blocks.append(whole)
    return tuple(blocks)


def thin_point(diagonal: Matrix, x: FloatArray) -> FactoredPoint | None:
    """Return ``F F^T + diag(d)``, d > 0, near a float PSD X, with exactly the given diagonal; None if there is none."""
    wanted = float_row(diagonal)
    if np.any(wanted <= 0):
        return None
    values, vectors = la.eigh((x + x.T) / 2)
    kept = np.cumsum(np.maximum(values, 0.0)) > TAIL * max(float(np.trace(x)), 0.0)
    root = vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0.0))
    lengths = np.sum(root * root, axis=1)
    room = wanted * (1 - TAIL)
    root = root * np.sqrt(np.minimum(1.0, room / np.where(lengths > 0, lengths, 1.0)))[:, None]
    exponent = int(np.ceil(-np.log2(np.sqrt(wanted.min()))))
    factor = grid_matrix(root, max(0, FACTOR_BITS + exponent))
    rest = [
        diagonal.entry(0, i) - fmpq(sum((e * e for e in row), fmpz(0)), factor.denominator**2)
        for i, row in enumerate(factor.numerators.tolist())
    ]
    return FactoredPoint(factor, row_vector(rest)) if all(value > 0 for value in rest) else None


def _is_by_diagonal(block: Block) -> bool:
    if not isinstance(block.cone, PositiveSemidefinite) or block.cone.size <= LARGE_ORDER:
        return False
    entries = zip(block.constraints, block.rows, block.columns, strict=True)
    return all(row == column for constraint, row, column in entries if constraint)


def _plain(block: Block, part: Matrix) -> BlockPoint:
    return MatrixPoint(part) if block.is_matrix else VectorPoint(part)


def _no_columns(size: int) -> Matrix:
    return Matrix(fmpz_mat(size, 0), fmpz(1))


def _with_entries(part: Matrix, entries: Mapping[tuple[int, int], fmpq]) -> Matrix:
    common = part.denominator
    for value in entries.values():
        common = common.lcm(value.q)
    numerators = part.numerators * (common // part.denominator)
    for (row, column), value in entries.items():
        scaled = value.p * (common // value.q)
        if part.rows == 1 and part.columns > 1:
            numerators[0, row] = scaled
        else:
            numerators[row, column] = numerators[column, row] = scaled
    return matrix(numerators, common)
