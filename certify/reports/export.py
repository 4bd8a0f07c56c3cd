"""Exact matrices as files that other programs read."""

from __future__ import annotations

import struct
from decimal import Decimal, localcontext

from flint import fmpq

from certify.checker.exact import Matrix, is_binary64, shown

FORMATS = (".npy", ".csv")
EXPANSION_DIGITS = 5000


def to_table_bytes(value: Matrix, suffix: str) -> bytes:
    """Return a matrix as the bytes of a .npy (float64) or .csv (exact decimals) file: its very numbers.

    Raises:
        ValueError: If an entry is not exactly a binary64 number.
    """
    rows = [[value.entry(i, j) for j in range(value.columns)] for i in range(value.rows)]
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            if not is_binary64(entry):
                raise ValueError(f"entry {shown(str(entry))} in row {i + 1}, column {j + 1} is not a binary64 number")
    return _npy(rows) if suffix == ".npy" else _csv(rows)


def _npy(rows: list[list[fmpq]]) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    padded = header + " " * (-(len(header) + 11) % 64) + "\n"
    numbers = [int(entry.p) / int(entry.q) for row in rows for entry in row]
    prefix = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded))
    return prefix + padded.encode("ascii") + struct.pack(f"<{len(numbers)}d", *numbers)


def _csv(rows: list[list[fmpq]]) -> bytes:
    """Write each dyadic entry as its full finite decimal, which reads back as the same number either way."""
    with localcontext() as context:
        context.prec = EXPANSION_DIGITS
        lines = [",".join(str(Decimal(int(e.p)) / Decimal(int(e.q))) for e in row) for row in rows]
    return ("\n".join(lines) + "\n").encode("ascii")
