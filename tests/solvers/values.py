"""Primal and dual values of a solution, recomputed from their definitions (theory.md section 4) and nothing else."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from certify.solvers.problem import (
    CompactDual,
    CovarianceProblem,
    ExplicitVectors,
    FloatArray,
    FullDual,
    IndexArray,
    PairDifferences,
    ScaledDifferences,
    SensitivitySet,
    Solution,
)


def all_vectors(sensitivity: SensitivitySet) -> FloatArray:
    """Return every sensitivity vector, one of each pair +s, -s of an unscaled set."""
    match sensitivity:
        case PairDifferences(records):
            pairs = list(combinations(range(len(records)), 2))
            return np.array([records[i] - records[j] for i, j in pairs]).reshape(len(pairs), records.shape[1])
        case ScaledDifferences(records, factors):
            m = len(records)
            directed = [(i, j) for i in range(m) for j in range(m) if i != j]
            return np.array([factors[i, j] * (records[i] - records[j]) for i, j in directed])
        case ExplicitVectors(vectors):
            return vectors


def named_vectors(sensitivity: SensitivitySet, indices: IndexArray) -> FloatArray:
    match sensitivity:
        case PairDifferences(records):
            return records[indices[:, 0]] - records[indices[:, 1]]
        case ScaledDifferences(records, factors):
            i, j = indices[:, 0], indices[:, 1]
            return factors[i, j][:, None] * (records[i] - records[j])
        case ExplicitVectors(vectors):
            return vectors[indices]


def rho_star(covariance: FloatArray, vectors: FloatArray) -> float:
    """Return the largest s^T Sigma^{-1} s; columns are scaled first, so wide scales do not hurt the solve."""
    scale = np.sqrt(np.diag(covariance))
    scaled = vectors / scale
    solved = np.linalg.solve(covariance / scale[:, None] / scale, scaled.T)
    return float(np.einsum("ij,ji->i", scaled, solved).max(initial=0.0))


def upper_value(problem: CovarianceProblem, solution: Solution) -> float:
    """Return <W, Sigma> after Sigma is enlarged until it is feasible."""
    covariance = solution.covariance
    assert np.array_equal(covariance, covariance.T)
    enlarge = max(1.0, rho_star(covariance, all_vectors(problem.sensitivity)) / problem.rho)
    if problem.floor:
        enlarge = max(enlarge, problem.floor / float(np.linalg.eigvalsh(covariance)[0]))
    return enlarge * float(np.vdot(problem.weight, covariance))


def lower_value(problem: CovarianceProblem, solution: Solution) -> float:
    """Return the dual value after the dual point is shrunk until it is feasible."""
    match solution.dual:
        case CompactDual():
            return _compact_value(problem, solution, solution.dual)
        case FullDual():
            return _full_value(problem, solution.dual)


def relative_gap(problem: CovarianceProblem, solution: Solution) -> float:
    upper = upper_value(problem, solution)
    return (upper - lower_value(problem, solution)) / upper


def _compact_value(problem: CovarianceProblem, solution: Solution, dual: CompactDual) -> float:
    """H = W - P' M P', in extended precision: its cancellation is what is measured."""
    vectors = named_vectors(problem.sensitivity, dual.indices).astype(np.longdouble)
    precision = (solution.precision if dual.dual_precision is None else dual.dual_precision).astype(np.longdouble)
    assert np.all(dual.multipliers > 0)
    moment = (vectors.T * dual.multipliers) @ vectors
    middle = precision @ moment @ precision
    shrink = 1 / max(1.0, _largest_ratio(middle.astype(np.float64), problem.weight))
    inside = 2 * np.vdot(precision, moment) - problem.rho * dual.multipliers.sum()
    return float(shrink * inside + problem.floor * np.trace(problem.weight - shrink * middle))


def _full_value(problem: CovarianceProblem, dual: FullDual) -> float:
    vectors = named_vectors(problem.sensitivity, dual.indices)
    blocks = np.concatenate(
        [
            np.concatenate([dual.blocks, dual.borders[:, :, None]], axis=2),
            np.concatenate([dual.borders[:, None, :], dual.corners[:, None, None]], axis=2),
        ],
        axis=1,
    )
    eigenvalues = np.linalg.eigvalsh(blocks)
    assert np.all(eigenvalues[:, 0] >= -1e-12 * np.abs(eigenvalues).max())
    total = dual.blocks.sum(axis=0)
    shrink = 1 / max(1.0, _largest_ratio(total, problem.weight))
    inside = -2 * np.vdot(dual.borders, vectors) - problem.rho * dual.corners.sum()
    return float(shrink * inside + problem.floor * np.trace(problem.weight - shrink * total))


def _largest_ratio(matrix: FloatArray, weight: FloatArray) -> float:
    """Return the largest eigenvalue of W^{-1/2} matrix W^{-1/2}."""
    lower = np.linalg.cholesky(weight)
    relative = np.linalg.solve(lower, np.linalg.solve(lower, matrix).T)
    return float(np.linalg.eigvalsh((relative + relative.T) / 2)[-1])
