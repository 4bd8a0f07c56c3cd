"""Whether an exact vector lies in a cone: decided by integers, and by balls for the transcendental cones.

Every function returns None where the vector is proved to lie in the cone, else an objection. Cones are closed under
positive scaling, so integer vectors stand for rational ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from flint import arb, fmpq, fmpz

from certify.checker.adaptive import at_precision
from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.checker.conic.objection import Objection

PRECISIONS = (64, 256, 1024, 4096)
EXACT_POWER = 64


def why_outside(cone: Cone, vector: Sequence[fmpz]) -> Objection | None:
    """Return None where a vector is proved to lie in a cone of vectors, else why not.

    Sound because each case is the definition of the cone in ``cones``: sums of squares and powers of integers are
    exact, and where a ball comparison comes out true it is true of the numbers inside.

    Raises:
        ValueError: If the cone is one of matrices.
    """
    match cone:
        case Free():
            return None
        case Zero():
            return _first(vector, lambda entry: entry != 0, "is not zero")
        case Nonnegative():
            return _first(vector, lambda entry: entry < 0, "is negative")
        case SecondOrder() | Rotated():
            return _why_outside_quadratic(cone, vector)
        case Exponential() | DualExponential() | Power() | DualPower():
            return _why_outside_curved(cone, vector)
        case PositiveSemidefinite():
            raise ValueError("matrices are not vectors")
    assert_never(cone)


def _first(vector: Sequence[fmpz], is_bad: Callable[[fmpz], bool], what: str) -> Objection | None:
    bad = next((i for i, entry in enumerate(vector, 1) if is_bad(entry)), None)
    return None if bad is None else Objection(f"entry {bad} {what}")


def _why_outside_quadratic(cone: SecondOrder | Rotated, vector: Sequence[fmpz]) -> Objection | None:
    match cone:
        case SecondOrder():
            head, square, rest = [vector[0]], vector[0] ** 2, vector[1:]
        case Rotated():
            head, square, rest = list(vector[:2]), 2 * vector[0] * vector[1], vector[2:]
        case _:
            assert_never(cone)
    if any(entry < 0 for entry in head):
        return Objection("a leading entry is negative")
    excess = sum((entry**2 for entry in rest), fmpz(0)) - square
    return Objection("the norm of the rest exceeds what the leading entries allow") if excess > 0 else None


def _why_outside_curved(cone: Exponential | DualExponential | Power | DualPower, v: Sequence[fmpz]) -> Objection | None:
    x, y, z = v
    match cone:
        case Exponential():
            return _why_outside_exponential(y, x, z, fmpq(0))
        case DualExponential():
            return _why_outside_exponential(-x, -y, z, fmpq(1))
        case Power(alpha):
            return _why_outside_power(alpha, x, y, z)
        case DualPower(alpha):
            p, rest, q = alpha.p, alpha.q - alpha.p, alpha.q
            return _why_outside_power(alpha, x * q * rest, y * q * p, z * p * rest)
    assert_never(cone)


def _why_outside_exponential(scale: fmpz, slope: fmpz, z: fmpz, shift: fmpq) -> Objection | None:
    """Decide the closure of ``scale > 0, scale exp(slope / scale - shift) <= z``."""
    if scale < 0 or z < 0:
        return Objection("an entry has the wrong sign")
    if scale == 0:
        return Objection("the boundary ray has the wrong sign") if slope > 0 else None
    exponent = fmpq(slope, scale) - shift
    false = Objection("the exponential exceeds its bound")
    if exponent == 0:
        return false if scale > z else None
    return _by_balls(lambda: arb(scale) * arb(exponent).exp(), lambda: arb(z), false)


def _why_outside_power(alpha: fmpq, x: fmpz, y: fmpz, z: fmpz) -> Objection | None:
    if x < 0 or y < 0:
        return Objection("an entry has the wrong sign")
    if z == 0:
        return None
    false = Objection("the power mean falls short of the last entry")
    if x == 0 or y == 0:
        return false
    if alpha.q <= EXACT_POWER:
        p, q = int(alpha.p), int(alpha.q)
        return None if x**p * y ** (q - p) >= abs(z) ** q else false
    return _by_balls(
        lambda: arb(abs(z)).log(), lambda: arb(alpha) * arb(x).log() + arb(1 - alpha) * arb(y).log(), false
    )


def _by_balls(small: Callable[[], arb], large: Callable[[], arb], false: Objection) -> Objection | None:
    """Return None where ``small <= large`` is proved, ``false`` where the contrary is, else that neither is."""
    for precision in PRECISIONS:
        left, right = at_precision(precision, small), at_precision(precision, large)
        if left <= right:
            return None
        if left > right:
            return false
    return Objection(f"balls of {PRECISIONS[-1]} bits cannot tell whether the point lies inside", None)
