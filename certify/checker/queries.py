"""The query points and noise levels at which an ideal denoiser is released (theory.md sections 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from flint import fmpq

from certify.checker.domains import require_box, require_row, within_ball, within_box
from certify.checker.exact import Matrix


@dataclass(frozen=True, slots=True)
class UniformQuery:
    """The guarantee holds at every query point g in R^d and every noise level sigma > 0 (paper, Corollary 1).

    Example:
        >>> import certify
        >>> certify.UniformQuery()
        UniformQuery()
    """


@dataclass(frozen=True, slots=True)
class FixedQuery:
    """The query point g = ``point`` (1 x d) and the noise level sigma with sigma^2 = ``variance``.

    Source: paper section II, theory.md section 1. sigma^2 is in squared units of the records.

    Raises:
        ValueError: If ``point`` is no row or ``variance`` is not positive.

    Example:
        >>> import certify
        >>> certify.FixedQuery(certify.matrix([[0, 1]]), certify.rational("0.25")).variance
        1/4
    """

    point: Matrix
    variance: fmpq

    def __post_init__(self) -> None:
        require_row("the query point", self.point)
        _require_positive("the variance sigma^2", self.variance)

    @property
    def dimension(self) -> int:
        """The number of columns d of the query point."""
        return self.point.columns


@dataclass(frozen=True, slots=True)
class DiffusionQuery:
    """The state G = ``state`` (1 x d) of a diffusion at a step with signal level a = ``signal`` (DDPM form).

    It stands for the query point g = G / sqrt(a) with sigma^2 = (1 - a) / a (theory.md section 1).

    Raises:
        ValueError: If ``state`` is no row or ``signal`` is not strictly between 0 and 1.

    Example:
        >>> import certify
        >>> certify.DiffusionQuery(certify.matrix([[0, 1]]), certify.rational("0.9")).signal
        9/10
    """

    state: Matrix
    signal: fmpq

    def __post_init__(self) -> None:
        require_row("the state", self.state)
        if not 0 < self.signal < 1:
            raise ValueError(f"the signal level must lie strictly between 0 and 1, not {self.signal}")

    @property
    def dimension(self) -> int:
        """The number of columns d of the state."""
        return self.state.columns


PointQuery: TypeAlias = FixedQuery | DiffusionQuery
"""One query point with one noise level."""


@dataclass(frozen=True, slots=True)
class QueryList:
    """Any one of finitely many queries; a release at several of them composes (theory.md section 3).

    Raises:
        ValueError: If the list is empty or the queries differ in dimension.

    Example:
        >>> import certify
        >>> here = certify.FixedQuery(certify.matrix([[0, 1]]), certify.rational("1"))
        >>> certify.QueryList((here,)).dimension
        2
    """

    queries: tuple[PointQuery, ...]

    def __post_init__(self) -> None:
        sizes = sorted({query.dimension for query in self.queries})
        if len(sizes) != 1:
            raise ValueError(f"queries of one dimension are needed, not of {sizes}" if sizes else "there is no query")

    @property
    def dimension(self) -> int:
        """The number of columns d of every query."""
        return self.queries[0].dimension


@dataclass(frozen=True, slots=True)
class QueryBall:
    """Any query point g with ``|g - centre| <= radius``, at the noise level sigma^2 = ``variance``.

    Source: theory.md section 2.

    Raises:
        ValueError: If ``centre`` is no row, ``radius`` is negative or ``variance`` is not positive.

    Example:
        >>> import certify
        >>> certify.QueryBall(certify.matrix([[0, 1]]), certify.rational("2"), certify.rational("1")).radius
        2
    """

    centre: Matrix
    radius: fmpq
    variance: fmpq

    def __post_init__(self) -> None:
        require_row("the centre of the queries", self.centre)
        if self.radius < 0:
            raise ValueError(f"the radius of the queries must not be negative, not {self.radius}")
        _require_positive("the variance sigma^2", self.variance)

    @property
    def dimension(self) -> int:
        """The number of columns d of a query point."""
        return self.centre.columns


@dataclass(frozen=True, slots=True)
class QueryBox:
    """Any query point g with ``lower <= g <= upper`` entry by entry, at the noise level sigma^2 = ``variance``.

    Source: theory.md section 2.

    Raises:
        ValueError: If the shapes disagree, the box is empty or ``variance`` is not positive.

    Example:
        >>> import certify
        >>> certify.QueryBox(certify.matrix([[0]]), certify.matrix([[1]]), certify.rational("1")).dimension
        1
    """

    lower: Matrix
    upper: Matrix
    variance: fmpq

    def __post_init__(self) -> None:
        require_box("the query box", self.lower, self.upper)
        _require_positive("the variance sigma^2", self.variance)

    @property
    def dimension(self) -> int:
        """The number of columns d of a query point."""
        return self.lower.columns


Query: TypeAlias = UniformQuery | FixedQuery | DiffusionQuery | QueryList | QueryBall | QueryBox


def covers(query: Query, point: PointQuery) -> bool:
    """Return whether a query model includes the given query point (of the same dimension) with its noise level."""
    match query:
        case UniformQuery():
            return True
        case FixedQuery() | DiffusionQuery():
            return query == point
        case QueryList(queries):
            return point in queries
        case QueryBall(centre, radius, variance):
            return isinstance(point, FixedQuery) and (
                point.variance == variance and within_ball(point.point, centre, radius)
            )
        case QueryBox(lower, upper, variance):
            return isinstance(point, FixedQuery) and (
                point.variance == variance and within_box(point.point, lower, upper)
            )
        case _:
            assert_never(query)


def _require_positive(name: str, value: fmpq) -> None:
    if value <= 0:
        raise ValueError(f"{name} must be positive, not {value}")
