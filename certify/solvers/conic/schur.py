"""The Schur complement ``M_ij = <A_i, X A_j S^-1>`` of a PSD block, formed by sparsity.

Constraints with few entries are paired entry by entry through gathered products; constraints with many are multiplied
out one by one. Source: the F1 and F3 formulas of Fujisawa, Kojima and Nakata (1997).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from certify.solvers.conic.arrays import FloatArray, FloatBlock

GATHERED_AT_ONCE = 5_000_000
# Rough costs in nanoseconds: a gathered product, a fused multiply-add of BLAS, a pass over a dense matrix, a call.
GATHER, MULTIPLY, PASS, CALL = 8.0, 0.3, 4.0, 80_000.0


@dataclass(frozen=True, slots=True, eq=False)
class SchurPlan:
    """How the constraints of a PSD block are treated.

    Attributes:
        block: The block, of order n.
        dense: Indices of constraints multiplied out one by one, those with most entries first.
        sparse: Indices of the k constraints paired entry by entry.
        gather: Their values, shape (k, N), one column for each of their N entries.
        rows: Row of each entry, shape (N,).
        columns: Column of each entry, shape (N,).
    """

    block: FloatBlock
    dense: tuple[int, ...]
    sparse: np.ndarray
    gather: sp.csc_matrix
    rows: np.ndarray
    columns: np.ndarray


def schur_plan(block: FloatBlock) -> SchurPlan:
    """Return the cheaper treatment of each constraint of a PSD block."""
    size = block.shape[0]
    counts = np.diff(block.rows.indptr)
    active = np.flatnonzero(counts)
    dense: list[int] = []
    remaining = int(counts.sum())
    for index in active[np.argsort(-counts[active], kind="stable")]:
        support = min(np.unique(block.rows[index].indices % size).size, size)
        multiplied = size * size * (support * MULTIPLY + PASS) + remaining * PASS + CALL
        if counts[index] * remaining * GATHER <= multiplied:
            break
        dense.append(int(index))
        remaining -= int(counts[index])
    sparse = np.setdiff1d(active, dense)
    entries = block.rows[sparse].tocoo()
    gather = sp.csc_matrix((entries.data, (entries.row, np.arange(entries.nnz))), shape=(len(sparse), entries.nnz))
    return SchurPlan(block, tuple(dense), sparse, gather, entries.col // size, entries.col % size)


def add_schur(total: FloatArray, plan: SchurPlan, x: FloatArray, inverse: FloatArray) -> None:
    """Add the Schur complement of one PSD block to ``total``, shape (m, m), in place; ``inverse`` is S^-1."""
    done: list[int] = []
    for index in plan.dense:
        column = plan.block.apply(_sandwich(plan, index, x, inverse))
        column[done] = 0.0
        total[:, index] += column
        column[index] = 0.0
        total[index, :] += column
        done.append(index)
    if len(plan.sparse):
        total[np.ix_(plan.sparse, plan.sparse)] += _paired(plan, x, inverse)


def _sandwich(plan: SchurPlan, index: int, x: FloatArray, inverse: FloatArray) -> FloatArray:
    """Return the symmetric part of ``X A_index S^-1``."""
    size = plan.block.shape[0]
    row = plan.block.rows[index]
    rows, columns = np.unique(row.indices // size), np.unique(row.indices % size)
    core = np.zeros((len(rows), len(columns)))
    core[np.searchsorted(rows, row.indices // size), np.searchsorted(columns, row.indices % size)] = row.data
    product = (x[:, rows] @ core) @ inverse[columns, :]
    return np.asarray((product + product.T) / 2)


def _paired(plan: SchurPlan, x: FloatArray, inverse: FloatArray) -> FloatArray:
    count = len(plan.rows)
    step = max(1, GATHERED_AT_ONCE // count)
    result = np.zeros((len(plan.sparse), len(plan.sparse)))
    for start in range(0, count, step):
        part = slice(start, min(count, start + step))
        weights = x[np.ix_(plan.rows, plan.rows[part])] * inverse[np.ix_(plan.columns, plan.columns[part])]
        result += plan.gather[:, part] @ np.asarray(plan.gather @ weights).T
    return np.asarray((result + result.T) / 2)
