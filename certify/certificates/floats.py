"""The passage between exact matrices and binary64 arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, matrix

FloatArray = npt.NDArray[np.float64]
MARGIN = 2.0**-38
NORMAL = 1022
"""Nonzero integers over 2 to at most this power are normal numbers, which scaling by a power of two keeps exact."""


def to_floats(value: Matrix) -> FloatArray:
    """Return the matrix with every entry rounded to the nearest binary64 number.

    Raises:
        OverflowError: If an entry is beyond the range of binary64.
    """
    denominator, entries = int(value.denominator), list(map(int, value.numerators.entries()))
    flat = _over_power_of_two(entries, denominator)
    if flat is None:
        flat = np.array([entry / denominator for entry in entries], dtype=np.float64)
    return flat.reshape(value.rows, value.columns)


def _over_power_of_two(entries: list[int], denominator: int) -> FloatArray | None:
    """Return ``entries / denominator`` where that is a matter of scaling, which takes no division."""
    places = denominator.bit_length() - 1
    if denominator != 1 << places or places > NORMAL:
        return None
    try:
        return np.ldexp(np.array(entries, dtype=np.float64), -places)
    except OverflowError:
        return None


def from_floats(values: FloatArray) -> Matrix:
    """Return the matrix of the dyadic rationals that the entries are, exactly."""
    mantissas, exponents = np.frexp(values)
    integers = np.ldexp(mantissas, 53).astype(np.int64)
    trailing = np.maximum(np.frexp((integers & -integers).astype(np.float64))[1] - 1, 0)
    return _from_scaled(integers >> trailing, exponents + trailing - 53)


def round_to_bits(values: FloatArray, bits: int) -> FloatArray:
    """Return a symmetric positive definite matrix rounded relative to its diagonal.

    Entry (i, j) is rounded to a multiple of ``2^(e_i + e_j - bits)`` with ``2^(2 e_i)`` about the diagonal entry, so
    that rows of very different scale keep the same relative precision.

    Args:
        values: The matrix.
        bits: At most 52.
    """
    exponents = np.frexp(np.sqrt(np.diag(values)))[1]
    units = exponents[:, None] + exponents[None, :] - bits
    return np.asarray(np.ldexp(np.rint(np.ldexp((values + values.T) / 2, -units)), units))


def _from_scaled(integers: npt.NDArray[np.int64], exponents: npt.NDArray[np.integer]) -> Matrix:
    """Return the matrix of ``integers * 2^exponents``."""
    rows, columns = integers.shape
    nonzero = exponents[integers != 0]
    least = min(int(nonzero.min()) if nonzero.size else 0, 0)
    shifts = np.where(integers != 0, exponents - least, 0)
    if np.abs(integers).max(initial=0) < 1 << max(62 - int(shifts.max(initial=0)), 0):
        entries = (integers << shifts).ravel().tolist()
    else:
        pairs = zip(integers.ravel().tolist(), shifts.ravel().tolist(), strict=True)
        entries = [integer << shift for integer, shift in pairs]
    return matrix(fmpz_mat(rows, columns, entries), fmpz(1) << -least)


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
