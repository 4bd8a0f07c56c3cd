"""Bounding a problem file in a process of its own, which can be stopped when it takes too long.

A spawned process imports everything anew, about a second; a forked one could inherit a lock of a BLAS thread.
"""

from __future__ import annotations

import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic

from certify.certificates.conic.bounds import Options, silent
from certify.certificates.conic.plain import Report
from certify.certificates.conic.rows import TIME_LIMIT, Found, bound_file, without_bounds


def bound_file_within(seconds: float, file: Path, data: bytes, options: Options, report: Report = silent) -> Found:
    """Return what can be certified about a problem file in so many seconds, a row that says so where time ran out."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(sender, file, data, options), daemon=True)
    process.start()
    sender.close()
    try:
        found = _received(receiver, monotonic() + seconds, report)
    except EOFError:
        process.join()
        reason = f"the process that bounded it ended with exit code {process.exitcode}; is there memory enough?"
        return without_bounds(file, data, options, "undecided", 0.0, reason), ()
    finally:
        process.kill()
        process.join()
        receiver.close()
    if found is None:
        reason = f"stopped after {seconds:g} s; allow it more"
        return without_bounds(file, data, options, TIME_LIMIT, seconds, reason), ()
    return found


def _received(receiver: Connection, deadline: float, report: Report) -> Found | None:
    """Return what the process found, None if nothing came before the deadline; what it reports is passed on."""
    while receiver.poll(max(0.0, deadline - monotonic())):
        message = receiver.recv()
        if not isinstance(message, str):
            found: Found = message
            return found
        report(message)
    return None


def _serve(sender: Connection, file: Path, data: bytes, options: Options) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sender.send(bound_file(file, data, options, sender.send))
