"""Exponents are exact; factors are enclosed from them, whatever their size."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from certify.checker.adaptive import at_precision
from certify.checker.exact import Matrix, matrix
from certify.checker.exponents import (
    BallReach,
    BoxReach,
    Exponent,
    LogWeights,
    largest_exponent,
    log_weights,
    pair_exponents,
    reach_upper,
)
from certify.checker.factors import (
    GRID_BITS,
    STEP_BITS,
    TABLE_BITS,
    TINY_BITS,
    factor,
    factor_on_grid,
    squared_factors_upper,
)
from certify.checker.queries import DiffusionQuery, FixedQuery, QueryBall, QueryBox

ZERO = fmpq(0)
DIGITS = 80
EXAMPLES = 40

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=40).map(
    lambda x: fmpq(x.numerator, x.denominator)
)
radicands = rationals.map(abs)
exponents = st.builds(Exponent, rationals, rationals, radicands)


def plain(value: fmpq) -> Exponent:
    return Exponent(value, ZERO, ZERO)


def real(value: fmpq) -> mpf:
    return mpf(int(value.p)) / int(value.q)


def real_exponent(exponent: Exponent) -> mpf:
    return real(exponent.rational) + real(exponent.coefficient) * mp.sqrt(real(exponent.radicand))


def row(*entries: fmpq | int) -> Matrix:
    whole = Matrix(fmpz_mat(1, len(entries)), matrix(fmpz_mat(1, 1)).denominator)
    for column, entry in enumerate(entries):
        unit = fmpz_mat(1, len(entries))
        unit[0, column] = 1
        whole += matrix(unit).scaled(fmpq(entry))
    return whole


@settings(max_examples=EXAMPLES)
@given(exponents)
def test_the_sign_of_an_exponent_is_exact(exponent: Exponent) -> None:
    with mp.workdps(DIGITS):
        value = real_exponent(exponent)
        if abs(value) > mpf(10) ** -(DIGITS // 2):
            assert exponent.sign() == (1 if value > 0 else -1)
        else:
            assert exponent.sign() == 0


def test_a_surd_that_cancels_a_rational_is_zero() -> None:
    assert Exponent(fmpq(-3, 2), fmpq(1), fmpq(9, 4)).sign() == 0
    assert Exponent(fmpq(-3, 2), fmpq(1), fmpq(9, 4) + fmpq(1, 10**60)).sign() == 1
    assert Exponent(fmpq(3, 2), fmpq(-1), fmpq(9, 4) + fmpq(1, 10**60)).sign() == -1


@settings(max_examples=EXAMPLES)
@given(exponents)
def test_the_ball_of_an_exponent_contains_it(exponent: Exponent) -> None:
    ball = at_precision(64, exponent.ball)
    with mp.workdps(DIGITS):
        value = real_exponent(exponent)
        assert mpf(str(ball.lower().str(60, radius=False))) - mpf(10) ** -50 <= value
        assert value <= mpf(str(ball.upper().str(60, radius=False))) + mpf(10) ** -50


@settings(max_examples=EXAMPLES)
@given(exponents, st.integers(16, 160))
def test_factors_contain_the_true_value_tightly(exponent: Exponent, bits: int) -> None:
    ends = factor(exponent, bits)
    with mp.workdps(DIGITS + 240):
        true = 1 / (1 + mp.exp(-real_exponent(exponent)))
        assert real(ends.lower) <= true <= real(ends.upper)
        assert real(ends.upper - ends.lower) <= min(true, 1 - true) * mpf(2) ** -bits


@settings(max_examples=EXAMPLES)
@given(exponents)
def test_factors_of_opposite_exponents_add_up_to_one(exponent: Exponent) -> None:
    ends, rest = factor(exponent), factor(exponent.negated())
    assert (rest.lower, rest.upper) == (1 - ends.upper, 1 - ends.lower)


def test_equal_weights_have_the_factor_one_half_exactly() -> None:
    assert factor(plain(ZERO)).lower == factor(plain(ZERO)).upper == fmpq(1, 2)
    lower, upper = factor_on_grid(Exponent(fmpq(-2), fmpq(1), fmpq(4)))
    assert lower == upper == 1 << (GRID_BITS - 1)


@pytest.mark.parametrize("size", [10**6, 10**24, 10**60])
def test_extreme_exponents_stay_rational_and_on_the_right_side(size: int) -> None:
    tiny = fmpq(1, 1 << TINY_BITS)
    nothing, everything = factor(plain(fmpq(-size))), factor(plain(fmpq(size)))
    assert 0 <= nothing.lower <= nothing.upper <= tiny
    assert 1 - tiny <= everything.lower <= everything.upper <= 1
    assert [int(end) for end in factor_on_grid(plain(fmpq(-size)))] == [0, 1]
    assert [(1 << GRID_BITS) - int(end) for end in factor_on_grid(plain(fmpq(size)))] == [1, 0]


def test_a_factor_of_ten_to_the_minus_300000_keeps_its_relative_accuracy() -> None:
    ends = factor(plain(fmpq(-690_000)))
    assert ends.lower > 0
    assert (ends.upper - ends.lower) * (1 << GRID_BITS) <= ends.lower
    with mp.workdps(60):
        expected = mp.exp(-690_000)
    nearly = fmpq(int(expected.man), fmpz(2) ** -int(expected.exp))
    assert abs(ends.lower / nearly - 1) < fmpq(1, 10**38)


def test_a_long_exponent_that_cancels_is_enclosed() -> None:
    huge = fmpq(2) ** 66_000
    root = (huge.p * huge.p * 2).isqrt()
    nearly_zero = Exponent(fmpq(-root), huge, fmpq(2))
    assert nearly_zero.sign() == 1
    ends, grid = factor(nearly_zero), factor_on_grid(nearly_zero)
    with mp.workprec(133_000):
        true = 1 / (1 + mp.exp(-real_exponent(nearly_zero)))
        assert real(ends.lower) <= true <= real(ends.upper)
        assert int(grid[0]) <= true * 2**GRID_BITS <= int(grid[1])


@settings(max_examples=EXAMPLES)
@given(exponents)
def test_the_grid_holds_the_factor_between_neighbouring_points(exponent: Exponent) -> None:
    lower, upper = factor_on_grid(exponent)
    with mp.workdps(DIGITS + 240):
        true = 2**GRID_BITS / (1 + mp.exp(-real_exponent(exponent)))
        assert int(lower) <= true <= int(upper)
    assert upper - lower <= 2


def test_the_table_bounds_every_square_and_never_decreases() -> None:
    table = squared_factors_upper()
    with mp.workdps(40):
        for step, bound in enumerate(table[:-1]):
            square = 2**TABLE_BITS / (1 + mp.exp(-mpf(step) / 2**STEP_BITS)) ** 2
            assert square <= int(bound) <= square + 2
    assert list(table) == sorted(table)
    assert table[-1] == 1 << TABLE_BITS


POINTS = matrix(fmpz_mat([[0, 1], [2, -1], [5, 3]]), 2)


def test_log_weights_are_those_of_the_definition() -> None:
    query = FixedQuery(row(fmpq(1, 3), fmpq(-2)), fmpq(7, 5))
    weights = log_weights(POINTS, query)
    for i in range(3):
        for j in range(3):
            ratio = weights.ratio(i, j)
            gap = _squared(query.point - _row(j)) - _squared(query.point - _row(i))
            assert (ratio.rational, ratio.coefficient) == (gap / (2 * query.variance), ZERO)


def test_a_diffusion_state_with_a_square_signal_is_a_fixed_query() -> None:
    state, signal = row(fmpq(1, 3), fmpq(-2)), fmpq(4, 9)
    fixed = log_weights(POINTS, FixedQuery(state.scaled(fmpq(3, 2)), (1 - signal) / signal))
    moved = log_weights(POINTS, DiffusionQuery(state, signal))
    for i in range(3):
        for j in range(3):
            expected, found = fixed.ratio(i, j), moved.ratio(i, j)
            assert found.rational + found.coefficient * fmpq(2, 3) == expected.rational


@settings(max_examples=EXAMPLES)
@given(st.lists(rationals, min_size=1, max_size=5), st.lists(rationals, min_size=5, max_size=5), radicands)
def test_floors_are_at_most_two_units_below(plains: list[fmpq], roots: list[fmpq], radicand: fmpq) -> None:
    weights = LogWeights(tuple(plains), tuple(roots[: len(plains)]), radicand)
    for floor, plain_part, root in zip(weights.floor_units(8), plains, roots, strict=False):
        below = Exponent(plain_part - fmpq(floor, 256), root, radicand)
        above = Exponent(plain_part - fmpq(floor + 2, 256), root, radicand)
        assert below.sign() >= 0 > above.sign()


@settings(max_examples=EXAMPLES)
@given(st.lists(rationals, min_size=4, max_size=4), st.fractions(0, 3, max_denominator=9))
def test_the_exponent_of_a_region_is_the_largest_over_its_points(numbers: list[fmpq], size: Fraction) -> None:
    centre, radius, variance = row(*numbers[:2]), fmpq(size.numerator, size.denominator), abs(numbers[2]) + fmpq(1, 7)
    edges = row(radius, radius)
    ball = pair_exponents(POINTS, QueryBall(centre, radius, variance))
    box = pair_exponents(POINTS, QueryBox(centre - edges, centre + edges, variance))
    for i, j in ((0, 1), (1, 2), (2, 0)):
        step = _row(i) - _row(j)
        with mp.workdps(50):
            unit = [real(step.entry(0, k)) for k in range(2)]
            length = mp.sqrt(unit[0] ** 2 + unit[1] ** 2)
            farthest = [real(centre.entry(0, k)) + real(radius) * unit[k] / length for k in range(2)]
            corner = [real(centre.entry(0, k)) + real(radius) * mp.sign(unit[k]) for k in range(2)]
            assert mp.almosteq(real_exponent(largest_exponent(ball, i, j)), _ratio_at(farthest, i, j, variance), 1e-40)
            assert mp.almosteq(real_exponent(largest_exponent(box, i, j)), _ratio_at(corner, i, j, variance), 1e-40)


@settings(max_examples=EXAMPLES)
@given(st.lists(rationals, min_size=4, max_size=4), radicands)
def test_the_reach_of_a_region_is_bounded_over_all_pairs(numbers: list[fmpq], radius: fmpq) -> None:
    centre, edges, variance = row(*numbers[:2]), row(radius, abs(numbers[3])), abs(numbers[2]) + fmpq(1, 7)
    for query in (QueryBall(centre, radius, variance), QueryBox(centre - edges, centre + edges, variance)):
        pairs = pair_exponents(POINTS, query)
        assert isinstance(pairs.reach, BallReach | BoxReach)
        for i, j in ((0, 1), (1, 2), (2, 0)):
            extra, at_centre = largest_exponent(pairs, i, j), pairs.weights.ratio(i, j)
            excess = Exponent(
                extra.rational - at_centre.rational - reach_upper(pairs), extra.coefficient, extra.radicand
            )
            assert excess.sign() <= 0


def _row(index: int) -> Matrix:
    return POINTS.select((index,), range(2))


def _squared(vector: Matrix) -> fmpq:
    return (vector @ vector.transpose()).entry(0, 0)


def _ratio_at(query: list[mpf], i: int, j: int, variance: fmpq) -> mpf:
    distances = [sum((query[k] - real(_row(index).entry(0, k))) ** 2 for k in range(2)) for index in (i, j)]
    return (distances[1] - distances[0]) / (2 * real(variance))
