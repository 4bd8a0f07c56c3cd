"""Exposing vectors and Farkas rays of side (P), found in floats and solved exactly on their support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq

from certify.certificates.conic.affine import solved_sparse
from certify.certificates.conic.dyadic import nearest_float
from certify.certificates.conic.kernels import dense_element, vanishing
from certify.certificates.conic.subspace import Elimination, cuts, grid_bits
from certify.certificates.conic.supports import spectrum_of
from certify.checker.conic.check import farkas_ray
from certify.checker.conic.linear import combine, dot
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.reduction import reduce_primal
from certify.checker.conic.witnesses import DualPoint, Face, WholeCone
from certify.checker.exact import Matrix

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
    elements = tuple(
        map(dense_element, problem.blocks, [combine(part, 0, y.scaled(fmpq(-1))) for part in problem.blocks])
    )
    spectra = [spectrum_of(part, element) for part, element in zip(problem.blocks, elements, strict=True)]
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
    found = vanishing(problem, elements, spectra, threshold)
    if found is None:
        return
    rows = list(found.rows)
    if not keeps_gain:
        rows.append({i: problem.right_hand_side.entry(0, i) for i in range(problem.constraint_count)})
    reduced = solved_sparse(rows, [fmpq(0)] * len(rows), y.columns)
    if reduced is None:
        return
    largest = max(abs(y.entry(0, i)) for i in range(y.columns))
    target = [y.entry(0, i) / largest for i in range(y.columns)]
    for bits in dict.fromkeys((*COARSE_GRIDS, grid_bits(spectra, threshold, GRID))):
        vector = reduced.near(target, bits)
        if not vector.numerators.is_zero():
            yield vector


def _reduces(problem: ConicProblem, vector: Matrix) -> bool:
    """Return whether an exposing vector holds and leaves a smaller face."""
    if all(not combine(part, 0, vector).numerators for part in problem.blocks):
        return False
    reduction = reduce_primal(problem, (vector,))
    return reduction.holds and any(_is_smaller(face) for face in reduction.faces)


def _is_smaller(face: Face) -> bool:
    return not isinstance(face, WholeCone)
