"""From a named sensitivity vector to two neighbouring datasets and a query that anybody can look at.

A vector of the hull refutes a claim already. Datasets do so in the words of the claim: these records, this query, these
two Gaussians. Under the uniform query a factor is below 1 at every query, so a query is chosen at which it is close
enough to 1: the record x itself, on the ray of theory.md section 2, with a noise level far below the distance to y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.certificates.rho_star import vector_of
from certify.checker.adaptive import at_precision
from certify.checker.claims import ReleasePrivacy
from certify.checker.denoiser import enclosed_ends, pull, working_precision
from certify.checker.domains import BallDomain, BoxDomain, Domain, FiniteDomain, SimplexDomain
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, inner, matrix, matrix_of_fractions
from certify.checker.exponents import log_weights
from certify.checker.hulls import hulls_of, stacked
from certify.checker.privacy import Infinite, RhoBudget, RhoStar
from certify.checker.queries import (
    DiffusionQuery,
    FixedQuery,
    PointQuery,
    QueryBall,
    QueryBox,
    QueryList,
    UniformQuery,
)
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release
from certify.checker.vectors import Combination, Deletion, Difference, Record, Replacement, VectorName
from certify.checker.witnesses import Counterexample, VectorWitness

ATTAINED_BITS = 128
LEAST_EXPONENT = 8
GRID = fmpz(1) << 64


@dataclass(frozen=True, slots=True)
class _Datasets:
    """D is ``rest`` and ``first``, D' is ``rest`` and ``second``, or ``rest`` alone; row vectors, 1 x d."""

    rest: tuple[Matrix, ...]
    first: Matrix
    second: Matrix | None


def counterexample(claim: ReleasePrivacy, worst: VectorWitness, budget: RhoBudget) -> Counterexample | None:
    """Return two neighbouring datasets whose difference is the worst vector, or close enough to refute the claim.

    Args:
        claim: The claim, whose rho_star exceeds the budget.
        worst: The vector that shows it, along its best direction.
        budget: What the guarantee allows rho_star to be.

    Returns:
        The counterexample; None for explicit vectors, which come from no datasets.
    """
    release = claim.sensitivity
    if isinstance(release, ExplicitVectors):
        return None
    datasets = _datasets(release, worst.vector)
    query = None
    if isinstance(release, IdealDenoiser):
        query = _query(release, claim.covariance, worst, budget, datasets)
    return _assemble(datasets, query, worst.direction)


def _assemble(datasets: _Datasets, query: PointQuery | None, direction: Matrix) -> Counterexample:
    rows: list[Matrix] = []
    for row in (*datasets.rest, datasets.first, *([] if datasets.second is None else [datasets.second])):
        if row not in rows:
            rows.append(row)
    second = None if datasets.second is None else rows.index(datasets.second)
    rest = tuple(rows.index(row) for row in datasets.rest)
    return Counterexample(stacked(rows), rest, rows.index(datasets.first), second, query, direction)


def _datasets(release: IdealDenoiser | RecordSum | RecordMean, name: VectorName) -> _Datasets:
    """Return neighbouring datasets whose difference is the named vector, at the uniform query up to a factor."""
    removed = not isinstance(release, RecordMean) and release.neighbours is Neighbours.ADD_OR_REMOVE_ONE
    match name:
        case Deletion(_, first, second):
            return _Datasets((_row(release.domain, second),), _row(release.domain, first), None)
        case Replacement(_, first, second, third):
            rows = [_row(release.domain, index) for index in (first, second, third)]
            return _Datasets((rows[2],), rows[0], rows[1])
        case Record(index):
            return _Datasets((), _row(release.domain, index), None)
        case Difference(first, second):
            return _between(release, _row(release.domain, first), _row(release.domain, second), removed=removed)
        case Combination(coefficients):
            return _extremes(release, coefficients, removed=removed)
        case _:
            assert_never(name)


def _between(release: IdealDenoiser | RecordSum | RecordMean, x: Matrix, y: Matrix, *, removed: bool) -> _Datasets:
    """Removing x from {x, y} moves an ideal denoiser by almost x - y, and so does replacing x by y in {y, x}."""
    rest = (y,) if isinstance(release, IdealDenoiser) else ()
    return _Datasets(rest, x, None if removed else y)


def _extremes(release: IdealDenoiser | RecordSum | RecordMean, coefficients: Matrix, *, removed: bool) -> _Datasets:
    """Return the two records of a box or ball that a combination is the difference of, or its one record."""
    domain = release.domain
    match domain:
        case BoxDomain(lower, upper):
            middle, half = (lower + upper).scaled(fmpq(1, 2)), (upper - lower).scaled(fmpq(1, 2))
            if removed and isinstance(release, RecordSum):
                turned = coefficients if coefficients.entry(0, 0) >= 0 else coefficients.scaled(fmpq(-1))
                signs = turned.select((0,), range(1, turned.columns))
                return _Datasets((), middle + _entrywise(signs, half), None)
            step = _entrywise(coefficients, half)
        case BallDomain(centre, radius):
            middle, step = centre, coefficients.scaled(radius)
            if removed and isinstance(release, RecordSum):
                return _Datasets((), step, None)
        case FiniteDomain() | SimplexDomain():
            raise TypeError("a combination names a vector over a box or a ball")
        case _:
            assert_never(domain)
    return _between(release, middle + step, middle - step, removed=removed)


