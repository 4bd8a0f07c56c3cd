"""The option --scheduler: long work on the workers of a Dask scheduler."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from certify.cli.files import InputError, NothingFound

if TYPE_CHECKING:
    from certify.solvers.workers import Workers

LOCAL = re.compile(r"local(?::([1-9][0-9]{0,3}))?\Z")
PROCESSES = 2
MISSING = "--scheduler needs Dask ({}); install it with: pip install 'certify[cluster]'"

scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Work on a Dask scheduler, such as tcp://host:8786, whose workers you trust; local:N starts N processes here.",
)


def _ignored(_: int) -> None:
    """Ignore how many tasks are done."""


@contextmanager
def on_workers(scheduler: str, finished: Callable[[int], None] = _ignored) -> Iterator[Workers]:
    """Yield the workers of a scheduler, or of a cluster of processes that ends with the block.

    Args:
        scheduler: An address, ``local`` or ``local:N``.
        finished: Called with how many tasks of a run are done.

    Raises:
        NothingFound: If Dask is not installed.
        InputError: If the scheduler cannot be used.
    """
    try:
        from certify.cluster.workers import Cluster, SchedulerError, connected
    except ModuleNotFoundError as error:
        raise NothingFound(MISSING.format(f"{error.name} is missing")) from None
    local = LOCAL.match(scheduler)
    processes = int(local[1] or PROCESSES) if local else 0
    try:
        with connected(None if local else scheduler, processes) as client:
            yield Cluster(client, finished)
    except ModuleNotFoundError as error:
        if error.name != "distributed":
            raise
        raise NothingFound(MISSING.format(f"{error.name} is missing")) from None
    except SchedulerError as error:
        raise InputError(f"--scheduler {scheduler}: {error}") from None
