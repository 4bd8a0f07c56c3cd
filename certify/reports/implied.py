"""The table of everything a rho_star fixes, for people and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq
from rich.table import Table

from certify.certificates.dp_events import multiplier_lower
from certify.certificates.implications import Implication
from certify.checker.enclosure import Enclosure
from certify.reports.guarantees import describe_implication
from certify.reports.numbers import between

MULTIPLIER = "noise multiplier of a GaussianDpEvent"


def implied_table(implied: Sequence[Implication], multiplier: float | None) -> Table:
    """Return the table of what holds of a release, each number between its ends.

    Args:
        implied: What a rho_star fixes.
        multiplier: The noise multiplier to give to other accountants, None for no such line.
    """
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("what rho_star fixes", no_wrap=True)
    table.add_column("least true value")
    for each in implied:
        table.add_row(describe_implication(each), each.note if each.value is None else between(each.value, 12))
    if multiplier is not None:
        table.add_row(MULTIPLIER, f"{multiplier!r} (rounded down)")
    return table


def implied_entries(implied: Sequence[Implication]) -> list[dict[str, Any]]:
    """Return what a rho_star fixes with exact ends as strings."""
    return [
        {
            "notion": str(each.notion),
            "at": None if each.at is None else str(each.at),
            "lower": None if each.value is None else str(each.value.lower),
            "upper": None if each.value is None else str(each.value.upper),
            "note": each.note or None,
        }
        for each in implied
    ]


def multiplier_for(rho_star: Enclosure | fmpq) -> float | None:
    """Return the noise multiplier that stands for a rho_star in other accountants, None where there is none."""
    upper = rho_star.upper if isinstance(rho_star, Enclosure) else rho_star
    try:
        return multiplier_lower(upper)
    except ValueError:
        return None
