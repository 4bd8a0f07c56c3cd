"""From a float precision to a rational one that keeps every quadratic form within the budget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import numpy as np
from flint import fmpq

from certify.certificates.floats import FloatArray, from_floats, round_to_bits
from certify.certificates.reduction import Reduction
from certify.checker.exact import Matrix
from certify.checker.kernel import silent
from certify.solvers.problem import ExplicitVectors, PairDifferences, ScaledDifferences, SensitivitySet

FLOAT_SLACK = 2.0**-42
EXACT_ROWS = 300
FIRST_ROWS = 64
TILE = 4_000_000


def feasible_precision(
    reduction: Reduction,
    sensitivity: SensitivitySet | None,
    precision: FloatArray,
    rho: fmpq,
    bits: int,
    *,
    may_grow: bool,
) -> Matrix | None:
    """Scale and round P until every quadratic form is within the budget: in floats, then as the checker computes it.

    Over many pairs floats decide alone, with a margin for their errors; the certificate is checked in any case.
    """
    limit, scaled = float(rho), precision
    largest = _largest_form(sensitivity, scaled)
    if largest > 0 and (may_grow or largest > limit):
        scaled = scaled * (limit / largest)
    for attempt in range(10):
        rounded = round_to_bits(scaled, bits)
        largest = _largest_form(sensitivity, rounded)
        if largest <= limit * (1 - FLOAT_SLACK):
            exact = from_floats(rounded)
            if _is_large(sensitivity) or reduction.largest_form(exact, rho, silent) <= rho:
                return exact
            largest = limit
        scaled = scaled * (limit / largest) * (1 - FLOAT_SLACK * (2 << attempt))
    return None


def _is_large(sensitivity: SensitivitySet | None) -> bool:
    return isinstance(sensitivity, PairDifferences) and len(sensitivity.records) > EXACT_ROWS


def _largest_form(sensitivity: SensitivitySet | None, form: FloatArray) -> float:
    match sensitivity:
        case None:
            return 0.0
        case ExplicitVectors(vectors):
            return float(np.einsum("ij,ij->i", vectors @ form, vectors).max(initial=0.0))
        case PairDifferences(points):
            return _largest_over_pairs(points, form)
        case ScaledDifferences(points, factors):
            blocks = _pair_forms(points, form)
            return max((float((block * factors[s : s + len(block)] ** 2).max()) for s, block in blocks), default=0.0)
        case _:
            assert_never(sensitivity)


def _largest_over_pairs(points: FloatArray, form: FloatArray) -> float:
    """Return about the largest form of all differences of rows, by blocks of decreasing distance from the middle.

    Pairs whose distances rule out more than the largest form so far, by the triangle inequality, are passed over.
    """
    points = points - points.mean(axis=0)
    norms = np.einsum("ij,ij->i", points @ form, points).clip(min=0.0)
    order = np.argsort(-norms, kind="stable")
    points, norms = points[order], norms[order]
    images, radii = points @ form, np.sqrt(norms)
    best, start, rows = 0.0, 0, FIRST_ROWS
    while start < len(points) - 1:
        stop = int(np.searchsorted(-radii, radii[start] - np.sqrt(best) * (1 - 1e-12), side="right"))
        if stop <= start + 1:
            break
        end = min(stop, start + rows)
        tile = norms[start:end, None] + norms[start:stop] - 2 * images[start:end] @ points[start:stop].T
        best, start, rows = max(best, float(tile.max())), end, max(1, TILE // len(points))
    return best


def _pair_forms(points: FloatArray, form: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield ``start`` with the forms of all differences of rows start, start + 1, ... with every row, in blocks."""
    images = points @ form
    norms = np.einsum("ij,ij->i", images, points)
    block = max(1, TILE // max(1, len(points)))
    for start in range(0, len(points), block):
        rows = slice(start, start + block)
        yield start, norms[rows, None] + norms - 2 * images[rows] @ points.T
