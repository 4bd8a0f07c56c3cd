"""The exact preparation of a covariance program: distinct records, and the subspace that carries them."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpz_mat

from certify.checker.exact import Matrix, identity, matrix
from certify.checker.sensitivity import FiniteDomain, differences
from certify.checker.witnesses import Support


@dataclass(frozen=True, slots=True)
class Reduction:
    """Distinct points in coordinates of the subspace that their differences span.

    Attributes:
        points: Distinct differences ``x_i - x_0`` at the pivots of the support, k x r.
        origins: For each point the row index of the first record it comes from.
        basis: B, d x r, with ``x_i - x_0 = B p_i`` exactly; the identity where the differences span R^d.
        support: The support of a singular covariance, None where r = d.
    """

    points: Matrix
    origins: tuple[int, ...]
    basis: Matrix
    support: Support | None


def reduce_domain(domain: FiniteDomain, *, to_span: bool) -> Reduction:
    """Return the distinct points of a domain, in coordinates of their span when asked."""
    whole = differences(domain.records)
    rows = [tuple(map(int, row)) for row in whole.numerators.tolist()]
    first_rows: dict[tuple[int, ...], int] = {}
    for index, row in enumerate(rows):
        first_rows.setdefault(row, index)
    origins = tuple(first_rows.values())
    dimension = domain.dimension
    pivots, basis = span(whole.select(origins, range(dimension))) if to_span else (tuple(range(dimension)), None)
    points = whole.select(origins, pivots)
    if basis is None or len(pivots) == dimension:
        return Reduction(points, origins, identity(dimension), None)
    return Reduction(points, origins, basis, Support(basis, pivots))


def span(rows: Matrix) -> tuple[tuple[int, ...], Matrix]:
    """Return pivot columns and the d x r matrix B with ``row = B row[pivots]`` for every row (reduced echelon form)."""
    gram = rows.numerators.transpose() * rows.numerators
    echelon, denominator, rank = gram.rref()
    table = echelon.tolist()[:rank]
    pivots = tuple(next(j for j, entry in enumerate(row) if entry != 0) for row in table)
    numerators = fmpz_mat(rank, rows.columns, [entry for row in table for entry in row]).transpose()
    return pivots, matrix(numerators, denominator)


def restrict(weight: Matrix, basis: Matrix) -> Matrix:
    """Return ``B^T W B``, the weight seen from the subspace."""
    return basis.transpose() @ weight @ basis
