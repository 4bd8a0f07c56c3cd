"""The auxiliary programs mean what they should, and the search finds faces and rays exactly where they are."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from certify.certificates.conic.auxiliary import (
    SHIFT,
    exposing_problem,
    recession_problem,
    supports_reduction,
)
from certify.certificates.conic.reduction import reduce_dual_side, reduce_primal_side
from certify.checker.conic.check import farkas_ray, recession_ray
from certify.checker.conic.cones import Exponential, Free, Nonnegative, Zero
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.linear import combine, dense_vector, dot, evaluate
from certify.checker.conic.reduction import reduce_dual, reduce_primal
from certify.checker.conic.witnesses import Congruence, MatrixPoint, VectorPoint
from certify.checker.exact import identity
from tests.certificates.conic.examples import random_problem
from tests.checker.conic.examples import matrix_block, problem, proved, row, square, vector_block

PROGRAM = random_problem(31, 3, 4, nonnegative=2)


@pytest.mark.parametrize("seed", range(3))
def test_the_slack_of_the_exposing_program_is_the_combination_moved_by_t(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311
    y = row(*[fmpq(source.randint(-9, 9), 5) for _ in range(4)])
    t = fmpq(source.randint(-9, 9), 2)
    auxiliary = exposing_problem(PROGRAM)
    point = row(*[y.entry(0, i) for i in range(4)], t)
    slack = [combine(part, 1, point) for part in auxiliary.blocks]
    wanted = [combine(part, 0, y.scaled(fmpq(-1))) for part in PROGRAM.blocks]
    assert dense_matrix(slack[0]) == dense_matrix(wanted[0]) + identity(3).scaled(t)
    vectors = [[fmpq(v, part.denominator) for v in dense_vector(part)] for part in (slack[1], wanted[1])]
    assert vectors[0] == [v + t for v in vectors[1]]
    gain = -dot(PROGRAM.right_hand_side, y)
    total = dense_matrix(wanted[0]).trace() + sum(vectors[1], fmpq(0)) + gain
    assert [fmpq(v, slack[2].denominator) for v in dense_vector(slack[2])] == [gain + t, total - 1, 2 - total]
    assert dot(auxiliary.right_hand_side, point) == -t


@pytest.mark.parametrize("seed", range(3))
def test_points_of_the_recession_program_are_rays_moved_by_t(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311
    half = [[fmpq(source.randint(-3, 3)) for _ in range(3)] for _ in range(3)]
    x = square([[half[i][j] + half[j][i] for j in range(3)] for i in range(3)])
    v = row(*[source.randint(-3, 3) for _ in range(2)])
    t = fmpq(source.randint(-3, 3), 2)
    values = evaluate(PROGRAM, (MatrixPoint(x), VectorPoint(v)))
    total = x.trace() + v.entry(0, 0) + v.entry(0, 1) - values.objective
    auxiliary = recession_problem(PROGRAM)
    moved = (
        MatrixPoint(x + identity(3).scaled(t)),
        VectorPoint(v + row(t, t)),
        VectorPoint(row(t + SHIFT, t - values.objective, total - 1, 2 - total)),
    )
    found = evaluate(auxiliary, moved)
    off = found.constraints - auxiliary.right_hand_side
    # The equations hold but for <A_i, X>, which they ask to vanish.
    assert off == row(*[values.constraints.entry(0, i) for i in range(4)], 0, 0, 0)
    assert found.objective == t + SHIFT


def test_problems_with_interior_have_nothing_to_find() -> None:
    primal, dual = reduce_primal_side(PROGRAM), reduce_dual_side(PROGRAM)
    assert primal.exposures == ()
    assert primal.ray is None
    assert primal.restricted == PROGRAM
    assert dual.exposures == ()
    assert dual.ray is None


def _spread(order: int) -> list[list[int]]:
    return [[1] * order for _ in range(order)]


def test_a_face_of_balanced_matrices_is_found() -> None:
    # X e = 0 follows from <ee', X> = 0, as in graph equipartition.
    units = [[[int(i == j == k) for j in range(4)] for i in range(4)] for k in range(4)]
    program = problem(
        [matrix_block([[0, 1, 2, 0], [1, 0, 0, 3], [2, 0, 0, 1], [0, 3, 1, 0]], *units, _spread(4))], [1] * 4 + [0]
    )
    found = reduce_primal_side(program)
    assert len(found.exposures) == 1
    assert reduce_primal(program, found.exposures).holds
    face = found.faces[0]
    assert isinstance(face, Congruence)
    assert face.basis.columns == 3
    assert (row(1, 1, 1, 1) @ face.basis).numerators.is_zero()


def test_a_face_of_nonnegative_vectors_and_a_slack_that_must_vanish() -> None:
    # x0 + x1 = 0 leaves x2 only; on side (D) the slack of the second block must vanish because -x and x both bound it.
    program = problem([vector_block(Nonnegative(3), [1, 1, 1], [1, 1, 0], [0, 0, 1])], [0, 2])
    found = reduce_primal_side(program)
    assert len(found.exposures) == 1
    assert [part.cone for part in found.restricted.blocks] == [Nonnegative(1)]
    tight = problem([vector_block(Nonnegative(3), [1, -1, 5], [1, -1, 1])], [1])
    reduced = reduce_dual_side(tight)
    assert len(reduced.exposures) == 1
    assert reduce_dual(tight, reduced.exposures).holds
    assert [part.cone for part in reduced.restriction.problem.blocks] == [Nonnegative(1), Free(2)]


def test_rays_are_found_on_both_sides() -> None:
    infeasible = problem([matrix_block([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]])], [1, 3])
    ray = reduce_primal_side(infeasible).ray
    assert ray is not None
    assert proved(farkas_ray(infeasible, ray))
    unbounded = problem([matrix_block([[1, 2], [2, 1]], [[1, 0], [0, -1]])], [0])
    direction = reduce_dual_side(unbounded).ray
    assert direction is not None
    assert proved(recession_ray(unbounded, direction))


def test_weak_infeasibility_of_side_d_needs_an_exposing_point() -> None:
    # S = [[0 - y1, 1], [1, 0]] cannot be PSD: the corner 0 exposes, then the entry 1 contradicts.
    program = problem([matrix_block([[0, 1], [1, 0]], [[1, 0], [0, 0]])], [1])
    found = reduce_dual_side(program)
    assert len(found.exposures) == 1
    assert found.ray is not None
    assert proved(recession_ray(program, found.ray))
    assert not proved(recession_ray(program, type(found.ray)((), found.ray.blocks)))


def test_free_and_zero_blocks_take_part() -> None:
    # The free coordinate forces y1 = 0, so only the second equation can expose.
    program = problem(
        [
            vector_block(Free(1), [0], [1], [0]),
            vector_block(Zero(1), [3], [2], [2]),
            matrix_block([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 0]]),
        ],
        [1, 0],
    )
    found = reduce_primal_side(program)
    assert len(found.exposures) == 1
    assert found.exposures[0].entry(0, 0) == 0


def test_curved_cones_are_left_alone() -> None:
    program = problem([vector_block(Exponential(), [0, 0, 1], [1, 0, 0])], [1])
    assert not supports_reduction(program)
    assert reduce_primal_side(program).exposures == ()
    assert reduce_dual_side(program).exposures == ()
