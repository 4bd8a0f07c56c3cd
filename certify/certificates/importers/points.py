"""Solutions from elsewhere as exact proposals, and what a failing one would have to be to pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from certify.certificates.conic.dyadic import float_block_of, float_row
from certify.certificates.conic.given import GivenPoint
from certify.certificates.conic.margins import margin
from certify.certificates.importers.conventions import SQRT2, Convention, exact_entry, places
from certify.certificates.importers.standard import ImportFailed, split_rows
from certify.checker.conic.cones import Cone, PositiveSemidefinite, dual_cone
from certify.checker.conic.problem import ConicProblem, row_vector
from certify.checker.exact import Matrix, matrix_of_fractions
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatProblem, float_problem


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How badly a float point misses: residuals and negative margins of each side, and the gap, all relative."""

    primal: float
    dual: float
    gap: float

    @property
    def worst(self) -> float:
        """The largest of the three."""
        return max(self.primal, self.dual, self.gap)


FITS = 1e-3
"""A reading passes where it misses by less than this."""


def point_from_rows(
    cones: Sequence[Cone],
    convention: Convention,
    variable: FloatArray | None,
    multiplier: FloatArray | None,
    slack: FloatArray | None = None,
) -> GivenPoint:
    """Return the point of a standard form: y from its variable x, X from its multipliers z, the slack from its s.

    Raises:
        ImportFailed: If a vector has the wrong length or holds a number that is not finite.
    """
    y = None if variable is None else row_vector([_exact(float(value), scaled=False) for value in variable])
    return GivenPoint(_parts(cones, convention, multiplier), y, _parts(cones, convention, slack))


def _parts(cones: Sequence[Cone], convention: Convention, vector: FloatArray | None) -> tuple[Matrix, ...] | None:
    if vector is None:
        return None
    return tuple(block_part(cone, values, convention) for cone, values in split_rows(vector, cones, convention))


def block_part(cone: Cone, values: FloatArray, convention: Convention) -> Matrix:
    """Return the exact block that part of a vector stands for; a full matrix is symmetrised.

    Raises:
        ImportFailed: If a number is not finite.
    """
    if not isinstance(cone, PositiveSemidefinite):
        return row_vector([_exact(float(value), scaled=False) for value in values])
    rows = [[fmpq(0)] * cone.size for _ in range(cone.size)]
    for place, value in zip(places(cone.size, convention), values.tolist(), strict=True):
        entry = _exact(value, scaled=place.scaled)
        if convention is Convention.FULL and place.row != place.column:
            entry = entry / 2
        rows[place.row][place.column] += entry
        if place.row != place.column:
            rows[place.column][place.row] += entry
    return matrix_of_fractions(rows, cone.size)


def _exact(value: float, *, scaled: bool) -> fmpq:
    try:
        return exact_entry(value, scaled=scaled)
    except ValueError as error:
        raise ImportFailed(f"the solution is not finite: {error}") from None


def fits(problem: ConicProblem, point: GivenPoint) -> bool:
    """Return whether a point is about a solution of the problem; one that lacks X or y may be."""
    if point.x is None or point.y is None:
        return True
    return fit(float_problem(problem), tuple(map(float_block_of, point.x)), float_row(point.y)).worst < FITS


def mistake(problem: ConicProblem, point: GivenPoint) -> str | None:
    """Return the known mistake under which a failing point would pass, in words, or None.

    Tried are: the sign of y or X, X off by 2, off-diagonal entries off by 2 or sqrt(2), the other triangle in the same
    order, and the slack in place of X; each alone and with the sign of y.
    """
    if point.x is None or point.y is None:
        return None
    floats = float_problem(problem)
    x, y = tuple(map(float_block_of, point.x)), float_row(point.y)
    slack = None if point.slack is None else tuple(map(float_block_of, point.slack))
    if fit(floats, x, y).worst < FITS:
        return None
    for name, sign, changed in _variants(x, slack):
        if fit(floats, changed, sign * y).worst < FITS:
            return name
    return None


def fit(floats: FloatProblem, x: BlockArrays, y: FloatArray) -> Fit:
    """Return how badly a float point misses being a solution."""
    size = 1.0 + max((float(np.abs(part).max(initial=0.0)) for part in x), default=0.0)
    off = np.abs(floats.apply(x) - floats.right_hand_side).max(initial=0.0) / (
        1.0 + float(np.abs(floats.right_hand_side).max(initial=0.0))
    )
    outside = max((max(0.0, -margin(b.cone, part)) for b, part in zip(floats.blocks, x, strict=True)), default=0.0)
    slack = floats.slack(y)
    scale = 1.0 + max((float(np.abs(part).max(initial=0.0)) for part in slack), default=0.0)
    below = max(
        (max(0.0, -margin(dual_cone(b.cone), part)) for b, part in zip(floats.blocks, slack, strict=True)), default=0.0
    )
    cost, gain = floats.cost(x), float(floats.right_hand_side @ y)
    return Fit(max(float(off), outside / size), below / scale, abs(cost - gain) / (1.0 + abs(cost) + abs(gain)))


def _variants(x: BlockArrays, slack: BlockArrays | None) -> Iterator[tuple[str, float, BlockArrays]]:
    """Yield the known mistakes undone: a name, the sign of y and X; the simple ones first."""
    yield "y negated", -1.0, x
    for name, changed in _matrix_variants(x):
        yield name, 1.0, changed
    if slack is not None:
        yield "X and the slack swapped", 1.0, slack
        yield "X and the slack swapped, and y negated", -1.0, slack
    for name, changed in _matrix_variants(x):
        yield f"{name}, and y negated", -1.0, changed


def _matrix_variants(x: BlockArrays) -> Iterator[tuple[str, BlockArrays]]:
    yield "X negated", tuple(-part for part in x)
    yield "X doubled", tuple(2.0 * part for part in x)
    yield "X halved", tuple(0.5 * part for part in x)
    for factor, name in ((SQRT2, "sqrt(2)"), (1 / SQRT2, "1/sqrt(2)"), (2.0, "2"), (0.5, "1/2")):
        yield f"off-diagonal entries of X times {name}", tuple(_rescaled(part, factor) for part in x)
    for weight, scaled in ((1.0, ""), (SQRT2, " scaled by sqrt(2)")):
        yield f"X read as the upper triangle{scaled}", tuple(_reordered(part, weight, to_upper=True) for part in x)
        yield f"X read as the lower triangle{scaled}", tuple(_reordered(part, weight, to_upper=False) for part in x)


def _rescaled(part: FloatArray, factor: float) -> FloatArray:
    if part.ndim == 1:
        return part
    return np.asarray(factor * part + (1 - factor) * np.diag(np.diag(part)))


def _reordered(part: FloatArray, weight: float, *, to_upper: bool) -> FloatArray:
    """Write a matrix out by one triangle, column by column, and read the numbers back as the other triangle."""
    if part.ndim == 1:
        return part
    lower_columns, lower_rows = np.triu_indices(len(part))
    upper_columns, upper_rows = np.tril_indices(len(part))
    written, read = (lower_rows, lower_columns), (upper_rows, upper_columns)
    if not to_upper:
        written, read = read, written
    values = part[written] * np.where(written[0] == written[1], 1.0, weight)
    values = values / np.where(read[0] == read[1], 1.0, weight)
    result = np.zeros_like(part)
    result[read] = values
    result[read[::-1]] = values
    return result
