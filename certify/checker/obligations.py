"""Obligations that several rules share."""

from __future__ import annotations

from flint import fmpq

from certify.checker.decimals import decimal_lower, decimal_upper
from certify.checker.exact import Matrix
from certify.checker.psd import Psd, decide_psd
from certify.checker.verdict import Obligation

DIRECTION_LENGTH = 120


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun: ``1 cone``, ``2 cones``, ``2 entries``."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"


def psd_obligation(name: str, what: str, value: Matrix) -> Obligation:
    """Return the obligation that a symmetric matrix is PSD, with a refuting direction where it is not."""
    decided = decide_psd(value)
    if isinstance(decided, Psd):
        return Obligation(name, True, f"{what} is PSD")
    shown = ", ".join(map(str, decided.direction))
    where = f"v = ({shown if len(shown) <= DIRECTION_LENGTH else shown[:100] + ' ...'})"
    return Obligation(name, False, f"{what} has v^T M v = {decimal_upper(decided.value)} < 0 for {where}")


def at_most_obligation(name: str, left: str, smaller: fmpq, larger: fmpq, right: str) -> Obligation:
    """Return the obligation ``smaller <= larger``, with both numbers in words."""
    relation = "<=" if smaller <= larger else ">"
    detail = f"{left} {decimal_lower(smaller, 18)} {relation} {right} {decimal_lower(larger, 18)}"
    return Obligation(name, smaller <= larger, detail)
