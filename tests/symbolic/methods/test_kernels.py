"""The elementary normal form: true identities reach zero, and what reaches zero is true."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sympy import (
    Derivative,
    E,
    Expr,
    Function,
    Integer,
    Integral,
    Rational,
    Subs,
    Symbol,
    cosh,
    erf,
    erfc,
    exp,
    gamma,
    log,
    pi,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from symbolic.identity import OutsideClass
from symbolic.methods.kernels import residual_of
from tests.symbolic.sampling import ScalarPoint, source_for

q, w = symbols("q w", positive=True)
x, y = symbols("x y", real=True)
g = Function("g")


@pytest.mark.parametrize(
    "difference",
    [
        exp(x + y) - exp(x) * exp(y),
        exp(x / 2) ** 2 - exp(x),
        exp(x / 3) * exp(2 * x / 3) - exp(x),
        exp(x + 1) - E * exp(x),
        exp((x + y) ** 2) - exp(x**2) * exp(2 * x * y) * exp(y**2),
        exp((x**2 - 1) / (q + 1)) * exp(1 / (q + 1)) - exp(x**2 / (q + 1)),
        tanh(2 * x) - 2 * tanh(x) / (1 + tanh(x) ** 2),
        cosh(x) ** 2 - sinh(x) ** 2 - 1,
        1 - tanh(x) ** 2 - cosh(x) ** -2,
        erfc(-x) + erfc(x) - 2,
        erf((x + y) ** 2 - x**2) - erf(y**2 + 2 * x * y),
        sqrt(2) * (x / sqrt(2) + y) ** 2 - (x + sqrt(2) * y) ** 2 / sqrt(2),
        1 / (sqrt(q) + 1) - (sqrt(q) - 1) / (q - 1),
        q ** Rational(1, 3) * q ** Rational(1, 6) - sqrt(q),
        sqrt(2 * pi * q) ** 2 - 2 * pi * q,
        log((q**2 - 1) / (q - 1)) - log(q + 1),
        Derivative(erf(x), x) - 2 * exp(-(x**2)) / sqrt(pi),
        Derivative(g(x + q), x) - Subs(Derivative(g(y), y), y, q + x),
        Integer(0),
    ],
)
def test_identity_reaches_zero(difference: Expr) -> None:
    assert residual_of(difference) == 0


@pytest.mark.parametrize(
    "difference",
    [
        exp(x) - exp(y),
        exp(2 * x) - 2 * exp(x),
        exp(x**2) - exp(x) ** 2,
        erf(x) - erf(y),
        erf(-x) - erf(x),
        erf(2 * x) - 2 * erf(x),
        log(1 + q) - log(1 + w),
        sqrt(q) - q,
        sqrt(2) - Rational(141421356, 100000000),
        sqrt(2) * sqrt(2) - 3,
        pi - Rational(355, 113),
        g(x) - g(y),
        Derivative(g(x), x) - g(x),
        exp(x) / (1 + exp(x)) - 1,
    ],
)
def test_what_is_not_an_identity_leaves_something(difference: Expr) -> None:
    assert residual_of(difference) != 0


@pytest.mark.parametrize(
    "expr",
    [
        sqrt(x),
        sqrt(1 + q),
        gamma(q),
        q**x,
        Symbol("z", real=True) + 0.5,
        Integral(exp(-(x**2)), (x, 0, 1)),
        Subs(Derivative(g(x * y), x), x, q),
    ],
)
def test_outside_the_class(expr: Expr) -> None:
    with pytest.raises(OutsideClass):
        residual_of(expr - w)


leaves = st.sampled_from([q, x, y, sqrt(q), exp(x), exp(-x), exp(x * y), tanh(x), erf(x), Integer(2), Rational(-1, 3)])


def grown(children: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(lambda a: a / (1 + q), children),
    )


expressions = st.recursive(leaves, grown, max_leaves=5)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(expr=expressions, factor=expressions)
def test_products_distribute(expr: Expr, factor: Expr) -> None:
    assert residual_of((expr + factor) * factor - expr * factor - factor**2) == 0


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=expressions, second=expressions)
def test_zero_exactly_when_the_numbers_agree(first: Expr, second: Expr) -> None:
    """Numeric agreement: on this class the normal form decides, so both directions can be compared with a value."""
    with mpmath.workdps(60):
        number = ScalarPoint(source_for("kernels")).evaluate(first - second)
    assume(abs(number) < mpmath.mpf(10) ** -40 or abs(number) > mpmath.mpf(10) ** -20)
    assert (residual_of(first - second) == 0) == (abs(number) < mpmath.mpf(10) ** -40)
