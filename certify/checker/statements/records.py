"""Records and task weights as exact statements."""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import assert_never

from flint import fmpq

from certify.checker.decimals import decimal_upper
from certify.checker.exact import Matrix
from certify.checker.psd import NotPsd, Psd, decide_by_ldl, is_positive_definite
from certify.checker.sensitivity import FiniteDomain, Source
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.tables import read_table


def read_records(data: bytes, name: str, scale: fmpq) -> FiniteDomain:
    """Return the domain whose records are the rows of a CSV or NPY file, each entry times ``scale``, exactly.

    Raises:
        MalformedStatement: If the file is no table of finite numbers, naming line and column.
    """
    table = read_table(data, name)
    source = Source(PurePath(name).name, hashlib.sha256(data).hexdigest(), scale, table.reading)
    return FiniteDomain(table.values.scaled(scale), source)


def read_weight(data: bytes, name: str, dimension: int) -> Matrix:
    """Return the task weight W in a CSV or NPY file: a symmetric positive definite d x d matrix.

    Raises:
        MalformedStatement: If it is no square table of the right size, is not symmetric (naming the two entries), or
            is not positive definite (with a direction v in which v^T W v <= 0).
    """
    weight = read_table(data, name).values
    if (weight.rows, weight.columns) != (dimension, dimension):
        found = f"{weight.rows} x {weight.columns}"
        raise MalformedStatement(name, "", f"a {found} weight for records of {dimension} columns")
    for i in range(dimension):
        for j in range(i):
            if weight.numerators[i, j] != weight.numerators[j, i]:
                entries = f"{weight.entry(i, j)} in row {i + 1}, column {j + 1} but {weight.entry(j, i)} across"
                raise MalformedStatement(
                    name, f"row {i + 1}, column {j + 1}", f"the weight is not symmetric: {entries}"
                )
    if not is_positive_definite(weight):
        raise MalformedStatement(name, "", f"the weight must be positive definite: {_nonpositive_direction(weight)}")
    return weight


def _nonpositive_direction(weight: Matrix) -> str:
    decision = decide_by_ldl(weight)
    match decision:
        case NotPsd(direction, value):
            return f"v^T W v = {decimal_upper(value)} for v = ({', '.join(map(str, direction))})"
        case Psd():
            kernel, _ = weight.numerators.nullspace()
            return f"W v = 0 for v = ({', '.join(str(kernel[i, 0]) for i in range(weight.rows))})"
        case _:
            assert_never(decision)
