"""Auxiliary conic programs that look for exposing vectors and rays, and have interior points by construction.

For side (P): y with ``W = sum y_i A_i`` in K* and ``b'y <= 0``, not all zero. It proves (P) infeasible where
``b'y < 0``, and confines (P) to a face where ``b'y = 0``. For side (D): X in K with ``<A_i, X> = 0`` and
``<C, X> <= 0``, likewise. Either is found by lowering t with ``W + t E`` (or ``X + t E``) in the cone, E an interior
element and the total ``<E, W> - b'y`` between 1 and 2. Source: theory.md section 7; Permenter, Friberg and Andersen
(2017).
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from certify.checker.conic.cones import Cone, Free, Nonnegative, PositiveSemidefinite, Zero, order
from certify.checker.conic.problem import Block, Coefficient, ConicProblem, SourceValue, block, row_vector

SHIFT = 2
"""t starts from minus this: the sought W has trace at most 2, so t never falls lower."""


def supports_reduction(problem: ConicProblem) -> bool:
    """Return whether the auxiliary programs know every cone of the problem."""
    return all(isinstance(part.cone, Free | Zero | Nonnegative | PositiveSemidefinite) for part in problem.blocks)


def exposing_problem(problem: ConicProblem) -> ConicProblem:
    """Return the auxiliary program of side (P); its y is the sought y with t appended."""
    count = problem.constraint_count
    right = [problem.right_hand_side.entry(0, i) for i in range(count)]
    blocks = []
    totals = [-value for value in right]
    for part in problem.blocks:
        if isinstance(part.cone, Zero):
            continue
        moved = _is_moved(part.cone)
        entries = [(k, i, j, -value) for k, i, j, value in _coefficients(part) if k]
        units = [(count + 1, i, i, fmpq(-1)) for i in range(order(part.cone))] if moved else []
        blocks.append(block(part.cone, [*entries, *units]))
        if moved:
            for k, i, j, value in entries:
                totals[k - 1] -= value if i == j else 0
    scalars: list[Coefficient] = [(count + 1, 0, 0, fmpq(-1)), (0, 1, 1, fmpq(-1)), (0, 2, 2, fmpq(2))]
    for k, (b, total) in enumerate(zip(right, totals, strict=True), 1):
        scalars += [(k, 0, 0, b), (k, 1, 1, -total), (k, 2, 2, total)]
    blocks.append(block(Nonnegative(3), scalars))
    return _program(problem, blocks, [*[fmpq(0)] * count, fmpq(-1)])


def recession_problem(problem: ConicProblem) -> ConicProblem:
    """Return the auxiliary program of side (D).

    Its blocks are ``X + t E`` for each block that is not zero, then ``(t + 2, slack of <C, X> <= t, total - 1,
    2 - total)``.
    """
    count = problem.constraint_count
    blocks = []
    traces, degree = [fmpq(0)] * (count + 1), 0
    for part in problem.blocks:
        if isinstance(part.cone, Zero):
            continue
        entries = list(_coefficients(part))
        cost = [(count + 1 if k == 0 else k, i, j, value) for k, i, j, value in entries]
        total = {(i, j): -value for k, i, j, value in entries if k == 0}
        if _is_moved(part.cone):
            degree += order(part.cone)
            for i in range(order(part.cone)):
                total[i, i] = total.get((i, i), fmpq(0)) + 1
            for k, i, j, value in entries:
                traces[k] += value if i == j else 0
        blocks.append(block(part.cone, [*cost, *((count + 2, i, j, value) for (i, j), value in total.items())]))
    rates = [*traces[1:], traces[0] + 1, degree - traces[0]]
    scalars: list[Coefficient] = [(k, 0, 0, -rate) for k, rate in enumerate(rates, 1)]
    scalars += [(0, 0, 0, fmpq(1)), (count + 1, 1, 1, fmpq(1)), (count + 2, 2, 2, fmpq(-1))]
    scalars += [(count + 3, 2, 2, fmpq(1)), (count + 3, 3, 3, fmpq(1))]
    blocks.append(block(Nonnegative(4), scalars))
    right = [-SHIFT * rate for rate in rates]
    right[-1] += 1
    return _program(problem, blocks, [*right, fmpq(1)])


def _program(problem: ConicProblem, blocks: list[Block], right: list[fmpq]) -> ConicProblem:
    return ConicProblem(problem.reading, SourceValue.SAME, tuple(blocks), row_vector(right), fmpq(0))


def _is_moved(cone: Cone) -> bool:
    return not isinstance(cone, Free | Zero)


def _coefficients(part: Block) -> Iterator[Coefficient]:
    for constraint, row, column, numerator in part.entries():
        yield constraint, row, column, fmpq(numerator, part.values.denominator)
