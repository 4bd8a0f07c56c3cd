"""The logarithm of a ratio of weights, exactly: all that a factor depends on (theory.md sections 1 and 2).

With the log weight ``e(x) = (2 g.x - |x|^2) / (2 sigma^2)``, up to a constant, ``w_g(x) / w_g(y) = exp(e(x) - e(y))``.
At a diffusion state G with signal level a, ``e(x) = (2 sqrt(a) G.x - a |x|^2) / (2 (1 - a))``. Over a region of queries
the largest exponent of a pair has one more term, ``radius |x - y| / sigma^2`` for a ball and
``sum_k r_k |x_k - y_k| / sigma^2`` for a box with half edges r. So every exponent is ``p + q sqrt(c)`` with rational
p, q and c >= 0. No weight is ever formed, hence nothing overflows or underflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import arb, fmpq, fmpz

from certify.checker.exact import Matrix
from certify.checker.queries import DiffusionQuery, FixedQuery, PointQuery, QueryBall, QueryBox

ZERO = fmpq(0)


@dataclass(frozen=True, slots=True)
class Exponent:
    """The real number ``rational + coefficient * sqrt(radicand)``, with ``radicand`` >= 0."""

    rational: fmpq
    coefficient: fmpq
    radicand: fmpq

    def sign(self) -> int:
        """Return 1, 0 or -1, exactly: the two terms are compared by their squares."""
        plain = _sign(self.rational)
        if not self.coefficient:
            return plain
        surd = _sign(self.coefficient) * _sign(self.radicand)
        if plain == surd or 0 in (plain, surd):
            return plain or surd
        return plain * _sign(self.rational**2 - self.coefficient**2 * self.radicand)

    def ball(self) -> arb:
        """Return a ball around the number, at the current precision."""
        if not self.coefficient:
            return arb(self.rational)
        return self.rational + self.coefficient * arb(self.radicand).sqrt()

    def negated(self) -> Exponent:
        """Return minus the number."""
        return Exponent(-self.rational, -self.coefficient, self.radicand)

    def magnitude_bits(self) -> int:
        """Return k >= 0 with both terms below 2^k in absolute value: what a precision needs on top of its fraction."""
        surd_squared = self.coefficient**2 * self.radicand if self.coefficient else ZERO
        return max(_bits(self.rational), _bits(surd_squared) // 2 + 1, 0)


@dataclass(frozen=True, slots=True)
class LogWeights:
    """For each record e(x) = ``rational + root * sqrt(radicand)``, its log weight up to a common constant."""

    rational: tuple[fmpq, ...]
    root: tuple[fmpq, ...]
    radicand: fmpq

    def ratio(self, first: int, second: int) -> Exponent:
        """Return the logarithm of ``w(x_first) / w(x_second)``."""
        rational = self.rational[first] - self.rational[second]
        return Exponent(rational, self.root[first] - self.root[second], self.radicand)

    def floor_units(self, bits: int) -> list[int]:
        """Return integers k with ``k <= 2^bits e(x) < k + 2``, one for each record."""
        scale = fmpz(1) << bits
        return [
            int((scale * plain).floor()) + _floor_root(scale * root, self.radicand)
            for plain, root in zip(self.rational, self.root, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class NoReach:
    """One query point."""


@dataclass(frozen=True, slots=True)
class BallReach:
    """A ball of queries: the exponent of a pair grows by ``stretch |x - y|``, ``stretch`` = radius / sigma^2."""

    records: Matrix
    stretch: fmpq


@dataclass(frozen=True, slots=True)
class BoxReach:
    """A box of queries: the exponent of a pair grows by ``sum_k stretches_k |x_k - y_k|``.

    ``stretches`` (1 x d) is half the edges over sigma^2.
    """

    records: Matrix
    stretches: Matrix


Reach: TypeAlias = NoReach | BallReach | BoxReach


@dataclass(frozen=True, slots=True)
class PairExponents:
    """The largest exponent of every ordered pair of records over the queries of a model.

    Attributes:
        weights: The log weights at the query point, or at the centre of the region.
        reach: What the region adds, the same for (x, y) and (y, x).
    """

    weights: LogWeights
    reach: Reach


def log_weights(records: Matrix, query: PointQuery) -> LogWeights:
    """Return the log weights of the rows of ``records`` (m x d) at one query."""
    norms = _row_norms(records)
    match query:
        case FixedQuery(point, variance):
            along = _row_values(records @ point.transpose())
            rational = tuple((2 * a - n) / (2 * variance) for a, n in zip(along, norms, strict=True))
            return LogWeights(rational, (ZERO,) * records.rows, ZERO)
        case DiffusionQuery(state, signal):
            along = _row_values(records @ state.transpose())
            rational = tuple(-signal * norm / (2 * (1 - signal)) for norm in norms)
            return LogWeights(rational, tuple(a / (1 - signal) for a in along), signal)
        case _:
            assert_never(query)


def pair_exponents(records: Matrix, query: PointQuery | QueryBall | QueryBox) -> PairExponents:
    """Return the largest exponents over the queries of a model.

    Sound because over a region ``|g - y|^2 - |g - x|^2 = 2 g.(x - y) + |y|^2 - |x|^2`` is linear in g, so its maximum
    is the value at the centre plus the support function of the region at 2 (x - y) (theory.md section 2).
    """
    match query:
        case FixedQuery() | DiffusionQuery():
            return PairExponents(log_weights(records, query), NoReach())
        case QueryBall(centre, radius, variance):
            return PairExponents(
                log_weights(records, FixedQuery(centre, variance)), BallReach(records, radius / variance)
            )
        case QueryBox(lower, upper, variance):
            centre, half = (lower + upper).scaled(fmpq(1, 2)), (upper - lower).scaled(fmpq(1, 2))
            reach = BoxReach(records, half.scaled(1 / variance))
            return PairExponents(log_weights(records, FixedQuery(centre, variance)), reach)
        case _:
            assert_never(query)


def largest_exponent(pairs: PairExponents, first: int, second: int) -> Exponent:
    """Return the largest logarithm of ``w_g(x_first) / w_g(x_second)`` over the queries g."""
    at_centre = pairs.weights.ratio(first, second)
    match pairs.reach:
        case NoReach():
            return at_centre
        case BallReach(records, stretch):
            return Exponent(at_centre.rational, stretch, _squared_distance(records, first, second))
        case BoxReach(records, stretches):
            gaps = (abs(records.entry(first, k) - records.entry(second, k)) for k in range(records.columns))
            added = sum((stretches.entry(0, k) * gap for k, gap in enumerate(gaps)), ZERO)
            return Exponent(at_centre.rational + added, ZERO, ZERO)
        case _:
            assert_never(pairs.reach)


def reach_upper(pairs: PairExponents) -> fmpq:
    """Return a bound, not the least one, of what the region adds to the exponent of any pair."""
    match pairs.reach:
        case NoReach():
            return ZERO
        case BallReach(records, stretch):
            farthest = max(_squared_distance(records, 0, index) for index in range(records.rows))
            return 2 * stretch * _root_upper(farthest)
        case BoxReach(records, stretches):
            columns = zip(*records.numerators.tolist(), strict=True)
            ranges = [fmpq(max(column) - min(column), records.denominator) for column in columns]
            return sum((stretches.entry(0, k) * width for k, width in enumerate(ranges)), ZERO)
        case _:
            assert_never(pairs.reach)


def _row_norms(records: Matrix) -> list[fmpq]:
    squared = records.denominator**2
    return [fmpq(sum((entry * entry for entry in row), fmpz(0)), squared) for row in records.numerators.tolist()]


def _row_values(column: Matrix) -> list[fmpq]:
    return [column.entry(row, 0) for row in range(column.rows)]


def _squared_distance(records: Matrix, first: int, second: int) -> fmpq:
    table = records.numerators
    total = sum(((table[first, k] - table[second, k]) ** 2 for k in range(records.columns)), fmpz(0))
    return fmpq(total, records.denominator**2)


def _floor_root(factor: fmpq, radicand: fmpq) -> int:
    """Return the floor of ``factor * sqrt(radicand)``, or that minus one where ``factor`` is negative."""
    squared = factor**2 * radicand
    root = int((squared.p // squared.q).isqrt())
    return root if factor >= 0 else -root - 1


def _root_upper(value: fmpq) -> fmpq:
    """Return an upper bound of the square root, about 2^-40 above it relatively."""
    shift = max(40 - _bits(value) // 2, 0)
    scaled = value * (fmpz(1) << 2 * shift)
    return fmpq((scaled.p // scaled.q).isqrt() + 1, fmpz(1) << shift)


def _bits(value: fmpq) -> int:
    """Return k with ``|value| < 2^k``."""
    return int(value.p.bit_length() - value.q.bit_length()) + 1


def _sign(value: fmpq) -> int:
    numerator = value.p
    return int(numerator > 0) - int(numerator < 0)
