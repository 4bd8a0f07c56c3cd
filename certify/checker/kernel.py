"""The kernel: the only maker of a verdict."""

from __future__ import annotations

from typing import assert_never

from certify.checker.adaptive import MagnitudeError, PrecisionExhaustedError
from certify.checker.certificate import Certificate
from certify.checker.claims import (
    CapacityMonotone,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.conic.check import check_conic
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.conic.witnesses import (
    BracketWitness,
    DualInfeasibleWitness,
    FeasibleWitness,
    GapWitness,
    PrimalInfeasibleWitness,
)
from certify.checker.covariance import check_covariance_optimum
from certify.checker.pairs import Progress
from certify.checker.verdict import Finding, Obligation, Status, Verdict
from certify.checker.witnesses import CovarianceWitness


def silent(_what: str, _done: int, _total: int) -> None:
    """Report no progress."""


def check(certificate: Certificate, progress: Progress = silent) -> Verdict:
    """Decide whether the witness proves the claim. Exact; never searches, never solves, has no tolerance.

    Args:
        certificate: A claim with its witness.
        progress: Called while long obligations are checked.

    Returns:
        PROVED when every obligation holds; REFUTED when the witness is a counterexample and every obligation holds;
        UNDECIDED when the arithmetic stops at its cap; else REJECTED.
    """
    try:
        finding = _finding(certificate, progress)
    except (PrecisionExhaustedError, MagnitudeError) as error:
        finding = Finding(Status.PROVED, (Obligation("precision suffices", None, str(error)),))
    return Verdict(finding.status, certificate.claim, finding.obligations)


def _finding(certificate: Certificate, progress: Progress) -> Finding:
    claim, witness = certificate.claim, certificate.witness
    match claim:
        case CovarianceOptimum():
            if isinstance(witness, CovarianceWitness):
                return Finding(Status.PROVED, check_covariance_optimum(claim, witness, progress))
        case ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            pass
        case GaussianPrivacy() | Composition() | NoiseCalibration() | CapacityMonotone():
            pass
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            if isinstance(
                witness,
                BracketWitness | GapWitness | PrimalInfeasibleWitness | DualInfeasibleWitness | FeasibleWitness,
            ):
                return Finding(Status.PROVED, check_conic(claim, witness))
        case _:
            assert_never(claim)
    detail = f"a {type(witness).__name__} proves no {type(claim).__name__}"
    return Finding(Status.PROVED, (Obligation("witness is of the kind the claim needs", False, detail),))
