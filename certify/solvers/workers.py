"""Work as plain functions of a shared value and one item, run here or elsewhere (``certify.cluster``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Protocol):
    """Something that runs a function over items; all three can be pickled, so that it may run anywhere."""

    def run(
        self, function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Iterator[Result]:
        """Yield ``function(shared, item)`` for every item, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """This process, one item after the other."""

    def run(
        self, function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Iterator[Result]:
        """Yield ``function(shared, item)`` for every item, in order."""
        for item in items:
            yield function(shared, item)


HERE = Here()
