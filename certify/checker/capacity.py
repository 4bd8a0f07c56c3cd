"""The capacity C(q) of the binary-input Gaussian channel, its slope and its inverse (theory.md section 6), rigorously.

With u = q/4 and Z standard normal, symmetrising the density of N(u, u) = e^{x - u/2} N(0, u) about 0 turns the
formulas of theory.md into Gaussian means of two even, positive functions:

    log 2 - C(q) = e^{-u/2} E[D(sqrt(u) Z)],        D(x) = x e^{-x} + cosh(x) log(1 + e^{-2x})  for x >= 0,
    C'(q)        = e^{-u/2} E[sech(sqrt(u) Z)] / 8.

Nothing cancels in either, so log 2 - C keeps its relative precision for large q. The second shows C' > 0 for every q.
For extreme q three elementary bounds save the work:

    q/8 (1 - q/8) <= C(q) <= q/8    from 1 - u <= 8 C' <= 1, because e^{-t} >= 1 - t and sech x >= 1 - x^2/2,
    log 2 - C(q) <= e^{-q/8}        from D(x) <= (1 + x) e^{-x} <= 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from certify.checker.adaptive import (
    MAGNITUDE_CAP,
    PRECISION_CAP,
    MagnitudeError,
    PrecisionExhaustedError,
    at_precision,
    bits_of,
    decide_at_most,
    decimal_bracket,
    find_root,
    rational_enclosure,
    refine,
    refine_enclosure,
)
from certify.checker.enclosure import Enclosure
from certify.checker.quadrature import gaussian_mean

CAPACITY_PRECISION_CAP = 1 << 12
"""Bits (about 1,200 decimal digits) beyond which no capacity is computed: a mean at so many takes seconds."""

_GUARD_BITS = 16
_PIECE_BITS = 24
_PIECES_CAP = 1 << 12


@dataclass(frozen=True, slots=True)
class SlopePiece:
    """For every q in [``lower``, ``upper``] the slope C'(q) lies in ``slope``."""

    lower: fmpq
    upper: fmpq
    slope: Enclosure


@dataclass(frozen=True, slots=True)
class Monotone:
    """A proof that C' > 0 on an interval: consecutive pieces that cover it, each with a positive slope."""

    pieces: tuple[SlopePiece, ...]

    @property
    def slope_lower(self) -> fmpq:
        """The positive number that C' is proved never to fall below on the whole interval."""
        return min(piece.slope.lower for piece in self.pieces)


def capacity(q: fmpq, digits: int = 15) -> Enclosure:
    """Return C(q) in nats, to ``digits`` significant digits, for q = rho_star >= 0.

    Sound because the Gaussian mean is enclosed with the error bound of ``certify.checker.quadrature``.

    Raises:
        ValueError: If ``q`` is negative.
        PrecisionExhaustedError: If ``CAPACITY_PRECISION_CAP`` bits do not suffice.
    """
    if _require_nonnegative(q) == 0:
        return Enclosure(fmpq(0), fmpq(0))
    start = _starting_precision_of_capacity(q, bits_of(digits))
    return refine_enclosure(lambda: _capacity_ball(arb(q)), digits, start, CAPACITY_PRECISION_CAP)


def capacity_complement(q: fmpq, digits: int = 15) -> Enclosure:
    """Return log 2 - C(q), what the channel still hides, to ``digits`` significant digits.

    Raises:
        ValueError: If ``q`` is negative.
        MagnitudeError: If the number, about e^{-q/8}, is too small to be written as a fraction.
    """
    _require_nonnegative(q)
    start = _starting_precision(_writable(q), bits_of(digits))
    return refine_enclosure(lambda: _complement_ball(arb(q)), digits, start, CAPACITY_PRECISION_CAP)


def capacity_derivative(q: fmpq, digits: int = 15) -> Enclosure:
    """Return C'(q) > 0 to ``digits`` significant digits; at q = 0 the one-sided derivative 1/8, exactly.

    Raises:
        ValueError: If ``q`` is negative.
        MagnitudeError: If the number, about e^{-q/8}, is too small to be written as a fraction.
    """
    if _require_nonnegative(q) == 0:
        return Enclosure(fmpq(1, 8), fmpq(1, 8))
    start = _starting_precision(_writable(q), bits_of(digits))
    return refine_enclosure(lambda: _slope_ball(arb(q)), digits, start, CAPACITY_PRECISION_CAP)


