"""Blocks taken apart: nothing is lost, nothing is coupled that was not, and the parts have the value of the whole."""

from __future__ import annotations

import numpy as np
import pytest

from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite
from certify.solvers.conic.arrays import FloatPoint, FloatSolution, FloatStatus, float_problem
from certify.solvers.conic.components import parts_of
from certify.solvers.conic.solve import Backend, solve
from tests.certificates.conic.examples import random_problem
from tests.checker.conic.examples import matrix_block, problem, vector_block

# Rows 1 and 3 are coupled by C, rows 0 and 4 by A_1; row 2 is alone and row 5 is met by nothing.
COST = np.zeros((6, 6))
COST[1, 3] = COST[3, 1] = 1
COST[1, 1] = COST[3, 3] = COST[0, 0] = COST[4, 4] = 3
COST[2, 2] = 2
FIRST = np.diag([1, 1, 1, 1, 1, 1])
FIRST[0, 4] = FIRST[4, 0] = 1
FIRST[5, 5] = 0
SECOND = np.diag([0, 0, 5, 0, 0, 0])


def _rows(table: np.ndarray) -> list[list[int]]:
    return [[int(entry) for entry in row] for row in table]


PROGRAM = problem(
    [vector_block(Nonnegative(1), [1], [1]), matrix_block(_rows(COST), _rows(FIRST), _rows(SECOND))], [4, 2]
)


def test_components_are_matrices_and_rows_alone_one_vector() -> None:
    parts = parts_of(float_problem(PROGRAM)).problem
    cones = [block.cone for block in parts.blocks]
    assert cones == [Nonnegative(1), PositiveSemidefinite(2), PositiveSemidefinite(2), Nonnegative(2)]
    coupled = {tuple(block.cost.ravel()) for block in parts.blocks[1:3]}
    assert coupled == {(3.0, 0.0, 0.0, 3.0), (3.0, 1.0, 1.0, 3.0)}
    assert parts.blocks[3].cost.tolist() == [2.0, 0.0]
    assert parts.blocks[3].rows.toarray().tolist() == [[1.0, 0.0], [5.0, 0.0]]


def test_a_point_of_the_parts_is_one_of_the_whole_with_the_same_values() -> None:
    whole = float_problem(PROGRAM)
    parts = parts_of(whole)
    rng = np.random.default_rng(5)
    halves = [rng.normal(size=block.shape) for block in parts.problem.blocks]
    x = tuple(half @ half.T if half.ndim == 2 else half**2 for half in halves)
    point = FloatPoint(x, np.array([0.5, -1.0]))
    solution = FloatSolution(FloatStatus.STOPPED, point, (point,), "made up")
    joined = parts.joined(solution)
    for found in (joined.point, *joined.path):
        assert [part.shape for part in found.x] == [block.shape for block in whole.blocks]
        assert np.allclose(whole.apply(found.x), parts.problem.apply(x), rtol=1e-14, atol=0)
        assert np.isclose(whole.cost(found.x), parts.problem.cost(x), rtol=1e-14, atol=0)
        assert np.linalg.eigvalsh(found.x[1]).min() > 0
        assert found.y is point.y


def test_a_block_of_one_component_is_left_whole() -> None:
    whole = float_problem(random_problem(3, 4, 3))
    assert parts_of(whole).problem.blocks == whole.blocks


@pytest.mark.parametrize("backend", list(Backend))
def test_every_backend_finds_the_value_through_the_parts(backend: Backend) -> None:
    """5 x22 = 2 costs 0.8; of the 3.6 left in the first equation u costs 1 a unit, the blocks 3/2 and 2."""
    floats = float_problem(PROGRAM)
    point = solve(floats, backend).point
    assert np.abs(floats.apply(point.x) - floats.right_hand_side).max() < 1e-4
    assert abs(floats.cost(point.x) - (0.8 + 3.6)) < 1e-3
    assert point.x[1].shape == (6, 6)
