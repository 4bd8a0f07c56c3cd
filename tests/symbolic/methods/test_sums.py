"""Sums over n terms for every n: linear, and nothing more."""

from __future__ import annotations

import pytest
from sympy import Expr, IndexedBase, Integer, Sum, exp, symbols

from symbolic.identity import Failed, Identity, LinearSum, OutsideClass, Proved
from symbolic.methods.sums import expand_sums
from symbolic.prove import prove

n, i, j = symbols("n i j", integer=True, positive=True)
a, b = symbols("a b", real=True)
r, x = IndexedBase("r", positive=True), IndexedBase("x", real=True)
double = IndexedBase("m", real=True)


def total(summand: Expr) -> Expr:
    return Sum(summand, (i, 1, n))


def equation(left: Expr, right: Expr) -> Identity:
    return Identity("sum", "none", left, right, LinearSum())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (total(a * r[i] + b * x[i]), a * total(r[i]) + b * total(x[i])),
        (total((r[i] + x[i]) ** 2), total(r[i] ** 2) + 2 * total(r[i] * x[i]) + total(x[i] ** 2)),
        (total(a), n * a),
        (total(r[i] * total(r[i])), total(r[i]) ** 2),
        (total(r[i] * (r[i] ** 2 - 1) / (r[i] + 1)), total(r[i] ** 2) - total(r[i])),
        (total(r[i]) / total(r[i]), Integer(1)),
    ],
)
def test_linearity_is_proved(left: Expr, right: Expr) -> None:
    assert isinstance(prove(equation(left, right)), Proved)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (total(r[i] ** 2), total(r[i]) ** 2),
        (total(r[i] * x[i]), total(r[i]) * total(x[i])),
        (total(a), a),
        (total(r[i]), total(x[i])),
        (total(1 + r[i]), 1 + total(r[i])),
    ],
)
def test_false_sums_fail(left: Expr, right: Expr) -> None:
    assert isinstance(prove(equation(left, right)), Failed)


@pytest.mark.parametrize(
    "expr",
    [
        total(i),
        total(exp(r[i])),
        total(a / (1 + r[i])),
        total(double[i, j]),
        Sum(total(double[i, j]), (j, 1, n)),
        Sum(r[i], (i, 0, n)),
        Sum(r[i] * x[j], (i, 1, n), (j, 1, n)),
        total(r[i + 1]),
        total(1 / x[i]),
    ],
)
def test_outside_the_class(expr: Expr) -> None:
    with pytest.raises(OutsideClass):
        expand_sums(expr, {})
