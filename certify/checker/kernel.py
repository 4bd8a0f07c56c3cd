"""The kernel: the only maker of PROVED."""

from __future__ import annotations

from typing import assert_never

from certify.checker.certificate import Certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.covariance import check_covariance_optimum
from certify.checker.sensitivity import Progress
from certify.checker.verdict import Obligation, Status, Verdict


def silent(_what: str, _done: int, _total: int) -> None:
    """Report no progress."""


def check(certificate: Certificate, progress: Progress = silent) -> Verdict:
    """Decide whether the witness proves the claim. Exact; never searches, never solves, has no tolerance.

    Args:
        certificate: A claim with its witness.
        progress: Called while long obligations are checked.

    Returns:
        PROVED when every obligation holds, else REJECTED.
    """
    obligations = _obligations(certificate, progress)
    proved = bool(obligations) and all(obligation.holds for obligation in obligations)
    return Verdict(Status.PROVED if proved else Status.REJECTED, certificate.claim, obligations)


def _obligations(certificate: Certificate, progress: Progress) -> tuple[Obligation, ...]:
    match certificate.claim:
        case CovarianceOptimum():
            return check_covariance_optimum(certificate.claim, certificate.witness, progress)
        case _:
            assert_never(certificate.claim)
