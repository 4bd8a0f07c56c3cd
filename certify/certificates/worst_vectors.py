"""The longest sensitivity vectors of a release in the norm of a precision: a float search, then exact comparison.

Nothing here is believed: whatever the search returns is a member of the hull that the checker derives by its name, so a
poor search costs only a loose lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import assert_never

import numpy as np
from flint import fmpz, fmpz_mat

from certify.certificates.boxes import best_signs
from certify.certificates.families import distinct_rows, family_of
from certify.certificates.floats import FloatArray, from_floats, to_floats
from certify.checker.exact import Matrix, inner, matrix
from certify.checker.exponents import LogWeights
from certify.checker.hulls import Ball, Deletions, Hull, Pairs, Replacements, Rows, Zonotope, restrict, spanning
from certify.checker.members import named_vectors
from certify.checker.pairs import Progress
from certify.checker.signs import ENUMERATED
from certify.checker.vectors import Combination, Replacement, VectorName
from certify.solvers.separation import indices_of, most_violated, transform

KEPT = 8
KEY_BITS = 40
FAR = 64
STEEPEST = 700.0


def worst_vector(
    hulls: tuple[Hull, ...], pivots: tuple[int, ...], precision: Matrix, progress: Progress
) -> VectorName | None:
    """Return the name of a vector s of the hulls with ``s^T P s`` as large as a float search finds, None for no vector.

    Args:
        hulls: The sensitivity set in R^d.
        pivots: The r columns that P refers to.
        precision: P, r x r, PSD.
        progress: Called while a long search goes on.

    Raises:
        OverflowError: If a number is beyond the range of binary64.
    """
    root = _root(to_floats(precision))
    root = root / _largest(hulls, pivots, root)
    names = list(_candidates(hulls, pivots, root, progress))
    if not names:
        return None
    vectors = named_vectors(hulls, names)
    if isinstance(vectors, str):
        raise ValueError(vectors)
    parts = vectors.select(range(vectors.rows), pivots)
    rows = [parts.select((index,), range(len(pivots))) for index in range(len(names))]
    lengths = [inner(row @ precision, row) for row in rows]
    return names[lengths.index(max(lengths))]


def _candidates(
    hulls: tuple[Hull, ...], pivots: tuple[int, ...], root: FloatArray, progress: Progress
) -> Iterator[VectorName]:
    if not isinstance(hulls[0], Replacements | Zonotope | Ball):
        yield from _listed(hulls, pivots, root)
        return
    for query, hull in enumerate(hulls):
        match hull:
            case Replacements(points, weights):
                yield from _replacements(_floats(restrict(hull, pivots)) @ root, points, weights, query, progress)
            case Zonotope():
                yield _vertex(_floats(restrict(hull, pivots)) @ root)
            case Ball(radius, _):
                yield from [_axis(root)] if radius > 0 and len(pivots) else []
            case Rows() | Pairs() | Deletions():
                raise TypeError("a union of hulls is of one kind")
            case _:
                assert_never(hull)


def _floats(hull: Hull) -> FloatArray:
    match hull:
        case Rows(points) | Pairs(points) | Deletions(points, _) | Replacements(points, _):
            return to_floats(points)
        case Zonotope(generators):
            return to_floats(generators)
        case Ball(_, dimension):
            return np.eye(dimension)
        case _:
            assert_never(hull)


def _root(precision: FloatArray) -> FloatArray:
    """Return C with ``P = C C^T``, whatever the units of the columns: P is balanced first."""
    scale = np.sqrt(np.diag(precision))
    scale[scale == 0] = 1.0
    values, vectors = np.linalg.eigh(precision / scale[:, None] / scale)
    return np.asarray(scale[:, None] * vectors * np.sqrt(np.maximum(values, 0)))


def _largest(hulls: tuple[Hull, ...], pivots: tuple[int, ...], root: FloatArray) -> float:
    """Return the largest entry of the vectors in the coordinates of the search, so that no square leaves binary64."""
    rows = spanning(restrict(hulls[0], pivots))
    return float(np.abs(to_floats(rows) @ root).max(initial=0.0)) or 1.0


def _listed(hulls: tuple[Hull, ...], pivots: tuple[int, ...], root: FloatArray) -> list[VectorName]:
    """The longest of the vectors that a solver would list."""
    family = family_of(hulls, pivots)
    whitened = transform(family.sensitivity, root)
    found = most_violated(whitened, np.eye(root.shape[1]), 0.0, KEPT, lambda: None)
    order = np.argsort(-found.values)[:KEPT]
    indices = indices_of(family.sensitivity, found.keys[order])
    return [family.name(tuple(np.atleast_1d(index).tolist())) for index in indices]


def _replacements(
    whitened: FloatArray, points: Matrix, weights: LogWeights, query: int, progress: Progress
) -> list[VectorName]:
    """Look for the two points ``z + f (x - z)`` farthest from each other, for each third record z.

    Points closer to z than the longest difference so far allows are left out, by the triangle inequality.
    """
    keep = distinct_rows(points)
    whitened, exponents = whitened[keep], _compressed(weights)[keep]
    best, found = 0.0, list[VectorName]()
    for third, origin in enumerate(whitened):
        factors = 1.0 / (1.0 + np.exp(np.minimum(exponents[third] - exponents, STEEPEST)))
        pulled = factors[:, None] * (whitened - origin)
        radii = np.sqrt(np.einsum("ij,ij->i", pulled, pulled))
        outer = np.flatnonzero(radii + radii.max() > best * (1 - 1e-9))
        i, j, length = _farthest(pulled[outer]) if len(outer) else (0, 0, 0.0)
        if length > best * (1 - 1e-12) and length > 0:
            best = max(best, length)
            found.append(Replacement(query, keep[outer[i]], keep[outer[j]], keep[third]))
        progress("third records, in floats", third + 1, len(keep))
    return found[-KEPT:]


def _farthest(points: FloatArray) -> tuple[int, int, float]:
    squares = np.einsum("ij,ij->i", points, points)
    gaps = squares[:, None] + squares - 2 * points @ points.T
    i, j = np.unravel_index(int(gaps.argmax()), gaps.shape)
    return int(i), int(j), float(np.sqrt(max(gaps[i, j], 0.0)))


def _compressed(weights: LogWeights) -> FloatArray:
    """Return log weights whose differences are right, or beyond ``FAR`` in size where the true ones are.

    Gaps between neighbours in size are cut at ``FAR``, so that no digit is lost to a common large part.
    """
    keys = weights.floor_units(KEY_BITS)
    order = sorted(range(len(keys)), key=keys.__getitem__)
    gaps = [min(keys[b] - keys[a], FAR << KEY_BITS) / (1 << KEY_BITS) for a, b in pairwise(order)]
    compressed = np.zeros(len(keys))
    compressed[order] = np.concatenate([[0.0], np.cumsum(gaps)])
    return compressed


def _vertex(generators: FloatArray) -> VectorName:
    """The vertex ``sum +-g_i``, over all of them for few generators."""
    count = len(generators)
    if count <= ENUMERATED:
        return Combination(_signs_row(_best_vertex(generators)))
    return Combination(_signs_row(best_signs(generators @ generators.T)))


def _best_vertex(generators: FloatArray) -> FloatArray:
    half = len(generators) // 2
    heads = np.array(list(product((1.0, -1.0), repeat=half))).reshape(1 << half, half)
    tails = np.array(list(product((1.0, -1.0), repeat=len(generators) - half)))
    left, right = heads @ generators[:half], tails @ generators[half:]
    squares = np.einsum("ij,ij->i", left, left)[:, None] + np.einsum("ij,ij->i", right, right)
    i, j = np.unravel_index(int((squares + 2 * left @ right.T).argmax()), (len(heads), len(tails)))
    return np.concatenate([heads[i], tails[j]])


def _signs_row(signs: FloatArray) -> Matrix:
    return matrix(fmpz_mat(1, len(signs), [fmpz(int(sign)) for sign in signs]))


def _axis(root: FloatArray) -> VectorName:
    """The direction of the largest eigenvalue, as a rational row of norm at most 1."""
    _, _, rows = np.linalg.svd(root.T)
    axis = from_floats(rows[:1])
    total = sum((entry * entry for entry in axis.numerators.entries()), fmpz(0))
    length = total.isqrt()
    return Combination(matrix(axis.numerators, length if length * length == total else length + 1))
