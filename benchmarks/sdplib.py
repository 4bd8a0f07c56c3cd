"""Exact brackets and infeasibility proofs for SDPLIB, with the bounds that VSDP published beside them.

    python -m benchmarks.sdplib [--data FOLDER] [--state FILE] [--digits N] [NAME ...]

The problem files are not shipped with the project. Rows are kept in the state file, so that a run can be interrupted
and resumed; the table is printed over all rows at the end. VSDP's bounds are the best over its five solvers, printed
with four decimals, so at that printing they are not rigorous themselves. Signs are those of the SDPA files.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from pathlib import Path
from statistics import median

from flint import fmpq, fmpz

from certify.certificates.conic.bounds import Options
from certify.certificates.conic.tables import TableRow, bound_files
from certify.checker.decimals import decimal_lower, decimal_upper

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "sdplib"
STATE = Path(tempfile.gettempdir()) / "certify-sdplib.jsonl"
HEADINGS = (
    f"{'problem':10} {'lower':>20} {'upper':>20} {'gap':>8} {'solve':>7} {'certify':>7} {'check':>7}  "
    f"{'VSDP lower':>14} {'VSDP upper':>14} {'published':>14}"
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Exact brackets for SDPLIB beside VSDP's published bounds.")
    parser.add_argument("names", nargs="*", help="problems; all of them when none is named")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of SDPLIB files")
    parser.add_argument("--state", type=Path, default=STATE, help="where rows are kept between runs")
    parser.add_argument("--digits", type=int, default=8, help="relative digits wanted")
    arguments = parser.parse_args()
    files = sorted(arguments.data.glob("*.dat-s"), key=lambda file: file.stat().st_size)
    chosen = [file for file in files if not arguments.names or file.name.removesuffix(".dat-s") in arguments.names]
    if not chosen:
        sys.exit(f"no problem files in {arguments.data}; give the folder with --data")
    rows = [row for row, _ in bound_files(chosen, arguments.state, Options(digits=arguments.digits), show)]
    reference = {line["name"]: line for line in csv.DictReader((arguments.data / "reference_values.csv").open())}
    print(HEADINGS)
    for row in sorted(rows, key=lambda row: row.name):
        print(line_of(row, reference.get(row.name, {})))
    summarise(rows)


def show(what: str) -> None:
    sys.stderr.write(what + "\n")


def line_of(row: TableRow, reference: dict[str, str]) -> str:
    lower, upper = in_file_sign(row)
    bounds = (
        f"{'-inf' if lower is None else decimal_lower(lower, 13):>20} "
        f"{'inf' if upper is None else decimal_upper(upper, 13):>20}"
        if row.verdict in ("bracket", "lower", "upper", "gap")
        else f"{in_file_words(row.verdict):>41}"
    )
    gap = row.relative_gap
    times = f"{row.solve_seconds:7.1f} {row.certify_seconds:7.1f} {row.check_seconds:7.1f}"
    theirs = " ".join(f"{reference.get(key, ''):>14}" for key in ("vsdp_lower", "vsdp_upper", "published_value"))
    return f"{row.name:10} {bounds} {'' if gap is None else f'{float(gap.p) / float(gap.q):.0e}':>8} {times}  {theirs}"


def in_file_sign(row: TableRow) -> tuple[fmpq | None, fmpq | None]:
    """Return the bounds of the value that an SDPA file states, the negative of the neutral one."""
    lower, upper = (None if text is None else -fraction(text) for text in (row.upper, row.lower))
    return lower, upper


def in_file_words(verdict: str) -> str:
    """Name sides as SDPA does, whose primal is the neutral dual."""
    words = {"primal infeasible": "dual infeasible: proved", "dual infeasible": "primal infeasible: proved"}
    return words.get(verdict, verdict)


def fraction(text: str) -> fmpq:
    numerator, _, denominator = text.partition("/")
    return fmpq(fmpz(numerator), fmpz(denominator or "1"))


def summarise(rows: list[TableRow]) -> None:
    gaps = [gap for row in rows if (gap := row.relative_gap) is not None and row.verdict == "bracket"]
    infeasible = sum(row.verdict.endswith("infeasible") for row in rows)
    slower = [row.name for row in rows if row.check_seconds > row.solve_seconds]
    print(
        f"\n{len(rows)} problems: {len(gaps)} bracketed, {infeasible} proved infeasible, "
        f"{sum(row.verdict in ('lower', 'upper') for row in rows)} bounded on one side, "
        f"{sum(row.verdict in ('undecided', 'rejected', 'refused') for row in rows)} undecided"
    )
    if gaps:
        middle = median(float(gap.p) / float(gap.q) for gap in gaps)
        print(
            f"median relative gap {middle:.1e}, {sum(gap <= fmpq(1, 10**8) for gap in gaps)} of {len(gaps)} below 1e-8"
        )
    print(f"checking takes longer than solving for: {', '.join(slower) or 'none'}")


if __name__ == "__main__":
    main()
