"""The hulls and their suprema, against datasets gone through one by one."""

from __future__ import annotations

from itertools import combinations, product
from math import comb

import pytest
from flint import fmpq, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from certify.checker import replacements
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.exponents import log_weights
from certify.checker.hulls import Deletions, hulls_of, restrict, spanning
from certify.checker.members import named_vectors
from certify.checker.sensitivity import (
    BallDomain,
    BoxDomain,
    ExplicitVectors,
    FiniteDomain,
    FixedQuery,
    IdealDenoiser,
    Neighbours,
    PointQuery,
    Query,
    QueryBall,
    QueryBox,
    QueryList,
    RecordMean,
    RecordSum,
    Release,
    SimplexDomain,
    UniformQuery,
)
from certify.checker.signs import ENUMERATED, largest_over_signs
from certify.checker.suprema import supremum
from certify.checker.vectors import Combination, Deletion, Difference, Record, Replacement, VectorName
from tests.checker.models import (
    DIGITS,
    form_of,
    integer_rows,
    moved,
    point_queries,
    psd_forms,
    real,
    reals,
    record_tables,
    row,
)

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
SLACK = mpf(10) ** -40
EXAMPLES = 40
HALF = fmpq(1, 2)


def silent(_what: str, _done: int, _total: int) -> None:
    pass


def denoiser(records: Matrix, query: Query, neighbours: Neighbours) -> IdealDenoiser:
    return IdealDenoiser(FiniteDomain(records, None), query, neighbours)


def enclosed(release: Release, form: Matrix, limit: fmpq | None = None) -> Enclosure:
    """Return the enclosure of the supremum over all hulls of a release."""
    found = [supremum(hull, form, limit, silent) for hull in hulls_of(release)]
    values = [each.value for each in found if each is not None] or [Enclosure(fmpq(0), fmpq(0))]
    return Enclosure(max(v.lower for v in values), max(v.upper for v in values))


def largest_deletion(records: Matrix, query: PointQuery, form: Matrix) -> mpf:
    """Go through all pairs, by the definition of the denoiser."""
    rows = reals(records)
    found = (form_of(moved([x, y], [y], query), form) for x in rows for y in rows)
    return max(found)


def largest_replacement(records: Matrix, query: PointQuery, form: Matrix) -> mpf:
    rows = reals(records)
    return max(form_of(moved([z, x], [z, y], query), form) for x, y in combinations(rows, 2) for z in rows)


