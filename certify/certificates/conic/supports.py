"""Where a nearly singular X lives, and X solved for exactly there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from certify.certificates.conic.affine import SparseRow, solved_sparse
from certify.certificates.conic.dyadic import float_row
from certify.certificates.conic.subspace import Elimination, elimination, split
from certify.checker.conic.cones import Free, Zero, order
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.witnesses import BlockPoint, MatrixPoint, VectorPoint
from certify.checker.exact import Matrix, matrix_of_fractions

MOST_UNKNOWNS = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Where a block of X lives: ``U R U^T`` with R of order r, or the listed coordinates of a vector.

    Attributes:
        part: The block of the problem.
        basis: U, n x r, for a matrix block; None for a vector block.
        coordinates: The coordinates of a vector block.
        values: The unknowns: R by its lower triangle, row by row, or the coordinates.
    """

    part: Block
    basis: Matrix | None
    coordinates: tuple[int, ...]
    values: tuple[fmpq, ...]


def spectrum_of(part: Block, value: Matrix) -> Elimination:
    """Return the pivots of a matrix block, the entries of a nonnegative one, nothing of a free or zero one."""
    if part.is_matrix:
        return elimination(value)
    if isinstance(part.cone, Free | Zero):
        return Elimination((), ())
    return Elimination(tuple(range(value.columns)), tuple(float_row(value).tolist()))


def supports_of(
    problem: ConicProblem, x: Sequence[Matrix], spectra: Sequence[Elimination], threshold: float
) -> list[Support] | None:
    """Return where each block of an X lives, judged by its pivots above a threshold, or None where no guess is near."""
    supports = []
    for part, value, spectrum in zip(problem.blocks, x, spectra, strict=True):
        if part.is_matrix:
            found = _matrix_support(part, value, spectrum, threshold)
            if found is None:
                return None
            supports.append(found)
        else:
            kept = _kept(part, spectrum, threshold)
            supports.append(Support(part, None, kept, tuple(value.entry(0, i) for i in kept)))
    return supports if sum(len(support.values) for support in supports) <= MOST_UNKNOWNS else None


def _kept(part: Block, spectrum: Elimination, threshold: float) -> tuple[int, ...]:
    """Return the coordinates of a vector block that need not vanish."""
    if isinstance(part.cone, Free):
        return tuple(range(part.cone.size))
    return tuple(i for i, size in zip(spectrum.order, spectrum.sizes, strict=True) if size > threshold)


def _matrix_support(part: Block, value: Matrix, spectrum: Elimination, threshold: float) -> Support | None:
    found = split(value, spectrum, spectrum.rank(threshold))
    if found is None:
        return None
    # The basis is the identity on the pivots, so there X is R itself.
    core = value.select(found.pivots, found.pivots)
    return Support(part, found.range(), (), tuple(core.entry(i, j) for i in range(core.rows) for j in range(i + 1)))


def solved_on(
    problem: ConicProblem, supports: Sequence[Support], equations: Mapping[int, fmpq], bits: int
) -> tuple[BlockPoint, ...] | None:
    """Return the exact X on the supports near the given one with the values asked for, or None where there is none.

    Args:
        problem: The program.
        supports: Where X lives, with what it is nearly.
        equations: The value of ``<A_i, X>`` by i, and of ``<C, X>`` under 0 where it is asked for.
        bits: The grid on which the unknowns are read that the equations leave open.
    """
    rows: dict[int, dict[int, fmpq]] = {index: {} for index in range(problem.constraint_count + 1)}
    start = 0
    for support in supports:
        for constraint, unknown, value in _coefficients(support):
            place = start + unknown
            rows[constraint][place] = rows[constraint].get(place, fmpq(0)) + value
        start += len(support.values)
    wanted: list[SparseRow] = [rows[index] for index in equations]
    target = [value for support in supports for value in support.values]
    reduced = solved_sparse(wanted, list(equations.values()), len(target))
    return None if reduced is None else _blocks(supports, reduced.near(target, bits))


def _coefficients(support: Support) -> list[tuple[int, int, fmpq]]:
    """Return ``(constraint, unknown, coefficient)`` of the block's part of ``<A_i, X>``, several for one unknown."""
    part, basis = support.part, support.basis
    found = []
    if basis is None:
        place = {coordinate: k for k, coordinate in enumerate(support.coordinates)}
        for constraint, row, _, numerator in part.entries():
            if row in place:
                found.append((constraint, place[row], fmpq(numerator, part.values.denominator)))
        return found
    lists = [
        [(a, basis.entry(i, a)) for a in range(basis.columns) if basis.numerators[i, a] != 0] for i in range(basis.rows)
    ]
    for constraint, row, column, numerator in part.entries():
        value = fmpq(numerator, part.values.denominator) * (1 if row == column else 2)
        for a, left in lists[row]:
            for b, right in lists[column]:
                found.append((constraint, max(a, b) * (max(a, b) + 1) // 2 + min(a, b), value * left * right))
    return found


def _blocks(supports: Sequence[Support], solution: Matrix) -> tuple[BlockPoint, ...]:
    blocks: list[BlockPoint] = []
    start = 0
    for support in supports:
        values = [solution.entry(0, start + k) for k in range(len(support.values))]
        start += len(values)
        size = order(support.part.cone)
        if support.basis is None:
            given: Mapping[int, fmpq] = dict(zip(support.coordinates, values, strict=True))
            blocks.append(VectorPoint(matrix_of_fractions([[given.get(i, fmpq(0)) for i in range(size)]], size)))
            continue
        rank = support.basis.columns
        core = [[values[max(a, b) * (max(a, b) + 1) // 2 + min(a, b)] for b in range(rank)] for a in range(rank)]
        middle = matrix_of_fractions(core, rank)
        blocks.append(MatrixPoint(support.basis @ middle @ support.basis.transpose()))
    return tuple(blocks)
