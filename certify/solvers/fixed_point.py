"""Multiplicative updates for the multipliers: a cheap approximate dual point that chooses the first working set.

For multipliers mu the best P without a floor is the geometric mean of M(mu)^{-1} and W (theory.md section 4). At the
optimum q_j = s_j^T P s_j is 1 for every vector that carries weight and at most 1 for the others;
mu_j <- mu_j q_j^k drives it there. A floor eta is modelled by M + eta^2 W, whose geometric mean stays below I / eta:
enough to choose vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.solvers.coordinates import Coordinates
from certify.solvers.frame import Frame, cholesky, geometric_mean_frame, moment_root, solve_lower
from certify.solvers.newton import moment_of
from certify.solvers.problem import FloatArray, IndexArray
from certify.solvers.separation import all_keys, count_vectors, most_violated, vectors_at
from certify.solvers.values import leverages
from certify.solvers.workers import HERE, Workers

SMALL = 400
"""Sets up to this size, or of 2 d vectors, are the working set as a whole; the interior point sorts them out faster."""

OUTERMOST = 4_000
"""Records looked at for the very first vectors, when no threshold can rule out any pair yet."""

POWER = 3.0
"""Exponent k. 1 is monotone but slow; 3 was the fastest on real domains, and nothing depends on it."""

RIDGE = 1e-6
"""W' times this is the moment whose best precision is 1000 I: P stays bounded while the vectors do not span yet."""

INNER, OUTER = 40, 8

LARGE = 200
"""Dimension beyond which half the digits of a frame are taken, at less than half the time."""

FEW = 6
"""Updates of a set that is taken as a whole: each costs a part of an interior-point iteration."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Working set, its multipliers mu > 0 and the frame of their best P."""

    keys: IndexArray
    multipliers: FloatArray
    frame: Frame


def first_design(space: Coordinates, on_block: Callable[[], None], workers: Workers = HERE) -> Design:
    """Return an approximate dual point of a nonempty set.

    Raises:
        numpy.linalg.LinAlgError: the vectors do not span the space numerically, and there is no floor.
    """
    weights = np.diag(space.weight_root) ** 2
    nothing = Design(np.zeros(0, dtype=np.int64), np.zeros(0), Frame(np.eye(len(weights)), weights))
    if count_vectors(space.sensitivity) <= max(SMALL, 2 * len(weights)):
        return _updated(space, _joined(nothing, all_keys(space.sensitivity)), FEW)
    design = nothing
    found = most_violated(space.sensitivity, nothing.frame.root, 0.0, 0, on_block, OUTERMOST, workers)
    for _ in range(OUTER):
        design = _pruned(space, _updated(space, _joined(design, found.keys), INNER))
        found = most_violated(space.sensitivity, design.frame.root, 1.0, 0, on_block, workers=workers)
        if found.largest <= 1.01:
            break
    return design


def _joined(design: Design, keys: IndexArray) -> Design:
    """Take in vectors, which share three tenths of the multipliers' sum, or the value of P when they are the first."""
    fresh = np.setdiff1d(keys, design.keys)
    total = 0.3 * float(design.multipliers.sum()) if len(design.keys) else float(design.frame.weights.sum())
    added = np.full(len(fresh), total / max(1, len(fresh)))
    return Design(np.concatenate([design.keys, fresh]), np.concatenate([design.multipliers, added]), design.frame)


def _updated(space: Coordinates, design: Design, count: int) -> Design:
    vectors, multipliers = vectors_at(space.sensitivity, design.keys), design.multipliers
    frame = _best_frame(space, vectors, multipliers)
    for _ in range(count):
        multipliers = multipliers * _values(vectors, frame) ** POWER
        frame = _best_frame(space, vectors, multipliers)
    return Design(design.keys, multipliers, frame)


def _best_frame(space: Coordinates, vectors: FloatArray, multipliers: FloatArray) -> Frame:
    more = np.vstack([space.floor_root, np.sqrt(RIDGE) * space.weight_root])
    try:
        root = cholesky(moment_of(vectors, multipliers) + more.T @ more)
    except np.linalg.LinAlgError:
        root = moment_root(vectors, multipliers, more)
    if len(root) > LARGE:
        return _quick_frame(root, space.weight_root)
    return geometric_mean_frame(root, space.weight_root)


def _quick_frame(moment_root: FloatArray, weight_root: FloatArray) -> Frame:
    """Return what geometric_mean_frame returns, by eigenvalues in place of singular values: half the digits, sooner."""
    relative = weight_root.T @ moment_root
    squares, vectors = np.linalg.eigh(relative.T @ relative)
    values = np.sqrt(np.maximum(squares, squares[-1] * np.finfo(np.float64).eps))
    return Frame(solve_lower(moment_root, vectors * np.sqrt(values), transposed=True), values)


def _values(vectors: FloatArray, frame: Frame) -> FloatArray:
    local = vectors @ frame.root
    values: FloatArray = np.einsum("ij,ij->i", local, local)
    return values


def _pruned(space: Coordinates, design: Design) -> Design:
    """Leave out vectors that carry no weight and do not ask for any."""
    local = vectors_at(space.sensitivity, design.keys) @ design.frame.root
    shares = leverages(space.floor, local, design.multipliers, design.frame)
    kept = (shares > 1e-3 * shares.mean()) | (np.einsum("ij,ij->i", local, local) > 1)
    return Design(design.keys[kept], design.multipliers[kept], design.frame)
