"""Side (D) as the standard form ``min q'x, A x + s = b, s in L`` that Clarabel and SCS share, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from certify.checker.conic.cones import Cone, dual_cone
from certify.solvers.conic.arrays import FloatArray, FloatPoint, FloatProblem
from certify.solvers.conic.layout import Triangle, slack_rows


@dataclass(frozen=True, slots=True, eq=False)
class StandardForm:
    """Rows of the standard form with what is needed to come back.

    Attributes:
        problem: The problem in our form.
        order: The blocks in the order of the rows.
        maps: T for each block in the same order.
        matrix: A, shape (rows, m).
        constant: b, shape (rows,).
        linear: q = -right-hand side, shape (m,).
    """

    problem: FloatProblem
    order: tuple[int, ...]
    maps: tuple[sp.csr_matrix, ...]
    matrix: sp.csc_matrix
    constant: FloatArray
    linear: FloatArray

    def slack_cones(self) -> list[Cone]:
        """Return the dual cones K_j* in the order of the rows."""
        return [dual_cone(self.problem.blocks[index].cone) for index in self.order]

    def point(self, variable: FloatArray, multiplier: FloatArray) -> FloatPoint:
        """Return our point from the solver's x and z."""
        parts: dict[int, FloatArray] = {}
        start = 0
        for index, rows in zip(self.order, self.maps, strict=True):
            stop = start + rows.shape[0]
            parts[index] = np.asarray(rows.T @ multiplier[start:stop]).reshape(self.problem.blocks[index].shape)
            start = stop
        return FloatPoint(tuple(parts[index] for index in range(len(parts))), np.asarray(variable, dtype=float))


def standard_form(problem: FloatProblem, triangle: Triangle, order: tuple[int, ...]) -> StandardForm:
    """Return side (D) of the problem with its blocks in the given order."""
    chosen = [problem.blocks[index] for index in order]
    maps = tuple(slack_rows(dual_cone(block.cone), triangle) for block in chosen)
    rows = [part @ block.rows.T for part, block in zip(maps, chosen, strict=True)]
    constant = [part @ block.cost.ravel() for part, block in zip(maps, chosen, strict=True)]
    width = len(problem.right_hand_side)
    return StandardForm(
        problem,
        order,
        maps,
        sp.csc_matrix(sp.vstack(rows)) if rows else sp.csc_matrix((0, width)),
        np.concatenate(constant) if constant else np.zeros(0),
        -problem.right_hand_side,
    )
