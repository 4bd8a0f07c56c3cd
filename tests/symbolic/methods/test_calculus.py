"""Equal derivatives and one point; limits of statements."""

from __future__ import annotations

import pytest
from sympy import Expr, Integer, Symbol, erf, erfc, exp, log, oo, sqrt, symbols, tanh

from symbolic.identity import AlgebraOfLimits, DifferentiateAndCompare, Failed, Identity, Method, Proved, Undecided
from symbolic.prove import prove

t, w = symbols("t w", positive=True)
x = Symbol("x", real=True)
n = Symbol("n", integer=True, positive=True)
ZERO = Integer(0)


def equation(left: Expr, right: Expr, method: Method) -> Identity:
    return Identity("calculus", "none", left, right, method)


def test_equal_derivatives_and_one_point() -> None:
    assert isinstance(prove(equation(log(1 + 3 * t + 2 * t**2), log(1 + t) + log(1 + 2 * t), at_zero(t))), Proved)
    assert isinstance(prove(equation(erf(x) + erfc(x), Integer(1), at_zero(x))), Proved)


def at_zero(variable: Symbol) -> DifferentiateAndCompare:
    return DifferentiateAndCompare(variable, ZERO)


def test_equal_derivatives_are_not_enough() -> None:
    assert isinstance(prove(equation(erf(x), erf(x) + 1, at_zero(x))), Failed)
    assert isinstance(prove(equation(log(2 + 2 * t), log(1 + t), at_zero(t))), Failed)


def test_equal_values_are_not_enough() -> None:
    assert isinstance(prove(equation(exp(x), 1 + x, at_zero(x))), Failed)
    assert isinstance(prove(equation(tanh(x), x, at_zero(x))), Failed)


def test_the_point_may_be_an_end_at_infinity() -> None:
    assert isinstance(prove(equation(erfc(t), 1 - erf(t), DifferentiateAndCompare(t, oo))), Proved)
    assert isinstance(prove(equation(erfc(t), -erf(t), DifferentiateAndCompare(t, oo))), Failed)


@pytest.mark.parametrize(
    ("variable", "point"),
    [(t, Integer(-1)), (t, -oo), (n, ZERO), (Symbol("free"), ZERO), (Symbol("m", negative=True), ZERO)],
)
def test_the_point_must_be_reached_inside_the_domain(variable: Symbol, point: Expr) -> None:
    assert isinstance(prove(equation(variable, variable, DifferentiateAndCompare(variable, point))), Undecided)
    assert isinstance(prove(equation(variable, point, AlgebraOfLimits(variable, point))), Undecided)


def test_limits_are_compared() -> None:
    assert isinstance(prove(equation(exp(-t), ZERO, AlgebraOfLimits(t, oo))), Proved)
    assert isinstance(prove(equation(exp(-t), w, AlgebraOfLimits(t, oo))), Failed)
    assert isinstance(prove(equation(exp(t), oo, AlgebraOfLimits(t, oo))), Proved)
    assert isinstance(prove(equation(exp(t), -oo, AlgebraOfLimits(t, oo))), Failed)
    assert isinstance(prove(equation(exp(t), w, AlgebraOfLimits(t, oo))), Failed)
    assert isinstance(prove(equation(sqrt(t) * exp(-t), ZERO, AlgebraOfLimits(t, oo))), Undecided)
