"""One entry to every backend: the problem in, a float point and an opinion out."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Zero
from certify.solvers.conic.arrays import FloatProblem, FloatSolution
from certify.solvers.conic.clarabel_backend import solve_with_clarabel
from certify.solvers.conic.interior import solve_with_interior_point
from certify.solvers.conic.scs_backend import solve_with_scs


class Backend(StrEnum):
    """The float solvers at hand."""

    INTERIOR = "interior"
    CLARABEL = "clarabel"
    SCS = "scs"


def solve(problem: FloatProblem, backend: Backend) -> FloatSolution:
    """Return a float solution of the problem.

    Raises:
        ValueError: If the backend cannot handle a cone of the problem.
    """
    match backend:
        case Backend.INTERIOR:
            return solve_with_interior_point(problem)
        case Backend.CLARABEL:
            return solve_with_clarabel(problem)
        case Backend.SCS:
            return solve_with_scs(problem)
        case _:
            assert_never(backend)


def backends_for(problem: FloatProblem) -> tuple[Backend, ...]:
    """Return the backends that can handle the cones of the problem, the most accurate first."""
    symmetric = (Free, Zero, Nonnegative, PositiveSemidefinite)
    if all(isinstance(block.cone, symmetric) for block in problem.blocks):
        return (Backend.INTERIOR, Backend.CLARABEL, Backend.SCS)
    return (Backend.CLARABEL, Backend.SCS)
