"""Primal-dual interior point for the precision form on a fixed working set (theory.md section 4), rho = 1.

    minimise tr(W P^{-1})  subject to  s_j^T P s_j + t_j = 1,  t_j >= 0,  P + G = B (the floor, if there is one)

with multipliers mu_j and Y. Stationarity is P^{-1} W P^{-1} = M + Y with M = sum_j mu_j s_j s_j^T, complementarity is
mu_j t_j = tau and G Y = tau I with tau -> 0. Mehrotra's predictor and corrector, Nesterov-Todd scaling of the floor;
the corrector also carries the second-order term of P^{-1} W P^{-1}. Newton steps on that term can only double P at a
time; where P lags behind by more, it is replaced by the geometric mean, which solves stationarity exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.solvers.floor import Floor, FloorBlock, SpectralFloor, in_new_frame, unscaled
from certify.solvers.frame import Frame, cholesky, geometric_mean_frame, moment_root, moved
from certify.solvers.iterate import Iterate, residual_of
from certify.solvers.newton import TriangleIndex, triangle_index
from certify.solvers.newton_step import (
    Linearisation,
    Step,
    all_products,
    corrector,
    linearise,
    predictor,
    products_after,
)
from certify.solvers.problem import FloatArray
from certify.solvers.values import feasibility_divisor, lower_value

PATIENCE = 20
"""Iterations without a better gap after which binary64 is taken to be exhausted."""

CENTRALITY = 1e-3
"""No complementarity product may fall below this fraction of their mean, else later steps are blocked."""

FLOOR_CENTRING = 0.05
"""Least centring with a floor, whose products drift apart when steps are too greedy."""

LAG = 0.9
"""Relative residual of stationarity above which P is replaced by the geometric mean."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Dual and primal value on the working set, both valid in exact arithmetic."""

    lower: float
    upper: float

    @property
    def relative_gap(self) -> float:
        """Return (upper - lower) / upper."""
        return (self.upper - self.lower) / self.upper


def optimise(
    floor: Floor, vectors: FloatArray, start: Iterate, target: float, on_iteration: Callable[[Bounds], bool]
) -> tuple[Iterate, Bounds]:
    """Iterate until the relative gap on the working set is at most `target` or no longer shrinks.

    Args:
        floor: the floor.
        vectors: working set, shape (J, d), J >= 1.
        start: strictly positive starting point; it has a block exactly when there is a floor.
        target: relative gap to reach.
        on_iteration: told the bounds of each iterate; returning True ends the loop.

    Returns:
        The iterate with the smallest gap, and its bounds.
    """
    index = triangle_index(vectors.shape[1])
    current, best, best_bounds, wasted = start, start, Bounds(-np.inf, np.inf), 0
    while True:
        local = vectors @ current.frame.root
        bounds = _bounds(floor, current, local)
        wasted = 0 if not bounds.upper - bounds.lower > 0.9 * (best_bounds.upper - best_bounds.lower) else wasted + 1
        if wasted == 0:
            best, best_bounds = current, bounds
        if on_iteration(bounds) or best_bounds.relative_gap <= target or wasted >= PATIENCE:
            return best, best_bounds
        try:
            current = _caught_up(floor, vectors, _advanced(floor, current, local, index))
        except np.linalg.LinAlgError:
            return best, best_bounds


def _bounds(floor: Floor, iterate: Iterate, local: FloatArray) -> Bounds:
    largest = float(np.einsum("ij,ij->i", local, local).max())
    lower = lower_value(floor, iterate, local)
    return Bounds(lower, float(iterate.frame.weights.sum()) * feasibility_divisor(floor, iterate.frame, largest))


def _advanced(floor: Floor, current: Iterate, local: FloatArray, index: TriangleIndex) -> Iterate:
    """One predictor-corrector iteration."""
    point = linearise(floor, current, local, index)
    mean = float(all_products(point).mean())
    predicted = predictor(point)
    left = float(products_after(point, predicted, min(1.0, predicted.length)).mean()) / mean
    centring = max(min(1.0, max(left, 0.0)) ** 3, 0.0 if point.floor is None else FLOOR_CENTRING)
    corrected = corrector(point, predicted, centring * mean)
    share = mean * (len(current.slacks) + len(current.frame.weights)) / float(current.frame.weights.sum())
    length = _length(point, corrected, min(1 - 1e-6, max(0.9, 1 - share)))
    return _moved(point, corrected, length, spectral=isinstance(floor, SpectralFloor))


def _length(point: Linearisation, step: Step, fraction: float) -> float:
    """Go close to the boundary, but not where one product falls far below the others and farther than it is now."""
    length, reserve = min(1.0, fraction * step.length), max(1e-4, 1 - fraction)
    now = all_products(point)
    least = min(CENTRALITY, 0.9 * float(now.min() / now.mean()))
    while length > 1e-3:
        products = products_after(point, step, length)
        if products.min() >= least * products.mean():
            break
        length = min(1.0, step.length) * (1 - reserve)
        reserve = min(4 * reserve, (1 + reserve) / 2)
    return length


def _moved(point: Linearisation, step: Step, length: float, *, spectral: bool) -> Iterate:
    current, block = point.iterate, None
    frame, change = moved(current.frame, length * step.precision)
    if point.floor is not None:
        scaling = point.floor.scaling
        outward = np.linalg.inv(scaling.root)
        slack = point.floor.block.slack + length * (outward.T @ step.floor_slack @ outward)
        multiplier = point.floor.block.multiplier + length * unscaled(scaling, step.floor_multiplier)
        block = in_new_frame(FloorBlock(slack, multiplier), change, spectral=spectral)
    multipliers = current.multipliers + length * step.multipliers
    return Iterate(frame, multipliers, current.slacks + length * step.slacks, block)


def _caught_up(floor: Floor, vectors: FloatArray, current: Iterate) -> Iterate:
    """Replace P by the geometric mean where it lags behind its multipliers."""
    weights = current.frame.weights
    roots = np.sqrt(weights)
    local = vectors @ current.frame.root
    residual = residual_of(current, local)
    if np.abs(residual / roots[:, None] / roots).max() <= LAG:
        return current
    more = None if current.block is None else cholesky(current.block.multiplier).T
    inner = geometric_mean_frame(moment_root(local, current.multipliers, more), np.diag(roots))
    frame = Frame(current.frame.root @ inner.root, inner.weights)
    block = current.block
    if block is not None:
        block = in_new_frame(block, inner.root, spectral=isinstance(floor, SpectralFloor))
    return Iterate(frame, current.multipliers, current.slacks, block)
