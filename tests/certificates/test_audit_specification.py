"""Audit specifications: every shape is read exactly, and every mistake is named with its key and a remedy."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.specification import read_specification
from certify.checker.domains import BallDomain, BoxDomain, FiniteDomain, SimplexDomain
from certify.checker.exact import identity
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, MutualInformationDP, RenyiDP, TotalVariation
from certify.checker.queries import DiffusionQuery, FixedQuery, QueryBall, QueryBox, QueryList, UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum
from certify.checker.statements.malformed import MalformedStatement
from tests.certificates.audit_examples import exact

BASE = {
    "statistic": '"denoiser"',
    "neighbours": '"add-remove"',
    "records": '{file = "r.csv"}',
    "query": '"uniform"',
    "covariance": '{isotropic = "9/4"}',
    "claims": "[{epsilon = 1, delta = 1e-5}]",
}


def _npy(values: list[list[float]]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array(values))
    return stream.getvalue()


FILES = {
    "r.csv": b"a,b\n0,0\n0.1,1\n",
    "one.csv": b"0.5,2\n",
    "s.npy": _npy([[0.1, 0.0], [0.0, 2.0]]),
    "skew.csv": b"1,2\n3,4\n",
}


def _read(**changed: str | None) -> Any:
    lines = [f"{key} = {value}" for key, value in {**BASE, **changed}.items() if value is not None]
    return read_specification("\n".join(lines).encode(), "a.toml", FILES.__getitem__)


def test_a_denoiser_over_records_of_a_file() -> None:
    task = _read(records='{file = "r.csv", scale = "1/16"}')
    release = task.release
    assert isinstance(release, IdealDenoiser)
    assert isinstance(release.domain, FiniteDomain)
    assert release.domain.records == exact([0, 0], ["1/160", "1/16"])
    assert release.domain.source is not None
    assert release.domain.source.name == "r.csv"
    assert release.query == UniformQuery()
    assert release.neighbours is Neighbours.ADD_OR_REMOVE_ONE
    assert task.covariance == identity(2).scaled(fmpq(9, 4))
    assert task.guarantees == (ApproxDP(fmpq(1), fmpq(1, 100000)),)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("{fixed = {point = [0, 0.5], sigma = 0.1}}", FixedQuery(exact([0, "1/2"]), fmpq(1, 100))),
        ('{fixed = {point = {file = "one.csv"}, variance = "1/3"}}', FixedQuery(exact(["1/2", 2]), fmpq(1, 3))),
        ("{diffusion = {state = [1, 2], signal = 0.1}}", DiffusionQuery(exact([1, 2]), fmpq(1, 10))),
        (
            "{list = [{fixed = {point = [1, 1], sigma = 1}}, {diffusion = {state = [1, 2], signal = 0.5}}]}",
            QueryList((FixedQuery(exact([1, 1]), fmpq(1)), DiffusionQuery(exact([1, 2]), fmpq(1, 2)))),
        ),
        ("{ball = {centre = [0, 0], radius = 2, sigma = 3}}", QueryBall(exact([0, 0]), fmpq(2), fmpq(9))),
        ("{box = {lower = [0, 0], upper = [1, 2], sigma = 1}}", QueryBox(exact([0, 0]), exact([1, 2]), fmpq(1))),
    ],
)
def test_every_query_model(text: str, query: object) -> None:
    assert _read(query=text).release.query == query


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("{box = {lower = [0, -1], upper = [1, 2]}}", BoxDomain(exact([0, -1]), exact([1, 2]))),
        ('{ball = {centre = [0, 0], radius = "1/2"}}', BallDomain(exact([0, 0]), fmpq(1, 2))),
        ("{simplex = {dimension = 2}}", SimplexDomain(2, fmpq(1))),
        ("{simplex = {dimension = 2, scale = 3}}", SimplexDomain(2, fmpq(3))),
    ],
)
def test_every_inline_domain(text: str, domain: object) -> None:
    assert _read(records=None, domain=text).release.domain == domain


def test_every_statistic() -> None:
    summed = _read(statistic='"sum"', query=None, neighbours='"replace"').release
    assert isinstance(summed, RecordSum)
    assert summed.neighbours is Neighbours.REPLACE_ONE
    mean = _read(statistic='"mean"', query=None, neighbours='"replace"', count="7").release
    assert isinstance(mean, RecordMean)
    assert mean.count == 7
    vectors = _read(
        statistic='"vectors"', query=None, neighbours=None, records=None, vectors="{rows = [[1, 2]]}"
    ).release
    assert vectors == ExplicitVectors(exact([1, 2]))
    assert _read(records="{rows = [[0, 0], [1, 0.5]]}").release.domain.records == exact([0, 0], [1, "1/2"])


@pytest.mark.parametrize(
    ("text", "covariance"),
    [
        ('{file = "s.npy"}', exact(["3602879701896397/36028797018963968", 0], [0, 2])),
        ("{rows = [[0.1, 0], [0, 2]]}", exact(["1/10", 0], [0, 2])),
        ('{diagonal = ["1/3", 2]}', exact(["1/3", 0], [0, 2])),
        ("{isotropic = 1_0.5}", exact(["21/2", 0], [0, "21/2"])),
    ],
)
def test_every_covariance_is_exact(text: str, covariance: object) -> None:
    assert _read(covariance=text).covariance == covariance


def test_every_notion_of_privacy() -> None:
    claims = (
        '[{epsilon = 0, delta = "1/3"}, {zcdp = 0.5}, {gdp = 1}, {renyi = {alpha = 2, epsilon = 1}}, '
        "{total_variation = 0.25}, {mutual_information = 0.1}]"
    )
    assert _read(neighbours='"replace"', claims=claims).guarantees == (
        ApproxDP(fmpq(0), fmpq(1, 3)),
        ZCDP(fmpq(1, 2)),
        GDP(fmpq(1)),
        RenyiDP(fmpq(2), fmpq(1)),
        TotalVariation(fmpq(1, 4)),
        MutualInformationDP(fmpq(1, 10)),
    )
    assert _read(claims="[{epsilon = 710.5, delta = 1e-300}]").guarantees == (
        ApproxDP(fmpq(1421, 2), fmpq(1, 10) ** 300),
    )


MISTAKES: list[tuple[dict[str, str | None], str]] = [
    ({"neighbours": None}, "a.toml: the key 'neighbours' is missing: say 'add-remove' or 'replace'"),
    ({"neighbours": '"both"'}, "a.toml, neighbours: 'both' is not one of add-remove, replace"),
    ({"neighbours": "1"}, "a.toml, neighbours: a number stands where a text is expected"),
    ({"covariance": None}, "a.toml: the key 'covariance' is missing"),
    ({"claims": None}, "a.toml: the key 'claims' is missing"),
    ({"claims": "[]"}, "a.toml, claims: the list is empty"),
    ({"claims": '"strong"'}, "a.toml, claims: a text stands where a list is expected"),
    ({"claims": "[{epsilon = 1}]"}, "a.toml, claims[1]: a claim is epsilon with delta, or one of zcdp"),
    ({"claims": "[{zcdp = 1, gdp = 1}]"}, "not zcdp and gdp"),
    ({"claims": "[{zcdp = 1}, {epsilon = -1, delta = 0.1}]"}, "a.toml, claims[2]: epsilon must not be negative"),
    ({"claims": "[{epsilon = 1, delta = 1.5}]"}, "delta is a probability and must lie in [0, 1], not 3/2"),
    ({"claims": "[{epsilon = 1, delta = nan}]"}, "a.toml, claims[1].delta: 'nan' is not a decimal number"),
    ({"claims": "[{epsilon = true, delta = 0.1}]"}, "a.toml, claims[1].epsilon: true or false stands where a number"),
    ({"claims": "[{zcdp = 1979-05-27}]"}, "a.toml, claims[1].zcdp: a date or time stands where a number"),
    ({"claims": "[{zcdp = [1]}]"}, "a list stands where a number"),
    ({"claims": "[{rho = 1}]"}, "a.toml, claims[1].rho: unknown key; the keys here are epsilon, delta, zcdp"),
    (
        {"claims": "[{mutual_information = 0.1}]"},
        "a.toml, claims[1]: mutual information is decided for",
    ),
    ({"claims": "[{renyi = {alpha = 0.5, epsilon = 1}}]"}, "the Renyi order alpha must be at least 1"),
    ({"colour": '"red"'}, "a.toml, colour: unknown key"),
    ({"count": "3"}, "a.toml, count: the statistic 'denoiser' has no count; remove it"),
    ({"records": None}, "give either the key 'records' or the key 'domain', not neither"),
    ({"domain": "{simplex = {dimension = 2}}"}, "not both"),
    ({"records": '{file = "r.csv", scale = 0}'}, "a.toml, records.scale: a scale is positive, not 0"),
    ({"records": '{file = "r.csv", Scale = 1}'}, "a.toml, records.Scale: unknown key; the keys here are file, scale"),
    ({"records": '"r.csv"'}, "a.toml, records: a text stands where a table with the keys file, scale is expected"),
    ({"records": "{rows = [[0, 0], [1]]}"}, "a.toml, records.rows[2]: 1 numbers where the first row has 2"),
    ({"query": None}, "a.toml: the statistic 'denoiser' needs the key 'query'"),
    ({"query": '"fixed"'}, "a.toml, query: 'fixed' is not one of uniform"),
    ({"query": "{fixed = {point = [1], sigma = 1}}"}, "a.toml, query: the query has 1 columns but the records have 2"),
    ({"query": "{fixed = {point = [0, 0]}}"}, "a.toml, query.fixed: give exactly one of sigma and variance"),
    ({"query": "{fixed = {point = [0, 0], sigma = 0}}"}, "a.toml, query.fixed.sigma: a noise level is positive, not 0"),
    ({"query": '{fixed = {point = {file = "r.csv"}, sigma = 1}}'}, "query.fixed.point: 2 rows where one is expected"),
    ({"query": "{diffusion = {state = [0, 0], signal = 1}}"}, "a.toml, query.diffusion: the signal level must lie"),
    ({"query": "{ball = {centre = [0, 0], radius = -1, sigma = 1}}"}, "a.toml, query.ball: the radius of the queries"),
    ({"query": "{list = []}"}, "a.toml, query.list: the list is empty"),
    ({"query": "{fixed = {}, ball = {}}"}, "give exactly one of fixed, diffusion, list, ball, box, not fixed and ball"),
    ({"covariance": "{isotropic = -1}"}, "a.toml, covariance.isotropic: a variance is not negative, not -1"),
    ({"covariance": "{isotropic = one}"}, "a.toml: not TOML: Invalid value (at line 5"),
    ({"covariance": "{diagonal = [1, 2, 3]}"}, "a.toml, covariance: the covariance is 3 x 3 but the release has 2"),
    ({"covariance": '{file = "skew.csv"}'}, "not symmetric: 3 in row 2, column 1 but 2 across; symmetrise it"),
    ({"statistic": '"median"'}, "a.toml, statistic: 'median' is not one of denoiser, sum, mean, vectors"),
    (
        {"statistic": '"mean"', "query": None, "count": "5"},
        "a.toml, neighbours: the number of records of a",
    ),
    ({"statistic": '"mean"', "query": None, "neighbours": '"replace"'}, "the statistic 'mean' needs the key 'count'"),
    (
        {"statistic": '"mean"', "query": None, "neighbours": '"replace"', "count": "0"},
        "a.toml, count: a mean needs at least one record",
    ),
    (
        {"statistic": '"mean"', "query": None, "neighbours": '"replace"', "count": "2.5"},
        "a.toml, count: a number stands where a whole number is expected",
    ),
    (
        {"statistic": '"vectors"', "query": None, "records": None},
        "neighbours: the statistic 'vectors' has no",
    ),
    (
        {"query": "{box = {lower = [0, 0], upper = [1, 1], sigma = 1}}", "neighbours": '"replace"'},
        "a.toml, query: a region of queries is exact for add_or_remove_one only",
    ),
    (
        {"records": None, "domain": "{box = {lower = [0, 2], upper = [1, 1]}}"},
        "a.toml, domain.box: the domain is empty: column 1 has the range [2, 1]",
    ),
]


@pytest.mark.parametrize(("changed", "message"), MISTAKES)
def test_every_mistake_names_the_key_and_what_to_do(changed: dict[str, str | None], message: str) -> None:
    with pytest.raises(MalformedStatement) as error:
        _read(**changed)
    assert message in str(error.value)


@pytest.mark.parametrize("data", [b"\xff", b"a = 1\na = 2", b"= 1", b"[" * 5000])
def test_what_is_no_toml_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedStatement, match=r"a\.toml"):
        read_specification(data, "a.toml", FILES.__getitem__)
