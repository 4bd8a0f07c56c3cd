"""rho_star of a release with a given covariance: a certificate of an enclosure, or of its being infinite."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flint import fmpq, fmpz

from certify.certificates.boxes import box_bound
from certify.certificates.inverses import (
    Carrier,
    annihilator,
    asymmetry,
    carrier_of,
    cheap_inverse,
    exact_inverse,
    precision_above,
    solve_direction,
)
from certify.certificates.worst_vectors import worst_vector
from certify.checker.certificate import Certificate
from certify.checker.claims import RhoStarEnclosure, RhoStarInfinite
from certify.checker.decimals import decimal_lower, decimal_upper
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity, inner, matrix_of_fractions, parse_rational
from certify.checker.exponents import largest_exponent
from certify.checker.hulls import (
    Ball,
    Deletions,
    Hull,
    Pairs,
    Replacements,
    Rows,
    Zonotope,
    hulls_of,
    restrict,
    spanning,
)
from certify.checker.kernel import check, silent
from certify.checker.members import named_vectors
from certify.checker.pairs import Progress
from certify.checker.primal import bound_rho_star
from certify.checker.privacy import Infinite, RhoStar
from certify.checker.psd import NotPsd, Psd, decide_psd
from certify.checker.releases import Release
from certify.checker.signs import ENUMERATED
from certify.checker.vectors import Combination, Deletion, Difference, Record, Replacement, VectorName
from certify.checker.verdict import Status, Verdict
from certify.checker.witnesses import PrimalWitness, RhoStarWitness, VectorWitness

BOUND_DIGITS = 30
FACTOR_SLACK = fmpq(1, fmpz(1) << 100)
REPLACEMENT_SLACK = fmpq(1, fmpz(1) << 60)
EIGENVALUE_SLACKS = (0, 2**-48, 2**-42, 2**-36, 2**-30)


class AuditError(Exception):
    """The data of an audit cannot be what they are said to be; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class RhoStarFinding:
    """What was proved about rho_star.

    Attributes:
        certificate: Of a ``RhoStarEnclosure`` or ``RhoStarInfinite``.
        verdict: What the kernel says of it.
        worst: The vector that bounds rho_star from below, seen along the best direction; None where rho_star is 0.
        primal: What bounds rho_star from above; None where it is infinite.
    """

    certificate: Certificate
    verdict: Verdict
    worst: VectorWitness | None
    primal: PrimalWitness | None

    @property
    def value(self) -> RhoStar:
        """The enclosure, or infinity."""
        claim = self.certificate.claim
        return Enclosure(claim.lower, claim.upper) if isinstance(claim, RhoStarEnclosure) else Infinite()


def find_rho_star(
    release: Release, covariance: Matrix, progress: Progress = silent, *, exact: bool = False
) -> RhoStarFinding:
    """Return a checked certificate of rho_star of a release plus N(0, Sigma) noise, Sigma = ``covariance`` (d x d).

    The search is in floats; the enclosure is what the exact arithmetic yields, exact where the inverse is short.

    Args:
        release: What is released.
        covariance: Sigma, symmetric.
        progress: Called while the certificate is checked.
        exact: Whether to invert Sigma exactly whatever its size.

    Raises:
        AuditError: If Sigma is not symmetric or not PSD, or numbers are beyond the range of binary64.
    """
    problem = asymmetry(covariance)
    if problem is not None:
        raise AuditError(problem)
    carrier = carrier_of(covariance)
    if isinstance(carrier, NotPsd):
        shown = ", ".join(map(str, carrier.direction))
        where = f" for v = ({shown})" if len(shown) < 200 else ""
        raise AuditError(
            f"the covariance is not positive semidefinite: v^T Sigma v = {decimal_upper(carrier.value)}{where}"
        )
    hulls = hulls_of(release)
    outside = _vector_outside(hulls, carrier)
    if outside is not None:
        certificate = Certificate(RhoStarInfinite(release, covariance), outside)
        return RhoStarFinding(certificate, check(certificate), outside, None)
    try:
        return _enclose(release, covariance, carrier, progress, exact=exact)
    except OverflowError:
        raise AuditError("numbers are beyond the range of binary64; bring the records near 1 with a scale") from None


def _enclose(
    release: Release, covariance: Matrix, carrier: Carrier, progress: Progress, *, exact: bool
) -> RhoStarFinding:
    hulls = hulls_of(release)
    inverse = exact_inverse(carrier.core) if exact else cheap_inverse(carrier.core)
    precision = inverse or precision_above(carrier.core) or exact_inverse(carrier.core)
    primal = PrimalWitness(carrier.support, precision)
    name = worst_vector(hulls, carrier.pivots, precision, progress)
    worst = None if name is None else _along(hulls, carrier, precision, name)
    lower = fmpq(0) if worst is None else _value_along(hulls, covariance, worst)
    worst = worst if lower > 0 else None
    reached = fmpq(0) if worst is None else _form_at(hulls, carrier, precision, worst.vector)
    primal, upper = _upper_end(hulls, carrier, primal, reached)
    claim = RhoStarEnclosure(release, covariance, *_shorten(lower, upper))
    certificate = Certificate(claim, RhoStarWitness(primal, worst))
    verdict = check(certificate, progress)
    if verdict.status is not Status.PROVED:
        bound = bound_rho_star(hulls, covariance, primal, upper, progress)
        upper = upper if bound.upper is None else max(bound.upper, lower)
        certificate = replace(certificate, claim=RhoStarEnclosure(release, covariance, *_shorten(lower, upper)))
        verdict = check(certificate, progress)
    return RhoStarFinding(certificate, verdict, worst, primal)


