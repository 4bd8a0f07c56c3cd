"""The `precision` backend: interior point on the precision form with constraint generation, theory.md section 4."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from threadpoolctl import ThreadpoolController

from certify.solvers.constraint_generation import Watch, generate
from certify.solvers.coordinates import whitened
from certify.solvers.problem import CovarianceProblem, Report, Solution, SolveOptions, SolverError
from certify.solvers.units import dual_in_units, floor_solution, matrices_in_units, round_in_units
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
        watch = Watch(options, report)
        # One BLAS thread: the blocks are small, and waking a second thread costs more than it computes.
        with ThreadpoolController().limit(limits=1, user_api="blas"):
            try:
                return floor_solution(problem, watch.tick) or _generated(problem, options, watch)
            except np.linalg.LinAlgError as error:
                raise SolverError(f"binary64 is not enough for this problem: {error}") from error


def _generated(problem: CovarianceProblem, options: SolveOptions, watch: Watch) -> Solution:
    space = whitened(problem)
    optimum = generate(space, options, watch)
    covariance, precision = matrices_in_units(space, optimum.frame, problem.rho)
    dual = dual_in_units(problem, space, optimum.keys, optimum.dual)
    history = tuple(round_in_units(entry, problem.rho) for entry in optimum.history)
    return Solution(covariance, precision, dual, optimum.status, history)
