"""Limits: the laws settle what they settle, and refuse the rest."""

from __future__ import annotations

import pytest
from sympy import Expr, Integer, Rational, cosh, erf, erfc, exp, log, oo, sqrt, symbols, tanh

from symbolic.identity import OutsideClass
from symbolic.methods.limits import limit_of

t, w, q = symbols("t w q", positive=True)
x, y = symbols("x y", real=True)
ZERO = Integer(0)


@pytest.mark.parametrize(
    ("expr", "point", "limit"),
    [
        (3 * t**2 - 5 * t, oo, oo),
        (w * t - t**2, oo, -oo),
        (w / t, oo, 0),
        (w / t, ZERO, oo),
        (sqrt(t), ZERO, 0),
        (1 / sqrt(t), ZERO, oo),
        (sqrt(t), oo, oo),
        (exp(-t), oo, 0),
        (exp(w - t), oo, 0),
        (exp(-1 / t), ZERO, 0),
        (tanh(t) + erf(t) + erfc(t), oo, 2),
        (tanh(-t) + erfc(-t), oo, 1),
        (log(t), oo, oo),
        (log(t), ZERO, -oo),
        (log(1 + exp(-t)), oo, 0),
        (1 / cosh(t), oo, 0),
        ((1 + 1 / t) ** 2 * w, oo, w),
        ((t + 1) * y - t * y, oo, y),
        (y + 1, oo, y + 1),
        (Rational(1, 2) * (2 + exp(-t)), oo, 1),
    ],
)
def test_limit(expr: Expr, point: Expr, limit: Expr) -> None:
    assert limit_of(expr, t, point) == limit


def test_limits_at_minus_infinity() -> None:
    assert limit_of(x**3 - x, x, -oo) == -oo
    assert limit_of(x**2, x, -oo) == oo
    assert limit_of(1 / (1 + exp(x)), x, -oo) == 1
    assert limit_of((x - 1) ** -3, x, -oo) == 0


@pytest.mark.parametrize(
    ("expr", "point"),
    [
        (exp(t) - t, oo),
        (t * exp(-t), oo),
        (y * exp(t), oo),
        (y * t, oo),
        ((w - q) * exp(t), oo),
        (t**w, oo),
        (1 / (t - exp(-t) * t), ZERO),
        (log(y + exp(-t)), oo),
        (1 / (y + exp(-t)), oo),
    ],
)
def test_undecided_limits_are_refused(expr: Expr, point: Expr) -> None:
    with pytest.raises(OutsideClass):
        limit_of(expr, t, point)
