"""Numeric agreement of both sides at random rational points. Agreement is evidence, not proof: see test_prove."""

from __future__ import annotations

import mpmath
import pytest
from sympy import Derivative, Expr, ImmutableMatrix, Integral, Rational

from symbolic.catalogue import IDENTITIES
from symbolic.identity import AlgebraOfLimits, Identity, Relation, WordRewriting, hypotheses_replaced
from symbolic.words import Blocks, Words
from tests.symbolic.sampling import MatrixPoint, ScalarPoint, large_or_small, source_for

WORDS = [identity for identity in IDENTITIES if isinstance(identity.method, WordRewriting)]
SCALARS = [identity for identity in IDENTITIES if not isinstance(identity.method, WordRewriting)]


def named(identity: Identity) -> str:
    return identity.name


def entries(identity: Identity, side: Expr) -> list[Expr]:
    plain = hypotheses_replaced(identity, side)
    return list(plain) if isinstance(plain, ImmutableMatrix) else [plain]


def is_approximate(identity: Identity) -> bool:
    """Whether differences, quadrature or a point near a limit stand for the true value."""
    shown = any(entry.has(Derivative, Integral) for entry in entries(identity, identity.left))
    return shown or isinstance(identity.method, AlgebraOfLimits)


@pytest.mark.parametrize("identity", SCALARS, ids=named)
def test_numeric_agreement(identity: Identity) -> None:
    digits, tolerance = (15, 1e-6) if is_approximate(identity) else (40, 1e-30)
    point = ScalarPoint(source_for(identity.name))
    with mpmath.workdps(digits):
        if isinstance(identity.method, AlgebraOfLimits):
            point.values[identity.method.variable] = large_or_small(identity.method.point)
        for left, right in zip(entries(identity, identity.left), entries(identity, identity.right), strict=True):
            first, second = point.evaluate(left), point.evaluate(right)
            if identity.relation is Relation.EQUAL:
                assert abs(first - second) <= tolerance * (1 + abs(first)), (first, second)
            else:
                assert first - second > (0 if identity.relation is Relation.GREATER else -tolerance)


@pytest.mark.parametrize("identity", [i for i in SCALARS if i.relation is Relation.EQUAL][::6], ids=named)
def test_disagreement_is_noticed(identity: Identity) -> None:
    """The evaluation tells a perturbed side from the true one, so agreement above means something."""
    point = ScalarPoint(source_for(identity.name))
    with mpmath.workdps(30):
        left = point.evaluate(entries(identity, identity.left)[0])
        right = point.evaluate(entries(identity, identity.right)[0] * Rational(1001, 1000) + Rational(1, 997))
    assert abs(left - right) > 1e-8


def blocks(side: Words | Blocks) -> list[Words]:
    return [block for row in side.rows for block in row] if isinstance(side, Blocks) else [side]


@pytest.mark.parametrize("identity", WORDS, ids=named)
def test_words_agree_on_rational_matrices(identity: Identity) -> None:
    """Exact, for one choice of sizes, of matrices that obey the rules, and of a family of two vectors."""
    assert isinstance(identity.method, WordRewriting)
    point = MatrixPoint(source_for(identity.name), identity.method)
    for left, right in zip(blocks(identity.left), blocks(identity.right), strict=True):
        assert point.evaluate(left) == point.evaluate(right)


@pytest.mark.parametrize("identity", WORDS[::4], ids=named)
def test_disagreement_of_words_is_noticed(identity: Identity) -> None:
    assert isinstance(identity.method, WordRewriting)
    point = MatrixPoint(source_for(identity.name), identity.method)
    left = blocks(identity.left)[0]
    shifted = Words(left.rows, left.columns, tuple((m, c * Rational(1001, 1000)) for m, c in left.terms))
    assert point.evaluate(left) != point.evaluate(shifted)
