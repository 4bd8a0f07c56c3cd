"""The kernel against the slow path: as it stands, and with every number of every certificate changed in turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.claims import ReleasePrivacy
from certify.checker.codec import Malformed
from certify.checker.exact import Matrix, identity
from certify.checker.guarantees import ZCDP, ApproxDP, TotalVariation
from certify.checker.kernel import check
from certify.checker.sensitivity import (
    BallDomain,
    BoxDomain,
    ExplicitVectors,
    FiniteDomain,
    FixedQuery,
    IdealDenoiser,
    Neighbours,
    Query,
    QueryBall,
    RecordMean,
    RecordSum,
    Release,
    SimplexDomain,
    UniformQuery,
)
from certify.checker.verdict import Status, Verdict
from certify.checker.witnesses import PrimalWitness, Support
from tests.checker.models import integer_rows, point_queries, psd_forms, record_tables, row
from tests.checker.privacy_examples import DECIDED
from tests.checker.privacy_oracle import truth

Path = tuple[str | int, ...]

NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?\Z")
SMALL = [name for name in DECIDED if "long box" not in name]
"""The slow path goes through the 2^24 corners of no box."""


def assert_true(verdict: Verdict) -> None:
    expected = truth(verdict.claim)
    match verdict.status:
        case Status.PROVED:
            assert expected is not False, verdict
        case Status.REFUTED:
            assert expected is not True, verdict


@pytest.mark.parametrize("name", SMALL)
def test_the_slow_path_agrees_with_every_decision(name: str) -> None:
    verdict = check(DECIDED[name]().certificate)
    assert verdict.status in {Status.PROVED, Status.REFUTED}
    assert_true(verdict)


def test_the_slow_path_is_no_rubber_stamp() -> None:
    """It tells nearly every one of the claims, and both answers occur."""
    answers = [truth(DECIDED[name]().claim) for name in SMALL]
    assert answers.count(True) > 15
    assert answers.count(False) > 10


@pytest.mark.parametrize("name", SMALL)
def test_no_changed_number_makes_a_false_claim_proved_or_a_true_one_refuted(name: str) -> None:
    original = json.loads(write_certificate(DECIDED[name]().certificate))
    for count, path in enumerate(_numbers(original, ())):
        document = json.loads(json.dumps(original))
        _change(document, path, count)
        try:
            verdict = check(read_certificate(json.dumps(document).encode()))
        except Malformed:
            continue
        assert_true(verdict)


def _numbers(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, (*path, index))
    elif path[0] != "version" and (type(value) is int or (isinstance(value, str) and NUMBER.match(value))):
        yield path


def _change(document: Any, path: Path, count: int) -> None:
    """Change the number at a path, each time in another way."""
    for step in path[:-1]:
        document = document[step]
    value = document[path[-1]]
    if type(value) is int:
        document[path[-1]] = (value + 1, 0, value + 2)[count % 3]
        return
    number = fmpq(*map(int, value.split("/")))
    changes = (number + 1, number / 2, -number, number + fmpq(1, 10**20), 2 * number, number - fmpq(1, 10**20), fmpq(0))
    document[path[-1]] = str(changes[count % len(changes)])


@st.composite
def releases(draw: st.DrawFn) -> Release:
    domain = FiniteDomain(draw(record_tables(2, least=1, most=3)), None)
    neighbours = draw(st.sampled_from(Neighbours))
    region = QueryBall(row(1, 2), fmpq(draw(st.integers(0, 5))), fmpq(draw(st.integers(1, 9))))
    queries: list[Query] = [UniformQuery(), draw(point_queries(2))]
    if neighbours is Neighbours.ADD_OR_REMOVE_ONE:
        queries.append(region)
    kinds: list[Release] = [
        *(IdealDenoiser(domain, query, neighbours) for query in queries),
        RecordSum(domain, neighbours),
        RecordMean(domain, draw(st.integers(1, 5))),
        ExplicitVectors(domain.records),
    ]
    return draw(st.sampled_from(kinds))


@given(releases(), psd_forms(2), st.integers(0, 9), st.integers(1, 40))
@settings(max_examples=80)
def test_random_claims_are_proved_only_if_true(release: Release, noise: Matrix, epsilon: int, percent: int) -> None:
    covariance = noise + identity(2).scaled(fmpq(1, 3))
    claim = ReleasePrivacy(release, covariance, ApproxDP(fmpq(epsilon), fmpq(percent, 40)))
    verdict = check(Certificate(claim, PrimalWitness(None, None)))
    expected = truth(claim)
    assert expected is None or (verdict.status is Status.PROVED) == expected, verdict


HALVES = Support(integer_rows([[1], [1]]), (0,))
FLAT = integer_rows([[1, 1], [1, 1]])


@pytest.mark.parametrize(
    "release",
    [
        RecordSum(FiniteDomain(integer_rows([[1, 1], [-1, -1]]), None), Neighbours.ADD_OR_REMOVE_ONE),
        IdealDenoiser(BoxDomain(row(0, 0), row(0, 0)), UniformQuery(), Neighbours.REPLACE_ONE),
        IdealDenoiser(BallDomain(row(5, 0), fmpq(0)), UniformQuery(), Neighbours.REPLACE_ONE),
        RecordSum(BoxDomain(row(1, 1), row(1, 1)), Neighbours.ADD_OR_REMOVE_ONE),
        RecordMean(BoxDomain(row(2, 2), row(2, 2)), 3),
    ],
    ids=lambda release: type(release).__name__,
)
def test_a_singular_covariance_may_carry_any_hull(release: Release) -> None:
    claim = ReleasePrivacy(release, FLAT, ZCDP(fmpq(1, 2)))
    verdict = check(Certificate(claim, PrimalWitness(HALVES, None)))
    assert verdict.status is Status.PROVED, verdict.failed


@pytest.mark.parametrize(
    "release",
    [
        RecordSum(FiniteDomain(integer_rows([[1, 1], [1, 2]]), None), Neighbours.ADD_OR_REMOVE_ONE),
        IdealDenoiser(BoxDomain(row(0, 0), row(0, 1)), UniformQuery(), Neighbours.REPLACE_ONE),
        IdealDenoiser(BallDomain(row(5, 0), fmpq(1)), UniformQuery(), Neighbours.REPLACE_ONE),
        RecordSum(BoxDomain(row(1, 1), row(1, 2)), Neighbours.ADD_OR_REMOVE_ONE),
        RecordSum(SimplexDomain(2, fmpq(1)), Neighbours.ADD_OR_REMOVE_ONE),
    ],
    ids=lambda release: type(release).__name__,
)
def test_a_singular_covariance_that_misses_a_vector_is_rejected(release: Release) -> None:
    claim = ReleasePrivacy(release, FLAT, ZCDP(fmpq(100)))
    verdict = check(Certificate(claim, PrimalWitness(HALVES, None)))
    assert verdict.failed[0].name == "support carries covariance and records"


@pytest.mark.parametrize("neighbours", Neighbours)
def test_records_that_all_agree_need_no_noise(neighbours: Neighbours) -> None:
    """A support of rank 0: nothing is released but a constant."""
    nothing = PrimalWitness(Support(integer_rows([[1, 1]]).transpose().select((0, 1), ()), ()), None)
    records = FiniteDomain(integer_rows([[3, 4], [3, 4]]), None)
    queries: tuple[Query, ...] = (UniformQuery(), FixedQuery(row(0, 0), fmpq(1)))
    constant: list[Release] = [IdealDenoiser(records, query, neighbours) for query in queries]
    still = BallDomain(row(3, 4), fmpq(0))
    for release in (
        *constant,
        RecordMean(records, 2),
        RecordMean(still, 2),
        RecordMean(BoxDomain(*[row(3, 4)] * 2), 2),
    ):
        claim = ReleasePrivacy(release, identity(2).scaled(fmpq(0)), TotalVariation(fmpq(0)))
        verdict = check(Certificate(claim, nothing))
        assert verdict.status is Status.PROVED, verdict.failed
