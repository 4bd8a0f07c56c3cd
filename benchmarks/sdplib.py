"""Exact brackets and infeasibility proofs for SDPLIB, with the bounds that VSDP published beside them.

    python benchmarks/sdplib.py [--data FOLDER] [--state FILE] [--digits N] [--limit SECONDS] [--certificates FOLDER]
        [--output FILE] [NAME ...]

The problem files are not shipped with the project. Rows are kept in the state file, so that a run can be interrupted
and resumed; the tables are printed, or written to a file, over all rows at the end. The certificates can be written to
a folder, for ``certify check``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import median

import machine
from flint import fmpq

from certify.certificates.conic.bounds import DEFAULT_DIGITS, Options
from certify.certificates.conic.rows import TableRow
from certify.certificates.conic.tables import bound_files
from certify.checker.decimals import decimal_lower, decimal_upper
from certify.checker.exact import parse_rational

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "sdplib"
STATE = Path(tempfile.gettempdir()) / "certify-sdplib.jsonl"
DIGITS = 13
TITLE = """# SDPLIB

Written by `python benchmarks/sdplib.py --output benchmarks/SDPLIB.md`. Values have the signs of the SDPA files; lower
and upper are proved in exact arithmetic and rounded outward for print. The gap is (upper - lower) / max(1, |upper|).
Times are wall seconds: in the solvers, from the file to the certificate without them, and of the independent check.
VSDP's bounds are the best of its five solvers as published, with four decimals, so that at this printing they are not
rigorous themselves; they are measured on another machine. Published is the optimal value that the SDPLIB README states.
"""
BOUNDS = ("problem", "lower", "upper", "gap", "solve", "certify", "check")
THEIRS = ("VSDP lower", "VSDP upper", "published", "published is refuted")


def main() -> None:
    parser = argparse.ArgumentParser(description="Exact brackets for SDPLIB beside VSDP's published bounds.")
    parser.add_argument("names", nargs="*", help="problems; all of them when none is named")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of SDPLIB files")
    parser.add_argument("--state", type=Path, default=STATE, help="where rows are kept between runs")
    parser.add_argument("--digits", type=int, default=DEFAULT_DIGITS, help="relative digits wanted")
    parser.add_argument("--limit", type=float, help="seconds for each problem; without it there is no limit")
    parser.add_argument("--certificates", type=Path, help="an existing folder for what is proved")
    parser.add_argument("--output", type=Path, help="a Markdown file to write instead of printing")
    arguments = parser.parse_args()
    files = sorted(arguments.data.glob("*.dat-s"), key=lambda file: file.stat().st_size)
    chosen = [file for file in files if not arguments.names or file.name.removesuffix(".dat-s") in arguments.names]
    if not chosen:
        sys.exit(f"no problem files in {arguments.data}; give the folder with --data")
    options = Options(digits=arguments.digits)
    rows = []
    for row, certificates in bound_files(chosen, arguments.state, options, arguments.limit, show):
        rows.append(row)
        for number, certificate in enumerate(certificates if arguments.certificates else (), 1):
            (arguments.certificates / f"{row.name}-{number}.cert.json").write_bytes(certificate)
    with (arguments.data / "reference_values.csv").open() as lines:
        reference = {line["name"]: line for line in csv.DictReader(lines)}
    text = report(sorted(rows, key=lambda row: row.name), reference)
    if arguments.output is None:
        print(text)
    else:
        arguments.output.write_text(text)


def show(what: str) -> None:
    sys.stderr.write(what + "\n")


def report(rows: Sequence[TableRow], reference: dict[str, dict[str, str]]) -> str:
    """Return the whole report in Markdown."""
    printed = StringIO()
    with redirect_stdout(printed):
        print(TITLE)
        print(summary(rows, reference))
        machine.print_table("Bounds", (*BOUNDS, *THEIRS), [line_of(row, reference.get(row.name, {})) for row in rows])
        missing = [(row.name, reason) for row in rows for reason in row.reasons]
        if missing:
            machine.print_table("Missing or wider than asked", ("problem", "reason"), missing)
        machine.main()
    return printed.getvalue()


def line_of(row: TableRow, reference: dict[str, str]) -> list[object]:
    lower, upper = row.ends
    low = "-inf" if lower is None else decimal_lower(lower, DIGITS)
    high = "inf" if upper is None else decimal_upper(upper, DIGITS)
    bounds = [in_file_words(row.verdict), ""] if lower is None and upper is None else [low, high]
    gap = row.relative_gap
    times = [f"{seconds:.1f}" for seconds in (row.solve_seconds, row.certify_seconds, row.check_seconds)]
    theirs = [reference.get(key, "") for key in ("vsdp_lower", "vsdp_upper", "published_value")]
    refuted = "yes" if is_refuted(row, theirs[-1]) else ""
    return [row.name, *bounds, "" if gap is None else f"{as_float(gap):.0e}", *times, *theirs, refuted]


def in_file_words(verdict: str) -> str:
    """Name sides as SDPA does, whose (P) is the side of y and (D) that of X."""
    return {"no feasible y": "(P) is infeasible", "no feasible X": "(D) is infeasible"}.get(verdict, verdict)


def is_refuted(row: TableRow, published: str) -> bool:
    """Return whether the proved bounds exclude every number within one unit of the last printed digit of a value."""
    try:
        value = parse_rational(published)
    except ValueError:
        return False
    unit = last_unit(published)
    lower, upper = row.ends
    return (lower is not None and lower > value + unit) or (upper is not None and upper < value - unit)


def last_unit(printed: str) -> fmpq:
    """Return one unit of the last digit of a decimal such as ``2.0326e+00``."""
    digits, _, exponent = printed.lower().partition("e")
    return parse_rational(f"1e{int(exponent or 0) - len(digits.partition('.')[2])}")


def summary(rows: Sequence[TableRow], reference: dict[str, dict[str, str]]) -> str:
    gaps = [gap for row in rows if (gap := row.relative_gap) is not None and row.verdict == "bracket"]
    infeasible = [row.name for row in rows if row.verdict.startswith("no feasible")]
    one_sided = [row.name for row in rows if (row.lower is None) != (row.upper is None)]
    known = {row.name for row in rows} & set(reference)
    theirs = [name for name in known if reference[name]["status"] == "feasible" and has_both(reference[name])]
    slower = [row.name for row in rows if row.check_seconds > row.solve_seconds]
    refuted = [row.name for row in rows if is_refuted(row, reference.get(row.name, {}).get("published_value", ""))]
    rest = len(rows) - len(gaps) - len(infeasible) - len(one_sided)
    count = f"{len(rows)} problems: {len(gaps)} with both bounds (VSDP: {len(theirs)})"
    lines = [
        f"{count}, {len(one_sided)} with one, {rest} without; {len(infeasible)} proved infeasible.",
        f"One bound: {named(one_sided)}. Proved infeasible: {named(infeasible)}.",
    ]
    if gaps:
        close = sum(gap <= fmpq(1, 10**8) for gap in gaps)
        lines.append(f"Median relative gap {median(map(as_float, gaps)):.1e}; {close} of {len(gaps)} are at most 1e-8.")
    lines.append(f"Checking takes longer than solving for: {named(slower)}.")
    rule = "the proved bounds exclude every number within one unit of its last printed digit"
    lines.append(f"Published values refuted by an exact certificate, {len(refuted)} ({rule}): {named(refuted)}.")
    return "\n".join(f"- {line}" for line in lines)


def named(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def has_both(line: dict[str, str]) -> bool:
    """Return whether VSDP published two finite bounds."""
    return all(line[key] and "inf" not in line[key] for key in ("vsdp_lower", "vsdp_upper"))


def as_float(value: fmpq) -> float:
    return float(value.p) / float(value.q)


if __name__ == "__main__":
    main()
