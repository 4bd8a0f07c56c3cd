"""Word rewriting: what holds for matrices of every size, and what does not."""

from __future__ import annotations

import pytest
from sympy import Integer, Symbol, symbols

from symbolic.identity import Failed, Identity, Proved, Undecided, WordRewriting
from symbolic.prove import prove
from symbolic.words import Blocks, Words, identity_matrix, letter, letter_of, number, zero

A, B, P, Sigma = letter("A"), letter("B"), letter("P", symmetric=True), letter("Sigma", symmetric=True)
b, s, e = letter("b", "d", "1"), letter("s", "d", "1"), letter("e", "d", "1")
gamma = letter("gamma", "1", "1", symmetric=True)
a_j, s_j = letter("A", symmetric=True, indexed=True), letter("s", "d", "1", indexed=True)
I = identity_matrix()  # noqa: E741 the letter of the identity matrix
rho = Symbol("rho", positive=True)
x, y = symbols("x y", real=True)
INVERSE = WordRewriting(inverses=((letter_of(A), letter_of(B)),))
UNIT = WordRewriting(inverses=((letter_of(e).transpose(), letter_of(e)),))


def equation(left: Words | Blocks, right: Words | Blocks, method: WordRewriting | None = None) -> Identity:
    return Identity("words", "none", left, right, method or WordRewriting())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((A * B).T, B.T * A.T),
        ((A + B) * (A - B), A * A - A * B + B * A - B * B),
        ((A * B).trace(), (B * A).trace()),
        ((A * B).trace(), (A.T * B.T).trace()),
        ((A * P * B).trace(), (B.T * P * A.T).trace()),
        (b.T * s, s.T * b),
        (b.T * P * s, s.T * P * b),
        (b * s.T * b, (s.T * b) * b),
        ((b * s.T).trace(), s.T * b),
        ((A * b * s.T).trace(), s.T * A * b),
        ((b * s.T * A * s * b.T).trace(), (b.T * b) * (s.T * A * s)),
        (b * gamma, gamma * b),
        (I * A, A * I),
        (number(rho) * A, A.scale(rho)),
        (A.scale(x + y) - A.scale(x), A.scale(y)),
        ((a_j * Sigma).trace().total(), (Sigma * a_j).trace().total()),
    ],
)
def test_true_for_every_size(left: Words, right: Words) -> None:
    assert isinstance(prove(equation(left, right)), Proved)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (A * B, B * A),
        (A.T, A),
        ((A * B * P).trace(), (B * A * P).trace()),
        ((A * B).trace(), A.trace() * B.trace()),
        ((A * A).trace(), (A * A.T).trace()),
        ((A + B) * (A - B), A * A - B * B),
        (b * s.T, s * b.T),
        (b.T * A * s, s.T * A * b),
        (I.trace(), number(1)),
        (A * B, I),
        (a_j.total(), a_j),
        ((a_j * P).total(), a_j.total()),
    ],
)
def test_false_for_some_size(left: Words, right: Words) -> None:
    assert isinstance(prove(equation(left, right)), Failed)


def test_inverses_cancel_in_both_orders_and_transposed() -> None:
    assert isinstance(prove(equation(A * B * P * B.T * A.T, P, INVERSE)), Proved)
    assert isinstance(prove(equation(B * A, I, INVERSE)), Proved)
    assert isinstance(prove(equation((A * P * B).trace(), P.trace(), INVERSE)), Proved)
    assert isinstance(prove(equation((A * B).trace(), I.trace(), INVERSE)), Proved)
    assert isinstance(prove(equation(A * P * B, P, INVERSE)), Failed)
    assert isinstance(prove(equation(A * B.T, I, INVERSE)), Failed)


def test_a_unit_vector_is_no_orthogonal_matrix() -> None:
    assert isinstance(prove(equation(e.T * e, number(1), UNIT)), Proved)
    assert isinstance(prove(equation((e * e.T).trace(), number(1), UNIT)), Proved)
    assert isinstance(prove(equation((e * e.T) * (e * e.T), e * e.T, UNIT)), Proved)
    assert isinstance(prove(equation(e * e.T, I, UNIT)), Failed)
    assert isinstance(prove(equation((e * e.T).trace(), I.trace(), UNIT)), Failed)


def test_definitions() -> None:
    defined = WordRewriting(definitions=((letter_of(P), b * b.T + s * s.T),))
    assert isinstance(prove(equation(s.T * P * s, (s.T * b) * (s.T * b) + (s.T * s) * (s.T * s), defined)), Proved)
    assert isinstance(prove(equation(s.T * P * s, (s.T * b) * (s.T * b), defined)), Failed)


def test_a_symmetric_letter_needs_a_symmetric_definition() -> None:
    defined = WordRewriting(definitions=((letter_of(P), A),))
    assert isinstance(prove(equation(P, A.T, defined)), Undecided)
    chained = WordRewriting(definitions=((letter_of(P), A.T * Sigma * A), (letter_of(Sigma), B + B.T)))
    assert isinstance(prove(equation(P, A.T * (B + B.T) * A, chained)), Proved)


def test_a_definition_has_the_shape_of_its_letter() -> None:
    defined = WordRewriting(definitions=((letter_of(b), A),))
    assert isinstance(prove(equation(A, A, defined)), Undecided)


def test_sums_over_j() -> None:
    weight = letter("W", symmetric=True)
    split = WordRewriting(definitions=((letter_of(weight), a_j.total() + P),))
    claim = equation((weight * Sigma).trace(), (a_j * Sigma).trace().total() + (P * Sigma).trace(), split)
    assert isinstance(prove(claim), Proved)
    assert isinstance(prove(equation(weight, a_j.total(), split)), Failed)


def test_coefficients_must_be_defined() -> None:
    assert isinstance(prove(equation(A.scale(1 / x), A.scale(1 / x))), Undecided)
    assert isinstance(prove(equation(A.scale(1 / rho), A.scale(rho / rho**2))), Proved)


def test_blocks_are_compared_block_by_block() -> None:
    left = Blocks(((A, b), (b.T, gamma)))
    assert isinstance(prove(equation(left, left.T.T)), Proved)
    assert isinstance(prove(equation(left, left.T)), Failed)
    shifted = Blocks(((A, b), (b.T, gamma + number(Integer(1)))))
    assert isinstance(prove(equation(left, shifted)), Failed)
    with pytest.raises(TypeError, match="blocks"):
        prove(equation(left, zero()))
