"""Limits, progress and interrupts of the precision backend."""

from __future__ import annotations

import numpy as np
import pytest

from certify.solvers.precision import PrecisionBackend
from certify.solvers.problem import (
    CovarianceProblem,
    PairDifferences,
    Progress,
    SolveOptions,
    Status,
)
from tests.solvers.solving import CLOSE, gaussian, solve, value_of
from tests.solvers.values import lower_value, relative_gap, upper_value


def test_a_time_limit_still_returns_a_bracket() -> None:
    problem = CovarianceProblem(PairDifferences(gaussian(60, 6)), np.eye(6), 0.0, 1.0)
    best = value_of(solve(problem))
    solution = solve(problem, SolveOptions(time_limit=0.0))
    assert solution.status is Status.TIME_LIMIT
    assert lower_value(problem, solution) <= best * (1 + CLOSE)
    assert upper_value(problem, solution) >= best * (1 - CLOSE)


def test_a_round_limit_still_returns_a_bracket() -> None:
    problem = CovarianceProblem(PairDifferences(gaussian(60, 6)), np.eye(6), 0.0, 1.0)
    solution = solve(problem, SolveOptions(round_limit=1))
    assert solution.status is Status.ROUND_LIMIT
    assert len(solution.history) == 1
    assert 0 < relative_gap(problem, solution) < 0.5


def test_every_round_and_iteration_is_reported() -> None:
    seen: list[Progress] = []
    problem = CovarianceProblem(PairDifferences(gaussian(60, 6)), np.eye(6), 0.0, 1.0)
    solution = PrecisionBackend().solve(problem, SolveOptions(), seen.append)
    assert {entry.round for entry in seen} >= {entry.round for entry in solution.history}
    assert len(seen) > len(solution.history)
    assert seen[0].relative_gap == np.inf


def test_an_interrupt_while_reporting_ends_the_solve() -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    problem = CovarianceProblem(PairDifferences(gaussian(60, 6)), np.eye(6), 0.0, 1.0)
    with pytest.raises(KeyboardInterrupt):
        PrecisionBackend().solve(problem, SolveOptions(), interrupt)


def test_the_brackets_of_the_rounds_only_shrink() -> None:
    problem = CovarianceProblem(PairDifferences(gaussian(300, 5)), np.eye(5), 0.0, 1.0)
    history = solve(problem).history
    lowers = [entry.value_lower_estimate for entry in history]
    uppers = [entry.value_upper_estimate for entry in history]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)
