"""The backends against each other: three independent ways to one number.

Every solution carries its own bracket, recomputed here from the definitions, so brackets must intersect; 1e-9 of their
size is for the rounding of the recomputation. Clarabel reaches gaps near 1e-9 and SCS, which moves the primal point
only as far as its tolerance of 1e-7 asks, near 1e-5; the widths allowed are a hundred times that.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.solvers import conic_backend
from certify.solvers.problem import (
    CompactDual,
    CovarianceProblem,
    ExplicitVectors,
    FullDual,
    PairDifferences,
    Progress,
    ScaledDifferences,
    SensitivitySet,
    SolveOptions,
    SolverError,
    Status,
    dimension,
    ignore_progress,
)
from certify.solvers.select import NAMES, backend_by_name
from tests.solvers.values import lower_value, upper_value

ROUNDING = 1e-9
WIDTHS = {"auto": 1e-9, "precision": 1e-9, "clarabel": 1e-7, "scs": 1e-3}


def bracket(name: str, problem: CovarianceProblem) -> tuple[float, float]:
    solution = backend_by_name(name).solve(problem, SolveOptions(), ignore_progress)
    lower, upper = lower_value(problem, solution), upper_value(problem, solution)
    assert (upper - lower) / upper <= WIDTHS[name]
    return lower, upper


def check_agreement(problem: CovarianceProblem, names: tuple[str, ...] = ("precision", "clarabel", "scs")) -> None:
    brackets = [bracket(name, problem) for name in names]
    assert max(lower for lower, _ in brackets) <= min(upper for _, upper in brackets) * (1 + ROUNDING)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(0, 4), st.sampled_from([0.0, 0.3, 3.0]), st.booleans())
def test_the_backends_agree_on_random_domains(seed: int, d: int, more: int, floor: float, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    records, root = rng.standard_normal((d + more if more else d + 1, d)), rng.standard_normal((d, d))
    weight = root @ root.T + 0.1 * np.eye(d) if weighted else np.eye(d)
    check_agreement(CovarianceProblem(PairDifferences(records), (weight + weight.T) / 2, floor, 1.7))


SMALL_SETS: list[SensitivitySet] = [
    PairDifferences(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])),
    ExplicitVectors(np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 1.0, 1.0]])),
    ScaledDifferences(
        np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]]), np.array([[1, 0.7, 0.2], [0.3, 1, 0.5], [0.8, 0.5, 1]])
    ),
]


@pytest.mark.parametrize("sensitivity", SMALL_SETS)
@pytest.mark.parametrize("floor", [0.0, 1.5])
def test_the_backends_agree_on_every_kind_of_set(sensitivity: SensitivitySet, floor: float) -> None:
    d = dimension(sensitivity)
    check_agreement(CovarianceProblem(sensitivity, np.diag(np.arange(1.0, d + 1)), floor, 0.5))


@pytest.mark.parametrize("floor", [0.0, 0.5])
@pytest.mark.parametrize(
    ("engine", "weight"), [("clarabel", np.eye(3)), ("clarabel", np.diag([1.0, 2.0, 30.0])), ("scs", np.eye(3))]
)
def test_the_form_with_rows_agrees_with_the_form_with_blocks(
    engine: str, floor: float, weight: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = np.random.default_rng(8).standard_normal((9, 3))
    problem = CovarianceProblem(PairDifferences(records), weight, floor, 1.0)
    by_blocks = backend_by_name(engine).solve(problem, SolveOptions(), ignore_progress)
    monkeypatch.setattr(conic_backend, "BLOCK_ENTRIES", 0)
    by_rows = backend_by_name(engine).solve(problem, SolveOptions(), ignore_progress)
    assert isinstance(by_blocks.dual, FullDual)
    assert isinstance(by_rows.dual, CompactDual)
    highest = max(lower_value(problem, by_blocks), lower_value(problem, by_rows))
    assert highest <= min(upper_value(problem, by_blocks), upper_value(problem, by_rows)) * (1 + ROUNDING)
    assert highest >= upper_value(problem, by_rows) * (1 - WIDTHS[engine])


def test_rows_are_generated_where_they_are_many() -> None:
    """435 pairs in 5 dimensions do not go into blocks; the working set stays far below their number."""
    records = np.random.default_rng(3).standard_normal((60, 5))
    problem = CovarianceProblem(PairDifferences(records), np.eye(5), 0.0, 1.0)
    solution = backend_by_name("clarabel").solve(problem, SolveOptions(), ignore_progress)
    assert isinstance(solution.dual, CompactDual)
    assert solution.history[-1].active < 300
    assert lower_value(problem, solution) >= upper_value(problem, solution) * (1 - WIDTHS["clarabel"])


def test_a_full_dual_of_a_floor_carries_its_multiplier() -> None:
    records = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]])
    weight = np.array([[2.0, 0.5], [0.5, 1.0]])
    problem = CovarianceProblem(PairDifferences(records), weight, 2.0, 1.0)
    dual = backend_by_name("clarabel").solve(problem, SolveOptions(), ignore_progress).dual
    assert isinstance(dual, FullDual)
    assert dual.floor_multiplier is not None
    np.testing.assert_allclose(dual.blocks.sum(axis=0) + dual.floor_multiplier, weight, atol=1e-12)
    assert np.linalg.eigvalsh(dual.floor_multiplier)[-1] > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_every_backend_knows_when_the_floor_is_enough(name: str) -> None:
    problem = CovarianceProblem(PairDifferences(0.1 * np.eye(3)), np.eye(3), 1.0, 1.0)
    solution = backend_by_name(name).solve(problem, SolveOptions(), ignore_progress)
    np.testing.assert_array_equal(solution.covariance, np.eye(3))
    assert solution.status is Status.GAP_REACHED


@pytest.mark.parametrize("name", NAMES)
def test_every_backend_refuses_vectors_that_do_not_span(name: str) -> None:
    problem = CovarianceProblem(PairDifferences(np.array([[0.0, 0.0], [1.0, 1.0]])), np.eye(2), 0.0, 1.0)
    with pytest.raises(SolverError, match="span"):
        backend_by_name(name).solve(problem, SolveOptions(), ignore_progress)


@pytest.mark.parametrize("name", NAMES)
def test_every_backend_lets_an_interrupt_through(name: str) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    problem = CovarianceProblem(PairDifferences(np.eye(3)[:, :2]), np.eye(2), 0.0, 1.0)
    with pytest.raises(KeyboardInterrupt):
        backend_by_name(name).solve(problem, SolveOptions(), interrupt)


def test_choosing_a_solver_does_not_load_the_conic_ones() -> None:
    program = "import sys, certify.solvers.select; print([m for m in ('cvxpy', 'scs', 'clarabel') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
