"""Points well inside a cone, toward which a solution on the boundary is moved.

The side's constraints are kept while the distance t from the boundary, along a fixed interior element, is made large,
up to a cap that keeps the program bounded.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from certify.certificates.conic.margins import unit
from certify.checker.conic.cones import Nonnegative, dual_cone
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatBlock, FloatPoint, FloatProblem
from certify.solvers.conic.solve import backends_for, solve

CAP = 1.0
PENALTY = 1e-3
"""The weight of the original objective, which keeps the point from running away where nothing else does."""


def dual_centre(problem: FloatProblem) -> FloatArray | None:
    """Return a y whose slack is well inside the dual cone, as far as the solver can tell."""
    count = len(problem.right_hand_side)
    blocks = [_with_row(block, unit(dual_cone(block.cone))) for block in problem.blocks]
    scale = CAP * _scale([block.cost for block in problem.blocks])
    limit = FloatBlock(Nonnegative(1), np.array([scale]), sp.csr_matrix(([1.0], ([count], [0])), shape=(count + 1, 1)))
    gain = PENALTY * problem.right_hand_side / (1.0 + float(np.abs(problem.right_hand_side).max(initial=0.0)))
    point = _solved(FloatProblem((*blocks, limit), np.append(gain, 1.0)))
    return None if point is None else point.y[:count]


def primal_centre(problem: FloatProblem) -> BlockArrays | None:
    """Return an X well inside the cone that nearly satisfies the equations, as far as the solver can tell.

    With ``X = Z + t E`` and Z in the cone, t = cap - s is eliminated through a slack s >= 0.
    """
    units = [unit(block.cone) for block in problem.blocks]
    scale = CAP * _scale([problem.right_hand_side])
    rate = problem.apply(units)
    weights = PENALTY / (1.0 + _scale([block.cost for block in problem.blocks]))
    blocks = [FloatBlock(block.cone, weights * block.cost, block.rows) for block in problem.blocks]
    slack = FloatBlock(Nonnegative(1), np.ones(1), sp.csr_matrix(-rate[:, None]))
    point = _solved(FloatProblem((*blocks, slack), problem.right_hand_side - scale * rate))
    if point is None:
        return None
    level = scale - float(point.x[-1][0])
    return tuple(part + level * element for part, element in zip(point.x[:-1], units, strict=True))


def _with_row(block: FloatBlock, element: FloatArray) -> FloatBlock:
    rows = sp.csr_matrix(sp.vstack([block.rows, sp.csr_matrix(element.reshape(1, -1))]))
    return FloatBlock(block.cone, block.cost, rows)


def _scale(parts: list[FloatArray]) -> float:
    return 1.0 + max((float(np.abs(part).max(initial=0.0)) for part in parts), default=0.0)


def _solved(problem: FloatProblem) -> FloatPoint | None:
    solution = solve(problem, backends_for(problem)[0])
    point = solution.point
    finite = all(bool(np.all(np.isfinite(part))) for part in (*point.x, point.y))
    return point if finite else None
