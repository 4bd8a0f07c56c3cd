"""Integer PSD witnesses: every one found proves what it says, and exact LDL^T leaves no small matrix out."""

from __future__ import annotations

import pytest
from flint import fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.squares import SquaresWitness, find_squares
from certify.checker.exact import matrix
from certify.checker.psd import is_psd_by_characteristic_polynomial

ENTRIES = st.integers(-(10**6), 10**6)


def proves(a: fmpz_mat, witness: SquaresWitness, *, strict: bool = False) -> bool:
    """Decide the witness by FLINT products, independently of the search."""
    size, rank = a.nrows(), len(witness.weights)
    factor = fmpz_mat(size, rank, [entry for row in witness.factor for entry in row])
    weighted = fmpz_mat(
        size, rank, [w * e for row in witness.factor for w, e in zip(witness.weights, row, strict=True)]
    )
    rest = a * witness.scale - weighted * factor.transpose()
    slacks = [2 * rest[i, i] - sum(abs(rest[i, j]) for j in range(size)) for i in range(size)]
    return witness.scale > 0 and min(witness.weights, default=0) >= 0 and min(slacks, default=1) >= (1 if strict else 0)


@st.composite
def gram_matrices(draw: st.DrawFn) -> fmpz_mat:
    """Draw B B^T: PSD, often singular."""
    size, rank = draw(st.integers(1, 5)), draw(st.integers(0, 5))
    factor = fmpz_mat(size, rank, draw(st.lists(ENTRIES, min_size=size * rank, max_size=size * rank)))
    return factor * factor.transpose()


@st.composite
def symmetric_matrices(draw: st.DrawFn) -> fmpz_mat:
    size = draw(st.integers(1, 4))
    half = fmpz_mat(size, size, draw(st.lists(st.integers(-9, 9), min_size=size**2, max_size=size**2)))
    return half + half.transpose()


@given(gram_matrices())
def test_every_small_gram_matrix_has_a_witness(a: fmpz_mat) -> None:
    witness = find_squares(a)
    assert witness is not None
    assert proves(a, witness)


@given(symmetric_matrices())
def test_a_witness_is_found_exactly_for_psd_matrices(a: fmpz_mat) -> None:
    witness = find_squares(a)
    assert (witness is not None) == is_psd_by_characteristic_polynomial(matrix(a))
    assert witness is None or proves(a, witness)


@given(symmetric_matrices())
def test_a_strict_witness_is_found_exactly_for_positive_definite_matrices(a: fmpz_mat) -> None:
    witness = find_squares(a, strict=True)
    assert (witness is not None) == (is_psd_by_characteristic_polynomial(matrix(a)) and a.det() != 0)
    assert witness is None or proves(a, witness, strict=True)


@pytest.mark.parametrize("bits", [40, 120, 400])
def test_a_nearly_singular_matrix_takes_more_bits(bits: int) -> None:
    a = fmpz_mat([[((x * y) << bits) + int(x == y) for y in (3, 5, 7)] for x in (3, 5, 7)])
    witness = find_squares(a, strict=True)
    assert witness is not None
    assert proves(a, witness, strict=True)
    assert max(entry.bit_length() for row in witness.factor for entry in row) >= bits // 2 - 1


def test_few_bits_are_enough_for_a_well_conditioned_matrix_with_large_entries() -> None:
    size = 30
    a = fmpz_mat([[(size if i == j else 1) << 200 for j in range(size)] for i in range(size)])
    a[0, 0] -= (size // 2) << 200
    witness = find_squares(a)
    assert witness is not None
    assert proves(a, witness)
    assert max(entry.bit_length() for row in witness.factor for entry in row) <= 32


def test_a_large_indefinite_matrix_has_no_witness() -> None:
    size = 40
    a = fmpz_mat([[int(i == j) for j in range(size)] for i in range(size)])
    a[size - 1, size - 1] = -1
    assert find_squares(a) is None
