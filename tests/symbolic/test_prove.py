"""Every identity is proved; every identity with one side perturbed is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from sympy import Expr, ImmutableMatrix, IndexedBase, Integral, Rational, Symbol

from symbolic.catalogue import IDENTITIES
from symbolic.identity import (
    AlgebraOfLimits,
    DifferentiateAndCompare,
    Failed,
    Identity,
    Proved,
    Relation,
    Side,
    Undecided,
    hypotheses_replaced,
)
from symbolic.prove import prove
from symbolic.words import Blocks, Words

SMALL = Rational(1, 1000)
EQUATIONS = [identity for identity in IDENTITIES if identity.relation is Relation.EQUAL]
INEQUALITIES = [identity for identity in IDENTITIES if identity.relation is not Relation.EQUAL]
SCALAR_EQUATIONS = [identity for identity in EQUATIONS if not isinstance(identity.left, Words | Blocks)]


def named(identity: Identity) -> str:
    return identity.name


@pytest.mark.parametrize("identity", IDENTITIES, ids=named)
def test_identity_is_proved(identity: Identity) -> None:
    result = prove(identity)
    assert isinstance(result, Proved), result
    assert result.steps


def test_names_are_unique() -> None:
    names = [identity.name for identity in IDENTITIES]
    assert len(set(names)) == len(names)


def nudge(identity: Identity) -> Expr:
    """Return a small multiple of a symbol of the statement that no limit is taken in, or a small number."""
    sides = [hypotheses_replaced(identity, side) for side in (identity.left, identity.right)]
    bound = {base.label for side in sides for base in side.atoms(IndexedBase)}
    if isinstance(identity.method, AlgebraOfLimits):
        bound.add(identity.method.variable)
    free = {symbol for side in sides for symbol in side.free_symbols if type(symbol) is Symbol} - bound
    return SMALL * min((symbol for symbol in free if not symbol.is_integer), key=str, default=Rational(1))


def perturbed(identity: Identity) -> Iterator[Side]:
    """Yield left sides that differ from the true one a little."""
    match identity.left:
        case Words() as words:
            yield from (perturbed_words(words, place) for place in range(len(words.terms)))
        case Blocks() as blocks:
            yield from perturbed_blocks(blocks)
        case ImmutableMatrix() as matrix:
            places = range(len(matrix))
            yield from (matrix + SMALL * unit(matrix.shape, place) for place in places)
        case scalar:
            yield scalar + nudge(identity)
            if isinstance(identity.method, DifferentiateAndCompare):
                yield scalar - SMALL


def unit(shape: tuple[int, int], place: int) -> ImmutableMatrix:
    return ImmutableMatrix(*shape, lambda i, j: int(i * shape[1] + j == place))


def perturbed_words(words: Words, place: int) -> Words:
    terms = [(m, c * (1 + SMALL) if k == place else c) for k, (m, c) in enumerate(words.terms)]
    return Words(words.rows, words.columns, tuple(terms))


def perturbed_blocks(blocks: Blocks) -> Iterator[Blocks]:
    for i, row in enumerate(blocks.rows):
        for j, block in enumerate(row):
            for place in range(len(block.terms)):
                changed = (*row[:j], perturbed_words(block, place), *row[j + 1 :])
                yield Blocks((*blocks.rows[:i], changed, *blocks.rows[i + 1 :]))


@pytest.mark.parametrize("identity", EQUATIONS, ids=named)
def test_perturbed_equation_fails(identity: Identity) -> None:
    variants = list(perturbed(identity))
    assert variants
    for left in variants:
        result = prove(replace(identity, left=left))
        assert isinstance(result, Failed), (left, result)
        assert result.residual != "0"


def scalars(identity: Identity) -> tuple[Expr, Expr]:
    """Return the sides of a statement about scalars or explicit matrices."""
    return identity.left, identity.right


@pytest.mark.parametrize("identity", [i for i in SCALAR_EQUATIONS if scalars(i)[0].has(Integral)], ids=named)
def test_perturbed_integrand_fails(identity: Identity) -> None:
    left, _ = scalars(identity)
    factors = {integral: (1 + SMALL) * integral for integral in left.atoms(Integral)}
    result = prove(replace(identity, left=left.xreplace(factors)))
    assert isinstance(result, Failed), result


def with_a_changed_constant(side: Expr) -> Expr:
    """Return a side with its largest rational constant increased by one, if it has any but 0 and -1."""
    constants = sorted(side.atoms(Rational) - {0, -1})
    return side.xreplace({constants[-1]: constants[-1] + 1}) if constants else side


@pytest.mark.parametrize("identity", SCALAR_EQUATIONS, ids=named)
def test_equation_with_a_changed_constant_is_not_proved(identity: Identity) -> None:
    """A limit may stay the same when a constant on its way changes, so there only the right side is changed."""
    left, right = scalars(identity)
    if with_a_changed_constant(right) != right:
        assert not isinstance(prove(replace(identity, right=with_a_changed_constant(right))), Proved)
    elif not isinstance(identity.method, AlgebraOfLimits) and with_a_changed_constant(left) != left:
        assert not isinstance(prove(replace(identity, left=with_a_changed_constant(left))), Proved)


@pytest.mark.parametrize("identity", INEQUALITIES, ids=named)
def test_perturbed_inequality_is_not_proved(identity: Identity) -> None:
    reversed_sides = replace(identity, left=identity.right, right=identity.left)
    as_equation = replace(identity, relation=Relation.EQUAL)
    for variant in (reversed_sides, as_equation):
        assert isinstance(prove(variant), Failed | Undecided), variant


WITH_FORM = [i for i in INEQUALITIES if getattr(i.method, "form", True) is not None]


@pytest.mark.parametrize("identity", WITH_FORM, ids=named)
def test_inequality_whose_form_does_not_match_fails(identity: Identity) -> None:
    """A displayed form must equal left - right: one that is only nonnegative proves nothing."""
    left, right = scalars(identity)
    doubled = replace(identity, left=2 * left - right + 2 * nudge(identity))
    assert isinstance(prove(doubled), Failed)
