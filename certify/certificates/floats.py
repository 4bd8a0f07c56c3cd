"""The passage between exact matrices and binary64 arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix

FloatArray = npt.NDArray[np.float64]
MARGIN = 2.0**-38


def to_floats(value: Matrix) -> FloatArray:
    """Return the matrix with every entry rounded to the nearest binary64 number.

    Raises:
        OverflowError: If an entry is beyond the range of binary64.
    """
    denominator = int(value.denominator)
    flat = [int(entry) / denominator for entry in value.numerators.entries()]
    return np.array(flat, dtype=np.float64).reshape(value.rows, value.columns)


def from_floats(values: FloatArray) -> Matrix:
    """Return the matrix of the dyadic rationals that the entries are, exactly."""
    mantissas, exponents = np.frexp(values)
    integers = np.ldexp(mantissas, 53).astype(np.int64)
    return from_scaled(integers, exponents - 53)


def round_to_bits(values: FloatArray, bits: int) -> Matrix:
    """Return a symmetric positive definite matrix rounded relative to its diagonal.

    Entry (i, j) is rounded to a multiple of ``2^(e_i + e_j - bits)`` with ``2^(2 e_i)`` about the diagonal entry, so
    that rows of very different scale keep the same relative precision.
    """
    exponents = np.frexp(np.sqrt(np.diag(values)))[1]
    units = exponents[:, None] + exponents[None, :] - bits
    symmetric = (values + values.T) / 2
    integers = np.rint(np.ldexp(symmetric, -units)).astype(np.int64)
    return from_scaled(integers, units)


def from_scaled(integers: npt.NDArray[np.int64], exponents: npt.NDArray[np.integer]) -> Matrix:
    """Return the matrix of ``integers * 2^exponents``."""
    rows, columns = integers.shape
    nonzero = exponents[integers != 0]
    least = min(int(nonzero.min()) if nonzero.size else 0, 0)
    shifts = np.where(integers != 0, exponents - least, 0)
    pairs = zip(integers.ravel().tolist(), shifts.ravel().tolist(), strict=True)
    return matrix(fmpz_mat(rows, columns, [integer << shift for integer, shift in pairs]), fmpz(1) << -least)


def dyadic(value: float) -> fmpq:
    """Return the dyadic rational that a finite float is."""
    numerator, denominator = float(value).as_integer_ratio()
    return fmpq(numerator, denominator)


def round_dyadic(value: Matrix, bits: int) -> Matrix:
    """Return the matrix rounded to a dyadic grid ``bits`` bits below its largest entry."""
    largest = max((abs(entry) for entry in value.numerators.entries()), default=fmpz(0))
    places = bits + value.denominator.bit_length() - largest.bit_length()
    if largest == 0 or places <= 0:
        return value
    scale = fmpz(1) << places
    half = value.denominator // 2
    rounded = [(entry * scale + half) // value.denominator for entry in value.numerators.entries()]
    return matrix(fmpz_mat(value.rows, value.columns, rounded), scale)


def is_clearly_psd(value: FloatArray) -> bool:
    """Return whether floats show that a symmetric matrix is PSD: balanced to a unit diagonal it keeps a margin.

    Rounding in binary64 costs a float Cholesky factorisation about ``n 2^-53``, far below the margin; an exact check
    still has the last word.
    """
    diagonal = value.diagonal()
    if not (diagonal > 0).all():
        return False
    scale = 1 / np.sqrt(diagonal)
    try:
        np.linalg.cholesky(value * scale[:, None] * scale - MARGIN * np.eye(len(value)))
    except np.linalg.LinAlgError:
        return False
    return True
