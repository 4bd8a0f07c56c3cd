"""The Newton systems against their own equations, written out in full.

Random systems of condition below 1e4: solutions agree to 1e-9 with room to spare.
"""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers import newton
from certify.solvers.coupled_newton import factorise_coupled
from certify.solvers.newton import factorise, inverse_factors, moment_of, squares_under, triangle_index
from certify.solvers.problem import FloatArray

CLOSE = 1e-9


def symmetric(rng: np.random.Generator, d: int) -> FloatArray:
    matrix = rng.standard_normal((d, d))
    return np.asarray(matrix + matrix.T)


@pytest.mark.parametrize(("count", "d"), [(1, 1), (3, 3), (5, 3), (6, 3), (30, 3), (4, 5), (40, 5), (30, 60)])
@pytest.mark.parametrize("chunk", [1, 50, 1 << 20])
def test_the_solution_satisfies_both_equations(count: int, d: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newton, "CHUNK", chunk)
    rng = np.random.default_rng(count * 10 + d)
    vectors, curvature = rng.standard_normal((count, d)), np.abs(symmetric(rng, d)) + 1
    ratios, right, shift = rng.uniform(0.1, 10, count), symmetric(rng, d), rng.standard_normal(count)
    system = factorise(vectors, curvature, ratios, triangle_index(d))
    step, multiplier_step = system.solve(right, shift)
    first = curvature * step + moment_of(vectors, multiplier_step)
    np.testing.assert_allclose(first, right, atol=CLOSE)
    np.testing.assert_allclose(squares_under(step, vectors) - ratios * multiplier_step, -shift, atol=CLOSE)
    np.testing.assert_allclose(step, step.T, atol=CLOSE)


@pytest.mark.parametrize(("count", "d"), [(1, 1), (3, 3), (30, 3), (4, 6), (60, 6)])
@pytest.mark.parametrize("decades", [0.0, 2.0, 6.0])
def test_a_coupled_system_is_solved_to_its_accuracy(count: int, d: int, decades: float) -> None:
    """V from a floor late in a solve: large on some directions, small on the others, in no special basis.

    Conjugate gradients stop at 1e-9 in a norm of the problem; 1e-6 of the right-hand side covers the change of norm.
    """
    rng = np.random.default_rng(count * 10 + d)
    vectors, weights, ratios = rng.standard_normal((count, d)), rng.uniform(0.1, 10, d), rng.uniform(0.1, 10, count)
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    coupling = (turn * 10.0 ** rng.choice([-decades / 2, decades / 2], d)) @ turn.T
    coupling = (coupling + coupling.T) / 2
    right, shift = symmetric(rng, d), rng.standard_normal(count)
    step, multiplier_step = factorise_coupled(vectors, weights, coupling, ratios, triangle_index(d)).solve(right, shift)
    weighted = weights[:, None] * step
    first = weighted + weighted.T + coupling @ step @ coupling + moment_of(vectors, multiplier_step)
    np.testing.assert_allclose(first, right, atol=1e-6 * 10.0**decades)
    np.testing.assert_allclose(squares_under(step, vectors) - ratios * multiplier_step, -shift, atol=CLOSE)


@pytest.mark.parametrize(("d", "decades"), [(60, 0.5), (120, 2.0), (200, 4.0)])
def test_a_sum_of_weights_has_an_inverse_of_low_rank(d: int, decades: float) -> None:
    weights = 10.0 ** np.linspace(0, decades, d)
    curvature = weights[:, None] + weights
    factors = inverse_factors(curvature, d // 4)
    assert factors is not None
    assert len(factors) < d // 4
    scale = np.sqrt(np.diag(curvature))
    np.testing.assert_allclose(
        (factors.T @ factors) * scale[:, None] * scale, scale[:, None] * scale / curvature, atol=1e-8
    )


def test_other_curvatures_may_have_none() -> None:
    assert inverse_factors(np.abs(symmetric(np.random.default_rng(0), 60)) + 1, 15) is None
    assert inverse_factors(np.full((8, 8), 2.0), 0) is None


def test_low_rank_changes_nothing_but_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    vectors, weights, ratios = rng.standard_normal((20, 64)), rng.uniform(1, 3, 64), rng.uniform(0.1, 10, 20)
    curvature, index, right = weights[:, None] + weights, triangle_index(64), symmetric(rng, 64)
    assert inverse_factors(curvature, 16) is not None
    fast = factorise(vectors, curvature, ratios, index).solve(right, ratios)
    monkeypatch.setattr(newton, "inverse_factors", lambda *_: None)
    slow = factorise(vectors, curvature, ratios, index).solve(right, ratios)
    np.testing.assert_allclose(fast[1], slow[1], rtol=1e-6)


def test_dependent_active_vectors_do_not_stop_the_factorisation() -> None:
    vectors = np.repeat(np.eye(3)[:1], 4, axis=0)
    system = factorise(vectors, np.ones((3, 3)), np.full(4, 1e-300), triangle_index(3))
    assert np.isfinite(system.factor).all()


def test_an_indefinite_system_is_an_error() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="Newton"):
        factorise(np.eye(2), np.ones((2, 2)), np.array([-9.0, 1.0]), triangle_index(2))