def _along(hulls: tuple[Hull, ...], carrier: Carrier, precision: Matrix, name: VectorName) -> VectorWitness:
    return VectorWitness(name, solve_direction(carrier, precision, vector_of(hulls, name)))


def vector_of(hulls: tuple[Hull, ...], name: VectorName) -> Matrix:
    """Return the member of the hull with a name, 1 x d.

    Raises:
        ValueError: If the name names none.
    """
    found = named_vectors(hulls, [name])
    if isinstance(found, str):
        raise ValueError(found)
    return found


def _value_along(hulls: tuple[Hull, ...], covariance: Matrix, worst: VectorWitness) -> fmpq:
    y = worst.direction
    noise = inner(y @ covariance, y)
    return inner(y, vector_of(hulls, worst.vector)) ** 2 / noise if noise > 0 else fmpq(0)


def _form_at(hulls: tuple[Hull, ...], carrier: Carrier, precision: Matrix, name: VectorName) -> fmpq:
    part = vector_of(hulls, name).select((0,), carrier.pivots)
    return inner(part @ precision, part)


def _upper_end(
    hulls: tuple[Hull, ...], carrier: Carrier, primal: PrimalWitness, reached: fmpq
) -> tuple[PrimalWitness, fmpq]:
    """Return what the checker's bound is expected not to exceed, given the largest form found, with its witness."""
    if primal.precision is None:
        raise TypeError("a precision is needed")
    parts = tuple(restrict(hull, carrier.pivots) for hull in hulls)
    match parts[0]:
        case Rows() | Pairs():
            return primal, reached
        case Deletions():
            return primal, reached * (1 + FACTOR_SLACK)
        case Replacements(points, _):
            diameter = _form_at((Pairs(points),), _whole(primal.precision), primal.precision, _widest(parts, primal))
            return primal, reached + REPLACEMENT_SLACK * diameter
        case Zonotope(generators):
            return _box_end(generators @ primal.precision @ generators.transpose(), primal, reached)
        case Ball(radius, _):
            return primal, _eigenvalue_end(primal.precision.scaled(radius**2), reached)


def _widest(parts: tuple[Hull, ...], primal: PrimalWitness) -> VectorName:
    points = parts[0].points if isinstance(parts[0], Replacements) else None
    if points is None or primal.precision is None:
        raise TypeError("replacements are differences of records")
    found = worst_vector((Pairs(points),), tuple(range(points.columns)), primal.precision, silent)
    return Difference(0, 0) if found is None else found


def _whole(precision: Matrix) -> Carrier:
    return Carrier(precision, tuple(range(precision.rows)), None)


def _box_end(form: Matrix, primal: PrimalWitness, reached: fmpq) -> tuple[PrimalWitness, fmpq]:
    """Beyond the sizes that the checker enumerates: the smaller of the certified bound and the sum of all entries."""
    entries = form.numerators.entries()
    if form.rows <= ENUMERATED or all(entry >= 0 for entry in entries):
        return primal, reached
    plain = fmpq(sum((abs(entry) for entry in entries), fmpz(0)), form.denominator)
    bound = box_bound(form)
    if bound is None:
        return primal, plain
    total = fmpq(sum(bound.numerators.entries(), fmpz(0)), bound.denominator)
    return (replace(primal, box_bound=bound), total) if total < plain else (primal, plain)


def _eigenvalue_end(form: Matrix, reached: fmpq) -> fmpq:
    """Return a number close above the largest eigenvalue of a form, which is at least ``reached``."""
    for slack in EIGENVALUE_SLACKS:
        end = reached * (1 + fmpq(*slack.as_integer_ratio()))
        if isinstance(decide_psd(identity(form.rows).scaled(end) - form), Psd):
            return end
    return form.trace()


def _vector_outside(hulls: tuple[Hull, ...], carrier: Carrier) -> VectorWitness | None:
    """Return a vector of the hull outside the range of the covariance, seen along a direction without noise."""
    support = carrier.support
    if support is None:
        return None
    for query, hull in enumerate(hulls):
        rows = spanning(hull)
        residual = rows - rows.select(range(rows.rows), carrier.pivots) @ support.basis.transpose()
        entries = residual.numerators.entries()
        place = next((index for index, entry in enumerate(entries) if entry != 0), None)
        if place is not None:
            row, column = divmod(place, rows.columns)
            return VectorWitness(_name_of_spanning(hull, query, row), annihilator(support, column))
    return None


def _name_of_spanning(hull: Hull, query: int, row: int) -> VectorName:
    """Return the name of a vector of the hull along a row of ``spanning``, the longer of two multiples."""
    match hull:
        case Rows():
            return Record(row)
        case Pairs():
            return Difference(row, 0)
        case Deletions(_, exponents):
            heavier = largest_exponent(exponents, row, 0).sign() >= 0
            return Deletion(query, row, 0) if heavier else Deletion(query, 0, row)
        case Replacements(_, weights):
            return Replacement(query, row, 0, 0 if weights.ratio(row, 0).sign() >= 0 else row)
        case Zonotope(generators):
            return Combination(_unit(generators.rows, row))
        case Ball(_, dimension):
            return Combination(_unit(dimension, row))


def _unit(size: int, index: int) -> Matrix:
    return matrix_of_fractions([[fmpq(int(index == j)) for j in range(size)]], size)


def _shorten(lower: fmpq, upper: fmpq) -> tuple[fmpq, fmpq]:
    """Round the ends outward to ``BOUND_DIGITS`` significant decimals, unless they coincide."""
    if lower == upper:
        return lower, upper
    ends = decimal_lower(lower, BOUND_DIGITS), decimal_upper(upper, BOUND_DIGITS)
    return parse_rational(ends[0]), parse_rational(ends[1])
