"""The sensitivity set of a release, up to its symmetric hull, derived from the records (theory.md section 2).

Every guarantee depends on the set only through its symmetric closed convex hull. Each class below is one kind of hull;
a list of queries is a union of several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.domains import BallDomain, BoxDomain, Domain, FiniteDomain, SimplexDomain
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.exponents import LogWeights, PairExponents, log_weights, pair_exponents
from certify.checker.pairs import differences
from certify.checker.queries import (
    DiffusionQuery,
    FixedQuery,
    PointQuery,
    Query,
    QueryBall,
    QueryBox,
    QueryList,
    UniformQuery,
)
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of ``points`` (J x d)."""

    points: Matrix


@dataclass(frozen=True, slots=True)
class Pairs:
    """The differences of any two rows of ``points`` (m x d)."""

    points: Matrix


@dataclass(frozen=True, slots=True)
class Deletions:
    """``t_g(x, y)``, x and y any two rows of ``points`` (m x d), g where the factor is largest."""

    points: Matrix
    exponents: PairExponents


@dataclass(frozen=True, slots=True)
class Replacements:
    """``u_g(x, x'; z)``, x, x' and z any rows of ``points`` (m x d)."""

    points: Matrix
    weights: LogWeights


@dataclass(frozen=True, slots=True)
class Zonotope:
    """All ``sum_i v_i g_i`` with every ``|v_i| <= 1``; ``generators`` (n x d) has the rows g_i."""

    generators: Matrix


@dataclass(frozen=True, slots=True)
class Ball:
    """All vectors of R^d of Euclidean norm at most ``radius``."""

    radius: fmpq
    dimension: int


Hull: TypeAlias = Rows | Pairs | Deletions | Replacements | Zonotope | Ball


def hulls_of(release: Release) -> tuple[Hull, ...]:
    """Return hulls whose union has the symmetric hull of the sensitivity set.

    Sound by theory.md section 2: the two-record theorem (every deletion is ``sum c_i t_g(x_k, x_i)`` with c_i >= 0 and
    ``sum c_i <= 1``), the three-record theorem, the uniform query (differences x - y are limits of factors that tend to
    1 along a ray, and every factor is below 1), the bounded region (the factor increases with its exponent, whose
    largest value is closed form). For sums and means the set is what the definition says; for a box its differences are
    the zonotope of its edges, for a ball the ball of twice the radius, for a simplex the hull of those of its vertices.
    An ``IdealDenoiser`` over these is at the uniform query: its constructor refuses any other.

    Proof: ``add_or_remove_supported``, ``replace_supported``, ``uniform_query_supported``,
    ``uniform_query_approached``.
    """
    match release:
        case IdealDenoiser(FiniteDomain(records, _), query, neighbours):
            return _denoiser_hulls(records, query, neighbours)
        case IdealDenoiser(domain, _, _):
            return (_differences_over(domain),)
        case RecordSum(domain, neighbours):
            replaced = neighbours is Neighbours.REPLACE_ONE
            return (_differences_over(domain) if replaced else _records_over(domain),)
        case RecordMean(domain, count):
            return (_scaled(_differences_over(domain), fmpq(1, count)),)
        case ExplicitVectors(vectors):
            return (Rows(vectors),)
        case _:
            assert_never(release)


def _denoiser_hulls(records: Matrix, query: Query, neighbours: Neighbours) -> tuple[Hull, ...]:
    points = differences(records)
    match query:
        case UniformQuery():
            return (Pairs(points),)
        case QueryBall() | QueryBox():
            return (Deletions(points, pair_exponents(records, query)),)
        case FixedQuery() | DiffusionQuery():
            return (_point_hull(records, points, query, neighbours),)
        case QueryList(queries):
            return tuple(_point_hull(records, points, each, neighbours) for each in queries)
        case _:
            assert_never(query)


def _point_hull(records: Matrix, points: Matrix, query: PointQuery, neighbours: Neighbours) -> Hull:
    match neighbours:
        case Neighbours.ADD_OR_REMOVE_ONE:
            return Deletions(points, pair_exponents(records, query))
        case Neighbours.REPLACE_ONE:
            return Replacements(points, log_weights(records, query))
        case _:
            assert_never(neighbours)


def _differences_over(domain: Domain) -> Pairs | Zonotope | Ball:
    match domain:
        case FiniteDomain(records, _):
            return Pairs(differences(records))
        case BoxDomain(lower, upper):
            return Zonotope(_diagonal(upper - lower))
        case BallDomain(_, radius):
            return Ball(2 * radius, domain.dimension)
        case SimplexDomain(dimension, scale):
            return Pairs(identity(dimension).scaled(scale))
        case _:
            assert_never(domain)


def _records_over(domain: Domain) -> Rows | Zonotope | Ball:
    match domain:
        case FiniteDomain(records, _):
            return Rows(records)
        case BoxDomain(lower, upper):
            half = fmpq(1, 2)
            return Zonotope(stacked([(lower + upper).scaled(half), _diagonal((upper - lower).scaled(half))]))
        case BallDomain(_, radius):
            return Ball(radius, domain.dimension)
        case SimplexDomain(dimension, scale):
            return Rows(identity(dimension).scaled(scale))
        case _:
            assert_never(domain)


def _scaled(hull: Pairs | Zonotope | Ball, factor: fmpq) -> Hull:
    match hull:
        case Pairs(points):
            return Pairs(points.scaled(factor))
        case Zonotope(generators):
            return Zonotope(generators.scaled(factor))
        case Ball(radius, dimension):
            return Ball(radius * factor, dimension)
        case _:
            assert_never(hull)


def spanning(hull: Hull) -> Matrix:
    """Return rows of R^d that span the hull."""
    match hull:
        case Rows(points) | Pairs(points) | Deletions(points, _) | Replacements(points, _):
            return points if isinstance(hull, Rows) else differences(points)
        case Zonotope(generators):
            return generators
        case Ball(radius, dimension):
            return identity(dimension).scaled(radius)
        case _:
            assert_never(hull)


def restrict(hull: Hull, columns: Sequence[int]) -> Hull:
    """Return the image of a hull under keeping the given columns, which must determine it (``Support``)."""
    match hull:
        case Rows(points):
            return Rows(_columns(points, columns))
        case Pairs(points):
            return Pairs(_columns(points, columns))
        case Deletions(points, exponents):
            return Deletions(_columns(points, columns), exponents)
        case Replacements(points, weights):
            return Replacements(_columns(points, columns), weights)
        case Zonotope(generators):
            return Zonotope(_columns(generators, columns))
        case Ball(radius, _):
            return Ball(radius, len(columns))
        case _:
            assert_never(hull)


def _columns(points: Matrix, columns: Sequence[int]) -> Matrix:
    return points.select(range(points.rows), columns)


def _diagonal(row: Matrix) -> Matrix:
    size = row.columns
    entries = [row.numerators[0, i] if i == j else fmpz(0) for i in range(size) for j in range(size)]
    return matrix(fmpz_mat(size, size, entries), row.denominator)


def stacked(parts: Sequence[Matrix]) -> Matrix:
    """Return the rows of several matrices of the same number of columns, one after the other."""
    common = fmpz(1)
    for part in parts:
        common = common.lcm(part.denominator)
    entries = [entry for part in parts for entry in (part.numerators * (common // part.denominator)).entries()]
    return matrix(fmpz_mat(sum(part.rows for part in parts), parts[0].columns if parts else 0, entries), common)
