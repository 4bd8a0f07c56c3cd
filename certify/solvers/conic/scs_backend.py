"""SCS: a first-order method for every cone of the neutral form; modest accuracy at any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import scs

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
    dual_cone,
    order,
)
from certify.solvers.conic.arrays import FloatProblem, FloatSolution, FloatStatus
from certify.solvers.conic.layout import Triangle
from certify.solvers.conic.standard import standard_form

TOLERANCE = 1e-9
ITERATIONS = 20_000
_ORDER: tuple[tuple[type[Any], ...], ...] = (
    (Free,),
    (Zero,),
    (Nonnegative,),
    (SecondOrder, Rotated),
    (PositiveSemidefinite,),
    (Exponential, DualExponential),
    (Power, DualPower),
)


def solve_with_scs(problem: FloatProblem) -> FloatSolution:
    """Solve side (D) with SCS; its rows are sorted into the order of cones that SCS requires."""
    places = sorted(range(len(problem.blocks)), key=lambda index: _rank(dual_cone(problem.blocks[index].cone)))
    form = standard_form(problem, Triangle.LOWER, tuple(places))
    data = {"A": form.matrix, "b": form.constant, "c": form.linear}
    solver = scs.SCS(
        data,
        _cones(form.slack_cones()),
        eps_abs=TOLERANCE,
        eps_rel=TOLERANCE,
        eps_infeas=TOLERANCE,
        max_iters=ITERATIONS,
        verbose=False,
    )
    solution = solver.solve()
    message = str(solution["info"]["status"])
    point = form.point(np.nan_to_num(solution["x"]), np.nan_to_num(solution["y"]))
    return FloatSolution(_status(message), point, (), message)


def _rank(slack_cone: Cone) -> int:
    return next(rank for rank, kinds in enumerate(_ORDER) if isinstance(slack_cone, kinds))


def _cones(slack_cones: list[Cone]) -> dict[str, Any]:
    powers = [float(c.alpha.p) / float(c.alpha.q) for c in slack_cones if isinstance(c, Power | DualPower)]
    return {
        "z": sum(order(c) for c in slack_cones if isinstance(c, Zero)),
        "l": sum(order(c) for c in slack_cones if isinstance(c, Nonnegative)),
        "q": [order(c) for c in slack_cones if isinstance(c, SecondOrder | Rotated)],
        "s": [order(c) for c in slack_cones if isinstance(c, PositiveSemidefinite)],
        "ep": sum(isinstance(c, Exponential | DualExponential) for c in slack_cones),
        "p": powers,
    }


def _status(message: str) -> FloatStatus:
    """Translate: the solver's primal is our side (D)."""
    if message.startswith("solved"):
        return FloatStatus.SOLVED
    if message.startswith("infeasible"):
        return FloatStatus.DUAL_INFEASIBLE
    if message.startswith("unbounded"):
        return FloatStatus.PRIMAL_INFEASIBLE
    return FloatStatus.STOPPED
