"""Bounding many problem files: one row for each, written down as soon as it is known, so that a run can resume."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from certify.certificates.conic.bounds import Options, silent
from certify.certificates.conic.limited import bound_file_within
from certify.certificates.conic.plain import Report
from certify.certificates.conic.rows import TIME_LIMIT, Found, TableRow, bound_file, row_name


def bound_files(
    files: Sequence[Path], state: Path, options: Options, limit: float | None = None, report: Report = silent
) -> Iterator[Found]:
    """Yield a row for each file with its certificates; rows already in ``state`` come back without certificates.

    Args:
        files: Problem files, SDPA sparse (``.dat-s``) or CBF (``.cbf``).
        state: A file of rows, one JSON object a line; it is read first and appended to.
        options: What to try.
        limit: Seconds for each file, None for no limit. A file that was given up is tried again under a longer one.
        report: Called with what is being done, the name of the file in front.
    """
    known = {(row.name, row.sha256, row.digits): row for row in rows_in(state) if _is_final(row, limit)}
    for file in files:
        data = file.read_bytes()
        old = known.get((row_name(file), hashlib.sha256(data).hexdigest(), options.digits))
        if old is not None:
            yield old, ()
            continue
        told = _prefixed(report, row_name(file))
        if limit is None:
            row, certificates = bound_file(file, data, options, told)
        else:
            row, certificates = bound_file_within(limit, file, data, options, told)
        with state.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(row)) + "\n")
        yield row, certificates


def rows_in(state: Path) -> list[TableRow]:
    """Return the rows in a file, none if it does not exist."""
    if not state.exists():
        return []
    lines = [json.loads(line) for line in state.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [TableRow(**{**line, "reasons": tuple(line["reasons"])}) for line in lines]


def _is_final(row: TableRow, limit: float | None) -> bool:
    """Return whether a row need not be tried again: it was not given up, or would be again."""
    return row.verdict != TIME_LIMIT or (limit is not None and limit <= row.certify_seconds)


def _prefixed(report: Report, name: str) -> Report:
    return lambda what: report(f"{name}: {what}")
