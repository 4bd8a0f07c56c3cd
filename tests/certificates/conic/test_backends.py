"""Every backend solves the same problems to the same answer, and its points satisfy the neutral form."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.conic.margins import margin
from certify.checker.conic.cones import (
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    Power,
    Rotated,
    SecondOrder,
    Zero,
    dual_cone,
)
from certify.checker.conic.problem import ConicProblem
from certify.solvers.conic.arrays import FloatStatus, float_problem
from certify.solvers.conic.solve import Backend, backends_for, solve
from tests.certificates.conic.examples import random_problem
from tests.checker.conic.examples import matrix_block, problem, vector_block


def _check(problem: ConicProblem, backend: Backend, tolerance: float) -> float:
    floats = float_problem(problem)
    solution = solve(floats, backend)
    assert solution.status is FloatStatus.SOLVED, solution.message
    x, y = solution.point.x, solution.point.y
    assert np.abs(floats.apply(x) - floats.right_hand_side).max() < tolerance
    for block, part, slack in zip(floats.blocks, x, floats.slack(y), strict=True):
        assert margin(block.cone, part) > -tolerance
        assert margin(dual_cone(block.cone), slack) > -tolerance
    assert abs(floats.cost(x) - floats.right_hand_side @ y) < 10 * tolerance
    return floats.cost(x)


@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_backends_agree_on_matrices_with_distinct_off_diagonals(order: int) -> None:
    program = random_problem(order, order, 4)
    values = [_check(program, backend, 1e-5) for backend in Backend]
    assert max(values) - min(values) < 1e-4
    assert backends_for(float_problem(program)) == tuple(Backend)


@pytest.mark.parametrize("backend", list(Backend))
def test_free_and_zero_blocks_are_equations_and_nothing(backend: Backend) -> None:
    # min x0 + 2 x1 - f with x0 + f = 1, x1 - f + z = 0, z = 0: f = x1 <= 1, so the value is 1 + x1 - ... = 1 at f = 0.
    program = problem(
        [
            vector_block(Nonnegative(2), [1, 2], [1, 0], [0, 1]),
            vector_block(Free(1), [-1], [1], [-1]),
            vector_block(Zero(1), [5], [0], [1]),
        ],
        [1, 0],
    )
    assert _check(program, backend, 1e-6) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("backend", [Backend.CLARABEL, Backend.SCS])
@pytest.mark.parametrize(
    ("block", "right", "value"),
    [
        (vector_block(SecondOrder(3), [1, 0, 0], [0, 1, 0], [0, 0, 1]), [3, 4], 5.0),
        (vector_block(Rotated(3), [1, 1, 0], [0, 0, 1], [1, -1, 0]), [2, 0], 2 * np.sqrt(2)),
        (vector_block(Exponential(), [0, 0, 1], [1, 0, 0], [0, 1, 0]), [2, 1], np.exp(2.0)),
        (vector_block(DualExponential(), [0, 0, 1], [1, 0, 0], [0, 1, 0]), [-1, 1], np.exp(-2.0)),
        (vector_block(Power(fmpq(1, 3)), [0, 0, -1], [1, 0, 0], [0, 1, 0]), [8, 27], -(8 ** (1 / 3)) * 27 ** (2 / 3)),
        (
            vector_block(DualPower(fmpq(1, 3)), [0, 0, -1], [1, 0, 0], [0, 1, 0]),
            [8, 27],
            -(24 ** (1 / 3)) * 40.5 ** (2 / 3),
        ),
    ],
    ids=lambda part: type(part.cone).__name__ if hasattr(part, "cone") else "",
)
def test_curved_cones_have_their_closed_form_values(
    backend: Backend, block: object, right: list[int], value: float
) -> None:
    program = problem([block], right)  # type: ignore[list-item]
    assert _check(program, backend, 1e-4) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("backend", [Backend.CLARABEL, Backend.SCS])
def test_infeasible_problems_give_rays_in_our_signs(backend: Backend) -> None:
    infeasible = float_problem(problem([matrix_block([[0, 0], [0, 0]], [[1, 0], [0, 0]], [[0, 0], [0, 1]])], [1, -1]))
    solution = solve(infeasible, backend)
    assert solution.status is FloatStatus.PRIMAL_INFEASIBLE
    assert infeasible.right_hand_side @ solution.point.y > 0
    assert margin(infeasible.blocks[0].cone, -infeasible.blocks[0].adjoint(solution.point.y)) > -1e-6
    unbounded = float_problem(problem([vector_block(Nonnegative(2), [-1, 0], [1, -1])], [0]))
    solution = solve(unbounded, backend)
    assert solution.status is FloatStatus.DUAL_INFEASIBLE
    assert unbounded.cost(solution.point.x) < 0
    assert np.abs(unbounded.apply(solution.point.x)).max() < 1e-6


def test_the_interior_method_names_a_cone_it_does_not_know() -> None:
    floats = float_problem(problem([vector_block(SecondOrder(3), [1, 0, 0], [0, 1, 0])], [1]))
    assert Backend.INTERIOR not in backends_for(floats)
    with pytest.raises(ValueError, match=r"no SecondOrder\(3\); use clarabel or scs"):
        solve(floats, Backend.INTERIOR)
