"""Equations on y that make parts of a combination of C and the A_i vanish: on a kernel, or on coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz_mat

from certify.certificates.conic.affine import SparseRow
from certify.certificates.conic.subspace import Elimination, split
from certify.checker.conic.cones import Free, PositiveSemidefinite, Zero
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.linear import Sparse, dense_vector
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.exact import Matrix, matrix


@dataclass(frozen=True, slots=True)
class Vanishing:
    """Equations ``sum y_i a_i = c``: what makes ``C - sum y_i A_i`` vanish somewhere; with c = 0, ``sum y_i A_i``."""

    rows: tuple[SparseRow, ...]
    constants: tuple[fmpq, ...]


def dense_element(part: Block, element: Sparse) -> Matrix:
    """Return an element of a block, n x n or 1 x n."""
    if part.is_matrix:
        return dense_matrix(element)
    return matrix(fmpz_mat(1, element.order, dense_vector(element)), element.denominator)


def vanishing(
    problem: ConicProblem, elements: Sequence[Matrix], spectra: Sequence[Elimination], threshold: float
) -> Vanishing | None:
    """Return what makes a combination vanish where its pivots are not above a threshold; None where no guess is near.

    Free blocks of X, where the slack is zero, are made to vanish altogether.
    """
    rows: dict[tuple[int, int, int], dict[int, fmpq]] = {}
    for index, (part, element, spectrum) in enumerate(zip(problem.blocks, elements, spectra, strict=True)):
        if isinstance(part.cone, Free):
            found = _coordinate_rows(part, range(part.cone.size))
        elif isinstance(part.cone, PositiveSemidefinite):
            guess = split(element, spectrum, spectrum.rank(threshold))
            if guess is None:
                return None
            found = _kernel_rows(part, guess.kernel())
        elif isinstance(part.cone, Zero):
            continue
        else:
            found = _coordinate_rows(part, [i for i, size in enumerate(spectrum.sizes) if size <= threshold])
        rows |= {(index, *where): row for where, row in found.items()}
    ordered = [rows[where] for where in sorted(rows)]
    constants = tuple(row.get(-1, fmpq(0)) for row in ordered)
    return Vanishing(tuple({i: value for i, value in row.items() if i >= 0} for row in ordered), constants)


def _coordinate_rows(part: Block, coordinates: Iterable[int]) -> dict[tuple[int, int], dict[int, fmpq]]:
    """Return the equations of coordinates of a vector; C is under -1."""
    rows: dict[tuple[int, int], dict[int, fmpq]] = {(coordinate, 0): {} for coordinate in coordinates}
    for constraint, row, _, numerator in part.entries():
        if (row, 0) in rows:
            rows[row, 0][constraint - 1] = fmpq(numerator, part.values.denominator)
    return rows


def _kernel_rows(part: Block, kernel: Matrix) -> dict[tuple[int, int], dict[int, fmpq]]:
    """Return the equations of the products with the columns of a kernel; C is under -1."""
    lists = [
        [(j, kernel.entry(k, j)) for j in range(kernel.columns) if kernel.numerators[k, j] != 0]
        for k in range(kernel.rows)
    ]
    rows: dict[tuple[int, int], dict[int, fmpq]] = {}
    for constraint, row, column, numerator in part.entries():
        value = fmpq(numerator, part.values.denominator)
        for i, k in {(row, column), (column, row)}:
            for j, weight in lists[k]:
                target = rows.setdefault((i, j), {})
                target[constraint - 1] = target.get(constraint - 1, fmpq(0)) + value * weight
    return rows
