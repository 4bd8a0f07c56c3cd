"""Restricting a program to faces and coming back keeps values, equations and signs."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from certify.certificates.conic.restriction import (
    restored_faces,
    restored_point,
    restricted_dual,
    restricted_primal,
    tidied,
)
from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite
from certify.checker.conic.faces import pulled_back
from certify.checker.conic.linear import combine, evaluate
from certify.checker.conic.nearby import lifted
from certify.checker.conic.witnesses import BlockPoint, Congruence, Face, Generated, MatrixPoint, VectorPoint, WholeCone
from certify.checker.exact import Matrix
from tests.certificates.conic.examples import random_problem
from tests.checker.conic.examples import row, square

PROGRAM = random_problem(21, 4, 5, nonnegative=3)
BASIS = square([[1, 0, 0, 0], [2, 1, 0, 0], [0, 3, 0, 0], [1, 1, 0, 0]]).select(range(4), [0, 1])
UNITS = square([[1, 0, 0], [0, 0, 0], [0, 1, 0]]).select(range(3), [0, 1])
FACES: tuple[Face, ...] = (Congruence(BASIS), Generated(UNITS))


def _symmetric(size: int, source: random.Random) -> MatrixPoint:
    half = [[fmpq(source.randint(-5, 5), 3) for _ in range(size)] for _ in range(size)]
    return MatrixPoint(square([[half[i][j] + half[j][i] for j in range(size)] for i in range(size)]))


def _vector(size: int, source: random.Random) -> VectorPoint:
    return VectorPoint(row(*[fmpq(source.randint(-5, 5), 7) for _ in range(size)]))


def _multipliers(source: random.Random) -> Matrix:
    return row(*[fmpq(source.randint(-9, 9), 4) for _ in range(5)])


@pytest.mark.parametrize("seed", range(3))
def test_a_restricted_point_has_the_values_of_the_point_it_stands_for(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311
    small = restricted_primal(PROGRAM, FACES)
    assert [part.cone for part in small.blocks] == [PositiveSemidefinite(2), Nonnegative(2)]
    local: tuple[BlockPoint, ...] = (_symmetric(2, source), _vector(2, source))
    whole = tuple(map(lifted, FACES, local))
    assert evaluate(small, local) == evaluate(PROGRAM, whole)


def test_the_origin_leaves_no_block_and_is_put_back() -> None:
    empty: tuple[Face, ...] = (Congruence(BASIS.select(range(4), [])), WholeCone())
    small = restricted_primal(PROGRAM, empty)
    assert [part.cone for part in small.blocks] == [Nonnegative(3)]
    vector = VectorPoint(row(1, 2, 3))
    restored = restored_faces(empty, [vector])
    assert restored[1] == vector
    assert isinstance(restored[0], MatrixPoint)
    assert restored[0].matrix.rows == 0


@pytest.mark.parametrize("seed", range(3))
def test_side_d_on_a_face_keeps_the_inner_products_and_frees_the_rest_of_x(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311
    restriction = restricted_dual(PROGRAM, FACES)
    cones = [part.cone for part in restriction.problem.blocks]
    assert cones == [PositiveSemidefinite(2), Free(7), Nonnegative(2), Free(1)]
    parts: list[BlockPoint] = [_symmetric(2, source), _vector(7, source), _vector(2, source), _vector(1, source)]
    whole = restored_point(PROGRAM, restriction, parts)
    assert evaluate(restriction.problem, tuple(parts)) == evaluate(PROGRAM, whole)
    # The corner is what the face sees of X.
    corner = parts[0]
    assert isinstance(corner, MatrixPoint)
    assert pulled_back(BASIS, whole[0]) == corner.matrix


def test_a_slack_inside_the_face_has_a_psd_corner_and_no_free_part() -> None:
    # With C - sum y_i A_i = V R V^T on the first block, the restricted slack is R there and zero on the free block.
    core = square([[2, 1], [1, 5]])
    restriction = restricted_dual(PROGRAM, FACES)
    frame = restriction.frames[0]
    assert frame is not None
    local = frame @ BASIS @ core @ BASIS.transpose() @ frame.transpose()
    assert local.select([0, 1], [0, 1]) == core
    assert all(local.entry(i, j) == 0 for i in range(4) for j in range(4) if max(i, j) >= 2)


def test_restricted_coefficients_are_pulled_back_ones() -> None:
    small = restricted_primal(PROGRAM, FACES)
    y = _multipliers(random.Random(8))  # noqa: S311
    slack = combine(PROGRAM.blocks[0], 1, y)
    seen = combine(small.blocks[0], 1, y)
    assert pulled_back(BASIS, slack) == square(
        [[fmpq(seen.numerators.get((max(i, j), min(i, j)), 0), seen.denominator) for j in range(2)] for i in range(2)]
    )


def test_tidied_bases_span_the_same_space_with_small_entries() -> None:
    scaled = BASIS @ square([["1000000007", "998244353"], ["-77777777", "123456789"]])
    tidy = tidied((Congruence(scaled), WholeCone()))[0]
    assert isinstance(tidy, Congruence)
    entries = [abs(tidy.basis.entry(i, j)) for i in range(4) for j in range(2)]
    assert max(entries) <= 3
    # The span is the same: the tidy basis times the pivot rows of the other gives the other back.
    pivots = [i for i in range(4) if sorted(tidy.basis.entry(i, j) for j in range(2)) == [0, 1]][:2]
    order = sorted(pivots, key=lambda i: 0 if tidy.basis.entry(i, 0) == 1 else 1)
    assert tidy.basis @ scaled.select(order, [0, 1]) == scaled
