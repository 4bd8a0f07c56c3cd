"""The cones whose products a conic program is about, and their duals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import fmpq

SIZE_LIMIT = 10_000_000


@dataclass(frozen=True, slots=True)
class Free:
    """All of R^size. Its dual is ``Zero``: free coordinates of X are equations of the dual program."""

    size: int

    def __post_init__(self) -> None:
        _require_size(self.size)


@dataclass(frozen=True, slots=True)
class Zero:
    """The origin of R^size. Its dual is ``Free``."""

    size: int

    def __post_init__(self) -> None:
        _require_size(self.size)


@dataclass(frozen=True, slots=True)
class Nonnegative:
    """The vectors of R^size without a negative entry; self-dual."""

    size: int

    def __post_init__(self) -> None:
        _require_size(self.size)


@dataclass(frozen=True, slots=True)
class SecondOrder:
    """The ``(t, x)`` in R^size with ``t >= |x|_2``; self-dual."""

    size: int

    def __post_init__(self) -> None:
        _require_size(self.size)


@dataclass(frozen=True, slots=True)
class Rotated:
    """The ``(u, v, x)`` in R^size with ``u, v >= 0`` and ``2 u v >= |x|_2^2``; self-dual."""

    size: int

    def __post_init__(self) -> None:
        _require_size(self.size, least=2)


@dataclass(frozen=True, slots=True)
class PositiveSemidefinite:
    """The PSD symmetric matrices of the given order, with the trace inner product; self-dual."""

    size: int

    def __post_init__(self) -> None:
        _require_size(self.size)


@dataclass(frozen=True, slots=True)
class Exponential:
    """The closure of the ``(x, y, z)`` with ``y > 0`` and ``y exp(x / y) <= z``."""


@dataclass(frozen=True, slots=True)
class DualExponential:
    """The closure of the ``(u, v, w)`` with ``u < 0`` and ``-u exp(v / u) <= e w``: the dual of ``Exponential``."""


@dataclass(frozen=True, slots=True)
class Power:
    """The ``(x, y, z)`` with ``x, y >= 0`` and ``x^alpha y^(1 - alpha) >= |z|``, for ``0 < alpha < 1``."""

    alpha: fmpq

    def __post_init__(self) -> None:
        _require_exponent(self.alpha)


@dataclass(frozen=True, slots=True)
class DualPower:
    """The ``(u, v, w)`` with ``(u / alpha, v / (1 - alpha), w)`` in ``Power(alpha)``: the dual of that cone."""

    alpha: fmpq

    def __post_init__(self) -> None:
        _require_exponent(self.alpha)


Cone: TypeAlias = (
    Free
    | Zero
    | Nonnegative
    | SecondOrder
    | Rotated
    | PositiveSemidefinite
    | Exponential
    | DualExponential
    | Power
    | DualPower
)


def dual_cone(cone: Cone) -> Cone:
    """Return the dual cone ``{s : <s, x> >= 0 for every x in the cone}``; applying it twice gives the cone back.

    Proof: ``dual_cone_sound``, ``power_dual``, ``exponential_dual``.
    """
    match cone:
        case Free(size):
            dual: Cone = Zero(size)
        case Zero(size):
            dual = Free(size)
        case Nonnegative() | SecondOrder() | Rotated() | PositiveSemidefinite():
            dual = cone
        case Exponential():
            dual = DualExponential()
        case DualExponential():
            dual = Exponential()
        case Power(alpha):
            dual = DualPower(alpha)
        case DualPower(alpha):
            dual = Power(alpha)
        case _:
            assert_never(cone)
    return dual


def order(cone: Cone) -> int:
    """Return the number of coordinates of a vector of the cone, or the order of a matrix of it."""
    match cone:
        case Exponential() | DualExponential() | Power() | DualPower():
            return 3
        case _:
            return cone.size


def cone_text(cone: Cone) -> str:
    """Return the name of the cone with its parameter, such as ``Nonnegative(3)`` or ``Power(1/2)``."""
    match cone:
        case Exponential() | DualExponential():
            parameter = ""
        case Power(alpha) | DualPower(alpha):
            parameter = str(alpha)
        case _:
            parameter = str(cone.size)
    return f"{type(cone).__name__}({parameter})"


def _require_size(size: int, least: int = 1) -> None:
    if size < least:
        raise ValueError(f"a block of size {size} is empty or too small; this cone needs at least {least}")
    if size > SIZE_LIMIT:
        raise ValueError(f"a block of size {size} is too large; at most {SIZE_LIMIT}")


def _require_exponent(alpha: fmpq) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"the exponent {alpha} of a power cone is not between 0 and 1")
