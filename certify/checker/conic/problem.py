"""A conic program in the neutral form, with sparse exact coefficients.

    (P)  min <C, X> + offset   subject to  <A_i, X> = b_i,  X in K = K_1 x ... x K_k
    (D)  max b'y + offset      subject to  S = C - sum y_i A_i in K* = K_1* x ... x K_k*

A program ``min c'x`` with ``A x + s = b``, ``s in L`` is side (D) with C = b, A_i = the columns of A, right-hand side
-c, K = L* and the value negated. Source: theory.md section 7.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import pairwise
from typing import TypeAlias

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.conic.cones import Cone, PositiveSemidefinite, cone_text, order
from certify.checker.domains import Reading
from certify.checker.exact import Matrix, matrix

Coefficient: TypeAlias = tuple[int, int, int, fmpq]
"""Constraint (0 for C, i for A_i), row, column, value."""


class SourceValue(StrEnum):
    """How the value that the source states relates to the neutral one: it is the same, or its negative."""

    SAME = "same"
    NEGATED = "negated"


@dataclass(frozen=True, slots=True)
class Block:
    """The coefficients of C and of every A_i on one cone, as N entries in strictly increasing order.

    Coordinates count from zero. An entry of a PSD block is the matrix entry at ``(row, column)`` and at its mirror
    image, ``row >= column``, so that in ``<A, X>`` it counts twice off the diagonal. An entry of a vector block has
    ``row == column``. Build one with ``block``, which sorts, drops zeros and finds the common denominator.

    Attributes:
        cone: K_j, the cone of the primal block.
        constraints: N indices: 0 for C, i in 1..m for A_i.
        rows: N row indices.
        columns: N column indices.
        values: The N entries, none zero, as a 1 x N matrix.

    Raises:
        ValueError: If the entries are not in this canonical form.
    """

    cone: Cone
    constraints: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: Matrix

    def __post_init__(self) -> None:
        count = len(self.constraints)
        if {len(self.rows), len(self.columns), self.values.columns} != {count} or self.values.rows != 1:
            raise ValueError("a block needs one constraint, row, column and value for each entry")
        if self.values.denominator <= 0:
            raise ValueError("the denominator of a block is not positive")
        keys = list(zip(self.constraints, self.rows, self.columns, strict=True))
        if any(first >= second for first, second in pairwise(keys)):
            raise ValueError("the entries of a block are not in strictly increasing order")
        if any(value == 0 for value in self.values.numerators.entries()):
            raise ValueError("an entry of a block is zero; leave it out")
        _require_coordinates(self.cone, keys)

    @property
    def is_matrix(self) -> bool:
        """Whether the block holds symmetric matrices rather than vectors."""
        return isinstance(self.cone, PositiveSemidefinite)

    def entries(self) -> Iterator[tuple[int, int, int, fmpz]]:
        """Yield ``(constraint, row, column, numerator)``, the numerators over ``values.denominator``."""
        return zip(self.constraints, self.rows, self.columns, self.values.numerators.entries(), strict=True)


@dataclass(frozen=True, slots=True)
class ConicProblem:
    """A conic program in the neutral form.

    Attributes:
        reading: Whether numbers were read as the decimals they spell or as binary64 numbers: two different theorems.
        source_value: How the value of the source (a file, a cvxpy problem) relates to the neutral one.
        blocks: One for each cone of the product K.
        right_hand_side: b, a 1 x m matrix.
        offset: The constant of both objectives.

    Raises:
        ValueError: If an entry belongs to a constraint beyond m.
    """

    reading: Reading
    source_value: SourceValue
    blocks: tuple[Block, ...]
    right_hand_side: Matrix
    offset: fmpq

    def __post_init__(self) -> None:
        if self.right_hand_side.rows != 1 or self.right_hand_side.denominator <= 0:
            raise ValueError("the right-hand side is a matrix of one row over a positive denominator")
        last = max((block.constraints[-1] for block in self.blocks if block.constraints), default=0)
        if last > self.constraint_count:
            raise ValueError(f"an entry belongs to constraint {last} but there are {self.constraint_count}")

    @property
    def constraint_count(self) -> int:
        """The number m of equations ``<A_i, X> = b_i``."""
        return self.right_hand_side.columns


def source_ends(problem: ConicProblem, lower: fmpq | None, upper: fmpq | None) -> tuple[fmpq | None, fmpq | None]:
    """Return a bracket of the neutral value as one of the value that the source states."""
    if problem.source_value is SourceValue.SAME:
        return lower, upper
    return (None if upper is None else -upper), (None if lower is None else -lower)


def block(cone: Cone, coefficients: Iterable[Coefficient]) -> Block:
    """Return the block with the given coefficients, each coordinate at most once.

    Raises:
        ValueError: If a coordinate occurs twice or lies outside the cone's space.
    """
    kept = sorted((k, max(i, j), min(i, j), value) for k, i, j, value in coefficients if value != 0)
    return Block(
        cone,
        tuple(entry[0] for entry in kept),
        tuple(entry[1] for entry in kept),
        tuple(entry[2] for entry in kept),
        row_vector([entry[3] for entry in kept]),
    )


def row_vector(entries: Iterable[fmpq]) -> Matrix:
    """Return the 1 x n matrix with the given entries."""
    values = list(entries)
    denominator = reduce(lambda common, value: common.lcm(value.q), values, fmpz(1))
    return matrix(fmpz_mat(1, len(values), [value.p * (denominator // value.q) for value in values]), denominator)


def problem_digest(problem: ConicProblem) -> str:
    """Return the SHA-256 of a canonical text of the problem: equal exactly for equal problems."""
    digest = hashlib.sha256()
    for piece in _canonical_text(problem):
        digest.update(piece.encode("ascii"))
    return digest.hexdigest()


def _canonical_text(problem: ConicProblem) -> Iterator[str]:
    yield f"conic problem 1\n{problem.reading} {problem.source_value} {problem.offset}\n"
    yield f"{problem.constraint_count} {_vector_text(problem.right_hand_side)}\n{len(problem.blocks)}\n"
    for part in problem.blocks:
        yield f"{cone_text(part.cone)} {len(part.constraints)} {part.values.denominator}\n"
        for constraint, row, column, numerator in part.entries():
            yield f"{constraint} {row} {column} {numerator}\n"


def _vector_text(vector: Matrix) -> str:
    return " ".join(map(str, [vector.denominator, *vector.numerators.entries()]))


def _require_coordinates(cone: Cone, keys: list[tuple[int, int, int]]) -> None:
    size, full = order(cone), isinstance(cone, PositiveSemidefinite)
    for constraint, row, column in keys:
        if not (0 <= column <= row < size and constraint >= 0 and (full or row == column)):
            raise ValueError(f"({row}, {column}) of constraint {constraint} is no coordinate of {cone_text(cone)}")