def assert_encloses(value: Enclosure, true: mpf) -> None:
    assert real(value.lower) <= true + SLACK
    assert true <= real(value.upper) + SLACK


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_a_fixed_query_under_addition_encloses_all_pairs(data: st.DataObject) -> None:
    records, form = data.draw(record_tables(2)), data.draw(psd_forms(2))
    query = data.draw(point_queries(2))
    value = enclosed(denoiser(records, query, ADD), form)
    with mp.workdps(DIGITS):
        true = largest_deletion(records, query, form)
        assert_encloses(value, true)
        assert real(value.upper - value.lower) <= true * mpf(2) ** -110 + mpf(2) ** -110


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_a_fixed_query_under_replacement_encloses_all_triples(data: st.DataObject) -> None:
    records, form = data.draw(record_tables(2, most=4)), data.draw(psd_forms(2))
    query = data.draw(point_queries(2))
    value = enclosed(denoiser(records, query, REPLACE), form)
    with mp.workdps(DIGITS):
        assert_encloses(value, largest_replacement(records, query, form))
        diameter = enclosed(denoiser(records, UniformQuery(), REPLACE), form)
        assert real(value.upper - value.lower) <= real(diameter.upper) * mpf(2) ** -60


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_no_random_dataset_exceeds_the_supremum(data: st.DataObject) -> None:
    records, form = data.draw(record_tables(2)), data.draw(psd_forms(2))
    query, members = data.draw(point_queries(2)), st.integers(0, records.rows - 1)
    rest = data.draw(st.lists(members, min_size=1, max_size=7))
    first, second = data.draw(members), data.draw(members)
    with mp.workdps(DIGITS):
        rows = reals(records)
        shared = [rows[i] for i in rest]
        deleted = form_of(moved([*shared, rows[first]], shared, query), form)
        replaced = form_of(moved([*shared, rows[first]], [*shared, rows[second]], query), form)
        uniform = enclosed(denoiser(records, UniformQuery(), ADD), form).upper
        for found, neighbours in ((deleted, ADD), (replaced, REPLACE)):
            bound = enclosed(denoiser(records, query, neighbours), form).upper
            assert found <= real(bound) + SLACK
            assert bound <= uniform


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_the_uniform_query_is_approached_along_the_ray(data: st.DataObject) -> None:
    records, form = data.draw(record_tables(2)), data.draw(psd_forms(2))
    uniform = enclosed(denoiser(records, UniformQuery(), ADD), form)
    assert uniform.is_exact
    assert uniform == enclosed(denoiser(records, UniformQuery(), REPLACE), form)
    previous = fmpq(0)
    for gamma in (0, 1, 10, 100, 1000):
        along = []
        for i, j in combinations(range(records.rows), 2):
            x, y = (records.select((k,), range(2)) for k in (i, j))
            query = FixedQuery(x + (x - y).scaled(fmpq(gamma)), fmpq(1))
            along.append(enclosed(denoiser(records, query, ADD), form).lower)
        assert previous <= max(along) <= uniform.upper
        previous = max(along)
    assert uniform.upper - previous <= uniform.upper * fmpq(1, 10**12)


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_a_region_covers_each_of_its_queries_and_reaches_the_best(data: st.DataObject) -> None:
    records, form = data.draw(record_tables(2, most=4)), data.draw(psd_forms(2))
    centre = row(data.draw(st.integers(-9, 9)), data.draw(st.integers(-9, 9)))
    radius, variance = fmpq(data.draw(st.integers(0, 8)), 3), fmpq(data.draw(st.integers(1, 40)), 4)
    half = row(radius, radius)
    ball = enclosed(denoiser(records, QueryBall(centre, radius, variance), ADD), form)
    box = enclosed(denoiser(records, QueryBox(centre - half, centre + half, variance), ADD), form)
    corners = [centre + row(a * radius, b * radius) for a, b in product((-1, 1), repeat=2)]
    at_corners = [enclosed(denoiser(records, FixedQuery(corner, variance), ADD), form) for corner in corners]
    assert max(value.lower for value in at_corners) <= box.upper
    assert box.lower <= max(value.upper for value in at_corners)
    assert ball.lower <= box.upper
    inside = centre + row(radius * fmpq(3, 5), radius * fmpq(-4, 5))
    assert enclosed(denoiser(records, FixedQuery(inside, variance), ADD), form).lower <= ball.upper
    with mp.workdps(DIGITS):
        assert_encloses(ball, _largest_over_ball(records, (centre, radius, variance), form))


def _largest_over_ball(records: Matrix, ball: tuple[Matrix, fmpq, fmpq], form: Matrix) -> mpf:
    """Take for each pair the query farthest out along x - y."""
    centre, radius, variance = reals(ball[0])[0], real(ball[1]), real(ball[2])
    best = mpf(0)
    for x, y in product(reals(records), repeat=2):
        step = [a - b for a, b in zip(x, y, strict=True)]
        length = mp.sqrt(sum(entry**2 for entry in step))
        if length == 0:
            continue
        query = [c + radius * entry / length for c, entry in zip(centre, step, strict=True)]
        far, near = (sum((g - entry) ** 2 for g, entry in zip(query, end, strict=True)) for end in (y, x))
        share = 1 / (1 + mp.exp((near - far) / (2 * variance)))
        best = max(best, share**2 * form_of(step, form))
    return best


def test_a_region_may_favour_the_lighter_record() -> None:
    """At the centre y is heavier, over the region the deletion of either has a factor above 1/2."""
    records, form = integer_rows([[0], [2]]), identity(1)
    value = enclosed(denoiser(records, QueryBall(row(fmpq(3, 2)), fmpq(4), fmpq(1)), ADD), form)
    with mp.workdps(DIGITS):
        assert_encloses(value, 4 / (1 + mp.exp(-(mpf(1) + 8))) ** 2)


