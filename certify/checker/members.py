"""Members of a sensitivity hull by name: the vectors that a witness points at, derived here (theory.md section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, inner, matrix
from certify.checker.exponents import Exponent, largest_exponent
from certify.checker.factors import GRID_BITS, factor_on_grid
from certify.checker.hulls import Ball, Deletions, Hull, Pairs, Replacements, Rows, Zonotope, stacked
from certify.checker.vectors import (
    Combination,
    Deletion,
    Difference,
    Record,
    Replacement,
    VectorName,
    describe_vector,
)

BEYOND = "it names a record beyond those of the domain"


def named_vectors(hulls: tuple[Hull, ...], names: Sequence[VectorName]) -> Matrix | str:
    """Return the vectors with the given names as rows (k x d), or why a name names none.

    Each row is a rational member of the closed symmetric hull. Where a factor is irrational it takes the lower end.

    Sound because ``0 <= f_lower <= f`` makes ``f_lower (x - y)`` a shrunk ``t = f (x - y)``, and with
    ``a = f_lower/f >= b = f'_lower/f'`` (else swap) ``f_lower (x - z) - f'_lower (x' - z)`` is
    ``b u(x, x'; z) + (a - b) t(x, z)``, where ``t(x, z) = u(x, z; z)`` and ``b + (a - b) = a <= 1``.

    Proof: ``implied_factor``, ``implied_hull``, ``implied_limit``.
    """
    found = []
    for name in names:
        vector = _named_vector(hulls, name)
        if isinstance(vector, str):
            return f"{describe_vector(name)}: {vector}"
        found.append(vector)
    return stacked(found)


def _named_vector(hulls: tuple[Hull, ...], name: VectorName) -> Matrix | str:
    match _hull_of(hulls, name), name:
        case Pairs(points), Difference(first, second):
            return _difference(points, first, second)
        case Rows(points), Record(index):
            return _row(points, index) if index < points.rows else BEYOND
        case Deletions() as hull, Deletion():
            return _deletion_vector(hull, name)
        case Replacements() as hull, Replacement():
            return _replacement_vector(hull, name)
        case (Zonotope() | Ball()) as hull, Combination(coefficients):
            return _combination(hull, coefficients)
        case _:
            return "the release has no vector of this kind"


def _hull_of(hulls: tuple[Hull, ...], name: VectorName) -> Hull | None:
    index = name.query if isinstance(name, Deletion | Replacement) else 0
    return hulls[index] if index < len(hulls) else None


def _difference(points: Matrix, first: int, second: int) -> Matrix | str:
    if max(first, second) >= points.rows:
        return BEYOND
    entries = points.numerators
    step = [entries[first, column] - entries[second, column] for column in range(points.columns)]
    return matrix(fmpz_mat(1, points.columns, step), points.denominator)


def _deletion_vector(hull: Deletions, name: Deletion) -> Matrix | str:
    step = _difference(hull.points, name.first, name.second)
    if isinstance(step, str):
        return step
    return _shrunk(step, largest_exponent(hull.exponents, name.first, name.second))


def _replacement_vector(hull: Replacements, name: Replacement) -> Matrix | str:
    pulled = []
    for index in (name.first, name.second):
        step = _difference(hull.points, index, name.third)
        if isinstance(step, str):
            return step
        pulled.append(_shrunk(step, hull.weights.ratio(index, name.third)))
    return pulled[0] - pulled[1]


def _shrunk(step: Matrix, exponent: Exponent) -> Matrix:
    lower, _ = factor_on_grid(exponent)
    return step.scaled(fmpq(lower, fmpz(1) << GRID_BITS))


def _combination(hull: Zonotope | Ball, coefficients: Matrix) -> Matrix | str:
    count = hull.generators.rows if isinstance(hull, Zonotope) else hull.dimension
    if (coefficients.rows, coefficients.columns) != (1, count):
        return f"a combination here has {count} coefficients"
    match hull:
        case Zonotope(generators):
            if any(abs(entry) > coefficients.denominator for entry in coefficients.numerators.entries()):
                return "a combination has a coefficient beyond -1 and 1"
            return coefficients @ generators
        case Ball(radius, _):
            if inner(coefficients, coefficients) > 1:
                return "a combination has coefficients of norm beyond 1"
            return coefficients.scaled(radius)
        case _:
            assert_never(hull)


def _row(points: Matrix, index: int) -> Matrix:
    return points.select((index,), range(points.columns))
