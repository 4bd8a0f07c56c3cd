"""The outcome of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from certify.checker.claims import Claim


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that must hold for the claim, whether it does, and the numbers that show it.

    ``holds`` is None where the arithmetic, at its cap of precision, cannot tell; then ``detail`` says what would.

    Example:
        >>> import certify
        >>> certify.Obligation("upper bound", True, "4 <= 4").holds
        True
    """

    name: str
    holds: bool | None
    detail: str


class Status(StrEnum):
    """What a check can say about a claim.

    Example:
        >>> import certify
        >>> [str(status) for status in certify.Status]
        ['PROVED', 'REFUTED', 'UNDECIDED', 'REJECTED']
    """

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    REJECTED = "REJECTED"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found: obligations, and the status that follows if all of them hold (PROVED or REFUTED)."""

    conclusion: Status
    obligations: tuple[Obligation, ...]

    @property
    def status(self) -> Status:
        """The conclusion if every obligation holds, UNDECIDED if some cannot be told and none fails, else REJECTED."""
        holds = [obligation.holds for obligation in self.obligations]
        if not holds or False in holds:
            return Status.REJECTED
        return Status.UNDECIDED if None in holds else self.conclusion


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the kernel decided about a claim; only ``certify.checker.kernel`` makes one.

    Attributes:
        status: PROVED (every obligation holds), REFUTED (a counterexample was verified), UNDECIDED (the arithmetic
            cannot tell: the open obligation says what would decide), REJECTED (the witness does not prove the claim:
            the first failed obligation says why).
        claim: The claim the verdict is about; nothing outside it has been proved.
        obligations: What was checked, in order.

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> verdict = certify.check(certificate)
        >>> print(verdict.status, verdict.failed)
        PROVED ()
    """

    status: Status
    claim: Claim
    obligations: tuple[Obligation, ...]

    @property
    def failed(self) -> tuple[Obligation, ...]:
        """The obligations that do not hold, or cannot be told to."""
        return tuple(obligation for obligation in self.obligations if not obligation.holds)
