"""What is released about a dataset before noise is added (theory.md sections 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from certify.checker.domains import BallDomain, Domain, FiniteDomain
from certify.checker.exact import Matrix
from certify.checker.queries import Query, QueryBall, QueryBox, UniformQuery


class Neighbours(StrEnum):
    """When two datasets are neighbours: one record is added or removed, or one is replaced by another.

    Source: theory.md section 2.

    Example:
        >>> import certify
        >>> print(certify.Neighbours.REPLACE_ONE)
        replace_one
    """

    ADD_OR_REMOVE_ONE = "add_or_remove_one"
    REPLACE_ONE = "replace_one"


@dataclass(frozen=True, slots=True)
class IdealDenoiser:
    """The release is the ideal denoiser m_g(D) of a dataset D over the domain, of any size (theory.md section 1).

    A dataset is a finite multiset of records. Two neighbours share at least one record: a record is removed from a
    dataset of two or more, or replaced in one (theory.md section 2, ``|V| >= 1``).

    Raises:
        ValueError: If the query has another dimension than the records; if a box, ball or simplex of records meets
            anything but the uniform query; if a region of queries meets REPLACE_ONE. No exact theorem covers these.

    Example:
        >>> import certify
        >>> domain = certify.FiniteDomain(certify.matrix([[0, 0], [3, 4]]), None)
        >>> certify.IdealDenoiser(domain, certify.UniformQuery(), certify.Neighbours.ADD_OR_REMOVE_ONE).dimension
        2
    """

    domain: Domain
    query: Query
    neighbours: Neighbours

    def __post_init__(self) -> None:
        if isinstance(self.query, UniformQuery):
            return
        if not isinstance(self.domain, FiniteDomain):
            raise ValueError("a box, ball or simplex of records needs the uniform query; list the records instead")
        if self.query.dimension != self.domain.dimension:
            sizes = f"{self.query.dimension} columns but the records have {self.domain.dimension}"
            raise ValueError(f"the query has {sizes}")
        if isinstance(self.query, QueryBall | QueryBox) and self.neighbours is Neighbours.REPLACE_ONE:
            raise ValueError(
                "a region of queries is exact for add_or_remove_one only; for replace_one list the queries, "
                "or use the uniform query"
            )

    @property
    def dimension(self) -> int:
        """The number of entries d of the release."""
        return self.domain.dimension


@dataclass(frozen=True, slots=True)
class RecordSum:
    """The release is the sum of the records of a dataset of any size.

    With the unit vectors e_1..e_m as records and W = A^T A it is the Gaussian matrix mechanism of the workload A.

    Source: theory.md section 2.

    Raises:
        ValueError: For ADD_OR_REMOVE_ONE over a ball that is not centred at the origin: no closed form covers it.

    Example:
        >>> import certify
        >>> domain = certify.BoxDomain(certify.matrix([[0, 0]]), certify.matrix([[1, 1]]))
        >>> certify.RecordSum(domain, certify.Neighbours.REPLACE_ONE).dimension
        2
    """

    domain: Domain
    neighbours: Neighbours

    def __post_init__(self) -> None:
        adding = self.neighbours is Neighbours.ADD_OR_REMOVE_ONE
        if adding and isinstance(self.domain, BallDomain) and any(self.domain.centre.numerators.entries()):
            raise ValueError("a sum under add_or_remove_one needs a ball centred at the origin; shift the records")

    @property
    def dimension(self) -> int:
        """The number of entries d of the release."""
        return self.domain.dimension


@dataclass(frozen=True, slots=True)
class RecordMean:
    """The release is the mean of a dataset of exactly ``count`` records, a public number; one record is replaced.

    Source: theory.md section 2.

    Raises:
        ValueError: If ``count`` is zero.

    Example:
        >>> import certify
        >>> certify.RecordMean(certify.SimplexDomain(3, certify.rational("1")), 100).count
        100
    """

    domain: Domain
    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError("a mean needs at least one record")

    @property
    def dimension(self) -> int:
        """The number of entries d of the release."""
        return self.domain.dimension


@dataclass(frozen=True, slots=True)
class ExplicitVectors:
    """Some release whose differences between neighbours, up to sign, have the hull of the rows of ``vectors`` (J x d).

    The vectors are part of the claim: nothing is known of where they come from.

    Source: theory.md section 2.

    Raises:
        ValueError: If there is no vector or no column.

    Example:
        >>> import certify
        >>> certify.ExplicitVectors(certify.matrix([[1, 0], [0, 2]])).dimension
        2
    """

    vectors: Matrix

    def __post_init__(self) -> None:
        if self.vectors.rows == 0 or self.vectors.columns == 0:
            raise ValueError("at least one sensitivity vector with one entry is needed")

    @property
    def dimension(self) -> int:
        """The number of entries d of the release."""
        return self.vectors.columns


Release: TypeAlias = IdealDenoiser | RecordSum | RecordMean | ExplicitVectors


def is_binary_replacement(release: Release) -> bool:
    """Return whether each record takes one of two values and REPLACE_ONE swaps them (theory.md section 6)."""
    domain = domain_of(release)
    replaced = not isinstance(release, IdealDenoiser | RecordSum) or release.neighbours is Neighbours.REPLACE_ONE
    return replaced and isinstance(domain, FiniteDomain) and domain.records.rows == 2


def domain_of(release: Release) -> Domain | None:
    """Return the domain that the records of a release come from, None for explicit vectors."""
    return None if isinstance(release, ExplicitVectors) else release.domain
