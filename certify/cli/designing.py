"""The part of certify design that needs the solvers."""

from __future__ import annotations

import sys
import time
from math import isfinite
from typing import TYPE_CHECKING

import click
from flint import fmpq

from certify.checker.exact import Matrix
from certify.checker.guarantees import Guarantee
from certify.checker.sensitivity import FiniteDomain, IdealDenoiser, Neighbours, UniformQuery
from certify.cli.files import NothingFound

if TYPE_CHECKING:
    from certify.certificates.covariance import Design
    from certify.solvers.problem import Progress, Report
    from certify.solvers.workers import Workers

MISSING = "certify design needs the solvers ({}); install them with: pip install 'certify[solve]'"
PLAIN_SECONDS = 2.0


def run_design(
    domain: FiniteDomain,
    neighbours: Neighbours,
    guarantee: Guarantee,
    weight: Matrix,
    floor: fmpq,
    solver: str,
    gap: float,
    workers: Workers | None,
    *,
    quiet: bool,
) -> Design:
    """Return a certificate of the optimal covariance with the solve behind it, showing progress unless quiet.

    Raises:
        NothingFound: If no certificate was found, or the solvers are not installed.
        click.UsageError: If there is no such solver.
    """
    try:
        from certify.certificates.covariance import DesignTask, design_covariance
        from certify.certificates.errors import DesignError
        from certify.solvers.problem import ignore_progress
        from certify.solvers.select import backend_by_name
        from certify.solvers.workers import HERE
    except ModuleNotFoundError as error:
        raise NothingFound(MISSING.format(f"{error.name} is missing")) from None
    try:
        backend = backend_by_name(solver, HERE if workers is None else workers)
    except ValueError as error:
        raise click.UsageError(f"--solver {solver}: {error}") from None
    task = DesignTask(IdealDenoiser(domain, UniformQuery(), neighbours), guarantee, weight, floor)
    try:
        if quiet:
            return design_covariance(task, backend, gap, ignore_progress)
        if not sys.stderr.isatty():
            return design_covariance(task, backend, gap, _plain())
        from rich.console import Console

        console = Console(stderr=True)
        with console.status("solving") as status:
            report: Report = lambda p: status.update(_describe(p.round, p.active, p.relative_gap))  # noqa: E731
            return design_covariance(task, backend, gap, report)
    except DesignError as error:
        raise NothingFound(str(error)) from None


def _describe(rounds: int, active: int, relative_gap: float) -> str:
    gap = f"{relative_gap:.1e}" if isfinite(relative_gap) else "not known yet"
    return f"solving: round {rounds}, {active} active vectors, relative gap {gap}"


def _plain() -> Report:
    shown = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal shown
        if time.monotonic() - shown >= PLAIN_SECONDS:
            shown = time.monotonic()
            sys.stderr.write(_describe(progress.round, progress.active, progress.relative_gap) + "\n")

    return show