def test_a_list_of_queries_is_a_union() -> None:
    records, form = integer_rows([[0, 1], [3, 0], [-1, -2]]), identity(2)
    queries = (FixedQuery(row(5, 0), fmpq(1)), FixedQuery(row(0, 5), fmpq(3)), FixedQuery(row(0, 0), fmpq(100)))
    for neighbours in (ADD, REPLACE):
        each = [enclosed(denoiser(records, query, neighbours), form) for query in queries]
        whole = enclosed(denoiser(records, QueryList(queries), neighbours), form)
        assert (whole.lower, whole.upper) == (max(v.lower for v in each), max(v.upper for v in each))


def test_the_table_never_hides_a_pair() -> None:
    """Many pairs with exponents of every size, the largest one anywhere."""
    for spread in (3, 31, 4001):
        rows = [[(k**3 + 7 * k) % spread, (5 * k * k + 11) % spread] for k in range(32)]
        records, query = integer_rows(rows, 10), FixedQuery(row(1, 2), fmpq(17, 3))
        value = enclosed(denoiser(records, query, ADD), identity(2))
        with mp.workdps(DIGITS):
            assert_encloses(value, largest_deletion(records, query, identity(2)))


@given(st.lists(st.integers(0, 300), min_size=6, max_size=12, unique=True))
@settings(max_examples=EXAMPLES)
def test_the_table_tells_nearly_equal_pairs_apart(heights: list[int]) -> None:
    """All pairs have the form 0 or 1 and exponents below 1, hundreds of them within the steps of the table."""
    records = integer_rows([[300 * (index % 2), height] for index, height in enumerate(heights)], 300)
    query, form = FixedQuery(row(fmpq(1, 2), 0), fmpq(1, 2)), integer_rows([[1, 0], [0, 0]])
    value = enclosed(denoiser(records, query, ADD), form)
    with mp.workdps(DIGITS):
        assert_encloses(value, largest_deletion(records, query, form))


def test_the_table_tells_nearly_equal_third_records_apart() -> None:
    """Two records of the same weight, and two lighter ones between them that differ by less than a step of the table.

    Beside the lighter one, which comes last, u is f (x - x') with a form of f^2; no deletion has more than 1/4.
    """
    form, query = integer_rows([[1, 0], [0, 0]]), FixedQuery(row(HALF, 0), HALF)
    for height in range(1600, 1700):
        rows = [[0, 20], [3000, 20], [1500, height], [1500, height + 3]]
        value = enclosed(denoiser(integer_rows(rows, 3000), query, REPLACE), form)
        with mp.workdps(DIGITS):
            exponent = mpf((height + 3) ** 2 - 1500**2 - 20**2) / 3000**2
            assert_encloses(value, 1 / (1 + mp.exp(-exponent)) ** 2)


def test_the_bound_of_the_replacements_covers_the_deletions() -> None:
    records, form = integer_rows([[1, 0], [0, 1], [-1, 0], [0, -1]]), identity(2)
    weights = log_weights(records, FixedQuery(row(0, 0), fmpq(1)))
    deletions = Enclosure(fmpq(1), fmpq(3, 2))
    found = replacements.largest_replacement(records, weights, form, deletions, silent)
    assert found.value == deletions
    assert found.triple is None


def test_the_table_counts_the_reach_of_a_region() -> None:
    """The last two records are equally heavy at the centre, but the region reaches where either outweighs the other."""
    records, form = integer_rows([[0, 0], [4, 0], [-1, 200], [5, 200]], 2), integer_rows([[1, 0], [0, 0]])
    centre, half = row(1, 0), row(5, 0)
    for query in (QueryBall(centre, fmpq(5), HALF), QueryBox(centre - half, centre + half, HALF)):
        assert enclosed(denoiser(records, query, ADD), form).lower > fmpq(899, 100)


def test_a_light_third_record_carries_a_replacement_beyond_every_deletion() -> None:
    """Beside a record that weighs nothing, far off to the side, x moves all the way to x'."""
    records, form = integer_rows([[-1, 0], [1, 0], [0, 9]]), integer_rows([[1, 0], [0, 0]])
    query = FixedQuery(row(0, 0), HALF)
    (hull,) = hulls_of(denoiser(records, query, REPLACE))
    found = supremum(hull, form, None, silent)
    assert found is not None
    assert fmpq(399, 100) < found.value.lower <= found.value.upper <= 4
    assert found.where == "records 0, 1 beside 2"
    assert enclosed(denoiser(records, query, ADD), form).upper == 1


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_no_replacement_among_many_records_is_passed_over(data: st.DataObject) -> None:
    records, form = data.draw(record_tables(2, least=5, most=8)), data.draw(psd_forms(2))
    query = FixedQuery(row(data.draw(st.integers(-3, 3)), 0), fmpq(data.draw(st.integers(1, 200)), 10))
    value = enclosed(denoiser(records, query, REPLACE), form)
    with mp.workdps(DIGITS):
        assert_encloses(value, largest_replacement(records, query, form))


