"""The exact trade-off of Gaussian noise, h_epsilon(q) of theory.md section 3, as Arb balls.

With s = sqrt(q) and Phi(x) = erfc(-x / sqrt 2) / 2,

    h_epsilon(q)     = (erfc(x - y) - e^epsilon erfc(x + y)) / 2,      x = epsilon / (s sqrt 2),  y = s / (2 sqrt 2),
    1 - h_epsilon(q) = (erfc(y - x) + e^epsilon erfc(x + y)) / 2,
    h_epsilon'(q)    = phi(s/2 - epsilon/s) / (2 s) > 0    for q > 0,

so h is strictly increasing in q, from 0 at q = 0 to 1. It is strictly decreasing in epsilon, with derivative
-e^epsilon erfc(x + y) / 2. Everything here works at the current precision and holds at any.
"""

from __future__ import annotations

from flint import arb, fmpq

GUARD_BITS = 16
_LARGE = 256


def profile(epsilon: arb, rho_star: arb) -> arb:
    """Return a ball around delta = h_epsilon(rho_star), for ``epsilon`` >= 0 and ``rho_star`` > 0."""
    far, near = _arguments(epsilon, rho_star)
    if epsilon.is_zero():
        return far.erf()
    return (_erfc(near) - epsilon.exp() * _erfc(far)) / 2


def profile_complement(epsilon: arb, rho_star: arb) -> arb:
    """Return a ball around 1 - delta, to full relative precision, for ``epsilon`` >= 0 and ``rho_star`` > 0."""
    far, near = _arguments(epsilon, rho_star)
    if epsilon.is_zero():
        return _erfc(far)
    return (_erfc(-near) + epsilon.exp() * _erfc(far)) / 2


def profile_log_slope(epsilon: arb, rho_star: arb) -> arb:
    """Return a ball around rho_star h_epsilon'(rho_star), the derivative of delta in log rho_star."""
    _, near = _arguments(epsilon, rho_star)
    return (rho_star / (8 * arb.pi())).sqrt() * (-near * near).exp()


def profile_slope_in_epsilon(epsilon: arb, rho_star: arb) -> arb:
    """Return a ball around the derivative of delta in epsilon, which is negative."""
    far, _ = _arguments(epsilon, rho_star)
    return -epsilon.exp() * _erfc(far) / 2


def starting_precision(epsilon: fmpq, rho_star: fmpq, bits: int) -> int:
    """Return a precision that nearly always gives ``profile`` to ``bits`` bits; only speed depends on it.

    The two terms of h agree to about log2((1 + epsilon/s)/s) bits, and erfc turns a relative error of its argument z
    into one z^2 times larger.
    """
    half_log = _log2(rho_star) // 2
    ratio = max(_log2(epsilon) - half_log, 0)
    return bits + GUARD_BITS + max(ratio - half_log, 0) + 2 * max(ratio, half_log, 0)


def _arguments(epsilon: arb, rho_star: arb) -> tuple[arb, arb]:
    y = (rho_star / 8).sqrt()
    x = epsilon / (4 * y)
    return x + y, x - y


def _erfc(x: arb) -> arb:
    """Return erfc(x) for the whole ball, without the bits that Arb loses to the radius of a large argument.

    Sound because erfc(t) >= 2 e^{-t^2} / (sqrt(pi) (t + sqrt(t^2 + 2))) for t >= 0 (Birnbaum's inequality), so the
    logarithm of erfc changes by at most t + sqrt(t^2 + 2) <= 2 t + 2 per unit.
    """
    if not x > _LARGE:
        return x.erfc()
    change = x.rad() * (2 * (x.mid() + x.rad()) + 2)
    return x.mid().erfc() * arb(0, change.upper()).exp()


def _log2(value: fmpq) -> int:
    return value.p.bit_length() - value.q.bit_length()
