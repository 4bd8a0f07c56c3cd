"""The exact preparation of a covariance program: the subspace that carries its sensitivity vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz_mat

from certify.certificates.families import Family, family_of
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.hulls import Hull, hulls_of, restrict, spanning
from certify.checker.members import named_vectors
from certify.checker.pairs import Progress
from certify.checker.releases import Release
from certify.checker.suprema import supremum
from certify.checker.vectors import VectorName
from certify.checker.witnesses import Support


@dataclass(frozen=True, slots=True)
class Reduction:
    """Sensitivity vectors in coordinates of the subspace that they span.

    Attributes:
        hulls: The sensitivity set in R^d.
        pivots: r columns that determine every vector.
        basis: B, d x r, with ``s = B s[pivots]`` exactly for every vector s; the identity where they span R^d.
        support: The support of a singular covariance, None where r = d.
    """

    hulls: tuple[Hull, ...]
    pivots: tuple[int, ...]
    basis: Matrix
    support: Support | None

    def family(self) -> Family:
        """Return the float vectors at the pivots."""
        return family_of(self.hulls, self.pivots)

    def vectors(self, names: Sequence[VectorName]) -> Matrix:
        """Return exact members of the hull, k x r, at the pivots.

        Raises:
            ValueError: If a name names none.
        """
        found = named_vectors(self.hulls, names)
        if isinstance(found, str):
            raise ValueError(found)
        return found.select(range(found.rows), self.pivots)

    def largest_form(self, precision: Matrix, limit: fmpq, progress: Progress) -> fmpq:
        """Return the upper bound of ``sup s^T P s`` that the checker will compute for P, r x r."""
        hulls = self.hulls if self.support is None else [restrict(hull, self.pivots) for hull in self.hulls]
        found = [supremum(hull, precision, limit, progress) for hull in hulls]
        return max((each.value.upper for each in found if each is not None), default=fmpq(0))


def reduce_release(release: Release, *, to_span: bool) -> Reduction:
    """Return the sensitivity set of a release, in coordinates of its span when asked."""
    hulls = hulls_of(release)
    dimension = release.dimension
    everything = tuple(range(dimension))
    if not to_span:
        return Reduction(hulls, everything, identity(dimension), None)
    pivots, basis = span(spanning(hulls[0]))
    if len(pivots) == dimension:
        return Reduction(hulls, everything, identity(dimension), None)
    return Reduction(hulls, pivots, basis, Support(basis, pivots))


def span(rows: Matrix) -> tuple[tuple[int, ...], Matrix]:
    """Return pivot columns and the d x r matrix B with ``row = B row[pivots]`` for every row (reduced echelon form)."""
    gram = rows.numerators.transpose() * rows.numerators
    echelon, denominator, rank = gram.rref()
    table = echelon.tolist()[:rank]
    pivots = tuple(next(j for j, entry in enumerate(row) if entry != 0) for row in table)
    numerators = fmpz_mat(rank, rows.columns, [entry for row in table for entry in row]).transpose()
    return pivots, matrix(numerators, denominator)


def restrict_weight(weight: Matrix, basis: Matrix) -> Matrix:
    """Return ``B^T W B``, the weight seen from the subspace."""
    if basis == identity(basis.rows):
        return weight
    return basis.transpose() @ weight @ basis
