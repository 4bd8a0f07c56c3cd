"""Refuse a covariance program that is not well formed, naming the value at fault."""

from __future__ import annotations

import math

import numpy as np

from certify.solvers.problem import (
    CovarianceProblem,
    ExplicitVectors,
    FloatArray,
    PairDifferences,
    ScaledDifferences,
    SensitivitySet,
    SolveOptions,
    dimension,
)


def validate(problem: CovarianceProblem, options: SolveOptions) -> None:
    """Check shapes, finiteness and signs.

    Raises:
        ValueError: naming the field, the place and the offending value.
    """
    _validate_sensitivity(problem.sensitivity)
    _validate_weight(problem.weight, dimension(problem.sensitivity))
    if not (math.isfinite(problem.floor) and problem.floor >= 0):
        raise ValueError(f"floor is {problem.floor}; it must be a finite number >= 0")
    if not (math.isfinite(problem.rho) and problem.rho > 0):
        raise ValueError(f"rho is {problem.rho}; it must be a finite number > 0")
    if not 0 < options.relative_gap < 1:
        raise ValueError(f"relative_gap is {options.relative_gap}; it must lie in (0, 1)")
    if options.round_limit < 1:
        raise ValueError(f"round_limit is {options.round_limit}; it must be at least 1")


def _validate_sensitivity(sensitivity: SensitivitySet) -> None:
    match sensitivity:
        case PairDifferences(records):
            _require_finite("records", records)
        case ScaledDifferences(records, factors):
            _require_finite("records", records)
            _validate_factors(factors, len(records))
        case ExplicitVectors(vectors):
            _require_finite("vectors", vectors)
    if dimension(sensitivity) == 0:
        raise ValueError("the sensitivity vectors have length 0; there is nothing to solve")


def _validate_factors(factors: FloatArray, count: int) -> None:
    if factors.shape != (count, count):
        raise ValueError(f"factors have shape {factors.shape}; {count} records need ({count}, {count})")
    bad = ~((factors > 0) & (factors <= 1))
    np.fill_diagonal(bad, val=False)
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise ValueError(f"factors[{i}, {j}] is {factors[i, j]}; a factor must lie in (0, 1]")


def _validate_weight(weight: FloatArray, d: int) -> None:
    _require_finite("weight", weight)
    if weight.shape != (d, d):
        raise ValueError(f"weight has shape {weight.shape}; sensitivity vectors of length {d} need ({d}, {d})")
    if not np.array_equal(weight, weight.T):
        i, j = np.argwhere(weight != weight.T)[0]
        raise ValueError(
            f"weight is not symmetric: entries ({i}, {j}) and ({j}, {i}) are {weight[i, j]}, {weight[j, i]}"
        )
    try:
        np.linalg.cholesky(weight)
    except np.linalg.LinAlgError:
        raise ValueError("weight is not positive definite (its Cholesky factorisation fails in binary64)") from None


def _require_finite(name: str, array: FloatArray) -> None:
    if array.ndim != 2 or array.dtype != np.float64:
        raise ValueError(
            f"{name} must be a 2-dimensional array of binary64, got {array.ndim} dimensions of {array.dtype}"
        )
    if not np.isfinite(array).all():
        i, j = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"{name}[{i}, {j}] is {array[i, j]}; every entry must be finite")
