"""What can be claimed about a conic program. Every claim carries the whole program."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from flint import fmpq

from certify.checker.conic.problem import ConicProblem


class Side(StrEnum):
    """One program of the pair: (P), whose variable is X, or (D), whose variable is y."""

    PRIMAL = "primal"
    DUAL = "dual"


class Optimum(StrEnum):
    """Which optimal value a bracket is about: inf (P), sup (D), or both at once.

    Always ``sup (D) <= inf (P)``. The infimum of an infeasible (P) is +infinity, the supremum of an infeasible (D)
    is -infinity, and neither value need be attained.
    """

    PRIMAL = "primal"
    DUAL = "dual"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class ConicBracket:
    """The optimal value of the program lies in ``[lower, upper]``; an end that is None is not claimed.

    With ``Optimum.BOTH`` it means ``lower <= sup (D)`` and ``inf (P) <= upper``, hence both values are in the bracket.

    Raises:
        ValueError: If neither end is claimed.
    """

    problem: ConicProblem
    optimum: Optimum
    lower: fmpq | None
    upper: fmpq | None

    def __post_init__(self) -> None:
        if self.lower is None and self.upper is None:
            raise ValueError("a bracket needs a lower or an upper bound")


@dataclass(frozen=True, slots=True)
class ConicGap:
    """The two optimal values differ: ``sup (D) <= dual_upper < primal_lower <= inf (P)``.

    Raises:
        ValueError: If the two bounds leave no gap.
    """

    problem: ConicProblem
    dual_upper: fmpq
    primal_lower: fmpq

    def __post_init__(self) -> None:
        if self.dual_upper >= self.primal_lower:
            raise ValueError(f"there is no gap between {self.dual_upper} and {self.primal_lower}")


@dataclass(frozen=True, slots=True)
class ConicInfeasible:
    """No X (side PRIMAL) or no y (side DUAL) satisfies the constraints of the program."""

    problem: ConicProblem
    side: Side


@dataclass(frozen=True, slots=True)
class ConicFeasible:
    """Some X (side PRIMAL) or some y (side DUAL) satisfies the constraints of the program."""

    problem: ConicProblem
    side: Side


ConicClaim: TypeAlias = ConicBracket | ConicGap | ConicInfeasible | ConicFeasible
