"""The precision backend: closed forms, degenerate sets, wide scales, weak duality.

Comparisons allow a relative 1e-9: ten thousand times what binary64 leaves on these small problems, and far below any
mistake in a formula. Gaps are recomputed from the definitions, see tests.solvers.values.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.solvers.problem import (
    CompactDual,
    CovarianceProblem,
    ExplicitVectors,
    FloatArray,
    PairDifferences,
    ScaledDifferences,
    Solution,
    SolverError,
    Status,
)
from tests.solvers.solving import CLOSE, gaussian, ill_conditioned, solve, solved, value_of
from tests.solvers.values import all_vectors, lower_value, relative_gap, rho_star, upper_value


def cube(lengths: FloatArray) -> FloatArray:
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * len(lengths))).reshape(len(lengths), -1).T
    scaled: FloatArray = np.asarray(corners * lengths, order="C")
    return scaled


@pytest.mark.parametrize("rho", [1e-12, 1.0, 1e12])
def test_one_direction_costs_its_weighted_square_over_the_budget(rho: float) -> None:
    solution = solved(PairDifferences(np.array([[1.0], [4.0]])), np.array([[5.0]]), rho=rho)
    assert solution.covariance[0, 0] == pytest.approx(9 / rho, rel=CLOSE, abs=0)
    assert value_of(solution) == pytest.approx(45 / rho, rel=CLOSE, abs=0)


def test_orthogonal_vectors_do_not_interact() -> None:
    """For the vectors l_i e_i and a diagonal W every constraint is separate: Sigma_ii = l_i^2."""
    lengths = np.array([1.0, 2.0, 5.0])
    solution = solved(ExplicitVectors(np.diag(lengths)), np.diag([1.0, 10.0, 0.1]))
    np.testing.assert_allclose(solution.covariance, np.diag(lengths**2), atol=CLOSE * 25)


@pytest.mark.parametrize(
    ("lengths", "weights"),
    [
        ([1.0, 1.0], [1.0, 1.0]),
        ([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0]),
        ([1e-6, 1e-3, 1.0, 1e3, 1e6], [1.0, 1.0, 1.0, 1.0, 1.0]),
        ([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6]),
    ],
)
def test_corners_of_a_box_get_diagonal_noise(lengths: list[float], weights: list[float]) -> None:
    """Sigma_ii proportional to l_i / sqrt(W_ii), value (sum l_i sqrt(W_ii))^2: theory.md section 2, end."""
    sides, weight = np.array(lengths), np.array(weights)
    solution = solved(PairDifferences(cube(sides)), np.diag(weight))
    total = float(sides @ np.sqrt(weight))
    assert value_of(solution) == pytest.approx(total**2, rel=CLOSE)
    # Sigma is determined to the square root of the gap, and exactly diagonal only at the optimum.
    np.testing.assert_allclose(np.diag(solution.covariance), sides / np.sqrt(weight) * total, rtol=1e-5)


@pytest.mark.parametrize("m", [2, 3, 10, 40])
def test_a_regular_simplex_gets_isotropic_noise(m: int) -> None:
    """All m(m-1)/2 pairs tie; |e_i - e_j|^2 = 2 gives Sigma = 2 I on the m - 1 dimensional span."""
    centred = np.eye(m) - 1 / m
    basis = np.linalg.svd(centred)[0][:, : m - 1]
    solution = solved(PairDifferences(np.ascontiguousarray(centred @ basis)), np.eye(m - 1))
    assert value_of(solution) == pytest.approx(2 * (m - 1), rel=CLOSE)


def test_points_on_a_circle_get_isotropic_noise() -> None:
    """Only a ball makes the isotropic bound exact: 100 antipodal pairs on a circle do."""
    angles = np.arange(200) * (2 * np.pi / 200)
    solution = solved(PairDifferences(3 * np.stack([np.cos(angles), np.sin(angles)], axis=1)), np.eye(2))
    np.testing.assert_allclose(solution.covariance, 36 * np.eye(2), atol=1e-5 * 36)


@pytest.mark.parametrize(("n", "expected"), [(64, 4.409397)])
def test_the_prefix_workload_reaches_the_optimal_matrix_mechanism(n: int, expected: float) -> None:
    """Unit vectors and W = A^T A for prefix sums: the published optimum of T^2 / n to its 7 digits."""
    prefix = np.tril(np.ones((n, n)))
    solution = solved(ExplicitVectors(np.eye(n)), prefix.T @ prefix)
    assert value_of(solution) / n == pytest.approx(expected, abs=5e-7)


def test_parallel_copies_and_scaled_vectors_change_nothing() -> None:
    vectors = gaussian(12, 4)
    shorter = 0.5 * vectors[[0, 3, 3, 7]]
    alone = solved(ExplicitVectors(vectors), np.eye(4))
    crowded = solved(ExplicitVectors(np.vstack([vectors, -vectors, shorter, np.zeros((2, 4))])), np.eye(4))
    assert value_of(crowded) == pytest.approx(value_of(alone), rel=CLOSE)


def test_duplicate_records_change_nothing() -> None:
    records = gaussian(40, 6)
    repeated = np.vstack([records, records[:15], records[:3]])
    alone = value_of(solved(PairDifferences(records), np.eye(6)))
    assert value_of(solved(PairDifferences(repeated), np.eye(6))) == pytest.approx(alone, rel=CLOSE)


def test_factors_below_one_are_honoured_in_their_direction() -> None:
    """A fixed query: factors[i, j] + factors[j, i] = 1, only the larger one of each pair can bind."""
    records = gaussian(30, 4)
    weights = np.exp(-((records - records[0]) ** 2).sum(axis=1) / 8)
    factors = weights[:, None] / (weights[:, None] + weights)
    problem = CovarianceProblem(ScaledDifferences(records, factors), np.eye(4), 0.0, 1.0)
    solution = solve(problem)
    assert relative_gap(problem, solution) <= CLOSE
    assert isinstance(solution.dual, CompactDual)
    i, j = solution.dual.indices.T
    assert np.all(factors[i, j] >= factors[j, i])


@pytest.mark.parametrize(("m", "d"), [(20, 8), (9, 8), (60, 5), (100, 12), (300, 3)])
@pytest.mark.parametrize("floor", [0.0, 1e-6, 1.0, 1e4])
def test_weights_of_condition_1e8(m: int, d: int, floor: float) -> None:
    solved(PairDifferences(gaussian(m, d, seed=m)), ill_conditioned(d, 4.0), floor)


@pytest.mark.parametrize(("m", "d"), [(20, 8), (9, 8), (60, 5), (100, 12), (300, 3)])
@pytest.mark.parametrize("floor", [0.0, 1e-6, 1.0, 1e4])
def test_columns_from_1e_minus_6_to_1e6(m: int, d: int, floor: float) -> None:
    """The bracket closes and Sigma keeps it in binary64.

    W - P' M P' cancels 24 digits here, more than a P' in binary64 can bear when records are few or the floor is 1e-12
    of the noise; the dual is recomputed where it can, to 1e-8, which still tells failure from success.
    """
    records = gaussian(m, d, seed=m) * 10.0 ** np.linspace(-6, 6, d)
    problem = CovarianceProblem(PairDifferences(records), np.eye(d), floor, 1.0)
    solution = solve(problem)
    assert solution.status is Status.GAP_REACHED
    best = solution.history[-1]
    assert rho_star(solution.covariance, all_vectors(problem.sensitivity)) == pytest.approx(1.0, rel=CLOSE)
    assert np.trace(solution.covariance) == pytest.approx(best.value_upper_estimate, rel=CLOSE)
    if m > 2 * d and floor != 1e-6:
        assert relative_gap(problem, solution) <= 1e-8


@pytest.mark.parametrize("floor", [0.0, 1e-6, 1.0, 1e4])
def test_wide_columns_and_weights_at_once(floor: float) -> None:
    records = gaussian(40, 7) * 10.0 ** np.linspace(-3, 3, 7)
    solved(PairDifferences(records), ill_conditioned(7, 3.0), floor)


def test_a_thin_domain_is_solved() -> None:
    """Two columns that differ by a millionth of their spread."""
    records = gaussian(200, 5)
    thin = np.hstack([records, records[:, :1] + 1e-6 * gaussian(200, 1, seed=1)])
    solution = solve(CovarianceProblem(PairDifferences(thin), np.eye(6), 0.0, 1.0))
    assert solution.status is Status.GAP_REACHED


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from([1e-12, 1e-3, 7.0, 1e12]), st.floats(0.0, 3.0))
def test_the_budget_only_scales_the_problem(seed: int, d: int, rho: float, floor: float) -> None:
    """The value at (rho, eta) is the value at (1, eta rho) divided by rho."""
    records = gaussian(d + 4, d, seed)
    one = solve(CovarianceProblem(PairDifferences(records), np.eye(d), floor, 1.0))
    other = solve(CovarianceProblem(PairDifferences(records), np.eye(d), floor / rho, rho))
    assert value_of(other) * rho == pytest.approx(value_of(one), rel=CLOSE)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 8), st.floats(0.0, 4.0))
def test_weak_duality_against_any_covariance(seed: int, d: int, m: int, floor: float) -> None:
    """No feasible Sigma costs less than the dual value, whatever the problem."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((d, d))
    weight = root @ root.T + 0.1 * np.eye(d)
    weight = (weight + weight.T) / 2
    problem = CovarianceProblem(PairDifferences(rng.standard_normal((m + d, d))), weight, floor, 1.5)
    solution = solve(problem)
    lower = lower_value(problem, solution)
    other = rng.standard_normal((d, d))
    any_covariance = Solution(other @ other.T + 0.1 * np.eye(d), np.eye(d), solution.dual, solution.status, ())
    symmetric = (any_covariance.covariance + any_covariance.covariance.T) / 2
    candidate = Solution(symmetric, np.eye(d), solution.dual, solution.status, ())
    assert lower <= upper_value(problem, candidate) * (1 + CLOSE)
    assert lower <= upper_value(problem, solution) * (1 + CLOSE)


@pytest.mark.parametrize(
    "records", [np.zeros((3, 2)), np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]]), gaussian(3, 4), np.ones((1, 2))]
)
def test_without_a_floor_the_vectors_must_span(records: FloatArray) -> None:
    with pytest.raises(SolverError, match="span"):
        solve(CovarianceProblem(PairDifferences(records), np.eye(records.shape[1]), 0.0, 1.0))


def test_no_vectors_and_no_floor_is_refused() -> None:
    with pytest.raises(SolverError, match="span"):
        solve(CovarianceProblem(ExplicitVectors(np.zeros((0, 2))), np.eye(2), 0.0, 1.0))
