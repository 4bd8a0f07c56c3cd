"""Conic programs for the tests of the search, beside those of the checker's tests."""

from __future__ import annotations

import random

from flint import fmpq

from certify.certificates.conic.bounds import Certified
from certify.checker.certificate import Certificate
from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite
from certify.checker.conic.problem import Coefficient, ConicProblem, block
from certify.checker.kernel import check
from certify.checker.verdict import Status
from tests.checker.conic.examples import problem


def random_problem(seed: int, order: int, count: int, nonnegative: int = 3) -> ConicProblem:
    """A problem with small integer data and distinct off-diagonals; X = I is feasible, and so is a small y."""
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
    return problem([block(PositiveSemidefinite(order), entries), block(Nonnegative(nonnegative), linear)], right)


def accepted(certified: Certified) -> bool:
    """Whether the kernel proves the claim from its witness."""
    return check(Certificate(certified.claim, certified.witness)).status is Status.PROVED
