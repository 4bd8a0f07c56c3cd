"""The `precision` backend: interior point on the precision form with constraint generation, theory.md section 4."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from threadpoolctl import ThreadpoolController

from certify.solvers.constraint_generation import Optimum, Watch, generate
from certify.solvers.coordinates import Coordinates, whitened
from certify.solvers.frame import Frame, scaled
from certify.solvers.problem import (
    CompactDual,
    CovarianceProblem,
    FloatArray,
    Report,
    Round,
    Solution,
    SolveOptions,
    SolverError,
    Status,
    dimension,
)
from certify.solvers.refinement import refined_dual_precision
from certify.solvers.separation import indices_of, most_violated, vectors_at
from certify.solvers.validation import validate
from certify.solvers.values import DualPoint


@dataclass(frozen=True, slots=True)
class PrecisionBackend:
    """Interior point on P = Sigma^{-1}; returns compact duals; the choice for every size."""

    name: str = "precision"

    def solve(self, problem: CovarianceProblem, options: SolveOptions, report: Report) -> Solution:
        """Solve by constraint generation; see certify.solvers.problem.Backend.

        Raises:
            ValueError: the problem is not well formed.
            SolverError: the vectors do not span the space in binary64, or rounding errors took over.
        """
        validate(problem, options)
        watch = Watch(options, report)
        # One BLAS thread: the blocks are small, and waking a second thread costs more than it computes.
        with ThreadpoolController().limit(limits=1, user_api="blas"):
            try:
                if _floor_is_enough(problem, watch):
                    return _at_floor(problem, watch)
                space = whitened(problem)
                return _solution(problem, space, generate(space, options, watch))
            except np.linalg.LinAlgError as error:
                raise SolverError(f"binary64 is not enough for this problem: {error}") from error


def _floor_is_enough(problem: CovarianceProblem, watch: Watch) -> bool:
    """Return whether Sigma = eta I meets the budget: then it is optimal, whatever W."""
    if problem.floor == 0:
        return False
    root = np.eye(dimension(problem.sensitivity)) / np.sqrt(problem.floor)
    return most_violated(problem.sensitivity, root, problem.rho, 0, watch.tick).largest <= problem.rho


def _at_floor(problem: CovarianceProblem, watch: Watch) -> Solution:
    """Return Sigma = eta I with no multipliers: H = W, and both values are eta tr W."""
    identity = np.eye(dimension(problem.sensitivity))
    value = problem.floor * float(np.trace(problem.weight))
    indices = indices_of(problem.sensitivity, np.zeros(0, dtype=np.int64))
    dual = CompactDual(indices, np.zeros(0), None)
    history = (Round(1, 0, value, value, watch.seconds),)
    return Solution(problem.floor * identity, identity / problem.floor, dual, Status.GAP_REACHED, history)


def _solution(problem: CovarianceProblem, space: Coordinates, optimum: Optimum) -> Solution:
    """Map back to the coordinates and the budget of the problem."""
    precision, covariance = _mapped(space, optimum.frame, problem.rho)
    indices, multipliers = indices_of(problem.sensitivity, optimum.keys), optimum.dual.multipliers / problem.rho**2
    history = tuple(_in_units(entry, problem.rho) for entry in optimum.history)
    vectors = vectors_at(problem.sensitivity, optimum.keys)
    dual_precision = refined_dual_precision(problem.weight, vectors, _dual_in_units(space, optimum.dual, problem.rho))
    dual = CompactDual(indices, multipliers, dual_precision)
    return Solution(covariance, precision, dual, optimum.status, history)


def _dual_in_units(space: Coordinates, dual: DualPoint, rho: float) -> DualPoint:
    root, frame_root = space.matrix @ dual.root, space.matrix @ dual.frame.root
    frame = scaled(Frame(frame_root, dual.frame.weights), rho)
    return DualPoint(dual.multipliers / rho**2, root * np.sqrt(rho), frame, dual.excess / rho)


def _in_units(entry: Round, rho: float) -> Round:
    lower, upper = entry.value_lower_estimate / rho, entry.value_upper_estimate / rho
    return replace(entry, value_lower_estimate=lower, value_upper_estimate=upper)


def _mapped(space: Coordinates, frame: Frame, rho: float) -> tuple[FloatArray, FloatArray]:
    """Return (P, Sigma) in the coordinates of the problem, exactly symmetric."""
    root = space.matrix @ frame.root
    inverse = np.linalg.solve(frame.root, np.linalg.inv(space.matrix))
    precision, covariance = rho * (root @ root.T), (inverse.T @ inverse) / rho
    return (precision + precision.T) / 2, (covariance + covariance.T) / 2