def _row(domain: Domain, index: int) -> Matrix:
    match domain:
        case FiniteDomain(records, _):
            return records.select((index,), range(records.columns))
        case SimplexDomain(dimension, scale):
            return matrix_of_fractions([[scale if j == index else fmpq(0) for j in range(dimension)]], dimension)
        case BoxDomain() | BallDomain():
            raise TypeError("the records of a box or a ball have no indices")
        case _:
            assert_never(domain)


def _query(
    release: IdealDenoiser, covariance: Matrix, worst: VectorWitness, budget: RhoBudget, datasets: _Datasets
) -> PointQuery:
    query = release.query
    x, y = datasets.first, datasets.rest[0]
    match query:
        case FixedQuery() | DiffusionQuery():
            return query
        case QueryList(queries):
            return queries[_query_index(worst.vector)]
        case QueryBox() | QueryBall():
            return _farthest_query(query, x - y)
        case UniformQuery():
            reached = _value(release, covariance, worst)
            return FixedQuery(x, _small_variance(x - y, _needed_exponent(reached, budget)))
        case _:
            assert_never(query)


def _query_index(name: VectorName) -> int:
    return name.query if isinstance(name, Deletion | Replacement) else 0


def _farthest_query(query: QueryBox | QueryBall, step: Matrix) -> FixedQuery:
    """Return the query of a region where the factor of t(x, y), ``step`` = x - y, is largest, or just inside of it."""
    match query:
        case QueryBox(lower, upper, variance):
            ends = [(upper if step.entry(0, column) > 0 else lower).entry(0, column) for column in range(step.columns)]
            return FixedQuery(matrix_of_fractions([ends], step.columns), variance)
        case QueryBall(centre, radius, variance):
            return FixedQuery(centre + step.scaled(radius / _length_upper(step)), variance)
        case _:
            assert_never(query)


def _length_upper(step: Matrix) -> fmpq:
    """Return a number a little above the Euclidean length of a row other than zero."""
    squared = inner(step, step)
    scaled = squared * GRID**2
    root = scaled.ceil().isqrt()
    exact = fmpq(root, GRID)
    return exact if exact**2 == squared else fmpq(root + 1, GRID)


def _needed_exponent(reached: RhoStar, budget: RhoBudget) -> int:
    """Return h with ``f^2 reached`` above the budget for every factor ``f >= 1 - e^-h``."""
    if isinstance(reached, Infinite) or not isinstance(budget, Enclosure):
        return LEAST_EXPONENT
    room = 1 - budget.upper / reached.lower
    if room <= 0:
        return LEAST_EXPONENT
    return LEAST_EXPONENT + int(room.q.bit_length() - room.p.bit_length())


def _small_variance(step: Matrix, exponent: int) -> fmpq:
    """Return sigma^2, sigma = 1 or a power of 1/2, with ``|step|^2 / (2 sigma^2) >= exponent``."""
    variance, squared = fmpq(1), inner(step, step)
    while squared < 2 * exponent * variance:
        variance /= 4
    return variance


def _value(release: Release, covariance: Matrix, worst: VectorWitness) -> RhoStar:
    y = worst.direction
    shift, noise = inner(y, vector_of(hulls_of(release), worst.vector)), inner(y @ covariance, y)
    if noise <= 0:
        return Infinite()
    return Enclosure(shift**2 / noise, shift**2 / noise)


def _entrywise(left: Matrix, right: Matrix) -> Matrix:
    """Return the product of two rows, entry by entry."""
    products = [a * b for a, b in zip(left.numerators.entries(), right.numerators.entries(), strict=True)]
    return matrix(fmpz_mat(1, left.columns, products), left.denominator * right.denominator)


def attained(claim: ReleasePrivacy, witness: Counterexample | VectorWitness) -> RhoStar:
    """Return the rho_star that a refutation shows to be attained, enclosed.

    For a counterexample that is ``(y.m(D) - y.m(D'))^2 / (y^T Sigma y)`` for its two datasets; for a vector of the hull
    it is approached by datasets.
    """
    if isinstance(witness, VectorWitness):
        return _value(claim.sensitivity, claim.covariance, witness)
    y = witness.direction
    noise = inner(y @ claim.covariance, y)
    if noise <= 0:
        return Infinite()
    shift = _shift(claim.sensitivity, witness)
    squares = sorted((shift.lower**2 / noise, shift.upper**2 / noise))
    return Enclosure(squares[0], squares[1])


def _shift(release: Release, witness: Counterexample) -> Enclosure:
    values = witness.records @ witness.direction.transpose()
    along = [values.entry(row, 0) for row in range(values.rows)]
    if witness.query is None:
        other = fmpq(0) if witness.second is None else along[witness.second]
        moved = (along[witness.first] - other) / (release.count if isinstance(release, RecordMean) else 1)
        return Enclosure(moved, moved)
    weights = log_weights(witness.records, witness.query)

    def enclose() -> Enclosure:
        moved = pull(weights, witness.rest, witness.first, along)
        if witness.second is not None:
            moved -= pull(weights, witness.rest, witness.second, along)
        return enclosed_ends(moved)

    return at_precision(working_precision(weights, ATTAINED_BITS), enclose)
