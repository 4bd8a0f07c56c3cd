"""Polynomials over the rationals, in their one expanded form."""

from __future__ import annotations

from sympy import Dummy, Expr
from sympy.polys.rings import ring

from symbolic.identity import OutsideClass


def expanded_polynomial(expr: Expr) -> Expr:
    """Return an expression as an expanded polynomial over the rationals in its symbols; 0 only if it is zero.

    Raises:
        OutsideClass: If it is no such polynomial.
    """
    symbols = sorted(expr.free_symbols, key=str) or [Dummy()]
    domain, *_ = ring(symbols, "QQ")
    try:
        return domain.from_expr(expr).as_expr()
    except ValueError as error:
        raise OutsideClass(f"{expr} is not a polynomial over the rationals") from error
