"""Why something is not proved: because it is false, or because it could not be told."""

from __future__ import annotations

from dataclasses import dataclass

from certify.checker.verdict import Obligation


@dataclass(frozen=True, slots=True)
class Objection:
    """What speaks against a statement.

    Attributes:
        reason: For people.
        holds: False where the statement is false, None where it could not be told within the limits of the checker.
    """

    reason: str
    holds: bool | None = False


def obligation(name: str, objection: Objection | None, detail: str) -> Obligation:
    """Return the obligation that a statement holds: it does where nothing speaks against it, with the detail given."""
    if objection is None:
        return Obligation(name, True, detail)
    return Obligation(name, objection.holds, objection.reason)
