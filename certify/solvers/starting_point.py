"""Warm starts: a strictly positive point on a changed working set, near the optimum of the previous one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.coordinates import Coordinates
from certify.solvers.floor import Floor, FloorBlock, SpectralFloor, floor_room
from certify.solvers.frame import Frame, cholesky, geometric_mean_frame, moment_root, scaled, solve_lower
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
        floor_root: G with Y = G^T G, shape (k, d); zero without a floor.
    """

    keys: IndexArray
    multipliers: FloatArray
    frame: Frame
    floor_root: FloatArray


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
    multipliers, floor_root = _raised(fitted, working, margin)
    if _misfit(fitted.frame, vectors, multipliers, floor_root) > MISFIT:
        frame = geometric_mean_frame(moment_root(vectors, multipliers, floor_root), space.weight_root)
        fitted = _fitted(space.floor, vectors, frame, margin)
        multipliers, floor_root = multipliers / fitted.factor**2, floor_root / fitted.factor
    return Iterate(fitted.frame, multipliers, fitted.slacks, _block(space.floor, fitted, floor_root))


def _misfit(frame: Frame, vectors: FloatArray, multipliers: FloatArray, floor_root: FloatArray) -> float:
    """Return the largest ratio of M + Y to P^{-1} W P^{-1} over all directions."""
    root = frame.root / np.sqrt(frame.weights)
    relative_floor = floor_root @ root
    relative = moment_of(vectors @ root, multipliers) + relative_floor.T @ relative_floor
    return float(np.linalg.eigvalsh(relative)[-1])


def _block(floor: Floor, fitted: _Fitted, floor_root: FloatArray) -> FloorBlock | None:
    if fitted.floor_slack is None:
        return None
    local = floor_root @ fitted.frame.root
    multiplier = local.T @ local
    if isinstance(floor, SpectralFloor):
        multiplier = np.diag(np.diag(multiplier))
    return FloorBlock(fitted.floor_slack, multiplier)


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
    """Return mu and the root of Y, scaled to the fitted P, with no product near zero."""
    multipliers, slacks = working.multipliers / fitted.factor**2, fitted.slacks
    floor_root = working.floor_root / fitted.factor
    products, count = float(multipliers @ slacks), len(slacks)
    if fitted.floor_slack is not None:
        local = floor_root @ fitted.frame.root
        products += float(np.vdot(local @ fitted.floor_slack, local))
        count += len(fitted.floor_slack)
    least = SHARE * max(products, margin * float(fitted.frame.weights.sum())) / count
    if fitted.floor_slack is not None:
        added = solve_lower(cholesky(fitted.floor_slack), np.asarray(np.linalg.inv(fitted.frame.root)))
        floor_root = np.vstack([floor_root, np.sqrt(least) * added])
    return np.maximum(multipliers, least / slacks), floor_root
