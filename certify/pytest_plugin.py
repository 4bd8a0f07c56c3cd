"""A pytest plugin: ``certified`` proves what a test relies on, and keeps the certificate beside the test.

The certificates live in ``__certificates__/`` next to the test file. A missing one fails. ``--certify-update`` writes
what is proved exactly and nothing else; an update that weakens a bracket or a guarantee needs
``--certify-allow-weaker``. Two runs whose brackets do not meet fail with both. The summary names the stored
certificates that no test uses any more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from certify.pytest_summary import PROPERTY, print_summary, shown
from certify.reports.places import certificate_path

if TYPE_CHECKING:
    import cvxpy
    import numpy as np
    import numpy.typing as npt
    from flint import fmpq

    from certify.api import Records
    from certify.certificates.conic.bounds import Options
    from certify.checker.certificate import Certificate
    from certify.checker.exact import Matrix
    from certify.checker.guarantees import BinaryGuarantee
    from certify.checker.releases import Release
    from certify.checker.verdict import Verdict
    from certify.reports.stored import Policy


@dataclass(frozen=True, slots=True)
class Proof:
    """What a test has proved.

    Attributes:
        certificate: The certificate of this run; the stored one may be another that agrees with it.
        verdict: The kernel's verdict on it, PROVED.
        lower: The proved lower bound of the optimum, in the sense of the problem; None where there is none.
        upper: The proved upper bound, likewise.
        value_error: How far the value that the solver reported lies outside ``[lower, upper]``: 0 inside, None where
            there is no such value.
    """

    certificate: Certificate
    verdict: Verdict
    lower: fmpq | None
    upper: fmpq | None
    value_error: fmpq | None = None


class Certified:
    """The fixture: call it with a solved cvxpy problem, or use one of its methods. One certificate a call."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self._calls = 0

    def __call__(self, problem: cvxpy.Problem, *, options: Options | None = None) -> Proof:
        """Prove the optimal value of a solved cvxpy problem, or that it is infeasible, and return the proof.

        Args:
            problem: The problem. What SCS left behind is used; otherwise its conic data are solved afresh.
            options: What to try; see ``certify.certificates.conic.bounds``.

        Raises:
            AssertionError: If nothing is proved, or the stored certificate is missing or disagrees.
        """
        __tracebackhide__ = True
        from certify.certificates.importers.cvxpy_problems import certify_problem  # noqa: PLC0415
        from certify.checker.certificate import Certificate  # noqa: PLC0415

        found = certify_problem(problem, options)
        if not found.outcome.certified:
            reasons = "".join(f"\n  {reason}" for reason in found.outcome.reasons)
            raise AssertionError(f"nothing is proved about this problem ({found.status}, {found.value}):{reasons}")
        first = found.outcome.certified[0]
        error = _value_error(found.value, found.lower, found.upper)
        return self._settled(Certificate(first.claim, first.witness), found.lower, found.upper, error)

    def covariance(self, records: Records, guarantee: BinaryGuarantee, **options: Any) -> Proof:
        """Design the optimal covariance and return the proof; the arguments are those of ``certify.design``.

        Raises:
            AssertionError: If the stored certificate is missing or disagrees.
            DesignError: If there is nothing to design or no certificate was found.
        """
        __tracebackhide__ = True
        from certify.api import design  # noqa: PLC0415
        from certify.checker.claims import CovarianceOptimum  # noqa: PLC0415

        certificate = design(records, guarantee, **options)
        claim = certificate.claim
        if not isinstance(claim, CovarianceOptimum):
            raise TypeError(f"a design is about a covariance, not a {type(claim).__name__}")
        return self._settled(certificate, claim.lower, claim.upper, None)

    def privacy(
        self, release: Release, covariance: Matrix | npt.NDArray[np.float64], guarantee: BinaryGuarantee
    ) -> Proof:
        """Prove that a release plus N(0, ``covariance``) noise has a guarantee, and return the proof.

        Args:
            release: What is released about which records.
            covariance: Sigma, d x d; an array is read as the binary64 numbers it holds.
            guarantee: What is to be proved.

        Raises:
            AssertionError: If it is refuted (the message shows a counterexample) or undecided (what would decide), or
                the stored certificate is missing or disagrees.
        """
        __tracebackhide__ = True
        from certify.certificates.audit import AuditTask, audit  # noqa: PLC0415
        from certify.certificates.floats import from_floats  # noqa: PLC0415
        from certify.checker.exact import Matrix  # noqa: PLC0415
        from certify.checker.verdict import Status  # noqa: PLC0415

        sigma = covariance if isinstance(covariance, Matrix) else from_floats(covariance)
        (decision,) = audit(AuditTask(release, sigma, (guarantee,))).decisions
        if decision.status is Status.UNDECIDED:
            raise AssertionError(f"UNDECIDED: {decision.claim.guarantee.describe()}: {decision.remedy}")
        return self._settled(decision.certificate, None, None, None)

    def certificate(self, certificate: Certificate) -> Proof:
        """Check a certificate made elsewhere against the stored one and return the proof.

        Raises:
            AssertionError: If it is not proved, or the stored certificate is missing or disagrees.
        """
        __tracebackhide__ = True
        return self._settled(certificate, None, None, None)

    def _settled(self, certificate: Certificate, lower: fmpq | None, upper: fmpq | None, error: fmpq | None) -> Proof:
        __tracebackhide__ = True
        from certify.checker.kernel import check  # noqa: PLC0415
        from certify.cli.files import write_atomically  # noqa: PLC0415
        from certify.reports.stored import Action, settle  # noqa: PLC0415

        path = self._next_path()
        name = shown(path, self._request.config.rootpath)
        verdict = check(certificate)
        stored = path.read_bytes() if path.is_file() else None
        settlement = settle(stored, name, certificate, verdict, _policy(self._request.config))
        if settlement.data is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(str(path), settlement.data)
        entry = {"action": str(settlement.action), "file": name, "message": settlement.message}
        self._request.node.user_properties.append((PROPERTY, json.dumps(entry)))
        if settlement.action is Action.FAILED:
            raise AssertionError(settlement.message)
        return Proof(certificate, verdict, lower, upper, error)

    def _next_path(self) -> Path:
        self._calls += 1
        node = self._request.node
        owner = "" if node.cls is None else f"{node.cls.__name__}."
        return certificate_path(Path(node.path), f"{owner}{node.name}", self._calls)


