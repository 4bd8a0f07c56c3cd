"""Primal and dual values on the precision form, rho = 1 (theory.md section 4), and the best dual precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from certify.solvers.floor import Floor, FloorBlock, MatrixFloor, NoFloor, SpectralFloor, floor_room, inverse
from certify.solvers.frame import Frame, cholesky, dual_root, geometric_mean_frame, moment_root, scaled
from certify.solvers.iterate import Iterate
from certify.solvers.newton import moment_of
from certify.solvers.norm import norm_upper
from certify.solvers.problem import FloatArray

NEGLIGIBLE = 1e-8
"""Relative size of directions whose square is below rounding."""

LARGE = 200
"""Dimension beyond which products are preferred to singular values."""

SPARED = 1e-13
"""Share of the value given up to keep the dual matrix PSD in directions of small weight."""


def feasibility_divisor(floor: Floor, frame: Frame, largest: float) -> float:
    """Return what to divide P by so that s^T P s <= 1 and P <= B, when s^T P s is at most `largest` now.

    Without a floor it may be below 1; a floor forbids growing P.
    """
    room = floor_room(floor, frame)
    if room is None:
        return largest
    return max(1.0, largest, 1 / (1 + float(np.linalg.eigvalsh(room)[0])))


def lower_value(floor: Floor, iterate: Iterate, local: FloatArray) -> float:
    """Return a dual value of the multipliers of an iterate; `local` holds the vectors in its frame, shape (J, d)."""
    frame, multipliers = iterate.frame, iterate.multipliers
    total = float(multipliers.sum())
    match floor:
        case NoFloor() if len(frame.weights) > LARGE:
            return _corrected_value(local, iterate)
        case NoFloor():
            return dual_root(local, multipliers, frame.weights) ** 2 / total
        case SpectralFloor(level):
            rooted = np.sqrt(multipliers)[:, None] * local * np.sqrt(frame.weights)
            return _spectral_value(np.asarray(np.linalg.svd(rooted, compute_uv=False)), frame, level) - total
        case MatrixFloor():
            return _matrix_value(iterate, local)
        case _:
            assert_never(floor)


def _corrected_value(local: FloatArray, iterate: Iterate) -> float:
    """Return the dual value of the multipliers with P' one Newton step from P, by products alone, in the frame.

    P' is scaled until P' M P' is at most W; so it is a dual value whatever the step, and next to the best one where P
    nearly fits its multipliers.
    """
    weights, multipliers = iterate.frame.weights, iterate.multipliers
    moment, roots = moment_of(local, multipliers), np.sqrt(weights)
    precision = np.eye(len(weights)) + (np.diag(weights) - moment) / (weights[:, None] + weights)
    relative = precision @ moment @ precision / roots[:, None] / roots
    largest = 1 + norm_upper(relative - np.eye(len(weights)))
    return float(np.vdot(precision, moment) ** 2 / (largest * multipliers.sum()))


def _spectral_value(roots: FloatArray, frame: Frame, level: float) -> float:
    """Return sum_a min over p <= 1 / level of 1 / p + roots_a^2 p; missing roots are zero."""
    at_floor = level + roots**2 / level
    missing = len(frame.weights) - len(roots)
    return float(np.where(roots > level, 2 * roots, at_floor).sum()) + missing * level


def _matrix_value(iterate: Iterate, local: FloatArray) -> float:
    """Return <H, B^{-1}> + sum mu (2 s^T P' s - 1) for P' (M + Y) P' = W and H = P' Y P', in the frame.

    P' minimises the Lagrangian of (mu, Y), so the value is short of the optimum by the square of the residual.
    """
    block = _block_of(iterate)
    moment = moment_of(local, iterate.multipliers)
    joint_root = moment_root(local, iterate.multipliers, cholesky(block.multiplier).T)
    best = geometric_mean_frame(joint_root, np.diag(np.sqrt(iterate.frame.weights))).root
    precision = best @ best.T
    bound = inverse(np.eye(len(moment)) + block.slack)
    floor_part = float(np.vdot(precision @ block.multiplier @ precision, bound))
    return floor_part + 2 * float(np.vdot(moment, precision)) - float(iterate.multipliers.sum())


def _block_of(iterate: Iterate) -> FloorBlock:
    if iterate.block is None:
        raise TypeError("a floor needs its block")
    return iterate.block


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


@dataclass(frozen=True, slots=True, eq=False)
class DualPoint:
    """A dual point: W - P' M P' is PSD up to rounding.

    Attributes:
        multipliers: mu, shape (J,).
        root: R' of P' = R' R'^T, shape (d, k).
        frame: a frame of W and a precision that agrees with P' on the span of the vectors.
        excess: what W - P' M P' should be, in the frame, shape (d, d).
    """

    multipliers: FloatArray
    root: FloatArray
    frame: Frame
    excess: FloatArray


def best_dual(floor: Floor, vectors: FloatArray, iterate: Iterate) -> DualPoint:
    """Return the multipliers of an iterate with the P' of their largest dual value, or next to it.

    Without a floor the multipliers are also brought to the best multiple. P' is taken for M + E with a small E, a part
    of W in directions of small weight: W - P' M P' then contains P' E P', which keeps it PSD where the multipliers of
    such directions have not settled, at a cost of SPARED in the value. With a floor, W - P' M P' is PSD whatever P'
    does outside the span of the vectors, so R' is cut down to what they need: a P' of order 1 / eta there would drown
    the rest in rounding errors.
    """
    frame, multipliers = iterate.frame, iterate.multipliers
    local, roots = vectors @ frame.root, np.sqrt(frame.weights)
    spared = np.diag(np.sqrt(np.minimum(frame.weights, SPARED * frame.weights.sum() / len(roots))))
    match floor:
        case NoFloor():
            best = geometric_mean_frame(moment_root(local, multipliers, spared), np.diag(roots))
            factor = float(np.vdot(moment_of(local @ best.root, multipliers), np.eye(len(roots)))) / multipliers.sum()
            new = scaled(Frame(frame.root @ best.root, best.weights), 1 / factor)
            kept = spared @ best.root
            return DualPoint(multipliers * factor**2, new.root, new, factor * kept.T @ kept)
        case SpectralFloor(level):
            values, rows = _right_singular(local * np.sqrt(multipliers)[:, None] * roots)
            needed = values > NEGLIGIBLE * level
            reduced = np.maximum(values[needed], level)
            basis = roots[:, None] * rows[needed].T
            excess = np.diag(frame.weights) - (basis * (values[needed] / reduced) ** 2) @ basis.T
            return DualPoint(multipliers, frame.root @ (basis / np.sqrt(reduced)), frame, excess)
        case MatrixFloor():
            more = np.vstack([cholesky(_block_of(iterate).multiplier).T, spared])
            best = geometric_mean_frame(moment_root(local, multipliers, more), np.diag(roots))
            values, rows = _right_singular(local * np.sqrt(multipliers)[:, None] @ best.root)
            needed = values > NEGLIGIBLE * np.sqrt(rows**2 @ best.weights)
            kept = more @ best.root @ best.root.T
            return DualPoint(multipliers, frame.root @ best.root @ rows[needed].T, frame, kept.T @ kept)
        case _:
            assert_never(floor)


def _right_singular(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the singular values, largest first, and the right singular vectors as rows."""
    _, values, rows = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(values), np.asarray(rows)
