"""What large programs do differently: cheaper frames and bounds, and an end at the gap that was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.solvers import fixed_point, values
from certify.solvers.floor import NoFloor
from certify.solvers.frame import Frame, cholesky, dual_root, geometric_mean_frame
from certify.solvers.iterate import Iterate
from certify.solvers.norm import norm_upper
from certify.solvers.precision import PrecisionBackend
from certify.solvers.problem import (
    CovarianceProblem,
    ExplicitVectors,
    FloatArray,
    Solution,
    SolveOptions,
    Status,
    ignore_progress,
)

OPTIMA = {64: 4.409397, 256: 6.372669}
"""T^2 / n of the prefix workload, as found elsewhere with an error of at most 1e-6."""


def prefix(size: int, gap: float) -> Solution:
    step = np.arange(size)
    weight = (size - np.maximum(step[:, None], step)).astype(np.float64)
    problem = CovarianceProblem(ExplicitVectors(np.eye(size)), weight, 0.0, 1.0)
    return PrecisionBackend().solve(problem, SolveOptions(relative_gap=gap), ignore_progress)


@pytest.mark.parametrize("size", OPTIMA)
def test_the_prefix_workload_has_the_published_optimum(size: int) -> None:
    solution = prefix(size, 2.5e-7)
    last = solution.history[-1]
    assert solution.status is Status.GAP_REACHED
    assert last.value_lower_estimate / size == pytest.approx(OPTIMA[size], abs=1e-6)
    assert 0 <= last.value_upper_estimate - last.value_lower_estimate <= 2.5e-7 * last.value_upper_estimate


def test_a_small_gap_is_reached_in_large_dimensions_too() -> None:
    last = prefix(210, 1e-11).history[-1]
    assert last.value_upper_estimate - last.value_lower_estimate <= 1e-11 * last.value_upper_estimate


def test_cheap_bounds_lead_to_the_same_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    problem = CovarianceProblem(
        ExplicitVectors(rng.standard_normal((60, 12))), np.diag(rng.uniform(1, 9, 12)), 0.0, 1.0
    )
    usual = PrecisionBackend().solve(problem, SolveOptions(), ignore_progress)
    for module in (fixed_point, values):
        monkeypatch.setattr(module, "LARGE", 0)
    cheap = PrecisionBackend().solve(problem, SolveOptions(), ignore_progress)
    assert cheap.status is usual.status is Status.GAP_REACHED
    np.testing.assert_allclose(cheap.precision, usual.precision, rtol=1e-5, atol=1e-6)


@given(st.integers(0, 10**6), st.floats(0, 3))
def test_the_corrected_value_is_below_the_best_dual_value(seed: int, lag: float) -> None:
    """``dual_root^2 / sum mu`` is the best value of the multipliers; near a fitting P both agree to second order."""
    rng = np.random.default_rng(seed)
    vectors, multipliers = rng.standard_normal((9, 4)), rng.uniform(0.1, 2, 9)
    weights = np.diag(np.exp(rng.uniform(-1, 1, 4)))
    fitting = geometric_mean_frame(cholesky((vectors.T * multipliers) @ vectors), weights)
    change = np.eye(4) + 10.0**-lag * rng.uniform(-0.1, 0.1, (4, 4))
    root = fitting.root @ change
    turn, roots, _ = np.linalg.svd(np.linalg.solve(root, weights))
    frame = Frame(root @ turn, roots**2)
    local = vectors @ frame.root
    best = dual_root(local, multipliers, frame.weights) ** 2 / multipliers.sum()
    found = values._corrected_value(local, Iterate(frame, multipliers, np.ones(9), None))
    assert found <= best * (1 + 1e-12)
    assert found >= best * (1 - 100 * 10.0 ** (-2 * lag)) - 1e-9
    assert values.lower_value(NoFloor(), Iterate(frame, multipliers, np.ones(9), None), local) == pytest.approx(best)


def test_the_quick_frame_is_the_geometric_mean() -> None:
    rng = np.random.default_rng(2)
    moment_root = cholesky(np.cov(rng.standard_normal((20, 60))))
    weight_root = np.diag(np.exp(rng.uniform(-3, 3, 20)))
    quick, usual = fixed_point._quick_frame(moment_root, weight_root), geometric_mean_frame(moment_root, weight_root)
    np.testing.assert_allclose(product(quick), product(usual), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(np.sort(quick.weights), np.sort(usual.weights), rtol=1e-6)


def product(frame: Frame) -> FloatArray:
    return np.asarray(frame.root @ frame.root.T)


@given(st.integers(1, 30), st.integers(0, 10**6))
def test_the_norm_is_bounded_closely(size: int, seed: int) -> None:
    half = np.random.default_rng(seed).standard_normal((size, size))
    symmetric = half + half.T
    largest = float(np.abs(np.linalg.eigvalsh(symmetric)).max())
    assert largest * (1 - 1e-12) <= norm_upper(symmetric) <= size**0.125 * largest * (1 + 1e-12)
