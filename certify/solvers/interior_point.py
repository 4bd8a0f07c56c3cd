"""Primal-dual interior point for the precision form on a fixed working set (theory.md section 4), rho = 1.

    minimise tr(W P^{-1})  subject to  s_j^T P s_j + t_j = 1,  t_j >= 0,  with multipliers mu_j >= 0;
    stationarity P^{-1} W P^{-1} = M = sum_j mu_j s_j s_j^T, complementarity mu_j t_j = tau -> 0.

Mehrotra's predictor and corrector; the corrector also carries the second-order term of P^{-1} W P^{-1}.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.solvers.frame import Frame, dual_root, moved
from certify.solvers.newton import TriangleIndex, factorise, moment_of, squares_under, triangle_index
from certify.solvers.problem import FloatArray

PATIENCE = 6
"""Iterations without a better gap after which binary64 is taken to be exhausted."""

CENTRALITY = 1e-3
"""No product mu_j t_j may fall below this fraction of their mean, else later steps are blocked."""


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """A strictly positive point: frame of P, multipliers mu > 0, slacks t > 0 (each of shape (J,))."""

    frame: Frame
    multipliers: FloatArray
    slacks: FloatArray


@dataclass(frozen=True, slots=True)
class Bounds:
    """Dual and primal value on the working set, both valid in exact arithmetic."""

    lower: float
    upper: float

    @property
    def relative_gap(self) -> float:
        """Return (upper - lower) / upper."""
        return (self.upper - self.lower) / self.upper


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """Steps of P (in the frame), mu and t, and the lengths at which the primal and the dual reach the boundary."""

    precision: FloatArray
    multipliers: FloatArray
    slacks: FloatArray
    primal_length: float
    dual_length: float


def optimise(
    vectors: FloatArray, start: Iterate, target: float, on_iteration: Callable[[Bounds], bool]
) -> tuple[Iterate, Bounds]:
    """Iterate until the relative gap on the working set is at most `target` or no longer shrinks.

    Args:
        vectors: working set, shape (J, d).
        start: strictly positive starting point.
        target: relative gap to reach.
        on_iteration: told the bounds of each iterate; returning True ends the loop.

    Returns:
        The iterate with the smallest gap, and its bounds.
    """
    index = triangle_index(vectors.shape[1])
    current, best, best_bounds, wasted = start, start, Bounds(0.0, np.inf), 0
    while True:
        local = vectors @ current.frame.root
        moment = moment_of(local, current.multipliers)
        bounds = _bounds(current, local, moment)
        wasted = 0 if bounds.upper - bounds.lower < 0.9 * (best_bounds.upper - best_bounds.lower) else wasted + 1
        if wasted == 0 or best_bounds.upper == np.inf:
            best, best_bounds = current, bounds
        if on_iteration(bounds) or best_bounds.relative_gap <= target or wasted >= PATIENCE:
            return best, best_bounds
        try:
            current = _advance(current, local, moment, index)
        except np.linalg.LinAlgError:
            return best, best_bounds


def _bounds(iterate: Iterate, local: FloatArray, moment: FloatArray) -> Bounds:
    """Scale P to feasibility for the upper bound; take the best P for the multipliers for the lower one."""
    largest = float(np.einsum("ij,ij->i", local, local).max())
    lower = dual_root(moment, iterate.frame.weights) ** 2 / float(iterate.multipliers.sum())
    return Bounds(lower, float(iterate.frame.weights.sum()) * largest)


def _advance(current: Iterate, local: FloatArray, moment: FloatArray, index: TriangleIndex) -> Iterate:
    """One predictor-corrector iteration."""
    weights, multipliers, slacks = current.frame.weights, current.multipliers, current.slacks
    residual = np.diag(weights) - moment
    shortfall = 1 - np.einsum("ij,ij->i", local, local) - slacks
    system = factorise(local, weights[:, None] + weights, slacks / multipliers, index)

    def direction(right: FloatArray, products: FloatArray) -> _Step:
        step, multiplier_step = system.solve(right, products / multipliers - shortfall)
        return _with_lengths(current, step, multiplier_step, shortfall - squares_under(step, local))

    products: FloatArray = multipliers * slacks
    mean = float(products.mean())
    predictor = direction(residual, -products)
    primal, dual = min(1.0, predictor.primal_length), min(1.0, predictor.dual_length)
    predicted = (multipliers + dual * predictor.multipliers) @ (slacks + primal * predictor.slacks) / len(slacks)
    centring = min(1.0, max(float(predicted), 0.0) / mean) ** 3
    bend = predictor.precision * primal
    curved = (bend @ bend) * weights
    curved = curved + curved.T + (bend * weights) @ bend
    cross = primal * dual * predictor.multipliers * predictor.slacks
    corrector = direction(residual + curved, centring * mean - products - cross)
    return _moved(current, corrector, mean)


def _with_lengths(current: Iterate, step: FloatArray, multiplier_step: FloatArray, slack_step: FloatArray) -> _Step:
    smallest = float(np.linalg.eigvalsh(step)[0])
    blocked = max(-smallest, float((-slack_step / current.slacks).max()), 1e-300)
    dual_blocked = max(float((-multiplier_step / current.multipliers).max()), 1e-300)
    return _Step(step, multiplier_step, slack_step, 1 / blocked, 1 / dual_blocked)


def _moved(current: Iterate, step: _Step, mean: float) -> Iterate:
    """Go close to the boundary, but keep every product mu_j t_j within reach of their mean."""
    fraction = max(0.9, 1 - mean * len(current.slacks) / float(current.frame.weights.sum()))
    for _ in range(20):
        primal = min(1.0, fraction * step.primal_length)
        dual = min(1.0, fraction * step.dual_length)
        multipliers = current.multipliers + dual * step.multipliers
        slacks = current.slacks + primal * step.slacks
        products = multipliers * slacks
        if products.min() >= CENTRALITY * products.mean():
            break
        fraction *= 0.9
    return Iterate(moved(current.frame, primal * step.precision), multipliers, slacks)
