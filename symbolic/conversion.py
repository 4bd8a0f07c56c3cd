"""Conversion to (epsilon, delta): the best event, and the generic zCDP conversion, never below the exact one."""

from __future__ import annotations

from sympy import Integer, Rational, Symbol, exp, oo, sqrt, symbols

from symbolic.identity import (
    ElementaryNormalForm,
    Identity,
    Lemma,
    NonnegativeForm,
    Relation,
    SignOfDerivative,
)
from symbolic.privacy import RENYI, SECTION, Phi, phi, privacy_profile

t, root, level = symbols("t m epsilon", positive=True)
gap, inside = symbols("gap chernoff", positive=True)
test_value, complement = symbols("psi complement", nonnegative=True)
base = Symbol("dQ", positive=True)

EXPONENTIAL = Identity(
    "exp(t) is more than 1 for t > 0",
    SECTION,
    exp(t),
    Integer(1),
    SignOfDerivative(t, Integer(0), exp(t)),
    Relation.GREATER,
)
DECAY = Identity(
    "exp(-t) is less than 1 for t > 0",
    SECTION,
    Integer(1),
    exp(-t),
    SignOfDerivative(t, Integer(0), exp(-t)),
    Relation.GREATER,
)
MILLS = Identity(
    "Mills: Phi(-t) is less than phi(t)/t",
    SECTION,
    phi(t) / t,
    Phi(-t),
    SignOfDerivative(t, oo, phi(t) / t**2),
    Relation.GREATER,
)
SCALED_TAIL = Identity(
    "exp(t^2/2) Phi(-t) is less than 1/2",
    SECTION,
    Rational(1, 2),
    exp(t**2 / 2) * Phi(-t),
    SignOfDerivative(t, Integer(0), t * exp(t**2 / 2) * gap, (Lemma(gap, MILLS),)),
    Relation.GREATER,
)
CHERNOFF = Identity(
    "Chernoff: Phi(-t) is less than exp(-t^2/2)/2",
    SECTION,
    exp(-(t**2) / 2) / 2,
    Phi(-t),
    NonnegativeForm(exp(-(t**2) / 2) * gap, (Lemma(gap, SCALED_TAIL),)),
    Relation.GREATER,
)

# delta = exp(-t^2/2), so that t = sqrt(2 log(1/delta)), and the generic epsilon is q/2 + t sqrt(q), with m = sqrt(q).
GENERIC = root**2 / 2 + t * root

IDENTITIES = (
    EXPONENTIAL,
    DECAY,
    Identity(
        "the event {Lambda > epsilon} is best: outcomes inside it",
        RENYI,
        base * exp(level + t) - exp(level) * base,
        (base * exp(level + t) - exp(level) * base) * test_value,
        NonnegativeForm(base * exp(level) * inside * complement, (Lemma(inside, EXPONENTIAL),)),
        Relation.AT_LEAST,
        where=((test_value, 1 - complement),),
    ),
    Identity(
        "the event {Lambda > epsilon} is best: outcomes outside it",
        RENYI,
        Integer(0),
        (base * exp(level - t) - exp(level) * base) * test_value,
        NonnegativeForm(base * exp(level) * inside * test_value, (Lemma(inside, DECAY),)),
        Relation.AT_LEAST,
    ),
    MILLS,
    SCALED_TAIL,
    CHERNOFF,
    Identity(
        "generic zCDP epsilon in terms of t = sqrt(2 log(1/delta))",
        RENYI,
        root**2 / 2 + sqrt(2) * root * sqrt(t**2 / 2),
        GENERIC,
        ElementaryNormalForm(),
    ),
    Identity(
        "the profile at the generic epsilon",
        SECTION,
        privacy_profile(root**2, GENERIC),
        Phi(-t) - exp(GENERIC) * Phi(-t - root),
        ElementaryNormalForm(),
    ),
    Identity(
        "at the generic epsilon the exact delta is below delta / 2",
        SECTION,
        exp(-(t**2) / 2) / 2,
        privacy_profile(root**2, GENERIC),
        NonnegativeForm(gap + exp(GENERIC) * Phi(-t - root), (Lemma(gap, CHERNOFF),)),
        Relation.GREATER,
    ),
)
