"""The rules of claims about numbers alone: conversions, composition, calibration and the capacity."""

from __future__ import annotations

from flint import fmpq

from certify.checker.capacity import monotone
from certify.checker.claims import CapacityMonotone, Composition, GaussianPrivacy, NoiseCalibration
from certify.checker.decimals import decimal_lower, exact_or
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.privacy import holds
from certify.checker.verdict import Finding, Obligation, Status


def decide_gaussian_privacy(claim: GaussianPrivacy) -> Finding:
    """Decide a ``GaussianPrivacy``.

    Sound because a guarantee of a Gaussian release is one inequality on rho_star (theory.md sections 3 and 6), met or
    failed by every release with that rho_star alike.
    """
    return _decide(claim.guarantee, claim.rho_star)


def decide_composition(claim: Composition) -> Finding:
    """Decide a ``Composition``.

    Sound because the parameters add, whatever the releases and however they are chosen, and because releases that move
    along one line between the same two datasets, with independent noise, reach the sum (theory.md section 3).
    """
    return _decide(claim.guarantee, sum(claim.rho_stars, fmpq(0)))


def decide_noise_calibration(claim: NoiseCalibration) -> Finding:
    """Decide a ``NoiseCalibration``.

    Sound because with ``Sigma = sigma^2 I`` rho_star is ``sup |s|^2 / sigma^2 = (sensitivity / sigma)^2``.
    """
    return _decide(claim.guarantee, (claim.sensitivity / claim.sigma) ** 2)


def decide_capacity_monotone(claim: CapacityMonotone) -> Finding:
    """Prove a ``CapacityMonotone``: enclose C' on pieces that cover the interval.

    Sound because C' > 0 on every piece makes C increase strictly on their union (``capacity.monotone``).

    Raises:
        PrecisionExhaustedError: If too many pieces are needed.
        MagnitudeError: If the slope is too small to be written down.
    """
    proof = monotone(claim.lower, claim.upper)
    detail = f"C' >= {decimal_lower(proof.slope_lower, 6)} on {len(proof.pieces)} pieces that cover the interval"
    return Finding(Status.PROVED, (Obligation("slope is positive on every piece", proof.slope_lower > 0, detail),))


def _decide(guarantee: BinaryGuarantee, rho_star: fmpq) -> Finding:
    met = holds(guarantee, Enclosure(rho_star, rho_star))
    shown = exact_or(rho_star, decimal_lower(rho_star, 20))
    name = f"guarantee {'fails' if met is False else 'holds'} at this rho_star"
    doubt = "" if met is not None else ": too close to the boundary for the largest precision"
    obligation = Obligation(name, None if met is None else True, f"rho_star = {shown}{doubt}")
    return Finding(Status.REFUTED if met is False else Status.PROVED, (obligation,))
