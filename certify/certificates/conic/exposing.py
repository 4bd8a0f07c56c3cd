"""Exposing vectors and Farkas rays of side (P), found in floats and solved exactly on their support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz_mat

from certify.certificates.conic.affine import SparseRow, solved_sparse
from certify.certificates.conic.dyadic import float_row, nearest_float
from certify.certificates.conic.subspace import Elimination, cuts, elimination, grid_bits, split
from certify.checker.conic.check import farkas_ray
from certify.checker.conic.cones import Free, PositiveSemidefinite, Zero
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.linear import Sparse, combine, dense_vector, dot
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.reduction import reduce_primal
from certify.checker.conic.witnesses import DualPoint, Face, WholeCone
from certify.checker.exact import Matrix, matrix

COARSE_GRIDS = (1, 4, 10)
GRID = 20
"""Bits of the grid on which the free coordinates of a ray are read, its largest entry being one."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A y that confines (P), restricted to the faces so far, to a smaller face."""

    vector: Matrix


@dataclass(frozen=True, slots=True)
class Ray:
    """A y that proves (P), restricted to the faces so far, infeasible."""

    vector: Matrix


def exact_exposure(problem: ConicProblem, y: Matrix) -> Exposure | Ray | None:
    """Return the exact exposing vector or Farkas ray near a y, 1 x m, with ``sum y_i A_i`` nearly in K*.

    Args:
        problem: Side (P), already restricted to the faces found before.
        y: What the auxiliary program returned, without t, as accurately as it is known.
    """
    elements = tuple(map(_dense, problem.blocks, [combine(part, 0, y.scaled(fmpq(-1))) for part in problem.blocks]))
    spectra = [_spectrum(part, element) for part, element in zip(problem.blocks, elements, strict=True)]
    gain = -nearest_float(dot(problem.right_hand_side, y))
    values = [value for spectrum in spectra for value in spectrum.sizes] + [gain]
    for threshold in cuts(values):
        for keeps_gain in (True, False) if gain > threshold else (False,):
            for vector in _solved(problem, y, elements, spectra, threshold, keeps_gain=keeps_gain):
                found = _judged(problem, vector, keeps_gain=keeps_gain)
                if found is not None:
                    return found
    return None


def _judged(problem: ConicProblem, vector: Matrix, *, keeps_gain: bool) -> Exposure | Ray | None:
    """Return what an exact vector proves, if anything."""
    ray = vector.scaled(fmpq(-1))
    if keeps_gain:
        return Ray(ray) if all(each.holds for each in farkas_ray(problem, DualPoint((), ray))) else None
    return Exposure(vector) if _reduces(problem, vector) else None


def _dense(part: Block, element: Sparse) -> Matrix:
    """Return an element of a block, n x n or 1 x n."""
    if part.is_matrix:
        return dense_matrix(element)
    return matrix(fmpz_mat(1, element.order, dense_vector(element)), element.denominator)


def _spectrum(part: Block, element: Matrix) -> Elimination:
    """Return the pivots of a matrix block, the entries of a nonnegative one, nothing of a free or zero one."""
    if part.is_matrix:
        return elimination(element)
    if isinstance(part.cone, Free | Zero):
        return Elimination((), ())
    return Elimination(tuple(range(element.columns)), tuple(float_row(element).tolist()))


def _solved(
    problem: ConicProblem,
    y: Matrix,
    elements: Sequence[Matrix],
    spectra: Sequence[Elimination],
    threshold: float,
    *,
    keeps_gain: bool,
) -> Iterator[Matrix]:
    """Yield exact y near the given one whose combination has the pivots below the threshold exactly zero.

    Coarse grids come first: they give short numbers.
    """
    rows: list[SparseRow] = []
    if not keeps_gain:
        rows.append({i: problem.right_hand_side.entry(0, i) for i in range(problem.constraint_count)})
    for part, element, spectrum in zip(problem.blocks, elements, spectra, strict=True):
        if isinstance(part.cone, Free):
            rows += _coordinate_rows(part, range(part.cone.size))
        elif isinstance(part.cone, PositiveSemidefinite):
            found = split(element, spectrum, spectrum.rank(threshold))
            if found is None:
                return
            rows += _kernel_rows(part, found.kernel())
        elif not isinstance(part.cone, Zero):
            rows += _coordinate_rows(part, [i for i, size in enumerate(spectrum.sizes) if size <= threshold])
    yield from _read(rows, y, grid_bits(spectra, threshold, GRID))


def _read(rows: Sequence[SparseRow], y: Matrix, bits: int) -> Iterator[Matrix]:
    """Yield solutions of homogeneous equations near y, its largest entry being one, on ever finer grids."""
    reduced = solved_sparse(rows, [fmpq(0)] * len(rows), y.columns)
    if reduced is None:
        return
    largest = max(abs(y.entry(0, i)) for i in range(y.columns))
    target = [y.entry(0, i) / largest for i in range(y.columns)]
    for grid in dict.fromkeys((*COARSE_GRIDS, bits)):
        vector = reduced.near(target, grid)
        if not vector.numerators.is_zero():
            yield vector


def _coordinate_rows(part: Block, coordinates: Sequence[int]) -> list[SparseRow]:
    rows: dict[int, dict[int, fmpq]] = {coordinate: {} for coordinate in coordinates}
    for constraint, row, _, numerator in part.entries():
        if constraint and row in rows:
            rows[row][constraint - 1] = fmpq(numerator, part.values.denominator)
    return list(rows.values())


def _kernel_rows(part: Block, kernel: Matrix) -> list[SparseRow]:
    """Return the equations ``(sum y_i A_i) N = 0``, N the columns of the kernel."""
    lists = [
        [(j, kernel.entry(k, j)) for j in range(kernel.columns) if kernel.numerators[k, j] != 0]
        for k in range(kernel.rows)
    ]
    rows: dict[tuple[int, int], dict[int, fmpq]] = {}
    for constraint, row, column, numerator in part.entries():
        if not constraint:
            continue
        value = fmpq(numerator, part.values.denominator)
        for i, k in {(row, column), (column, row)}:
            for j, weight in lists[k]:
                target = rows.setdefault((i, j), {})
                target[constraint - 1] = target.get(constraint - 1, fmpq(0)) + value * weight
    return [rows[where] for where in sorted(rows)]


def _reduces(problem: ConicProblem, vector: Matrix) -> bool:
    """Return whether an exposing vector holds and leaves a smaller face."""
    if all(not combine(part, 0, vector).numerators for part in problem.blocks):
        return False
    reduction = reduce_primal(problem, (vector,))
    return reduction.holds and any(_is_smaller(face) for face in reduction.faces)


def _is_smaller(face: Face) -> bool:
    return not isinstance(face, WholeCone)
