"""The formulas of theory.md once more, in mpmath: a root of its own to compare the checker with.

Each follows the text of theory.md literally, not the rearranged form the checker evaluates.
"""

from collections.abc import Callable

import mpmath
from flint import fmpq


def fraction(value: fmpq) -> mpmath.mpf:
    """The rational at mpmath's current precision."""
    return mpmath.mpf(int(value.numerator)) / int(value.denominator)


def enough_digits(delta: fmpq) -> int:
    """Digits that survive the cancellation in ``profile`` when it is compared with delta, and 90 more."""
    return 90 + len(str(delta.denominator))


def profile(epsilon: fmpq, rho_star: fmpq) -> mpmath.mpf:
    """h_epsilon(rho_star) at the current precision, which must exceed what the difference cancels."""
    e, s = fraction(epsilon), mpmath.sqrt(fraction(rho_star))
    return _phi(s / 2 - e / s) - mpmath.exp(e) * _phi(-s / 2 - e / s)


def profile_complement(epsilon: fmpq, rho_star: fmpq) -> mpmath.mpf:
    """1 - h_epsilon(rho_star), where nothing cancels."""
    e, s = fraction(epsilon), mpmath.sqrt(fraction(rho_star))
    return _phi(e / s - s / 2) + mpmath.exp(e) * _phi(-s / 2 - e / s)


def _phi(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def capacity(q: fmpq) -> mpmath.mpf:
    """log 2 - E[log(1 + exp(-2 a (a + Z)))] with a = sqrt(q)/2, by quadrature."""
    a = mpmath.sqrt(fraction(q)) / 2
    return mpmath.log(2) - _mean(lambda z: mpmath.log1p(mpmath.exp(-2 * a * (a + z))), a)


def capacity_derivative(q: fmpq) -> mpmath.mpf:
    """mmse(q/4)/8 with mmse(u) = 1 - E[tanh(u + sqrt(u) Z)], by quadrature of sech^2."""
    u = fraction(q) / 4
    root = mpmath.sqrt(u)
    return _mean(lambda z: mpmath.sech(u + root * z) ** 2, root) / 8


def _mean(function: Callable[[mpmath.mpf], mpmath.mpf], centre: mpmath.mpf) -> mpmath.mpf:
    """E[function(Z)]. Both integrands bend most at z = -centre, where their argument is 0.

    Beyond ``reach`` either is below 10^-dps.
    """
    reach = mpmath.sqrt(2 * mpmath.log(10) * mpmath.mp.dps) + 1
    points = [-centre - reach, -centre, mpmath.mpf(0), reach] if centre > 1 else [-centre - reach, -centre / 2, reach]
    return mpmath.quad(lambda z: mpmath.npdf(z) * function(z), points)
