"""Exposing points and recession rays of side (D), found in floats and solved exactly on their support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from certify.certificates.conic.dyadic import float_row, nearest_float
from certify.certificates.conic.subspace import cuts, grid_bits
from certify.certificates.conic.supports import Support, solved_on, spectrum_of, supports_of
from certify.checker.conic.check import recession_ray
from certify.checker.conic.linear import evaluate
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.reduction import reduce_dual
from certify.checker.conic.witnesses import BlockPoint, MatrixPoint, PrimalPoint, VectorPoint, WholeCone
from certify.checker.exact import Matrix

GRID = 24
"""Bits of the grid on which the free coordinates of a ray are read, its largest entry being one."""


@dataclass(frozen=True, slots=True)
class ExposingPoint:
    """An X that confines the slack of (D), restricted to the faces so far, to a smaller face."""

    blocks: tuple[BlockPoint, ...]


@dataclass(frozen=True, slots=True)
class RecessionRay:
    """An X that proves (D), restricted to the faces so far, infeasible."""

    blocks: tuple[BlockPoint, ...]


def exact_ray(problem: ConicProblem, x: Sequence[Matrix]) -> ExposingPoint | RecessionRay | None:
    """Return the exact exposing point or recession ray near an X in K with ``<A_i, X>`` nearly zero.

    Args:
        problem: Side (D), already restricted to the faces found before.
        x: What the auxiliary program returned, block by block, as accurately as it is known.
    """
    scale = max((float(np.abs(float_row(part)).max(initial=0.0)) for part in x), default=0.0)
    if scale == 0.0:
        return None
    x = [part.scaled(fmpq(*(1 / scale).as_integer_ratio())) for part in x]
    gain = -nearest_float(evaluate(problem, _points(problem, x)).objective)
    spectra = [spectrum_of(part, value) for part, value in zip(problem.blocks, x, strict=True)]
    values = [value for spectrum in spectra for value in spectrum.sizes] + [gain]
    for threshold in cuts(values):
        supports = supports_of(problem, x, spectra, threshold)
        bits = grid_bits(spectra, threshold, GRID)
        for keeps_gain in (True, False) if gain > threshold else (False,):
            found = None if supports is None else _solved(problem, supports, bits, keeps_gain=keeps_gain)
            if found is None:
                continue
            if keeps_gain and all(each.holds for each in recession_ray(problem, PrimalPoint((), found))):
                return RecessionRay(found)
            if not keeps_gain and _reduces(problem, found):
                return ExposingPoint(found)
    return None


def _points(problem: ConicProblem, x: Sequence[Matrix]) -> tuple[BlockPoint, ...]:
    pairs = zip(problem.blocks, x, strict=True)
    return tuple(MatrixPoint(value) if part.is_matrix else VectorPoint(value) for part, value in pairs)


def _solved(
    problem: ConicProblem, supports: Sequence[Support], bits: int, *, keeps_gain: bool
) -> tuple[BlockPoint, ...] | None:
    """Return the exact X on the supports near the given one with ``<A_i, X> = 0``, and ``<C, X> = 0`` unless gained."""
    first = 1 if keeps_gain else 0
    return solved_on(problem, supports, dict.fromkeys(range(first, problem.constraint_count + 1), fmpq(0)), bits)


def _reduces(problem: ConicProblem, blocks: tuple[BlockPoint, ...]) -> bool:
    """Return whether an exposing point holds and leaves a smaller face."""
    reduction = reduce_dual(problem, (blocks,))
    return reduction.holds and any(not isinstance(face, WholeCone) for face in reduction.faces)
