"""Each way to put X on the affine space: by a triangle, by elimination, nearby, nearby with dropped equations, thin."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.conic.draft import thin_point
from certify.certificates.conic.dual import dual_point
from certify.certificates.conic.equations import correction, dependencies, solve_triangle, triangle
from certify.certificates.conic.primal import primal_proof, repair_tools
from certify.checker.conic.check import lower_bound, upper_bound
from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite
from certify.checker.conic.problem import ConicProblem, block
from certify.checker.conic.witnesses import FactoredPoint, NearbyPrimalPoint, PrimalPoint, PrimalProof
from certify.checker.exact import Matrix
from certify.solvers.conic.arrays import float_problem
from certify.solvers.conic.interior import solve_with_interior_point
from tests.certificates.conic.examples import random_problem
from tests.checker.conic.examples import matrix_block, problem, row, vector_block


def _bounds(program: ConicProblem) -> tuple[PrimalProof, fmpq, fmpq]:
    floats = float_problem(program)
    solution = solve_with_interior_point(floats)
    path = [*solution.path, solution.point]
    lower = dual_point(program, floats, [point.y for point in path])
    upper = primal_proof(repair_tools(program), [point.x for point in path])
    assert not isinstance(lower, str), lower
    assert not isinstance(upper, str), upper
    for bound in (lower_bound(program, lower[0]), upper_bound(program, upper[0])):
        assert all(each.holds for each in bound.obligations)
    assert lower_bound(program, lower[0]).value == lower[1]
    assert upper_bound(program, upper[0]).value == upper[1]
    return upper[0], lower[1], upper[1]


def _cut(order: int, seed: int) -> ConicProblem:
    """The maximum cut relaxation of a random graph: X_ii = 1."""
    rng = np.random.default_rng(seed)
    edges = [(i, j) for i in range(order) for j in range(i) if rng.random() < 3 / order or j == i - 1]
    entries = [(0, i, j, fmpq(1)) for i, j in edges]
    return problem(
        [block(PositiveSemidefinite(order), [*entries, *((i + 1, i, i, fmpq(1)) for i in range(order))])], [1] * order
    )


def _relative(lower: fmpq, upper: fmpq) -> float:
    gap = (upper - lower) / (1 + abs(upper))
    return float(gap.p) / float(gap.q)


def test_triangular_equations_are_solved_exactly() -> None:
    proof, lower, upper = _bounds(_cut(12, 1))
    assert isinstance(proof, PrimalPoint)
    assert 0 <= _relative(lower, upper) < 1e-8


def test_a_large_block_with_equations_on_its_diagonal_becomes_a_thin_factor() -> None:
    proof, lower, upper = _bounds(_cut(70, 2))
    assert isinstance(proof, PrimalPoint)
    factored = proof.blocks[0]
    assert isinstance(factored, FactoredPoint)
    assert factored.factor.columns < 70
    assert 0 <= _relative(lower, upper) < 1e-8


def test_few_equations_are_eliminated() -> None:
    proof, lower, upper = _bounds(random_problem(3, 5, 6))
    assert isinstance(proof, PrimalPoint)
    assert 0 <= _relative(lower, upper) < 1e-8


def test_many_equations_leave_a_point_nearby() -> None:
    proof, lower, upper = _bounds(random_problem(4, 8, 16))
    assert isinstance(proof, NearbyPrimalPoint)
    assert proof.dropped == ()
    assert 0 <= _relative(lower, upper) < 1e-7


def _doubled(program: ConicProblem) -> ConicProblem:
    """Append the sum of the first two equations as one more."""
    count = program.constraint_count
    blocks = []
    for part in program.blocks:
        entries = [(k, i, j, fmpq(v, part.values.denominator)) for k, i, j, v in part.entries()]
        sums: dict[tuple[int, int], fmpq] = {}
        for k, i, j, value in entries:
            if k in (1, 2):
                sums[i, j] = sums.get((i, j), fmpq(0)) + value
        blocks.append(block(part.cone, [*entries, *((count + 1, i, j, value) for (i, j), value in sums.items())]))
    right = [program.right_hand_side.entry(0, i) for i in range(count)]
    return problem(blocks, [*right, right[0] + right[1]])


def test_dependent_equations_are_dropped_with_a_proof() -> None:
    program = _doubled(random_problem(5, 8, 16))
    tools = repair_tools(program)
    assert len(tools.correction.kept) == 16
    found = dependencies(program, tools.correction.kept)
    assert found is not None
    assert len(found[0]) == 1
    solution = solve_with_interior_point(float_problem(random_problem(5, 8, 16)))
    proof = primal_proof(tools, [point.x for point in (*solution.path, solution.point)])
    assert not isinstance(proof, str)
    assert isinstance(proof[0], NearbyPrimalPoint)
    assert proof[0].dropped == found[0]


def test_a_least_correction_satisfies_the_equations() -> None:
    floats = float_problem(random_problem(6, 5, 7))
    residual = np.arange(1.0, 8.0)
    step = correction(floats).step(residual)
    assert np.allclose(floats.apply(step), residual)


def test_a_triangle_is_found_whatever_the_order_of_the_equations() -> None:
    # x2 = 3 - x0, x1 + x2 = 5, x0 appears alone in the first: solvable one by one in one order only.
    program = problem([vector_block(Nonnegative(3), [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0])], [5, 3, 1])
    plan = triangle(program)
    assert plan is not None
    values = solve_triangle(plan, [fmpq(5), fmpq(3), fmpq(1)], lambda _place: fmpq(0))
    assert {place[1]: value for place, value in values.items()} == {0: 1, 2: 2, 1: 3}
    assert triangle(problem([vector_block(Nonnegative(2), [0, 0], [1, 1], [1, -1])], [1, 0])) is None


def test_a_thin_point_has_exactly_the_diagonal_asked_for() -> None:
    rng = np.random.default_rng(9)
    root = rng.normal(size=(7, 3))
    x = root @ root.T
    diagonal: Matrix = row(*[fmpq(*float(v).as_integer_ratio()) for v in np.diag(x)])
    point = thin_point(diagonal, x)
    assert point is not None
    assert point.factor.columns == 3
    lengths = [
        sum((e * e for e in line), start=point.factor.denominator * 0) for line in point.factor.numerators.tolist()
    ]
    squares = row(*[fmpq(length, point.factor.denominator**2) for length in lengths])
    assert squares + point.diagonal == diagonal
    assert all(entry > 0 for entry in point.diagonal.numerators.entries())
    assert thin_point(row(1, -1), np.eye(2)) is None


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_point_that_is_not_finite_gives_a_reason(value: float) -> None:
    program = problem([matrix_block([[1, 0], [0, 1]], [[1, 0], [0, 1]])], [1])
    floats = float_problem(program)
    found = primal_proof(repair_tools(program), [(np.full((2, 2), value),)])
    assert isinstance(found, str)
    assert isinstance(dual_point(program, floats, [np.array([value])]), str)
