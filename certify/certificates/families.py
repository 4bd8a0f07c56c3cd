"""The sensitivity vectors of a release as float solvers see them, with the exact name of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import assert_never

import numpy as np
from flint import fmpz, fmpz_mat

from certify.certificates.errors import DesignError
from certify.certificates.floats import FloatArray, to_floats
from certify.checker.exact import Matrix, matrix
from certify.checker.exponents import BallReach, BoxReach, NoReach, PairExponents
from certify.checker.factors import GRID_BITS, factor_on_grid
from certify.checker.hulls import Ball, Deletions, Hull, Pairs, Replacements, Rows, Zonotope
from certify.checker.vectors import Combination, Deletion, Difference, Record, Replacement, VectorName
from certify.solvers.problem import ExplicitVectors, PairDifferences, ScaledDifferences, SensitivitySet

Index = tuple[int, ...]
ENTRY_LIMIT = 40_000_000
KEY_BITS = 60


@dataclass(frozen=True, slots=True)
class Family:
    """Sensitivity vectors in floats, restricted to some columns, and how a solver's index names the exact vector."""

    sensitivity: SensitivitySet
    name: Callable[[Index], VectorName]


def family_of(hulls: tuple[Hull, ...], columns: tuple[int, ...]) -> Family:
    """Return the float vectors of the hulls of a release, their entries at ``columns`` only.

    Raises:
        DesignError: If there are too many vectors to list, or a kind of hull that needs its own solution.
        OverflowError: If a number is beyond the range of binary64.
    """
    if all(isinstance(hull, Deletions) for hull in hulls):
        return _deletions([hull for hull in hulls if isinstance(hull, Deletions)], columns)
    if all(isinstance(hull, Replacements) for hull in hulls):
        return _replacements([hull for hull in hulls if isinstance(hull, Replacements)], columns)
    (hull,) = hulls
    match hull:
        case Pairs(points):
            return _pairs(points, columns)
        case Rows(points):
            keep = distinct_rows(points)
            return Family(ExplicitVectors(_floats(points, keep, columns)), lambda index: Record(keep[index[0]]))
        case Zonotope(generators):
            return _corners(generators, columns)
        case Ball() | Deletions() | Replacements():
            raise DesignError("this release needs its own solution")
        case _:
            assert_never(hull)


def distinct_rows(points: Matrix) -> list[int]:
    """Return the index of the first of every set of equal rows."""
    first: dict[tuple[int, ...], int] = {}
    for index, row in enumerate(points.numerators.tolist()):
        first.setdefault(tuple(map(int, row)), index)
    return list(first.values())


def _floats(points: Matrix, rows: list[int], columns: tuple[int, ...]) -> FloatArray:
    return to_floats(points.select(rows, columns))


def _pairs(points: Matrix, columns: tuple[int, ...]) -> Family:
    keep = distinct_rows(points)
    return Family(
        PairDifferences(_floats(points, keep, columns)), lambda index: Difference(keep[index[0]], keep[index[1]])
    )


def _deletions(hulls: list[Deletions], columns: tuple[int, ...]) -> Family:
    """The deletions at several queries are multiples of the same differences: only the largest factor matters."""
    points = hulls[0].points
    keep = distinct_rows(points)
    stack = np.stack([_factors(hull.exponents, keep) for hull in hulls])
    best = stack.argmax(axis=0)
    factors = stack.max(axis=0)

    def name(index: Index) -> VectorName:
        i, j = index[0], index[1]
        if factors[j, i] > factors[i, j]:
            i, j = j, i
        return Deletion(int(best[i, j]), keep[i], keep[j])

    return Family(ScaledDifferences(_floats(points, keep, columns), np.maximum(factors, factors.T)), name)


def _factors(exponents: PairExponents, keep: list[int]) -> FloatArray:
    """Return ``f[i, j]``, the factor of ``t(x_i, x_j)``, from exact differences of log weights."""
    keys = np.array(exponents.weights.floor_units(KEY_BITS), dtype=object)[keep]
    scaled = np.clip((keys[:, None] - keys[None, :]) // (1 << (KEY_BITS - 40)), -(1 << 60), 1 << 60)
    h = scaled.astype(np.float64) * 2.0**-40 + _reach(exponents, keep)
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-h)))


def _reach(exponents: PairExponents, keep: list[int]) -> FloatArray:
    match exponents.reach:
        case NoReach():
            return np.zeros((len(keep), len(keep)))
        case BallReach(records, stretch):
            points = _floats(records, keep, tuple(range(records.columns)))
            norms = np.einsum("ij,ij->i", points, points)
            squares = np.maximum(norms[:, None] + norms - 2 * points @ points.T, 0)
            return np.asarray(float(stretch) * np.sqrt(squares))
        case BoxReach(records, stretches):
            points = _floats(records, keep, tuple(range(records.columns)))
            weights = to_floats(stretches)[0]
            return np.asarray(sum(w * np.abs(c[:, None] - c) for w, c in zip(weights, points.T, strict=True)))
        case _:
            assert_never(exponents.reach)


def _replacements(hulls: list[Replacements], columns: tuple[int, ...]) -> Family:
    """List every ``u(x, x'; z)`` once up to sign."""
    names, vectors = [], []
    for query, hull in enumerate(hulls):
        keep = distinct_rows(hull.points)
        if len(keep) ** 2 * (len(keep) - 1) // 2 * len(columns) * len(hulls) > ENTRY_LIMIT:
            raise DesignError(
                f"{len(keep)} records have too many replacements to list; use the uniform query or add-remove"
            )
        for third in keep:
            pulled = _pulled(hull, keep, third)
            first, second = np.triu_indices(len(keep), 1)
            vectors.append((pulled[first] - pulled[second])[:, columns])
            names += [(query, keep[i], keep[j], third) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
    return Family(ExplicitVectors(np.concatenate(vectors)), lambda index: Replacement(*names[index[0]]))


def _pulled(hull: Replacements, keep: list[int], third: int) -> FloatArray:
    """Return ``f (x - z)`` for every record x and one z, the factor taken at its lower end."""
    steps = to_floats(hull.points.select(keep, range(hull.points.columns))) - to_floats(
        hull.points.select([third], range(hull.points.columns))
    )
    lower = [float(int(factor_on_grid(hull.weights.ratio(i, third))[0])) / 2.0**GRID_BITS for i in keep]
    return np.asarray(steps * np.array(lower)[:, None])


def _corners(generators: Matrix, columns: tuple[int, ...]) -> Family:
    """List the corners ``sum +-g_i`` up to sign."""
    count = generators.rows
    if count << max(count - 1, 0) > ENTRY_LIMIT:
        raise DesignError(
            f"a box of {count} columns has too many corners for a weight or floor of this kind; use a diagonal --weight"
        )
    signs = np.array(list(product((1.0, -1.0), repeat=count - 1))).reshape(-1, count - 1)
    whole = np.hstack([np.ones((len(signs), 1)), signs])
    vectors = whole @ to_floats(generators.select(range(count), columns))
    return Family(ExplicitVectors(vectors), lambda index: Combination(_row(whole[index[0]])))


def _row(signs: FloatArray) -> Matrix:
    return matrix(fmpz_mat(1, len(signs), [fmpz(int(sign)) for sign in signs]))
