"""Design: whatever the records look like, the bracket is exact, tight and proved."""

from __future__ import annotations

import random
from itertools import product

import pytest
from flint import fmpq, fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.certificates.covariance import DesignTask, bracket_gap, design_covariance
from certify.certificates.errors import DesignError
from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.exact import Matrix, identity, is_binary64, matrix
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, RenyiDP, TotalVariation
from certify.checker.kernel import check
from certify.checker.sensitivity import FiniteDomain, IdealDenoiser, Neighbours, UniformQuery
from certify.checker.statements.records import read_records
from certify.checker.verdict import Status
from certify.solvers.problem import ignore_progress
from certify.solvers.select import backend_by_name
from tests.checker.examples import witness_of

RHO_ONE = ZCDP(fmpq(1, 2))
GAP = 1e-9


def design(
    records: Matrix | FiniteDomain,
    floor: fmpq | None = None,
    weight: Matrix | None = None,
    guarantee: Guarantee = RHO_ONE,
    solver: str = "auto",
    gap: float = GAP,
) -> Certificate:
    """Design, and require that the certificate survives its file and is proved."""
    domain = records if isinstance(records, FiniteDomain) else FiniteDomain(records, None)
    release = IdealDenoiser(domain, UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)
    task = DesignTask(release, guarantee, weight or identity(domain.dimension), floor or fmpq(0))
    certificate = design_covariance(task, backend_by_name(solver), gap, ignore_progress).certificate
    again = read_certificate(write_certificate(certificate))
    assert again == certificate
    verdict = check(again)
    assert verdict.status is Status.PROVED, verdict.failed
    return certificate


def claim_of(certificate: Certificate) -> CovarianceOptimum:
    assert isinstance(certificate.claim, CovarianceOptimum)
    return certificate.claim


def table(*rows: list[int], over: int = 1) -> Matrix:
    return matrix(fmpz_mat(list(rows)), over)


def decimals(rows: int, columns: int, seed: int, digits: int = 3) -> Matrix:
    source = random.Random(seed)  # noqa: S311 (reproducible test data)
    unit = 10**digits
    return table(*[[round(source.gauss(0, 1) * unit) for _ in range(columns)] for _ in range(rows)], over=unit)


def floats(rows: int, columns: int, seed: int, scales: list[float] | None = None) -> Matrix:
    source = random.Random(seed)  # noqa: S311 (reproducible test data)
    text = "\n".join(
        ",".join(repr(source.gauss(0, 1) * (scales[j] if scales else 1)) for j in range(columns)) for _ in range(rows)
    )
    return read_records(text.encode(), "floats.csv", fmpq(1)).records


DEGENERATE = {
    "one record": table([1, 2, 3]),
    "one record, twice": table([1, 2, 3], [1, 2, 3]),
    "two records": table([10, 20, 30], [1, 50, 70], over=10),
    "two records in one column": table([10], [1], over=10),
    "constant column": table(*[[i, 5, i * i % 7] for i in range(10)]),
    "all columns constant but one": table([1, 5, 5], [2, 5, 5], [4, 5, 5]),
    "one-hot": table(*[[int(i == j) for j in range(5)] for i in range(5)]),
    "one-hot with a number": table(*[[int(i % 4 == j) for j in range(4)] + [i * i % 11] for i in range(20)]),
    "duplicates": table([0, 0], [1, 0], [1, 0], [0, 1], [0, 0]),
    "fewer records than columns": decimals(5, 10, 1),
    "fewer binary64 records than columns": floats(4, 7, 2),
    "scales from 1e-6 to 1e6": floats(30, 6, 3, [1e-6, 1e-4, 1e-1, 10.0, 1e3, 1e6]),
    "a cube": table(*[list(corner) for corner in product([0, 1], repeat=4)]),
    "a line of many points": table(*[[i, 2 * i] for i in range(12)]),
}


@pytest.mark.parametrize("floor", ["0", "1/100", "1/3", "1000"])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_records_are_normal_records(name: str, floor: str) -> None:
    certificate = design(DEGENERATE[name], floor=fmpq(floor))
    assert bracket_gap(certificate) <= fmpq(1, 10**9)
    claim = claim_of(certificate)
    size = claim.covariance.rows
    assert all(is_binary64(claim.covariance.entry(i, j)) for i in range(size) for j in range(size))


def test_the_optimum_of_one_record_is_the_floor() -> None:
    claim = claim_of(design(DEGENERATE["one record"], floor=fmpq(1, 4)))
    assert claim.lower == claim.upper == fmpq(3, 4)
    assert claim_of(design(DEGENERATE["one record"])).upper == 0


