"""The precision backend against closed forms and against its own brackets.

Comparisons allow a relative 1e-9: ten thousand times the 1e-13 that binary64 leaves on these small problems, and far
below any mistake in a formula.
"""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers.precision import PrecisionBackend
from certify.solvers.problem import (
    CovarianceProblem,
    ExplicitVectors,
    PairDifferences,
    SensitivitySet,
    Solution,
    SolveOptions,
    Status,
    ignore_progress,
)

CLOSE = 1e-9


def solve(sensitivity: SensitivitySet, weight: np.ndarray, rho: float = 1.0) -> Solution:
    problem = CovarianceProblem(sensitivity, weight, 0.0, rho)
    return PrecisionBackend().solve(problem, SolveOptions(), ignore_progress)


@pytest.mark.parametrize("rho", [1e-12, 1.0, 1e12])
def test_one_direction_costs_its_weighted_square_over_the_budget(rho: float) -> None:
    solution = solve(PairDifferences(np.array([[1.0], [4.0]])), np.array([[5.0]]), rho)
    assert solution.covariance[0, 0] == pytest.approx(9 / rho, rel=CLOSE, abs=0)
    assert solution.history[-1].value_lower_estimate == pytest.approx(45 / rho, rel=CLOSE, abs=0)
    assert solution.status is Status.GAP_REACHED


def test_orthogonal_vectors_share_the_budget_by_length() -> None:
    """For the vectors l_i e_i and W = I the optimum is Sigma_ii proportional to l_i^2: every constraint is separate."""
    lengths = np.array([1.0, 2.0, 5.0])
    solution = solve(ExplicitVectors(np.diag(lengths)), np.eye(3))
    np.testing.assert_allclose(solution.covariance, np.diag(lengths**2), atol=CLOSE * 25)
