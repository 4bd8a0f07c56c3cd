"""Bounds and rays from a solution that came from elsewhere: as it is where it is exact, else after repair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz, fmpz_mat

from certify.certificates.conic.draft import Draft
from certify.certificates.conic.dual import first_broken
from certify.certificates.conic.dyadic import float_block_of, float_row
from certify.certificates.conic.ends import Ends
from certify.certificates.conic.exposing import Ray, exact_exposure
from certify.certificates.conic.plain import ends_of, repaired_dual, repaired_primal
from certify.certificates.conic.primal import Tools, proof_near
from certify.certificates.conic.recession import RecessionRay, exact_ray
from certify.checker.conic.check import farkas_ray, lower_bound, recession_ray
from certify.checker.conic.cones import PositiveSemidefinite, order
from certify.checker.conic.witnesses import DualPoint, MatrixPoint, PrimalPoint, PrimalProof, VectorPoint
from certify.checker.exact import Matrix, matrix
from certify.checker.verdict import Obligation

GRID = 160
LARGE_ORDER = 300


@dataclass(frozen=True, slots=True)
class GivenPoint:
    """A solution from elsewhere, read exactly but trusted in nothing; any part may be missing.

    Attributes:
        x: X block by block, 1 x n for a vector, n x n for a matrix.
        y: y, 1 x m.
        slack: What the source gives as the dual slack S; S is always recomputed, this serves to find mistakes.
    """

    x: tuple[Matrix, ...] | None
    y: Matrix | None
    slack: tuple[Matrix, ...] | None = None


def given_ends(tools: Tools, point: GivenPoint) -> Ends:
    """Return the bounds that a given solution proves, as it is or after repair."""
    return ends_of(_lower(tools, point.y), _upper(tools, point.x), "from the given solution")


def given_farkas_ray(tools: Tools, point: GivenPoint) -> DualPoint | None:
    """Return a Farkas ray of (P) that the given y is, or that lies near it."""
    if point.y is None or point.y.columns != tools.problem.constraint_count:
        return None
    ray = DualPoint((), point.y)
    if _holds(farkas_ray(tools.problem, ray)):
        return ray
    near = exact_exposure(tools.problem, point.y.scaled(fmpq(-1))) if not point.y.numerators.is_zero() else None
    return DualPoint((), near.vector) if isinstance(near, Ray) else None


def given_recession_ray(tools: Tools, point: GivenPoint) -> PrimalPoint | None:
    """Return a recession ray of (D) that the given X is, or that lies near it."""
    if point.x is None or not _fits(tools, point.x):
        return None
    blocks = [
        MatrixPoint(value) if part.is_matrix else VectorPoint(value)
        for part, value in zip(tools.problem.blocks, point.x, strict=True)
    ]
    ray = PrimalPoint((), tuple(blocks))
    if _holds(recession_ray(tools.problem, ray)):
        return ray
    near = exact_ray(tools.problem, point.x)
    return PrimalPoint((), near.blocks) if isinstance(near, RecessionRay) else None


def _lower(tools: Tools, y: Matrix | None) -> tuple[DualPoint, fmpq] | str:
    if y is None:
        return "it has no y"
    if y.columns != tools.problem.constraint_count:
        return f"its y has {y.columns} entries where the problem has {tools.problem.constraint_count} equations"
    exact = DualPoint((), y)
    bound = lower_bound(tools.problem, exact)
    if bound.value is not None and first_broken(bound.obligations) is None:
        return exact, bound.value
    return repaired_dual(tools, [float_row(y)])


def _upper(tools: Tools, x: tuple[Matrix, ...] | None) -> tuple[PrimalProof, fmpq] | str:
    if x is None:
        return "it has no X"
    if not _fits(tools, x):
        return "its X does not have the blocks of the problem"
    shape = tuple(map(float_block_of, x))
    if max((order(part.cone) for part in tools.problem.blocks), default=0) <= LARGE_ORDER:
        found = proof_near(tools, Draft((False,) * len(x), tuple(map(_on_grid, x))), GRID, shape)
        if not isinstance(found, str):
            return found
    return repaired_primal(tools, [shape])


def _fits(tools: Tools, x: tuple[Matrix, ...]) -> bool:
    wanted = [
        (order(part.cone) if isinstance(part.cone, PositiveSemidefinite) else 1, order(part.cone))
        for part in tools.problem.blocks
    ]
    return [(part.rows, part.columns) for part in x] == wanted


def _on_grid(part: Matrix) -> Matrix:
    entries = [
        (2 * (entry << GRID) + part.denominator) // (2 * part.denominator) for entry in part.numerators.entries()
    ]
    return matrix(fmpz_mat(part.rows, part.columns, entries), fmpz(1) << GRID)


def _holds(obligations: Sequence[Obligation]) -> bool:
    return first_broken(obligations) is None
