"""The filter of pairs never leaves out a pair above the threshold, however the numbers lie."""

from __future__ import annotations

import random

import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.checker import lanes, pairs
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.lanes import flagged, lanes_of, suspects
from certify.checker.pairs import largest_over_pairs


def _silent(_what: str, _done: int, _total: int) -> None:
    pass


Table = tuple[list[list[fmpz]], list[list[fmpz]], list[fmpz]]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Rows, points and norms of any magnitude: the bound does not need them to belong together."""
    count, columns = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    sizes = [draw(st.integers(0, 90)) for _ in range(2 * columns)]
    entry = [st.integers(-(1 << size), 1 << size) for size in sizes]
    rows = [[fmpz(draw(entry[k])) for k in range(columns)] for _ in range(count)]
    points = [[fmpz(draw(entry[columns + k])) for k in range(columns)] for _ in range(count)]
    norms = [fmpz(draw(st.integers(0, 1 << draw(st.integers(0, 120))))) for _ in range(count)]
    return rows, points, norms


@given(tables(), st.integers(0, 8), st.integers(1, 5), st.integers(-3, 3))
def test_every_pair_above_the_threshold_is_flagged(table: Table, which: int, chunk: int, shift: int) -> None:
    rows, points, norms = table
    count = range(len(rows))
    forms = {
        (i, j): norms[i] + norms[j] - sum((a * b for a, b in zip(rows[i], points[j], strict=True)), fmpz(0))
        for i in count
        for j in count
    }
    best = int(sorted(forms.values())[which % len(forms)]) + shift
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lanes, "CHUNK", chunk)
        found = lanes_of(rows, points, norms)
        if found is None:
            return
        named = {(i, j) for i, start, flags in suspects(found, count, len(rows), best) for j in flagged(start, flags)}
    assert {pair for pair, form in forms.items() if form > best} <= named


def test_the_filter_spares_most_pairs_and_names_the_largest() -> None:
    source = random.Random(3)  # noqa: S311 (reproducible test data)
    points = [[fmpz(source.randrange(-(10**6), 10**6)) for _ in range(5)] for _ in range(300)]
    norms = [sum((e * e for e in point), fmpz(0)) for point in points]
    found = lanes_of([[2 * e for e in point] for point in points], points, norms)
    assert found is not None
    largest = max(
        int(norms[i] + norms[j] - 2 * sum((a * b for a, b in zip(points[i], points[j], strict=True)), fmpz(0)))
        for i in range(300)
        for j in range(i)
    )
    named = [flags.bit_count() for _, _, flags in suspects(found, range(300), 300, largest - 1)]
    assert 2 <= sum(named) < 20
    assert sum(flags.bit_count() for _, _, flags in suspects(found, range(300), 300, 2 * largest)) == 0


def test_norms_beyond_the_lanes_are_refused() -> None:
    one = [[fmpz(1)]]
    assert lanes_of(one, one, [fmpz(1) << 40]) is None


def _sphere(rows: int) -> Matrix:
    source = random.Random(7)  # noqa: S311 (reproducible test data)
    entries = []
    for _ in range(rows):
        point = [source.gauss(0, 1) for _ in range(4)]
        length = sum(e * e for e in point) ** 0.5
        entries += [round(1000 * e / length) for e in point]
    return matrix(fmpz_mat(rows, 4, entries), 3)


@pytest.mark.parametrize("suspected", [0, 16, 10**9])
def test_filtered_pairs_have_the_maximum_of_all_pairs(suspected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    points = _sphere(300)
    every = largest_over_pairs(points, identity(4), _silent, exhaustive=True)
    monkeypatch.setattr(pairs, "FIRST_ROWS", 3)
    monkeypatch.setattr(pairs, "FILTER_ROWS", 7)
    monkeypatch.setattr(pairs, "FILTERED", -1)
    monkeypatch.setattr(pairs, "SUSPECTED", suspected)
    assert largest_over_pairs(points, identity(4), _silent) == every


def test_without_lanes_every_pair_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    points = _sphere(100)
    every = largest_over_pairs(points, identity(4), _silent, exhaustive=True)
    monkeypatch.setattr(pairs, "FIRST_ROWS", 3)
    monkeypatch.setattr(pairs, "FILTERED", -1)
    monkeypatch.setattr(pairs, "lanes_of", lambda *_: None)
    assert largest_over_pairs(points, identity(4), _silent) == every


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=2, max_size=14), st.integers(1, 4))
def test_the_filter_agrees_on_any_points(rows: list[tuple[int, int]], chunk: int) -> None:
    points = matrix(fmpz_mat([list(row) for row in rows]))
    form = Matrix(fmpz_mat([[3, 1], [1, 2]]), fmpz(5))
    every = largest_over_pairs(points, form, _silent, exhaustive=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "FIRST_ROWS", 1)
        patch.setattr(pairs, "FILTER_ROWS", 2)
        patch.setattr(pairs, "FILTERED", -1)
        patch.setattr(lanes, "CHUNK", chunk)
        found = largest_over_pairs(points, form, _silent)
    assert found is not None
    assert every is not None
    assert found.value == every.value == fmpq(every.value.p, every.value.q)
