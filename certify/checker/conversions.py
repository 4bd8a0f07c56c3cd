"""The best parameter of each notion of privacy that a rho_star implies, and back to noise (theory.md section 3)."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, fmpq

from certify.checker.adaptive import bits_of, refine, refine_enclosure
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import RenyiDP
from certify.checker.normal import profile, profile_complement, starting_precision
from certify.checker.profile import epsilon_bracket, profile_at_most, sigma_bracket


def privacy_profile(epsilon: fmpq, rho_star: fmpq, digits: int = 15) -> Enclosure:
    """Return the smallest delta with (``epsilon``, delta)-differential privacy, to ``digits`` significant digits.

    Sound because delta = h_epsilon(rho_star) exactly (theory.md section 3), enclosed by a ball.

    Raises:
        ValueError: If ``epsilon`` or ``rho_star`` is negative.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits do not suffice.
        MagnitudeError: If delta is below 2^-``MAGNITUDE_CAP``: ask for ``privacy_profile_ball``.
    """
    if _reveals_nothing(epsilon, rho_star):
        return Enclosure(fmpq(0), fmpq(0))
    start = starting_precision(epsilon, rho_star, bits_of(digits))
    return refine_enclosure(lambda: profile(arb(epsilon), arb(rho_star)), digits, start)


def privacy_profile_complement(epsilon: fmpq, rho_star: fmpq, digits: int = 15) -> Enclosure:
    """Return 1 - delta to ``digits`` significant digits, however close to 1 the delta of ``privacy_profile`` is.

    Raises:
        ValueError: If ``epsilon`` or ``rho_star`` is negative.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits do not suffice.
        MagnitudeError: If the number is below 2^-``MAGNITUDE_CAP``.
    """
    if _reveals_nothing(epsilon, rho_star):
        return Enclosure(fmpq(1), fmpq(1))
    start = starting_precision(epsilon, rho_star, bits_of(digits))
    return refine_enclosure(lambda: profile_complement(arb(epsilon), arb(rho_star)), digits, start)


def privacy_profile_ball(epsilon: fmpq, rho_star: fmpq, digits: int = 15) -> arb:
    """Return a ball around the delta of ``privacy_profile``: of any size, such as 1e-138974234051.

    Raises:
        ValueError: If ``epsilon`` or ``rho_star`` is negative.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits do not suffice.
    """
    if _reveals_nothing(epsilon, rho_star):
        return arb(0)
    start = starting_precision(epsilon, rho_star, bits_of(digits))
    return refine(lambda: profile(arb(epsilon), arb(rho_star)), digits, start)


def epsilon_of(delta: fmpq, rho_star: fmpq, digits: int = 15) -> Enclosure:
    """Return the smallest epsilon >= 0 with (epsilon, ``delta``)-differential privacy.

    Exactly 0 if ``delta`` is at least the total variation. Otherwise two consecutive decimals of ``digits``
    significant digits: the guarantee holds at ``upper`` and fails at ``lower``.

    Sound because both ends are decided by balls, and h decreases in epsilon.

    Raises:
        ValueError: If ``rho_star`` is negative, or ``delta`` is not positive while ``rho_star`` is: no finite epsilon.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """
    if _require_nonnegative("rho_star", rho_star) > 0 >= delta:
        raise ValueError(f"Gaussian noise has no finite epsilon at delta = {delta}; use a positive delta")
    if delta >= 1 or profile_at_most(fmpq(0), rho_star, delta):
        return Enclosure(fmpq(0), fmpq(0))
    return epsilon_bracket(delta, rho_star, digits)


def minimal_sigma(epsilon: fmpq, delta: fmpq, sensitivity: fmpq, digits: int = 17) -> Enclosure:
    """Return the smallest sigma of noise N(0, sigma^2 I) that makes a release of that sensitivity private.

    Exactly 0 if there is nothing to protect (``sensitivity`` = 0 or ``delta`` >= 1). Otherwise two consecutive decimals
    of ``digits`` significant digits: ``upper`` is proved to be enough, ``lower`` is proved not to be.

    Sound because rho_star = (sensitivity/sigma)^2, both ends are decided by balls, and h' > 0 (theory.md section 3).

    Raises:
        ValueError: If ``epsilon`` or ``sensitivity`` is negative, or ``delta`` <= 0 < ``sensitivity``: no sigma does.
        PrecisionExhaustedError: If ``PRECISION_CAP`` bits cannot decide an end.
    """
    _require_nonnegative("epsilon", epsilon)
    if _require_nonnegative("the sensitivity", sensitivity) == 0 or delta >= 1:
        return Enclosure(fmpq(0), fmpq(0))
    if delta <= 0:
        raise ValueError(f"no Gaussian noise reaches delta = {delta}; use a positive delta")
    return sigma_bracket(epsilon, delta, sensitivity, digits)


def total_variation(rho_star: fmpq, digits: int = 15) -> Enclosure:
    """Return the total variation distance between neighbours, 2 Phi(sqrt(rho_star)/2) - 1 = h_0(rho_star)."""
    return privacy_profile(fmpq(0), rho_star, digits)


def renyi_divergence(alpha: fmpq, rho_star: fmpq) -> fmpq:
    """Return the Renyi divergence of order ``alpha`` >= 1 between neighbours, exactly: alpha rho_star / 2 nats.

    Raises:
        ValueError: If ``alpha`` < 1 or ``rho_star`` < 0.
    """
    return RenyiDP(alpha, alpha * _require_nonnegative("rho_star", rho_star) / 2).epsilon


def gdp_mu(rho_star: fmpq, digits: int = 15) -> Enclosure:
    """Return the Gaussian parameter mu = sqrt(rho_star), exactly where it is rational.

    Raises:
        ValueError: If ``rho_star`` is negative.
    """
    _require_nonnegative("rho_star", rho_star)
    if rho_star.numerator.is_square() and rho_star.denominator.is_square():
        mu = fmpq(rho_star.numerator.isqrt(), rho_star.denominator.isqrt())
        return Enclosure(mu, mu)
    return refine_enclosure(lambda: arb(rho_star).sqrt(), digits, bits_of(digits) + 8)


def zcdp_epsilon(delta: fmpq, rho_star: fmpq, digits: int = 15) -> Enclosure:
    """Return what the generic conversion from zCDP says, rho_star/2 + sqrt(2 rho_star log(1/delta)).

    For comparison only (theory.md section 3): true of every zCDP mechanism, so above ``epsilon_of`` for this one.

    Raises:
        ValueError: If ``rho_star`` is negative or ``delta`` is outside (0, 1].
    """
    if not 0 < delta <= 1:
        raise ValueError(f"the conversion needs a delta in (0, 1], not {delta}")
    if _require_nonnegative("rho_star", rho_star) == 0 or delta == 1:
        return Enclosure(rho_star / 2, rho_star / 2)

    def convert() -> arb:
        return arb(rho_star) / 2 + (-2 * arb(rho_star) * arb(delta).log()).sqrt()

    return refine_enclosure(convert, digits, bits_of(digits) + 16)


def image(conversion: Callable[[fmpq], Enclosure], rho_star: Enclosure) -> Enclosure:
    """Return an enclosure of ``conversion`` over all of ``rho_star``, for a conversion that does not decrease in it."""
    return Enclosure(conversion(rho_star.lower).lower, conversion(rho_star.upper).upper)


def _reveals_nothing(epsilon: fmpq, rho_star: fmpq) -> bool:
    _require_nonnegative("epsilon", epsilon)
    return not _require_nonnegative("rho_star", rho_star)


def _require_nonnegative(name: str, value: fmpq) -> fmpq:
    if value.p < 0:
        raise ValueError(f"{name} must not be negative, not {value}")
    return value