def test_equal_weights_are_exact() -> None:
    """Records on a sphere about the query have the factor 1/2, and every replacement is half a difference or less."""
    records, query = integer_rows([[1, 0], [0, 1], [-1, 0], [0, -1]]), FixedQuery(row(0, 0), fmpq(1, 10**12))
    assert enclosed(denoiser(records, query, ADD), identity(2)) == Enclosure(fmpq(1), fmpq(1))
    assert enclosed(denoiser(records, query, REPLACE), identity(2)) == Enclosure(fmpq(1), fmpq(1))


@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_far_queries_and_small_noise_neither_overflow_nor_underflow(neighbours: Neighbours) -> None:
    records = integer_rows([[0, 0], [1, 0], [0, 1]])
    query = FixedQuery(row(10**6, 3), fmpq(1, 10**12))
    value = enclosed(denoiser(records, query, neighbours), identity(2))
    assert 2 - fmpq(1, 10**15) < value.lower <= value.upper <= 2 + fmpq(1, 10**15)


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (RecordSum(FiniteDomain(integer_rows([[3, 0], [0, -4], [1, 1]]), None), ADD), 16),
        (RecordSum(FiniteDomain(integer_rows([[3, 0], [0, -4], [1, 1]]), None), REPLACE), 26),
        (RecordMean(FiniteDomain(integer_rows([[3, 0], [0, -4], [1, 1]]), None), 10), fmpq(26, 100)),
        (ExplicitVectors(integer_rows([[3, 4], [-6, 0]])), 36),
        (RecordSum(BoxDomain(row(-1, 2), row(3, 5)), ADD), 34),
        (RecordSum(BoxDomain(row(-1, 2), row(3, 5)), REPLACE), 25),
        (RecordMean(BoxDomain(row(-1, 2), row(3, 5)), 5), 1),
        (denoiser(integer_rows([[7, 7]]), UniformQuery(), ADD), 0),
        (denoiser(integer_rows([[7, 7]]), FixedQuery(row(0, 0), fmpq(1)), ADD), 0),
        (denoiser(integer_rows([[7, 7]]), FixedQuery(row(0, 0), fmpq(1)), REPLACE), 0),
        (IdealDenoiser(BoxDomain(row(-1, 2), row(3, 5)), UniformQuery(), ADD), 25),
        (RecordSum(SimplexDomain(2, fmpq(3)), ADD), 9),
        (RecordSum(SimplexDomain(2, fmpq(3)), REPLACE), 18),
        (IdealDenoiser(SimplexDomain(2, fmpq(3)), UniformQuery(), ADD), 18),
    ],
    ids=lambda value: type(value).__name__,
)
def test_closed_forms(release: Release, expected: fmpq | int) -> None:
    assert enclosed(release, identity(2)) == Enclosure(fmpq(expected), fmpq(expected))


