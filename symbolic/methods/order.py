"""Inequalities: a form whose sign is visible, or the sign of a derivative and one end."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, oo

from symbolic.identity import (
    Failed,
    Identity,
    Lemma,
    NonnegativeForm,
    OutsideClass,
    Proved,
    Relation,
    Result,
    SignOfDerivative,
    Undecided,
    abbreviations_replaced,
)
from symbolic.methods.calculus import value_at
from symbolic.methods.kernels import evaluate_derivatives, residual_of
from symbolic.methods.signs import Sign, require_defined, sign_of

Prove = Callable[[Identity], Result]
Substitute = Callable[[Expr], Expr]


def prove_form(
    left: Expr, right: Expr, relation: Relation, method: NonnegativeForm, prove: Prove, given: Substitute
) -> Result:
    """Prove left >= right (or >) because the difference equals a form of visible sign.

    Sound because the equality is decided by normal form, and the sign follows from the domains of the symbols, from
    the hypotheses of the statement, and from lemmas that are proved here as well.

    Args:
        left: Left side.
        right: Right side.
        relation: AT_LEAST or GREATER.
        method: The form, free of abbreviations, and its lemmas.
        prove: Proves a lemma.
        given: Replaces the symbols of hypotheses by what they stand for.
    """
    form = left - right if method.form is None else method.form
    for expr in (left, right, form):
        require_defined(expr)
    residual = residual_of(left - right - given(expand_lemmas(form, method.lemmas, prove)))
    if residual != 0:
        return Failed(str(residual))
    if not has_sign(form, relation):
        return Undecided(f"the sign of {form} is not visible")
    steps = (*map(_cite, method.lemmas), f"left - right = {form}", "a sum of products of factors with known signs")
    return Proved(method.title, steps)


def _cite(lemma: Lemma) -> str:
    return f"{lemma.symbol} stands for the lemma: {lemma.identity.name}"


def expand_lemmas(form: Expr, lemmas: tuple[Lemma, ...], prove: Prove) -> Expr:
    """Replace each lemma's symbol by the difference it stands for, once the lemma is proved.

    Raises:
        OutsideClass: If a lemma has hypotheses, is not proved, or promises less than its symbol's domain.
    """
    for lemma in lemmas:
        identity = lemma.identity
        if identity.assuming or not _promises(lemma) or not isinstance(prove(identity), Proved):
            raise OutsideClass(f"the lemma {identity.name!r} does not give the sign of {lemma.symbol}")
        left, right = (abbreviations_replaced(identity, side) for side in (identity.left, identity.right))
        form = form.xreplace({lemma.symbol: left - right})
    return form


def _promises(lemma: Lemma) -> bool:
    """Whether the lemma's relation gives the sign that the domain of its symbol declares."""
    if lemma.symbol.is_positive:
        return lemma.identity.relation is Relation.GREATER
    return bool(lemma.symbol.is_nonnegative) and lemma.identity.relation is not Relation.EQUAL


def has_sign(form: Expr, relation: Relation) -> bool:
    """Whether a form is visibly positive, or visibly nonnegative if the relation asks no more."""
    sign = sign_of(form)
    return sign is Sign.POSITIVE or (sign is Sign.NONNEGATIVE and relation is Relation.AT_LEAST)


def prove_by_slope(left: Expr, right: Expr, relation: Relation, method: SignOfDerivative, prove: Prove) -> Result:
    """Prove left >= right (or >) on a half-line from one end and the sign of the derivative.

    Sound by the mean value theorem. The variable must range over all of (0, oo), which its domain says.

    Args:
        left: Left side.
        right: Right side.
        relation: AT_LEAST or GREATER.
        method: The variable, the end and the slope, free of abbreviations.
        prove: Proves a lemma.
    """
    for expr in (left, right, method.slope):
        require_defined(expr)
    difference, variable = evaluate_derivatives(left - right), method.variable
    if not variable.is_positive or variable.is_integer or method.anchor not in {0, oo}:
        raise OutsideClass(f"{variable} must range over the positive numbers, from the end 0 or from infinity")
    growth = difference.diff(variable) if method.anchor == 0 else -difference.diff(variable)
    residual = residual_of(growth - expand_lemmas(method.slope, method.lemmas, prove))
    if residual != 0:
        return Failed(str(residual))
    start = value_at(difference, variable, method.anchor)
    if sign_of(start) is Sign.UNKNOWN or not has_sign(method.slope, relation):
        return Undecided(f"the sign of {start} or of {method.slope} is not visible")
    steps = (
        *map(_cite, method.lemmas),
        f"at {variable} = {method.anchor} the difference is {start}",
        f"away from there it grows at the rate {method.slope}",
    )
    return Proved(method.title, steps)
