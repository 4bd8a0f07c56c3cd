"""Inverses of a covariance for witnesses: exact where that is cheap, else rounded to a precision just above."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb_mat, fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.checker.adaptive import at_precision, precisions
from certify.checker.exact import Matrix, matrix
from certify.checker.psd import NotPsd, Psd, decide_psd, is_positive_definite, quickly_psd
from certify.checker.witnesses import Support

EXACT_SIZE = 12
EXACT_BITS = 2000
ROUNDED_BITS = 96
DIRECTION_BITS = 2 * EXACT_BITS
MARGINS = (8, 16, 24, 32, 48, 64)
PRECISION_LIMIT = 1 << 13


@dataclass(frozen=True, slots=True)
class Carrier:
    """The range of a PSD covariance: ``Sigma = B K B^T`` with K, its part at the pivots, positive definite.

    Attributes:
        core: K, r x r.
        pivots: The r columns of K in Sigma.
        support: B and the pivots; None where r = d.
    """

    core: Matrix
    pivots: tuple[int, ...]
    support: Support | None


def asymmetry(value: Matrix) -> str | None:
    """Return where a square matrix is not symmetric and what to do, None where it is."""
    for i in range(value.rows):
        for j in range(i):
            if value.numerators[i, j] != value.numerators[j, i]:
                entries = f"{value.entry(i, j)} in row {i + 1}, column {j + 1} but {value.entry(j, i)} across"
                return f"the covariance is not symmetric: {entries}; symmetrise it, as in (S + S.T) / 2"
    return None


def carrier_of(covariance: Matrix) -> Carrier | NotPsd:
    """Return the range of a symmetric matrix, or a direction in which it is negative."""
    everything = tuple(range(covariance.rows))
    if is_positive_definite(covariance):
        return Carrier(covariance, everything, None)
    pivots, basis = row_space(covariance)
    core = covariance.select(pivots, pivots)
    match decide_psd(core):
        case Psd():
            return Carrier(core, pivots, Support(basis, pivots))
        case NotPsd(direction, value):
            spread = dict(zip(pivots, direction, strict=True))
            return NotPsd(tuple(spread.get(column, fmpz(0)) for column in everything), value)


def row_space(value: Matrix) -> tuple[tuple[int, ...], Matrix]:
    """Return pivot columns and B, d x r, with ``row = B row[pivots]`` for every row (reduced echelon form)."""
    echelon, denominator, rank = value.numerators.rref()
    table = echelon.tolist()[:rank]
    pivots = tuple(next(j for j, entry in enumerate(row) if entry != 0) for row in table)
    numerators = fmpz_mat(rank, value.columns, [entry for row in table for entry in row]).transpose()
    return pivots, matrix(numerators, denominator)


def annihilator(support: Support, column: int) -> Matrix:
    """Return the row y, 1 x d, with ``y.x = x_column - (B x[pivots])_column``: zero on the range of the covariance."""
    size = support.basis.rows
    entries = [fmpz(0)] * size
    entries[column] = support.basis.denominator
    for position, pivot in enumerate(support.pivots):
        entries[pivot] -= support.basis.numerators[column, position]
    return matrix(fmpz_mat(1, size, entries), support.basis.denominator)


def cheap_inverse(core: Matrix) -> Matrix | None:
    """Return the exact inverse of a positive definite matrix where it is short enough to check with, else None."""
    diagonal = core.numerators.is_diagonal()
    if core.rows > EXACT_SIZE and not diagonal:
        return None
    inverse = exact_inverse(core)
    longest = max((entry.bit_length() for entry in inverse.numerators.entries()), default=0)
    return inverse if diagonal or longest <= EXACT_BITS else None


def exact_inverse(core: Matrix) -> Matrix:
    """Return the inverse of a nonsingular matrix."""
    if core.rows == 0:
        return core
    numerators, denominator = fmpq_mat(core.numerators).inv().numer_denom()
    return matrix(numerators * core.denominator, denominator)


def precision_above(core: Matrix, bits: int = ROUNDED_BITS) -> Matrix | None:
    """Return P >= K^-1 about ``2^-bits`` above it relatively, for a positive definite K; None where none was found.

    The inverse is computed in ball arithmetic, rounded relative to its diagonal and enlarged by the least margin that
    survives: the checker will ask that P > 0 and ``P K P - P`` is PSD, and so does this function.
    """
    for margin in MARGINS:
        rounded = _rounded_inverse(core, bits + margin)
        if rounded is None:
            return None
        above = rounded.scaled(1 + fmpq(1, fmpz(1) << bits - min(margin, bits // 2)))
        if quickly_psd(above @ core @ above - above) and is_positive_definite(above):
            return above
    return None


def _rounded_inverse(core: Matrix, bits: int) -> Matrix | None:
    """Return a symmetric dyadic matrix near the inverse, entry (i, j) to ``bits`` bits below ``sqrt(P_ii P_jj)``."""
    inverse = _enclosed_inverse(core, bits)
    if inverse is None:
        return None
    size = core.rows
    diagonal = [abs(inverse.entry(i, i)) for i in range(size)]
    units = [(int(entry.p.bit_length()) - int(entry.q.bit_length())) // 2 for entry in diagonal]
    finest = 2 * min(units) - bits
    numerators = fmpz_mat(size, size)
    for i in range(size):
        for j in range(i + 1):
            unit = units[i] + units[j] - bits
            entry = (inverse.entry(i, j) / fmpq(2) ** unit).floor() << (unit - finest)
            numerators[i, j] = numerators[j, i] = entry
    return matrix(numerators).scaled(fmpq(2) ** finest)


def _enclosed_inverse(core: Matrix, bits: int) -> Matrix | None:
    """Return the midpoints of a ball inverse whose balls are below ``2^-bits`` relative to its largest entry."""
    for precision in precisions(2 * bits, PRECISION_LIMIT):
        found = at_precision(precision, lambda: _midpoints(core, bits))
        if found is not None:
            return found.scaled(fmpq(core.denominator))
    return None


def _midpoints(core: Matrix, bits: int) -> Matrix | None:
    try:
        inverse = arb_mat(core.numerators).inv()
    except ZeroDivisionError:
        return None
    entries = inverse.entries()
    largest = max(abs(entry).upper().fmpq() for entry in entries if entry.is_finite())
    if any(not entry.rad() * (1 << bits) < largest for entry in entries):
        return None
    exact = [entry.mid().fmpq() for entry in entries]
    denominator = max((entry.q for entry in exact), default=fmpz(1))
    return matrix(fmpz_mat(core.rows, core.rows, [(e * denominator).p for e in exact]), denominator)


def solve_direction(carrier: Carrier, precision: Matrix, vector: Matrix) -> Matrix:
    """Return y, 1 x d, with ``Sigma y`` equal or close to a multiple of a vector s (1 x d) in the range of Sigma.

    With y zero outside the pivots and ``y[pivots] = K^-1 s[pivots]``, ``Sigma y = B K y[pivots] = s``. Long entries are
    rounded; the loss in ``(y.s)^2 / (y^T Sigma y)`` is quadratic in that.

    Args:
        carrier: The range of Sigma.
        precision: K^-1, or a matrix close to it.
        vector: s.
    """
    size = vector.columns
    short = _integer_row(vector.select((0,), carrier.pivots) @ precision)
    entries = [fmpz(0)] * size
    for position, pivot in enumerate(carrier.pivots):
        entries[pivot] = short.numerators[0, position]
    return matrix(fmpz_mat(1, size, entries), short.denominator)


def _integer_row(row: Matrix) -> Matrix:
    """Return a multiple of the row in small integers, rounded where they would be longer than ``DIRECTION_BITS``."""
    numerators = row.numerators.entries()
    common = fmpz(0)
    for entry in numerators:
        common = common.gcd(entry)
    if common == 0:
        return row
    numerators = [entry // common for entry in numerators]
    excess = max(entry.bit_length() for entry in numerators) - DIRECTION_BITS
    if excess > 0:
        numerators = [(entry + (fmpz(1) << (excess - 1))) >> excess for entry in numerators]
    return matrix(fmpz_mat(1, row.columns, numerators))
