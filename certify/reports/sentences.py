"""Claims as full sentences: a certificate proves only the statement inside it, so the statement is always shown."""

from __future__ import annotations

from typing import assert_never

from flint import fmpq

from certify.checker.certificate import claim_digest
from certify.checker.claims import Claim, CovarianceOptimum
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.exact import Matrix, identity
from certify.checker.sensitivity import FiniteDomain, Neighbours, Reading

GAP_DIGITS = 3


def sentence(claim: Claim) -> str:
    """Return the claim as one full sentence with its numbers, units and data hash."""
    match claim:
        case CovarianceOptimum():
            return _covariance_optimum(claim)
        case _:
            assert_never(claim)


def describe_domain(domain: FiniteDomain) -> str:
    """Return what the records are and which file they come from."""
    records, source = domain.records, domain.source
    counted = f"{records.rows} record{'s' if records.rows != 1 else ''} in R^{records.columns}"
    if source is None:
        return counted
    reading = "" if source.reading is Reading.DECIMAL else ", read as binary64"
    scale = "" if source.scale == 1 else f", times {source.scale}"
    return f"{counted} of {source.name}{scale}{reading} (SHA-256 {source.sha256[:16]}...)"


def describe_neighbours(neighbours: Neighbours) -> str:
    """Return the neighbouring relation in words."""
    match neighbours:
        case Neighbours.ADD_OR_REMOVE_ONE:
            return "one record added or removed"
        case Neighbours.REPLACE_ONE:
            return "one record replaced by another"
        case _:
            assert_never(neighbours)


def describe_weight(weight: Matrix) -> str:
    """Return the task weight in words: the identity, or its size and trace."""
    if weight == identity(weight.rows):
        return "W = I"
    return f"the given {weight.rows} x {weight.rows} W of trace {bounded(weight.trace())}"


def bounded(value: fmpq) -> str:
    """Return the number exactly where it is short, else marked and rounded down."""
    return exact_or(value, f"{decimal_lower(value)}...")


def relative_gap(claim: CovarianceOptimum) -> fmpq:
    """Return ``(upper - lower) / upper`` of a bracket, 0 where both are 0."""
    return fmpq(0) if claim.upper == 0 else (claim.upper - claim.lower) / abs(claim.upper)


def _covariance_optimum(claim: CovarianceOptimum) -> str:
    domain, size = claim.sensitivity.domain, claim.covariance.rows
    floor = "" if claim.floor == 0 else f" and Sigma >= {bounded(claim.floor)} I"
    return (
        f"For every dataset, of any size, over the {describe_domain(domain)}, and for every query point and noise "
        f"level, the ideal denoiser plus N(0, Sigma) noise, with the {size} x {size} covariance Sigma of this "
        f"certificate, has {claim.guarantee.describe()} between datasets that differ by "
        f"{describe_neighbours(claim.sensitivity.neighbours)}; its expected squared error <W, Sigma>, with "
        f"{describe_weight(claim.weight)}, is at most {decimal_upper(claim.upper, 16)}, and no covariance with the "
        f"same guarantee{floor} has less than {decimal_lower(claim.lower, 16)} (relative gap at most "
        f"{decimal_upper(relative_gap(claim), GAP_DIGITS)}). Claim SHA-256 {claim_digest(claim)}."
    )
