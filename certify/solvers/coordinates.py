"""Choose coordinates in which a covariance program is well scaled; budget 1 always.

Scaling: Q = P / rho turns s^T P s <= rho into s^T Q s <= 1, tr(W P^{-1}) into tr(W Q^{-1}) / rho and P <= I / eta into
Q <= I / (eta rho). Mapping: s = T^{-T} s', so that Q = T Q' T^T, Sigma = T^{-T} Sigma' T^{-1} and W' = T^{-1} W T^{-T}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.frame import cholesky, geometric_mean_frame
from certify.solvers.problem import (
    CovarianceProblem,
    ExplicitVectors,
    FloatArray,
    PairDifferences,
    ScaledDifferences,
    SensitivitySet,
    SolverError,
)
from certify.solvers.separation import transform

DEPENDENT = 1e-13
"""Relative distance of a column from the span of the others below which binary64 cannot tell them apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """The set of T^T s, a root N' of W' = N' N'^T, and T itself."""

    sensitivity: SensitivitySet
    weight_root: FloatArray
    matrix: FloatArray


def whitened(problem: CovarianceProblem) -> Coordinates:
    """Return coordinates in which P = I is the best precision for the second moment of the vectors (floor 0).

    Raises:
        SolverError: the sensitivity vectors do not span R^d in binary64.
    """
    moment_root = _moment_root(problem.sensitivity)
    frame = geometric_mean_frame(moment_root, cholesky(problem.weight))
    return Coordinates(transform(problem.sensitivity, frame.root), np.diag(np.sqrt(frame.weights)), frame.root)


def _moment_root(sensitivity: SensitivitySet) -> FloatArray:
    """Return lower triangular C with C C^T the second moment of the vectors, or of the records about their mean."""
    match sensitivity:
        case PairDifferences(records) | ScaledDifferences(records, _):
            rows = records - records.mean(axis=0) if len(records) else records
        case ExplicitVectors(vectors):
            rows = vectors
    scale = np.abs(rows).max(axis=0, initial=0.0)
    if len(rows) < rows.shape[1] or not scale.all():
        raise SolverError("the sensitivity vectors do not span the space; reduce the problem to their span first")
    triangle = np.linalg.qr(rows / scale, mode="r")
    columns = np.sqrt(np.einsum("ij,ij->j", triangle, triangle))
    if np.any(np.abs(np.diag(triangle)) < DEPENDENT * columns):
        worst = int(np.argmin(np.abs(np.diag(triangle)) / columns))
        raise SolverError(
            f"column {worst} of the sensitivity vectors depends on the earlier ones in binary64; "
            "drop it, or reduce the problem to the span first"
        )
    lower: FloatArray = (triangle * scale).T / np.sqrt(len(rows))
    return lower * np.where(np.diag(lower) < 0, -1.0, 1.0)
