"""Run the method of an identity on its sides, with what the statement gives put in."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import assert_never

from sympy import Expr, Matrix

from symbolic.identity import (
    AlgebraOfLimits,
    Analytic,
    Cancel,
    DifferentiateAndCompare,
    ElementaryNormalForm,
    Expand,
    GaussianMoments,
    Identity,
    IntegrateByParts,
    Lemma,
    LinearSum,
    MatrixEntries,
    NonnegativeForm,
    OddIntegrand,
    Ordered,
    OutsideClass,
    Relation,
    Result,
    Side,
    SignOfDerivative,
    Structured,
    Undecided,
    WordRewriting,
    abbreviations_replaced,
    hypotheses_replaced,
)
from symbolic.methods.algebra import prove_algebraic, prove_entries
from symbolic.methods.calculus import prove_by_derivative, prove_limit
from symbolic.methods.integrals import prove_by_parts, prove_moments, prove_odd
from symbolic.methods.order import prove_by_slope, prove_form
from symbolic.methods.rewriting import prove_words
from symbolic.words import Blocks, Words


def prove(identity: Identity) -> Result:
    """Run the identity's method. The answer is ``Proved`` only if the method has a proof."""
    try:
        return _dispatch(identity)
    except OutsideClass as reason:
        return Undecided(str(reason))


def substitute_given(identity: Identity, side: Side) -> Side:
    """Put the hypotheses and abbreviations of a statement into a side; words carry their definitions in the method."""
    return side if isinstance(side, Words | Blocks) else hypotheses_replaced(identity, side)


def _dispatch(identity: Identity) -> Result:
    left, right = substitute_given(identity, identity.left), substitute_given(identity, identity.right)
    method = identity.method
    if isinstance(method, NonnegativeForm | SignOfDerivative) == (identity.relation is Relation.EQUAL):
        raise OutsideClass(f"{method.title} does not prove the relation {identity.relation.value}")
    match method:
        case Expand() | Cancel() | LinearSum() | ElementaryNormalForm():
            return prove_algebraic(left, right, method)
        case NonnegativeForm() | SignOfDerivative():
            return _prove_ordered(identity, left, right, method)
        case MatrixEntries() | WordRewriting():
            return _prove_structured(left, right, method)
        case _:
            return _prove_analytic(left, right, method)


def _prove_analytic(left: Expr, right: Expr, method: Analytic) -> Result:
    match method:
        case DifferentiateAndCompare():
            return prove_by_derivative(left, right, method)
        case AlgebraOfLimits():
            return prove_limit(left, right, method)
        case GaussianMoments():
            return prove_moments(left, right, method)
        case IntegrateByParts():
            return prove_by_parts(left, right, method)
        case OddIntegrand():
            return prove_odd(left, right, method)
        case _:
            assert_never(method)


def _prove_ordered(identity: Identity, left: Expr, right: Expr, method: Ordered) -> Result:
    def plain(form: Expr) -> Expr:
        return abbreviations_replaced(identity, form)

    require_lemmas_apply(identity, method.lemmas)
    match method:
        case NonnegativeForm():
            visible = method if method.form is None else replace(method, form=plain(method.form))
            return prove_form(left, right, identity.relation, visible, prove, partial(hypotheses_replaced, identity))
        case SignOfDerivative():
            if identity.assuming:
                raise OutsideClass("a hypothesis may fail on the way along the half-line")
            return prove_by_slope(left, right, identity.relation, replace(method, slope=plain(method.slope)), prove)
        case _:
            assert_never(method)


def require_lemmas_apply(identity: Identity, lemmas: tuple[Lemma, ...]) -> None:
    """Check that the symbols of every lemma range freely in the statement, as they do in the lemma.

    Raises:
        OutsideClass: If one abbreviates something: its value might be outside the lemma's domain.
    """
    bound = {symbol for symbol, _ in (*identity.where, *identity.assuming)}
    for lemma in lemmas:
        sides = (hypotheses_replaced(lemma.identity, side) for side in (lemma.identity.left, lemma.identity.right))
        if bound & {symbol for side in sides for symbol in side.free_symbols}:
            raise OutsideClass(f"the lemma {lemma.identity.name!r} is about symbols that abbreviate something here")


def _prove_structured(left: Matrix | Words | Blocks, right: Matrix | Words | Blocks, method: Structured) -> Result:
    match method:
        case MatrixEntries():
            return prove_entries(left, right, method)
        case WordRewriting():
            return prove_words(left, right, method)
        case _:
            assert_never(method)
