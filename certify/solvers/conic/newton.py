"""The Newton system of the interior-point method, reduced to its Schur complement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from certify.solvers.conic.arrays import BlockArrays, FloatArray, FloatBlock, FloatProblem
from certify.solvers.conic.positive import Factored, inverse, scaled_product
from certify.solvers.conic.schur import SchurPlan, add_schur

REGULARISATIONS = (0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8)
REFINEMENTS = 3
OUTER_REFINEMENTS = 1


@dataclass(frozen=True, slots=True, eq=False)
class Geometry:
    """The problem prepared for repeated linearisation.

    Attributes:
        problem: The nonnegative and PSD blocks.
        free: The free blocks stacked, shape (m, f); their costs, shape (f,).
        free_cost: C on the free blocks, shape (f,).
        plans: One for each PSD block of the problem, None for a vector block.
        degree: The sum of the orders of the blocks.
    """

    problem: FloatProblem
    free: FloatArray
    free_cost: FloatArray
    plans: tuple[SchurPlan | None, ...]
    degree: int


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """A point of the method: X and S strictly inside their cones, y, and the free coordinates, shape (f,)."""

    x: tuple[Factored, ...]
    s: tuple[Factored, ...]
    y: FloatArray
    free: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """A step of every part of an iterate."""

    x: BlockArrays
    s: BlockArrays
    y: FloatArray
    free: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class NewtonSystem:
    """The linearisation at an iterate; ``direction`` solves it for any centring and second-order correction."""

    geometry: Geometry
    iterate: Iterate
    inverses: BlockArrays
    residuals: BlockArrays
    mu: float
    solver: SchurSolver
    base: FloatArray
    centre: FloatArray

    def direction(self, centring: float, correction: BlockArrays | None) -> Direction:
        """Return the step to ``centring * mu``; ``correction`` is the symmetric part of ``dX dS S^-1``."""
        problem, x = self.geometry.problem, [part.value for part in self.iterate.x]
        constant = [centring * self.mu * inv - value for inv, value in zip(self.inverses, x, strict=True)]
        if correction is not None:
            constant = [c - d for c, d in zip(constant, correction, strict=True)]
        lowered = map(scaled_product, x, self.residuals, self.inverses)
        constant = [c - d for c, d in zip(constant, lowered, strict=True)]
        free_right = self.geometry.free_cost - self.geometry.free.T @ self.iterate.y
        target = problem.right_hand_side - problem.apply(x) - problem.apply(constant)
        dy, free = self.solver.solve(target, free_right)
        for repeat in range(OUTER_REFINEMENTS + 1):
            combined = [block.adjoint(dy) for block in problem.blocks]
            moved = list(map(scaled_product, x, combined, self.inverses))
            if repeat < OUTER_REFINEMENTS:
                off = target - problem.apply(moved) - self.geometry.free @ free
                more, more_free = self.solver.solve(off, free_right - self.geometry.free.T @ dy)
                dy, free = dy + more, free + more_free
        dx = tuple(c + m for c, m in zip(constant, moved, strict=True))
        ds = tuple(r - c for r, c in zip(self.residuals, combined, strict=True))
        return Direction(dx, ds, dy, free - self.iterate.free)

    def second_order(self, step: Direction) -> BlockArrays:
        """Return the symmetric parts of ``dX dS S^-1``."""
        return tuple(map(scaled_product, step.x, step.s, self.inverses))


@dataclass(frozen=True, slots=True, eq=False)
class SchurSolver:
    """A factored ``[M F; F' 0]``, with M balanced to unit diagonal and F F' added to it, which changes no solution."""

    matrix: FloatArray
    factor: tuple[FloatArray, bool]
    scale: FloatArray
    free: FloatArray
    free_factor: tuple[FloatArray, bool] | None

    def solve(self, right: FloatArray, free_right: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ``dy, v`` with ``M dy + F v = right`` and ``F' dy = free_right``."""
        if self.free_factor is None:
            return self._balanced(right), np.zeros(0)
        whole = self._balanced(right + self.free @ free_right)
        v = la.cho_solve(self.free_factor, self.free.T @ whole - free_right)
        return whole - self._balanced(self.free @ v), v

    def _balanced(self, right: FloatArray) -> FloatArray:
        target = right / self.scale
        solution = la.cho_solve(self.factor, target, check_finite=False)
        for _ in range(REFINEMENTS):
            solution = solution + la.cho_solve(self.factor, target - self.matrix @ solution, check_finite=False)
        return np.asarray(solution / self.scale)


def newton_system(geometry: Geometry, iterate: Iterate) -> NewtonSystem | None:
    """Return the linearisation at the iterate, or None where the Schur complement cannot be factored."""
    problem = geometry.problem
    inverses = tuple(map(inverse, iterate.s))
    x = tuple(part.value for part in iterate.x)
    residuals = tuple(c - s.value for c, s in zip(problem.slack(iterate.y), iterate.s, strict=True))
    solver = _schur_solver(geometry, x, inverses)
    if solver is None:
        return None
    mu = float(sum(np.vdot(a, s.value) for a, s in zip(x, iterate.s, strict=True))) / geometry.degree
    base = problem.right_hand_side + problem.apply(tuple(map(scaled_product, x, residuals, inverses)))
    return NewtonSystem(geometry, iterate, inverses, residuals, mu, solver, base, problem.apply(inverses))


def _schur_solver(geometry: Geometry, x: Sequence[FloatArray], inverses: BlockArrays) -> SchurSolver | None:
    count = len(geometry.problem.right_hand_side)
    total = geometry.free @ geometry.free.T
    for block, plan, part, inv in zip(geometry.problem.blocks, geometry.plans, x, inverses, strict=True):
        if plan is None:
            total += _vector_schur(block, part * inv)
        else:
            add_schur(total, plan, part, inv)
    diagonal = np.diag(total)
    if not np.all(np.isfinite(total)) or np.any(diagonal < 0):
        return None
    scale = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    balanced = total / scale[:, None] / scale[None, :]
    for regularisation in REGULARISATIONS:
        try:
            factor = la.cho_factor(balanced + regularisation * np.eye(count), lower=True, check_finite=False)
        except la.LinAlgError:
            continue
        return _with_free(SchurSolver(balanced, factor, scale, geometry.free, None))
    return None


def _vector_schur(block: FloatBlock, weights: FloatArray) -> FloatArray:
    return np.asarray((block.rows.multiply(weights[None, :]) @ block.rows.T).toarray())


def _with_free(solver: SchurSolver) -> SchurSolver | None:
    count = solver.free.shape[1]
    if count == 0:
        return solver
    columns = la.cho_solve(solver.factor, solver.free / solver.scale[:, None]) / solver.scale[:, None]
    core = solver.free.T @ columns
    for regularisation in REGULARISATIONS:
        try:
            shift = regularisation * max(1.0, float(np.trace(core)) / count) * np.eye(count)
            return SchurSolver(solver.matrix, solver.factor, solver.scale, solver.free, la.cho_factor(core + shift))
        except la.LinAlgError:
            continue
    return None
