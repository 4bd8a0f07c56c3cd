"""Names of sensitivity vectors: how a witness points at a member of the hull that the checker derives itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from certify.checker.exact import Matrix


@dataclass(frozen=True, slots=True)
class Difference:
    """``x - y`` for the records with row indices ``first`` and ``second`` (over n for a mean).

    For the ideal denoiser at the uniform query, and for sums and means under replacement; the records of a simplex are
    its vertices.
    """

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Record:
    """One record with row index ``index`` (sums under addition or removal), or one explicit vector."""

    index: int


@dataclass(frozen=True, slots=True)
class Deletion:
    """``t_g(x, y)``, the deletion of x = ``first`` from {x, y = ``second``} (theory.md section 2).

    Attributes:
        query: The index of g in a list of queries, 0 for a single query or a region. In a region g is the point
            where the factor is largest.
        first: The row index of x.
        second: The row index of y.
    """

    query: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Replacement:
    """``u_g(x, x'; z) = m_g({z, x}) - m_g({z, x'})`` (theory.md section 2).

    Attributes:
        query: The index of g in a list of queries, 0 for a single query.
        first: The row index of x.
        second: The row index of x'.
        third: The row index of z.
    """

    query: int
    first: int
    second: int
    third: int


@dataclass(frozen=True, slots=True)
class Combination:
    """A member of the hull of a continuum of vectors, by its coefficients v (1 x n).

    Over a box ``sum_i v_i g_i`` with every ``|v_i| <= 1``, where the g_i are the edges ``(u_i - l_i) e_i`` (over n for
    a mean), or, for a sum under addition or removal, the centre ``(l + u) / 2`` and then the half edges. Over a ball
    ``radius * v`` with ``|v| <= 1``, where the radius is that of the sensitivity set.
    """

    coefficients: Matrix


VectorName: TypeAlias = Difference | Record | Deletion | Replacement | Combination


def describe_vector(name: VectorName) -> str:
    """Return the name of a vector in a few words."""
    match name:
        case Difference(first, second):
            return f"pair {first}, {second}"
        case Record(index):
            return f"record {index}"
        case Deletion(query, first, second):
            return f"deletion of {first} from {first}, {second} at query {query}"
        case Replacement(query, first, second, third):
            return f"replacement of {first} by {second} beside {third} at query {query}"
        case Combination():
            return "combination"
        case _:
            assert_never(name)
