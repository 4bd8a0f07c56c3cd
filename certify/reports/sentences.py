"""Claims as full sentences: a certificate proves only the statement inside it, so the statement is always shown."""

from __future__ import annotations

from typing import assert_never

from flint import fmpq

from certify.checker.certificate import claim_digest
from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.exact import Matrix, identity
from certify.checker.obligations import counted
from certify.checker.sensitivity import (
    BallDomain,
    BoxDomain,
    DiffusionQuery,
    Domain,
    ExplicitVectors,
    FiniteDomain,
    FixedQuery,
    IdealDenoiser,
    Neighbours,
    Query,
    QueryBall,
    QueryBox,
    QueryList,
    Reading,
    RecordMean,
    RecordSum,
    Release,
    SimplexDomain,
    UniformQuery,
)
from certify.reports.guarantees import describe
from certify.reports.numbers import exactly, spelled
from certify.reports.programs import describe_program_claim

GAP_DIGITS = 3


def sentence(claim: Claim) -> str:
    """Return the claim as one full sentence with its numbers, units and data hash.

    Example:
        >>> import certify
        >>> claim = certify.claims.GaussianPrivacy(certify.rational("0.25"), certify.GDP(certify.rational("0.5")))
        >>> print(certify.sentence(claim))
        Every release with Gaussian noise and rho_star = 0.25 has (mu = 0.5)-Gaussian differential privacy.
    """
    match claim:
        case CovarianceOptimum():
            return _covariance_optimum(claim)
        case ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            return _about_release(claim)
        case GaussianPrivacy() | Composition() | NoiseCalibration() | CapacityMonotone():
            return _about_numbers(claim)
        case ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            return f"{describe_program_claim(claim)} Claim SHA-256 {claim_digest(claim)}."
        case _:
            assert_never(claim)


def _about_release(claim: ReleasePrivacy | RhoStarEnclosure | RhoStarInfinite) -> str:
    release, size = describe_release(claim.sensitivity), claim.covariance.rows
    noise = f"N(0, Sigma) noise, with the {size} x {size} covariance Sigma of this certificate"
    ending = f" Claim SHA-256 {claim_digest(claim)}."
    match claim:
        case ReleasePrivacy():
            return f"For {release}, adding {noise}, gives {describe(claim.guarantee)}.{ending}"
        case RhoStarEnclosure():
            return f"For {release}, adding {noise}, rho_star is {_bracket(claim)}.{ending}"
        case RhoStarInfinite():
            return f"For {release}, adding {noise}, rho_star is infinite.{ending}"
        case _:
            assert_never(claim)


def _bracket(claim: RhoStarEnclosure) -> str:
    exact = spelled(claim.lower) if claim.lower == claim.upper else None
    if exact is not None:
        return f"exactly {exact}"
    return f"at least {decimal_lower(claim.lower, 16)} and at most {decimal_upper(claim.upper, 16)}"


def _about_numbers(claim: GaussianPrivacy | Composition | NoiseCalibration | CapacityMonotone) -> str:
    match claim:
        case GaussianPrivacy(rho_star, guarantee):
            return f"Every release with Gaussian noise and rho_star = {exactly(rho_star)} has {describe(guarantee)}."
        case Composition(rho_stars, guarantee):
            listed = ", ".join(map(exactly, rho_stars))
            return f"Releases with rho_star {listed}, chosen adaptively, have {describe(guarantee)} together."
        case NoiseCalibration(sensitivity, sigma, guarantee):
            noise = f"Noise N(0, sigma^2 I) with sigma = {exactly(sigma)}"
            return f"{noise} gives every release of Euclidean sensitivity {exactly(sensitivity)} {describe(guarantee)}."
        case CapacityMonotone(lower, upper):
            ends = f"from {exactly(lower)} to {exactly(upper)}"
            return f"The capacity C(q) of binary records increases strictly for q {ends}."
        case _:
            assert_never(claim)


