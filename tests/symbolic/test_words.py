"""Words: shapes chain, and the index of a sum is never captured."""

from __future__ import annotations

import pytest

from symbolic.words import Blocks, letter, letter_of, letters_of, number, zero

A, Sigma = letter("A"), letter("Sigma", symmetric=True)
b, s = letter("b", "d", "1"), letter("s", "d", "1")
a_j, s_j = letter("A", symmetric=True, indexed=True), letter("s", "d", "1", indexed=True)


def test_letters_transpose() -> None:
    assert letter_of(Sigma).transpose() == letter_of(Sigma)
    assert letter_of(b).transpose().rows == "1"
    assert letter_of(b).transpose().transpose() == letter_of(b)
    assert str(letter_of(b).transpose()) == "b^T"


def test_shapes_must_chain() -> None:
    with pytest.raises(ValueError, match="cannot multiply d x 1 by d x 1"):
        b * s
    with pytest.raises(ValueError, match="cannot add"):
        A + b
    with pytest.raises(ValueError, match="trace of a d x 1"):
        b.trace()


def test_the_index_of_a_sum_is_not_captured() -> None:
    with pytest.raises(ValueError, match="index j"):
        a_j.total() * a_j.total()
    with pytest.raises(ValueError, match="index j"):
        a_j.total() * s_j
    with pytest.raises(ValueError, match="index j"):
        s_j.T * a_j.total()
    with pytest.raises(ValueError, match="depend on j"):
        Sigma.total()
    with pytest.raises(ValueError, match="depend on j"):
        a_j.total().total()


def test_sums_multiply_what_does_not_depend_on_j() -> None:
    assert str(Sigma * a_j.total()) == "(1) sum_j[Sigma A]"


def test_terms_are_collected() -> None:
    assert (A - A).terms == ()
    assert str(A - A) == "0"
    assert (A + A).terms == A.scale(2).terms
    assert A.scale(0) == zero()


def test_descriptions_name_shape_and_family() -> None:
    assert letter_of(Sigma).described() == "Sigma d x d, symmetric"
    assert letter_of(s_j).transpose().described() == "s d x 1, for each j"
    assert letters_of(Blocks(((A, b),))) == {letter_of(A), letter_of(b)}


def test_block_products_check_their_shapes() -> None:
    with pytest.raises(ValueError, match="cannot multiply"):
        Blocks(((A, b),)) * Blocks(((b.T,), (number(1),)))
