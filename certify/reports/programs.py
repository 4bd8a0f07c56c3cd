"""Claims about conic programs in words, in the sense of their source."""

from __future__ import annotations

from typing import assert_never

from flint import fmpq

from certify.checker.conic.claims import (
    ConicBracket,
    ConicClaim,
    ConicFeasible,
    ConicGap,
    ConicInfeasible,
    Optimum,
    Side,
)
from certify.checker.conic.cones import cone_text
from certify.checker.conic.problem import ConicProblem, SourceValue, problem_digest, source_ends
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.obligations import counted

DIGITS = 20
SHOWN_BLOCKS = 12


def describe_program_claim(claim: ConicClaim) -> str:
    """Return the claim as one sentence; values are those of the source, exact or rounded outward."""
    subject = _subject(claim.problem)
    match claim:
        case ConicBracket(problem, optimum, lower, upper):
            low, high = source_ends(problem, lower, upper)
            return f"{_which(optimum)} of {subject} {_range(low, high)}."
        case ConicGap(problem, dual_upper, primal_lower):
            low, high = source_ends(problem, dual_upper, primal_lower)
            return f"The two optimal values of {subject} differ: none lies strictly {_range(low, high)}."
        case ConicInfeasible(_, side):
            return f"{_side(side)} of {subject} has no feasible point."
        case ConicFeasible(_, side):
            return f"{_side(side)} of {subject} has a feasible point."
        case _:
            assert_never(claim)


def gap_between(lower: fmpq, upper: fmpq) -> fmpq:
    """Return ``(upper - lower) / max(1, |upper|)``, the gap of a bracket relative to a value that may be zero."""
    return (upper - lower) / max(fmpq(1), abs(upper))


def note_on_sign(claim: object) -> str:
    """Return what has to be said of the values in the obligations where the source states their negatives."""
    if not isinstance(claim, ConicBracket | ConicGap) or claim.problem.source_value is SourceValue.SAME:
        return ""
    return "The values of the obligations are those of the neutral form: the negatives of those that the source states."


def program_facts(problem: ConicProblem) -> list[tuple[str, str]]:
    """Return what a program consists of, as parsed."""
    shown = [cone_text(block.cone) for block in problem.blocks[:SHOWN_BLOCKS]]
    more = f", and {len(problem.blocks) - SHOWN_BLOCKS} more" if len(problem.blocks) > SHOWN_BLOCKS else ""
    entries = sum(len(block.constraints) for block in problem.blocks)
    return [
        ("numbers read as", f"{problem.reading}"),
        ("equations m", f"{problem.constraint_count}"),
        ("cones", f"{', '.join(shown)}{more}"),
        ("nonzero entries", f"{entries}"),
        ("value", "as in the source" if problem.source_value is SourceValue.SAME else "the negative of the source's"),
        ("offset", f"{problem.offset}"),
        ("SHA-256", problem_digest(problem)),
    ]


def _subject(problem: ConicProblem) -> str:
    entries = sum(len(block.constraints) for block in problem.blocks)
    size = (
        f"{counted(problem.constraint_count, 'equation')}, {counted(len(problem.blocks), 'cone')} and "
        f"{counted(entries, 'entry', 'entries')}"
    )
    return f"the conic program of {size} (numbers read as {problem.reading}, SHA-256 {problem_digest(problem)[:16]}...)"


def _which(optimum: Optimum) -> str:
    match optimum:
        case Optimum.PRIMAL:
            return "The infimum over X"
        case Optimum.DUAL:
            return "The supremum over y"
        case Optimum.BOTH:
            return "The optimal value, over X and over y alike,"
        case _:
            assert_never(optimum)


def _side(side: Side) -> str:
    match side:
        case Side.PRIMAL:
            return "The primal side (X in K, <A_i, X> = b_i)"
        case Side.DUAL:
            return "The dual side (C - sum y_i A_i in K*)"
        case _:
            assert_never(side)


def _range(lower: fmpq | None, upper: fmpq | None) -> str:
    low = None if lower is None else exact_or(lower, decimal_lower(lower, DIGITS))
    high = None if upper is None else exact_or(upper, decimal_upper(upper, DIGITS))
    if low is None:
        return f"is at most {high}"
    if high is None:
        return f"is at least {low}"
    return f"is exactly {low}" if lower == upper and low == high else f"lies between {low} and {high}"
