"""Clarabel: a homogeneous interior-point method for every cone of the neutral form."""

from __future__ import annotations

from typing import Any, assert_never

import clarabel
import scipy.sparse as sp

from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.solvers.conic.arrays import FloatProblem, FloatSolution, FloatStatus
from certify.solvers.conic.layout import Triangle
from certify.solvers.conic.standard import standard_form

TOLERANCE = 1e-9


def solve_with_clarabel(problem: FloatProblem) -> FloatSolution:
    """Solve side (D) with Clarabel as accurately as it can; shortfalls are for the repair, not for an exception."""
    form = standard_form(problem, Triangle.UPPER, tuple(range(len(problem.blocks))))
    cones = [image for cone in form.slack_cones() if (image := _cone(cone)) is not None]
    width = len(form.linear)
    quadratic = sp.csc_matrix((width, width))
    solver = clarabel.DefaultSolver(quadratic, form.linear, form.matrix, form.constant, cones, _settings())
    solution = solver.solve()
    status = str(solution.status)
    return FloatSolution(_status(status), form.point(solution.x, solution.z), (), status)


def _settings() -> Any:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOLERANCE
    settings.tol_infeas_abs = settings.tol_infeas_rel = TOLERANCE
    return settings


def _cone(slack_cone: Cone) -> Any:
    """Return Clarabel's cone for the rows of ``slack_rows``, or None where there are none."""
    image: Any = None
    match slack_cone:
        case Free():
            pass
        case Zero(size):
            image = clarabel.ZeroConeT(size)
        case Nonnegative(size):
            image = clarabel.NonnegativeConeT(size)
        case SecondOrder(size) | Rotated(size):
            image = clarabel.SecondOrderConeT(size)
        case PositiveSemidefinite(size):
            image = clarabel.PSDTriangleConeT(size)
        case Exponential() | DualExponential():
            image = clarabel.ExponentialConeT()
        case Power(alpha) | DualPower(alpha):
            image = clarabel.PowerConeT(float(alpha.p) / float(alpha.q))
        case _:
            assert_never(slack_cone)
    return image


def _status(status: str) -> FloatStatus:
    """Translate: the solver's primal is our side (D)."""
    match status:
        case "Solved" | "AlmostSolved":
            return FloatStatus.SOLVED
        case "PrimalInfeasible" | "AlmostPrimalInfeasible":
            return FloatStatus.DUAL_INFEASIBLE
        case "DualInfeasible" | "AlmostDualInfeasible":
            return FloatStatus.PRIMAL_INFEASIBLE
        case _:
            return FloatStatus.STOPPED
