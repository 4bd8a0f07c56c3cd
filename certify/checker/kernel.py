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
from certify.checker.conic.claims import ConicBracket, ConicClaim, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.conic.refute import refute_conic
from certify.checker.conic.witnesses import ConicCounterexample, ConicWitness
from certify.checker.conversion_claims import (
    decide_capacity_monotone,
    decide_composition,
    decide_gaussian_privacy,
    decide_noise_calibration,
)
from certify.checker.covariance import check_covariance_optimum
from certify.checker.pairs import PairSearch, Progress, largest_over_pairs
from certify.checker.refutation import refute_by_datasets, refute_by_vector
from certify.checker.release_privacy import (
    decide_by_guarantee,
    enclose_rho_star,
    prove_release_privacy,
    show_rho_star_infinite,
)
from certify.checker.verdict import Finding, Obligation, Status, Verdict
from certify.checker.witnesses import (
    ByComputation,
    Counterexample,
    CovarianceWitness,
    PrimalWitness,
    RhoStarWitness,
    VectorWitness,
    Witness,
)


def silent(_what: str, _done: int, _total: int) -> None:
    """Report no progress."""


def check(certificate: Certificate, progress: Progress = silent, largest: PairSearch = largest_over_pairs) -> Verdict:
    """Decide whether the witness proves the claim. Exact; never searches, never solves, has no tolerance.

    Args:
        certificate: A claim with its witness.
        progress: Called while long obligations are checked.
        largest: What finds the largest form over all pairs of records; whoever gives another one trusts it.

    Returns:
        PROVED when every obligation holds; REFUTED when the witness is a counterexample and every obligation holds;
        UNDECIDED when the arithmetic stops at its cap; else REJECTED.

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> print(certify.check(certificate).status)
        PROVED
    """
    try:
        finding = _finding(certificate, progress, largest)
    except (PrecisionExhaustedError, MagnitudeError) as error:
        finding = Finding(Status.PROVED, (Obligation("precision suffices", None, str(error)),))
    return Verdict(finding.status, certificate.claim, finding.obligations)


def _finding(certificate: Certificate, progress: Progress, largest: PairSearch) -> Finding:
    claim, witness = certificate.claim, certificate.witness
    match claim:
        case CovarianceOptimum():
            found = _about_optimum(claim, witness, progress, largest)
        case ReleasePrivacy():
            found = _about_privacy(claim, witness, progress, largest)
        case RhoStarEnclosure() | RhoStarInfinite():
            found = _about_rho_star(claim, witness, progress, largest)
        case GaussianPrivacy() | Composition() | NoiseCalibration() | CapacityMonotone():
            found = _about_numbers(claim) if isinstance(witness, ByComputation) else None
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            found = _about_program(claim, witness)
        case _:
            assert_never(claim)
    if found is not None:
        return found
    detail = f"a {type(witness).__name__} proves no {type(claim).__name__}"
    return Finding(Status.PROVED, (Obligation("witness is of the kind the claim needs", False, detail),))


def _about_optimum(
    claim: CovarianceOptimum, witness: Witness, progress: Progress, largest: PairSearch
) -> Finding | None:
    if not isinstance(witness, CovarianceWitness):
        return None
    return Finding(Status.PROVED, check_covariance_optimum(claim, witness, progress, largest))


def _about_privacy(claim: ReleasePrivacy, witness: Witness, progress: Progress, largest: PairSearch) -> Finding | None:
    match witness:
        case PrimalWitness():
            return Finding(Status.PROVED, prove_release_privacy(claim, witness, progress, largest))
        case Counterexample():
            return Finding(Status.REFUTED, refute_by_datasets(claim, witness))
        case VectorWitness():
            return Finding(Status.REFUTED, refute_by_vector(claim, witness))
        case ByComputation():
            return decide_by_guarantee(claim)
        case _:
            return None


def _about_rho_star(
    claim: RhoStarEnclosure | RhoStarInfinite, witness: Witness, progress: Progress, largest: PairSearch
) -> Finding | None:
    match claim, witness:
        case RhoStarEnclosure(), RhoStarWitness():
            return Finding(Status.PROVED, enclose_rho_star(claim, witness, progress, largest))
        case RhoStarInfinite(), VectorWitness():
            return Finding(Status.PROVED, show_rho_star_infinite(claim, witness))
        case _:
            return None


def _about_program(claim: ConicClaim, witness: Witness) -> Finding | None:
    if isinstance(witness, ConicCounterexample):
        return Finding(Status.REFUTED, refute_conic(claim, witness))
    return Finding(Status.PROVED, check_conic(claim, witness)) if isinstance(witness, ConicWitness) else None


def _about_numbers(claim: GaussianPrivacy | Composition | NoiseCalibration | CapacityMonotone) -> Finding:
    match claim:
        case GaussianPrivacy():
            return decide_gaussian_privacy(claim)
        case Composition():
            return decide_composition(claim)
        case NoiseCalibration():
            return decide_noise_calibration(claim)
        case CapacityMonotone():
            return decide_capacity_monotone(claim)
        case _:
            assert_never(claim)
