"""The outcome of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from certify.checker.claims import Claim


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that must hold for the claim, whether it does, and the numbers that show it."""

    name: str
    holds: bool
    detail: str


class Status(StrEnum):
    """What a check can say about a claim."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    REJECTED = "REJECTED"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the kernel decided about a claim; only ``certify.checker.kernel`` makes one.

    Attributes:
        status: PROVED (every obligation holds), REFUTED (a counterexample was verified), UNDECIDED (with the
            reason), REJECTED (the witness does not prove the claim: the first failed obligation says why).
        claim: The claim the verdict is about; nothing outside it has been proved.
        obligations: What was checked, in order.
    """

    status: Status
    claim: Claim
    obligations: tuple[Obligation, ...]

    @property
    def failed(self) -> tuple[Obligation, ...]:
        """The obligations that do not hold."""
        return tuple(obligation for obligation in self.obligations if not obligation.holds)
