"""The noise floor P <= B in the coordinates of a solve, and its part of an interior-point iteration.

In a frame of P the floor reads I + G = R^{-1} B R^{-T} with a slack G, and has a multiplier Y; both stay symmetric
positive definite and G Y -> tau I. Nesterov-Todd scaling: K with K^T G K = K^{-1} Y K^{-T} = diag(values). When B is a
multiple of W all four of P, W, G and, on the central path, Y share eigenvectors, so the frame diagonalises everything:
the spectral floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
from scipy.linalg import lapack

from certify.solvers.frame import Frame, cholesky, solve_lower
from certify.solvers.problem import FloatArray


@dataclass(frozen=True, slots=True)
class NoFloor:
    """Sigma > 0 only."""


@dataclass(frozen=True, slots=True)
class SpectralFloor:
    """P <= W / level: the floor eta I of a weight W = c I has level c eta."""

    level: float


@dataclass(frozen=True, slots=True, eq=False)
class MatrixFloor:
    """P <= root root^T, root of shape (d, d)."""

    root: FloatArray


Floor = NoFloor | SpectralFloor | MatrixFloor


@dataclass(frozen=True, slots=True, eq=False)
class FloorBlock:
    """Slack G and multiplier Y of the floor in the frame of an iterate, each of shape (d, d)."""

    slack: FloatArray
    multiplier: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """Nesterov-Todd scaling of a block: root K and the common diagonal `values`."""

    root: FloatArray
    values: FloatArray


def floor_room(floor: Floor, frame: Frame) -> FloatArray | None:
    """Return R^{-1} B R^{-T} - I, the slack G that fits P, or None without a floor; PSD exactly when P <= B."""
    match floor:
        case NoFloor():
            return None
        case SpectralFloor(level):
            return np.diag(frame.weights / level - 1)
        case MatrixFloor(root):
            relative = np.linalg.solve(frame.root, root)
            return np.asarray(relative @ relative.T - np.eye(len(root)))
        case _:
            assert_never(floor)


def scaling_of(block: FloorBlock) -> Scaling:
    """Return the Nesterov-Todd scaling.

    Raises:
        numpy.linalg.LinAlgError: a matrix of the block is not numerically positive definite.
    """
    lower = cholesky(block.slack)
    values, vectors = np.linalg.eigh(lower.T @ block.multiplier @ lower)
    if values[0] <= 0:
        raise np.linalg.LinAlgError("the floor multiplier is not numerically positive definite")
    return Scaling(solve_lower(lower, vectors * values**0.25, transposed=True), np.sqrt(values))


def unscaled(scaling: Scaling, matrix: FloatArray) -> FloatArray:
    """Return K X K^T."""
    return np.asarray(scaling.root @ matrix @ scaling.root.T)


def scaled_down(scaling: Scaling, matrix: FloatArray) -> FloatArray:
    """Return K^T X K."""
    return np.asarray(scaling.root.T @ matrix @ scaling.root)


def floor_target(scaling: Scaling, products: FloatArray) -> FloatArray:
    """Return X with (values X + X values) / 2 = products, shape (d, d)."""
    return 2 * products / (scaling.values[:, None] + scaling.values)


def blocking(scaling: Scaling, scaled_step: FloatArray) -> float:
    """Return b such that values + step / t stays positive semidefinite exactly for t >= b."""
    roots = np.sqrt(scaling.values)
    return -float(np.linalg.eigvalsh(scaled_step / roots[:, None] / roots)[0])


def in_new_frame(block: FloorBlock, change: FloatArray, *, spectral: bool) -> FloorBlock:
    """Return the block in the frame with root R F, F = change.

    A spectral floor keeps only the diagonals. What is left out is of second order in the step that changed the frame,
    because on the central path Y and G are diagonal in the frame of P; the next Newton step repairs it.
    """
    half = np.linalg.solve(change, block.slack)
    slack = np.linalg.solve(change, half.T)
    multiplier = change.T @ block.multiplier @ change
    if spectral:
        return FloorBlock(np.diag(np.diag(slack)), np.diag(np.diag(multiplier)))
    return FloorBlock((slack + slack.T) / 2, (multiplier + multiplier.T) / 2)


def inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a symmetric positive definite matrix.

    Raises:
        numpy.linalg.LinAlgError: matrix is not numerically positive definite.
    """
    half, info = lapack.dtrtri(cholesky(matrix), lower=1)
    if info != 0:
        raise np.linalg.LinAlgError("singular matrix")
    return np.asarray(half.T @ half)
