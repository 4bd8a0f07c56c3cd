"""Certifying a solution from elsewhere: as it is, after repair, and with the mistake named that explains a failure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from certify.certificates.conic.bounds import Options, Outcome, bound, silent
from certify.certificates.conic.plain import Report
from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.points import fits, mistake
from certify.certificates.importers.raw import Imported
from certify.checker.conic.claims import ConicInfeasible

MISFIT = "the given solution does not fit the problem as it was read"


def bound_imported(
    imported: Imported,
    options: Options,
    report: Report = silent,
    readings: Iterable[tuple[Convention, Imported]] = (),
) -> Outcome:
    """Return what can be certified about an imported program, its solution tried first.

    Where the solution does not fit, the reasons say so, and which known mistake in reading it would explain that.

    Args:
        imported: The program and its solution.
        options: What to try.
        report: Called with what is being done.
        readings: The same data under other conventions; read only where the solution does not fit.
    """
    point = imported.point
    outcome = bound(imported.problem, options, point if point.x is not None or point.y is not None else None, report)
    rays = any(isinstance(each.claim, ConicInfeasible) for each in outcome.certified)
    if rays or fits(imported.problem, point):
        return outcome
    return replace(outcome, reasons=(f"{MISFIT}, {_explanation(imported, readings)}", *outcome.reasons))


def _explanation(imported: Imported, readings: Iterable[tuple[Convention, Imported]]) -> str:
    known = mistake(imported.problem, imported.point)
    if known is not None:
        return f"but would with {known}"
    other = next((convention for convention, each in readings if fits(each.problem, each.point)), None)
    return "and no known mistake explains it" if other is None else f"but would with the convention {other}"
