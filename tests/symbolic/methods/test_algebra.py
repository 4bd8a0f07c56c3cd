"""Polynomials, rational functions, matrices."""

from __future__ import annotations

import pytest
from sympy import Expr, ImmutableMatrix, Integer, Symbol, exp, pi, sqrt, symbols

from symbolic.identity import (
    Algebraic,
    Cancel,
    ElementaryNormalForm,
    Expand,
    Failed,
    Identity,
    MatrixEntries,
    Method,
    Proved,
    Relation,
    Undecided,
)
from symbolic.prove import prove

w, v = symbols("w v", positive=True)
x, y = symbols("x y", real=True)


def equation(left: Expr, right: Expr, method: Method) -> Identity:
    return Identity("algebra", "none", left, right, method)


def test_expand_decides_polynomials() -> None:
    assert isinstance(prove(equation((x + y) ** 3, x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3, Expand())), Proved)
    assert prove(equation((x + y) ** 3, x**3 + y**3, Expand())) == Failed("3*x**2*y + 3*x*y**2")


@pytest.mark.parametrize("side", [1 / x, exp(x), x * pi, pi, sqrt(2), sqrt(2) * x, x**w])
def test_expand_refuses_what_is_no_polynomial(side: Expr) -> None:
    assert isinstance(prove(equation(side, side, Expand())), Undecided)


def test_cancel_needs_denominators_that_do_not_vanish() -> None:
    assert isinstance(prove(equation((w**2 - v**2) / (w + v), w - v, Cancel())), Proved)
    assert isinstance(prove(equation((x**2 - y**2) / (x + y), x - y, Cancel())), Undecided)
    assert isinstance(prove(equation(w / (w + v), v / (w + v), Cancel())), Failed)


@pytest.mark.parametrize("method", [Cancel(), ElementaryNormalForm()])
def test_symbols_need_domains(method: Algebraic) -> None:
    z = Symbol("z")
    assert isinstance(prove(equation(z + 1, 1 + z, method)), Undecided)


def test_entries_name_the_place_that_fails() -> None:
    left, right = ImmutableMatrix([[x, y], [x * y, 1]]), ImmutableMatrix([[x, y], [x * y, 2]])
    assert isinstance(prove(equation(left, left, MatrixEntries(Expand()))), Proved)
    assert prove(equation(left, right, MatrixEntries(Expand()))) == Failed("entry (2, 2): -1")
    assert isinstance(prove(equation(left, right.T[:1, :], MatrixEntries(Expand()))), Undecided)
    inverse = ImmutableMatrix([[1 / x]])
    assert isinstance(prove(equation(inverse, inverse, MatrixEntries(Cancel()))), Undecided)


def test_a_method_proves_only_its_relation() -> None:
    assert isinstance(prove(Identity("n", "none", w, Integer(0), Cancel(), Relation.GREATER)), Undecided)
