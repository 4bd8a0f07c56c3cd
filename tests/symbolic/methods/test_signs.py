"""Signs and definedness: what the structure shows is shown, and nothing false is."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy import (
    Expr,
    Float,
    I,
    IndexedBase,
    Integer,
    Rational,
    Sum,
    Symbol,
    cosh,
    erf,
    erfc,
    exp,
    gamma,
    log,
    pi,
    sqrt,
    symbols,
    tanh,
    zoo,
)

from symbolic.identity import OutsideClass
from symbolic.methods.signs import Sign, is_nonzero, require_defined, sign_of
from tests.symbolic.sampling import ScalarPoint, source_for

w, v = symbols("w v", positive=True)
e = Symbol("e", nonnegative=True)
x, y = symbols("x y", real=True)
n, i = symbols("n i", integer=True, positive=True)
r, c = IndexedBase("r", positive=True), IndexedBase("c", real=True)


@pytest.mark.parametrize(
    ("expr", "sign"),
    [
        (Rational(1, 2), Sign.POSITIVE),
        (Integer(0), Sign.NONNEGATIVE),
        (Integer(-1), Sign.UNKNOWN),
        (w + e, Sign.POSITIVE),
        (e * w, Sign.NONNEGATIVE),
        (w - v, Sign.UNKNOWN),
        (-w, Sign.UNKNOWN),
        (x**2, Sign.NONNEGATIVE),
        (x**3, Sign.UNKNOWN),
        (1 / (x**2 + 1), Sign.POSITIVE),
        (1 - w / (w + v), Sign.POSITIVE),
        ((w + v) ** 2 - (w - v) ** 2, Sign.POSITIVE),
        (exp(x) - 1, Sign.UNKNOWN),
        (log(1 + exp(x)), Sign.POSITIVE),
        (log(w), Sign.UNKNOWN),
        (tanh(w) + erf(e) + cosh(x) - 0, Sign.POSITIVE),
        (tanh(x), Sign.UNKNOWN),
        (erfc(x) * sqrt(pi), Sign.POSITIVE),
        (Sum(r[i] ** 2, (i, 1, n)), Sign.POSITIVE),
        (Sum(c[i] ** 2, (i, 1, n)), Sign.NONNEGATIVE),
        (Sum(c[i], (i, 1, n)), Sign.UNKNOWN),
        (Sum(r[i], (i, 2, n)), Sign.UNKNOWN),
        (w**x, Sign.POSITIVE),
    ],
)
def test_sign(expr: Expr, sign: Sign) -> None:
    assert sign_of(expr) is sign


@pytest.mark.parametrize(("expr", "expected"), [(w * v, True), (-w - v, True), (x, False), (w * x, False), (e, False)])
def test_nonzero(expr: Expr, expected: bool) -> None:
    assert is_nonzero(expr) is expected


@pytest.mark.parametrize("expr", [1 / (w + e), log(w), sqrt(e), exp(-(x**2)) / w, 1 / (-w - v), tanh(x) ** 2])
def test_defined(expr: Expr) -> None:
    require_defined(expr)


@pytest.mark.parametrize(
    "expr",
    [
        1 / x,
        1 / (w - v),
        1 / e,
        sqrt(x),
        log(e),
        log(x**2),
        Symbol("free"),
        I * w,
        Float(0.5) * w,
        gamma(w),
        zoo,
        x**w,
        Symbol("h", extended_positive=True),
    ],
)
def test_not_shown_to_be_defined(expr: Expr) -> None:
    with pytest.raises(OutsideClass):
        require_defined(expr)


leaves = st.sampled_from([w, v, e, x, y, Integer(1), Integer(-1), Rational(1, 3)])


def grown(children: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(lambda a: a**2, children),
        st.builds(exp, children),
        st.builds(tanh, children),
        st.builds(erfc, children),
        st.builds(lambda a: log(1 + a**2), children),
        st.builds(lambda a: 1 / (1 + a**2), children),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(expr=st.recursive(leaves, grown, max_leaves=6), seed=st.integers(0, 99))
def test_a_known_sign_is_the_sign(expr: Expr, seed: int) -> None:
    """Numeric agreement: wherever a sign is claimed, the value has it."""
    sign = sign_of(expr)
    with mpmath.workdps(60):
        number = ScalarPoint(source_for(str(seed))).evaluate(expr)
    if sign is not Sign.UNKNOWN:
        assert number > 0 if sign is Sign.POSITIVE else number >= 0
