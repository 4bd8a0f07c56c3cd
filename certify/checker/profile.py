"""Decisions about the privacy profile delta = h_epsilon(rho_star), and where it passes a given delta.

h increases strictly in rho_star and decreases strictly in epsilon (``certify.checker.normal``), so each equation
h = delta has one root at most. A search proposes it; both ends of the bracket returned are then decided by balls.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, fmpq

from certify.checker.adaptive import (
    PRECISION_CAP,
    at_precision,
    bits_of,
    decide_at_most,
    decimal_bracket,
    find_root,
    refine,
)
from certify.checker.enclosure import Enclosure
from certify.checker.normal import (
    profile,
    profile_complement,
    profile_log_slope,
    profile_slope_in_epsilon,
    starting_precision,
)


def profile_at_most(epsilon: fmpq, rho_star: fmpq, delta: fmpq, digits: int = 15) -> bool | None:
    """Decide whether h_epsilon(rho_star) <= ``delta``, for ``epsilon``, ``rho_star`` >= 0.

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


def rho_star_bracket(epsilon: fmpq, delta: fmpq, digits: int) -> Enclosure:
    """Return consecutive decimals with h_epsilon(lower) <= ``delta`` < h_epsilon(upper), for 0 < ``delta`` < 1.

    Raises:
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """
    guess = _guess_rho_star(epsilon, delta, digits)
    return decimal_bracket(lambda rho_star: profile_at_most(epsilon, rho_star, delta, digits), guess, digits)


def sigma_bracket(epsilon: fmpq, delta: fmpq, sensitivity: fmpq, digits: int) -> Enclosure:
    """Return consecutive decimals between which noise of scale sigma starts to be enough.

    That is h_epsilon((``sensitivity``/lower)^2) > ``delta`` >= h_epsilon((``sensitivity``/upper)^2), for
    ``sensitivity`` > 0 and 0 < ``delta`` < 1.

    Raises:
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """

    def too_small(sigma: fmpq) -> bool | None:
        return _negation(profile_at_most(epsilon, (sensitivity / sigma) ** 2, delta, digits))

    precision = bits_of(digits) + 32
    guess = at_precision(precision, lambda: sensitivity / _guess_rho_star(epsilon, delta, digits).sqrt())
    return decimal_bracket(too_small, guess, digits)


def epsilon_bracket(delta: fmpq, rho_star: fmpq, digits: int) -> Enclosure:
    """Return consecutive decimals with h_lower(rho_star) > ``delta`` >= h_upper(rho_star).

    For ``rho_star`` > 0 and 0 < ``delta`` < h_0(rho_star), so that the root is positive.

    Raises:
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """

    def too_small(epsilon: fmpq) -> bool | None:
        return _negation(profile_at_most(epsilon, rho_star, delta, digits))

    return decimal_bracket(too_small, _guess_epsilon(delta, rho_star, digits), digits)


def _negation(verdict: bool | None) -> bool | None:
    return None if verdict is None else not verdict


def _guess_rho_star(epsilon: fmpq, delta: fmpq, digits: int) -> arb:
    wide = min(starting_precision(epsilon, fmpq(1), 64), PRECISION_CAP)
    seed = at_precision(wide, lambda: _seed_rho_star(arb(epsilon), delta))
    precision = starting_precision(epsilon, seed.fmpq(), bits_of(digits) + 16)
    return find_root(lambda: _rho_star_step(arb(epsilon), delta), seed, digits, precision)


def _rho_star_step(epsilon: arb, delta: fmpq) -> Callable[[arb], arb]:
    """Newton's step in log q for log h = log delta, or for log (1 - h) = log (1 - delta) if delta > 1/2."""
    if 2 * delta <= 1:
        return lambda q: (delta / (h := profile(epsilon, q))).log() * h / profile_log_slope(epsilon, q)
    return lambda q: ((h := profile_complement(epsilon, q)) / (1 - delta)).log() * h / profile_log_slope(epsilon, q)


def _seed_rho_star(epsilon: arb, delta: fmpq) -> arb:
    """Solve Phi(s/2 - epsilon/s) = delta with a crude quantile; h <= Phi(s/2 - epsilon/s) and h <= s / sqrt(2 pi)."""
    quantile = _crude_quantile(delta)
    if 2 * delta > 1:
        s = quantile + (quantile * quantile + 2 * epsilon).sqrt()
    else:
        s = (2 * epsilon / (quantile + (quantile * quantile + 2 * epsilon).sqrt())) if epsilon > 0 else arb(0)
    s = s.max((2 * arb.pi()).sqrt() * delta)
    return (s * s).mid()


def _crude_quantile(delta: fmpq) -> arb:
    """Return x >= 0 with Phi(-x) about min(delta, 1 - delta)."""
    return (-2 * arb(2 * min(delta, 1 - delta)).log()).nonnegative_part().sqrt()


def _guess_epsilon(delta: fmpq, rho_star: fmpq, digits: int) -> arb:
    seed = refine(lambda: _seed_epsilon(delta, arb(rho_star)), 2, starting_precision(rho_star, rho_star, 64)).mid()
    exact = seed.fmpq()
    depth = max(int(exact.denominator.bit_length()) - int(exact.numerator.bit_length()), 0)
    precision = starting_precision(exact, rho_star, bits_of(digits) + 32) + depth
    return find_root(lambda: _epsilon_step(delta, arb(rho_star)), seed, digits, precision)


def _seed_epsilon(delta: fmpq, rho_star: arb) -> arb:
    """Start from the tangent of h at epsilon = 0 if it meets delta near 0, else from Phi(s/2 - epsilon/s) = delta.

    h is convex in e^epsilon, so the tangent in e^epsilon meets delta no later than h does.
    """
    zero, s = arb(0), rho_star.sqrt()
    excess = profile(zero, rho_star) - delta if 2 * delta <= 1 else (1 - delta) - profile_complement(zero, rho_star)
    tangent = (excess / -profile_slope_in_epsilon(zero, rho_star)).log1p()
    if 4 * tangent < s:
        return tangent
    quantile = _crude_quantile(delta)
    return (rho_star / 2 + s * (quantile if 2 * delta <= 1 else -quantile)).max(tangent)


def _epsilon_step(delta: fmpq, rho_star: arb) -> Callable[[arb], arb]:
    """Newton's step in epsilon for log h or log (1 - h), as a step of log epsilon that keeps epsilon positive."""

    def step(epsilon: arb) -> arb:
        slope = -profile_slope_in_epsilon(epsilon, rho_star)
        if 2 * delta <= 1:
            value = profile(epsilon, rho_star)
            move = (value / delta).log() * value / slope
        else:
            value = profile_complement(epsilon, rho_star)
            move = ((1 - delta) / value).log() * value / slope
        ratio = (1 + move / epsilon).mid()
        return ratio.log() if ratio > 0.25 or not ratio.is_finite() else arb(-1)

    return step
