"""An independent slow path: whether a privacy claim is true, from datasets and definitions at 80 digits.

Nothing of the hulls, factors or rules is used. Sensitivity vectors come from releases of concrete datasets, the region
of queries from its farthest points, rho_star from an inverse in mpmath, the guarantee from the formulas of theory.md.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

from flint import fmpq
from mpmath import mp, mpf

from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.exact import Matrix
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.sensitivity import (
    BallDomain,
    BoxDomain,
    Domain,
    ExplicitVectors,
    FiniteDomain,
    FixedQuery,
    IdealDenoiser,
    Neighbours,
    QueryBall,
    QueryBox,
    QueryList,
    RecordMean,
    RecordSum,
    Release,
    SimplexDomain,
    UniformQuery,
)
from tests.checker import by_mpmath
from tests.checker.models import Reals, moved, real, reals, row

WORKING_DIGITS = 80
DOUBT = mpf(10) ** -40
INFINITE = mpf("inf")


def truth(claim: Claim) -> bool | None:
    """Return whether a claim is true; None where 40 digits do not tell, or the covariance is no covariance."""
    with mp.workdps(WORKING_DIGITS):
        match claim:
            case ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
                rho = rho_star(claim.sensitivity, claim.covariance)
                return None if rho is None else _truth_at(claim, rho)
            case GaussianPrivacy(value, guarantee):
                margin = _margin(guarantee, real(value))
            case Composition(values, guarantee):
                margin = _margin(guarantee, sum(map(real, values)))
            case NoiseCalibration(sensitivity, sigma, guarantee):
                margin = _margin(guarantee, (real(sensitivity) / real(sigma)) ** 2)
            case CapacityMonotone():
                margin = mpf(1)
            case _:
                raise NotImplementedError(claim)
        return _sign(margin)


def _truth_at(claim: ReleasePrivacy | RhoStarEnclosure | RhoStarInfinite, rho: mpf) -> bool | None:
    match claim:
        case ReleasePrivacy():
            return _sign(_margin(claim.guarantee, rho))
        case RhoStarEnclosure():
            return _sign(min(rho - real(claim.lower), real(claim.upper) - rho))
        case RhoStarInfinite():
            return bool(rho == INFINITE)


def _sign(margin: mpf) -> bool | None:
    return None if abs(margin) < DOUBT else bool(margin > 0)


def rho_star(release: Release, covariance: Matrix) -> mpf | None:
    """Return sup s^T Sigma^-1 s; infinite off the range of Sigma, None if Sigma is not PSD."""
    values, axes = mp.eigsy(mp.matrix(reals(covariance)))
    size = max(abs(value) for value in values) + 1
    if min(values) < -size * DOUBT:
        return None
    if _is_ball(release):
        return INFINITE if min(values) < size * DOUBT else _ball_radius(release) ** 2 / min(values)
    best = mpf(0)
    for vector in vectors(release):
        for k, value in enumerate(values):
            along = sum(axes[i, k] * entry for i, entry in enumerate(vector))
            if value < size * DOUBT and abs(along) > DOUBT:
                return INFINITE
        best = max(best, _inverse_form(vector, values, axes, size))
    return best


def _inverse_form(vector: Reals, values: mp.matrix, axes: mp.matrix, size: mpf) -> mpf:
    total = mpf(0)
    for k, value in enumerate(values):
        if value >= size * DOUBT:
            total += sum(axes[i, k] * entry for i, entry in enumerate(vector)) ** 2 / value
    return total


def vectors(release: Release) -> list[Reals]:
    """Return vectors whose symmetric hull is that of the sensitivity set, from datasets of two or three records."""
    match release:
        case IdealDenoiser(domain, UniformQuery(), _) | RecordSum(domain, Neighbours.REPLACE_ONE):
            return _differences(_vertices(domain))
        case IdealDenoiser():
            return _denoised(release)
        case RecordSum(domain, _):
            return _vertices(domain)
        case RecordMean(domain, count):
            return [[entry / count for entry in step] for step in _differences(_vertices(domain))]
        case ExplicitVectors(rows):
            return reals(rows)
    raise NotImplementedError(release)


def _denoised(release: IdealDenoiser) -> list[Reals]:
    rows = _vertices(release.domain)
    found = []
    for x, y in permutations(rows, 2):
        for query in _queries(release, x, y):
            if release.neighbours is Neighbours.ADD_OR_REMOVE_ONE:
                found.append(moved([x, y], [y], query))
            else:
                found += [moved([z, x], [z, y], query) for z in rows]
    return found


def _queries(release: IdealDenoiser, x: Reals, y: Reals) -> list[FixedQuery]:
    """Return the queries to try for a pair: in a region the point farthest out along x - y."""
    match release.query:
        case QueryList(queries):
            return list(queries)  # type: ignore[arg-type]
        case QueryBall(centre, radius, variance):
            length = mp.sqrt(sum((a - b) ** 2 for a, b in zip(x, y, strict=True)))
            steps = [(a - b) / length if length else mpf(0) for a, b in zip(x, y, strict=True)]
            return [_at([c + real(radius) * step for c, step in zip(reals(centre)[0], steps, strict=True)], variance)]
        case QueryBox(lower, upper, variance):
            ends = zip(x, y, reals(lower)[0], reals(upper)[0], strict=True)
            return [_at([high if a > b else low for a, b, low, high in ends], variance)]
        case _:
            return [release.query]  # type: ignore[list-item]


def _at(point: Reals, variance: fmpq) -> FixedQuery:
    """Return the query at a point rounded to 100 digits, far below what any comparison here sees."""
    scale = 10**100
    return FixedQuery(row(*(fmpq(int(mp.nint(entry * scale)), scale) for entry in point)), variance)


def _differences(rows: list[Reals]) -> list[Reals]:
    return [[a - b for a, b in zip(x, y, strict=True)] for x, y in permutations(rows, 2)]


def _vertices(domain: Domain) -> list[Reals]:
    match domain:
        case FiniteDomain(records, _):
            return reals(records)
        case BoxDomain(lower, upper):
            ends = zip(reals(lower)[0], reals(upper)[0], strict=True)
            return [list(corner) for corner in product(*ends)]
        case SimplexDomain(dimension, scale):
            return [[real(scale) * (i == j) for j in range(dimension)] for i in range(dimension)]
        case BallDomain():
            raise NotImplementedError(domain)


def _is_ball(release: Release) -> bool:
    return not isinstance(release, ExplicitVectors) and isinstance(release.domain, BallDomain)


def _ball_radius(release: Release) -> mpf:
    if isinstance(release, ExplicitVectors) or not isinstance(release.domain, BallDomain):
        raise NotImplementedError(release)
    radius = real(release.domain.radius)
    match release:
        case RecordSum(_, Neighbours.ADD_OR_REMOVE_ONE):
            return radius
        case RecordMean(_, count):
            return 2 * radius / count
        case _:
            return 2 * radius


def _margin(guarantee: BinaryGuarantee, rho: mpf) -> mpf:
    """Return a number that is at least 0 exactly if a release with this rho_star has the guarantee."""
    match guarantee:
        case ZCDP(bound):
            return 2 * real(bound) - rho
        case GDP(mu):
            return real(mu) ** 2 - rho
        case RenyiDP(alpha, epsilon):
            return 2 * real(epsilon) / real(alpha) - rho
        case ApproxDP(epsilon, delta):
            return real(delta) - _profile(epsilon, rho)
        case TotalVariation(delta):
            return real(delta) - _profile(fmpq(0), rho)
        case MutualInformationDP(kappa):
            return real(kappa) - _capacity(rho)


def _profile(epsilon: fmpq, rho: mpf) -> mpf:
    if rho in {0, INFINITE}:
        return mpf(rho > 0)
    return by_mpmath.profile(epsilon, _rational(rho))


def _capacity(rho: mpf) -> mpf:
    if rho in {0, INFINITE}:
        return mp.log(2) * (rho > 0)
    return _capacity_at(_rational(rho))


@cache
def _capacity_at(rho: fmpq) -> mpf:
    with mp.workdps(50):
        return by_mpmath.capacity(rho)


def _rational(value: mpf) -> fmpq:
    return fmpq(int(mp.nint(value * 10**90)), 10**90)
