"""How much noise a release could save: the optimal covariance for the same guarantee, from a quick design."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from certify.certificates.covariance import DesignTask, design_covariance
from certify.certificates.errors import DesignError
from certify.checker.claims import CovarianceOptimum
from certify.checker.domains import BoxDomain, FiniteDomain
from certify.checker.exact import identity
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.kernel import check
from certify.checker.queries import UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, Release, domain_of
from certify.checker.verdict import Status
from certify.solvers.problem import Report, ignore_progress
from certify.solvers.select import backend_by_name

RELATIVE_GAP = 1e-6
QUICK_RECORDS = 200
QUICK_TRIPLES = 16
QUICK_COLUMNS = 32
QUICK_EDGES = 10


@dataclass(frozen=True, slots=True)
class Optimum:
    """The least noise with a guarantee: a claim that the kernel has proved."""

    claim: CovarianceOptimum


@dataclass(frozen=True, slots=True)
class NoOptimum:
    """Why no optimum is known."""

    reason: str


def find_optimum(release: Release, guarantee: BinaryGuarantee, report: Report = ignore_progress) -> Optimum | NoOptimum:
    """Return the least trace of a covariance with a guarantee, certified, for W = I and without a floor.

    Args:
        release: What is released.
        guarantee: What the release needs.
        report: Called with the progress of the solver.
    """
    task = DesignTask(release, guarantee, identity(release.dimension), fmpq(0))
    try:
        certificate = design_covariance(task, backend_by_name("auto"), RELATIVE_GAP, report).certificate
    except DesignError as error:
        return NoOptimum(str(error))
    verdict = check(certificate)
    if verdict.status is not Status.PROVED or not isinstance(verdict.claim, CovarianceOptimum):
        return NoOptimum("the design found no certificate that the checker accepts")
    return Optimum(verdict.claim)


def is_quick(release: Release) -> bool:
    """Return whether a design for the release takes seconds rather than minutes."""
    if isinstance(release, ExplicitVectors):
        return release.vectors.rows <= QUICK_RECORDS and release.dimension <= QUICK_COLUMNS
    domain = domain_of(release)
    if isinstance(domain, FiniteDomain):
        return domain.records.rows <= _quick_records(release) and release.dimension <= QUICK_COLUMNS
    return not isinstance(domain, BoxDomain) or release.dimension <= QUICK_EDGES


def _quick_records(release: Release) -> int:
    match release:
        case IdealDenoiser(_, UniformQuery(), _):
            return QUICK_RECORDS
        case IdealDenoiser(_, _, Neighbours.REPLACE_ONE):
            return QUICK_TRIPLES
        case _:
            return QUICK_RECORDS
