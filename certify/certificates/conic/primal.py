"""The upper bound: an X put on the affine space, exactly where that is easy and otherwise by existence nearby."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpz

from certify.certificates.conic.draft import (
    Draft,
    added,
    by_diagonal,
    draft,
    draft_margin,
    entry_of,
    equation_view,
    finished,
    replaced,
)
from certify.certificates.conic.dual import ROUNDOFF, first_broken, grid_for
from certify.certificates.conic.dyadic import float_row
from certify.certificates.conic.equations import (
    Correction,
    Triangle,
    correction,
    dependencies,
    eliminate,
    solve_triangle,
    triangle,
)
from certify.certificates.conic.inward import Candidate, Measure, candidates
from certify.checker.conic.check import upper_bound
from certify.checker.conic.linear import evaluate
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import NearbyPrimalPoint, PrimalPoint, PrimalProof, WholeCone
from certify.checker.exact import Matrix
from certify.solvers.conic.arrays import BlockArrays, FloatProblem, float_problem

EXTRA_BITS = 12
BITS_PER_PASS = 24
DENOMINATOR_BITS = 4_000
SHARE_BITS = 40
FEW_EQUATIONS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Tools:
    """What every attempt on one problem needs.

    Attributes:
        problem: The exact problem.
        floats: The same in binary64.
        correction: Least corrections toward its equations.
        plan: Its equations in triangular form, if they have one.
        kinds: For each block whether it is drafted by its diagonal alone.
        exact_only: Whether X must satisfy the equations exactly, existence nearby not being enough.
        interior_only: Whether y must be inside its cone, guesses on the boundary not being wanted.
    """

    problem: ConicProblem
    floats: FloatProblem
    correction: Correction
    plan: Triangle | None
    kinds: tuple[bool, ...]
    exact_only: bool
    interior_only: bool


def repair_tools(problem: ConicProblem, *, exact_only: bool = False, interior_only: bool = False) -> Tools:
    """Return the tools that put a point on the affine space of the problem; see ``Tools`` for the options."""
    floats = float_problem(problem)
    plan, kinds = triangle(problem), by_diagonal(problem)
    return Tools(problem, floats, correction(floats), plan, kinds, exact_only, interior_only)


def primal_proof(tools: Tools, path: Sequence[BlockArrays]) -> tuple[PrimalProof, fmpq] | str:
    """Return a proof of an upper bound from the best of the float points with its value, or why none was found.

    Args:
        tools: What ``repair_tools`` returned.
        path: Float X, from the most central to the best.
    """
    reason = "no primal point of the solver lies clearly inside its cone"
    near = [projected(tools, x) for x in path if all(bool(np.all(np.isfinite(part))) for part in x)]
    for candidate in candidates(near, _measure(tools)):
        found = _from_candidate(tools, candidate)
        if not isinstance(found, str):
            return found
        reason = found
    return reason


def proof_near(tools: Tools, point: Draft, bits: int, shape: BlockArrays) -> tuple[PrimalProof, fmpq] | str:
    """Return a proof from a draft on the grid of step ``2^-bits``, or why it gives none.

    Args:
        tools: What ``repair_tools`` returned.
        point: The draft; its equations hold about as well as floats can make them.
        bits: The grid.
        shape: X in floats, for the blocks drafted by their diagonal.
    """
    for _ in range(2 + bits // BITS_PER_PASS):
        residual = float_row(_residual(tools, point))
        if not np.any(residual):
            break
        point = added(tools.problem, point, tools.correction.step(residual), bits)
    proof = _exact(tools, point, bits, shape) or _nearby(tools, point, shape)
    if isinstance(proof, str):
        return proof
    bound = upper_bound(tools.problem, proof)
    broken = first_broken(bound.obligations)
    if bound.value is None or broken is not None:
        return broken or "the point has no value"
    return proof, bound.value


def _from_candidate(tools: Tools, candidate: Candidate) -> tuple[PrimalProof, fmpq] | str:
    order = max((block.shape[0] for block in tools.floats.blocks), default=1)
    bits = grid_for(float(order), candidate.margin) + EXTRA_BITS
    point = draft(tools.problem, tools.kinds, candidate.point, bits)
    return proof_near(tools, point, bits, candidate.point)


def projected(tools: Tools, x: BlockArrays) -> BlockArrays:
    """Return X with the residual of its equations taken off in floats."""
    for _ in range(2):
        residual = tools.floats.right_hand_side - tools.floats.apply(x)
        x = tuple(a + d for a, d in zip(x, tools.correction.step(residual), strict=True))
    return x


def _measure(tools: Tools) -> Measure:
    cones = [block.cone for block in tools.floats.blocks]

    def noise(x: BlockArrays) -> float:
        step = tools.correction.step(tools.floats.right_hand_side - tools.floats.apply(x))
        return 16 * ROUNDOFF * _largest_norm(tools.kinds, x) + 4 * _largest_norm(tools.kinds, step)

    return Measure(tools.floats.cost, lambda x: draft_margin(cones, tools.kinds, x), noise)


def _largest_norm(kinds: Sequence[bool], x: BlockArrays) -> float:
    """Return the largest norm of a block, of its largest diagonal entry where only the diagonal matters."""
    norms = (
        float(np.abs(np.diag(part)).max()) if thin else float(np.linalg.norm(part))
        for thin, part in zip(kinds, x, strict=True)
    )
    return max(norms, default=0.0)


def _residual(tools: Tools, point: Draft) -> Matrix:
    values = evaluate(tools.problem, equation_view(tools.problem, point))
    return tools.problem.right_hand_side - values.constraints


def _exact(tools: Tools, point: Draft, bits: int, shape: BlockArrays) -> PrimalProof | str | None:
    """Return the draft with its equations solved exactly; None where that is too much or makes large numbers."""
    right = tools.problem.right_hand_side
    entry = entry_of(point)
    if tools.plan is not None:
        values = solve_triangle(tools.plan, [right.entry(0, i) for i in range(right.columns)], entry)
    elif tools.exact_only or right.columns <= FEW_EQUATIONS:
        eliminated = eliminate(tools.problem, entry, bits)
        if eliminated is None:
            return None
        values = eliminated
    else:
        return None
    common = fmpz(1)
    for value in values.values():
        common = common.lcm(value.q)
        if common.bit_length() > DENOMINATOR_BITS:
            return None
    blocks = finished(tools.problem, replaced(point, values), shape)
    return PrimalPoint((), blocks) if blocks is not None else "a diagonal entry of X is not positive"


def _nearby(tools: Tools, point: Draft, shape: BlockArrays) -> PrimalProof | str:
    least = tools.correction.least_eigenvalue()
    share = fmpq(int(np.floor(np.ldexp(least * 0.75, SHARE_BITS))), fmpz(1) << SHARE_BITS)
    dependent = dependencies(tools.problem, tools.correction.kept)
    if tools.exact_only or share <= 0 or dependent is None:
        return "the equations could not be solved exactly"
    blocks = finished(tools.problem, point, shape)
    if blocks is None:
        return "a diagonal entry of X is not positive"
    dropped, table = dependent
    return NearbyPrimalPoint((WholeCone(),) * len(blocks), blocks, dropped, table, share)
