"""The Gram matrix of the constraints of a conic program, restricted to faces.

On a face the program is again a conic program: ``<A_i, V R V^T> = <V^T A_i V, R>``. The Gram matrix of its constraints,
``G_ij = <A_i, A_j>`` on the faces, governs how far a point must move to satisfy the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TypeAlias, assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.conic.cones import Zero
from certify.checker.conic.linear import Coordinate, Sparse, restricted
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.witnesses import Congruence, Face, Generated, WholeCone
from certify.checker.exact import Matrix

Products: TypeAlias = dict[Coordinate, fmpz]
"""Inner products of constraints i >= j, by their places among the constraints kept."""


def gram_matrix(problem: ConicProblem, faces: Sequence[Face], kept: Sequence[int]) -> Sparse:
    """Return G for the constraints ``kept`` (0 stands for C), in that order.

    Blocks of the cone ``Zero`` are left out: nothing moves there.
    """
    place = {constraint: index for index, constraint in enumerate(kept)}
    moving = [(part, face) for part, face in zip(problem.blocks, faces, strict=True) if not isinstance(part.cone, Zero)]
    parts = [_block_products(part, face, place) for part, face in moving]
    common = reduce(lambda total, part: total.lcm(part[1]), parts, fmpz(1))
    sums: Products = {}
    for products, denominator in parts:
        factor = common // denominator
        for where, product in products.items():
            sums[where] = sums.get(where, 0) + product * factor
    return Sparse(len(place), {where: total for where, total in sums.items() if total != 0}, common)


def diagonal_of(gram: Sparse) -> list[fmpz]:
    """Return the numerators of ``<A_i, A_i>``."""
    return [gram.numerators.get((i, i), fmpz(0)) for i in range(gram.order)]


def lowered(gram: Sparse, share: fmpq) -> Sparse:
    """Return ``G - share * diag(G)`` up to a positive factor."""
    entries = {(i, j): entry * (share.q - share.p if i == j else share.q) for (i, j), entry in gram.numerators.items()}
    return Sparse(gram.order, {where: entry for where, entry in entries.items() if entry != 0}, fmpz(1))


def _block_products(part: Block, face: Face, place: dict[int, int]) -> tuple[Products, fmpz]:
    """Return the inner products on one block and their denominator."""
    match face:
        case WholeCone():
            return _sparse_products(part, place), part.values.denominator**2
        case Congruence(basis):
            products = _projected_products(_by_constraint(part, place), basis.numerators)
            return products, part.values.denominator**2 * basis.denominator**4
        case Generated(generators):
            rows = [_combined(entries, generators) for entries in _by_constraint(part, place)]
            return _dense_products(rows), part.values.denominator**2 * generators.denominator**2
    assert_never(face)


def _sparse_products(part: Block, place: dict[int, int]) -> Products:
    columns: dict[Coordinate, list[tuple[int, fmpz]]] = {}
    for constraint, row, column, numerator in part.entries():
        if constraint in place:
            columns.setdefault((row, column), []).append((place[constraint], numerator))
    sums: Products = {}
    for (row, column), entries in columns.items():
        weight = 1 if row == column else 2
        for index, (i, left) in enumerate(entries):
            scaled = weight * left
            for j, right in entries[: index + 1]:
                where = (i, j) if i >= j else (j, i)
                sums[where] = sums.get(where, 0) + scaled * right
    return sums


def _by_constraint(part: Block, place: dict[int, int]) -> list[list[tuple[int, int, fmpz]]]:
    """Return the entries of each kept constraint, in the order of the places."""
    lists: list[list[tuple[int, int, fmpz]]] = [[] for _ in place]
    for constraint, row, column, numerator in part.entries():
        if constraint in place:
            lists[place[constraint]].append((row, column, numerator))
    return lists


def _projected_products(lists: list[list[tuple[int, int, fmpz]]], basis: fmpz_mat) -> Products:
    """Return ``<V' A_i V, V' A_j V>``, which is ``<A_i, P A_j P>`` with ``P = V V'``.

    Of each pair the constraint with more entries is projected and the other one read entry by entry.
    """
    projector = basis * basis.transpose()
    weighted = [[(row, column, entry if row == column else 2 * entry) for row, column, entry in each] for each in lists]
    by_size = sorted(range(len(lists)), key=lambda index: len(lists[index]))
    products: Products = {}
    for count, j in enumerate(by_size, 1):
        image = restricted(lists[j], projector)
        for i in by_size[:count]:
            product = sum((entry * image[row, column] for row, column, entry in weighted[i]), fmpz(0))
            if product != 0:
                products[max(i, j), min(i, j)] = product
    return products


def _combined(entries: list[tuple[int, int, fmpz]], generators: Matrix) -> list[fmpz]:
    """Return ``G^T a``."""
    width = generators.columns
    return [
        sum((numerator * generators.numerators[row, j] for row, _, numerator in entries), fmpz(0)) for j in range(width)
    ]


def _dense_products(rows: list[list[fmpz]]) -> Products:
    width = len(rows[0]) if rows else 0
    flat = fmpz_mat(len(rows), width, [entry for row in rows for entry in row])
    products = (flat * flat.transpose()).tolist()
    return {(i, j): row[j] for i, row in enumerate(products) for j in range(i + 1) if row[j] != 0}
