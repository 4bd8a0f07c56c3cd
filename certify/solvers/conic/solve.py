"""One entry to every backend: the problem in, a float point and an opinion out."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

import numpy as np

from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Zero
from certify.solvers.conic.arrays import FloatPoint, FloatProblem, FloatSolution, FloatStatus
from certify.solvers.conic.clarabel_backend import solve_with_clarabel
from certify.solvers.conic.components import parts_of
from certify.solvers.conic.interior import solve_with_interior_point
from certify.solvers.conic.scs_backend import solve_with_scs

FALLBACK_ROWS = 1_500
"""Up to this many rows of the standard form the other backends are quick enough to be asked as well."""


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
    if backend is not Backend.INTERIOR and not len(problem.right_hand_side):
        point = FloatPoint(tuple(np.zeros(block.shape) for block in problem.blocks), np.zeros(0))
        return FloatSolution(FloatStatus.STOPPED, point, (), "there are no equations")
    parts = parts_of(problem)
    return parts.joined(_solve(parts.problem, backend))


def _solve(problem: FloatProblem, backend: Backend) -> FloatSolution:
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
    """Return the backends worth asking, the most accurate first: all that know the cones, one where it is large."""
    symmetric = (Free, Zero, Nonnegative, PositiveSemidefinite)
    if not all(isinstance(block.cone, symmetric) for block in problem.blocks):
        return (Backend.CLARABEL, Backend.SCS)
    rows = sum(b.shape[0] * (b.shape[0] + 1) // 2 if len(b.shape) == 2 else b.shape[0] for b in problem.blocks)
    return (Backend.INTERIOR, Backend.CLARABEL, Backend.SCS) if rows <= FALLBACK_ROWS else (Backend.INTERIOR,)