def capacity_at_most(q: fmpq, kappa: fmpq, digits: int = 15) -> bool | None:
    """Decide whether C(q) <= ``kappa``, for q >= 0.

    ``digits`` is how close the two sides are expected to be; only speed depends on it.

    Sound because it compares rationals, or balls. The elementary bounds of this module decide far from the boundary.
    From kappa = 1/3 on, log 2 - kappa <= log 2 - C(q) is decided, so that nothing cancels near log 2.

    Returns:
        True or False if proved, None if ``CAPACITY_PRECISION_CAP`` bits cannot tell the two sides apart.

    Raises:
        ValueError: If ``q`` is negative.
    """
    if _require_nonnegative(q) <= 8 * kappa:
        return True
    if q * (8 - q) > 64 * kappa:
        return False
    if 3 * kappa < 1:
        start = _starting_precision_of_capacity(q, bits_of(digits))
        return decide_at_most(lambda: _capacity_ball(arb(q)), kappa, start, CAPACITY_PRECISION_CAP)
    if not below_log_two(kappa):
        return True
    if at_precision(64, lambda: (-arb(q) / 8).exp() < _margin(kappa)):
        return False
    start = _starting_precision(q, bits_of(digits))
    return decide_at_most(lambda: _margin(kappa) - _complement_ball(arb(q)), fmpq(0), start, CAPACITY_PRECISION_CAP)


def below_log_two(kappa: fmpq) -> bool:
    """Decide whether ``kappa`` < log 2. The two are never equal: log 2 is irrational.

    Raises:
        PrecisionExhaustedError: If they agree to ``PRECISION_CAP`` bits.
    """
    verdict = decide_at_most(lambda: -arb.const_log2(), -kappa, 64)
    if verdict is None:
        raise PrecisionExhaustedError(f"{PRECISION_CAP} bits cannot tell kappa = {kappa} from log 2")
    return verdict


def inverse_capacity(kappa: fmpq, digits: int = 40) -> Enclosure:
    """Return the two consecutive decimals of ``digits`` significant digits between which C passes ``kappa``.

    Sound because C(lower) <= ``kappa`` < C(upper) is decided by balls, and C' > 0.

    Raises:
        ValueError: If ``kappa`` is not strictly between 0 and log 2.
        PrecisionExhaustedError: If ``CAPACITY_PRECISION_CAP`` bits cannot decide an end.
    """
    if kappa <= 0 or not below_log_two(kappa):
        raise ValueError(f"the capacity takes only values between 0 and log 2, not {kappa}")
    guess = _guess_q(kappa, digits)
    return decimal_bracket(lambda q: capacity_at_most(q, kappa, digits), guess, digits)


def monotone(lower: fmpq, upper: fmpq) -> Monotone:
    """Prove C' > 0 on the whole of [``lower``, ``upper``], by halving it until every piece has an informative slope.

    Sound because a piece is enclosed by the formula of this module at a ball that contains all of sqrt(u), while
    the factor e^{-u/2}, which decreases, is taken at the ends of the piece.

    Raises:
        ValueError: If not 0 <= ``lower`` < ``upper``.
        PrecisionExhaustedError: If more than 4096 pieces are needed.
        MagnitudeError: If the slope at ``upper``, about e^{-upper/8}, is too small to be written as a fraction.
    """
    if not 0 <= lower < upper:
        raise ValueError(f"an interval [{lower}, {upper}] with 0 <= lower < upper is needed")
    pieces: list[SlopePiece] = []
    pending = [(lower, upper)]
    while pending:
        left, right = pending.pop()
        slope = _slope_on(left, right)
        if slope is not None:
            pieces.append(SlopePiece(left, right, slope))
        elif len(pieces) + len(pending) < _PIECES_CAP:
            middle = (left + right) / 2
            pending += [(middle, right), (left, middle)]
        else:
            raise PrecisionExhaustedError(f"more than {_PIECES_CAP} pieces are needed for [{lower}, {upper}]")
    return Monotone(tuple(pieces))


def _slope_on(lower: fmpq, upper: fmpq) -> Enclosure | None:
    """Enclose C' on [lower, upper], or return None where the enclosure is too wide to say much."""

    def enclose() -> Enclosure | None:
        root = (arb(lower) / 4).sqrt().union((arb(upper) / 4).sqrt())
        mean = gaussian_mean(_sech, root, _PIECE_BITS) / 8
        if not mean.rad() < mean.mid() / 2:
            return None
        least, greatest = mean.lower() * (-arb(upper) / 8).exp(), mean.upper() * (-arb(lower) / 8).exp()
        return Enclosure(rational_enclosure(least).lower, rational_enclosure(greatest).upper)

    return at_precision(64, enclose)


