"""What is proposed to the exact side: a float precision and a dual point by names, from a solver or in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpz_mat

from certify.certificates.floats import FloatArray, from_floats, to_floats
from certify.checker.exact import Matrix, inner, matrix
from certify.checker.hulls import Ball, Hull, Zonotope
from certify.checker.vectors import Combination, VectorName
from certify.solvers.problem import CompactDual, FullDual, Solution


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A float primal and dual point.

    Attributes:
        precision: P, r x r.
        names: The names of the active vectors.
        dual: Their multipliers (k,) with P' (r x r), or full blocks.
    """

    precision: FloatArray
    names: tuple[VectorName, ...]
    dual: tuple[FloatArray, FloatArray] | FullDual


def from_solution(solution: Solution, name: Callable[[tuple[int, ...]], VectorName]) -> Proposal:
    """Return what a solver found, its vectors by their names."""
    names = tuple(name(tuple(np.atleast_1d(index).tolist())) for index in solution.dual.indices)
    match solution.dual:
        case CompactDual(_, multipliers, precision):
            seen = solution.precision if precision is None else precision
            return Proposal(solution.precision, names, (multipliers, seen))
        case FullDual():
            return Proposal(solution.precision, names, solution.dual)


def closed_form(hulls: tuple[Hull, ...], weight: Matrix, floor: fmpq, rho: fmpq) -> Proposal | None:
    """Return the optimum where theory.md section 2 has it in closed form: a ball, or a box with a diagonal weight."""
    match hulls:
        case (Ball(radius, dimension),) if radius > 0:
            return _over_ball(float(radius), dimension, to_floats(weight), float(floor), float(rho))
        case (Zonotope(generators),) if weight.numerators.is_diagonal() and _is_box(generators):
            return _over_box(to_floats(generators).diagonal(), to_floats(weight).diagonal(), float(floor), float(rho))
        case _:
            return None


def _is_box(generators: Matrix) -> bool:
    return generators.rows == generators.columns and generators.numerators.is_diagonal()


def _over_ball(radius: float, dimension: int, weight: FloatArray, floor: float, rho: float) -> Proposal:
    """Sigma = max(R^2 / rho, eta) I, with one multiplier w R^2 / rho^2 for each eigenvector of W."""
    needed = radius**2 / rho
    precision = np.eye(dimension) / max(needed, floor)
    if floor >= needed:
        return Proposal(precision, (), (np.zeros(0), precision))
    values, vectors = np.linalg.eigh(weight)
    names = tuple(Combination(_inside_ball(column)) for column in vectors.T)
    return Proposal(precision, names, (values * radius**2 / rho**2, precision))


def _inside_ball(direction: FloatArray) -> Matrix:
    """Return an exact row of norm at most 1 next to a float unit vector."""
    row = from_floats(direction[None, :])
    while inner(row, row) > 1:
        row = row.scaled(1 - fmpq(1, 2**50))
    return row


def _over_box(edges: FloatArray, weight: FloatArray, floor: float, rho: float) -> Proposal:
    """Sigma is diagonal, ``Sigma_ii = max(eta, nu^(1/2) l_i / W_ii^(1/2))``; M = nu Diag(l_i^2) from a Hadamard matrix.

    nu makes ``sum l_i^2 / Sigma_ii = rho``; the floor takes the coordinates that need less.
    """
    roots = np.sqrt(weight)
    level = _water_level(edges, roots, floor, rho)
    precision = np.diag(1 / np.maximum(floor, level * edges / roots))
    if level == 0:
        return Proposal(precision, (), (np.zeros(0), precision))
    signs = _hadamard(len(edges))
    names = tuple(Combination(matrix(fmpz_mat([row]))) for row in signs)
    return Proposal(precision, names, (np.full(len(signs), level**2 / len(signs)), precision))


def _water_level(edges: FloatArray, roots: FloatArray, floor: float, rho: float) -> float:
    """Return nu^(1/2), 0 where the floor alone is within the budget."""
    if floor > 0 and float((edges**2).sum()) <= rho * floor:
        return 0.0
    free = np.ones(len(edges), dtype=bool)
    while True:
        taken = float((edges[~free] ** 2).sum()) / floor if floor > 0 else 0.0
        level = float((edges * roots)[free].sum()) / (rho - taken)
        below = free & (level * edges < floor * roots)
        if not below.any():
            return level
        free &= ~below


def _hadamard(count: int) -> list[list[int]]:
    """Return rows of signs, as many as the power of two from ``count`` on, whose columns are orthogonal."""
    rows = [[1]]
    while len(rows) < count:
        rows = [row + row for row in rows] + [row + [-entry for entry in row] for row in rows]
    return [row[:count] for row in rows]


def floor_alone(size: int, floor: float) -> Proposal:
    """Return the proposal where there is nothing to protect: the floor alone."""
    precision = np.eye(size) / floor if floor > 0 else np.zeros((size, size))
    return Proposal(precision, (), (np.zeros(0), precision))
