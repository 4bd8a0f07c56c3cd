"""Designs that are too large for exact refinement: rounded in floats, proved exactly, within the gap asked for."""

from __future__ import annotations

import pytest
from flint import fmpq, fmpz, fmpz_mat

from certify.certificates import covariance, dual_rounding, primal_rounding
from certify.certificates.covariance import DesignTask, bracket_gap, design_covariance
from certify.checker.certificate import Certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.domains import FiniteDomain
from certify.checker.exact import Matrix, diagonal, identity, matrix
from certify.checker.guarantees import ZCDP
from certify.checker.kernel import check
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser, Neighbours, RecordSum, Release
from certify.checker.verdict import Status
from certify.solvers.problem import ignore_progress
from certify.solvers.select import backend_by_name

SIZE = 101
FLOORS = (fmpq(0), fmpq(1, 50), fmpq(3))


def design(release: Release, weight: Matrix, floor: fmpq, gap: float) -> Certificate:
    task = DesignTask(release, ZCDP(fmpq(1, 2)), weight, floor)
    certificate = design_covariance(task, backend_by_name("precision"), gap, ignore_progress).certificate
    verdict = check(certificate)
    assert verdict.status is Status.PROVED, verdict.failed
    assert bracket_gap(certificate) <= fmpq(int(gap * 10**12), 10**12)
    return certificate


def bracket(certificate: Certificate) -> tuple[fmpq, fmpq]:
    assert isinstance(certificate.claim, CovarianceOptimum)
    return certificate.claim.lower, certificate.claim.upper


def prefix(size: int) -> tuple[Release, Matrix]:
    gram = [size - max(i, j) for i in range(size) for j in range(size)]
    release = RecordSum(FiniteDomain(identity(size), None), Neighbours.ADD_OR_REMOVE_ONE)
    return release, matrix(fmpz_mat(size, size, gram))


def scattered(columns: int) -> Release:
    entries = [(k * k * 7919 + 104729 * k) % 2003 - 1001 for k in range(3 * columns * columns)]
    domain = FiniteDomain(matrix(fmpz_mat(3 * columns, columns, entries), 1000), None)
    return IdealDenoiser(domain, UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)


@pytest.mark.parametrize("gap", [1e-4, 1e-6, 1e-9])
def test_a_large_workload_is_proved_within_the_gap_by_short_numbers(gap: float) -> None:
    certificate = design(*prefix(SIZE), fmpq(0), gap)
    assert isinstance(certificate.claim, CovarianceOptimum)
    longest = max(abs(entry) for entry in certificate.claim.covariance.numerators.entries()).bit_length()
    assert longest <= (53 if gap < 1e-8 else 42)


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("silent", [False, True], ids=["short", "long"])
def test_every_way_of_rounding_proves_the_same_optimum(
    floor: fmpq, silent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small design through the ways of a large one, also where floats cannot tell how few bits are enough."""
    weight = diagonal([fmpz(k) for k in range(1, 7)])
    exact = bracket(design(scattered(6), weight, floor, 1e-9))
    monkeypatch.setattr(primal_rounding, "EXACT_SIZE", 3)
    monkeypatch.setattr(dual_rounding, "EXACT_SIZE", 3)
    monkeypatch.setattr(covariance, "SMALL_DOMAIN", 3)
    if silent:
        monkeypatch.setattr(primal_rounding, "covariance_above", lambda *_: None)
        monkeypatch.setattr(dual_rounding, "dual_precision_below", lambda *_: None)
    lower, upper = bracket(design(scattered(6), weight, floor, 1e-6))
    assert lower <= exact[1]
    assert exact[0] <= upper
