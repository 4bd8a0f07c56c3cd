"""The precision backend with a noise floor; comparisons as in test_precision."""

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
    SensitivitySet,
    SolverError,
)
from tests.solvers.solving import CLOSE, gaussian, ill_conditioned, solve, solved, value_of


@pytest.mark.parametrize("floor", [5e-324, 1e-300, 1e-30])
def test_a_floor_near_zero_is_as_good_as_none(floor: float) -> None:
    records = gaussian(12, 3)
    free = value_of(solved(PairDifferences(records), np.eye(3)))
    assert value_of(solved(PairDifferences(records), np.eye(3), floor)) == pytest.approx(free, rel=CLOSE)


def test_a_floor_near_zero_cannot_carry_directions_without_vectors() -> None:
    with pytest.raises(SolverError, match=r"binary64|span|broke down"):
        solve(CovarianceProblem(PairDifferences(gaussian(3, 4)), np.eye(4), 5e-324, 1.0))


@pytest.mark.parametrize("weight", [np.eye(3), np.diag([1.0, 10.0, 100.0])])
@pytest.mark.parametrize("floor", [1e-9, 0.5, 4.0, 30.0, 1e6])
def test_a_floor_raises_each_separate_direction(weight: FloatArray, floor: float) -> None:
    """For the vectors l_i e_i and a diagonal W: Sigma_ii = max(l_i^2, eta)."""
    lengths = np.array([1.0, 2.0, 5.0])
    solution = solved(ExplicitVectors(np.diag(lengths)), weight, floor)
    np.testing.assert_allclose(np.diag(solution.covariance), np.maximum(lengths**2, floor), rtol=1e-5)
    assert np.linalg.eigvalsh(solution.covariance)[0] >= floor * (1 - CLOSE)


@pytest.mark.parametrize("floor", [1e-3, 1.0, 5.0])
def test_with_a_floor_the_vectors_need_not_span(floor: float) -> None:
    """One direction s in three dimensions: Sigma = eta I plus what s lacks, value 2 eta + max(eta, |s|^2 / rho)."""
    records = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 2.0]])
    solution = solved(PairDifferences(records), np.eye(3), floor, rho=3.0)
    assert value_of(solution) == pytest.approx(2 * floor + max(floor, 3.0), rel=CLOSE)


@pytest.mark.parametrize(
    "sensitivity",
    [PairDifferences(np.ones((1, 3))), ExplicitVectors(np.zeros((0, 3))), PairDifferences(0.1 * gaussian(10, 3))],
)
def test_a_floor_that_suffices_is_the_answer(sensitivity: SensitivitySet) -> None:
    weight = ill_conditioned(3, 1.0)
    solution = solve(CovarianceProblem(sensitivity, weight, 2.0, 1.0))
    np.testing.assert_array_equal(solution.covariance, 2.0 * np.eye(3))
    assert isinstance(solution.dual, CompactDual)
    assert len(solution.dual.multipliers) == 0
    assert value_of(solution) == pytest.approx(2.0 * np.trace(weight), rel=CLOSE)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.floats(0.01, 3.0), st.floats(1.0, 3.0))
def test_a_higher_floor_never_costs_less(seed: int, d: int, floor: float, factor: float) -> None:
    records = gaussian(d + 3, d, seed)
    low = value_of(solve(CovarianceProblem(PairDifferences(records), np.eye(d), floor, 1.0)))
    high = value_of(solve(CovarianceProblem(PairDifferences(records), np.eye(d), floor * factor, 1.0)))
    assert low <= high * (1 + CLOSE)
