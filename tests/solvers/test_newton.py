"""The two eliminations of the Newton system, and the system itself written out in full.

Random systems of condition below 1e4: solutions agree to 1e-9 with room to spare.
"""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers import newton
from certify.solvers.newton import factorise, moment_of, squares_under, triangle_index
from certify.solvers.problem import FloatArray

CLOSE = 1e-9


def symmetric(rng: np.random.Generator, d: int) -> FloatArray:
    matrix = rng.standard_normal((d, d))
    return np.asarray(matrix + matrix.T)


@pytest.mark.parametrize(("count", "d"), [(1, 1), (3, 3), (5, 3), (6, 3), (30, 3), (4, 5), (40, 5)])
@pytest.mark.parametrize("coupled", [False, True])
@pytest.mark.parametrize("chunk", [1, 50, 1 << 20])
def test_the_solution_satisfies_both_equations(
    count: int, d: int, coupled: bool, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newton, "CHUNK", chunk)
    rng = np.random.default_rng(count * 10 + d)
    vectors, curvature = rng.standard_normal((count, d)), np.abs(symmetric(rng, d)) + 1
    ratios, root = rng.uniform(0.1, 10, count), rng.standard_normal((d, d))
    coupling = root @ root.T + np.eye(d) if coupled else None
    right, shift = symmetric(rng, d), rng.standard_normal(count)
    system = factorise(vectors, curvature, ratios, coupling, triangle_index(d))
    step, multiplier_step = system.solve(right, shift)
    coupled_part = 0.0 if coupling is None else coupling @ step @ coupling
    first = curvature * step + coupled_part + moment_of(vectors, multiplier_step)
    np.testing.assert_allclose(first, right, atol=CLOSE)
    np.testing.assert_allclose(squares_under(step, vectors) - ratios * multiplier_step, -shift, atol=CLOSE)
    np.testing.assert_allclose(step, step.T, atol=CLOSE)


def test_dependent_active_vectors_do_not_stop_the_factorisation() -> None:
    vectors = np.repeat(np.eye(3)[:1], 4, axis=0)
    system = factorise(vectors, np.ones((3, 3)), np.full(4, 1e-300), None, triangle_index(3))
    assert np.isfinite(system.factor).all()


def test_an_indefinite_system_is_an_error() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="Newton"):
        factorise(np.eye(2), np.ones((2, 2)), np.array([-9.0, 1.0]), None, triangle_index(2))
