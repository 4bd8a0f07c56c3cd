"""The enclosed ideal denoiser, its deletions and replacements, and the DDPM form, against the definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from certify.checker.denoiser import (
    deletion,
    denoise,
    denoised_by,
    enclosed_ends,
    noise_prediction,
    replacement,
)
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.factors import TINY_BITS
from certify.checker.queries import DiffusionQuery, FixedQuery, PointQuery
from tests.checker.models import (
    DIGITS,
    Reals,
    integer_rows,
    moved,
    point_queries,
    real,
    reals,
    record_tables,
    release_at,
    row,
)

EXAMPLES = 40
SLACK = mpf(10) ** -45
RECORDS = integer_rows([[0, 1], [2, 1], [1, 3]])
QUERY = FixedQuery(row(1, fmpq(1, 3)), fmpq(2))
STATE = DiffusionQuery(row(1, fmpq(1, 3)), fmpq(1, 3))


def assert_encloses(found: Sequence[Enclosure], true: Reals) -> None:
    for ends, value in zip(found, true, strict=True):
        assert real(ends.lower) - SLACK <= value <= real(ends.upper) + SLACK
        assert real(ends.upper - ends.lower) <= mpf(2) ** -100


@given(record_tables(2), point_queries(2))
@settings(max_examples=EXAMPLES)
def test_the_denoiser_is_its_definition(records: Matrix, query: PointQuery) -> None:
    with mp.workdps(DIGITS):
        assert_encloses(denoise(records, query), release_at(reals(records), query))


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_a_deletion_is_the_difference_of_two_releases(data: st.DataObject) -> None:
    records, query = data.draw(record_tables(2)), data.draw(point_queries(2))
    index = data.draw(st.integers(0, records.rows - 1))
    with mp.workdps(DIGITS):
        rows = reals(records)
        rest = [other for i, other in enumerate(rows) if i != index]
        assert_encloses(deletion(records, index, query), moved(rows, rest, query))


@given(record_tables(2), record_tables(2, least=2, most=2), point_queries(2))
@settings(max_examples=EXAMPLES)
def test_a_replacement_is_the_difference_of_two_releases(rest: Matrix, ends: Matrix, query: PointQuery) -> None:
    first, second = (ends.select((index,), range(2)) for index in (0, 1))
    with mp.workdps(DIGITS):
        shared, (x, other) = reals(rest), reals(ends)
        true = moved([*shared, x], [*shared, other], query)
        assert_encloses(replacement(rest, first, second, query), true)


def test_the_noise_prediction_and_the_denoiser_determine_each_other() -> None:
    predicted = noise_prediction(RECORDS, STATE)
    with mp.workdps(DIGITS):
        signal, state = real(STATE.signal), reals(STATE.state)[0]
        mean = release_at(reals(RECORDS), STATE)
        true = [(g - mp.sqrt(signal) * m) / mp.sqrt(1 - signal) for g, m in zip(state, mean, strict=True)]
        assert_encloses(predicted, true)
        middle = row(*((ends.lower + ends.upper) / 2 for ends in predicted))
        for ends, value in zip(denoised_by(middle, STATE), mean, strict=True):
            assert abs(real(ends.lower) - value) < mpf(10) ** -35


def test_the_ends_are_exact_where_the_weights_are_equal() -> None:
    found = denoise(integer_rows([[0, 0], [2, 4]]), FixedQuery(row(1, 2), fmpq(1)))
    assert found == (Enclosure(fmpq(1), fmpq(1)), Enclosure(fmpq(2), fmpq(2)))


def test_a_record_that_weighs_nothing_moves_the_release_by_nothing_but_not_by_zero() -> None:
    far = FixedQuery(row(10**6, 0), fmpq(1, 10**12))
    ends = deletion(RECORDS, 0, far)[0]
    tiny = fmpq(1, 1 << TINY_BITS)
    assert -tiny <= ends.lower < 0
    assert ends.lower <= ends.upper <= 0
    dominant = deletion(RECORDS, 1, far)[0]
    assert 1 - fmpq(1, 10**30) <= dominant.lower <= 1 <= dominant.upper <= 1 + fmpq(1, 10**30)


def test_more_bits_give_nested_and_narrower_enclosures() -> None:
    coarse, fine = (denoise(RECORDS, QUERY, bits)[1] for bits in (32, 400))
    assert coarse.lower <= fine.lower <= fine.upper <= coarse.upper
    assert (fine.upper - fine.lower) * (1 << 300) < coarse.upper - coarse.lower


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: denoise(RECORDS.select((), range(2)), QUERY), "at least one"),
        (lambda: denoise(RECORDS, FixedQuery(row(1), fmpq(1))), "columns"),
        (lambda: deletion(RECORDS, 3, QUERY), "cannot be deleted"),
        (lambda: deletion(RECORDS.select((0,), range(2)), 0, QUERY), "cannot be deleted"),
        (lambda: replacement(RECORDS.select((), range(2)), row(0, 0), row(1, 1), QUERY), "at least one"),
        (lambda: noise_prediction(RECORDS.select((), range(2)), STATE), "at least one"),
        (lambda: denoised_by(row(1), STATE), "must be 1 x 2"),
    ],
)
def test_what_has_no_meaning_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_ends_round_outward_near_zero() -> None:
    tiny = fmpq(1, 1 << TINY_BITS)
    small = arb(2) ** (-TINY_BITS - 5)
    assert enclosed_ends(small) == Enclosure(fmpq(0), tiny)
    assert enclosed_ends(-small) == Enclosure(-tiny, fmpq(0))
    assert enclosed_ends(arb(0, small.upper())) == Enclosure(-tiny, tiny)
    assert enclosed_ends(arb(0)) == Enclosure(fmpq(0), fmpq(0))
    assert enclosed_ends(arb(3) / 4) == Enclosure(fmpq(3, 4), fmpq(3, 4))
    with pytest.raises(ValueError, match="not one finite number"):
        enclosed_ends(arb("nan"))


def test_long_exponents_that_cancel_are_told() -> None:
    """The two terms of an exponent of about -1/3 have 70,000 bits each."""
    record = fmpz(2) ** 35_000
    state = fmpq((record * record << 70_001).isqrt(), fmpz(1) << 35_002)
    (mean,) = denoise(row(0, record).transpose(), DiffusionQuery(row(state), fmpq(1, 2)))
    assert fmpq(2, 5) < mean.lower / record <= mean.upper / record < fmpq(1, 2)
