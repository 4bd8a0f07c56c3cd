"""Every bad input is named, by every backend."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from certify.solvers.problem import (
    CovarianceProblem,
    ExplicitVectors,
    PairDifferences,
    ScaledDifferences,
    SolveOptions,
    ignore_progress,
)
from certify.solvers.select import NAMES, backend_by_name

RECORDS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
GOOD = CovarianceProblem(PairDifferences(RECORDS), np.eye(2), 0.0, 1.0)
NOT_A_NUMBER = np.where(np.eye(3, 2) == 1, np.nan, RECORDS)

BAD_PROBLEMS: list[tuple[dict[str, Any], str]] = [
    ({"sensitivity": PairDifferences(NOT_A_NUMBER)}, r"records\[0, 0\] is nan"),
    ({"sensitivity": PairDifferences(np.array([[1.0, np.inf]]))}, r"records\[0, 1\] is inf"),
    ({"sensitivity": PairDifferences(np.arange(3.0))}, "records must be a 2-dimensional array"),
    ({"sensitivity": PairDifferences(np.eye(2, dtype=np.int64))}, "of binary64, got 2 dimensions of int64"),
    ({"sensitivity": PairDifferences(np.zeros((3, 0)))}, "length 0"),
    ({"sensitivity": ExplicitVectors(np.array([[1.0, -np.inf]]))}, r"vectors\[0, 1\] is -inf"),
    ({"sensitivity": ScaledDifferences(RECORDS, np.ones((2, 2)))}, r"factors have shape \(2, 2\)"),
    ({"sensitivity": ScaledDifferences(RECORDS, np.zeros((3, 3)))}, r"factors\[0, 1\] is 0.0"),
    ({"sensitivity": ScaledDifferences(RECORDS, np.full((3, 3), 1.5))}, r"factors\[0, 1\] is 1.5"),
    ({"sensitivity": ScaledDifferences(RECORDS, np.full((3, 3), np.nan))}, r"factors\[0, 1\] is nan"),
    ({"weight": np.eye(3)}, r"weight has shape \(3, 3\)"),
    ({"weight": np.array([[1.0, 0.5], [0.0, 1.0]])}, r"not symmetric: entries \(0, 1\) and \(1, 0\) are 0.5, 0.0"),
    ({"weight": np.array([[1.0, 2.0], [2.0, 1.0]])}, "not positive definite"),
    ({"weight": np.array([[1.0, 0.0], [0.0, 0.0]])}, "not positive definite"),
    ({"weight": np.array([[1.0, np.nan], [np.nan, 1.0]])}, r"weight\[0, 1\] is nan"),
    ({"floor": -1.0}, "floor is -1.0"),
    ({"floor": np.nan}, "floor is nan"),
    ({"floor": np.inf}, "floor is inf"),
    ({"rho": 0.0}, "rho is 0.0"),
    ({"rho": -2.0}, "rho is -2.0"),
    ({"rho": np.inf}, "rho is inf"),
]

BAD_OPTIONS: list[tuple[SolveOptions, str]] = [
    (SolveOptions(relative_gap=0.0), "relative_gap is 0.0"),
    (SolveOptions(relative_gap=1.0), "relative_gap is 1.0"),
    (SolveOptions(round_limit=0), "round_limit is 0"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("change", "message"), BAD_PROBLEMS)
def test_a_bad_problem_is_refused_by_name_and_value(name: str, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        backend_by_name(name).solve(replace(GOOD, **change), SolveOptions(), ignore_progress)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
def test_bad_options_are_refused_by_name_and_value(name: str, options: SolveOptions, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        backend_by_name(name).solve(GOOD, options, ignore_progress)


def test_the_diagonal_of_the_factors_is_ignored() -> None:
    factors = np.full((3, 3), 0.5)
    np.fill_diagonal(factors, np.nan)
    problem = replace(GOOD, sensitivity=ScaledDifferences(RECORDS, factors))
    assert backend_by_name("precision").solve(problem, SolveOptions(), ignore_progress).covariance.shape == (2, 2)
    assert np.isnan(factors[0, 0])


@pytest.mark.parametrize("name", NAMES)
def test_a_backend_knows_its_name(name: str) -> None:
    assert backend_by_name(name).name == name


@pytest.mark.parametrize("name", ["", "SCS", "mosek"])
def test_an_unknown_backend_is_refused_with_the_names(name: str) -> None:
    with pytest.raises(ValueError, match="auto, precision, scs, clarabel"):
        backend_by_name(name)
