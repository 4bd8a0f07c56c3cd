"""The lower bound: a float y made exact, and moved toward the interior until its slack lies in the dual cone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from certify.certificates.conic.affine import solved
from certify.certificates.conic.dyadic import grid_row
from certify.certificates.conic.inward import Candidate, Measure, candidates
from certify.certificates.conic.margins import margin
from certify.checker.conic.check import lower_bound
from certify.checker.conic.cones import Free, dual_cone
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import DualPoint
from certify.checker.exact import Matrix, matrix_of_fractions
from certify.checker.verdict import Obligation
from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatProblem

ROUNDOFF = 2.0**-50
LARGEST_GRID = 900


def dual_point(problem: ConicProblem, floats: FloatProblem, path: Sequence[FloatArray]) -> tuple[DualPoint, fmpq] | str:
    """Return an exact dual feasible point near the best of the float points with its value, or why none was found.

    Args:
        problem: The exact problem.
        floats: The same in binary64.
        path: Float y, from the most central to the best.
    """
    reason = "no dual point of the solver lies clearly inside its cone"
    for candidate in candidates([(y,) for y in path], _measure(floats)):
        multipliers = _exact_multipliers(problem, floats, candidate)
        if multipliers is None:
            return "the equations that free coordinates of X put on y have no solution"
        point = DualPoint((), multipliers)
        bound = lower_bound(problem, point)
        broken = first_broken(bound.obligations)
        if bound.value is not None and broken is None:
            return point, bound.value
        reason = broken or reason
    return reason


def first_broken(obligations: Sequence[Obligation]) -> str | None:
    """Return the first obligation that does not hold, with its detail, or None."""
    return next((f"{each.name}: {each.detail}" for each in obligations if not each.holds), None)


def slack_margin(floats: FloatProblem, y: FloatArray) -> float:
    """Return about how far inside the dual cone the slack of y is, equations left aside."""
    margins = [
        margin(dual_cone(block.cone), part)
        for block, part in zip(floats.blocks, floats.slack(y), strict=True)
        if not isinstance(block.cone, Free)
    ]
    return min(margins, default=np.inf)


def row_norms(floats: FloatProblem) -> FloatArray:
    """Return the Frobenius norm of every A_i, shape (m,)."""
    squares = np.zeros_like(floats.right_hand_side)
    for block in floats.blocks:
        squares += np.asarray(block.rows.multiply(block.rows).sum(axis=1)).ravel()
    return np.sqrt(squares)


def grid_for(change: float, allowed: float) -> int:
    """Return the bits of the coarsest grid on which a unit step that changes something by ``change`` is allowed."""
    return int(np.clip(np.ceil(np.log2(max(change, 1e-290)) - np.log2(max(allowed, 1e-290))), 0, LARGEST_GRID))


def _measure(floats: FloatProblem) -> Measure:
    norms = row_norms(floats)
    largest = max((float(np.abs(block.cost).max(initial=0.0)) for block in floats.blocks), default=0.0)

    def value(point: BlockArrays) -> float:
        return -float(floats.right_hand_side @ point[0])

    def noise(point: BlockArrays) -> float:
        return ROUNDOFF * (largest + float(np.abs(point[0]) @ norms))

    return Measure(value, lambda point: slack_margin(floats, point[0]), noise)


def _exact_multipliers(problem: ConicProblem, floats: FloatProblem, candidate: Candidate) -> Matrix | None:
    """Read y on a grid that leaves most of its margin, and solve the equations of free blocks exactly."""
    bits = grid_for(float(row_norms(floats).sum()), candidate.margin / 8)
    equations = _free_equations(problem)
    if equations is None:
        return grid_row(candidate.point[0], bits)
    reduced = solved(*equations)
    target = [fmpq(*value.as_integer_ratio()) for value in candidate.point[0].tolist()]
    return None if reduced is None else reduced.near(target, bits)


def _free_equations(problem: ConicProblem) -> tuple[Matrix, Matrix] | None:
    """Return E, f with ``E y = f``: what free blocks of X demand of y; None where there are none."""
    rows: list[list[fmpq]] = []
    for part in problem.blocks:
        if isinstance(part.cone, Free):
            table = [[fmpq(0)] * (problem.constraint_count + 1) for _ in range(part.cone.size)]
            for constraint, row, _, numerator in part.entries():
                table[row][constraint] = fmpq(numerator, part.values.denominator)
            rows += table
    if not rows:
        return None
    count = problem.constraint_count
    return matrix_of_fractions([row[1:] for row in rows], count), matrix_of_fractions([row[:1] for row in rows], 1)
