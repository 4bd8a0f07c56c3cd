"""Design for every kind of release: exact brackets, closed forms where they are known."""

from __future__ import annotations

import random

import pytest
from flint import fmpq, fmpz_mat

from certify.certificates.covariance import DesignTask, bracket_gap, design_covariance
from certify.certificates.errors import DesignError
from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.domains import BallDomain, BoxDomain, FiniteDomain, SimplexDomain
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.guarantees import ZCDP, BinaryGuarantee, MutualInformationDP
from certify.checker.kernel import check
from certify.checker.queries import DiffusionQuery, FixedQuery, QueryBall, QueryBox, QueryList, UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release
from certify.checker.verdict import Status
from certify.solvers.problem import ignore_progress
from certify.solvers.select import backend_by_name

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
RHO_ONE = ZCDP(fmpq(1, 2))
WEIGHT = matrix(fmpz_mat([[2, 1, 0, 0], [1, 3, 0, 0], [0, 0, 1, 0], [0, 0, 0, 5]]))
DIAGONAL = matrix(fmpz_mat([[4, 0, 0, 0], [0, 9, 0, 0], [0, 0, 1, 0], [0, 0, 0, 16]]))


def row(*entries: int) -> Matrix:
    return matrix(fmpz_mat([list(entries)]), 10)


def records(count: int, columns: int, seed: int) -> FiniteDomain:
    source = random.Random(seed)  # noqa: S311 (reproducible test data)
    entries = [source.randint(-30, 30) for _ in range(count * columns)]
    return FiniteDomain(matrix(fmpz_mat(count, columns, entries), 10), None)


def design(
    release: Release, weight: Matrix | None = None, floor: fmpq | None = None, guarantee: BinaryGuarantee = RHO_ONE
) -> CovarianceOptimum:
    task = DesignTask(release, guarantee, weight or identity(release.dimension), floor or fmpq(0))
    certificate = design_covariance(task, backend_by_name("auto"), 1e-9, ignore_progress).certificate
    again = read_certificate(write_certificate(certificate))
    assert again == certificate
    verdict = check(again)
    assert verdict.status is Status.PROVED, verdict.failed
    assert bracket_gap(certificate) <= fmpq(1, 10**9)
    assert isinstance(certificate.claim, CovarianceOptimum)
    return certificate.claim


TWELVE = records(12, 3, 3)
FIXED = FixedQuery(row(1, 2, 3), fmpq(4))
DIFFUSION = DiffusionQuery(row(1, 2, 3), fmpq(1, 2))
BOX = BoxDomain(row(0, 0, 0, -10), row(10, 20, 5, 30))

RELEASES: dict[str, Release] = {
    "fixed query, add or remove": IdealDenoiser(TWELVE, FIXED, ADD),
    "fixed query, replace": IdealDenoiser(TWELVE, FIXED, REPLACE),
    "tiny sigma": IdealDenoiser(TWELVE, FixedQuery(row(1, 2, 3), fmpq(1, 10**12)), ADD),
    "query a million away": IdealDenoiser(TWELVE, FixedQuery(row(10**7, 2, 3), fmpq(1)), REPLACE),
    "diffusion, add or remove": IdealDenoiser(TWELVE, DIFFUSION, ADD),
    "diffusion, replace": IdealDenoiser(TWELVE, DIFFUSION, REPLACE),
    "two queries, add or remove": IdealDenoiser(TWELVE, QueryList((FIXED, DIFFUSION)), ADD),
    "two queries, replace": IdealDenoiser(TWELVE, QueryList((FIXED, DIFFUSION)), REPLACE),
    "ball of queries": IdealDenoiser(TWELVE, QueryBall(row(1, 2, 3), fmpq(1), fmpq(4)), ADD),
    "box of queries": IdealDenoiser(TWELVE, QueryBox(row(1, 2, 3), row(2, 2, 9), fmpq(4)), ADD),
    "sum, add or remove": RecordSum(TWELVE, ADD),
    "sum, replace": RecordSum(TWELVE, REPLACE),
    "mean": RecordMean(TWELVE, 10),
    "explicit vectors": ExplicitVectors(TWELVE.records),
    "box": IdealDenoiser(BOX, UniformQuery(), ADD),
    "box with a flat edge": IdealDenoiser(BoxDomain(row(0, 5, 1), row(10, 5, 4)), UniformQuery(), REPLACE),
    "sum over a box, add or remove": RecordSum(BOX, ADD),
    "ball": IdealDenoiser(BallDomain(row(0, 0, 0), fmpq(2)), UniformQuery(), ADD),
    "simplex": IdealDenoiser(SimplexDomain(4, fmpq(3)), UniformQuery(), ADD),
    "sum over a simplex": RecordSum(SimplexDomain(4, fmpq(3)), ADD),
    "equal records at a query": IdealDenoiser(FiniteDomain(row(1, 2, 3), None), FIXED, ADD),
    "ball of radius zero": IdealDenoiser(BallDomain(row(0, 0), fmpq(0)), UniformQuery(), ADD),
}


