"""Positive semidefiniteness: three deciders that have to agree, and directions that have to refute."""

from __future__ import annotations

import random

import pytest
from flint import fmpq, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker import psd
from certify.checker.cholesky import cholesky_witness
from certify.checker.exact import Matrix, identity, matrix, select_entries
from certify.checker.psd import (
    LARGE,
    NotPsd,
    Psd,
    decide_by_ldl,
    decide_psd,
    is_positive_definite,
    is_psd_by_characteristic_polynomial,
    quadratic_form,
    quickly_psd,
)
from tests.checker.oracle import fractions, is_psd

SMALL_INTEGERS = st.integers(min_value=-3, max_value=3)


@st.composite
def near_the_boundary(draw: st.DrawFn, largest: int = 6) -> Matrix:
    """A Gram matrix of random rank, then perhaps one entry moved by one: PSD, singular or barely indefinite."""
    size = draw(st.integers(min_value=1, max_value=largest))
    rank = draw(st.integers(min_value=0, max_value=size))
    factor = draw(st.lists(SMALL_INTEGERS, min_size=size * rank, max_size=size * rank))
    tall = fmpz_mat(size, rank, factor)
    gram = tall * tall.transpose()
    i, j, step = draw(st.tuples(*[st.integers(0, size - 1)] * 2, st.integers(-1, 1)))
    gram[i, j] = gram[j, i] = gram[i, j] + step
    return matrix(gram, draw(st.integers(1, 5)))


@given(near_the_boundary())
@settings(max_examples=300)
def test_ldl_agrees_with_the_characteristic_polynomial(a: Matrix) -> None:
    assert isinstance(decide_by_ldl(a), Psd) == is_psd_by_characteristic_polynomial(a)


@given(near_the_boundary(largest=4))
def test_ldl_agrees_with_principal_minors(a: Matrix) -> None:
    assert isinstance(decide_by_ldl(a), Psd) == is_psd(fractions(a))


@given(near_the_boundary())
def test_a_refuting_direction_refutes_and_a_rank_is_the_rank(a: Matrix) -> None:
    match decide_by_ldl(a):
        case NotPsd(direction, value):
            assert quadratic_form(a, list(direction)) == value < 0
        case Psd(rank):
            assert rank == a.numerators.rank()
            assert is_positive_definite(a) == (rank == a.rows)


@given(near_the_boundary())
@settings(max_examples=300)
def test_the_witness_never_says_yes_wrongly(a: Matrix) -> None:
    for bits in (16, 64):
        if cholesky_witness(a.numerators, bits):
            assert isinstance(decide_by_ldl(a), Psd)
        if cholesky_witness(a.numerators, bits, strict=True):
            assert is_positive_definite(a)


def _random_gram(size: int, bits: int, seed: int) -> fmpz_mat:
    source = random.Random(seed)  # noqa: S311 (reproducible test data)
    factor = fmpz_mat(size, size, [source.getrandbits(bits) - (1 << (bits - 1)) for _ in range(size * size)])
    return factor * factor.transpose()


@pytest.mark.parametrize("size", [13, 41, LARGE - 1, LARGE])
def test_the_witness_proves_large_definite_matrices(size: int) -> None:
    gram = matrix(_random_gram(size, 30, size))
    assert cholesky_witness(gram.numerators, 64, strict=True)
    assert decide_psd(gram) == Psd(rank=None)
    assert is_positive_definite(gram)


def test_widely_different_scales_are_balanced() -> None:
    scales = [fmpz_mat([[10 ** (6 * i) if i == j else 0 for j in range(20)] for i in range(20)])]
    gram = scales[0] * _random_gram(20, 20, 7) * scales[0]
    assert cholesky_witness(gram, 64)


def test_a_large_singular_matrix_is_decided_by_ldl() -> None:
    tall = fmpz_mat(20, 3, list(range(60)))
    gram = matrix(tall * tall.transpose())
    assert not quickly_psd(gram)
    assert decide_psd(gram) == Psd(rank=2)
    assert not is_positive_definite(gram)


def test_a_large_barely_indefinite_matrix_is_refuted() -> None:
    gram = _random_gram(16, 10, 3)
    leading = select_entries(gram, range(15), range(15))
    gram[15, 15] = gram[15, 15] - gram.det() // leading.det() - 1
    verdict = decide_psd(matrix(gram))
    assert isinstance(verdict, NotPsd)
    assert quadratic_form(matrix(gram), list(verdict.direction)) < 0


def test_few_bits_decide_no_large_matrix_wrongly() -> None:
    """Least eigenvalue 1, 0 or -1 beside a largest one of about 10^7 n: far below what few bits can tell apart."""
    tall = fmpz_mat(LARGE, 50, [(k * k * 7919 + 104729 * k) % 2003 - 1001 for k in range(50 * LARGE)])
    gram, unit = matrix(tall * tall.transpose()), identity(LARGE)
    assert is_positive_definite(gram + unit)
    assert decide_psd(gram) == Psd(rank=50)
    assert not is_positive_definite(gram)
    assert isinstance(decide_psd(gram - unit), NotPsd)


def test_the_empty_matrix_is_definite() -> None:
    assert decide_psd(identity(0)) == Psd(rank=0)
    assert is_positive_definite(identity(0))


@pytest.mark.parametrize("decide", [decide_psd, is_positive_definite, is_psd_by_characteristic_polynomial])
def test_only_symmetric_matrices_are_asked(decide: object) -> None:
    with pytest.raises(ValueError, match="symmetric"):
        decide(matrix(fmpz_mat([[1, 2], [3, 4]])))  # type: ignore[operator]


def test_a_direction_that_does_not_refute_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psd, "quadratic_form", lambda *_: fmpq(0))
    with pytest.raises(ArithmeticError, match="does not refute"):
        decide_by_ldl(matrix(fmpz_mat([[-1]])))
