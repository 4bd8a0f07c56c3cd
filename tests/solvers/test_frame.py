"""Frames and geometric means against their defining equations, to 1e-10 on matrices of condition about 1e3."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.solvers.frame import (
    Frame,
    cholesky,
    dual_root,
    frame_on,
    geometric_mean_frame,
    moment_root,
    moved,
    scaled,
)
from certify.solvers.problem import FloatArray

CLOSE = 1e-10


def positive(rng: np.random.Generator, d: int) -> FloatArray:
    root = rng.standard_normal((d, 2 * d))
    return np.asarray(root @ root.T / d)


def check(frame: Frame, precision: FloatArray, weight: FloatArray) -> None:
    scale = np.abs(weight).max()
    np.testing.assert_allclose(frame.root @ frame.root.T, precision, atol=CLOSE * np.abs(precision).max())
    np.testing.assert_allclose((frame.root * frame.weights) @ frame.root.T, weight, atol=CLOSE * scale)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_a_frame_diagonalises_both_matrices(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    precision, weight, step = positive(rng, d), positive(rng, d), positive(rng, d)
    frame = frame_on(cholesky(precision), cholesky(weight))
    check(frame, precision, weight)
    check(scaled(frame, 3.0), 3 * precision, weight)
    other, change = moved(frame, step)
    np.testing.assert_allclose(frame.root @ change, other.root, atol=CLOSE)
    check(other, precision + frame.root @ step @ frame.root.T, weight)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_geometric_mean_solves_its_equation(seed: int, d: int) -> None:
    """P M P = W, and the sum of the frame's weights is tr (W^{1/2} M W^{1/2})^{1/2}."""
    rng = np.random.default_rng(seed)
    moment, weight = positive(rng, d), positive(rng, d)
    frame = geometric_mean_frame(cholesky(moment), cholesky(weight))
    precision = frame.root @ frame.root.T
    np.testing.assert_allclose(precision @ moment @ precision, weight, atol=1e-8 * np.abs(weight).max())
    check(frame, precision, weight)
    eigenvalues = np.linalg.eigvals(weight @ moment).real
    assert frame.weights.sum() == pytest.approx(np.sqrt(eigenvalues).sum(), rel=1e-8)


def test_the_moment_is_never_formed() -> None:
    rng = np.random.default_rng(0)
    vectors, multipliers, more = rng.standard_normal((9, 4)), rng.uniform(0.1, 2, 9), rng.standard_normal((2, 4))
    moment = (vectors.T * multipliers) @ vectors
    root = moment_root(vectors, multipliers)
    np.testing.assert_allclose(root @ root.T, moment, atol=CLOSE)
    np.testing.assert_array_equal(np.triu(root, 1), 0)
    joint = moment_root(vectors, multipliers, more)
    np.testing.assert_allclose(joint @ joint.T, moment + more.T @ more, atol=CLOSE)
    weights = rng.uniform(0.5, 2, 4)
    eigenvalues = np.linalg.eigvals(np.diag(weights) @ moment).real
    assert dual_root(vectors, multipliers, weights) == pytest.approx(np.sqrt(eigenvalues).sum(), rel=CLOSE)


def test_a_step_out_of_the_cone_is_an_error() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        moved(Frame(np.eye(2), np.ones(2)), -2 * np.eye(2))