def _value_error(value: float | None, lower: fmpq | None, upper: fmpq | None) -> fmpq | None:
    from flint import fmpq  # noqa: PLC0415

    from certify.checker.exact import binary64_fraction  # noqa: PLC0415

    try:
        exact = None if value is None else binary64_fraction(value)
    except ValueError:
        exact = None
    if exact is None or (lower is None and upper is None):
        return None
    below = fmpq(0) if lower is None else lower - exact
    above = fmpq(0) if upper is None else exact - upper
    return max(fmpq(0), below, above)


def _policy(config: pytest.Config) -> Policy:
    from certify.reports.stored import Policy  # noqa: PLC0415

    return Policy(
        update=bool(config.getoption("certify_update")), allow_weaker=bool(config.getoption("certify_weaker"))
    )


@pytest.fixture
def certified(request: pytest.FixtureRequest) -> Certified:
    """Prove what a test relies on; the certificates are kept in ``__certificates__/`` beside it."""
    return Certified(request)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that allow stored certificates to be rewritten."""
    group = parser.getgroup("certify", "certificates stored beside tests")
    group.addoption(
        "--certify-update",
        action="store_true",
        dest="certify_update",
        help="Write certificates that are missing, stronger or about another claim; only what is proved exactly.",
    )
    group.addoption(
        "--certify-allow-weaker",
        action="store_true",
        dest="certify_weaker",
        help="With --certify-update: also replace a certificate by a weaker one.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse options that mean nothing together.

    Raises:
        pytest.UsageError: If ``--certify-allow-weaker`` comes alone.
    """
    if config.getoption("certify_weaker") and not config.getoption("certify_update"):
        raise pytest.UsageError("--certify-allow-weaker says something only together with --certify-update")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many certificates were kept, and name every other one and those that no test uses any more."""
    print_summary(terminalreporter)
