"""Inequalities: forms, hypotheses, lemmas and slopes that prove, and those that must not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Expr, Integer, Symbol, exp, log, oo, symbols

from symbolic.identity import (
    Failed,
    Identity,
    Lemma,
    Method,
    NonnegativeForm,
    Proved,
    Relation,
    SignOfDerivative,
    Undecided,
)
from symbolic.prove import prove

t, w, v, more = symbols("t w v more", positive=True)
e, some = symbols("e some", nonnegative=True)
x, y = symbols("x y", real=True)
ZERO, ONE = Integer(0), Integer(1)
GROWTH = Identity("growth", "none", exp(t), ONE, SignOfDerivative(t, ZERO, exp(t)), Relation.GREATER)


def inequality(left: Expr, right: Expr, method: Method, relation: Relation = Relation.AT_LEAST) -> Identity:
    return Identity("order", "none", left, right, method, relation)


def test_squares_are_nonnegative_but_not_positive() -> None:
    claim = inequality(x**2 + y**2, 2 * x * y, NonnegativeForm((x - y) ** 2))
    assert isinstance(prove(claim), Proved)
    assert isinstance(prove(replace(claim, relation=Relation.GREATER)), Undecided)
    assert isinstance(prove(replace(claim, method=NonnegativeForm())), Undecided)


@pytest.mark.parametrize("form", [-w, x, w - v, x * y])
def test_a_form_of_unknown_sign_proves_nothing(form: Expr) -> None:
    assert isinstance(prove(inequality(form, ZERO, NonnegativeForm(form))), Undecided)


def test_a_form_must_equal_the_difference() -> None:
    assert isinstance(prove(inequality(-w, ZERO, NonnegativeForm(w))), Failed)


def test_a_form_must_be_defined() -> None:
    assert isinstance(prove(inequality(ONE, ZERO, NonnegativeForm(x**2 / x**2 + 0 * x))), Proved)
    assert isinstance(prove(inequality(x**2 + e, e, NonnegativeForm(x**4 * (x - y) / (x**2 * (x - y))))), Proved)
    undefined = x**2 * (x**2 - y**2) / ((x - y) * (x + y))
    assert isinstance(prove(inequality(x**2, ZERO, NonnegativeForm(undefined))), Undecided)


def test_the_declared_sign_of_an_abbreviation_is_not_believed() -> None:
    """w is declared positive, but abbreviates -1 here."""
    claim = replace(inequality(w, ZERO, NonnegativeForm(w), Relation.GREATER), where=((w, -ONE),))
    assert isinstance(prove(claim), Undecided)
    slope = SignOfDerivative(t, ZERO, w)
    assert isinstance(prove(replace(inequality(w * t, ZERO, slope), where=((w, -ONE),))), Undecided)


def test_a_hypothesis_is_believed_and_named() -> None:
    claim = replace(inequality(x, y, NonnegativeForm(some)), assuming=((some, x - y),))
    assert isinstance(prove(claim), Proved)
    assert isinstance(prove(replace(claim, assuming=())), Failed)


def test_lemmas() -> None:
    claim = inequality(exp(t) * w, w, NonnegativeForm(w * more, (Lemma(more, GROWTH),)), Relation.GREATER)
    assert isinstance(prove(claim), Proved)
    unproved = replace(GROWTH, right=Integer(2))
    assert isinstance(prove(replace(claim, method=NonnegativeForm(w * more, (Lemma(more, unproved),)))), Undecided)
    weak = replace(GROWTH, relation=Relation.AT_LEAST)
    assert isinstance(prove(replace(claim, method=NonnegativeForm(w * more, (Lemma(more, weak),)))), Undecided)
    signless = NonnegativeForm(w * x**2, (Lemma(x, GROWTH),))
    assert isinstance(prove(replace(claim, method=signless)), Undecided)


def test_a_lemma_with_hypotheses_is_refused() -> None:
    conditional = Identity("if", "none", x, y, NonnegativeForm(some), Relation.AT_LEAST, assuming=((some, x - y),))
    assert isinstance(prove(conditional), Proved)
    assert isinstance(prove(inequality(x, y, NonnegativeForm(e, (Lemma(e, conditional),)))), Undecided)


def test_a_lemma_is_not_used_outside_its_domain() -> None:
    """Here t abbreviates -1, where exp(t) is less than 1."""
    claim = inequality(exp(t), ONE, NonnegativeForm(more, (Lemma(more, GROWTH),)), Relation.GREATER)
    assert isinstance(prove(claim), Proved)
    assert isinstance(prove(replace(claim, where=((t, -ONE),))), Undecided)


def test_slopes() -> None:
    assert isinstance(prove(GROWTH), Proved)
    assert isinstance(
        prove(inequality(t, log(1 + t), SignOfDerivative(t, ZERO, t / (1 + t)), Relation.GREATER)), Proved
    )
    assert isinstance(prove(inequality(1 / t, 1 / (1 + t), SignOfDerivative(t, oo, t**-2 - (1 + t) ** -2))), Proved)


@pytest.mark.parametrize(
    ("left", "right", "method"),
    [
        (exp(t), Integer(2), SignOfDerivative(t, ZERO, exp(t))),
        (ONE - t, ZERO, SignOfDerivative(t, ZERO, ONE)),
        (ONE - t, ZERO, SignOfDerivative(t, ZERO, -ONE)),
        (t, ZERO, SignOfDerivative(t, oo, -ONE)),
        (exp(x), ZERO, SignOfDerivative(x, ZERO, exp(x))),
        (exp(t), ZERO, SignOfDerivative(t, ONE, exp(t))),
        (log(t), ZERO, SignOfDerivative(t, ZERO, 1 / t)),
        (ONE - 1 / t, ZERO, SignOfDerivative(t, ZERO, t**-2)),
    ],
)
def test_slopes_that_prove_nothing(left: Expr, right: Expr, method: SignOfDerivative) -> None:
    assert isinstance(prove(inequality(left, right, method)), Failed | Undecided)


def test_hypotheses_may_not_be_used_along_a_half_line() -> None:
    claim = replace(inequality(t * x, ZERO, SignOfDerivative(t, ZERO, some)), assuming=((some, x),))
    assert isinstance(prove(claim), Undecided)


def test_an_integer_variable_has_no_derivative() -> None:
    n = Symbol("n", integer=True, positive=True)
    assert isinstance(prove(inequality(n, ZERO, SignOfDerivative(n, ZERO, ONE))), Undecided)
