"""Choose a backend by name."""

from __future__ import annotations

from dataclasses import dataclass

from certify.solvers.conic_backend import ConicBackend, fits_in_blocks
from certify.solvers.precision import PrecisionBackend
from certify.solvers.problem import Backend, CovarianceProblem, Report, Solution, SolveOptions, SolverError
from certify.solvers.workers import HERE, Workers

NAMES = ("auto", "precision", "scs", "clarabel")


@dataclass(frozen=True, slots=True)
class AutoBackend:
    """The precision backend, the fastest and most accurate at every size; Clarabel where it gives up on a small one."""

    workers: Workers = HERE
    name: str = "auto"

    def solve(self, problem: CovarianceProblem, options: SolveOptions, report: Report) -> Solution:
        """Solve; see certify.solvers.problem.Backend.

        Raises:
            ValueError: the problem is not well formed.
            SolverError: no usable point was found.
        """
        try:
            return PrecisionBackend(self.workers).solve(problem, options, report)
        except SolverError:
            if not fits_in_blocks(problem):
                raise
            return ConicBackend("clarabel", "CLARABEL").solve(problem, options, report)


def backend_by_name(name: str, workers: Workers = HERE) -> Backend:
    """Return the backend with this name; the precision backend searches pairs of records on workers.

    Raises:
        ValueError: there is none; the message lists the names.
    """
    match name:
        case "auto":
            return AutoBackend(workers)
        case "precision":
            return PrecisionBackend(workers)
        case "scs":
            return ConicBackend("scs", "SCS")
        case "clarabel":
            return ConicBackend("clarabel", "CLARABEL")
        case _:
            raise ValueError(f"no solver is called {name!r}; choose one of {', '.join(NAMES)}")
