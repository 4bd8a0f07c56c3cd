"""What a verdict rests on that is proved on paper but not formalised in proofs/theories: named, claim by claim."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.domains import BallDomain, BoxDomain, SimplexDomain
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser, Release, domain_of


class Assumption(StrEnum):
    """A mathematical statement that the checker uses and that no theory in proofs/theories formalises."""

    GAUSSIAN_TAIL = "Gaussian tail formula"
    """The trade-off of N(0, 1) and N(sqrt(q), 1) is delta = h_epsilon(q) (theory.md section 3)."""
    GAUSSIAN_TESTING = "Gaussian hypothesis testing"
    """Gaussian releases with this rho_star are as hard to tell apart as N(0, 1) and N(mu, 1), mu^2 = rho_star."""
    RENYI_DIVERGENCE = "Renyi divergence of Gaussians"
    """D_alpha between N(a, Sigma) and N(b, Sigma) is alpha/2 (a - b)^T Sigma^-1 (a - b)."""
    CAPACITY_INTEGRAL = "capacity integral"
    """The capacity of the binary-input Gaussian channel is C(q), attained by equal inputs (theory.md section 6)."""
    COMPOSITION = "adaptive composition of Gaussian releases"
    """Adaptively chosen releases with parameters rho_t compose to the sum of the rho_t."""
    EXPONENTIAL_WEIGHTS = "exponential weights"
    """The weights of the denoiser at a query are exponentials; the theories take any positive weights."""
    EXTREME_POINTS = "extreme points of the domain"
    """A convex form over a box, ball or simplex is largest at its corners, sphere or vertices."""


def assumptions(claim: Claim) -> tuple[Assumption, ...]:
    """Return what a verdict about the claim assumes, in a fixed order."""
    match claim:
        case CovarianceOptimum() | ReleasePrivacy():
            return (*_of_release(claim.sensitivity), *_of_guarantee(claim.guarantee))
        case RhoStarEnclosure() | RhoStarInfinite():
            return _of_release(claim.sensitivity)
        case GaussianPrivacy() | NoiseCalibration():
            return _of_guarantee(claim.guarantee)
        case Composition():
            return (Assumption.COMPOSITION, *_of_guarantee(claim.guarantee))
        case CapacityMonotone():
            return (Assumption.CAPACITY_INTEGRAL,)
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            return ()
        case _:
            assert_never(claim)


def _of_release(release: Release) -> tuple[Assumption, ...]:
    found = []
    if isinstance(domain_of(release), BoxDomain | BallDomain | SimplexDomain):
        found.append(Assumption.EXTREME_POINTS)
    if isinstance(release, IdealDenoiser) and not isinstance(release.query, UniformQuery):
        found.append(Assumption.EXPONENTIAL_WEIGHTS)
    return tuple(found)


def _of_guarantee(guarantee: BinaryGuarantee) -> tuple[Assumption, ...]:
    match guarantee:
        case ApproxDP() | TotalVariation():
            return (Assumption.GAUSSIAN_TAIL,)
        case GDP():
            return (Assumption.GAUSSIAN_TESTING,)
        case ZCDP() | RenyiDP():
            return (Assumption.RENYI_DIVERGENCE,)
        case MutualInformationDP():
            return (Assumption.CAPACITY_INTEGRAL,)
        case _:
            assert_never(guarantee)
