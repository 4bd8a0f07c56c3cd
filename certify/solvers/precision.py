"""The `precision` backend: interior point on the precision form with constraint generation, theory.md section 4."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from threadpoolctl import ThreadpoolController

from certify.solvers.constraint_generation import Watch, generate
from certify.solvers.coordinates import whitened
from certify.solvers.problem import CovarianceProblem, Report, Solution, SolveOptions, SolverError
from certify.solvers.units import dual_in_units, floor_solution, matrices_in_units, round_in_units
from certify.solvers.validation import validate
from certify.solvers.workers import HERE, Workers

LOW = 100.0
"""How far below the expected noise a floor must be for a solve without it to be tried first."""


@dataclass(frozen=True, slots=True)
class PrecisionBackend:
    """Interior point on P = Sigma^{-1}; returns compact duals; the choice for every size.

    Attributes:
        workers: what searches the pairs of records for violated ones.
        name: the name of the backend.
    """

    workers: Workers = HERE
    name: str = "precision"

    def solve(self, problem: CovarianceProblem, options: SolveOptions, report: Report) -> Solution:
        """Solve by constraint generation; see certify.solvers.problem.Backend.

        Raises:
            ValueError: the problem is not well formed.
            SolverError: the vectors do not span the space in binary64, or rounding errors took over.
        """
        validate(problem, options)
        watch = Watch(options, report, self.workers)
        # One BLAS thread: the blocks are small, and waking a second thread costs more than it computes.
        # Overflow is not an event here: what becomes infinite or undefined is found out and refused at the end.
        with _thread_pools().limit(limits=1, user_api="blas"), np.errstate(all="ignore"):
            try:
                return _solution(problem, options, watch)
            except np.linalg.LinAlgError as error:
                raise SolverError(f"binary64 is not enough for this problem: {error}") from error


@cache
def _thread_pools() -> ThreadpoolController:
    """Return the thread pools of NumPy and SciPy; finding them takes as long as a small solve."""
    return ThreadpoolController()


def _solution(problem: CovarianceProblem, options: SolveOptions, watch: Watch) -> Solution:
    """Try first what a floor makes trivial: only the floor counts, or it does not count at all."""
    known = floor_solution(problem, watch.tick)
    if known is not None:
        return known
    if problem.floor and _floor_is_low(problem):
        free = _generated(replace(problem, floor=0.0), options, watch)
        if np.linalg.eigvalsh(free.covariance)[0] >= problem.floor:
            return free
    return _generated(problem, options, watch)


def _floor_is_low(problem: CovarianceProblem) -> bool:
    """Guess from the second moment whether the noise is far above the floor in every direction anyway."""
    try:
        space = whitened(replace(problem, floor=0.0))
    except SolverError:
        return False
    # Typical vectors have s'^T s' near the sum of the weights, so Sigma' is about that multiple of I.
    smallest = np.linalg.svd(np.linalg.inv(space.matrix), compute_uv=False)[-1]
    return bool(float(np.vdot(space.weight_root, space.weight_root)) * smallest**2 > LOW * problem.floor * problem.rho)


def _generated(problem: CovarianceProblem, options: SolveOptions, watch: Watch) -> Solution:
    space = whitened(problem)
    optimum = generate(space, options, watch)
    covariance, precision = matrices_in_units(space, optimum.frame, problem.rho)
    dual = dual_in_units(problem, space, optimum.keys, optimum.dual)
    history = tuple(round_in_units(entry, problem.rho) for entry in optimum.history)
    return Solution(covariance, precision, dual, optimum.status, history)
