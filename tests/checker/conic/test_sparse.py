"""PSD of sparse matrices: elimination, components and dominance agree with the dense decision."""

from __future__ import annotations

import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.conic.linear import Coordinate, Sparse
from certify.checker.conic.sparse import (
    DECISION_ORDER,
    PRIME,
    Rows,
    components,
    eliminate,
    is_psd_of_lower_rank,
    why_dense_not_psd,
    why_not_psd,
)
from certify.checker.exact import Matrix, identity
from certify.checker.psd import Psd, decide_psd


def sparse(size: int, entries: dict[Coordinate, int]) -> Sparse:
    return Sparse(size, {where: fmpz(entry) for where, entry in entries.items() if entry}, fmpz(1))


def dense(size: int, entries: dict[Coordinate, int]) -> Matrix:
    numerators = fmpz_mat(size, size)
    for (i, j), entry in entries.items():
        numerators[i, j] = numerators[j, i] = entry
    return Matrix(numerators, fmpz(1))


def ring(size: int, weight: int, diagonal: int, step: int = 7) -> dict[Coordinate, int]:
    """A circulant graph: neighbours at distance 1 and ``step``; its least eigenvalue is near diagonal - 4 |weight|."""
    entries = {(i, i): diagonal for i in range(size)}
    for i in range(size):
        for distance in (1, step):
            j = (i + distance) % size
            entries[max(i, j), min(i, j)] = weight
    return entries


@pytest.mark.parametrize("size", [50, 400])
def test_large_sparse_matrices_without_dominance_are_proved(size: int) -> None:
    """All of this ring's eigenvalues are positive, but no row dominates."""
    entries = ring(size, 1000, 3999, 2)
    assert why_not_psd(sparse(size, entries)) is None
    assert isinstance(decide_psd(dense(size, entries)), Psd)


@pytest.mark.parametrize("size", [50, 400])
def test_large_indefinite_matrices_are_not_proved(size: int) -> None:
    assert why_not_psd(sparse(size, ring(size, -1000, 3999))) is not None


def test_singular_ring_is_proved_by_dominance() -> None:
    assert why_not_psd(sparse(400, ring(400, -1000, 4000))) is None


@pytest.mark.parametrize(
    ("entries", "fine"),
    [
        ({}, True),
        ({(2, 2): 5}, True),
        ({(2, 2): -5}, False),
        ({(1, 0): 1}, False),
        ({(0, 0): 1, (1, 0): 1}, False),
        ({(0, 0): 1, (1, 0): 2, (1, 1): 3}, False),
        ({(0, 0): 1, (1, 0): 2, (1, 1): 4}, True),
        ({(0, 0): 1, (2, 0): 2, (2, 2): 4, (1, 1): 7}, True),
        ({(0, 0): 1, (2, 0): 2, (2, 2): 4, (1, 1): -7}, False),
    ],
)
def test_small_matrices(entries: dict[Coordinate, int], fine: bool) -> None:
    assert (why_not_psd(sparse(3, entries)) is None) == fine


def test_components_split_by_connection() -> None:
    parts = components({(0, 0): fmpz(1), (3, 0): fmpz(2), (2, 2): fmpz(5), (3, 3): fmpz(1)})
    assert parts == [{0: {0: 1, 3: 2}, 3: {0: 2, 3: 1}}, {2: {2: 5}}]


ENTRIES = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda ij: (max(ij), min(ij))), st.integers(-3, 3), max_size=20
)


@given(ENTRIES, st.integers(0, 9))
def test_decision_agrees_with_the_dense_one(entries: dict[Coordinate, int], shift: int) -> None:
    shifted = {**entries, **{(i, i): entries.get((i, i), 0) + shift for i in range(8)}}
    assert (why_not_psd(sparse(8, shifted)) is None) == isinstance(decide_psd(dense(8, shifted)), Psd)


