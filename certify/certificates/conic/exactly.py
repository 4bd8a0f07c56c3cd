"""Optimal points guessed exactly: X on its range, y with its slack on the complement, all equations solved.

Where the optimum is rational and its face is clear this closes a bracket completely. Nothing is lost where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from certify.certificates.conic.affine import solved_sparse
from certify.certificates.conic.dual import first_broken
from certify.certificates.conic.ends import Ends, Lower, Upper
from certify.certificates.conic.kernels import dense_element, vanishing
from certify.certificates.conic.subspace import cuts, grid_bits
from certify.certificates.conic.supports import solved_on, spectrum_of, supports_of
from certify.checker.conic.check import lower_bound, upper_bound
from certify.checker.conic.cones import order
from certify.checker.conic.linear import combine
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import DualPoint, PrimalPoint
from certify.checker.exact import Matrix

MOST_EQUATIONS = 60
LARGEST_ORDER = 24
GRID = 16


def exact_ends(problem: ConicProblem, x: Sequence[Matrix] | None, y: Matrix | None) -> Ends:
    """Return the bounds of optimal points guessed from accurate ones, on the ends where a guess holds.

    Args:
        problem: A small program; larger ones are not tried.
        x: An accurate X, block by block, or None.
        y: An accurate y, 1 x m, or None.
    """
    if problem.constraint_count > MOST_EQUATIONS or any(order(part.cone) > LARGEST_ORDER for part in problem.blocks):
        return Ends()
    lower = None if y is None else _exact_lower(problem, y)
    return Ends(lower, None if x is None else _exact_upper(problem, x))


def _exact_upper(problem: ConicProblem, x: Sequence[Matrix]) -> Upper | None:
    spectra = [spectrum_of(part, value) for part, value in zip(problem.blocks, x, strict=True)]
    right = {i + 1: problem.right_hand_side.entry(0, i) for i in range(problem.constraint_count)}
    for threshold in cuts([size for spectrum in spectra for size in spectrum.sizes]):
        supports = supports_of(problem, x, spectra, threshold)
        bits = grid_bits(spectra, threshold, GRID)
        blocks = None if supports is None else solved_on(problem, supports, right, bits)
        bound = None if blocks is None else upper_bound(problem, PrimalPoint((), blocks))
        if bound is not None and blocks is not None and bound.value is not None and not first_broken(bound.obligations):
            return Upper(PrimalPoint((), blocks), bound.value)
    return None


def _exact_lower(problem: ConicProblem, y: Matrix) -> Lower | None:
    elements = [dense_element(part, combine(part, 1, y)) for part in problem.blocks]
    spectra = [spectrum_of(part, element) for part, element in zip(problem.blocks, elements, strict=True)]
    target = [y.entry(0, i) for i in range(y.columns)]
    for threshold in cuts([size for spectrum in spectra for size in spectrum.sizes]):
        found = vanishing(problem, elements, spectra, threshold)
        reduced = None if found is None else solved_sparse(found.rows, found.constants, y.columns)
        if reduced is None:
            continue
        point = DualPoint((), reduced.near(target, grid_bits(spectra, threshold, GRID)))
        bound = lower_bound(problem, point)
        if bound.value is not None and not first_broken(bound.obligations):
            return Lower(point, bound.value)
    return None
