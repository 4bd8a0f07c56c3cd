"""Small problems, and solving them with the precision backend, for several test files."""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers.precision import PrecisionBackend
from certify.solvers.problem import (
    CovarianceProblem,
    FloatArray,
    SensitivitySet,
    Solution,
    SolveOptions,
    Status,
    ignore_progress,
)
from tests.solvers.values import relative_gap, upper_value

CLOSE = 1e-9


def solve(problem: CovarianceProblem, options: SolveOptions | None = None) -> Solution:
    return PrecisionBackend().solve(problem, options or SolveOptions(), ignore_progress)


def solved(sensitivity: SensitivitySet, weight: FloatArray, floor: float = 0.0, rho: float = 1.0) -> Solution:
    """Solve, and insist on a bracket that closes: value, covariance and dual then agree with each other."""
    problem = CovarianceProblem(sensitivity, weight, floor, rho)
    solution = solve(problem)
    assert solution.status is Status.GAP_REACHED
    assert relative_gap(problem, solution) <= CLOSE
    assert solution.history[-1].value_upper_estimate == pytest.approx(upper_value(problem, solution), rel=CLOSE, abs=0)
    return solution


def value_of(solution: Solution) -> float:
    return solution.history[-1].value_upper_estimate


def gaussian(m: int, d: int, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).standard_normal((m, d))


def ill_conditioned(d: int, decades: float, seed: int = 0) -> FloatArray:
    """Return a weight with eigenvalues 10^-decades .. 10^decades in no special directions."""
    turn = np.linalg.qr(gaussian(d, d, seed))[0]
    weight: FloatArray = (turn * 10.0 ** np.linspace(-decades, decades, d)) @ turn.T
    return (weight + weight.T) / 2
