"""The numbers of a claim, each exact and as a decimal that says in which direction it was rounded."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from certify.checker.claims import Claim, CovarianceOptimum, RhoStarEnclosure
from certify.checker.conic.claims import ConicBracket, ConicGap
from certify.checker.conic.problem import SourceValue, source_ends
from certify.checker.decimals import decimal_lower, decimal_upper
from certify.reports.isotropic import Isotropic
from certify.reports.programs import gap_between
from certify.reports.sentences import relative_gap

DIGITS = 16
GAP_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a claim: its exact value, and a decimal with the direction in which it was rounded."""

    name: str
    exact: str
    decimal: str
    rounding: str


def numbers_of(claim: Claim, isotropic: Isotropic | None) -> list[Number]:
    """Return the numbers of a claim, those of a conic program in the sense of its source as in the sentence."""
    match claim:
        case CovarianceOptimum():
            found = [
                _lower("no covariance costs less than", claim.lower),
                _upper("this covariance costs at most", claim.upper),
                _upper("relative gap at most", relative_gap(claim), GAP_DIGITS),
            ]
            return found if isotropic is None else [*found, _upper(_isotropic_name(claim, isotropic), isotropic.cost)]
        case RhoStarEnclosure():
            return [_lower("rho_star is at least", claim.lower), _upper("rho_star is at most", claim.upper)]
        case ConicBracket():
            return _bracket(claim)
        case ConicGap():
            return _gap(claim)
        case _:
            return []


def isotropic_ratio(claim: Claim, isotropic: Isotropic | None) -> str:
    """Return how many times more isotropic noise costs, rounded down; empty where unknown."""
    if isotropic is None or not isinstance(claim, CovarianceOptimum) or claim.upper <= 0:
        return ""
    return decimal_lower(isotropic.cost / claim.upper, 4)


def _isotropic_name(claim: CovarianceOptimum, isotropic: Isotropic) -> str:
    every = isotropic.columns == claim.covariance.rows
    return f"isotropic noise{'' if every else f' in the {isotropic.columns} columns that vary'} costs"


def _bracket(claim: ConicBracket) -> list[Number]:
    low, high = source_ends(claim.problem, claim.lower, claim.upper)
    if low is None or high is None:
        ends = [_lower("the optimum is at least", low)] if low is not None else []
        return ends if high is None else [_upper("the optimum is at most", high)]
    if low == high:
        return [_lower("the optimum is exactly", low)]
    return [
        _lower("the optimum is at least", low),
        _upper("the optimum is at most", high),
        _upper("gap over max(1, |optimum|) at most", gap_between(low, high), GAP_DIGITS),
    ]


def _gap(claim: ConicGap) -> list[Number]:
    low, high = source_ends(claim.problem, claim.dual_upper, claim.primal_lower)
    if low is None or high is None:
        raise ValueError("a gap has two ends")
    below, above = ("y", "X") if claim.problem.source_value is SourceValue.SAME else ("X", "y")
    return [_upper(f"the optimum over {below} is at most", low), _lower(f"the optimum over {above} is at least", high)]


def _lower(name: str, value: fmpq, digits: int = DIGITS) -> Number:
    return _number(name, value, decimal_lower(value, digits), "rounded down", digits)


def _upper(name: str, value: fmpq, digits: int = DIGITS) -> Number:
    return _number(name, value, decimal_upper(value, digits), "rounded up", digits)


def _number(name: str, value: fmpq, decimal: str, direction: str, digits: int) -> Number:
    exact = decimal_lower(value, digits) == decimal_upper(value, digits)
    return Number(name, str(value), decimal, "exact" if exact else direction)
