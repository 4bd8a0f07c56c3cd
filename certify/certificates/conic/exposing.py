"""Exposing vectors and Farkas rays of side (P), found in floats and solved exactly on their support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from flint import fmpq

from certify.certificates.conic.affine import SparseRow, solve_sparse
from certify.certificates.conic.subspace import cuts, rational_basis, tilt
from certify.checker.conic.check import farkas_ray
from certify.checker.conic.cones import Free, PositiveSemidefinite, Zero
from certify.checker.conic.linear import combine
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.reduction import reduce_primal
from certify.checker.conic.witnesses import DualPoint, Face, WholeCone
from certify.checker.exact import Matrix
from certify.solvers.conic.arrays import FloatArray, FloatProblem

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


def exact_exposure(problem: ConicProblem, floats: FloatProblem, y: FloatArray) -> Exposure | Ray | None:
    """Return the exact exposing vector or Farkas ray near a float y with ``sum y_i A_i`` nearly in K*.

    Args:
        problem: Side (P), already restricted to the faces found before.
        floats: The same in binary64.
        y: What the auxiliary program returned, without t.
    """
    spectra = _spectra(problem, floats, y)
    gain = -float(floats.right_hand_side @ y)
    values = [float(value) for spectrum, _ in spectra for value in spectrum] + [gain]
    for threshold in cuts(values):
        for keeps_gain in (True, False) if gain > threshold else (False,):
            vector = _solved(problem, y, spectra, threshold, keeps_gain=keeps_gain)
            if vector is None:
                continue
            if keeps_gain and all(each.holds for each in farkas_ray(problem, DualPoint((), vector.scaled(fmpq(-1))))):
                return Ray(vector.scaled(fmpq(-1)))
            if not keeps_gain and _reduces(problem, vector):
                return Exposure(vector)
    return None


def _spectra(problem: ConicProblem, floats: FloatProblem, y: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    """Return eigenvalues and eigenvectors of ``sum y_i A_i``, block by block; unit vectors for vector blocks."""
    spectra = []
    for part, block in zip(problem.blocks, floats.blocks, strict=True):
        value = block.adjoint(y)
        if isinstance(part.cone, PositiveSemidefinite):
            spectra.append(la.eigh(value))
        elif isinstance(part.cone, Free | Zero):
            spectra.append((np.zeros(0), np.zeros((len(value), 0))))
        else:
            spectra.append((value, np.eye(len(value))))
    return spectra


def _solved(
    problem: ConicProblem,
    y: FloatArray,
    spectra: Sequence[tuple[FloatArray, FloatArray]],
    threshold: float,
    *,
    keeps_gain: bool,
) -> Matrix | None:
    """Return the exact y near the float one whose combination has the eigenvalues below the threshold exactly zero."""
    rows: list[SparseRow] = []
    if not keeps_gain:
        rows.append({i: problem.right_hand_side.entry(0, i) for i in range(problem.constraint_count)})
    for part, (values, vectors) in zip(problem.blocks, spectra, strict=True):
        if isinstance(part.cone, Free):
            rows += _coordinate_rows(part, range(part.cone.size))
        elif isinstance(part.cone, PositiveSemidefinite):
            kernel = rational_basis(vectors[:, values <= threshold], tilt(values, threshold))
            if kernel is None:
                return None
            rows += _kernel_rows(part, kernel)
        elif not isinstance(part.cone, Zero):
            rows += _coordinate_rows(part, [int(i) for i in np.flatnonzero(values <= threshold)])
    return solve_sparse(rows, [fmpq(0)] * len(rows), y / float(np.abs(y).max()), GRID)


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
