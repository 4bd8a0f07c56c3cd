"""Work as plain functions of a shared value and one item, run here or on the workers of a Dask scheduler.

The order of results is that of the items, so both ways give the same answers. Dask computes a task again when its
worker dies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any, Protocol, TypeVar

TIMEOUT = "10s"

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Protocol):
    """Something that runs a function over items."""

    def run(self, function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]) -> list[Result]:
        """Return ``function(shared, item)`` for every item, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """This process."""

    def run(self, function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]) -> list[Result]:
        """Return ``function(shared, item)`` for every item, in order."""
        return [function(shared, item) for item in items]


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers of a Dask scheduler.

    Attributes:
        client: A connected ``distributed.Client``.
        finished: Called after each task that is done, with how many are.
    """

    client: Any
    finished: Callable[[int], None] = lambda _: None

    def run(self, function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]) -> list[Result]:
        """Return ``function(shared, item)`` for every item, in order.

        The shared value is kept on every worker, so that the loss of one loses no data. A function may run more than
        once for an item, if a worker dies before its result has been fetched.
        """
        distributed: Any = import_module("distributed")
        kept = self.client.scatter([shared], broadcast=True, hash=False)[0]
        futures = [self.client.submit(function, kept, item, pure=False) for item in items]
        for count, _ in enumerate(distributed.as_completed(futures), 1):
            self.finished(count)
        return list(self.client.gather(futures))


class SchedulerError(Exception):
    """A scheduler that cannot be used, and why."""


@contextmanager
def connected(scheduler: str | None, processes: int = 2) -> Iterator[Any]:
    """Yield a client of the scheduler at an address such as ``tcp://host:8786``, or of a new local cluster for None.

    Raises:
        ModuleNotFoundError: If Dask is not installed; it comes with the extra ``cluster``.
        SchedulerError: If the scheduler does not answer, or has no workers or some of another version of certify.
    """
    distributed: Any = import_module("distributed")
    if scheduler is not None:
        try:
            client = distributed.Client(scheduler, timeout=TIMEOUT)
        except (OSError, ValueError) as error:
            raise SchedulerError(f"the scheduler does not answer: {error}") from None
        with client:
            _require_workers(client, version("certify"))
            yield client
        return
    with (
        distributed.LocalCluster(n_workers=processes, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _require_workers(client: Any, own: str) -> None:
    """Raise unless there are workers and all of them run this version: they decide what this process will believe."""
    versions = set(client.run(version, "certify").values())
    if not versions:
        raise SchedulerError("the scheduler has no workers; start some with: dask worker ADDRESS")
    if versions != {own}:
        raise SchedulerError(f"its workers run certify {', '.join(sorted(versions))}, this is certify {own}")
