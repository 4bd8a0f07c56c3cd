"""Rational kernels and ranges come back from noisy matrices, and noise is not mistaken for structure."""

from __future__ import annotations

import random

import pytest
from flint import fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.conic.subspace import cuts, elimination, grid_bits, split
from certify.checker.exact import Matrix, identity, matrix


def _psd(columns: list[list[int]], noise_bits: int | None, seed: int = 0) -> Matrix:
    """``B B^T`` for the given rows of B, with symmetric PSD noise of about ``2^-noise_bits``."""
    rows = fmpz_mat(columns)
    exact = matrix(rows * rows.transpose())
    if noise_bits is None:
        return exact
    source = random.Random(seed)  # noqa: S311
    size = len(columns)
    half = fmpz_mat(size, size, [source.randint(-9, 9) for _ in range(size * size)])
    return exact + matrix(half * half.transpose(), fmpz(1) << noise_bits)


BASIS = [[1, 0], [0, 2], [3, 1], [-1, 1], [2, 2]]


@pytest.mark.parametrize("noise", [None, 60, 200])
def test_kernel_and_range_are_those_of_the_matrix_without_noise(noise: int | None) -> None:
    noisy, exact = _psd(BASIS, noise), _psd(BASIS, None)
    found = split(noisy, elimination(noisy), 2)
    assert found is not None
    assert (exact @ found.kernel()).numerators.is_zero()
    assert found.kernel().columns == 3
    span = found.range()
    assert span.columns == 2
    pivots = found.pivots
    assert span.select(pivots, range(2)) == identity(2)
    assert span @ exact.select(pivots, range(5)) == exact


def test_rank_none_and_full_rank_need_no_guess() -> None:
    whole = _psd([[1, 0], [1, 1]], None)
    full = split(whole, elimination(whole), 2)
    assert full is not None
    assert full.kernel().columns == 0
    assert full.range().columns == 2
    nothing = split(whole, elimination(whole), 0)
    assert nothing is not None
    assert nothing.kernel().columns == 2


def test_noise_that_hides_the_entries_gives_no_guess() -> None:
    noisy = _psd([[97], [101], [89]], 3, seed=1)
    assert split(noisy, elimination(noisy), 1) is None


def test_tiny_pivots_are_told_from_zero() -> None:
    tiny = _psd([[1, 0], [0, 0], [2, 0]], None) + matrix(fmpz_mat([[0, 0, 0], [0, 1, 0], [0, 0, 0]]), fmpz(1) << 300)
    found = elimination(tiny)
    assert found.sizes[0] == 4.0
    assert found.rank(0.0) == 2
    assert found.rank(1e-50) == 1
    assert 1e-92 < found.sizes[1] < 1e-90
    assert grid_bits([found], 1e-50, 20) == 20
    assert grid_bits([found], 0.0, 20) == 320


@given(st.lists(st.floats(0.5, 2.0), min_size=1, max_size=5), st.lists(st.floats(1e-12, 1e-9), min_size=1, max_size=5))
def test_a_clear_gap_is_the_first_cut(large: list[float], small: list[float]) -> None:
    threshold = cuts([*large, *small])[0]
    assert max(small) < threshold < min(large)


def test_a_staircase_is_cut_at_its_top_as_well() -> None:
    tried = cuts([1.0, 1e-2, 1e-5, 1e-11, 1e-23])
    assert any(1e-2 < threshold < 1.0 for threshold in tried)
    assert tried[-1] == 0.0
    assert cuts([]) == []
    assert cuts([0.0, -1.0]) == []
