"""What a guarantee demands of rho_star, and whether a given rho_star meets it (theory.md sections 3 and 6).

A guarantee is one inequality on rho_star: ``condition`` says which, ``rho_budget`` how much room it leaves, ``holds``
whether it is met. For the other direction, what a rho_star implies, see ``certify.checker.conversions``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import fmpq

from certify.checker.capacity import below_log_two, capacity_at_most, inverse_capacity
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.profile import profile_at_most, rho_star_bracket


@dataclass(frozen=True, slots=True)
class Infinite:
    """rho_star = infinity: some difference lies outside the range of a singular covariance."""


@dataclass(frozen=True, slots=True)
class Unlimited:
    """The guarantee holds for every release, even one with rho_star = infinity."""


@dataclass(frozen=True, slots=True)
class Unattainable:
    """The guarantee fails for every release, even one that reveals nothing."""


@dataclass(frozen=True, slots=True)
class RhoAtMost:
    """The guarantee holds exactly if rho_star <= ``limit``, a rational >= 0."""

    limit: fmpq


@dataclass(frozen=True, slots=True)
class ProfileAtMost:
    """The guarantee holds exactly if h_epsilon(rho_star) <= ``delta``, with 0 < ``delta`` < 1."""

    epsilon: fmpq
    delta: fmpq


@dataclass(frozen=True, slots=True)
class CapacityAtMost:
    """The guarantee holds exactly if C(rho_star) <= ``kappa``, with 0 < ``kappa`` < log 2."""

    kappa: fmpq


RhoStar: TypeAlias = Enclosure | Infinite
Condition: TypeAlias = RhoAtMost | ProfileAtMost | CapacityAtMost | Unlimited | Unattainable
RhoBudget: TypeAlias = Enclosure | Unlimited | Unattainable
"""What a guarantee allows rho_star to be. An enclosure: the guarantee holds for every rho_star <= ``lower`` and fails
for every rho_star > ``upper``."""


def condition(guarantee: BinaryGuarantee) -> Condition:
    """Return the inequality on rho_star that ``guarantee`` is.

    Sound because a release with parameter rho_star has exactly zCDP parameter rho_star/2, GDP parameter
    sqrt(rho_star), Renyi divergence alpha rho_star/2 and delta = h_epsilon(rho_star) (theory.md section 3), and for
    binary records mutual information at most C(rho_star), reached by the uniform prior (section 6). h and C are 0
    at 0, increase strictly, and stay below 1 and log 2.

    Raises:
        PrecisionExhaustedError: If kappa agrees with log 2 to ``PRECISION_CAP`` bits.
    """
    match guarantee:
        case ZCDP(rho):
            return RhoAtMost(2 * rho)
        case GDP(mu):
            return RhoAtMost(mu * mu)
        case RenyiDP(alpha, epsilon):
            return RhoAtMost(2 * epsilon / alpha)
        case ApproxDP(epsilon, delta):
            return _profile_condition(epsilon, delta)
        case TotalVariation(delta):
            return _profile_condition(fmpq(0), delta)
        case MutualInformationDP(kappa):
            return _capacity_condition(kappa)
        case _:
            assert_never(guarantee)


def _profile_condition(epsilon: fmpq, delta: fmpq) -> Condition:
    if delta >= 1:
        return Unlimited()
    return RhoAtMost(fmpq(0)) if delta == 0 else ProfileAtMost(epsilon, delta)


def _capacity_condition(kappa: fmpq) -> Condition:
    if kappa <= 0:
        return RhoAtMost(fmpq(0)) if kappa == 0 else Unattainable()
    return CapacityAtMost(kappa) if below_log_two(kappa) else Unlimited()


def rho_budget(guarantee: BinaryGuarantee, digits: int = 40) -> RhoBudget:
    """Return how large rho_star may be under ``guarantee``.

    The budget is exact for ZCDP (2 rho), GDP (mu^2) and RenyiDP (2 epsilon / alpha). Otherwise its ends are the two
    consecutive decimals of ``digits`` significant digits between which the guarantee stops holding.

    Sound because ``condition`` is, and both ends of a bracket are decided by balls of an increasing function.

    Raises:
        ValueError: If ``digits`` is not positive.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """
    match condition(guarantee):
        case RhoAtMost(limit):
            return Enclosure(limit, limit)
        case ProfileAtMost(epsilon, delta):
            return rho_star_bracket(epsilon, delta, digits)
        case CapacityAtMost(kappa):
            return inverse_capacity(kappa, digits)
        case Unlimited() | Unattainable() as extreme:
            return extreme
        case other:
            assert_never(other)


def holds(guarantee: BinaryGuarantee, rho_star: RhoStar) -> bool | None:
    """Decide whether a release whose rho_star lies in the enclosure has the guarantee.

    Sound because each condition is monotone in rho_star: what holds at the upper end holds below it, and what fails at
    the lower end fails above it. A rational limit is compared with rationals, so a claim exactly on the boundary holds.

    Returns:
        True if proved for the whole enclosure, False if refuted for the whole enclosure, None if neither: the
        enclosure straddles the boundary, or ``PRECISION_CAP`` bits cannot tell an end from it.

    Raises:
        ValueError: If the enclosure contains no number >= 0.
        PrecisionExhaustedError: If kappa agrees with log 2 to ``PRECISION_CAP`` bits.
    """
    wanted = condition(guarantee)
    if isinstance(rho_star, Infinite):
        return isinstance(wanted, Unlimited)
    if rho_star.upper < 0:
        raise ValueError(f"rho_star is a supremum of squares and cannot be at most {rho_star.upper} < 0")
    if _holds_at(wanted, rho_star.upper):
        return True
    return False if _holds_at(wanted, max(rho_star.lower, fmpq(0))) is False else None


def _holds_at(wanted: Condition, rho_star: fmpq) -> bool | None:
    match wanted:
        case RhoAtMost(limit):
            return bool(rho_star <= limit)
        case ProfileAtMost(epsilon, delta):
            return profile_at_most(epsilon, rho_star, delta)
        case CapacityAtMost(kappa):
            return capacity_at_most(rho_star, kappa)
        case Unlimited():
            return True
        case Unattainable():
            return False
        case _:
            assert_never(wanted)


def compose(rho_stars: Iterable[RhoStar]) -> RhoStar:
    """Return rho_star of releases made one after the other, each perhaps chosen after seeing the ones before.

    Sound because the parameters add under composition (theory.md section 3); for a denoiser released at several
    steps the sum is an upper bound of the joint parameter.
    """
    total = Enclosure(fmpq(0), fmpq(0))
    for rho_star in rho_stars:
        if isinstance(rho_star, Infinite):
            return rho_star
        total = Enclosure(total.lower + rho_star.lower, total.upper + rho_star.upper)
    return total
