"""Rational enclosures of real numbers, and the passage from Arb balls to them."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq, fmpz


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A proof-carrying pair: the real number meant lies in ``[lower, upper]``, both ends rational."""

    lower: fmpq
    upper: fmpq

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"an enclosure needs lower <= upper, not {self.lower} > {self.upper}")

    @property
    def is_exact(self) -> bool:
        """Whether both ends coincide, so that the number is known exactly."""
        return self.lower == self.upper


def exact_fraction(ball: arb) -> fmpq:
    """Return the dyadic rational that an exact, finite ball is.

    Raises:
        ValueError: If the ball has a radius or is not finite.
    """
    if not (ball.is_exact() and ball.is_finite()):
        raise ValueError(f"{ball} is not one finite number")
    mantissa, exponent = ball.man_exp()
    power = int(exponent)
    return fmpq(mantissa * fmpz(2) ** power) if power >= 0 else fmpq(mantissa, fmpz(2) ** -power)


def enclosure_of(ball: arb) -> Enclosure:
    """Return rational ends that contain the whole ball (Arb's ``lower`` and ``upper`` round outward).

    Raises:
        ValueError: If the ball is not finite.
    """
    return Enclosure(exact_fraction(ball.lower()), exact_fraction(ball.upper()))
