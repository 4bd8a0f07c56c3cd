"""Decimals for people, rounded in a stated direction: never the number a check works with."""

from __future__ import annotations

from flint import fmpq, fmpz

PLAIN_EXPONENTS = range(-5, 16)


def decimal_lower(value: fmpq, digits: int = 12) -> str:
    """Return a decimal of at most ``digits`` significant digits that is not above the value."""
    return _decimal(value, digits, upward=False)


def decimal_upper(value: fmpq, digits: int = 12) -> str:
    """Return a decimal of at most ``digits`` significant digits that is not below the value."""
    return _decimal(value, digits, upward=True)


def exact_or(value: fmpq, rounded: str, limit: int = 24) -> str:
    """Return the exact rational where it is short, else the given rounding."""
    text = str(value)
    return text if len(text) <= limit else rounded


def decimal_exponent(value: fmpq) -> int:
    """Return e with ``10^e <= |value| < 10^(e + 1)`` for a value other than zero."""
    p, q = abs(value.p), value.q
    guess = int((p.bit_length() - q.bit_length()) * 0.30103)
    while _power(guess) * q > p * _power(-guess):
        guess -= 1
    while _power(guess + 1) * q <= p * _power(-guess - 1):
        guess += 1
    return guess


def _power(exponent: int) -> fmpz:
    return fmpz(10) ** max(exponent, 0)


def _decimal(value: fmpq, digits: int, *, upward: bool) -> str:
    if value == 0:
        return "0"
    exponent = decimal_exponent(value)
    places = digits - 1 - exponent
    scaled = value * _power(places) / _power(-places)
    integer = int(scaled.ceil() if upward else scaled.floor())
    sign, text = "-" if integer < 0 else "", str(abs(integer))
    exponent += len(text) - digits if integer else 0
    text = text.rstrip("0")
    if exponent not in PLAIN_EXPONENTS:
        mantissa = text[0] + ("." + text[1:] if text[1:] else "")
        return f"{sign}{mantissa}e{exponent:+03d}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{text}"
    whole, rest = text[: exponent + 1].ljust(exponent + 1, "0"), text[exponent + 1 :]
    return f"{sign}{whole}" + (f".{rest}" if rest else "")
