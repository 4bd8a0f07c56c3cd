"""Warm starts: a strictly positive point on a changed working set, near the optimum of the previous one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.coordinates import Coordinates
from certify.solvers.floor import Floor, FloorBlock, SpectralFloor, floor_room, inverse
from certify.solvers.frame import Frame, cholesky, geometric_mean_frame, scaled
from certify.solvers.iterate import Iterate
from certify.solvers.newton import moment_of
from certify.solvers.problem import FloatArray, IndexArray

SHARE = 0.1
"""Newcomers start with this fraction of the mean complementarity product."""

KEPT = 0.1
"""A P that is strictly feasible and uses its room up to this is kept as it is, with its slacks."""

MISFIT = 1e4
"""Ratio up to which Newton steps repair stationarity faster than a new P that upsets the slacks."""


@dataclass(frozen=True, slots=True, eq=False)
class WorkingSet:
    """Vectors in play and the last point on them.

    Attributes:
        keys: names of the vectors.
        multipliers: mu, 0 for newcomers.
        frame: a P near the optimum.
        floor_multiplier: Y, shape (d, d); zero without a floor.
    """

    keys: IndexArray
    multipliers: FloatArray
    frame: Frame
    floor_multiplier: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """A strictly feasible multiple of P: its frame, the factor, the slacks t and the slack G of the floor."""

    frame: Frame
    factor: float
    slacks: FloatArray
    floor_slack: FloatArray | None


def starting_point(space: Coordinates, vectors: FloatArray, working: WorkingSet, margin: float) -> Iterate:
    """Return a point near the working set's own whose complementarity products are of one order of magnitude.

    Products far below their mean are raised. In directions of small weight this may change M by many orders of
    magnitude; then the geometric mean gives the P that fits.
    """
    fitted = _fitted(space.floor, vectors, working.frame, margin)
    multipliers, floor_multiplier = _raised(fitted, working, margin)
    moment = moment_of(vectors, multipliers) + floor_multiplier
    if _misfit(fitted.frame, moment) > MISFIT:
        fitted = _fitted(space.floor, vectors, geometric_mean_frame(cholesky(moment), space.weight_root), margin)
        multipliers, floor_multiplier = multipliers / fitted.factor**2, floor_multiplier / fitted.factor**2
    return Iterate(fitted.frame, multipliers, fitted.slacks, _block(space.floor, fitted, floor_multiplier))


def _misfit(frame: Frame, moment: FloatArray) -> float:
    """Return the largest ratio of M + Y to P^{-1} W P^{-1} over all directions."""
    root = frame.root / np.sqrt(frame.weights)
    return float(np.linalg.eigvalsh(root.T @ moment @ root)[-1])


def _block(floor: Floor, fitted: _Fitted, floor_multiplier: FloatArray) -> FloorBlock | None:
    if fitted.floor_slack is None:
        return None
    local = fitted.frame.root.T @ floor_multiplier @ fitted.frame.root
    if isinstance(floor, SpectralFloor):
        return FloorBlock(fitted.floor_slack, np.diag(np.diag(local)))
    return FloorBlock(fitted.floor_slack, (local + local.T) / 2)


def _fitted(floor: Floor, vectors: FloatArray, frame: Frame, margin: float) -> _Fitted:
    local = vectors @ frame.root
    values = np.einsum("ij,ij->i", local, local)
    room = 1 / float(values.max())
    slack = floor_room(floor, frame)
    if slack is not None:
        room = min(room, 1.0, 1 + float(np.linalg.eigvalsh(slack)[0]))
    factor = 1.0 if 1 < room <= 1 + KEPT else room / (1 + margin)
    shrunk = scaled(frame, factor)
    return _Fitted(shrunk, factor, 1 - values * factor, floor_room(floor, shrunk))


def _raised(fitted: _Fitted, working: WorkingSet, margin: float) -> tuple[FloatArray, FloatArray]:
    """Return mu and Y, in the coordinates of the working set and scaled to the fitted P, with no product near zero."""
    multipliers, slacks = working.multipliers / fitted.factor**2, fitted.slacks
    floor_multiplier = working.floor_multiplier / fitted.factor**2
    products, count = float(multipliers @ slacks), len(slacks)
    if fitted.floor_slack is not None:
        root = fitted.frame.root
        products += float(np.vdot(fitted.floor_slack, root.T @ floor_multiplier @ root))
        count += len(root)
    least = SHARE * max(products, margin * float(fitted.frame.weights.sum())) / count
    if fitted.floor_slack is not None:
        outward = np.linalg.inv(fitted.frame.root)
        floor_multiplier = floor_multiplier + least * (outward.T @ inverse(fitted.floor_slack) @ outward)
    return np.maximum(multipliers, least / slacks), floor_multiplier
