"""From the coordinates of a solve back to the units of the problem, and the case in which there is nothing to solve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from certify.solvers.coordinates import Coordinates
from certify.solvers.frame import Frame, scaled
from certify.solvers.problem import (
    CompactDual,
    CovarianceProblem,
    FloatArray,
    IndexArray,
    Round,
    Solution,
    Status,
    dimension,
)
from certify.solvers.refinement import refined_dual_precision
from certify.solvers.separation import indices_of, most_violated, vectors_at
from certify.solvers.values import DualPoint

BORDER = 1e-12
"""Below the budget by no more than this, eta I might miss it by rounding errors."""


def floor_solution(problem: CovarianceProblem, on_block: Callable[[], None]) -> Solution | None:
    """Return Sigma = eta I if it meets the budget: it is then optimal for every W, with H = W and value eta tr W."""
    d = dimension(problem.sensitivity)
    if problem.floor == 0:
        return None
    enough = problem.rho * problem.floor * (1 - BORDER)
    if most_violated(problem.sensitivity, np.eye(d), enough, 0, on_block).largest > enough:
        return None
    value = problem.floor * float(np.trace(problem.weight))
    dual = CompactDual(indices_of(problem.sensitivity, np.zeros(0, dtype=np.int64)), np.zeros(0), None)
    history = (Round(1, 0, value, value, 0.0),)
    return Solution(problem.floor * np.eye(d), np.eye(d) / problem.floor, dual, Status.GAP_REACHED, history)


def matrices_in_units(space: Coordinates, frame: Frame, rho: float) -> tuple[FloatArray, FloatArray]:
    """Return (Sigma, P), exactly symmetric, for the P of a frame in the coordinates of the solve."""
    root = space.matrix @ frame.root
    inverse = np.linalg.solve(frame.root, np.linalg.inv(space.matrix))
    precision, covariance = rho * (root @ root.T), (inverse.T @ inverse) / rho
    return (covariance + covariance.T) / 2, (precision + precision.T) / 2


def dual_in_units(problem: CovarianceProblem, space: Coordinates, keys: IndexArray, dual: DualPoint) -> CompactDual:
    """Return the compact dual for the vectors named by the keys, P' refined."""
    frame = scaled(Frame(space.matrix @ dual.frame.root, dual.frame.weights), problem.rho)
    root = np.sqrt(problem.rho) * (space.matrix @ dual.root)
    point = DualPoint(dual.multipliers / problem.rho**2, root, frame, dual.excess / problem.rho)
    precision = refined_dual_precision(
        problem.weight, vectors_at(problem.sensitivity, keys), point, has_floor=problem.floor > 0
    )
    return CompactDual(indices_of(problem.sensitivity, keys), point.multipliers, precision)


def round_in_units(entry: Round, rho: float) -> Round:
    """Return the entry with its values divided by rho."""
    lower, upper = entry.value_lower_estimate / rho, entry.value_upper_estimate / rho
    return replace(entry, value_lower_estimate=lower, value_upper_estimate=upper)
