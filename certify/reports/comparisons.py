"""A claim beside the truth, in words: what is attained where it fails, and the tightest claims that hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from flint import fmpq

from certify.checker.adaptive import MagnitudeError
from certify.checker.capacity import capacity
from certify.checker.conversions import gdp_mu, privacy_profile, renyi_divergence, total_variation
from certify.checker.decimals import decimal_lower
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
from certify.checker.privacy import Infinite, RhoStar
from certify.checker.verdict import Status
from certify.reports.counterexamples import listed
from certify.reports.guarantees import brief
from certify.reports.numbers import at_least, between

RATIO_DIGITS = 6


def describe_attained(guarantee: BinaryGuarantee, reached: RhoStar) -> str:
    """Return what the counterexample attains, in the words of the claim, beside what was claimed."""
    if isinstance(reached, Infinite):
        return "There the release moves in a direction without noise: the two outputs can be told apart with certainty."
    return f"There {describe_parameter(guarantee, reached)}"


def describe_parameter(guarantee: BinaryGuarantee, reached: Enclosure) -> str:
    """Return what a guarantee's own parameter is at a rho_star, at least, beside what was claimed."""
    opening = f"rho_star is {between(reached)}"
    name, attained, claimed = _parameter_lower(guarantee, reached.lower)
    if attained is None:
        return f"{opening}."
    ratio = (
        f", {decimal_lower(attained / claimed, RATIO_DIGITS)} times the claimed {at_least(claimed)}"
        if claimed > 0
        else ""
    )
    return f"{opening}, so {name} is at least {decimal_lower(attained, 10)}{ratio}."


def _parameter_lower(guarantee: BinaryGuarantee, rho_star: fmpq) -> tuple[str, fmpq | None, fmpq]:
    """Return the parameter that a claim limits, a lower bound of it at a rho_star, and the claimed limit."""
    match guarantee:
        case ZCDP(rho):
            return "the zCDP parameter", rho_star / 2, rho
        case GDP(mu):
            return "the Gaussian parameter mu", gdp_mu(rho_star).lower, mu
        case RenyiDP(alpha, epsilon):
            return f"the Renyi divergence of order {at_least(alpha)}", renyi_divergence(alpha, rho_star), epsilon
        case TotalVariation(delta):
            return "the total variation", total_variation(rho_star).lower, delta
        case ApproxDP(epsilon, delta):
            return f"delta at epsilon = {at_least(epsilon)}", _delta_lower(epsilon, rho_star), delta
        case MutualInformationDP(kappa):
            return "the mutual information", capacity(rho_star).lower, kappa
        case _:
            assert_never(guarantee)


def _delta_lower(epsilon: fmpq, rho_star: fmpq) -> fmpq | None:
    try:
        return privacy_profile(epsilon, rho_star).lower
    except MagnitudeError:
        return None


def beside(guarantee: BinaryGuarantee, status: Status, alternatives: Sequence[BinaryGuarantee]) -> Iterator[str]:
    """Yield a claim with its verdict beside the tightest ones of its kind that hold."""
    claimed, others = brief(guarantee), [brief(each) for each in alternatives]
    match status:
        case Status.REFUTED:
            first = f"{others[0]} is proved" if others else "only claims that promise nothing hold"
            more = f"; {others[1]} holds too" if len(others) > 1 else ""
            yield f"{claimed} is false; {first}{more}."
        case Status.PROVED if others:
            verb = "are" if len(others) > 1 else "is"
            yield f"{claimed} is proved; so {verb} the tightest of its kind, {listed(others)}."
        case _:
            return
