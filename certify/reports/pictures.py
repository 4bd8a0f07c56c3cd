"""Which pictures belong to which claim, and what they show of its certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from flint import fmpq

from certify.certificates.errors import DesignError
from certify.certificates.floats import dyadic, to_floats
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
from certify.checker.guarantees import BinaryGuarantee, MutualInformationDP
from certify.checker.pairs import Progress
from certify.checker.privacy import rho_budget
from certify.checker.releases import domain_of
from certify.checker.sensitivity import FiniteDomain
from certify.checker.vectors import (
    Combination,
    Deletion,
    Difference,
    Record,
    Replacement,
    VectorName,
    describe_vector,
)
from certify.checker.witnesses import CompactDual, CovarianceWitness, FullDual
from certify.reports.geometry import float_rho_star, longest_vector
from certify.reports.isotropic import Isotropic, isotropic_noise
from certify.reports.pixels import Shape, data_uri, guess_shape
from certify.reports.plots import Picture
from certify.reports.plots_conic import program_pictures
from certify.reports.plots_privacy import Profiles, capacity_picture, history_pictures, profile_picture
from certify.reports.plots_release import Active, Noise, active_picture, plane_pictures, spectrum_picture
from certify.solvers.problem import Round

SHOWN_PAIRS = 12
LEAST_SHARE = 1e-6


@dataclass(frozen=True, slots=True)
class Portrait:
    """One record of an active pair: its row index and its image, None where records are no images."""

    index: int
    image: str | None


@dataclass(frozen=True, slots=True)
class ActiveRow:
    """One row of the table of active vectors; ``records`` is empty where the vector is no difference of two."""

    active: Active
    records: tuple[Portrait, ...]


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
            return Gallery(tuple(_of_release(claim)), (), 0, None)
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
    active = _active(certificate)
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
    rows = _rows(claim, active[:SHOWN_PAIRS], shape)
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


def _of_release(claim: ReleasePrivacy | RhoStarEnclosure) -> list[Picture]:
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
    found = [*_plane(claim, noise), _privacy(guarantee, rho, profiles), spectrum_picture(noise)]
    return [each for each in found if each is not None]


def _allowed(claim: ReleasePrivacy | RhoStarEnclosure, budget: object) -> fmpq | None:
    if isinstance(claim, RhoStarEnclosure):
        return claim.upper
    return budget.lower if isinstance(budget, Enclosure) else None


def _plane(claim: CovarianceOptimum | ReleasePrivacy | RhoStarEnclosure, noise: Noise) -> list[Picture]:
    try:
        return plane_pictures(claim.sensitivity, noise)
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


def _active(certificate: Certificate) -> list[tuple[Active, VectorName]]:
    """Return the vectors of the dual witness with their multipliers, heaviest first, without dust."""
    witness = certificate.witness
    if not isinstance(witness, CovarianceWitness):
        return []
    match witness.dual:
        case CompactDual(multipliers, _):
            weighted = [(entry.vector, float(entry.value)) for entry in multipliers]
        case FullDual(blocks):
            weighted = [(block.vector, float(block.gamma)) for block in blocks]
        case _:
            assert_never(witness.dual)
    total = sum(value for _, value in weighted)
    kept = sorted((entry for entry in weighted if entry[1] > LEAST_SHARE * total), key=lambda entry: -entry[1])
    return [(Active(describe_vector(name), value, value / total), name) for name, value in kept]


def _rows(
    claim: CovarianceOptimum, active: list[tuple[Active, VectorName]], shape: Shape | None
) -> tuple[ActiveRow, ...]:
    domain = domain_of(claim.sensitivity)
    if not isinstance(domain, FiniteDomain):
        return tuple(ActiveRow(each, ()) for each, _ in active)
    records = to_floats(domain.records)
    shape = shape or guess_shape(records)
    if shape is not None and shape.rows * shape.columns != records.shape[1]:
        raise ValueError(f"records of {records.shape[1]} numbers are no images of {shape.rows} x {shape.columns}")
    brightest = float(np.abs(records).max())

    def portrait(index: int) -> Portrait:
        return Portrait(index, None if shape is None else data_uri(records[index], shape, brightest))

    return tuple(ActiveRow(each, tuple(map(portrait, _records_of(name)))) for each, name in active)


def _records_of(name: VectorName) -> tuple[int, ...]:
    """Return the row indices of the records that a vector is made of; none for a combination."""
    match name:
        case Difference(first, second) | Deletion(_, first, second):
            return (first, second)
        case Replacement(_, first, second, third):
            return (first, second, third)
        case Record(index):
            return (index,)
        case Combination():
            return ()
        case _:
            assert_never(name)
