"""The Cholesky witness across tiles, with bits cut off, and on the edge of singularity: yes is always true."""

from __future__ import annotations

import pytest
from flint import fmpz, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.cholesky import WIDTH, cholesky_witness
from certify.checker.exact import Matrix
from certify.checker.psd import Psd, decide_by_ldl


def shifted_gram(size: int, rank: int, shift: int) -> fmpz_mat:
    """A Gram matrix of the given rank plus a multiple of the identity: its least eigenvalue is ``shift``."""
    factor = fmpz_mat(size, rank, [(k * k * 7919 + 104729 * k) % 2003 - 1001 for k in range(size * rank)])
    unit = fmpz_mat(size, size)
    for i in range(size):
        unit[i, i] = shift
    return factor * factor.transpose() + unit


@pytest.mark.parametrize("size", [1, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH + 7])
@pytest.mark.parametrize("bits", [48, 64, 192])
def test_definite_matrices_of_every_tile_count_are_proved(size: int, bits: int) -> None:
    assert cholesky_witness(shifted_gram(size, size // 2, 1), bits, strict=True)


@pytest.mark.parametrize("size", [WIDTH - 1, WIDTH + 1, 2 * WIDTH + 7])
def test_few_bits_are_enough_far_from_singularity(size: int) -> None:
    """The largest eigenvalue of the Gram matrix is about ``10^7 size``; a tenth of that is added."""
    assert cholesky_witness(shifted_gram(size, size // 2, 10**6 * size), 28, strict=True)


@pytest.mark.parametrize("bits", [28, 60, 64, 192])
@pytest.mark.parametrize("size", [WIDTH, 2 * WIDTH + 7])
def test_indefinite_and_singular_matrices_are_not_strictly_proved(size: int, bits: int) -> None:
    assert not cholesky_witness(shifted_gram(size, size // 2, -1), bits)
    assert not cholesky_witness(shifted_gram(size, size // 2, 0), bits, strict=True)


def test_one_negative_direction_far_down_is_found() -> None:
    gram = shifted_gram(2 * WIDTH, 10, 5)
    gram[2 * WIDTH - 1, 3] = gram[3, 2 * WIDTH - 1] = 10**9
    assert not cholesky_witness(gram, 64)


def test_huge_and_tiny_scales_are_balanced() -> None:
    gram = shifted_gram(50, 25, 1).tolist()
    scales = [fmpz(2) ** (7 * i % 90) for i in range(50)]
    entries = [gram[i][j] * scales[i] * scales[j] for i in range(50) for j in range(50)]
    assert cholesky_witness(fmpz_mat(50, 50, entries), 64, strict=True)


@pytest.mark.parametrize("numerators", [fmpz_mat(0, 0), fmpz_mat(2, 2), fmpz_mat(2, 2, [1, 0, 0, -1])])
def test_matrices_without_positive_diagonal_prove_nothing(numerators: fmpz_mat) -> None:
    assert not cholesky_witness(numerators, 64)


@settings(max_examples=300)
@given(
    st.integers(1, 6),
    st.data(),
    st.sampled_from([2, 4, 6, 8, 16]),
    st.booleans(),
)
def test_yes_is_true_even_where_most_bits_are_cut_off(size: int, data: st.DataObject, bits: int, strict: bool) -> None:
    entries = data.draw(st.lists(st.integers(-1000, 1000), min_size=size * size, max_size=size * size))
    half = fmpz_mat(size, size, entries)
    unit = fmpz_mat(size, size)
    for i in range(size):
        unit[i, i] = data.draw(st.integers(0, 4000))
    symmetric = half + half.transpose() + unit
    if cholesky_witness(symmetric, bits, strict=strict):
        decision = decide_by_ldl(Matrix(symmetric, fmpz(1)))
        assert isinstance(decision, Psd)
        assert not strict or decision.rank == size
