"""The interior-point methods: their linear algebra against brute force, central paths, no noise on hard problems."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from flint import ctx

from certify.certificates.conic.margins import margin
from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, dual_cone
from certify.solvers.conic.arrays import FloatBlock, FloatStatus, float_problem
from certify.solvers.conic.interior import solve_with_interior_point
from certify.solvers.conic.positive import factored, inverse, longest_step, scaled_product
from certify.solvers.conic.precise_interior import centred, precise_path
from certify.solvers.conic.schur import add_schur, schur_plan
from tests.certificates.conic.examples import random_problem
from tests.checker.conic.examples import matrix_block, problem, vector_block


def _positive(size: int, rng: np.random.Generator) -> np.ndarray:
    half = rng.normal(size=(size, size))
    return half @ half.T + np.eye(size)


@pytest.mark.parametrize("density", [0.02, 0.3, 1.0])
def test_the_schur_complement_is_that_of_its_definition(density: float) -> None:
    rng, size, count = np.random.default_rng(3), 12, 9
    matrices = []
    for index in range(count):
        half = np.where(rng.random((size, size)) < (1.0 if index == 0 else density), rng.normal(size=(size, size)), 0.0)
        matrices.append(half + half.T)
    matrices[-1] = np.zeros((size, size))
    rows = sp.csr_matrix(np.array([m.ravel() for m in matrices]))
    plan = schur_plan(FloatBlock(PositiveSemidefinite(size), np.zeros((size, size)), rows))
    x, inv = _positive(size, rng), _positive(size, rng)
    total = np.zeros((count, count))
    add_schur(total, plan, x, inv)
    wanted = [[np.vdot(a, x @ b @ inv) for b in matrices] for a in matrices]
    assert np.allclose(total, wanted)


def test_positive_points_invert_multiply_and_step_as_they_should() -> None:
    rng = np.random.default_rng(4)
    point = factored(_positive(5, rng))
    assert point is not None
    assert np.allclose(inverse(point) @ point.value, np.eye(5))
    direction = rng.normal(size=(5, 5))
    direction = direction + direction.T
    step = longest_step(point, direction)
    assert np.linalg.eigvalsh(point.value + step * direction)[0] == pytest.approx(0.0, abs=1e-9)
    vector = factored(np.array([1.0, 2.0]))
    assert vector is not None
    assert longest_step(vector, np.array([-0.5, -4.0])) == pytest.approx(0.5)
    assert longest_step(vector, np.array([1.0, 0.0])) == np.inf
    assert factored(np.array([1.0, 0.0])) is None
    assert factored(np.array([[1.0, 2.0], [2.0, 1.0]])) is None
    middle = np.diag([1.0, 0, 0, 0, 0])
    dense = point.value @ middle @ inverse(point)
    assert np.allclose(scaled_product(point.value, middle, inverse(point)), (dense + dense.T) / 2)


def test_the_path_is_central_and_ever_more_accurate() -> None:
    floats = float_problem(random_problem(51, 6, 5))
    solution = solve_with_interior_point(floats)
    assert solution.status is FloatStatus.SOLVED
    assert solution.accuracy < 1e-9
    points = [*solution.path, solution.point]
    assert len(points) > 3
    gaps = [floats.cost(p.x) - float(floats.right_hand_side @ p.y) for p in points]
    assert all(later < earlier for earlier, later in pairwise(gaps))
    for point in points:
        for block, part, slack in zip(floats.blocks, point.x, floats.slack(point.y), strict=True):
            assert margin(block.cone, part) > 0
            assert margin(dual_cone(block.cone), slack) > 0


@pytest.mark.parametrize(
    "program",
    [
        problem([matrix_block([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]])], [1, 3]),
        problem([matrix_block([[1, 2], [2, 1]], [[1, 0], [0, -1]])], [0]),
        problem([matrix_block([[0, 1], [1, 0]], [[1, 0], [0, 0]])], [0]),
        problem([vector_block(Nonnegative(1), [1], [0])], [1]),
        problem([vector_block(Free(1), [1], [0])], [0]),
    ],
    ids=["infeasible", "unbounded", "no interior", "empty equation", "no cone"],
)
def test_hard_problems_end_in_an_opinion_and_no_warning(program: object) -> None:
    solution = solve_with_interior_point(float_problem(program))  # type: ignore[arg-type]
    assert solution.status in (FloatStatus.SOLVED, FloatStatus.STOPPED)


def test_multiprecision_reaches_far_below_floats_and_puts_its_precision_back() -> None:
    before = ctx.prec
    points = list(precise_path(random_problem(52, 4, 5), 400, 60))
    assert ctx.prec == before
    best = min(points, key=lambda point: point.worst)
    assert best.worst < 1e-35
    assert abs(best.gap) < 1e-35


def test_a_warm_start_saves_iterations() -> None:
    program = random_problem(53, 5, 5)
    solution = solve_with_interior_point(float_problem(program))
    start = (*solution.path, solution.point)
    warm = next(k for k, p in enumerate(precise_path(program, 300, 80, start)) if abs(p.gap) < 1e-20)
    cold = next(k for k, p in enumerate(precise_path(program, 300, 80)) if abs(p.gap) < 1e-20)
    assert warm < cold


def test_centring_takes_off_the_infeasibility() -> None:
    program = random_problem(54, 4, 5)
    early = next(p for p in precise_path(program, 300, 40) if 1e-30 < p.primal < 1e-3 and p.gap > 0)
    later = centred(program, early, 300)
    assert later.primal < early.primal * 1e-10 or later is early
