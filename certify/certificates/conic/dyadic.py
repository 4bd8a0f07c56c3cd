"""Between binary64 arrays and exact matrices: floats read on a dyadic grid, exact numbers rounded to floats."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from certify.checker.conic.cones import Cone, PositiveSemidefinite
from certify.checker.conic.linear import Sparse
from certify.checker.conic.witnesses import BlockPoint, FactoredPoint, MatrixPoint, VectorPoint
from certify.checker.exact import Matrix, matrix
from certify.solvers.conic.arrays import FloatArray

LARGEST_DIRECT = 2.0**62


def grid_integers(values: FloatArray, bits: int) -> list[fmpz]:
    """Return ``values * 2^bits`` rounded to the nearest integers, in the order of the flattened array."""
    scaled = np.rint(np.ldexp(values.ravel(), bits))
    if np.abs(scaled).max(initial=0.0) < LARGEST_DIRECT:
        return list(map(fmpz, scaled.astype(np.int64).tolist()))
    return [fmpz(int(value)) for value in scaled]


def grid_row(values: FloatArray, bits: int) -> Matrix:
    """Return a vector on the grid of step ``2^-bits`` as a 1 x n matrix."""
    return matrix(fmpz_mat(1, values.size, grid_integers(values, bits)), fmpz(1) << bits)


def grid_matrix(values: FloatArray, bits: int) -> Matrix:
    """Return a matrix on the grid of step ``2^-bits``; symmetric where the array is."""
    return matrix(fmpz_mat(values.shape[0], values.shape[1], grid_integers(values, bits)), fmpz(1) << bits)


def grid_point(cone: Cone, values: FloatArray, bits: int) -> BlockPoint:
    """Return a block of a point on the grid; a PSD block is symmetrised in floats first."""
    if isinstance(cone, PositiveSemidefinite):
        return MatrixPoint(grid_matrix((values + values.T) / 2, bits))
    return VectorPoint(grid_row(values, bits))


def nearest_float(value: fmpq) -> float:
    """Return the binary64 number nearest to a rational, infinite where it is too large."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def float_row(value: Matrix) -> FloatArray:
    """Return the entries of a matrix, row by row, as binary64."""
    return _quotients(value.numerators.entries(), value.denominator)


def float_matrix(value: Matrix) -> FloatArray:
    """Return a matrix in binary64."""
    return float_row(value).reshape(value.rows, value.columns)


def float_block(value: BlockPoint) -> FloatArray:
    """Return a block of a point in binary64."""
    match value:
        case VectorPoint(entries):
            return float_row(entries)
        case MatrixPoint(symmetric):
            return float_matrix(symmetric)
        case FactoredPoint(factor, added):
            root = float_matrix(factor)
            return np.asarray(root @ root.T + np.diag(float_row(added)))


def float_sparse(value: Sparse, *, is_matrix: bool) -> FloatArray:
    """Return a combination of coefficients on one block in binary64, each entry rounded once."""
    places = list(value.numerators)
    entries = _quotients(value.numerators.values(), value.denominator)
    rows, columns = (np.array([place[k] for place in places], dtype=np.int64) for k in (0, 1))
    if not is_matrix:
        vector = np.zeros(value.order)
        vector[rows] = entries
        return vector
    dense = np.zeros((value.order, value.order))
    dense[rows, columns] = dense[columns, rows] = entries
    return dense


def _quotients(numerators: Iterable[fmpz], denominator: fmpz) -> FloatArray:
    """Divide correctly rounded, whatever the sizes of the integers."""
    below = int(denominator)
    try:
        return np.array([int(n) / below for n in numerators], dtype=float)
    except OverflowError:
        return np.array([nearest_float(fmpq(n, denominator)) for n in numerators], dtype=float)


def float_block_of(part: Matrix) -> FloatArray:
    """Return a drafted block in binary64: a vector from one row, a matrix from several."""
    return float_row(part) if part.rows == 1 and part.columns != 1 else float_matrix(part)
