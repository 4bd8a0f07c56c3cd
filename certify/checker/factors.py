"""The factor ``w(x) / (w(x) + w(y)) = 1 / (1 + exp(-h))`` of a pair of records, enclosed from its exponent h alone."""

from __future__ import annotations

from functools import cache

from flint import arb, fmpq, fmpz

from certify.checker.adaptive import at_precision, rational_enclosure
from certify.checker.enclosure import Enclosure, exact_fraction
from certify.checker.exponents import Exponent

GRID_BITS = 128
TINY_BITS = 1 << 20
GUARD_BITS = 32

STEP_BITS = 8
TABLE_BITS = 30
TABLE_SIZE = 24 << STEP_BITS


def factor(exponent: Exponent, bits: int = GRID_BITS, tiny_bits: int = TINY_BITS) -> Enclosure:
    """Return the factor, with the smaller of f and 1 - f known to about ``bits`` bits of its own size.

    Exactly 1/2 for equal weights. Where that smaller number is below ``2^-tiny_bits`` only this is said: f lies in
    ``[0, 2^-tiny_bits]`` or in ``[1 - 2^-tiny_bits, 1]``.

    Sound because f(-h) = 1 - f(h), and the precision of the ball of h only decides how wide the result is.
    """
    sign = exponent.sign()
    if sign == 0:
        return Enclosure(fmpq(1, 2), fmpq(1, 2))
    if sign < 0:
        return _smaller(exponent.negated(), bits, tiny_bits)
    rest = _smaller(exponent, bits, tiny_bits)
    return Enclosure(1 - rest.upper, 1 - rest.lower)


def _smaller(exponent: Exponent, bits: int, tiny_bits: int) -> Enclosure:
    """Enclose ``1 / (1 + e^h)`` for h > 0.

    Sound because it lies between 0 and 1/2, and below ``e^-h < 2^-h``.
    """

    def enclose() -> Enclosure:
        h = exponent.ball()
        if h > tiny_bits:
            return Enclosure(fmpq(0), fmpq(1, fmpz(1) << tiny_bits))
        decay = (-h).exp()
        value = decay / (1 + decay)
        ends = rational_enclosure(value)
        return Enclosure(max(ends.lower, fmpq(0)), min(ends.upper, fmpq(1, 2)))

    return at_precision(bits + GUARD_BITS + exponent.magnitude_bits(), enclose)


def factor_on_grid(exponent: Exponent, bits: int = GRID_BITS) -> tuple[fmpz, fmpz]:
    """Return integers ``lower <= 2^bits f <= upper``, equal or nearly always one apart: factors over one denominator.

    Sound because 0 < f < 1, and ``f < e^h < 2^-bits`` for ``h < -bits``, where 1 - f takes the place of f for h > 0.
    """
    whole = fmpz(1) << bits
    if exponent.sign() == 0:
        return whole >> 1, whole >> 1
    precision = bits + GUARD_BITS + exponent.magnitude_bits()
    lower, upper = at_precision(precision, lambda: _scaled_factor(exponent.ball(), bits))
    return max(lower, fmpz(0)), min(upper, whole)


def _scaled_factor(h: arb, bits: int) -> tuple[fmpz, fmpz]:
    whole = fmpz(1) << bits
    if h > bits:
        return whole - 1, whole
    if h < -bits:
        return fmpz(0), fmpz(1)
    scaled = whole / (1 + (-h).exp())
    return exact_fraction(scaled.lower().floor()).p, exact_fraction(scaled.upper().ceil()).p


@cache
def squared_factors_upper() -> tuple[fmpz, ...]:
    """Return integers T_n with ``2^TABLE_BITS f^2 <= T_n`` for every exponent up to ``n 2^-STEP_BITS``.

    The last one holds for every exponent.

    Sound because f increases with its exponent and stays below 1.
    """

    def bound(step: int) -> fmpz:
        value = 1 / (1 + (-arb(fmpq(step, fmpz(1) << STEP_BITS))).exp())
        return exact_fraction((value.upper() ** 2 * (1 << TABLE_BITS)).upper().ceil()).p

    table = at_precision(64, lambda: [bound(step) for step in range(TABLE_SIZE)])
    return (*table, fmpz(1) << TABLE_BITS)
