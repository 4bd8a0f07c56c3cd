"""The covariance program as cvxpy problems, in the coordinates of a solve, with budget 1.

Two forms (theory.md section 4): the paper's, one block [Sigma s; s^T 1] per sensitivity vector, and the middle road,
one block [X I; I P] and one linear row s^T P s <= 1 per vector. cvxpy gives a constraint `lhs >> 0` a PSD multiplier
that enters the Lagrangian as - <multiplier, lhs>: its dual values are the Z_j, Y and mu_j of theory.md as they are.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import cvxpy
import numpy as np

from certify.solvers.problem import FloatArray, SolverError

cp: Any = cvxpy
"""cvxpy builds many of its names at run time, where a type checker cannot see them."""

Engine = Literal["SCS", "CLARABEL"]

SCS_TOLERANCE = 1e-7
"""A first-order method: each further digit costs about as much as all digits before."""

CLARABEL_TOLERANCE = 1e-10
"""Near what an interior-point method reaches in binary64."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockOptimum:
    """Sigma, Z_j (shape (J, d+1, d+1)) and the multiplier H of the floor, or None without one."""

    covariance: FloatArray
    blocks: FloatArray
    floor_multiplier: FloatArray | None


@dataclass(frozen=True, slots=True, eq=False)
class RowOptimum:
    """P, mu (shape (J,)) and the multiplier Y of P <= B, or None without a floor."""

    precision: FloatArray
    multipliers: FloatArray
    floor_multiplier: FloatArray | None


def solve_blocks(
    weight: FloatArray, vectors: FloatArray, floor: FloatArray | None, engine: Engine, seconds: float | None
) -> BlockOptimum:
    """Minimise <W, Sigma> with [Sigma s; s^T 1] PSD for every row s of vectors and Sigma - floor PSD.

    Raises:
        SolverError: the engine returned no point.
    """
    d = len(weight)
    covariance = cp.Variable((d, d), symmetric=True)
    one = np.ones((1, 1))
    constraints = [cp.bmat([[covariance, s[:, None]], [s[None, :], one]]) >> 0 for s in vectors]
    lowest = [] if floor is None else [covariance - floor >> 0]
    _run(cp.Problem(cp.Minimize(cp.trace(weight @ covariance)), constraints + lowest), engine, seconds)
    blocks = np.array([_symmetric(constraint.dual_value) for constraint in constraints])
    multiplier = _symmetric(lowest[0].dual_value) if lowest else None
    return BlockOptimum(_symmetric(covariance.value), blocks.reshape(len(vectors), d + 1, d + 1), multiplier)


def solve_rows(
    weight: FloatArray, vectors: FloatArray, highest: FloatArray | None, engine: Engine, seconds: float | None
) -> RowOptimum:
    """Minimise <W, X> with [X I; I P] PSD, s^T P s <= 1 for every row s of vectors and highest - P PSD.

    Raises:
        SolverError: the engine returned no point.
    """
    d = len(weight)
    bound, precision = cp.Variable((d, d), symmetric=True), cp.Variable((d, d), symmetric=True)
    squares = np.einsum("ja,jb->jab", vectors, vectors).reshape(len(vectors), d * d)
    rows = squares @ cp.vec(precision, order="C") <= 1
    coupling = cp.bmat([[bound, np.eye(d)], [np.eye(d), precision]]) >> 0
    floors = [] if highest is None else [highest - precision >> 0]
    _run(cp.Problem(cp.Minimize(cp.trace(weight @ bound)), [coupling, rows, *floors]), engine, seconds)
    multipliers = np.maximum(np.asarray(rows.dual_value, dtype=np.float64).reshape(len(vectors)), 0.0)
    return RowOptimum(_symmetric(precision.value), multipliers, _symmetric(floors[0].dual_value) if floors else None)


def _symmetric(matrix: Any) -> FloatArray:
    array = np.asarray(matrix, dtype=np.float64)
    return (array + array.T) / 2


def _run(problem: Any, engine: Engine, seconds: float | None) -> None:
    """Solve, leaving values and dual values in the cvxpy objects; an inaccurate point is still a point."""
    with warnings.catch_warnings():
        # The bounds computed from the point say how good it is; cvxpy's warning adds nothing to them.
        warnings.simplefilter("ignore", UserWarning)
        try:
            problem.solve(solver=engine, **_settings(engine, seconds))
        except cp.error.SolverError as error:
            raise SolverError(f"{engine} failed: {error}") from error
    if problem.status not in {cp.OPTIMAL, cp.OPTIMAL_INACCURATE, cp.USER_LIMIT}:
        raise SolverError(f"{engine} ended with status {problem.status}; the precision backend may still solve it")


def _settings(engine: Engine, seconds: float | None) -> dict[str, Any]:
    match engine:
        case "SCS":
            limits = {} if seconds is None else {"time_limit_secs": seconds}
            return {"eps_abs": SCS_TOLERANCE, "eps_rel": SCS_TOLERANCE, "max_iters": 20_000, **limits}
        case "CLARABEL":
            limits = {} if seconds is None else {"time_limit": seconds}
            names = ("tol_gap_abs", "tol_gap_rel", "tol_feas")
            return {**dict.fromkeys(names, CLARABEL_TOLERANCE), "max_threads": 1, **limits}
