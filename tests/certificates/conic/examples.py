"""Small conic programs for the tests, with known answers."""

from __future__ import annotations

import random
from collections.abc import Sequence

from flint import fmpq

from certify.checker.conic.cones import Cone, Nonnegative, PositiveSemidefinite
from certify.checker.conic.problem import Block, Coefficient, ConicProblem, SourceValue, block, row_vector
from certify.checker.sensitivity import Reading


def problem_of(blocks: Sequence[Block], right: Sequence[fmpq | int]) -> ConicProblem:
    """A problem with the given blocks and right-hand side, offset zero."""
    rhs = row_vector([fmpq(value) for value in right])
    return ConicProblem(Reading.DECIMAL, SourceValue.SAME, tuple(blocks), rhs, fmpq(0))


def matrix_block(*matrices: Sequence[Sequence[int | fmpq]]) -> Block:
    """A PSD block with C first, then the A_i, each given as all its rows."""
    return block(
        PositiveSemidefinite(len(matrices[0])),
        [(k, i, j, fmpq(m[i][j])) for k, m in enumerate(matrices) for i in range(len(m)) for j in range(i + 1)],
    )


def vector_block(cone: Cone, *vectors: Sequence[int | fmpq]) -> Block:
    """A vector block with C first, then the A_i."""
    return block(cone, [(k, i, i, fmpq(value)) for k, v in enumerate(vectors) for i, value in enumerate(v)])


def random_problem(seed: int, order: int, count: int, nonnegative: int = 3) -> ConicProblem:
    """A problem with integer data, distinct off-diagonals, and strictly feasible points X0 = I, y0 = 0 shifted."""
    source = random.Random(seed)  # noqa: S311
    entries: list[Coefficient] = []
    linear: list[Coefficient] = []
    right = []
    for k in range(1, count + 1):
        total = fmpq(0)
        for i in range(order):
            for j in range(i + 1):
                value = fmpq(source.randint(-5, 5))
                entries.append((k, i, j, value))
                total += value if i == j else 0
        for i in range(nonnegative):
            value = fmpq(source.randint(-3, 3))
            linear.append((k, i, i, value))
            total += value
        right.append(total)
    for i in range(order):
        entries.append((0, i, i, fmpq(10 + i)))
        entries += [(0, i, j, fmpq(source.randint(-2, 2))) for j in range(i)]
    linear += [(0, i, i, fmpq(1 + i)) for i in range(nonnegative)]
    return problem_of([block(PositiveSemidefinite(order), entries), block(Nonnegative(nonnegative), linear)], right)
