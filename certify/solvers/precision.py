"""The `precision` backend: interior point on the precision form with constraint generation, theory.md section 4."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from threadpoolctl import ThreadpoolController

from certify.solvers.constraint_generation import Optimum, Watch, generate
from certify.solvers.coordinates import Coordinates, whitened
from certify.solvers.frame import Frame
from certify.solvers.problem import (
    CompactDual,
    CovarianceProblem,
    FloatArray,
    Report,
    Round,
    Solution,
    SolveOptions,
    SolverError,
)
from certify.solvers.separation import indices_of
from certify.solvers.validation import validate


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
        # One BLAS thread: the blocks are small, and waking a second thread costs more than it computes.
        with ThreadpoolController().limit(limits=1, user_api="blas"):
            try:
                space = whitened(problem)
                return _solution(problem, space, generate(space, options, Watch(options, report)))
            except np.linalg.LinAlgError as error:
                raise SolverError(f"binary64 is not enough for this problem: {error}") from error


def _solution(problem: CovarianceProblem, space: Coordinates, optimum: Optimum) -> Solution:
    """Map back to the coordinates and the budget of the problem."""
    precision, covariance = _mapped(space, optimum.frame, problem.rho)
    dual_root = space.matrix @ optimum.dual_root
    indices = indices_of(problem.sensitivity, optimum.keys)
    dual = CompactDual(indices, optimum.multipliers / problem.rho**2, problem.rho * (dual_root @ dual_root.T))
    history = tuple(_in_units(entry, problem.rho) for entry in optimum.history)
    return Solution(covariance, precision, dual, optimum.status, history)


def _in_units(entry: Round, rho: float) -> Round:
    lower, upper = entry.value_lower_estimate / rho, entry.value_upper_estimate / rho
    return replace(entry, value_lower_estimate=lower, value_upper_estimate=upper)


def _mapped(space: Coordinates, frame: Frame, rho: float) -> tuple[FloatArray, FloatArray]:
    """Return (P, Sigma) in the coordinates of the problem, exactly symmetric."""
    root = space.matrix @ frame.root
    inverse = np.linalg.solve(frame.root, np.linalg.inv(space.matrix))
    precision, covariance = rho * (root @ root.T), (inverse.T @ inverse) / rho
    return (precision + precision.T) / 2, (covariance + covariance.T) / 2
