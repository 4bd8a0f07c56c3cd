"""Certificates stored beside tests: whether a fresh one agrees with the stored one, and what may replace it.

A stored certificate is kept as long as it is proved and about the same thing; another run with a wider bracket does not
contradict it. Brackets that do not meet cannot both be right, and then nothing is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from certify.certificates.diff import Bracket, Change, Difference, Infinite, Relation, compare_claims
from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.codec import Malformed
from certify.checker.kernel import check
from certify.checker.verdict import Status, Verdict
from certify.reports.diff import describe_change
from certify.reports.sentences import sentence

UPDATE = "--certify-update"
ALLOW_WEAKER = "--certify-allow-weaker"


class Action(StrEnum):
    """What became of a stored certificate in one test."""

    KEPT = "kept"
    WRITTEN = "written"
    REPLACED = "replaced"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Policy:
    """Whether stored certificates may be rewritten, and whether by weaker ones."""

    update: bool
    allow_weaker: bool


@dataclass(frozen=True, slots=True)
class Settlement:
    """What to do with a stored certificate.

    Attributes:
        action: What becomes of it.
        message: Why the test fails, or what is worth saying; may be empty.
        data: The bytes to write, None for nothing.
    """

    action: Action
    message: str
    data: bytes | None


def settle(stored: bytes | None, name: str, fresh: Certificate, verdict: Verdict, policy: Policy) -> Settlement:
    """Return what to do with a stored certificate, given a fresh one with its verdict.

    Args:
        stored: The bytes of the stored certificate, None where there is none.
        name: What to call its file in messages.
        fresh: The certificate of this run.
        verdict: What the kernel says of it. Only PROVED passes, and only what is PROVED is ever written.
        policy: What the user allows.
    """
    if verdict.status is not Status.PROVED:
        return _failed(refusal(verdict))
    data = write_certificate(fresh)
    if stored is None:
        if policy.update:
            return Settlement(Action.WRITTEN, "", data)
        return _failed(f"{name} is missing; run pytest {UPDATE} to write it:\n  {sentence(fresh.claim)}")
    problem, old = _read(stored)
    if old is None:
        if policy.update:
            return Settlement(Action.REPLACED, f"the stored one was no proof ({problem})", data)
        return _failed(f"{name} is no proof: {problem}; run pytest {UPDATE} to make it again")
    return _compare(old, fresh, name, data, policy)


def _read(stored: bytes) -> tuple[str, Certificate | None]:
    """Return the stored certificate if it is proved, else why it is not."""
    try:
        certificate = read_certificate(stored)
    except Malformed as error:
        return f"MALFORMED: {error}", None
    verdict = check(certificate)
    return (refusal(verdict), None) if verdict.status is not Status.PROVED else ("", certificate)


def _compare(old: Certificate, fresh: Certificate, name: str, data: bytes, policy: Policy) -> Settlement:
    difference = compare_claims(old.claim, fresh.claim)
    listed = "\n".join(f"  {_line(change)}" for change in difference.changes)
    match difference.relation:
        case Relation.DISJOINT:
            return _failed(
                f"this run and {name} cannot both be right, though both are proved: one of the solvers proves "
                f"something about other data, or the checker has a fault\n{listed}"
            )
        case Relation.SAME:
            return Settlement(Action.KEPT, "", None)
        case Relation.STRONGER | Relation.DIFFERENT if policy.update:
            return Settlement(Action.REPLACED, f"{difference.relation}\n{listed}", data)
        case Relation.WEAKER | Relation.INCOMPARABLE if policy.update:
            return _weakened(difference, name, listed, data, policy)
        case _:
            return _without_update(difference, name, listed)


def _weakened(difference: Difference, name: str, listed: str, data: bytes, policy: Policy) -> Settlement:
    if policy.allow_weaker:
        return Settlement(Action.REPLACED, f"{difference.relation}\n{listed}", data)
    return _failed(f"this run would weaken {name}; add {ALLOW_WEAKER} if that is meant\n{listed}")


def _without_update(difference: Difference, name: str, listed: str) -> Settlement:
    """A bracket of another width agrees with the stored one; anything else is another claim than the test makes."""
    if all(_is_about_a_number(change) for change in difference.changes):
        return Settlement(Action.KEPT, f"this run is {difference.relation}", None)
    return _failed(
        f"{name} is about another claim ({difference.relation}); run pytest {UPDATE} if that is meant\n{listed}"
    )


def _is_about_a_number(change: Change) -> bool:
    return change.relation is Relation.SAME or isinstance(change.old, Bracket | Infinite)


def _line(change: Change) -> str:
    old, new = describe_change(change)
    return f"{change.name}: stored {old}, this run {new}"


def refusal(verdict: Verdict) -> str:
    """Return why a verdict is not PROVED, with the claim and the obligations that do not hold."""
    shown = verdict.obligations if verdict.status is Status.REFUTED else verdict.failed
    lines = [f"  {obligation.name}: {obligation.detail}" for obligation in shown]
    return "\n".join([f"{verdict.status}: {sentence(verdict.claim)}", *lines])


def _failed(message: str) -> Settlement:
    return Settlement(Action.FAILED, message, None)
