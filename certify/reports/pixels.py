"""Records that are images, as pictures inside a page."""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass
from math import isqrt

import numpy as np

from certify.certificates.floats import FloatArray

LEAST_SIDE = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """The number of rows and columns of an image, whose pixels a record lists row by row."""

    rows: int
    columns: int


def guess_shape(records: FloatArray) -> Shape | None:
    """Return the square shape of records that look like images: a square number of entries, none of them negative."""
    side = isqrt(records.shape[1])
    square = side * side == records.shape[1] and side >= LEAST_SIDE
    return Shape(side, side) if square and bool((records >= 0).all()) else None


def data_uri(record: FloatArray, shape: Shape, brightest: float) -> str:
    """Return a record as the address of a grey PNG image: 0 is black, ``brightest`` white."""
    levels = np.clip(np.rint(record.reshape(shape.rows, shape.columns) * (255 / (brightest or 1.0))), 0, 255)
    rows = b"".join(b"\0" + row.tobytes() for row in levels.astype(np.uint8))
    header = struct.pack(">IIBBBBB", shape.columns, shape.rows, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    image = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)
    return f"data:image/png;base64,{base64.b64encode(image).decode('ascii')}"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
