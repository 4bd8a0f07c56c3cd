"""The refined dual precision: W - P' M P' is PSD in extended precision, and the value has not moved.

The margin wanted is zero; 1e-15 is what the eigenvalues of the residual, computed in binary64, can be off by.
"""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers import refinement
from certify.solvers.frame import cholesky, geometric_mean_frame
from certify.solvers.problem import FloatArray
from certify.solvers.refinement import refined_dual_precision
from certify.solvers.values import DualPoint

WIDE = np.finfo(np.longdouble).eps < np.finfo(np.float64).eps


def smallest_excess(weight: FloatArray, vectors: FloatArray, dual: DualPoint, precision: FloatArray) -> float:
    """Return the smallest eigenvalue of W - P' M P' relative to W."""
    wide = precision.astype(np.longdouble)
    moment = (vectors.T.astype(np.longdouble) * dual.multipliers) @ vectors
    residual = (weight - wide @ moment @ wide).astype(np.float64)
    lower = np.linalg.cholesky(weight)
    relative = np.linalg.solve(lower, np.linalg.solve(lower, residual).T)
    return float(np.linalg.eigvalsh((relative + relative.T) / 2)[0])


def perturbed_dual(seed: int, d: int, decades: float, noise: float) -> tuple[FloatArray, FloatArray, DualPoint]:
    rng = np.random.default_rng(seed)
    vectors, multipliers = rng.standard_normal((3 * d, d)), rng.uniform(0.5, 2.0, 3 * d)
    weight = np.diag(10.0 ** np.linspace(-decades, decades, d))
    frame = geometric_mean_frame(cholesky((vectors.T * multipliers) @ vectors), cholesky(weight))
    root = frame.root @ (np.eye(d) + noise * rng.standard_normal((d, d)))
    return weight, vectors, DualPoint(multipliers, root, frame, np.zeros((d, d)))


@pytest.mark.skipif(not WIDE, reason="this platform has no type wider than binary64")
@pytest.mark.parametrize("decades", [0.0, 3.0, 5.0])
@pytest.mark.parametrize("noise", [0.0, 1e-12, 1e-9])
def test_the_dual_matrix_becomes_psd_at_no_cost(decades: float, noise: float) -> None:
    for seed in range(5):
        weight, vectors, dual = perturbed_dual(seed, 6, decades, noise)
        precision = refined_dual_precision(weight, vectors, dual, has_floor=False)
        assert smallest_excess(weight, vectors, dual, precision) > -1e-15
        moment = (vectors.T * dual.multipliers) @ vectors
        exact = float(np.vdot(dual.frame.root @ dual.frame.root.T, moment))
        assert float(np.vdot(precision, moment)) == pytest.approx(exact, rel=1e-11)


def test_unrefined_noise_would_have_been_seen() -> None:
    """The measure of the test above does see a P' that is off by 1e-9."""
    weight, vectors, dual = perturbed_dual(1, 6, 3.0, 1e-9)
    assert smallest_excess(weight, vectors, dual, dual.root @ dual.root.T) < -1e-10


def test_too_much_work_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refinement, "AFFORDABLE", 10)
    weight, vectors, dual = perturbed_dual(1, 4, 0.0, 1e-3)
    precision = refined_dual_precision(weight, vectors, dual, has_floor=False)
    np.testing.assert_array_equal(precision, dual.root @ dual.root.T)
