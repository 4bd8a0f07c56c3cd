"""The search for violated vectors against brute force.

Squared distances by a Gram product and directly agree to some 1e-14 of their size; 1e-12 is allowed.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.solvers import pair_search, separation
from certify.solvers.problem import ExplicitVectors, FloatArray, PairDifferences, ScaledDifferences, SensitivitySet
from certify.solvers.separation import (
    all_keys,
    count_vectors,
    indices_of,
    most_violated,
    transform,
    vectors_at,
)
from tests.solvers.values import all_vectors, named_vectors

EXACT = 1e-12


def nothing() -> None:
    """A block callback that does not care."""


def values_of(vectors: FloatArray, root: FloatArray) -> FloatArray:
    return np.asarray(((vectors @ root) ** 2).sum(axis=1))


def random_set(kind: str, seed: int, m: int, d: int) -> SensitivitySet:
    rng = np.random.default_rng(seed)
    records = rng.standard_normal((m, d)) + 3.0
    match kind:
        case "pairs":
            return PairDifferences(records)
        case "scaled":
            return ScaledDifferences(records, rng.uniform(0.05, 1.0, (m, m)))
        case _:
            return ExplicitVectors(records)


KINDS = ["pairs", "scaled", "explicit"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tile", [1, 7, 40, 1 << 21])
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 13), st.integers(1, 4), st.floats(0.0, 1.0))
def test_everything_above_the_threshold_is_found(kind: str, tile: int, seed: int, m: int, d: int, share: float) -> None:
    """Whatever the size of the blocks, and with the maximum exact."""
    sensitivity = random_set(kind, seed, m, d)
    root = np.random.default_rng(seed + 1).standard_normal((d, d))
    brute = values_of(all_vectors(sensitivity), root)
    threshold = share * brute.max()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(separation, "TILE", tile)
        patch.setattr(pair_search, "TILE", tile)
        found = most_violated(sensitivity, root, threshold, 10**6, nothing)
    expected = np.unique(np.round(brute[brute > threshold * (1 + EXACT)], 9))
    values = values_of(vectors_at(sensitivity, found.keys), root)
    np.testing.assert_allclose(values, found.values, rtol=EXACT, atol=EXACT * brute.max())
    if kind != "scaled":  # of two parallel vectors of a scaled pair only the longer one is wanted
        np.testing.assert_allclose(np.unique(np.round(values[values > threshold * (1 + EXACT)], 9)), expected)
    if len(expected):
        assert found.largest == pytest.approx(brute.max(), rel=EXACT)
        assert values.max() == pytest.approx(brute.max(), rel=EXACT)


@pytest.mark.parametrize("kind", ["pairs", "scaled"])
def test_a_crowd_is_cut_down_to_the_worst_partner_of_each_record(kind: str) -> None:
    sensitivity = random_set(kind, 5, 30, 3)
    found = most_violated(sensitivity, np.eye(3), 0.0, 0, nothing)
    assert 15 <= len(found.keys) <= 30
    assert found.largest == pytest.approx(values_of(all_vectors(sensitivity), np.eye(3)).max(), rel=EXACT)
    records = np.unique(indices_of(sensitivity, found.keys))
    assert len(records) == 30


def test_only_the_outermost_records_are_looked_at_on_request() -> None:
    records = np.vstack(
        [np.zeros((50, 2)) + np.arange(50)[:, None] * 1e-3, [[9.0, 0.0], [-9.0, 0.0], [0.0, 9.0], [0.0, -9.0]]]
    )
    found = most_violated(PairDifferences(records), np.eye(2), 0.0, 10**6, nothing, outermost=4)
    assert set(indices_of(PairDifferences(records), found.keys).ravel().tolist()) == {50, 51, 52, 53}
    assert len(found.keys) == 6


def test_a_record_is_never_its_own_partner() -> None:
    records = np.full((6, 3), 1e8) + np.random.default_rng(0).standard_normal((6, 3))
    found = most_violated(PairDifferences(records), np.eye(3), 0.0, 10**6, nothing)
    pairs = indices_of(PairDifferences(records), found.keys)
    assert np.all(pairs[:, 0] < pairs[:, 1])


def test_the_longer_of_two_parallel_vectors_is_named() -> None:
    factors = np.array([[0.0, 0.2], [0.9, 0.0]])
    sensitivity = ScaledDifferences(np.array([[0.0], [2.0]]), factors)
    for keys in (all_keys(sensitivity), most_violated(sensitivity, np.eye(1), 0.0, 9, nothing).keys):
        np.testing.assert_array_equal(indices_of(sensitivity, keys), [[1, 0]])
        np.testing.assert_allclose(vectors_at(sensitivity, keys), [[1.8]])


@pytest.mark.parametrize("kind", KINDS)
def test_keys_name_the_vectors_of_their_indices(kind: str) -> None:
    sensitivity = random_set(kind, 2, 7, 3)
    keys = all_keys(sensitivity)
    assert len(keys) == count_vectors(sensitivity)
    np.testing.assert_array_equal(
        vectors_at(sensitivity, keys), named_vectors(sensitivity, indices_of(sensitivity, keys))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_transformed_set_holds_the_transformed_vectors(kind: str) -> None:
    sensitivity = random_set(kind, 4, 6, 3)
    matrix = np.random.default_rng(9).standard_normal((3, 3))
    keys = all_keys(sensitivity)
    changed = vectors_at(transform(sensitivity, matrix), keys)
    np.testing.assert_allclose(changed, vectors_at(sensitivity, keys) @ matrix, atol=1e-13)


@pytest.mark.parametrize(
    "sensitivity",
    [PairDifferences(np.zeros((0, 2))), PairDifferences(np.ones((1, 2))), ExplicitVectors(np.zeros((0, 2)))],
)
def test_sets_without_vectors_have_nothing_violated(sensitivity: SensitivitySet) -> None:
    found = most_violated(sensitivity, np.eye(2), 0.0, 10, nothing)
    assert len(found.keys) == 0
    assert found.largest == 0.0


def test_blocks_are_announced() -> None:
    calls: list[int] = []
    records = np.random.default_rng(0).standard_normal((40, 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_search, "TILE", 10)
        most_violated(PairDifferences(records), np.eye(2), 0.0, 10, lambda: calls.append(1))
    assert len(calls) == 5