@pytest.mark.parametrize(
    ("release", "radius"),
    [
        (RecordSum(BallDomain(row(0, 0), fmpq(3)), ADD), 3),
        (RecordSum(BallDomain(row(9, 9), fmpq(3)), REPLACE), 6),
        (RecordMean(BallDomain(row(9, 9), fmpq(3)), 6), 1),
        (IdealDenoiser(BallDomain(row(9, 9), fmpq(3)), UniformQuery(), ADD), 6),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_ball_is_its_largest_eigenvalue(release: Release, radius: int) -> None:
    form = integer_rows([[2, 1], [1, 2]])
    true = fmpq(3 * radius**2)
    assert enclosed(release, form, true).upper == true
    short = enclosed(release, form, true - fmpq(1, 10**20))
    assert short.lower <= true <= short.upper
    assert enclosed(release, identity(2), fmpq(radius**2)) == Enclosure(fmpq(radius**2), fmpq(radius**2))


@given(st.data())
def test_all_sign_vectors_are_tried(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 7))
    form = data.draw(psd_forms(size))
    true = max(
        (matrix(fmpz_mat([list(v)])) @ form @ matrix(fmpz_mat([list(v)])).transpose()).entry(0, 0)
        for v in product((-1, 1), repeat=size)
    )
    assert largest_over_signs(form) == Enclosure(true, true)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("certify.checker.signs.ENUMERATED", 0)
        bound = largest_over_signs(form)
    assert bound.lower <= true <= bound.upper


def test_a_long_box_is_bounded_and_exact_where_the_form_is_nonnegative() -> None:
    size = ENUMERATED + 5
    assert largest_over_signs(identity(size)) == Enclosure(fmpq(size), fmpq(size))
    ones = matrix(fmpz_mat(size, size, [1] * size**2))
    assert largest_over_signs(ones) == Enclosure(fmpq(size**2), fmpq(size**2))


RELEASES: list[tuple[Release, list[VectorName]]] = [
    (denoiser(integer_rows([[0, 1], [2, 2], [5, -1]]), UniformQuery(), ADD), [Difference(0, 2), Difference(1, 1)]),
    (RecordSum(FiniteDomain(integer_rows([[0, 1], [2, 2]]), None), ADD), [Record(0), Record(1)]),
    (
        denoiser(integer_rows([[0, 1], [2, 2], [5, -1]]), FixedQuery(row(1, 1), fmpq(3)), ADD),
        [Deletion(0, 0, 2), Deletion(0, 2, 0), Deletion(0, 1, 1)],
    ),
    (
        denoiser(integer_rows([[0, 1], [2, 2], [5, -1]]), FixedQuery(row(1, 1), fmpq(3)), REPLACE),
        [Replacement(0, 0, 1, 2), Replacement(0, 0, 1, 1), Replacement(0, 0, 1, 0), Replacement(0, 1, 1, 0)],
    ),
    (
        denoiser(integer_rows([[0, 1], [2, 2]]), QueryBall(row(1, 1), fmpq(2), fmpq(3)), ADD),
        [Deletion(0, 0, 1), Deletion(0, 1, 0)],
    ),
    (
        IdealDenoiser(BoxDomain(row(0, 0), row(1, 2)), UniformQuery(), ADD),
        [Combination(row(1, -1)), Combination(row(fmpq(1, 3), 0))],
    ),
    (
        RecordSum(BoxDomain(row(0, 0), row(1, 2)), ADD),
        [Combination(row(1, 1, 1)), Combination(row(0, 1, -1)), Combination(row(-1, 1, 0))],
    ),
    (
        IdealDenoiser(BallDomain(row(0, 0), fmpq(2)), UniformQuery(), ADD),
        [Combination(row(fmpq(3, 5), fmpq(-4, 5))), Combination(row(0, fmpq(1, 2)))],
    ),
]


@pytest.mark.parametrize(("release", "names"), RELEASES, ids=lambda value: type(value).__name__)
def test_named_vectors_lie_in_the_hull(release: Release, names: list[VectorName]) -> None:
    """No direction sees a named vector farther out than the hull."""
    vectors = named_vectors(hulls_of(release), names)
    assert isinstance(vectors, Matrix)
    for angle in range(24):
        direction = row(angle - 12, 7 - angle % 5)
        form = direction.transpose() @ direction
        limit = form.trace() * 16
        for index in range(vectors.rows):
            along = (vectors.select((index,), range(2)) @ direction.transpose()).entry(0, 0)
            assert along**2 <= enclosed(release, form, limit).upper


MISNAMED: list[tuple[Release, VectorName]] = [
    (denoiser(integer_rows([[0], [1]]), UniformQuery(), ADD), Difference(0, 2)),
    (denoiser(integer_rows([[0], [1]]), UniformQuery(), ADD), Record(0)),
    (denoiser(integer_rows([[0], [1]]), UniformQuery(), ADD), Deletion(0, 0, 1)),
    (denoiser(integer_rows([[0], [1]]), UniformQuery(), ADD), Deletion(1, 0, 1)),
    (denoiser(integer_rows([[0], [1]]), FixedQuery(row(0), fmpq(1)), ADD), Deletion(0, 0, 2)),
    (denoiser(integer_rows([[0], [1]]), FixedQuery(row(0), fmpq(1)), ADD), Deletion(1, 0, 1)),
    (denoiser(integer_rows([[0], [1]]), FixedQuery(row(0), fmpq(1)), ADD), Difference(0, 1)),
    (denoiser(integer_rows([[0], [1]]), FixedQuery(row(0), fmpq(1)), REPLACE), Replacement(0, 0, 1, 2)),
    (denoiser(integer_rows([[0], [1]]), FixedQuery(row(0), fmpq(1)), REPLACE), Replacement(0, 2, 1, 0)),
    (ExplicitVectors(integer_rows([[1]])), Record(1)),
    (RecordSum(BoxDomain(row(0), row(1)), REPLACE), Combination(row(fmpq(11, 10)))),
    (RecordSum(BoxDomain(row(0), row(1)), REPLACE), Combination(row(1, 1))),
    (RecordSum(BallDomain(row(0, 0), fmpq(1)), ADD), Combination(row(1, fmpq(1, 10**9)))),
    (RecordSum(BallDomain(row(0, 0), fmpq(1)), ADD), Combination(row(1))),
]


@pytest.mark.parametrize(("release", "name"), MISNAMED, ids=lambda value: type(value).__name__)
def test_a_name_that_fits_no_vector_is_refused(release: Release, name: VectorName) -> None:
    assert isinstance(named_vectors(hulls_of(release), [name]), str)


def test_a_named_deletion_is_the_true_one_from_below() -> None:
    release = denoiser(integer_rows([[0, 1], [2, 2]]), FixedQuery(row(1, 1), fmpq(3)), ADD)
    vector = named_vectors(hulls_of(release), [Deletion(0, 0, 1)])
    assert isinstance(vector, Matrix)
    with mp.workdps(DIGITS):
        rows = reals(integer_rows([[0, 1], [2, 2]]))
        true = moved(rows, rows[1:], FixedQuery(row(1, 1), fmpq(3)))
        for found, wanted in zip(reals(vector)[0], true, strict=True):
            assert abs(found) <= abs(wanted)
            assert abs(found - wanted) <= 4 * mpf(2) ** -128


def test_restricting_to_pivots_keeps_forms_of_a_subspace() -> None:
    """Records with a repeated column: the form on one copy is the form on both."""
    query = FixedQuery(row(1, 1, 0), fmpq(2))
    whole = integer_rows([[0, 0, 1], [2, 2, 5], [5, 5, -1]])
    for neighbours in (ADD, REPLACE):
        (hull,) = hulls_of(denoiser(whole, query, neighbours))
        form = integer_rows([[3, 0, 1], [0, 0, 0], [1, 0, 2]])
        kept = supremum(restrict(hull, (0, 2)), integer_rows([[3, 1], [1, 2]]), None, silent)
        direct = supremum(hull, form, None, silent)
        assert kept is not None
        assert direct is not None
        assert kept.value == direct.value


def test_spanning_rows_span_every_hull() -> None:
    for release, names in RELEASES:
        rank = max(spanning(hull).numerators.rank() for hull in hulls_of(release))
        vectors = named_vectors(hulls_of(release), names)
        assert isinstance(vectors, Matrix)
        assert vectors.numerators.rank() <= rank


def test_progress_counts_third_records() -> None:
    seen: list[tuple[str, int, int]] = []
    release = denoiser(integer_rows([[0], [1], [3]]), FixedQuery(row(0), fmpq(1)), REPLACE)
    (hull,) = hulls_of(release)
    supremum(hull, identity(1), None, lambda what, done, total: seen.append((what, done, total)))
    assert seen[-3:] == [("third records", k, 3) for k in (1, 2, 3)]


def test_every_pair_is_counted() -> None:
    records = integer_rows([[i, i * i] for i in range(9)])
    (hull,) = hulls_of(denoiser(records, FixedQuery(row(0, 0), fmpq(1)), ADD))
    assert isinstance(hull, Deletions)
    found = supremum(hull, identity(2), None, silent)
    assert found is not None
    assert found.counted == f"{comb(9, 2)} pairs"
