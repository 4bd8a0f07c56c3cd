"""The table of a run over many problem files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from certify.checker.decimals import decimal_lower, decimal_upper

if TYPE_CHECKING:
    from certify.certificates.conic.rows import TableRow

HEADER = (
    f"{'problem':<20} {'verdict':<20} {'lower':>20} {'upper':>20} {'gap':>9} {'solve':>8} {'certify':>8} {'check':>8}"
)
"""The head of the table: times in seconds, values in the sense of the file, rounded outward.

X and y are those of ``min <C, X>, <A_i, X> = b_i, X in K`` and its dual: in the words of SDPA, Y and -x.
"""


def row_lines(row: TableRow, count: int, total: int) -> list[str]:
    """Return the line of a problem, and one for each reason why something is missing."""
    low, high = row.ends
    lower = "" if low is None else decimal_lower(low, 12)
    upper = "" if high is None else decimal_upper(high, 12)
    gap = "" if row.relative_gap is None else decimal_upper(row.relative_gap, 2)
    times = f"{row.solve_seconds:8.2f} {row.certify_seconds:8.2f} {row.check_seconds:8.2f}"
    line = f"{row.name:<20} {row.verdict:<20} {lower:>20} {upper:>20} {gap:>9} {times}  {count}/{total}"
    return [line, *(f"{'':<20} {reason}" for reason in row.reasons)]
