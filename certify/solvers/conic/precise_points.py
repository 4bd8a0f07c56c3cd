"""Points of the multiprecision method: how good they are, and where it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from flint import arb, arb_mat

from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Zero
from certify.checker.conic.problem import ConicProblem
from certify.solvers.conic.arrays import FloatPoint
from certify.solvers.conic.midpoints import (
    cholesky,
    column,
    difference,
    inner,
    least_product_eigenvalue,
    norm,
    scaled_identity,
)
from certify.solvers.conic.precise import PreciseProblem

CENTRALITY = 1e-3
FEASIBLE_SHARE = 0.3
PRIMAL_WEIGHT = 1e8


@dataclass(frozen=True, slots=True, eq=False)
class PrecisePoint:
    """An iterate: X block by block in the blocks of ``PreciseProblem``, S, y, free coordinates, and how good it is.

    Attributes:
        gap: Relative duality gap.
        primal: Relative infeasibility of X.
        dual: Relative infeasibility of y and S.
        mu: The mean eigenvalue of ``X S``.
        bound: ``b'y``.
    """

    x: tuple[arb_mat, ...]
    s: tuple[arb_mat, ...]
    y: tuple[arb, ...]
    free: tuple[arb, ...]
    gap: float
    primal: float
    dual: float
    mu: float
    bound: float

    @property
    def worst(self) -> float:
        """The largest of the gap and the infeasibilities, that of X weighted: its eigenvalues must outweigh it."""
        return max(abs(self.gap), PRIMAL_WEIGHT * self.primal, self.dual)


def measured(
    problem: PreciseProblem,
    x: Sequence[arb_mat],
    s: Sequence[arb_mat],
    y: Sequence[arb],
    free: Sequence[arb],
) -> PrecisePoint:
    """Return the point with its gap and infeasibilities."""
    cost = sum((inner(b.cost, part) for b, part in zip(problem.blocks, x, strict=True)), arb(0))
    cost += sum((a * b for a, b in zip(problem.free_cost, free, strict=True)), arb(0))
    bound = sum((a * b for a, b in zip(problem.right_hand_side, y, strict=True)), arb(0))
    used = (problem.free * column(free)).entries() if free else [arb(0)] * len(y)
    off = [b - t - f for b, t, f in zip(problem.right_hand_side, problem.apply(x), used, strict=True)]
    slack = [entry for part in residuals(problem, s, y) for entry in part.entries()]
    slack += difference(problem.free_cost, problem.free.transpose() * column(y))
    costs = [entry for block in problem.blocks for entry in block.cost.entries()]
    mu = sum((inner(a, b) for a, b in zip(x, s, strict=True)), arb(0)) / max(problem.degree, 1)
    return PrecisePoint(
        tuple(x),
        tuple(s),
        tuple(y),
        tuple(free),
        float((cost - bound) / (1 + abs(cost) + abs(bound))),
        norm(off) / (1 + norm(problem.right_hand_side)),
        norm(slack) / (1 + norm(costs)),
        float(mu),
        float(bound),
    )


def residuals(problem: PreciseProblem, s: Sequence[arb_mat], y: Sequence[arb]) -> tuple[arb_mat, ...]:
    """Return ``C - sum y_i A_i - S``, block by block."""
    return tuple((block.cost - block.adjoint(y) - part).mid() for block, part in zip(problem.blocks, s, strict=True))


def from_floats(problem: ConicProblem, prepared: PreciseProblem, given: FloatPoint) -> PrecisePoint | None:
    """Return a float point with its exact slack, or None where X or the slack is not positive definite."""
    x: list[arb_mat] = []
    free: list[arb] = []
    for part, value in zip(problem.blocks, given.x, strict=True):
        match part.cone:
            case PositiveSemidefinite():
                x.append(arb_mat([[arb(entry) for entry in row] for row in value.tolist()]))
            case Nonnegative():
                x += [arb_mat([[arb(entry)]]) for entry in value.tolist()]
            case Free():
                free += [arb(entry) for entry in value.tolist()]
            case Zero():
                continue
            case _:
                # A quadratic block knows no matrix whose arrow part it is.
                return None
    y = [arb(entry) for entry in given.y.tolist()]
    s = [(block.cost - block.adjoint(y)).mid() for block in prepared.blocks]
    if any(cholesky(part) is None for part in (*x, *s)):
        return None
    return measured(prepared, x, s, y, free)


def is_central(point: PrecisePoint) -> bool:
    """Return whether the gap outweighs the infeasibilities and no eigenvalue of ``X S`` is far below their mean."""
    return max(point.primal, point.dual) < FEASIBLE_SHARE * point.gap and all(
        least_product_eigenvalue(a, b) > CENTRALITY * point.mu for a, b in zip(point.x, point.s, strict=True)
    )


def starting_point(problem: PreciseProblem) -> PrecisePoint:
    """Return multiples of the identity large enough for the data."""
    norms = [1.0] * len(problem.right_hand_side)
    for block in problem.blocks:
        for index, row in zip(block.active, block.rows.tolist(), strict=True):
            norms[index] += norm(row)
    primal = (
        10.0
        * problem.degree
        * max(((1 + abs(float(b))) / norm for b, norm in zip(problem.right_hand_side, norms, strict=True)), default=1.0)
    )
    cost = sqrt(sum(float(entry) ** 2 for block in problem.blocks for entry in block.cost.entries()))
    dual = 10.0 * (max([*norms, 1.0]) + cost)
    x = tuple(scaled_identity(block.order, max(primal, 10.0)) for block in problem.blocks)
    s = tuple(scaled_identity(block.order, dual) for block in problem.blocks)
    zeros = (arb(0),) * len(norms)
    return measured(problem, x, s, zeros, (arb(0),) * len(problem.free_cost))
