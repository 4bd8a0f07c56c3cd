"""How a tool lays a symmetric matrix out in a vector, and how to read it back exactly.

sqrt(2) is irrational: an entry that a tool multiplied by it in binary64 is read as the number that gives this entry
when it is multiplied again, the shortest one where there are several. It is never carried into exact data.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import nextafter, sqrt

from flint import fmpq

from certify.checker.exact import binary64_fraction

SQRT2 = sqrt(2.0)


class Convention(StrEnum):
    """The order and scaling of the entries of a symmetric matrix, always column by column."""

    LOWER_SQRT2 = "lower-sqrt2"
    UPPER_SQRT2 = "upper-sqrt2"
    LOWER_PLAIN = "lower-plain"
    UPPER_PLAIN = "upper-plain"
    FULL = "full"

    @property
    def is_scaled(self) -> bool:
        """Whether entries off the diagonal are multiplied by sqrt(2)."""
        return self in (Convention.LOWER_SQRT2, Convention.UPPER_SQRT2)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry of a vector stands in the matrix, row >= column, and the weight that the matrix entry carries.

    ``mirrored`` marks the upper copy of an entry that a full layout writes twice.
    """

    row: int
    column: int
    scaled: bool
    mirrored: bool


def vector_length(order: int, convention: Convention) -> int:
    """Return how many numbers a matrix of the given order takes."""
    return order * order if convention is Convention.FULL else order * (order + 1) // 2


def places(order: int, convention: Convention) -> list[Place]:
    """Return the place of every entry of the vector of a matrix of the given order."""
    match convention:
        case Convention.FULL:
            pairs = [(i, j) for j in range(order) for i in range(order)]
        case Convention.LOWER_SQRT2 | Convention.LOWER_PLAIN:
            pairs = [(i, j) for j in range(order) for i in range(j, order)]
        case Convention.UPPER_SQRT2 | Convention.UPPER_PLAIN:
            pairs = [(i, j) for j in range(order) for i in range(j + 1)]
    full = convention is Convention.FULL
    return [
        Place(max(i, j), min(i, j), scaled=convention.is_scaled and i != j, mirrored=full and i < j) for i, j in pairs
    ]


def exact_entry(value: float, *, scaled: bool) -> fmpq:
    """Return the matrix entry that a number of a vector stands for.

    Raises:
        ValueError: If the number is not finite.
    """
    return unscaled(value) if scaled else binary64_fraction(value)


def unscaled(value: float) -> fmpq:
    """Return the shortest binary64 number near ``value / sqrt(2)`` that times sqrt(2) rounds to ``value``.

    Where none does, the number was not made by that product, and the nearest one stands for it.
    """
    nearest = value / SQRT2
    near = (nearest, nextafter(nearest, float("inf")), nextafter(nearest, float("-inf")))
    exact = [binary64_fraction(candidate) for candidate in near if candidate * SQRT2 == value]
    return min(exact, key=lambda fraction: int(fraction.q)) if exact else binary64_fraction(nearest)
