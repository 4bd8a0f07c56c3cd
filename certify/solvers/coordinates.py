"""Choose coordinates in which a covariance program is well scaled; budget 1 always.

Scaling: Q = P / rho turns s^T P s <= rho into s^T Q s <= 1, tr(W P^{-1}) into tr(W Q^{-1}) / rho and P <= I / eta into
Q <= I / (eta rho). Mapping: s = T^{-T} s', so that Q = T Q' T^T, Sigma = T^{-T} Sigma' T^{-1} and W' = T^{-1} W T^{-T}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.floor import Floor, MatrixFloor, NoFloor, SpectralFloor
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
    """A program in new coordinates.

    Attributes:
        sensitivity: the set of T^T s.
        weight_root: diagonal N' with W' = N' N'^T.
        floor: the floor on P'.
        floor_root: eta N^T T with W = N N^T; its square, eta^2 T^T W T, is the moment whose best precision is I / eta.
        matrix: T.
    """

    sensitivity: SensitivitySet
    weight_root: FloatArray
    floor: Floor
    floor_root: FloatArray
    matrix: FloatArray


def whitened(problem: CovarianceProblem) -> Coordinates:
    """Return coordinates in which P = I is near the best precision for the second moment of the vectors.

    With a floor the second moment grows by eta^2 W, the moment whose best precision is I / eta, so P <= I / eta holds.

    Raises:
        SolverError: the sensitivity vectors do not span R^d in binary64.
    """
    weight_root, eta = cholesky(problem.weight), problem.floor * problem.rho
    rows = _spread(problem.sensitivity)
    frame = geometric_mean_frame(_moment_root(np.vstack([rows, eta * weight_root.T]) if eta else rows), weight_root)
    sensitivity = transform(problem.sensitivity, frame.root)
    floor, floor_root = _floor(problem.weight, eta, frame.root), eta * weight_root.T @ frame.root
    new_root = np.diag(np.sqrt(frame.weights))
    return Coordinates(sensitivity, new_root, floor, floor_root, frame.root)


def _floor(weight: FloatArray, eta: float, matrix: FloatArray) -> Floor:
    """Return the floor P <= I / eta on P' = T^{-1} P T^{-T}."""
    if eta == 0:
        return NoFloor()
    level = float(weight[0, 0]) * eta
    if np.array_equal(weight, weight[0, 0] * np.eye(len(weight))):
        return SpectralFloor(level)
    return MatrixFloor(np.linalg.inv(matrix) / np.sqrt(eta))


def _spread(sensitivity: SensitivitySet) -> FloatArray:
    """Return rows with the second moment of the vectors, or of the records about their mean."""
    match sensitivity:
        case PairDifferences(records) | ScaledDifferences(records, _):
            return (records - records.mean(axis=0)) / np.sqrt(len(records)) if len(records) else records
        case ExplicitVectors(vectors):
            return np.asarray(vectors / np.sqrt(max(1, len(vectors))))


def _moment_root(rows: FloatArray) -> FloatArray:
    """Return lower triangular C with C C^T = rows^T rows."""
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
    lower: FloatArray = (triangle * scale).T
    return lower * np.where(np.diag(lower) < 0, -1.0, 1.0)
