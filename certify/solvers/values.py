"""Primal and dual values on the precision form, rho = 1 (theory.md section 4), and the best dual precision."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from certify.solvers.floor import Floor, FloorBlock, MatrixFloor, NoFloor, SpectralFloor, floor_room, inverse
from certify.solvers.frame import Frame, cholesky, dual_root, geometric_mean_frame, moment_root
from certify.solvers.newton import moment_of
from certify.solvers.problem import FloatArray

NEGLIGIBLE = 1e-8
"""Relative size of directions whose square is below rounding."""


def feasibility_divisor(floor: Floor, frame: Frame, largest: float) -> float:
    """Return what to divide P by so that s^T P s <= 1 and P <= B, when s^T P s is at most `largest` now.

    Without a floor it may be below 1; a floor forbids growing P.
    """
    room = floor_room(floor, frame)
    if room is None:
        return largest
    return max(1.0, largest, 1 / (1 + float(np.linalg.eigvalsh(room)[0])))


def lower_value(
    floor: Floor, frame: Frame, local: FloatArray, multipliers: FloatArray, block: FloorBlock | None
) -> float:
    """Return a dual value of the multipliers.

    Args:
        floor: the floor.
        frame: frame of P.
        local: the vectors in the frame, shape (J, d).
        multipliers: mu, shape (J,).
        block: slack and multiplier of the floor in the frame; only used by a matrix floor.
    """
    total = float(multipliers.sum())
    match floor:
        case NoFloor():
            return dual_root(local, multipliers, frame.weights) ** 2 / total
        case SpectralFloor(level):
            rooted = np.sqrt(multipliers)[:, None] * local * np.sqrt(frame.weights)
            return _spectral_value(np.asarray(np.linalg.svd(rooted, compute_uv=False)), frame, level) - total
        case MatrixFloor():
            if block is None:
                raise TypeError("a matrix floor needs its block")
            return _matrix_value(frame, local, multipliers, block)
        case _:
            assert_never(floor)


def _spectral_value(roots: FloatArray, frame: Frame, level: float) -> float:
    """Return sum_a min over p <= 1 / level of 1 / p + roots_a^2 p; missing roots are zero."""
    at_floor = level + roots**2 / level
    missing = len(frame.weights) - len(roots)
    return float(np.where(roots > level, 2 * roots, at_floor).sum()) + missing * level


def _matrix_value(frame: Frame, local: FloatArray, multipliers: FloatArray, block: FloorBlock) -> float:
    """Return <H, B^{-1}> + sum mu (2 s^T P' s - 1) for P' (M + Y) P' = W and H = P' Y P', in the frame.

    P' minimises the Lagrangian of (mu, Y), so the value is short of the optimum by the square of the residual.
    """
    moment = moment_of(local, multipliers)
    best = geometric_mean_frame(cholesky(moment + block.multiplier), np.diag(np.sqrt(frame.weights))).root
    precision = best @ best.T
    bound = inverse(np.eye(len(moment)) + block.slack)
    floor_part = float(np.vdot(precision @ block.multiplier @ precision, bound))
    return floor_part + 2 * float(np.vdot(moment, precision)) - float(multipliers.sum())


def leverages(floor: Floor, local: FloatArray, multipliers: FloatArray, frame: Frame) -> FloatArray:
    """Return each vector's share of the dual point, mu_j s_j^T N^{-1} s_j, in the frame.

    N is M, or M + Y = P^{-1} W P^{-1} where there is a floor. Unlike mu_j the shares do not depend on the units of
    directions; without a floor they sum to d, and a vector that the others cannot replace has share 1.
    """
    rooted = np.sqrt(multipliers)[:, None] * local / np.sqrt(frame.weights)
    if isinstance(floor, NoFloor):
        rooted = np.linalg.qr(rooted)[0]
    shares: FloatArray = np.einsum("ij,ij->i", rooted, rooted)
    return shares


def best_dual_root(
    floor: Floor, weight_root: FloatArray, vectors: FloatArray, multipliers: FloatArray, floor_multiplier: FloatArray
) -> FloatArray:
    """Return R' with P' = R' R'^T, the precision with the largest dual value for the multipliers.

    With a floor, W - P' M P' is PSD whatever P' does outside the span of the vectors, so R' is cut down to what they
    need: a P' of order 1 / eta there would drown the rest in rounding errors.

    Args:
        floor: the floor.
        weight_root: N with W = N N^T.
        vectors: shape (J, d).
        multipliers: mu, shape (J,).
        floor_multiplier: Y, shape (d, d); only used by a matrix floor.
    """
    match floor:
        case NoFloor():
            return geometric_mean_frame(moment_root(vectors, multipliers), weight_root).root
        case SpectralFloor(level):
            values, rows = _right_singular((vectors * np.sqrt(multipliers)[:, None]) @ weight_root)
            needed = values > NEGLIGIBLE * level
            return np.asarray(weight_root @ (rows[needed].T / np.sqrt(np.maximum(values[needed], level))))
        case MatrixFloor():
            moment = moment_of(vectors, multipliers)
            root = geometric_mean_frame(cholesky(moment + floor_multiplier), weight_root).root
            values, rows = _right_singular((vectors * np.sqrt(multipliers)[:, None]) @ root)
            return np.asarray(root @ rows[values > NEGLIGIBLE * values[0]].T)
        case _:
            assert_never(floor)


def _right_singular(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the singular values, largest first, and the right singular vectors as rows."""
    _, values, rows = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(values), np.asarray(rows)
