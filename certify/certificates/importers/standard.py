"""Programs in the standard form ``min c'x, A x + s = b, s in L`` that solvers share, read exactly as neutral ones.

They are side (D): C = b, the A_i are the columns of A, the right-hand side is -c, K = L*, and values change sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from flint import fmpq

from certify.certificates.importers.conventions import Convention, exact_entry, places, vector_length
from certify.checker.conic.cones import Cone, PositiveSemidefinite, dual_cone, order
from certify.checker.conic.problem import Block, Coefficient, ConicProblem, SourceValue, block, row_vector
from certify.checker.domains import Reading
from certify.checker.exact import binary64_fraction


class ImportFailed(Exception):
    """Data that cannot be read as a conic program or a solution; says where, what is there and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class StandardProgram:
    """The arrays of a standard form.

    Attributes:
        matrix: A, shape (rows, m).
        constant: b, shape (rows,).
        linear: c, shape (m,).
        cones: The cones of s in the order of the rows.
        convention: How PSD rows lay out their matrices.
        offset: A constant added to ``c'x``.
        maximise: Whether the source maximises ``-c'x - offset``, of which this is the negative.
    """

    matrix: sp.csc_matrix
    constant: npt.NDArray[np.float64]
    linear: npt.NDArray[np.float64]
    cones: tuple[Cone, ...]
    convention: Convention
    offset: float = 0.0
    maximise: bool = False


def row_count(cone: Cone, convention: Convention) -> int:
    """Return how many rows of the standard form a cone takes."""
    return vector_length(cone.size, convention) if isinstance(cone, PositiveSemidefinite) else order(cone)


def neutral_program(program: StandardProgram) -> ConicProblem:
    """Return the program in the neutral form, every number the binary64 number it is.

    Raises:
        ImportFailed: If shapes disagree, a number is not finite, or a full matrix is not symmetric.
    """
    rows = sum(row_count(cone, program.convention) for cone in program.cones)
    width = len(program.linear)
    if program.matrix.shape != (rows, width) or program.constant.shape != (rows,):
        shape = f"A of shape {program.matrix.shape}, b of shape {program.constant.shape}"
        raise ImportFailed(f"the cones take {rows} rows and c has {width} entries, but there is {shape}")
    joined = sp.csr_matrix(sp.hstack([sp.csr_matrix(program.constant[:, None]), program.matrix]))
    joined.sum_duplicates()
    require_finite(joined.data, program.linear)
    blocks, start = [], 0
    for index, cone in enumerate(program.cones, 1):
        stop = start + row_count(cone, program.convention)
        blocks.append(_block(cone, joined[start:stop].tocoo(), program.convention, index))
        start = stop
    source = SourceValue.SAME if program.maximise else SourceValue.NEGATED
    right = row_vector([-binary64_fraction(float(value)) for value in program.linear])
    return ConicProblem(Reading.BINARY64, source, tuple(blocks), right, -binary64_fraction(program.offset))


def _block(cone: Cone, rows: sp.coo_matrix, convention: Convention, index: int) -> Block:
    if isinstance(cone, PositiveSemidefinite):
        return block(cone, matrix_coefficients(cone.size, rows, convention, index))
    entries = zip(rows.col.tolist(), rows.row.tolist(), rows.data.tolist(), strict=True)
    return block(dual_cone(cone), [(k, i, i, binary64_fraction(value)) for k, i, value in entries])


def matrix_coefficients(size: int, rows: sp.coo_matrix, convention: Convention, index: int) -> list[Coefficient]:
    """Return the coefficients of a PSD block whose rows lay out matrices, one column for C and each A_i.

    Raises:
        ImportFailed: If a full matrix is not symmetric; the message names the block and the entry.
    """
    where = places(size, convention)
    lower: dict[tuple[int, int, int], fmpq] = {}
    upper: dict[tuple[int, int, int], fmpq] = {}
    for constraint, row, value in zip(rows.col.tolist(), rows.row.tolist(), rows.data.tolist(), strict=True):
        place = where[row]
        target = upper if place.mirrored else lower
        target[constraint, place.row, place.column] = exact_entry(value, scaled=place.scaled)
    if convention is Convention.FULL:
        _require_symmetric(lower, upper, index)
    return [(k, i, j, value) for (k, i, j), value in lower.items()]


def _require_symmetric(
    lower: dict[tuple[int, int, int], fmpq], upper: dict[tuple[int, int, int], fmpq], index: int
) -> None:
    zero = fmpq(0)
    off = {key for key in (*lower, *upper) if key[1] != key[2]}
    for k, i, j in sorted(off):
        below, above = lower.get((k, i, j), zero), upper.get((k, i, j), zero)
        if below != above:
            what = "the constant term" if k == 0 else f"coefficient {k}"
            raise ImportFailed(
                f"PSD block {index} of {what} is not symmetric: entry ({i + 1}, {j + 1}) is {below} and "
                f"({j + 1}, {i + 1}) is {above}; some tools read the lower triangle only, others the symmetric part. "
                "Symmetrise it yourself"
            )


def require_finite(*arrays: npt.NDArray[np.float64]) -> None:
    """Raise if a number is infinite or NaN.

    Raises:
        ImportFailed: Naming the number.
    """
    for values in arrays:
        if not np.all(np.isfinite(values)):
            bad = values[~np.isfinite(values)][0]
            raise ImportFailed(f"{bad} in the data is no finite number; remove it")


def split_rows(
    vector: npt.NDArray[np.float64], cones: Sequence[Cone], convention: Convention
) -> Iterator[tuple[Cone, npt.NDArray[np.float64]]]:
    """Yield each cone with its part of a vector over the rows.

    Raises:
        ImportFailed: If the vector has another length than the cones take.
    """
    rows = sum(row_count(cone, convention) for cone in cones)
    if vector.shape != (rows,):
        raise ImportFailed(f"the cones take {rows} rows but the vector has shape {vector.shape}")
    start = 0
    for cone in cones:
        stop = start + row_count(cone, convention)
        yield cone, vector[start:stop]
        start = stop
