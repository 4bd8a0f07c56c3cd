"""Deciding inequalities and bracketing roots with Arb balls whose precision grows until the answer is proved.

A ball contains the real number it stands for, whatever its radius. So a comparison of balls that comes out true is
a theorem at any precision; precision only decides whether the comparison comes out at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from flint import arb, ctx, fmpq, fmpz

from certify.checker.enclosure import Enclosure, exact_fraction

PRECISION_CAP = 1 << 16
"""Bits (about 19,700 decimal digits) beyond which no computation of this package goes."""

MAGNITUDE_CAP = 1 << 25
"""The largest binary exponent (about 10 million decimal digits) of a ball that is turned into a fraction."""

_BITS_PER_DIGIT = 3.3219280948873626
_NEWTON_STEPS = 100

T = TypeVar("T")


class PrecisionExhaustedError(ArithmeticError):
    """A question stayed open at ``PRECISION_CAP`` bits: two numbers not told apart, or digits or a root not reached."""


class MagnitudeError(ArithmeticError):
    """A number is too large or too small for its fraction to be written down; its ball still has it exactly."""


def bits_of(digits: int) -> int:
    """Return how many bits carry ``digits`` significant decimal digits, with four to spare.

    Raises:
        ValueError: If ``digits`` is not positive.
        PrecisionExhaustedError: If that is more than ``PRECISION_CAP``.
    """
    if digits < 1:
        raise ValueError(f"at least one significant digit is needed, not {digits}")
    bits = int(digits * _BITS_PER_DIGIT) + 5
    if bits > PRECISION_CAP:
        raise PrecisionExhaustedError(f"{digits} significant digits exceed the {PRECISION_CAP} bits allowed")
    return bits


def at_precision(precision: int, evaluate: Callable[[], T]) -> T:
    """Return ``evaluate()`` with Arb working at ``precision`` bits, and put the old precision back.

    The precision belongs to the whole process (python-flint keeps one per process): one thread at a time.
    """
    saved = ctx.prec
    ctx.prec = precision
    try:
        return evaluate()
    finally:
        ctx.prec = saved


def precisions(start: int, cap: int) -> Iterator[int]:
    """Yield ``start``, then twice as many bits each time, and ``cap`` last."""
    precision = start
    while precision < cap:
        yield precision
        precision *= 2
    yield cap


def refine(evaluate: Callable[[], arb], digits: int, start: int, cap: int = PRECISION_CAP) -> arb:
    """Return the first ball of growing precision that fixes ``digits`` significant digits.

    Raises:
        PrecisionExhaustedError: If ``cap`` bits do not suffice.
    """
    wanted = bits_of(digits)
    for precision in precisions(start, cap):
        ball = at_precision(precision, evaluate)
        if ball.rel_accuracy_bits() >= wanted:
            return ball
    raise PrecisionExhaustedError(f"{cap} bits do not give {digits} significant digits; ask for fewer")


def refine_enclosure(evaluate: Callable[[], arb], digits: int, start: int, cap: int = PRECISION_CAP) -> Enclosure:
    """Return rational ends around what ``evaluate`` encloses, that agree to ``digits`` significant digits.

    Raises:
        PrecisionExhaustedError: If ``cap`` bits do not suffice.
        MagnitudeError: If the number is below 2^-``MAGNITUDE_CAP`` or above 2^``MAGNITUDE_CAP``.
    """
    wanted = bits_of(digits)
    saved = ctx.prec
    try:
        for precision in precisions(start, cap):
            ctx.prec = precision
            ball = evaluate()
            if ball.rel_accuracy_bits() >= wanted:
                return rational_enclosure(ball)
    finally:
        ctx.prec = saved
    raise PrecisionExhaustedError(f"{cap} bits do not give {digits} significant digits; ask for fewer")


def rational_enclosure(ball: arb) -> Enclosure:
    """Return rational ends that contain the ball, refusing numbers whose fractions would fill the memory.

    Sound because Arb's ``lower`` and ``upper`` round outward, at the current precision.

    Raises:
        MagnitudeError: If an end is nonzero and beyond 2^-``MAGNITUDE_CAP`` or 2^``MAGNITUDE_CAP``.
        ValueError: If the ball is not finite.
    """
    lower, upper = ball.lower(), ball.upper()
    if not ball.is_finite():
        raise ValueError(f"{ball} has no rational ends")
    if max(abs(lower.man_exp()[1]), abs(upper.man_exp()[1])) > MAGNITUDE_CAP:
        raise MagnitudeError(f"{ball.str(15)} is too extreme to be written as a fraction; ask for its ball instead")
    return Enclosure(lower.fmpq(), upper.fmpq())


def decide_at_most(evaluate: Callable[[], arb], bound: fmpq, start: int, cap: int = PRECISION_CAP) -> bool | None:
    """Decide whether the number that ``evaluate`` encloses is at most ``bound``.

    Sound because ``ball <= bound`` holds for Arb only if it holds for every number in the ball, and likewise ``>``.

    Returns:
        True or False if proved, None if ``cap`` bits cannot tell the two numbers apart.
    """

    def compare() -> bool | None:
        ball = evaluate()
        if ball <= bound:
            return True
        return False if ball > bound else None

    for precision in precisions(start, cap):
        verdict = at_precision(precision, compare)
        if verdict is not None:
            return verdict
    return None


def decimal_bracket(at_most: Callable[[fmpq], bool | None], approximate: arb, digits: int) -> Enclosure:
    """Return the two consecutive decimals of ``digits`` significant digits that separate where ``at_most`` flips.

    ``at_most`` must be true below a positive number and false above it; ``approximate`` is a guess at that number,
    and is not trusted: it costs a failure if it is off by more than a few units in the last digit.

    Sound because both ends are decided by ``at_most`` itself.

    Raises:
        PrecisionExhaustedError: If ``at_most`` cannot decide one of the ends, or the guess is too far off.
    """
    numerator, exponent = _leading_digits(exact_fraction(approximate.mid()), digits)
    for _ in range(16):
        lower = _decimal(numerator, exponent)
        below, above = at_most(lower), at_most(_decimal(numerator + 1, exponent))
        if below is None or above is None:
            raise PrecisionExhaustedError(f"cannot tell whether {approximate.str(15)} is on the boundary")
        if below and not above:
            return Enclosure(lower, _decimal(numerator + 1, exponent))
        numerator, exponent = _normalise(numerator + (1 if below else -1), exponent, digits)
    raise PrecisionExhaustedError(f"the guess {approximate.str(15)} is too far from the number sought")


def find_root(log_step: Callable[[], Callable[[arb], arb]], start: arb, digits: int, precision: int) -> arb:
    """Return an approximation, to about ``digits`` digits, to a positive root, by Newton's iteration for its logarithm.

    A search: nothing is claimed about the result, and the caller proves what it needs.

    Args:
        log_step: Builds, at the current precision, the map from x to the Newton step of log x.
        start: Where to begin.
        digits: How close to come; the last step is quadratically small and is accepted unseen.
        precision: Bits to work at; doubled up to three times where that does not do.

    Raises:
        PrecisionExhaustedError: If the iteration does not settle.
    """
    settled = fmpq(1, fmpz(1) << (bits_of(digits) // 2 + 8))
    for bits in precisions(min(precision, PRECISION_CAP), min(8 * precision, PRECISION_CAP)):
        root = at_precision(bits, lambda: _newton(log_step(), start.mid(), settled))
        if root is not None:
            return root
    raise PrecisionExhaustedError(f"Newton's iteration from {start.str(15)} did not settle")


def _newton(log_step: Callable[[arb], arb], root: arb, settled: fmpq) -> arb | None:
    for _ in range(_NEWTON_STEPS):
        step = log_step(root).mid()
        if not step.is_finite():
            return None
        root = (root * step.min(arb(1)).max(arb(-1)).exp()).mid()
        if abs(step) < settled:
            return root
    return None


def _leading_digits(value: fmpq, digits: int) -> tuple[fmpz, int]:
    """Return (n, e) with 10^(digits-1) <= n < 10^digits and n 10^e the positive ``value`` rounded down."""
    magnitude = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = int(magnitude / _BITS_PER_DIGIT) - digits - 1
    numerator = (value / fmpq(10) ** exponent).floor()
    while numerator >= fmpz(10) ** digits:
        numerator, exponent = numerator // 10, exponent + 1
    return numerator, exponent


def _normalise(numerator: fmpz, exponent: int, digits: int) -> tuple[fmpz, int]:
    if numerator >= fmpz(10) ** digits:
        return numerator // 10, exponent + 1
    if numerator < fmpz(10) ** (digits - 1):
        return numerator * 10 + 9, exponent - 1
    return numerator, exponent


def _decimal(numerator: fmpz, exponent: int) -> fmpq:
    return fmpq(numerator) * fmpq(10) ** exponent
