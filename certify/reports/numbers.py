"""Numbers as people write them: exactly where that is short, else rounded outward."""

from __future__ import annotations

from flint import fmpq

from certify.checker.decimals import decimal_lower, decimal_upper
from certify.checker.enclosure import Enclosure

SHORT = 24
LINE = 120
PLAIN = range(-4, 10)


def spelled(value: fmpq, limit: int = SHORT) -> str | None:
    """Return an exact spelling of a rational of at most ``limit`` characters, None where there is none.

    A decimal such as ``1.0832`` or ``1e-30`` where there is one, else a fraction such as ``1/3``.
    """
    decimal = _decimal(value)
    if decimal is not None and len(decimal) <= limit:
        return decimal
    text = str(value)
    return text if len(text) <= limit else None


def _decimal(value: fmpq) -> str | None:
    """Return the finite decimal of a rational, None where it has none (or a very long one)."""
    if value == 0:
        return "0"
    twos, fives, rest = 0, 0, value.q
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1 or (max(twos, fives) > 4 * SHORT and value.p.bit_length() > 4 * SHORT):
        return None
    places = max(twos, fives)
    digits = str(abs(value.p) * 2 ** (places - twos) * 5 ** (places - fives))
    sign, exponent = "-" if value < 0 else "", len(digits) - 1 - places
    return sign + _point(digits.rstrip("0"), exponent)


def _point(digits: str, exponent: int) -> str:
    """Return the decimal with these significant digits, the first of which counts ``10^exponent``."""
    if exponent not in PLAIN:
        return f"{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{exponent}"
    if exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    whole, rest = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
    return f"{whole}.{rest}" if rest else whole


def exactly(value: fmpq) -> str:
    """Return a number exactly, as a decimal where it has a short one; a fraction that would fill lines says so."""
    text = spelled(value) or str(value)
    return text if len(text) <= LINE else f"{decimal_lower(value, 20)}... (exactly: the fraction in this certificate)"


def at_least(value: fmpq, digits: int = 6) -> str:
    """Return the number exactly where that is short, else rounded down."""
    return spelled(value, digits + 4) or decimal_lower(value, digits)


def at_most(value: fmpq, digits: int = 6) -> str:
    """Return the number exactly where that is short, else rounded up."""
    return spelled(value, digits + 4) or decimal_upper(value, digits)


def between(value: Enclosure, digits: int = 10) -> str:
    """Return a number exactly where it is known so and short, else its two ends, rounded outward.

    Where the ends agree to all but the last digit, as in ``0.4913 to 0.4914``, only that many are shown.
    """
    exact = spelled(value.lower) if value.is_exact else None
    if exact is not None:
        return exact
    return f"{decimal_lower(value.lower, digits)} to {decimal_upper(value.upper, digits)}"


def percent(share: fmpq) -> str:
    """Return a share as a percentage with one decimal, rounded down."""
    tenths = int((share * 1000).floor())
    return f"{tenths // 10}.{tenths % 10} %"
