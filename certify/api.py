"""The Python entry points, thin on top of the packages."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from flint import fmpq

from certify.certificates.audit import audit as audit_release
from certify.certificates.conic.bounds import Options, Outcome
from certify.certificates.conic.bounds import bound as find_bound
from certify.certificates.covariance import DesignTask, design_covariance
from certify.certificates.floats import from_floats
from certify.certificates.specification import read_specification
from certify.checker.certificate import Certificate
from certify.checker.domains import FiniteDomain
from certify.checker.exact import Matrix, identity
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.kernel import check
from certify.checker.queries import UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release
from certify.checker.statements.problems import read_problem_statement
from certify.checker.statements.records import read_records
from certify.checker.verdict import Verdict
from certify.solvers.problem import Report, ignore_progress
from certify.solvers.select import backend_by_name

if TYPE_CHECKING:
    import cvxpy

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

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> claim = certify.check(certificate).claim
        >>> bool(claim.lower <= 4 <= claim.upper)
        True
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


class NothingCertified(Exception):
    """Nothing about a program could be certified; the message says why, step by step.

    Example:
        >>> import certify
        >>> issubclass(certify.NothingCertified, Exception)
        True
    """


def bound(problem: str | PathLike[str], *, digits: int = 8) -> Verdict:
    r"""Return the verdict on the most telling claim that could be certified about a conic program in a file.

    Args:
        problem: A file in SDPA sparse (.dat-s) or CBF (.cbf) format; values are those of the neutral form, see
            ``certify.sentence`` for them in the sense of the file.
        digits: Relative digits wanted of the bracket; more than twelve ask for multiprecision.

    Raises:
        MalformedStatement: If the file is no such program; the message names the place.
        NothingCertified: If nothing could be certified.

    Example:
        >>> import certify
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "least.dat-s"
        ...     _ = path.write_text("1\n1\n-2\n1\n0 1 1 1 3\n0 1 2 2 5\n1 1 1 1 1\n1 1 2 2 1\n")
        ...     verdict = certify.bound(path)
        >>> print(verdict.status, "is exactly 5." in certify.sentence(verdict.claim))
        PROVED True
    """
    path = Path(problem)
    program = read_problem_statement(path.read_bytes(), path.name).problem
    return _verdict(find_bound(program, Options(digits=digits)))


def certify(problem: cvxpy.Problem, *, digits: int = 8) -> Verdict:
    """Return the verdict on the optimal value of a cvxpy problem: one line after ``problem.solve()``.

    What the solver left behind is used as a proposal; no status and no dual value is believed. The numbers of the
    problem are read as the binary64 numbers they are.

    Args:
        problem: Any convex problem without integer variables, solved or not.
        digits: Relative digits wanted of the bracket.

    Raises:
        ImportFailed: If the problem is no convex conic program, or has integer variables.
        NothingCertified: If nothing could be certified.

    Example:
        >>> import certify
        >>> import cvxpy
        >>> x = cvxpy.Variable()
        >>> problem = cvxpy.Problem(cvxpy.Minimize(x), [x >= 3])
        >>> _ = problem.solve(solver=cvxpy.CLARABEL)
        >>> verdict = certify.certify(problem)
        >>> bool(verdict.claim.upper - verdict.claim.lower <= certify.rational("1e-6"))
        True
    """
    from certify.certificates.importers.cvxpy_problems import certify_problem  # noqa: PLC0415 (cvxpy is slow to load)

    return _verdict(certify_problem(problem, Options(digits=digits)).outcome)


def _verdict(outcome: Outcome) -> Verdict:
    if not outcome.certified:
        raise NothingCertified("; ".join(outcome.reasons) or "no claim was found")
    first = outcome.certified[0]
    return check(Certificate(first.claim, first.witness))


def audit(specification: str | PathLike[str]) -> tuple[Verdict, ...]:
    r"""Return a verdict on each claim of an audit specification (TOML), in order.

    An undecided claim has the verdict on what is known about its rho_star. ``certify audit --help`` lists the keys of
    a specification. Source: paper section IV, theory.md section 3.

    Raises:
        MalformedStatement: If the specification or a file it names cannot be read; the message names the place.

    Example:
        >>> import certify
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "audit.toml"
        ...     _ = path.write_text(
        ...         'statistic = "sum"\nneighbours = "replace"\nrecords = {rows = [[0, 0], [3, 4]]}\n'
        ...         "covariance = {isotropic = 25}\n[[claims]]\ngdp = 1\n[[claims]]\ngdp = 0.99\n"
        ...     )
        ...     print([str(verdict.status) for verdict in certify.audit(path)])
        ['PROVED', 'REFUTED']
    """
    path = Path(specification)
    task = read_specification(path.read_bytes(), path.name, lambda name: (path.parent / name).read_bytes())
    return tuple(decision.verdict for decision in audit_release(task).decisions)
