"""The workers of a Dask scheduler; Dask computes a task again when its worker dies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from typing import Any

from threadpoolctl import ThreadpoolController

from certify.solvers.workers import Item, Result, Shared

TIMEOUT = "10s"


@dataclass(slots=True, eq=False)
class Cluster:
    """The workers of a Dask scheduler. They keep the last shared value, so that runs with the same one send it once.

    Attributes:
        client: A connected ``distributed.Client``.
        finished: Called after each task that is done, with how many are.
    """

    client: Any
    finished: Callable[[int], None] = lambda _: None
    _kept: tuple[object, Any] | None = field(default=None, init=False, repr=False)

    def run(
        self, function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Iterator[Result]:
        """Yield ``function(shared, item)`` for every item, in order.

        The shared value is kept on every worker, so that the loss of one loses no data. A function may run more than
        once for an item, if a worker dies before its result has been fetched.
        """
        kept = self._on_every_worker(shared)
        futures = [self.client.submit(_on_one_thread, function, kept, item, pure=False) for item in items]
        for count, future in enumerate(futures, 1):
            yield future.result()
            self.finished(count)

    def _on_every_worker(self, shared: object) -> Any:
        """Return the value as the workers keep it; it is sent where it is not the last one, or has been lost."""
        if self._kept is not None and self._kept[0] is shared and self._kept[1].status == "finished":
            return self._kept[1]
        self._kept = (shared, self.client.scatter([shared], broadcast=True, hash=False)[0])
        return self._kept[1]


def _on_one_thread(function: Callable[[Shared, Item], Result], shared: Shared, item: Item) -> Result:
    """Run with one BLAS thread, as the solvers do in one process, so that products agree to the last bit."""
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        return function(shared, item)


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
