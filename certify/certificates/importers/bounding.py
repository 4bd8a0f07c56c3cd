"""Certifying a solution from elsewhere: as it is, after repair, and with the mistake named that explains a failure."""

from __future__ import annotations

from dataclasses import replace

from certify.certificates.conic.bounds import Options, Outcome, bound, silent
from certify.certificates.conic.plain import Report
from certify.certificates.importers.points import mistake
from certify.certificates.importers.raw import Imported


def bound_imported(imported: Imported, options: Options, report: Report = silent) -> Outcome:
    """Return what can be certified about an imported program, its solution tried first.

    Where the solution certifies less than asked, the reasons say which known mistake in reading it would explain that.
    """
    point = imported.point
    outcome = bound(imported.problem, options, point if point.x is not None or point.y is not None else None, report)
    explained = mistake(imported.problem, point)
    if explained is None:
        return outcome
    hint = f"the given solution does not fit the problem as it was read, but would with {explained}"
    return replace(outcome, reasons=(hint, *outcome.reasons))