def describe_release(release: Release) -> str:
    """Return what is released about which records, for which queries and neighbours."""
    match release:
        case IdealDenoiser(domain, query, neighbours):
            where = f"{describe_domain(domain)}, at {describe_query(query)}"
            return f"the ideal denoiser of any dataset over the {where}, with {describe_neighbours(neighbours)}"
        case RecordSum(domain, neighbours):
            shared = describe_neighbours(neighbours)
            return f"the sum of the records of any dataset over the {describe_domain(domain)}, with {shared}"
        case RecordMean(domain, count):
            return f"the mean of {count} records of the {describe_domain(domain)}, with one record replaced by another"
        case ExplicitVectors(vectors):
            return f"any release with the {vectors.rows} given sensitivity vectors in R^{vectors.columns}"
        case _:
            assert_never(release)


def describe_query(query: Query) -> str:
    """Return which query points and noise levels are meant."""
    match query:
        case UniformQuery():
            return "every query point and every noise level"
        case FixedQuery(_, variance):
            return f"the given query point with sigma^2 = {bounded(variance)}"
        case DiffusionQuery(_, signal):
            return f"the given diffusion state with signal level {bounded(signal)}"
        case QueryList(queries):
            return f"any of {len(queries)} given queries"
        case QueryBall(_, radius, variance):
            return f"any query point of a ball of radius {bounded(radius)} with sigma^2 = {bounded(variance)}"
        case QueryBox(_, _, variance):
            return f"any query point of a box with sigma^2 = {bounded(variance)}"
        case _:
            assert_never(query)


def describe_domain(domain: Domain) -> str:
    """Return what the records are and which file they come from."""
    match domain:
        case FiniteDomain():
            return _finite_domain(domain)
        case BoxDomain():
            return f"box of records in R^{domain.dimension}"
        case BallDomain(_, radius):
            return f"ball of records of radius {bounded(radius)} in R^{domain.dimension}"
        case SimplexDomain(dimension, scale):
            return f"simplex of records in R^{dimension} with sum {bounded(scale)}"
        case _:
            assert_never(domain)


def _finite_domain(domain: FiniteDomain) -> str:
    records, source = domain.records, domain.source
    size = f"{counted(records.rows, 'record')} in R^{records.columns}"
    if source is None:
        return size
    reading = "" if source.reading is Reading.DECIMAL else ", read as binary64"
    scale = "" if source.scale == 1 else f", times {source.scale}"
    return f"{size} of {source.name}{scale}{reading} (SHA-256 {source.sha256[:16]}...)"


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
    size = claim.covariance.rows
    floor = "" if claim.floor == 0 else f" and Sigma >= {bounded(claim.floor)} I"
    return (
        f"{_released(claim.sensitivity)} plus N(0, Sigma) noise, with the {size} x {size} covariance Sigma of this "
        f"certificate, has {describe(claim.guarantee)}{_between(claim.sensitivity)}; its "
        f"expected squared error <W, Sigma>, with {describe_weight(claim.weight)}, is at most "
        f"{decimal_upper(claim.upper, 16)}, and no covariance with the "
        f"same guarantee{floor} has less than {decimal_lower(claim.lower, 16)} (relative gap at most "
        f"{decimal_upper(relative_gap(claim), GAP_DIGITS)}). Claim SHA-256 {claim_digest(claim)}."
    )


def _released(release: Release) -> str:
    match release:
        case IdealDenoiser(domain, UniformQuery(), _):
            over = f"For every dataset, of any size, over the {describe_domain(domain)}"
            return f"{over}, and for every query point and noise level, the ideal denoiser"
        case IdealDenoiser(domain, query, _):
            over = f"For every dataset, of any size, over the {describe_domain(domain)}"
            return f"{over}, the ideal denoiser at {describe_query(query)}"
        case RecordSum() | RecordMean() | ExplicitVectors():
            return f"The release of {describe_release(release)},"
        case _:
            assert_never(release)


def _between(release: Release) -> str:
    match release:
        case IdealDenoiser(_, _, neighbours):
            return f" between datasets that differ by {describe_neighbours(neighbours)}"
        case RecordSum() | RecordMean() | ExplicitVectors():
            return ""
        case _:
            assert_never(release)