@settings(max_examples=50)
@given(ENTRIES, st.integers(0, 9))
def test_elimination_never_makes_an_indefinite_matrix_pass(entries: dict[Coordinate, int], shift: int) -> None:
    shifted = {**entries, **{(i, i): entries.get((i, i), 0) + shift for i in range(8)}}
    rows: Rows = {i: {} for i in range(8)}
    for (i, j), entry in shifted.items():
        rows[i][j] = rows[j][i] = entry << 20
    rest = eliminate(rows)
    if rest is None:
        return
    place = {row: index for index, row in enumerate(rest)}
    left = {(place[i], place[j]): entry for i, row in rest.items() for j, entry in row.items() if i >= j}
    if isinstance(decide_psd(dense(len(rest), left)), Psd):
        assert isinstance(decide_psd(dense(8, shifted)), Psd)


def test_elimination_reaches_a_dense_rest() -> None:
    rows: Rows = {i: {} for i in range(60)}
    for (i, j), entry in ring(60, 1, 5).items():
        rows[i][j] = rows[j][i] = entry << 64
    rest = eliminate(rows)
    assert rest is not None
    assert 0 < len(rest) < 60


def test_dense_matrices_beyond_the_decision_order_need_a_quick_proof() -> None:
    size = DECISION_ORDER + 1
    assert why_dense_not_psd(identity(size)) is None
    objection = why_dense_not_psd(identity(size) - identity(size).scaled(fmpq(2)))
    assert objection is not None
    assert objection.holds is None


def test_sparse_gram_matrices_pass_and_lowered_ones_do_not() -> None:
    factor = fmpz_mat(60, 60, [(k * k * 7 + 3 * k) % 19 - 9 if k * 31 % 100 < 10 else 0 for k in range(3600)])
    gram = (factor * factor.transpose()).tolist()
    entries = {(i, j): int(gram[i][j]) for i in range(60) for j in range(i + 1)}
    lifted = {(i, j): 1000 * entry + (i == j) for (i, j), entry in entries.items()}
    assert why_not_psd(sparse(60, lifted)) is None
    lowered = {(i, j): entry - 200 * (i == j) for (i, j), entry in entries.items()}
    assert why_not_psd(sparse(60, lowered)) is not None


def gram(size: int, rank: int) -> Matrix:
    factor = fmpz_mat(size, rank, [(k * k * 7919 + 104729 * k) % 2003 - 1001 for k in range(size * rank)])
    return Matrix(factor * factor.transpose(), fmpz(1))


@pytest.mark.parametrize(("size", "rank"), [(1, 0), (3, 2), (60, 59), (60, 20), (250, 12)])
def test_singular_matrices_are_proved_from_their_pivots(size: int, rank: int) -> None:
    assert is_psd_of_lower_rank(gram(size, rank))
    assert why_dense_not_psd(gram(size, rank)) is None


@pytest.mark.parametrize(("size", "rank"), [(3, 2), (60, 59), (60, 20)])
def test_singular_indefinite_matrices_are_not(size: int, rank: int) -> None:
    """Border a Gram matrix with minus a square: rank one more, one negative eigenvalue."""
    numerators = fmpz_mat(size + 1, size + 1)
    for i, line in enumerate(gram(size, rank).numerators.tolist()):
        for j, entry in enumerate(line):
            numerators[i, j] = entry
    numerators[size, size] = -1
    assert not is_psd_of_lower_rank(Matrix(numerators, fmpz(1)))
    objection = why_dense_not_psd(Matrix(numerators, fmpz(1)))
    assert objection is not None
    assert objection.holds is False


def test_regular_matrices_have_no_lower_rank() -> None:
    assert not is_psd_of_lower_rank(identity(5))


def test_pivots_modulo_the_prime_are_only_a_proposal() -> None:
    """diag(1, p) has rank one modulo p but is regular; diag(p, -p) looks like zero and is indefinite."""
    for entries in ([1, PRIME], [PRIME, -PRIME], [PRIME, PRIME]):
        assert not is_psd_of_lower_rank(Matrix(fmpz_mat(2, 2, [entries[0], 0, 0, entries[1]]), fmpz(1)))