def _guess_q(kappa: fmpq, digits: int) -> arb:
    """Search for the root of C(q) = kappa, first to half the digits; the result is a guess that the caller proves."""
    coarse_digits = digits // 2 + 3
    seed = at_precision(64, lambda: 8 * (arb(kappa) if 3 * kappa < 1 else (arb.const_log2() / _margin(kappa)).log()))
    coarse = _approach_q(kappa, seed, coarse_digits)
    return _approach_q(kappa, coarse, digits)


def _approach_q(kappa: fmpq, start: arb, digits: int) -> arb:
    precision = _starting_precision_of_capacity(8 * kappa, bits_of(digits) + 3 * _GUARD_BITS)
    return find_root(lambda: _log_step(kappa), start, digits, precision)


def _log_step(kappa: fmpq) -> Callable[[arb], arb]:
    """Newton's step in log q for log C = log kappa, or for log (log 2 - C) = log (log 2 - kappa) if kappa >= 1/3."""

    def small(q: arb) -> arb:
        value = _capacity_ball(q)
        return (kappa / value).log() * value / (q * _slope_ball(q))

    def large(q: arb) -> arb:
        value = _complement_ball(q)
        return (value / margin).log() * value / (q * _slope_ball(q))

    margin = _margin(kappa)
    return small if 3 * kappa < 1 else large


def _margin(kappa: fmpq) -> arb:
    """Return log 2 - kappa > 0 to the relative precision that the current precision stands for."""
    digits = max(int(ctx.prec / 3.33) - 2, 1)
    return refine(lambda: arb.const_log2() - kappa, digits, ctx.prec)


def _complement_ball(q: arb) -> arb:
    return (-q / 8).exp() * gaussian_mean(_hidden_nats, (q / 4).sqrt(), ctx.prec)


def _capacity_ball(q: arb) -> arb:
    """Enclose C(q), q > 0, by the elementary bounds where they are good to about half or all of the precision."""
    bits = ctx.prec
    if 8 * bits < q:
        return arb.const_log2() - (-q / 8).exp().union(arb(0))
    if q < arb(2) ** (-bits // 2):
        return (q / 8).union(q / 8 * (1 - q / 8))
    return arb.const_log2() - _complement_ball(q)


def _slope_ball(q: arb) -> arb:
    return (-q / 8).exp() * gaussian_mean(_sech, (q / 4).sqrt(), ctx.prec) / 8


# Both functions meet the hypotheses of the theorem in quadrature.py. They are even; cosh does not vanish for
# |Im x| < pi/2, so sech and D = cosh log(2 cosh) - x sinh are analytic there. For |Im x| <= 5/4 and X = Re x >= 0:
#   |sech x| <= 1/cos(5/4) < 4, because |cosh x|^2 = sinh(X)^2 + cos(Im x)^2;
#   w = e^{-2x} has |log(1 + w)| <= |w| / sin(5/2) < 2 e^{-2X}, so |D(x)| <= 2 cosh(X) e^{-2X} + (X + 5/4) e^{-X} < 4.
# For real x >= 0: sech x <= 2 e^{-x}, and D(x) <= cosh(x) e^{-2x} + x e^{-x} <= (1 + x) e^{-x}.


def _hidden_nats(x: arb) -> arb:
    """Return D(x)."""
    decay = (-x).exp()
    return x * decay + (decay + 1 / decay) / 2 * (decay * decay).log1p()


def _sech(x: arb) -> arb:
    decay = (-x).exp()
    return 2 * decay / (1 + decay * decay)


def _starting_precision(q: fmpq, bits: int) -> int:
    return bits + _GUARD_BITS + 2 * max(_log2(q), 0)


def _starting_precision_of_capacity(q: fmpq, bits: int) -> int:
    """Like ``_starting_precision``: the leading zeros of C(q) cost extra bits, until an elementary bound is better."""
    if 8 * bits < q:
        return bits + _GUARD_BITS
    start = _starting_precision(q, bits)
    return start + min(max(-_log2(q), 0), start)


def _writable(q: fmpq) -> fmpq:
    if q > 8 * MAGNITUDE_CAP:
        raise MagnitudeError(f"e^(-q/8) is too small to be written as a fraction for q = {arb(q).str(15)}")
    return q


def _log2(value: fmpq) -> int:
    return int(value.numerator.bit_length()) - int(value.denominator.bit_length())


def _require_nonnegative(q: fmpq) -> fmpq:
    if q < 0:
        raise ValueError(f"q is a squared length and must not be negative, not {q}")
    return q
