"""The benchmark of designs on tiny sizes: it runs, what it claims is proved, and its peers solve the same problem."""

from __future__ import annotations

import numpy as np
import pytest

from certify.checker.certificate import Certificate
from tests.benchmarks.conftest import Load

SQUARE_ROOT = {64: 4.971457, 256: 7.122399, 1024: 9.670793}
"""T^2 / n of the square-root Toeplitz factorisation, as published."""


@pytest.mark.parametrize("size", [1, 2, 5])
def test_the_prefix_workload_is_designed_and_proved(size: int, load: Load) -> None:
    covariance = load("covariance")
    found = covariance.run(covariance.prefix(size), 1e-6)
    lower, upper = found.bracket
    assert isinstance(found.certificate, Certificate)
    assert found.status == "PROVED"
    assert 0 < lower <= upper <= lower * (1 + 1e-6)
    assert upper <= size * covariance.square_root_cost(size) * (1 + 1e-9)
    assert len(found.line("n")) == len(covariance.HEADINGS)
    assert found.total.cpu >= found.check.cpu


@pytest.mark.parametrize("size", SQUARE_ROOT)
def test_the_square_root_factorisation_costs_what_is_published(size: int, load: Load) -> None:
    assert load("covariance").square_root_cost(size) == pytest.approx(SQUARE_ROOT[size], abs=5e-7)


def test_the_peers_solve_the_problem_that_is_certified(load: Load) -> None:
    covariance = load("covariance")
    records = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    first, second = np.triu_indices(4, 1)
    domain = covariance.FiniteDomain(covariance.from_floats(records), None)
    task = covariance.DesignTask(
        covariance.denoiser(domain), covariance.RHO_ONE, covariance.identity(2), covariance.fmpq(0)
    )
    lower, upper = covariance.run(task, 1e-9).bracket
    for solve in (covariance.by_blocks, covariance.by_rows):
        assert solve(records[first] - records[second], "CLARABEL") == pytest.approx((lower + upper) / 2, rel=1e-6)


def test_short_work_is_repeated_and_long_work_is_not(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    covariance = load("covariance")
    runs: list[int] = []
    covariance.quickest(lambda: runs.append(0))
    assert len(runs) == covariance.MOST_RUNS
    runs.clear()
    monkeypatch.setattr(covariance, "ENOUGH", 0)
    covariance.quickest(lambda: runs.append(0))
    assert len(runs) == 1