@pytest.mark.parametrize("floor", [fmpq(0), fmpq(1, 2), fmpq(40)], ids=str)
@pytest.mark.parametrize("name", RELEASES)
def test_every_release_is_designed_and_proved(name: str, floor: fmpq) -> None:
    design(RELEASES[name], floor=floor)


def test_a_fixed_query_needs_less_noise_than_all_queries() -> None:
    fixed = design(IdealDenoiser(TWELVE, FIXED, ADD))
    uniform = design(IdealDenoiser(TWELVE, UniformQuery(), ADD))
    both = design(IdealDenoiser(TWELVE, QueryList((FIXED, DIFFUSION)), ADD))
    assert fixed.upper < uniform.lower
    assert fixed.upper < both.upper < uniform.upper


def test_a_ball_needs_isotropic_noise_whatever_the_weight() -> None:
    claim = design(IdealDenoiser(BallDomain(row(0, 0, 0, 0), fmpq(2)), UniformQuery(), ADD), WEIGHT)
    assert claim.lower <= 16 * WEIGHT.trace() <= claim.upper


def test_a_box_with_a_diagonal_weight_has_its_closed_form() -> None:
    edges, roots = (fmpq(1), fmpq(2), fmpq(1, 2), fmpq(4)), (2, 3, 1, 4)
    optimum = sum((edge * root for edge, root in zip(edges, roots, strict=True)), fmpq(0)) ** 2
    claim = design(IdealDenoiser(BOX, UniformQuery(), ADD), DIAGONAL)
    assert claim.lower <= optimum <= claim.upper
    assert claim.covariance.numerators.is_diagonal()


def test_a_box_of_thirty_columns_is_designed_in_closed_form() -> None:
    wide = BoxDomain(matrix(fmpz_mat([[0] * 30])), matrix(fmpz_mat([[1] * 30])))
    claim = design(IdealDenoiser(wide, UniformQuery(), REPLACE))
    assert claim.lower <= 900 <= claim.upper


def test_a_box_with_a_general_weight_is_designed_by_its_corners() -> None:
    design(IdealDenoiser(BOX, UniformQuery(), ADD), WEIGHT)
    wide = BoxDomain(matrix(fmpz_mat([[0] * 30])), matrix(fmpz_mat([[1] * 30])))
    coupled = identity(30) + matrix(fmpz_mat(30, 30, [int({i, j} == {0, 1}) for i in range(30) for j in range(30)]), 2)
    with pytest.raises(DesignError, match="too many corners"):
        design(IdealDenoiser(wide, UniformQuery(), ADD), coupled)


def test_the_matrix_mechanism_of_prefix_sums() -> None:
    size = 16
    prefix = fmpz_mat(size, size, [int(j <= i) for i in range(size) for j in range(size)])
    workload = matrix(prefix.transpose() * prefix)
    unit = FiniteDomain(identity(size), None)
    claim = design(RecordSum(unit, ADD), workload)
    square_root_toeplitz = 3.4
    assert 1 < float(claim.lower) / size < square_root_toeplitz


def test_mutual_information_of_binary_records() -> None:
    two = records(2, 3, 5)
    claim = design(IdealDenoiser(two, UniformQuery(), REPLACE), guarantee=MutualInformationDP(fmpq(1, 10)))
    assert claim.lower > 0
    with pytest.raises(ValueError, match="two records"):
        design(IdealDenoiser(TWELVE, UniformQuery(), REPLACE), guarantee=MutualInformationDP(fmpq(1, 10)))


def test_too_many_replacements_are_refused_with_the_remedy() -> None:
    many = records(500, 2, 9)
    with pytest.raises(DesignError, match="too many replacements"):
        design(IdealDenoiser(many, FixedQuery(row(0, 0), fmpq(1)), REPLACE))
