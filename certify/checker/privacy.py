"""What rho_star fixes: the exact passage between rho_star and every notion of privacy (theory.md section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import arb, fmpq

from certify.checker.adaptive import at_precision, bits_of, decide_at_most, decimal_bracket, newton
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, RenyiDP, TotalVariation
from certify.checker.normal import (
    profile,
    profile_complement,
    profile_log_slope,
    starting_precision,
)


@dataclass(frozen=True, slots=True)
class Unlimited:
    """The guarantee holds for every release, even one with rho_star = infinity."""


@dataclass(frozen=True, slots=True)
class Unattainable:
    """The guarantee fails for every release, even one that reveals nothing."""


RhoBudget: TypeAlias = Enclosure | Unlimited | Unattainable
"""What a guarantee allows rho_star to be. An enclosure: the guarantee holds for every rho_star <= ``lower`` and fails
for every rho_star > ``upper``."""


def rho_budget(guarantee: Guarantee, digits: int = 40) -> RhoBudget:
    """Return how large rho_star may be under ``guarantee``.

    The budget is exact for ZCDP (2 rho), GDP (mu^2) and RenyiDP (2 epsilon / alpha). Otherwise its ends are the two
    consecutive decimals of ``digits`` significant digits between which the guarantee stops holding.

    Sound because a release with parameter rho_star has zCDP parameter rho_star/2, GDP parameter sqrt(rho_star), Renyi
    divergence alpha rho_star/2, and delta = h_epsilon(rho_star) with h' > 0 (theory.md section 3).

    Raises:
        ValueError: If ``digits`` is not positive.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """
    match guarantee:
        case ZCDP(rho):
            return Enclosure(2 * rho, 2 * rho)
        case GDP(mu):
            return Enclosure(mu * mu, mu * mu)
        case RenyiDP(alpha, epsilon):
            return Enclosure(2 * epsilon / alpha, 2 * epsilon / alpha)
        case ApproxDP(epsilon, delta):
            return _profile_budget(epsilon, delta, digits)
        case TotalVariation(delta):
            return _profile_budget(fmpq(0), delta, digits)
        case _:
            assert_never(guarantee)


def _profile_budget(epsilon: fmpq, delta: fmpq, digits: int) -> RhoBudget:
    if delta >= 1:
        return Unlimited()
    if delta <= 0:
        return Enclosure(fmpq(0), fmpq(0))
    guess = _guess_rho_star(epsilon, delta, digits)
    return decimal_bracket(lambda rho_star: profile_at_most(epsilon, rho_star, delta, digits), guess, digits)


def profile_at_most(epsilon: fmpq, rho_star: fmpq, delta: fmpq, digits: int = 15) -> bool | None:
    """Decide whether h_epsilon(rho_star) <= ``delta``, for ``rho_star`` >= 0.

    For ``delta`` > 1/2 the complements are compared, so that nothing cancels when both are close to 1. ``digits`` is
    how close the two sides are expected to be; only speed depends on it.

    Returns:
        True or False if proved, None if ``PRECISION_CAP`` bits cannot tell the two sides apart.
    """
    if rho_star == 0:
        return delta >= 0
    start = starting_precision(epsilon, rho_star, bits_of(digits))
    if 2 * delta <= 1:
        return decide_at_most(lambda: profile(arb(epsilon), arb(rho_star)), delta, start)
    return decide_at_most(lambda: -profile_complement(arb(epsilon), arb(rho_star)), delta - 1, start)


def _guess_rho_star(epsilon: fmpq, delta: fmpq, digits: int) -> arb:
    """Search for the root of h_epsilon(q) = delta; the result is a guess that the caller proves."""
    seed = at_precision(64, lambda: _seed_rho_star(arb(epsilon), delta))
    precision = starting_precision(epsilon, seed.fmpq(), bits_of(digits) + 16)
    return at_precision(precision, lambda: newton(_log_step(arb(epsilon), delta), seed, digits))


def _log_step(epsilon: arb, delta: fmpq) -> Callable[[arb], arb]:
    """Newton's step in log q for log h = log delta, or for log (1 - h) = log (1 - delta) if delta > 1/2."""
    if 2 * delta <= 1:
        return lambda q: (delta / (h := profile(epsilon, q))).log() * h / profile_log_slope(epsilon, q)
    return lambda q: ((h := profile_complement(epsilon, q)) / (1 - delta)).log() * h / profile_log_slope(epsilon, q)


def _seed_rho_star(epsilon: arb, delta: fmpq) -> arb:
    """Solve Phi(s/2 - epsilon/s) = delta with a crude quantile; h <= Phi(s/2 - epsilon/s) and h <= s / sqrt(2 pi)."""
    quantile = (-2 * arb(2 * min(delta, 1 - delta)).log()).nonnegative_part().sqrt()
    if 2 * delta > 1:
        s = quantile + (quantile * quantile + 2 * epsilon).sqrt()
    else:
        s = (2 * epsilon / (quantile + (quantile * quantile + 2 * epsilon).sqrt())) if epsilon > 0 else arb(0)
    s = s.max((2 * arb.pi()).sqrt() * delta)
    return (s * s).mid()
