"""The largest quadratic form over pairs: blocks and pruning never lose a pair."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.checker import pairs
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.pairs import differences, largest_over_every_pair, largest_over_pairs, radii_upper


def _silent(_what: str, _done: int, _total: int) -> None:
    pass


def _form(form: Matrix, x: list[fmpq], y: list[fmpq]) -> fmpq:
    s = [a - b for a, b in zip(x, y, strict=True)]
    size = range(form.rows)
    return sum((s[i] * form.entry(i, j) * s[j] for i in size for j in size), fmpq(0))


def _brute(points: Matrix, form: Matrix) -> fmpq:
    rows = [[points.entry(i, j) for j in range(points.columns)] for i in range(points.rows)]
    return max(_form(form, x, y) for x, y in combinations(rows, 2))


@st.composite
def clouds(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    columns = draw(st.integers(1, 3))
    entry = st.integers(-30, 30)
    rows = draw(st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=2, max_size=12))
    factor = fmpz_mat(
        draw(st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=columns, max_size=columns))
    )
    scales = st.integers(1, 9)
    return matrix(fmpz_mat(rows), draw(scales)), matrix(factor.transpose() * factor, draw(scales))


@given(clouds(), st.integers(1, 40))
def test_every_block_size_finds_the_exact_maximum_and_its_pair(cloud: tuple[Matrix, Matrix], block: int) -> None:
    points, form = cloud
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BLOCK_ENTRIES", block)
        patch.setattr(pairs, "FIRST_ROWS", 1 + block % 3)
        found = largest_over_pairs(points, form, _silent)
    assert found is not None
    assert found.value == _brute(points, form)
    every = largest_over_pairs(points, form, _silent, exhaustive=True)
    assert every is not None
    assert every.value == found.value
    first, second = found.pair
    rows = [[points.entry(i, j) for j in range(points.columns)] for i in (first, second)]
    assert first < second
    assert _form(form, *rows) == found.value


@given(clouds())
def test_the_product_of_every_pair_agrees_with_the_search(cloud: tuple[Matrix, Matrix]) -> None:
    points, form = cloud
    found, every = largest_over_pairs(points, form, _silent), largest_over_every_pair(points, form, _silent)
    assert (None if found is None else found.value) == (None if every is None else every.value)


def test_one_point_has_no_pair() -> None:
    for search in (largest_over_pairs, largest_over_every_pair):
        assert search(matrix(fmpz_mat([[1, 2]])), identity(2), _silent) is None


def test_points_near_the_centre_are_passed_over_and_still_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(5)  # noqa: S311 (reproducible test data)
    inner = [[source.randrange(-100, 100) for _ in range(2)] for _ in range(400)]
    points = matrix(fmpz_mat([*inner, [1000, 0], [-1000, 10]]))
    computed: list[int] = []
    original = pairs._farthest
    monkeypatch.setattr(pairs, "FIRST_ROWS", 1)

    def counted(table: pairs._Centred, start: int, rows: int, stop: int) -> tuple[fmpz, int, int]:
        computed.append(rows * (stop - start))
        return original(table, start, rows, stop)

    monkeypatch.setattr(pairs, "_farthest", counted)
    seen: list[tuple[int, int]] = []
    found = largest_over_pairs(points, identity(2), lambda _, done, total: seen.append((done, total)))
    assert found is not None
    assert found.pair == (400, 401)
    assert found.value == 2000**2 + 10**2
    assert sum(computed) < 2000
    assert seen[-1] == (402 * 401 // 2, 402 * 401 // 2)


def test_differences_start_at_the_first_record() -> None:
    assert differences(matrix(fmpz_mat([[1, 2], [4, 6]]), 5)) == matrix(fmpz_mat([[0, 0], [3, 4]]), 5)


@given(clouds())
def test_no_pair_is_longer_than_the_sum_of_its_radii(cloud: tuple[Matrix, Matrix]) -> None:
    points, form = cloud
    centre = points.select([0], range(points.columns)).scaled(fmpq(1, 3))
    radii = radii_upper(points, centre, form)
    rows = [[points.entry(i, j) for j in range(points.columns)] for i in range(points.rows)]
    for i, j in combinations(range(points.rows), 2):
        assert _form(form, rows[i], rows[j]) <= (radii[i] + radii[j]) ** 2
    middle = [centre.entry(0, j) for j in range(points.columns)]
    for row, radius in zip(rows, radii, strict=True):
        assert _form(form, row, middle) < radius**2
