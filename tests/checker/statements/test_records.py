"""Records and weights: exact values, a header, and errors that name file, line, column and value."""

from __future__ import annotations

import hashlib
import io
import struct
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from certify.checker.exact import matrix
from certify.checker.sensitivity import Reading
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.records import read_records, read_weight
from certify.checker.statements.tables import read_table

ONE = fmpq(1)


def npy(array: Any, **options: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"0.1,2\n3,4e-1\n",
        b"a,b\n0.1,2\n3,4e-1\n",
        b"\xef\xbb\xbfa,b\r\n0.1,2\r\n3,4e-1\r\n\r\n",
        b'"first, column",b\n"0.1", 2\n3,2/5',
        b" 1/10 ,2\n3,.4\n,\n",
    ],
    ids=["plain", "header", "BOM and CRLF", "quotes", "fractions and blank end"],
)
def test_csv_is_read_exactly(data: bytes) -> None:
    domain = read_records(data, "folder/r.csv", ONE)
    assert domain.records == matrix(fmpz_mat([[1, 20], [30, 4]]), 10)
    assert domain.source is not None
    assert domain.source.name == "r.csv"
    assert domain.source.sha256 == hashlib.sha256(data).hexdigest()
    assert domain.source.reading is Reading.DECIMAL


def test_a_header_names_the_columns() -> None:
    assert read_table(b"a, b\n1,2\n", "r.csv").header == ("a", "b")
    assert read_table(b"1,2\n", "r.csv").header == ()


def test_the_scale_is_exact() -> None:
    assert read_records(b"1,3\n", "r.csv", fmpq(1, 3)).records.entry(0, 0) == fmpq(1, 3)


BAD_CSV = {
    "empty": (b"", "no row of numbers"),
    "blank": (b"\n\n", "no row of numbers"),
    "header only": (b"a,b\n", "no row of numbers"),
    "ragged": (b"1,2\n3\n", "line 2: 1 cells where 2"),
    "too wide": (b"1,2\n3,4,5\n", "line 2: 3 cells where 2"),
    "wider than the header": (b"a,b\n3,4,5\n", "line 2: 3 cells where 2"),
    "blank line inside": (b"1,2\n\n3,4\n", "line 2: 0 cells where 2"),
    "text": (b"1,2\n3,abc\n", "line 2, column 2: 'abc'"),
    "NaN": (b"1,NaN\n", "line 1, column 2: 'NaN' is not a finite number"),
    "infinity": (b"1,-inf\n", "line 1, column 2: '-inf' is not a finite number"),
    "empty cell": (b"1,\n", "line 1, column 2: the cell is empty"),
    "mixed first line": (b"a,2\n", "line 1, column 1: 'a'"),
    "semicolons": (b"1;2\n3;4\n", "commas"),
    "tabs": (b"a,b\n1\t2\n", "commas"),
    "hexadecimal": (b"0x10\n", "line 1, column 1"),
    "a line of numbers gone wrong is no header": (b"1.2.3,4x\n1,2\n", "line 1, column 1: '1.2.3'"),
    "huge exponent": (b"1e999999\n", "exponent"),
    "Latin-1": (b"1,\xe9\n", "byte 2"),
    "open quote": (b'1,"2\n', "not CSV"),
    "second header": (b"a,b\nc,d\n", "line 2, column 1: 'c'"),
}


@pytest.mark.parametrize("name", BAD_CSV)
def test_bad_csv_names_file_place_and_value(name: str) -> None:
    data, message = BAD_CSV[name]
    with pytest.raises(MalformedStatement) as caught:
        read_records(data, "r.csv", ONE)
    assert str(caught.value).startswith("r.csv")
    assert message in str(caught.value)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_table_or_an_error(data: bytes) -> None:
    for content in (data, b"\x93NUMPY" + data):
        try:
            table = read_table(content, "x")
        except MalformedStatement:
            continue
        assert table.values.rows > 0


@given(
    hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=4),
        elements=st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_npy_floats_are_read_as_the_numbers_they_are(array: Any) -> None:
    for order in ("C", "F"):
        values = read_records(npy(np.asarray(array, order=order)), "r.npy", ONE).records
        for i in range(array.shape[0]):
            for j in range(array.shape[1]):
                assert values.entry(i, j) == fmpq(*float(array[i, j]).as_integer_ratio())


@pytest.mark.parametrize("code", ["<f8", ">f8", "<f4", "<f2", "|i1", ">i2", "<i4", "<i8", "|u1", "<u2", ">u4", "<u8"])
def test_npy_types_and_byte_orders(code: str) -> None:
    array = np.array([[1, 2, 3], [4, 5, 60]], dtype=code)
    domain = read_records(npy(array), "r.npy", ONE)
    assert domain.records == matrix(fmpz_mat([[1, 2, 3], [4, 5, 60]]))
    assert domain.source is not None
    assert domain.source.reading is Reading.BINARY64


def _header(text: str, version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + struct.pack("<H", len(text)) + text.encode()


BAD_NPY = {
    "cut header": (b"\x93NUMPY\x01\x00\xff\xff", "cut off"),
    "no header": (b"\x93NUMPY", "cut off"),
    "header is no literal": (_header("{'descr': f()}"), "cannot be read"),
    "header without shape": (_header("{'descr': '<f8', 'fortran_order': False}"), "cannot be read"),
    "cut numbers": (npy(np.eye(2))[:-1], "31 bytes"),
    "extra bytes": (npy(np.eye(2)) + b"x", "33 bytes"),
    "one dimension": (npy(np.zeros(3)), "two dimensions"),
    "three dimensions": (npy(np.zeros((1, 1, 1))), "two dimensions"),
    "no rows": (npy(np.zeros((0, 3))), "holds no number"),
    "complex": (npy(np.eye(2, dtype=complex)), "entries of type"),
    "text": (npy(np.array([["a"]])), "entries of type"),
    "objects": (npy(np.array([[None]], dtype=object), allow_pickle=True), "entries of type"),
    "NaN": (npy(np.array([[1, np.nan]])), "row 1, column 2: nan"),
    "infinity": (npy(np.array([[1.0], [-np.inf]])), "row 2, column 1: -inf"),
    "negative shape": (_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2)}"), "two dimensions"),
}


@pytest.mark.parametrize("name", BAD_NPY)
def test_bad_npy_says_what_is_wrong(name: str) -> None:
    data, message = BAD_NPY[name]
    with pytest.raises(MalformedStatement) as caught:
        read_records(data, "r.npy", ONE)
    assert message in str(caught.value)


def test_a_weight_is_read_exactly() -> None:
    assert read_weight(b"2,0.5\n0.5,1\n", "w.csv", 2) == matrix(fmpz_mat([[4, 1], [1, 2]]), 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1,2\n3,1\n", "row 2, column 1: the weight is not symmetric: 3 in row 2, column 1 but 2 across"),
        (b"1\n", "a 1 x 1 weight for records of 2 columns"),
        (b"1,2\n", "a 1 x 2 weight for records of 2 columns"),
        (b"1,2\n2,1\n", "positive definite: v^T W v = -3 for v = (-2, 1)"),
        (b"1,1\n1,1\n", "positive definite: W v = 0 for v = (1, -1)"),
        (b"0,0\n0,0\n", "positive definite: W v = 0"),
    ],
)
def test_a_bad_weight_is_refused_with_the_direction(data: bytes, message: str) -> None:
    with pytest.raises(MalformedStatement) as caught:
        read_weight(data, "w.csv", 2)
    assert message in str(caught.value)
