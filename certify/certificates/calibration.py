"""The tightest parameters that a rho_star fixes, as claims of their own, and back from claims to noise.

Every number here comes out of ``certify.checker.conversions``, rounded to short decimals in the direction in which the
claim stays true; the kernel then decides the claim like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import fmpq

from certify.checker.adaptive import MagnitudeError, PrecisionExhaustedError
from certify.checker.capacity import capacity
from certify.checker.conversions import (
    epsilon_of,
    gdp_mu,
    image,
    minimal_sigma,
    privacy_profile,
    renyi_divergence,
    total_variation,
    zcdp_epsilon,
)
from certify.checker.decimals import decimal_exponent
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
from certify.checker.privacy import rho_budget

TIGHT_DIGITS = 5

Convert: TypeAlias = Callable[[fmpq, fmpq], Enclosure]
"""From a delta and a rho_star to an epsilon."""


def round_up(value: fmpq, digits: int = TIGHT_DIGITS) -> fmpq:
    """Return the least decimal of ``digits`` significant digits that is not below the value."""
    unit = _unit(value, digits)
    return (value / unit).ceil() * unit


def round_down(value: fmpq, digits: int = TIGHT_DIGITS) -> fmpq:
    """Return the largest decimal of ``digits`` significant digits that is not above the value."""
    unit = _unit(value, digits)
    return (value / unit).floor() * unit


def _unit(value: fmpq, digits: int) -> fmpq:
    """Return one unit in the last of ``digits`` significant decimal digits of a value."""
    return fmpq(10) ** (decimal_exponent(value) - digits + 1) if value != 0 else fmpq(1)


def tightest(guarantee: BinaryGuarantee, rho_star: fmpq, digits: int = TIGHT_DIGITS) -> tuple[BinaryGuarantee, ...]:
    """Return the strongest guarantees of the same notion that hold at ``rho_star``, rounded up to ``digits`` digits.

    Args:
        guarantee: What was claimed. For ApproxDP two answers come back: the least epsilon at the same delta, then the
            least delta at the same epsilon; either is left out where no number can be written down.
        rho_star: An upper bound of the parameter of the release.
        digits: Significant digits.
    """
    match guarantee:
        case ZCDP():
            return (ZCDP(round_up(rho_star / 2, digits)),)
        case GDP():
            return (GDP(round_up(gdp_mu(rho_star).upper, digits)),)
        case RenyiDP(alpha, _):
            return (RenyiDP(alpha, round_up(renyi_divergence(alpha, rho_star), digits)),)
        case TotalVariation():
            return (TotalVariation(min(round_up(total_variation(rho_star).upper, digits), fmpq(1))),)
        case MutualInformationDP():
            return (MutualInformationDP(round_up(capacity(rho_star).upper, digits)),)
        case ApproxDP(epsilon, delta):
            return _tightest_approximate(epsilon, delta, rho_star, digits)
        case _:
            assert_never(guarantee)


def _tightest_approximate(epsilon: fmpq, delta: fmpq, rho_star: fmpq, digits: int) -> tuple[ApproxDP, ...]:
    found = []
    if delta > 0 or rho_star == 0:
        least = _or_none(lambda: epsilon_of(delta, rho_star, digits).upper)
        found += [] if least is None else [ApproxDP(least, delta)]
    smallest = _or_none(lambda: privacy_profile(epsilon, rho_star).upper)
    if smallest is not None:
        found.append(ApproxDP(epsilon, min(round_up(smallest, digits), fmpq(1))))
    return tuple(found)


def _or_none(evaluate: Callable[[], fmpq]) -> fmpq | None:
    try:
        return evaluate()
    except (MagnitudeError, PrecisionExhaustedError):
        return None


def least_sigma(guarantee: BinaryGuarantee, sensitivity: fmpq, digits: int = 17) -> Enclosure | None:
    """Return the least standard deviation of isotropic noise with the guarantee: ``upper`` is enough, ``lower`` is not.

    Exact where both coincide. None where no finite noise has the guarantee.

    Args:
        guarantee: What the release needs.
        sensitivity: The largest Euclidean distance between neighbours.
        digits: Significant digits of the two ends.
    """
    if isinstance(guarantee, ApproxDP) and 0 < guarantee.delta < 1:
        return minimal_sigma(guarantee.epsilon, guarantee.delta, sensitivity, digits)
    budget = rho_budget(guarantee, digits + 3)
    if sensitivity == 0:
        return Enclosure(fmpq(0), fmpq(0))
    if not isinstance(budget, Enclosure) or budget.lower <= 0:
        return None
    most, least = gdp_mu(budget.upper, digits + 3).upper, gdp_mu(budget.lower, digits + 3).lower
    if most == least:
        return Enclosure(sensitivity / most, sensitivity / most)
    return Enclosure(round_down(sensitivity / most, digits), round_up(sensitivity / least, digits))


@dataclass(frozen=True, slots=True)
class Accounting:
    """One way to account for the same release, and the epsilon it arrives at.

    Attributes:
        name: The way, in words.
        rho_star: The parameter it works with, enclosed.
        epsilon: The epsilon it reports at the delta of the claim, enclosed; None where the claim has no delta.
        from_below: Whether the numbers are bounded from below only.
    """

    name: str
    rho_star: Enclosure
    epsilon: Enclosure | None
    from_below: bool


def accountings(rho_star: Enclosure, naive: fmpq | None, delta: fmpq | None) -> tuple[Accounting, ...]:
    """Return what exact and naive accounting say about one release.

    Args:
        rho_star: The parameter of the release.
        naive: A lower bound of ``diam^2 lambda_max(Sigma^-1)``, which bounds rho_star from above; None where it is
            not known.
        delta: The delta of the claim, in (0, 1); None for the notions without one, where no conversion is needed.
    """
    wide = None if naive is None else Enclosure(naive, naive)
    ways: list[tuple[str, Enclosure | None, Convert]] = [
        ("exact", rho_star, epsilon_of),
        ("generic zCDP conversion", rho_star, zcdp_epsilon),
        ("diameter and lambda_max", wide, epsilon_of),
        ("both of these", wide, zcdp_epsilon),
    ]
    return tuple(
        Accounting(name, value, None if delta is None else _epsilon(convert, delta, value), value is wide)
        for name, value, convert in ways
        if value is not None and (delta is not None or convert is epsilon_of)
    )


def _epsilon(convert: Convert, delta: fmpq, rho_star: Enclosure) -> Enclosure:
    return image(lambda q: convert(delta, q), rho_star)
