"""The Python entry points, thin on top of the packages."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt
from flint import fmpq

from certify.certificates.covariance import DesignTask, design_covariance
from certify.certificates.floats import from_floats
from certify.checker.certificate import Certificate
from certify.checker.domains import FiniteDomain
from certify.checker.exact import Matrix, identity
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.queries import UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release
from certify.checker.statements.records import read_records
from certify.solvers.problem import Report, ignore_progress
from certify.solvers.select import backend_by_name

Records = str | PathLike[str] | npt.NDArray[np.float64] | Matrix | Release


def design(
    records: Records,
    guarantee: BinaryGuarantee,
    *,
    weight: Matrix | None = None,
    floor: fmpq | int = 0,
    scale: fmpq | int = 1,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
    solver: str = "auto",
    relative_gap: float = 1e-9,
    report: Report = ignore_progress,
) -> Certificate:
    """Return a certificate of the optimal Gaussian covariance for a denoiser on the given records.

    The certificate is not checked here: pass it to ``certify.check``. Source: paper section V, theory.md sections 4, 5.

    Args:
        records: A CSV or NPY file, an m x d array (read as binary64) or an exact m x d matrix, all under the uniform
            query; or any release (an ideal denoiser at a query, a sum, a mean, ...), which says it all itself.
        guarantee: What the release has to satisfy, such as ``ZCDP(rational("1/2"))``.
        weight: The task weight W, d x d, positive definite; the identity by default.
        floor: The public noise floor eta >= 0, in squared units of the records.
        scale: Every record is multiplied by this.
        neighbours: The neighbouring relation; both have the same optimum under the uniform query.
        solver: ``auto``, ``precision``, ``scs`` or ``clarabel``.
        relative_gap: The gap to reach; the bracket in the certificate is what it says in any case.
        report: Called with the progress of the float solve.

    Raises:
        MalformedStatement: If the records cannot be read.
        DesignError: If there is nothing to design or no exact certificate was found.
        ValueError: If there is no such solver.
    """
    release = _release(records, fmpq(scale), neighbours)
    task = DesignTask(release, guarantee, weight or identity(release.dimension), fmpq(floor))
    return design_covariance(task, backend_by_name(solver), relative_gap, report).certificate


def _release(records: Records, scale: fmpq, neighbours: Neighbours) -> Release:
    match records:
        case IdealDenoiser() | RecordSum() | RecordMean() | ExplicitVectors():
            return records
        case _:
            return IdealDenoiser(_domain(records, scale), UniformQuery(), neighbours)


def _domain(records: str | PathLike[str] | npt.NDArray[np.float64] | Matrix, scale: fmpq) -> FiniteDomain:
    match records:
        case Matrix():
            return FiniteDomain(records.scaled(scale), None)
        case np.ndarray():
            return FiniteDomain(from_floats(np.asarray(records, dtype=np.float64)).scaled(scale), None)
        case _:
            return read_records(Path(records).read_bytes(), str(records), scale)