@pytest.mark.parametrize("name", ["constant column", "one-hot", "two records", "a line of many points"])
def test_a_singular_optimum_is_certified_by_a_singular_covariance(name: str) -> None:
    certificate = design(DEGENERATE[name])
    support = witness_of(certificate).primal.support
    assert support is not None
    covariance = claim_of(certificate).covariance
    assert covariance.numerators.rank() == support.basis.columns < covariance.rows


@pytest.mark.parametrize(
    ("records", "weight", "optimum"),
    [
        (table([1, 2], [4, 6]), identity(2), fmpq(25)),
        (table([1, 2], [4, 6]), table([2, 1], [1, 3]), fmpq(2 * 9 + 2 * 12 + 3 * 16)),
        (table(*[list(corner) for corner in product([0, 1], repeat=3)]), identity(3), fmpq(9)),
        (table(*[list(corner) for corner in product([0, 1], repeat=2)]), table([4, 0], [0, 9]), fmpq(25)),
        (table([-1], [3], [2]), table([5]), fmpq(80)),
    ],
    ids=["two records", "two records, weighted", "cube", "square, weighted", "line"],
)
def test_known_optima_lie_in_their_brackets(records: Matrix, weight: Matrix, optimum: fmpq) -> None:
    claim = claim_of(design(records, weight=weight))
    assert claim.lower <= optimum <= claim.upper


@pytest.mark.parametrize(
    "guarantee",
    [
        ZCDP(fmpq(1, 100)),
        GDP(fmpq(3)),
        RenyiDP(fmpq(2), fmpq(1)),
        ApproxDP(fmpq(1), fmpq(1, 100_000)),
        ApproxDP(fmpq(1, 10**8), fmpq(1, 10**12)),
        ApproxDP(fmpq(10_000), fmpq(1, 10**300)),
        TotalVariation(fmpq(1, 3)),
    ],
    ids=lambda guarantee: type(guarantee).__name__,
)
def test_every_notion_of_privacy_sets_the_budget(guarantee: Guarantee) -> None:
    assert bracket_gap(design(decimals(8, 3, 5), guarantee=guarantee)) <= fmpq(1, 10**9)


@pytest.mark.parametrize("floor", [fmpq(0), fmpq(1, 10), fmpq(5)])
def test_a_general_weight_with_every_floor(floor: fmpq) -> None:
    weight = table([20, 3, 0], [3, 1, 0], [0, 0, 7])
    assert bracket_gap(design(decimals(9, 3, 7), floor=floor, weight=weight)) <= fmpq(1, 10**9)


SMALL_RECORDS = st.integers(2, 4).flatmap(
    lambda d: st.lists(st.lists(st.integers(-20, 20), min_size=d, max_size=d), min_size=2, max_size=8)
)


@given(SMALL_RECORDS, st.sampled_from([fmpq(0), fmpq(1, 2)]))
@settings(max_examples=12)
def test_brackets_of_two_solvers_always_intersect(rows: list[list[int]], floor: fmpq) -> None:
    records = table(*rows, over=4)
    brackets = [claim_of(design(records, floor=floor, solver=solver, gap=1e-4)) for solver in ("precision", "clarabel")]
    assert max(claim.lower for claim in brackets) <= min(claim.upper for claim in brackets)


@pytest.mark.parametrize("solver", ["precision", "scs", "clarabel"])
def test_the_three_solvers_agree_within_their_brackets(solver: str) -> None:
    records = decimals(6, 3, 11)
    reference = claim_of(design(records))
    claim = claim_of(design(records, solver=solver, gap=1e-3))
    assert max(claim.lower, reference.lower) <= min(claim.upper, reference.upper)


@pytest.mark.parametrize("guarantee", [TotalVariation(fmpq(1)), ApproxDP(fmpq(1), fmpq(0)), ZCDP(fmpq(0))], ids=str)
def test_budgets_that_leave_nothing_to_design_are_refused(guarantee: Guarantee) -> None:
    with pytest.raises(DesignError, match=r"limits nothing|cannot be met"):
        design(DEGENERATE["two records"], guarantee=guarantee)


def test_numbers_beyond_binary64_are_refused_with_the_remedy() -> None:
    huge = read_records(b"1e400\n2\n", "huge.csv", fmpq(1)).records
    with pytest.raises(DesignError, match="--scale"):
        design(huge)
    tiny = read_records(b"1e-200\n2e-200\n", "tiny.csv", fmpq(1)).records
    with pytest.raises(DesignError, match="--scale"):
        design(tiny)


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = (write_certificate(design(decimals(8, 3, 13))) for _ in range(2))
    assert first == second
