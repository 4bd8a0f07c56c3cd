"""The theorems behind the hulls, on random datasets with rational weights over 40 orders of magnitude: exact.

The weights of the theorems may be any positive numbers, so rational ones make every statement decidable.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checker.hull_oracle import gauge

Point = tuple[Fraction, ...]
Weighted = tuple[Point, Fraction]

EXAMPLES = 60
SIZE = 8
ORDERS = 20

entries = st.integers(-6, 6).map(Fraction)
weights = st.tuples(st.integers(1, 99), st.integers(-ORDERS, ORDERS)).map(lambda x: Fraction(f"{x[0]}e{x[1]}"))


def domains(dimension: int, most: int) -> st.SearchStrategy[list[Weighted]]:
    record = st.tuples(*[entries] * dimension)
    return st.dictionaries(record, weights, min_size=2, max_size=most).map(lambda found: list(found.items()))


def multisets(domain: list[Weighted], least: int) -> st.SearchStrategy[list[Weighted]]:
    return st.lists(st.sampled_from(domain), min_size=least, max_size=SIZE)


def mean(dataset: list[Weighted]) -> Point:
    total = sum((weight for _, weight in dataset), Fraction(0))
    return tuple(sum((w * x[k] for x, w in dataset), Fraction(0)) / total for k in range(len(dataset[0][0])))


def minus(left: Point, right: Point) -> Point:
    return tuple(a - b for a, b in zip(left, right, strict=True))


def scaled(factor: Fraction, vector: Point) -> Point:
    return tuple(factor * entry for entry in vector)


def two_record(x: Weighted, y: Weighted) -> Point:
    return scaled(x[1] / (x[1] + y[1]), minus(x[0], y[0]))


def three_record(x: Weighted, other: Weighted, z: Weighted) -> Point:
    return minus(mean([z, x]), mean([z, other]))


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_every_deletion_is_a_short_combination_of_two_record_deletions(data: st.DataObject) -> None:
    dataset = data.draw(multisets(data.draw(domains(3, 5)), 2))
    k = data.draw(st.integers(0, len(dataset) - 1))
    total = sum(weight for _, weight in dataset)
    shares = [weight / total for _, weight in dataset]
    others = [i for i in range(len(dataset)) if i != k]
    coefficients = {i: shares[i] * (shares[i] + shares[k]) / (1 - shares[k]) for i in others}
    parts = [scaled(coefficients[i], two_record(dataset[k], dataset[i])) for i in others]
    deleted = minus(mean(dataset), mean([dataset[i] for i in others]))
    assert deleted == tuple(map(sum, zip(*parts, strict=True)))
    assert min(coefficients.values()) >= 0
    assert sum(coefficients.values()) <= 1
    assert (sum(coefficients.values()) == 1) == (len(dataset) == 2)


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_every_deletion_lies_in_the_two_record_hull(data: st.DataObject) -> None:
    domain = data.draw(domains(2, 4))
    dataset = data.draw(multisets(domain, 2))
    deleted = minus(mean(dataset), mean(dataset[1:]))
    size = gauge(deleted, [two_record(x, y) for x, y in permutations(domain, 2)])
    assert size is not None
    assert size <= 1


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_every_replacement_lies_in_the_three_record_hull(data: st.DataObject) -> None:
    domain = data.draw(domains(2, 4))
    rest = data.draw(multisets(domain, 1))[: SIZE - 1]
    x, other = data.draw(st.sampled_from(domain)), data.draw(st.sampled_from(domain))
    replaced = minus(mean([*rest, x]), mean([*rest, other]))
    family = [three_record(a, b, z) for a, b in permutations(domain, 2) for z in domain]
    size = gauge(replaced, family)
    assert size is not None
    assert size <= 1


@given(st.data())
@settings(max_examples=EXAMPLES)
def test_a_replacement_is_at_most_two_deletions(data: st.DataObject) -> None:
    domain = data.draw(domains(1, 3))
    longest = max(abs(two_record(x, y)[0]) for x, y in permutations(domain, 2))
    for x, y, z in permutations(domain, 3):
        assert abs(three_record(x, y, z)[0]) <= 2 * longest


def test_a_replacement_that_no_deletion_reaches() -> None:
    one = Fraction(1)
    low, middle, high = ((-one,), one), ((0 * one,), one), ((one,), one)
    assert gauge(three_record(high, low, middle), [two_record(high, low)]) == 1
    heavy = ((Fraction(0),), Fraction(1, 10**6))
    family = [two_record(x, y) for x, y in permutations([low, heavy, high], 2)]
    beyond = gauge(three_record(high, low, heavy), family)
    assert beyond is not None
    assert beyond > 1


@given(domains(2, 4), st.integers(1, 6))
@settings(max_examples=EXAMPLES)
def test_factors_stay_below_one_and_come_near_it_when_one_weight_outgrows_the_other(
    domain: list[Weighted], orders: int
) -> None:
    (x, _), (y, weight) = domain[:2]
    outgrown = two_record((x, weight * 10**orders), (y, weight))
    size = gauge(outgrown, [minus(x, y)])
    assert size is not None
    assert 1 - Fraction(2, 10**orders) < size < 1
