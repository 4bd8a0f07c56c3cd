"""The part of certify design that needs the solvers."""

from __future__ import annotations

from math import ceil, isfinite, log10
from typing import TYPE_CHECKING

import click
from flint import fmpq

from certify.checker.exact import Matrix
from certify.checker.guarantees import Guarantee
from certify.checker.sensitivity import FiniteDomain, IdealDenoiser, Neighbours, UniformQuery
from certify.cli.files import NothingFound
from certify.cli.progress import checking

if TYPE_CHECKING:
    from certify.certificates.covariance import Design
    from certify.solvers.problem import Progress
    from certify.solvers.workers import Workers

MISSING = "certify design needs the solvers ({}); install them with: pip install 'certify[solve]'"


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
        with checking("solving", quiet=quiet) as show:
            return design_covariance(task, backend, gap, lambda progress: show(*_described(progress, gap)))
    except DesignError as error:
        raise NothingFound(str(error)) from None


def _described(progress: Progress, wanted: float) -> tuple[str, int, int]:
    """Return where a solve is, and how many of the digits wanted of the gap it has."""
    reached = progress.relative_gap
    gap = f"{reached:.1e}" if isfinite(reached) else "not known yet"
    total = max(1, ceil(-log10(wanted)))
    digits = min(total, int(-log10(reached))) if 0 < reached < 1 else total * (reached <= 0)
    return f"round {progress.round}, {progress.active} active vectors, relative gap {gap}, digits", digits, total
