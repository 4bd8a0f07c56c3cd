"""Which pictures belong to which claim, and what they show of its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from flint import fmpq

from certify.certificates.errors import DesignError
from certify.certificates.floats import dyadic
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
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.conic.witnesses import ConicWitness
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee, MutualInformationDP
from certify.checker.pairs import Progress
from certify.checker.privacy import rho_budget
from certify.checker.witnesses import Counterexample, VectorWitness
from certify.reports.active import ActiveRow, active_rows, active_vectors
from certify.reports.geometry import float_rho_star, longest_vector
from certify.reports.isotropic import Isotropic, isotropic_noise
from certify.reports.pixels import Shape
from certify.reports.plots import Picture
from certify.reports.plots_conic import program_pictures
from certify.reports.plots_privacy import Profiles, capacity_picture, history_pictures, profile_picture
from certify.reports.plots_release import Noise, active_picture, plane_pictures, spectrum_picture
from certify.solvers.problem import Round

SHOWN_PAIRS = 12


@dataclass(frozen=True, slots=True)
class Gallery:
    """All pictures of a claim.

    Attributes:
        pictures: The figures.
        active: The heaviest active vectors.
        active_count: How many there are with at least a millionth of the multipliers.
        isotropic: What isotropic noise with the same guarantee costs, in exact arithmetic; None if unknown.
    """

    pictures: tuple[Picture, ...]
    active: tuple[ActiveRow, ...]
    active_count: int
    isotropic: Isotropic | None


def gallery(certificate: Certificate, shape: Shape | None, history: Sequence[Round], progress: Progress) -> Gallery:
    """Return the pictures of a certificate. They are made from floats and prove nothing.

    Args:
        certificate: The certificate.
        shape: The shape of records that are images; None guesses.
        history: The rounds of the float solve, where they are known.
        progress: Called during exact work on pairs of records.

    Raises:
        ValueError: If the records do not have the given shape.
    """
    claim, witness = certificate.claim, certificate.witness
    match claim:
        case CovarianceOptimum():
            return _of_optimum(claim, certificate, shape, history, progress)
        case ReleasePrivacy() | RhoStarEnclosure():
            along = witness.direction if isinstance(witness, Counterexample | VectorWitness) else None
            return Gallery(tuple(_of_release(claim, along)), (), 0, None)
        case GaussianPrivacy() | Composition() | NoiseCalibration():
            return Gallery(tuple(_of_numbers(*_numbers(claim))), (), 0, None)
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            found = program_pictures(claim.problem, witness) if isinstance(witness, ConicWitness) else []
            return Gallery(tuple(found), (), 0, None)
        case RhoStarInfinite() | CapacityMonotone():
            return Gallery((), (), 0, None)
        case _:
            assert_never(claim)


def _of_optimum(
    claim: CovarianceOptimum,
    certificate: Certificate,
    shape: Shape | None,
    history: Sequence[Round],
    progress: Progress,
) -> Gallery:
    budget = rho_budget(claim.guarantee)
    isotropic = isotropic_noise(claim, progress)
    active = active_vectors(certificate)
    if not isinstance(budget, Enclosure) or budget.lower <= 0:
        return Gallery((), (), 0, None)
    noise = Noise(claim.covariance, float(budget.lower), _isotropic_variance(claim, float(budget.lower)))
    ratio = None if isotropic is None or claim.upper <= 0 else isotropic.cost / claim.upper
    profiles = Profiles(budget.lower, None if ratio is None else budget.lower * ratio, claim.guarantee)
    found = [
        *_plane(claim, noise),
        _privacy(claim.guarantee, budget.lower, profiles),
        spectrum_picture(noise),
        active_picture([each for each, _ in active]),
        *history_pictures(history),
    ]
    rows = active_rows(claim, active[:SHOWN_PAIRS], shape)
    return Gallery(tuple(each for each in found if each is not None), rows, len(active), isotropic)


def _isotropic_variance(claim: CovarianceOptimum, rho: float) -> float | None:
    try:
        return max(longest_vector(claim.sensitivity) ** 2 / rho, float(claim.floor))
    except DesignError:
        return None


def _privacy(guarantee: BinaryGuarantee | None, budget: fmpq, profiles: Profiles) -> Picture | None:
    if isinstance(guarantee, MutualInformationDP):
        return capacity_picture(guarantee.kappa, budget)
    return profile_picture(profiles)


def _of_release(claim: ReleasePrivacy | RhoStarEnclosure, refuted_along: Matrix | None) -> list[Picture]:
    """Show a release whose noise is given, with the ellipse of its guarantee or of the claimed bound of rho_star."""
    guarantee = claim.guarantee if isinstance(claim, ReleasePrivacy) else None
    budget = None if guarantee is None else rho_budget(guarantee)
    rho = _allowed(claim, budget)
    if rho is None or rho <= 0:
        return []
    noise = Noise(claim.covariance, float(rho), None)
    try:
        real = float_rho_star(claim.sensitivity, claim.covariance)
    except DesignError:
        real = None
    profiles = Profiles(rho if real is None else dyadic(real), None, guarantee)
    found = [*_plane(claim, noise, refuted_along), _privacy(guarantee, rho, profiles), spectrum_picture(noise)]
    return [each for each in found if each is not None]


def _allowed(claim: ReleasePrivacy | RhoStarEnclosure, budget: object) -> fmpq | None:
    if isinstance(claim, RhoStarEnclosure):
        return claim.upper
    return budget.lower if isinstance(budget, Enclosure) else None


def _plane(
    claim: CovarianceOptimum | ReleasePrivacy | RhoStarEnclosure, noise: Noise, refuted_along: Matrix | None = None
) -> list[Picture]:
    try:
        return plane_pictures(claim.sensitivity, noise, refuted_along)
    except DesignError:
        return []


def _numbers(claim: GaussianPrivacy | Composition | NoiseCalibration) -> tuple[fmpq, BinaryGuarantee]:
    """Return the rho_star that a claim is about, and the guarantee."""
    match claim:
        case GaussianPrivacy(rho_star, guarantee):
            return rho_star, guarantee
        case Composition(rho_stars, guarantee):
            return sum(rho_stars, fmpq(0)), guarantee
        case NoiseCalibration(sensitivity, sigma, guarantee):
            return (sensitivity / sigma) ** 2, guarantee
        case _:
            assert_never(claim)


def _of_numbers(rho_star: fmpq, guarantee: BinaryGuarantee) -> list[Picture]:
    if isinstance(guarantee, MutualInformationDP):
        budget = rho_budget(guarantee)
        if not isinstance(budget, Enclosure) or budget.lower <= 0:
            return []
        return [capacity_picture(guarantee.kappa, budget.lower)]
    found = profile_picture(Profiles(rho_star, None, guarantee))
    return [] if found is None else [found]
