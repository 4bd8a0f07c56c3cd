"""The bounds found so far, each with its exact witness."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from flint import fmpq

from certify.checker.conic.witnesses import DualPoint, PrimalProof


@dataclass(frozen=True, slots=True)
class Lower:
    """A lower bound with the point that proves it."""

    point: DualPoint
    value: fmpq


@dataclass(frozen=True, slots=True)
class Upper:
    """An upper bound with the point that proves it."""

    proof: PrimalProof
    value: fmpq


class End(StrEnum):
    """One end of a bracket."""

    LOWER = "lower"
    UPPER = "upper"


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt at one end that failed, and why."""

    end: End
    why: str


@dataclass(frozen=True, slots=True)
class Ends:
    """The best bounds so far.

    Attributes:
        lower: From a dual feasible point: bounds sup (D) and inf (P).
        upper: From a primal feasible point: bounds both.
        primal_lower: From exposing vectors: bounds inf (P) only.
        dual_upper: From exposing points: bounds sup (D) only.
        failures: Attempts that failed, whether or not a later one succeeded.
        solve_seconds: Time spent in solvers.
    """

    lower: Lower | None = None
    upper: Upper | None = None
    primal_lower: Lower | None = None
    dual_upper: Upper | None = None
    failures: tuple[Failure, ...] = ()
    solve_seconds: float = 0.0

    def relative_gap(self) -> fmpq | None:
        """Return ``(upper - lower) / max(1, |upper|)`` of the plain bounds, None where one is missing."""
        if self.lower is None or self.upper is None:
            return None
        return (self.upper.value - self.lower.value) / max(fmpq(1), abs(self.upper.value))


def joined(first: Ends, second: Ends) -> Ends:
    """Return the better of two bounds on each end, and all the failures."""
    return Ends(
        higher(first.lower, second.lower),
        smaller(first.upper, second.upper),
        higher(first.primal_lower, second.primal_lower),
        smaller(first.dual_upper, second.dual_upper),
        tuple(dict.fromkeys((*first.failures, *second.failures))),
        first.solve_seconds + second.solve_seconds,
    )


def higher(first: Lower | None, second: Lower | None) -> Lower | None:
    """Return the better of two lower bounds."""
    if first is None or second is None:
        return first or second
    return second if second.value > first.value else first


def smaller(first: Upper | None, second: Upper | None) -> Upper | None:
    """Return the better of two upper bounds."""
    if first is None or second is None:
        return first or second
    return second if second.value < first.value else first
