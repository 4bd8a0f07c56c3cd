"""NPY files: arrays of binary numbers, each read as the exact rational it is."""

from __future__ import annotations

import ast
import struct
from math import isfinite

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.exact import Matrix, binary64_fraction, matrix, matrix_of_fractions, shown
from certify.checker.statements.malformed import MalformedStatement

MAGIC = b"\x93NUMPY"
_FLOATS = {"f2": "e", "f4": "f", "f8": "d"}
_INTEGERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}


def read_npy(data: bytes, name: str) -> Matrix:
    """Return the exact matrix in the bytes of an NPY file of a two-dimensional array of floats or integers.

    Raises:
        MalformedStatement: If the file is damaged, of another shape or type, or holds NaN or infinity.
    """
    code, fortran, (rows, columns), body = _header(data, name)
    order, kind = code[0], code[1:]
    letter = (_FLOATS | _INTEGERS)[kind]
    expected = rows * columns * int(kind[1:])
    if len(body) != expected:
        raise MalformedStatement(name, "", f"{len(body)} bytes of numbers where the header announces {expected}")
    if rows * columns == 0:
        raise MalformedStatement(name, "", f"the array of shape ({rows}, {columns}) holds no number")
    flat = struct.unpack(f"{'>' if order == '>' else '<'}{rows * columns}{letter}", body)
    table = [flat[i::rows] if fortran else flat[i * columns : (i + 1) * columns] for i in range(rows)]
    if kind in _INTEGERS:
        return matrix(fmpz_mat(rows, columns, [fmpz(value) for row in table for value in row]))
    return _floats(table, name)


def _floats(table: list[tuple[float, ...]], name: str) -> Matrix:
    for i, row in enumerate(table, 1):
        for j, value in enumerate(row, 1):
            if not isfinite(value):
                raise MalformedStatement(
                    name, f"row {i}, column {j}", f"{value} is not a finite number; remove the record"
                )
    fractions: list[list[fmpq]] = [[binary64_fraction(value) for value in row] for row in table]
    return matrix_of_fractions(fractions, len(table[0]))


def _header(data: bytes, name: str) -> tuple[str, bool, tuple[int, int], bytes]:
    version = data[6:7]
    width = 2 if version == b"\x01" else 4
    start = 8 + width
    length = int.from_bytes(data[8:start], "little")
    text = data[start : start + length]
    if len(data) < start or len(text) != length or length > 100_000:
        raise MalformedStatement(name, "", "the NPY header is cut off")
    try:
        header = ast.literal_eval(text.decode("latin-1").strip())
        code, fortran, shape = str(header["descr"]), bool(header["fortran_order"]), tuple(header["shape"])
    except (ValueError, SyntaxError, KeyError, TypeError, MemoryError, RecursionError):
        raise MalformedStatement(name, "", "the NPY header cannot be read") from None
    if code[:1] not in "<>|=" or code[1:] not in _FLOATS | _INTEGERS:
        raise MalformedStatement(name, "", f"entries of type {shown(code)}; save floats or integers (float64 at best)")
    if len(shape) != 2 or not all(type(size) is int and size >= 0 for size in shape):
        raise MalformedStatement(name, "", f"an array of shape {shown(str(shape))}; a table has two dimensions")
    return code, fortran, (shape[0], shape[1]), data[start + length :]
