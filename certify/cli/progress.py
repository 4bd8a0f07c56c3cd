"""Progress of long work on standard error: a bar on a terminal, plain lines otherwise, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from certify.checker.kernel import silent
from certify.checker.sensitivity import Progress

PLAIN_SECONDS = 2.0


@contextmanager
def checking(label: str, *, quiet: bool) -> Iterator[Progress]:
    """Yield a callback for ``check`` that shows how far a long obligation is."""
    if quiet:
        yield silent
    elif sys.stderr.isatty():
        with _bar(label) as callback:
            yield callback
    else:
        yield _plain(label)


@contextmanager
def _bar(label: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(label, total=None)

        def show(what: str, done: int, total: int) -> None:
            bars.update(task, description=f"{label}: {what}", completed=done, total=total)

        yield show


def _plain(label: str) -> Progress:
    shown = time.monotonic()

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= PLAIN_SECONDS:
            shown = time.monotonic()
            sys.stderr.write(f"{label}: {what} {done} of {total}\n")

    return show
