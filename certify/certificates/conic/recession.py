"""Exposing points and recession rays of side (D), found in floats and solved exactly on their support."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from flint import fmpq

from certify.certificates.conic.affine import SparseRow, solve_sparse
from certify.certificates.conic.dyadic import float_matrix
from certify.certificates.conic.subspace import cuts, rational_basis, tilt
from certify.checker.conic.check import recession_ray
from certify.checker.conic.cones import Free, PositiveSemidefinite, Zero, order
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.reduction import reduce_dual
from certify.checker.conic.witnesses import BlockPoint, MatrixPoint, PrimalPoint, VectorPoint, WholeCone
from certify.checker.exact import Matrix, identity, matrix_of_fractions
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatProblem

GRID = 24
"""Bits of the grid on which the free coordinates of a ray are read, its largest entry being one."""

MOST_UNKNOWNS = 4_000


@dataclass(frozen=True, slots=True)
class ExposingPoint:
    """An X that confines the slack of (D), restricted to the faces so far, to a smaller face."""

    blocks: tuple[BlockPoint, ...]


@dataclass(frozen=True, slots=True)
class RecessionRay:
    """An X that proves (D), restricted to the faces so far, infeasible."""

    blocks: tuple[BlockPoint, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Where a block of X lives: ``U R U^T`` with R of order r, or the listed coordinates of a vector.

    Attributes:
        part: The block of the problem.
        basis: U, n x r, for a matrix block; None for a vector block.
        coordinates: The coordinates of a vector block.
        values: The unknowns in floats: R by its lower triangle, row by row, or the coordinates.
    """

    part: Block
    basis: Matrix | None
    coordinates: tuple[int, ...]
    values: FloatArray


def exact_ray(problem: ConicProblem, floats: FloatProblem, x: BlockArrays) -> ExposingPoint | RecessionRay | None:
    """Return the exact exposing point or recession ray near a float X in K with ``<A_i, X>`` nearly zero.

    Args:
        problem: Side (D), already restricted to the faces found before.
        floats: The same in binary64.
        x: What the auxiliary program returned, block by block.
    """
    gain = -floats.cost(x)
    scale = max((float(np.abs(part).max(initial=0.0)) for part in x), default=0.0) or 1.0
    x = tuple(part / scale for part in x)
    spectra = [_spectrum(part, value) for part, value in zip(problem.blocks, x, strict=True)]
    values = [float(value) for spectrum in spectra for value in spectrum[0]] + [gain / scale]
    for threshold in cuts(values):
        supports = _supports(problem, x, spectra, threshold)
        for keeps_gain in (True, False) if gain / scale > threshold else (False,):
            found = None if supports is None else _solved(problem, supports, keeps_gain=keeps_gain)
            if found is None:
                continue
            if keeps_gain and all(each.holds for each in recession_ray(problem, PrimalPoint((), found))):
                return RecessionRay(found)
            if not keeps_gain and _reduces(problem, found):
                return ExposingPoint(found)
    return None


def _spectrum(part: Block, value: FloatArray) -> tuple[FloatArray, FloatArray]:
    if isinstance(part.cone, PositiveSemidefinite):
        values, vectors = la.eigh(value)
        return values, vectors
    if isinstance(part.cone, Free | Zero):
        return np.zeros(0), np.zeros((0, 0))
    return value, np.zeros((0, 0))


def _supports(
    problem: ConicProblem, x: BlockArrays, spectra: Sequence[tuple[FloatArray, FloatArray]], threshold: float
) -> list[Support] | None:
    supports = []
    for part, value, (values, vectors) in zip(problem.blocks, x, spectra, strict=True):
        if isinstance(part.cone, PositiveSemidefinite):
            found = _matrix_support(part, value, values, vectors, threshold)
            if found is None:
                return None
            supports.append(found)
        else:
            chosen = range(len(value)) if isinstance(part.cone, Free) else np.flatnonzero(value > threshold)
            kept = () if isinstance(part.cone, Zero) else tuple(int(i) for i in chosen)
            supports.append(Support(part, None, kept, value[list(kept)]))
    return supports if sum(len(support.values) for support in supports) <= MOST_UNKNOWNS else None


def _matrix_support(
    part: Block, value: FloatArray, values: FloatArray, vectors: FloatArray, threshold: float
) -> Support | None:
    large = values > threshold
    size = len(value)
    basis = identity(size) if large.all() else rational_basis(vectors[:, large], tilt(values, threshold))
    if basis is None:
        return None
    if not basis.columns:
        return Support(part, basis, (), np.zeros(0))
    inverse = np.linalg.pinv(float_matrix(basis))
    core = inverse @ value @ inverse.T
    return Support(part, basis, (), core[np.tril_indices(basis.columns)])


def _solved(problem: ConicProblem, supports: Sequence[Support], *, keeps_gain: bool) -> tuple[BlockPoint, ...] | None:
    """Return the exact X on the supports near the float one with ``<A_i, X> = 0``, and ``<C, X> = 0`` unless gained."""
    rows: list[dict[int, fmpq]] = [{} for _ in range(problem.constraint_count + 1)]
    start = 0
    for support in supports:
        for constraint, unknown, value in _coefficients(support):
            place = start + unknown
            rows[constraint][place] = rows[constraint].get(place, fmpq(0)) + value
        start += len(support.values)
    wanted: Sequence[SparseRow] = rows[1:] if keeps_gain else rows
    target = np.concatenate([np.zeros(0), *(support.values for support in supports)])
    solution = solve_sparse(wanted, [fmpq(0)] * len(wanted), target, GRID)
    return None if solution is None else _blocks(supports, solution)


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


def _reduces(problem: ConicProblem, blocks: tuple[BlockPoint, ...]) -> bool:
    """Return whether an exposing point holds and leaves a smaller face."""
    reduction = reduce_dual(problem, (blocks,))
    return reduction.holds and any(not isinstance(face, WholeCone) for face in reduction.faces)
