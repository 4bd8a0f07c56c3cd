"""The public domains that records come from, and how their numbers were read (theory.md sections 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, assert_never

from flint import fmpq

from certify.checker.exact import Matrix, inner


class Reading(StrEnum):
    """How numbers were read: as the decimals they spell, or as the binary64 numbers they are."""

    DECIMAL = "decimal"
    BINARY64 = "binary64"


@dataclass(frozen=True, slots=True)
class Source:
    """Where records came from: base name and SHA-256 of the file, the factor they were scaled by, the reading."""

    name: str
    sha256: str
    scale: fmpq
    reading: Reading


@dataclass(frozen=True, slots=True)
class FiniteDomain:
    """A finite public domain: ``records`` is an m x d matrix whose rows are the records a dataset may contain.

    Raises:
        ValueError: If there is no record or no column.

    Example:
        >>> import certify
        >>> certify.FiniteDomain(certify.matrix([[0, 0], ["0.5", 1]]), None).dimension
        2
    """

    records: Matrix
    source: Source | None

    def __post_init__(self) -> None:
        if self.records.rows == 0 or self.records.columns == 0:
            raise ValueError("a domain needs at least one record and one column")

    @property
    def dimension(self) -> int:
        """The number of columns d of a record."""
        return self.records.columns


@dataclass(frozen=True, slots=True)
class BoxDomain:
    """Every x in R^d with ``lower <= x <= upper`` entry by entry; both are 1 x d.

    Raises:
        ValueError: If the shapes disagree or some lower end is above the upper one.

    Example:
        >>> import certify
        >>> certify.BoxDomain(certify.matrix([[0, 0, 0]]), certify.matrix([[1, 1, 2]])).dimension
        3
    """

    lower: Matrix
    upper: Matrix

    def __post_init__(self) -> None:
        require_box("the domain", self.lower, self.upper)

    @property
    def dimension(self) -> int:
        """The number of columns d of a record."""
        return self.lower.columns


@dataclass(frozen=True, slots=True)
class BallDomain:
    """Every x in R^d with ``|x - centre| <= radius``; ``centre`` is 1 x d.

    Raises:
        ValueError: If ``centre`` is no row or ``radius`` is negative.

    Example:
        >>> import certify
        >>> certify.BallDomain(certify.matrix([[0, 0]]), certify.rational("1.5")).radius
        3/2
    """

    centre: Matrix
    radius: fmpq

    def __post_init__(self) -> None:
        require_row("the centre of the domain", self.centre)
        if self.radius < 0:
            raise ValueError(f"the radius of the domain must not be negative, not {self.radius}")

    @property
    def dimension(self) -> int:
        """The number of columns d of a record."""
        return self.centre.columns


@dataclass(frozen=True, slots=True)
class SimplexDomain:
    """Every x in R^d with nonnegative entries that add up to ``scale``; its vertices are ``scale`` times e_1..e_d.

    Raises:
        ValueError: If ``dimension`` is zero or ``scale`` is not positive.

    Example:
        >>> import certify
        >>> certify.SimplexDomain(3, certify.rational("1")).dimension
        3
    """

    dimension: int
    scale: fmpq

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise ValueError("a simplex needs at least one column")
        if self.scale <= 0:
            raise ValueError(f"the scale of a simplex must be positive, not {self.scale}")


Domain: TypeAlias = FiniteDomain | BoxDomain | BallDomain | SimplexDomain


def contains(domain: Domain, record: Matrix) -> bool:
    """Return whether a record (1 x d, d the dimension of the domain) belongs to the domain."""
    match domain:
        case FiniteDomain(records, _):
            wanted = [entry * records.denominator for entry in record.numerators.entries()]
            rows = (records.numerators * record.denominator).tolist()
            return wanted in rows
        case BoxDomain(lower, upper):
            return within_box(record, lower, upper)
        case BallDomain(centre, radius):
            return within_ball(record, centre, radius)
        case SimplexDomain(_, scale):
            entries = record.numerators.entries()
            return min(entries) >= 0 and fmpq(sum(entries), record.denominator) == scale
        case _:
            assert_never(domain)


def within_box(point: Matrix, lower: Matrix, upper: Matrix) -> bool:
    """Return whether ``lower <= point <= upper`` entry by entry; all are 1 x d."""
    columns = range(point.columns)
    return all(lower.entry(0, j) <= point.entry(0, j) <= upper.entry(0, j) for j in columns)


def within_ball(point: Matrix, centre: Matrix, radius: fmpq) -> bool:
    """Return whether ``|point - centre| <= radius``; both are 1 x d."""
    step = point - centre
    return bool(inner(step, step) <= radius**2)


def require_row(name: str, value: Matrix) -> None:
    """Raise ValueError unless the matrix is a single row with at least one column."""
    if value.rows != 1 or value.columns == 0:
        raise ValueError(f"{name} must be one row of numbers, not a {value.rows} x {value.columns} matrix")


def require_box(name: str, lower: Matrix, upper: Matrix) -> None:
    """Raise ValueError unless ``lower <= upper`` for two rows of the same length."""
    require_row(f"the lower end of {name}", lower)
    require_row(f"the upper end of {name}", upper)
    if lower.columns != upper.columns:
        raise ValueError(f"the ends of {name} have {lower.columns} and {upper.columns} columns")
    for j in range(lower.columns):
        if lower.entry(0, j) > upper.entry(0, j):
            ends = f"[{lower.entry(0, j)}, {upper.entry(0, j)}]"
            raise ValueError(f"{name} is empty: column {j} has the range {ends}")
