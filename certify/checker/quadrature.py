"""Means of even functions under the standard normal law, by the trapezoidal rule with a proved error bound.

Theorem. Let F be even and analytic for |Im x| < 5/4 and a little beyond, |F| <= 4 there, and
|F(x)| <= 2 (1 + |x|) e^{-|x|} for real x. Let r >= 0, beta > 0 with r beta <= 5/4, h > 0 and N >= 1. With
phi the normal density, f(z) = phi(z) F(r z), X standard normal, Z = N h and T = r Z,

    | E[F(r X)] - h (f(0) + 2 f(h) + ... + 2 f(N h)) |
        <=  8 e^{beta^2/2} / (e^{2 pi beta/h} - 1)  +  2 (1 + T) e^{-T} erfc(Z / sqrt 2).

Proof. f is analytic for |Im z| <= beta, and there the integral of |f| along a horizontal line is at most
M = 4 e^{beta^2/2}, since |phi(x + iy)| = phi(x) e^{y^2/2}. By Poisson's summation formula the infinite sum differs
from the integral by the Fourier transform of f at the nonzero multiples of 2 pi/h; moving the line of integration
by beta bounds the k-th one by M e^{-2 pi beta |k|/h}, and the geometric series is the first term. (This is
Theorem 5.1 of Trefethen and Weideman, The exponentially convergent trapezoidal rule, SIAM Review 56, 2014.)
The terms left out are at most 2 (1 + T) e^{-T} phi(z), because (1 + x) e^{-x} and phi decrease, so each tail of the sum
is at most 2 (1 + T) e^{-T} times the integral of phi beyond Z.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

_STRIP = 1.25


def gaussian_mean(even_function: Callable[[arb], arb], root: arb, bits: int) -> arb:
    """Return a ball around E[F(``root`` Z)], Z standard normal, for F as in the theorem of this module.

    Args:
        even_function: F on balls of nonnegative reals.
        root: A ball of nonnegative numbers; the result encloses the mean for every one of them.
        bits: The truncation error is about 2^-``bits``. The width and the nodes are chosen for that, freely: the
            error added to the result is the theorem's, evaluated for what was chosen.
    """
    beta, width, count = _choose(root.upper(), bits)
    total = even_function(arb(0)) / 2
    for index in range(1, count + 1):
        node = width * index
        total += (-node * node / 2).exp() * even_function(root * node)
    mean = total * width * (2 / arb.pi()).sqrt()
    return mean + arb(0, _error(root, beta, width, width * count).upper())


def _error(root: arb, beta: arb, width: arb, last: arb) -> arb:
    discretisation = 8 * (beta * beta / 2).exp() / ((2 * arb.pi() * beta / width).exp() - 1)
    reach = root * last
    return discretisation + 2 * (1 + reach) * (-reach).exp() * (last / arb(2).sqrt()).erfc()


def _choose(largest_root: arb, bits: int) -> tuple[arb, arb, int]:
    """Return (beta, h, N) that balance the two errors; only beta has a condition, and its lower end meets it."""
    nats = arb(bits) * arb.const_log2()
    gaussian_reach = (2 * nats).sqrt()
    if not largest_root > 0:
        beta, last = gaussian_reach.lower(), gaussian_reach
    else:
        beta = gaussian_reach.min(_STRIP / largest_root).lower()
        last = gaussian_reach.min(nats / largest_root)
    width = (2 * arb.pi() * beta / (nats + beta * beta / 2)).mid()
    return beta, width, int(float(last / width)) + 1
