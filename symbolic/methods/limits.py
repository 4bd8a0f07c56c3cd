"""Limits by the limit laws alone. Whatever the laws do not settle is outside the class."""

from __future__ import annotations

from sympy import Add, Expr, Integer, Mul, Poly, Pow, Symbol, cosh, erf, erfc, exp, log, oo, tanh

from symbolic.identity import OutsideClass
from symbolic.methods.signs import Sign, is_nonzero, sign_of


def limit_of(expr: Expr, variable: Symbol, point: Expr) -> Expr:
    """Return the limit as the variable tends to ``point``, from inside its domain; it may be infinite.

    Sound because it composes the limits of continuous functions, in the extended reals, and refuses
    indeterminate forms, except polynomials, whose leading term decides.

    Raises:
        OutsideClass: If the laws do not settle the limit.
    """
    if not expr.has(variable):
        return expr
    if expr.is_polynomial(variable):
        return _polynomial_limit(expr, variable, point)
    match expr:
        case Add():
            return _sum_limit([limit_of(term, variable, point) for term in expr.args])
        case Mul():
            return _product_limit([limit_of(factor, variable, point) for factor in expr.args])
        case Pow():
            return _power_limit(limit_of(expr.base, variable, point), expr.base, expr.exp)
        case exp() | tanh() | erf() | erfc() | log() | cosh():
            return _function_limit(expr, limit_of(expr.args[0], variable, point))
        case _:
            raise OutsideClass(f"no limit law for {expr}")


def _polynomial_limit(expr: Expr, variable: Symbol, point: Expr) -> Expr:
    if point.is_finite:
        return expr.xreplace({variable: point})
    polynomial = Poly(expr, variable)
    if polynomial.degree() == 0:
        return polynomial.LC()
    parity = 1 if point == oo else (-1) ** polynomial.degree()
    return _times_infinity(polynomial.LC() * parity)


def _times_infinity(factor: Expr) -> Expr:
    """Return the infinity with the sign of a factor, which must be known."""
    if sign_of(factor) is Sign.POSITIVE:
        return oo
    if sign_of(-factor) is Sign.POSITIVE:
        return -oo
    raise OutsideClass(f"the sign of {factor} is not known, so its product with infinity is not either")


def _sum_limit(limits: list[Expr]) -> Expr:
    infinite = {limit for limit in limits if limit in {oo, -oo}}
    if len(infinite) == 2:
        raise OutsideClass("infinity minus infinity")
    return infinite.pop() if infinite else Add(*limits)


def _product_limit(limits: list[Expr]) -> Expr:
    infinite = [limit for limit in limits if limit in {oo, -oo}]
    finite = Mul(*(limit for limit in limits if limit not in {oo, -oo}))
    if not infinite:
        return finite
    if finite == 0:
        raise OutsideClass("zero times infinity")
    signs = Mul(*(1 if limit == oo else -1 for limit in infinite))
    return _times_infinity(finite * signs)


def _power_limit(limit: Expr, base: Expr, exponent: Expr) -> Expr:
    if not exponent.is_Rational:
        raise OutsideClass(f"the exponent {exponent} is not a rational number")
    if limit == oo:
        return oo if exponent > 0 else Integer(0)
    if limit == -oo and exponent.is_Integer:
        return Integer(0) if exponent < 0 else oo * (-1) ** exponent
    if limit == 0 and exponent < 0 and sign_of(base) is Sign.POSITIVE:
        return oo
    if limit != -oo and (exponent > 0 or is_nonzero(limit)):
        return limit**exponent
    raise OutsideClass(f"the limit of {base} to the power {exponent}")


def _function_limit(function: Expr, limit: Expr) -> Expr:
    """The value at a finite limit by continuity, or the known limit at an infinite one."""
    if isinstance(function, log):
        return _logarithm_limit(limit)
    if limit not in {oo, -oo}:
        return function.func(limit)
    match function:
        case exp():
            return oo if limit == oo else Integer(0)
        case tanh() | erf():
            return Integer(1) if limit == oo else Integer(-1)
        case erfc():
            return Integer(0) if limit == oo else Integer(2)
        case _:
            return oo


def _logarithm_limit(limit: Expr) -> Expr:
    """The argument is positive, so a limit 0 is approached from above."""
    if limit == 0:
        return -oo
    if limit == oo or sign_of(limit) is Sign.POSITIVE:
        return log(limit)
    raise OutsideClass(f"the logarithm of a limit {limit} of unknown sign")
