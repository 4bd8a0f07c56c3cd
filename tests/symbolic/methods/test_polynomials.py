"""Expanded polynomials over the rationals."""

from __future__ import annotations

import pytest
from sympy import Expr, Integer, Rational, exp, pi, sqrt, symbols

from symbolic.identity import OutsideClass
from symbolic.methods.polynomials import expanded_polynomial

x, y = symbols("x y", real=True)


def test_expanded() -> None:
    assert expanded_polynomial((x + y) ** 2 - x**2 - y**2) == 2 * x * y
    assert expanded_polynomial((x + y) * (x - y) - x**2 + y**2) == 0
    assert expanded_polynomial(Rational(1, 3) + 0 * x) == Rational(1, 3)
    assert expanded_polynomial(Integer(0)) == 0


@pytest.mark.parametrize("expr", [1 / x, sqrt(2) * x, pi, exp(x), x**y, 0.5 + pi * x])
def test_no_polynomial_over_the_rationals(expr: Expr) -> None:
    with pytest.raises(OutsideClass):
        expanded_polynomial(expr)
