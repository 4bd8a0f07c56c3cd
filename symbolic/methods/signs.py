"""Signs and definedness of expressions, from their structure and the domains of their symbols alone.

Nothing here asks a general assumption engine about a compound expression: only symbols are asked for their declared
domains, and the rules below carry signs upward. ``UNKNOWN`` is always a possible answer, a wrong one never is.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from sympy import (
    Add,
    Derivative,
    E,
    Expr,
    Indexed,
    IndexedBase,
    Integral,
    Mul,
    Pow,
    Rational,
    Subs,
    Sum,
    Symbol,
    Tuple,
    cosh,
    erf,
    erfc,
    exp,
    expand,
    fraction,
    log,
    oo,
    pi,
    sinh,
    tanh,
    together,
)
from sympy.core.function import AppliedUndef

from symbolic.identity import OutsideClass


class Sign(Enum):
    """What is known about the sign of a real quantity."""

    POSITIVE = 2
    NONNEGATIVE = 1
    UNKNOWN = 0


EVERYWHERE_DEFINED = (Add, Mul, Rational, exp, tanh, cosh, sinh, erf, erfc, Sum, Integral, Tuple, IndexedBase)
SMOOTH = (Derivative, Subs, AppliedUndef)
CONSTANTS = (pi, E, oo, -oo)


def sign_of(expr: Expr) -> Sign:
    """Return the sign that the structure shows, of the expression or of its single expanded fraction."""
    structural = _structural_sign(expr)
    if structural is not Sign.UNKNOWN or not isinstance(expr, Add | Mul | Pow):
        return structural
    numerator, denominator = fraction(together(expr))
    return _product([_structural_sign(expand(numerator)), _structural_sign(denominator)])


def is_nonzero(expr: Expr) -> bool:
    """Whether the structure shows that the expression never vanishes."""
    if isinstance(expr, Mul | Pow):
        factors = expr.args if isinstance(expr, Mul) else expr.args[:1]
        return all(is_nonzero(factor) for factor in factors)
    return sign_of(expr) is Sign.POSITIVE or sign_of(-expr) is Sign.POSITIVE


def _structural_sign(expr: Expr) -> Sign:
    match expr:
        case Add():
            return _sum([_structural_sign(term) for term in expr.args])
        case Mul():
            return _product([_structural_sign(factor) for factor in expr.args])
        case Pow():
            return _power_sign(*expr.args)
        case Sum():
            return _sum_sign(expr)
        case _:
            return _leaf_sign(expr)


def _leaf_sign(expr: Expr) -> Sign:
    match expr:
        case Rational():
            return _declared(positive=bool(expr > 0), nonnegative=bool(expr >= 0))
        case Symbol() | Indexed():
            return _declared(positive=bool(expr.is_positive), nonnegative=bool(expr.is_nonnegative))
        case exp() | cosh() | erfc():
            return Sign.POSITIVE
        case log() | tanh() | sinh() | erf():
            # These increase: log from 1, the others from 0.
            (argument,) = expr.args
            return _structural_sign(expand(argument - 1) if isinstance(expr, log) else argument)
        case _:
            return Sign.POSITIVE if expr in {pi, E} else Sign.UNKNOWN


def _declared(*, positive: bool, nonnegative: bool) -> Sign:
    if positive:
        return Sign.POSITIVE
    return Sign.NONNEGATIVE if nonnegative else Sign.UNKNOWN


def _sum(signs: list[Sign]) -> Sign:
    if Sign.UNKNOWN in signs:
        return Sign.UNKNOWN
    return Sign.POSITIVE if Sign.POSITIVE in signs else Sign.NONNEGATIVE


def _product(signs: list[Sign]) -> Sign:
    return min(signs, key=lambda sign: sign.value)


def _power_sign(base: Expr, exponent: Expr) -> Sign:
    sign = _structural_sign(base)
    if sign is Sign.POSITIVE:
        return Sign.POSITIVE
    if isinstance(exponent, Rational) and exponent.q == 1 and exponent.p % 2 == 0:
        return Sign.POSITIVE if exponent.p < 0 else Sign.NONNEGATIVE
    return sign if exponent.is_Rational else Sign.UNKNOWN


def _sum_sign(total: Sum) -> Sign:
    """A sum over 1..n with n >= 1 has the sign of its summand."""
    ((_, first, last),) = total.limits
    nonempty = first == 1 and bool(last.is_integer and last.is_positive)
    return _structural_sign(total.function) if nonempty else Sign.UNKNOWN


def require_defined(expr: Expr) -> None:
    """Check that an expression is defined and real for all values of its symbols in their domains.

    Sub-expressions are visited before what is built of them, so each rule may use that its arguments are real.

    Raises:
        OutsideClass: If a symbol has no domain, a denominator may vanish, a root or logarithm may leave its domain,
            or a function is not one of those known here.
    """
    for part in _inner_first(expr):
        if not _is_defined(part):
            raise OutsideClass(f"{part} is not shown to be defined and real")


def _inner_first(expr: Expr) -> Iterator[Expr]:
    """Yield every sub-expression after its parts; of a derivative at a point, only the point is a part."""
    parts = expr.point if isinstance(expr, Subs) else expr.args
    for part in parts:
        yield from _inner_first(part)
    yield expr


def _is_defined(part: Expr) -> bool:
    match part:
        case Symbol() | Indexed():
            return bool(part.is_real)
        case Pow():
            return _is_defined_power(*part.args)
        case log():
            return sign_of(part.args[0]) is Sign.POSITIVE
        case _:
            return isinstance(part, EVERYWHERE_DEFINED + SMOOTH) or part in CONSTANTS


def _is_defined_power(base: Expr, exponent: Expr) -> bool:
    if exponent.is_Integer:
        return bool(exponent >= 0) or is_nonzero(base)
    sign = sign_of(base)
    if not exponent.is_Rational:
        return sign is Sign.POSITIVE
    return sign is Sign.POSITIVE or (sign is Sign.NONNEGATIVE and bool(exponent > 0))
