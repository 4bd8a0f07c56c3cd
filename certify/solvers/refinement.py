"""Sharpen the dual precision: W - P' M P' positive semidefinite in spite of rounding, at next to no cost in the value.

A certificate loses what P' M P' exceeds W by, relative to W in the worst direction, and the coordinates of the solve
cost a few digits there. Without a floor, where W - P' M P' is next to nothing, one Newton step with the residual in
extended precision wins them back. Then P' is shrunk in a frame by as much as rounding could leave in excess.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from certify.solvers.frame import Frame
from certify.solvers.problem import FloatArray
from certify.solvers.values import DualPoint

AFFORDABLE = 3e7
"""Products in extended precision, which NumPy forms without BLAS, above which all this is left out: under a second."""

MARGIN = 4.0
"""Shrinking relative to the errors; rounding the shrunk P' leaves new errors of the same size."""

MOST = 0.5
"""Largest relative shrinking of any direction."""


def refined_dual_precision(weight: FloatArray, vectors: FloatArray, dual: DualPoint, *, has_floor: bool) -> FloatArray:
    """Return P' near the one of `dual` with W - P' M P' PSD, M = sum mu_j s_j s_j^T.

    Where the platform has no type wider than binary64 the result has its accuracy. The result is the P' of `dual` where
    the work is too much, and where P' was cut down to the span of few vectors, which leaves little to lose.

    Args:
        weight: W, shape (d, d).
        vectors: s_j, shape (J, d).
        dual: the dual point.
        has_floor: whether the multiplier of a floor is a part of W - P' M P'; then no Newton step is taken.
    """
    precision, frame = dual.root @ dual.root.T, dual.frame
    count, d = vectors.shape
    if d * d * (count + 2 * d) > AFFORDABLE or dual.root.shape[1] < d:
        return precision
    wide = vectors.astype(np.longdouble)
    moment = (wide.T * dual.multipliers) @ wide
    error = _local_residual(weight, moment, precision, frame) - dual.excess
    if not has_floor:
        precision = _changed(precision, frame, error / (frame.weights[:, None] + frame.weights))
        error = _local_residual(weight, moment, precision, frame) - dual.excess
    return _changed(precision, frame, -np.diag(_shrinking(error, frame.weights)))


def _shrinking(error: FloatArray, weights: FloatArray) -> FloatArray:
    """Return relative shrinkings x with diag(2 x w) + error PSD, the sum of x w small.

    An error e_ab is outweighed when x_a x_b w_a w_b >= e_ab^2; the cheapest way puts the larger share on the direction
    of smaller weight, as far as it can carry it. So directions of small weight, the first to show rounding errors, cost
    the value next to nothing.
    """
    roots = np.sqrt(weights)
    relative = np.abs(error) / roots[:, None] / roots
    bearable = MARGIN * len(weights) * relative / MOST
    share = np.maximum(roots / roots[:, None], bearable)
    share = np.minimum(share, 1 / np.maximum(bearable, 1e-300))
    shrinking: FloatArray = np.minimum(MOST, MARGIN * (relative * share).sum(axis=1))
    return shrinking


def _local_residual(
    weight: FloatArray, moment: npt.NDArray[np.longdouble], precision: FloatArray, frame: Frame
) -> FloatArray:
    """Return W - P' M P' in the frame."""
    wide = precision.astype(np.longdouble)
    residual = (weight - wide @ moment @ wide).astype(np.float64)
    half = np.linalg.solve(frame.root, residual)
    return np.asarray(np.linalg.solve(frame.root, half.T))


def _changed(precision: FloatArray, frame: Frame, step: FloatArray) -> FloatArray:
    change = frame.root @ step @ frame.root.T
    return np.asarray(precision + (change + change.T) / 2)
