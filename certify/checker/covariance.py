"""The covariance program: its primal, its dual and its gap formula (theory.md sections 4 and 5).

primal  v = min <W, Sigma>  with  Sigma - eta I PSD  and  F_j = [Sigma s_j; s_j^T rho] PSD for every vector s_j
dual    eta tr H - sum_j (2 b_j.s_j + rho gamma_j)  with  Z_j = [A_j b_j; b_j^T gamma_j] PSD, H = W - sum_j A_j PSD
gap     <W, Sigma> - dual = <H, Sigma - eta I> + sum_j <Z_j, F_j>, exactly
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.checker.claims import CovarianceOptimum
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity, inner, matrix
from certify.checker.privacy import Unattainable, Unlimited, rho_budget
from certify.checker.psd import NotPsd, Psd, decide_psd, is_positive_definite
from certify.checker.sensitivity import (
    FiniteDomain,
    IdealDenoiser,
    Progress,
    Release,
    UniformQuery,
    differences,
    largest_over_pairs,
)
from certify.checker.vectors import Difference, VectorName
from certify.checker.verdict import Obligation
from certify.checker.witnesses import CompactDual, CovarianceWitness, DualBlock, FullDual, PrimalWitness, Support


@dataclass(frozen=True, slots=True)
class DualPoint:
    """A dual point reduced to what weak duality needs.

    Attributes:
        floor_multiplier: H = W - sum A_j, d x d.
        gains: For each vector the dual value it contributes, ``-(2 b_j.s_j + rho gamma_j)``.
        complementarities: For each vector ``<Z_j, F_j(Sigma)>``.
        obligations: What must hold for the blocks Z_j to be PSD.
    """

    floor_multiplier: Matrix
    gains: tuple[fmpq, ...]
    complementarities: tuple[fmpq, ...]
    obligations: tuple[Obligation, ...]


def check_covariance_optimum(
    claim: CovarianceOptimum, witness: CovarianceWitness, progress: Progress
) -> tuple[Obligation, ...]:
    """Return the obligations of a ``CovarianceOptimum``; the claim is proved when all of them hold.

    Sound because: the budget obligation encloses the largest rho that the guarantee allows in [rho_lower, rho_upper];
    with every quadratic form at most rho_lower the release has the guarantee, and Sigma is feasible, so its cost
    bounds v from above; a dual point evaluated with rho_upper is a dual point of the program with the true rho and at
    most as good, so by weak duality its value bounds v from below.
    """
    if not _is_covered(claim.sensitivity):
        return (Obligation("release is covered", False, "no rule covers this release yet"),)
    budget = rho_budget(claim.guarantee)
    opening = (*_shapes(claim, witness), _weight(claim), _budget(budget))
    if not all(obligation.holds for obligation in opening) or not isinstance(budget, Enclosure):
        return opening
    cost = inner(claim.weight, claim.covariance)
    return (
        *opening,
        _floor(claim),
        *_primal(claim, witness.primal, budget.lower, progress),
        _at_most("upper bound", "the cost <W, Sigma>", cost, claim.upper, "the claimed upper bound"),
        *_dual(claim, witness, budget.upper, cost),
    )


def _is_covered(release: Release) -> bool:
    uniform = isinstance(release, IdealDenoiser) and isinstance(release.query, UniformQuery)
    return uniform and isinstance(release, IdealDenoiser) and isinstance(release.domain, FiniteDomain)


def _records(release: Release) -> Matrix:
    if isinstance(release, IdealDenoiser) and isinstance(release.domain, FiniteDomain):
        return release.domain.records
    raise ValueError("the release is no ideal denoiser over a list of records")


def _shapes(claim: CovarianceOptimum, witness: CovarianceWitness) -> tuple[Obligation, ...]:
    dimension, count = claim.sensitivity.dimension, _records(claim.sensitivity).rows
    support, precision = witness.primal.support, witness.primal.precision
    rank = dimension if support is None else support.basis.columns
    problems = []
    if support is not None and (support.basis.rows != dimension or len(support.pivots) != rank):
        problems.append(f"the support basis must have {dimension} rows and as many columns as pivots")
    if support is not None and any(pivot >= dimension for pivot in support.pivots):
        problems.append(f"a pivot is not a column index below {dimension}")
    if precision is not None and precision.rows != rank:
        problems.append(f"the precision must be {rank} x {rank}")
    problems += _dual_shapes(witness, dimension, count, rank)
    return (Obligation("shapes agree", not problems, problems[0] if problems else f"{count} records in R^{dimension}"),)


def _dual_shapes(witness: CovarianceWitness, dimension: int, count: int, rank: int) -> list[str]:
    match witness.dual:
        case CompactDual(entries, precision):
            size = (rank, rank) if precision is None else (precision.rows, precision.columns)
            fits = size == (dimension, dimension) and not (precision is None and witness.primal.precision is None)
            problems = [] if fits or not entries else [f"the dual needs a {dimension} x {dimension} precision"]
        case FullDual(entries):
            fits = all((b.a.rows, b.b.rows, b.b.columns) == (dimension, dimension, 1) for b in entries)
            problems = [] if fits else [f"every dual block must be of size {dimension} + 1"]
        case _:
            assert_never(witness.dual)
    if any(not _is_pair(entry.vector, count) for entry in entries):
        problems.append(f"a dual point names a record beyond the {count} of the domain")
    return problems


def _is_pair(vector: VectorName, count: int) -> bool:
    return isinstance(vector, Difference) and vector.first < count and vector.second < count


def _weight(claim: CovarianceOptimum) -> Obligation:
    holds = is_positive_definite(claim.weight)
    return Obligation("weight is positive definite", holds, "W > 0" if holds else "W is not positive definite")


def _budget(budget: Enclosure | Unlimited | Unattainable) -> Obligation:
    name = "budget"
    match budget:
        case Enclosure(lower, upper):
            shown = exact_or(lower, decimal_lower(lower, 20))
            return Obligation(name, lower >= 0 and upper > 0, f"the guarantee holds exactly when rho_star <= {shown}")
        case Unlimited():
            return Obligation(name, False, "the guarantee limits nothing, so there is no noise to optimise")
        case Unattainable():
            return Obligation(name, False, "no Gaussian release has this guarantee")
        case _:
            assert_never(budget)


def _floor(claim: CovarianceOptimum) -> Obligation:
    """Sigma - eta I is PSD."""
    above = claim.covariance - identity(claim.covariance.rows).scaled(claim.floor)
    return _psd("covariance is at least the floor", "Sigma - eta I", above)


def _primal(claim: CovarianceOptimum, witness: PrimalWitness, rho: fmpq, progress: Progress) -> tuple[Obligation, ...]:
    """Every F_j is PSD.

    Sound because with P > 0, ``P K P - P`` PSD is ``K - P^-1`` PSD after congruence by P^-1, so K^-1 <= P and
    ``t^T K^-1 t <= t^T P t <= rho`` makes ``[K t; t^T rho]`` PSD (Schur complement). With Sigma = B K B^T and s = B t,
    ``F = diag(B, 1) [K t; t^T rho] diag(B, 1)^T`` is PSD too.
    """
    points = differences(_records(claim.sensitivity))
    core = claim.covariance
    carried: tuple[Obligation, ...] = ()
    if witness.support is not None:
        carried = (_support(claim.covariance, points, witness.support),)
        core = core.select(witness.support.pivots, witness.support.pivots)
        points = points.select(range(points.rows), witness.support.pivots)
    precision = _inverse(core) if witness.precision is None else witness.precision
    if precision is None:
        return (*carried, Obligation("precision bounds the inverse", False, "the covariance has no inverse"))
    return (*carried, _dominance(core, precision), _every_pair(points, precision, rho, progress))


def _support(covariance: Matrix, points: Matrix, support: Support) -> Obligation:
    """Sigma = B K B^T with K its part at the pivots, and every difference is B times its part at the pivots."""
    name, basis, pivots = "support carries covariance and records", support.basis, support.pivots
    if basis @ covariance.select(pivots, pivots) @ basis.transpose() != covariance:
        return Obligation(name, False, "Sigma differs from B K B^T")
    if points.select(range(points.rows), pivots) @ basis.transpose() != points:
        return Obligation(name, False, "a difference of records lies outside the range of the basis")
    return Obligation(name, True, f"rank {basis.columns} of {basis.rows}")


def _inverse(core: Matrix) -> Matrix | None:
    if core.rows == 0:
        return core
    if core.numerators.det() == 0:
        return None
    numerators, denominator = fmpq_mat(core.numerators).inv().numer_denom()
    return matrix(numerators * core.denominator, denominator)


def _dominance(core: Matrix, precision: Matrix) -> Obligation:
    name = "precision bounds the inverse"
    if not is_positive_definite(precision):
        return Obligation(name, False, "P is not positive definite")
    return _psd(name, "P K P - P", precision @ core @ precision - precision)


def _every_pair(points: Matrix, precision: Matrix, rho: fmpq, progress: Progress) -> Obligation:
    largest = largest_over_pairs(points, precision, progress)
    name = "every pair of records is within the budget"
    if largest is None:
        return Obligation(name, True, "one record: nothing to protect")
    count = points.rows * (points.rows - 1) // 2
    value, limit = decimal_upper(largest.value), exact_or(rho, decimal_lower(rho))
    pair = f"{largest.pair[0]}, {largest.pair[1]}"
    detail = f"largest s^T P s over {count} pairs is {value} (records {pair}), budget {limit}"
    return Obligation(name, largest.value <= rho, detail)


def _dual(claim: CovarianceOptimum, witness: CovarianceWitness, rho: fmpq, cost: fmpq) -> tuple[Obligation, ...]:
    match witness.dual:
        case CompactDual():
            point = _compact_point(claim, witness.dual, witness.primal.precision, rho)
        case FullDual():
            point = _full_point(claim, witness.dual, rho)
        case _:
            assert_never(witness.dual)
    multiplier = point.floor_multiplier
    value = claim.floor * multiplier.trace() + sum(point.gains, fmpq(0))
    above = claim.covariance - identity(multiplier.rows).scaled(claim.floor)
    gap = inner(multiplier, above) + sum(point.complementarities, fmpq(0))
    return (
        *point.obligations,
        _psd("floor multiplier is PSD", "H = W - sum A_j", multiplier),
        _at_most("lower bound", "the claimed lower bound", claim.lower, value, "the dual value"),
        Obligation(
            "gap formula",
            gap == cost - value,
            f"<H, Sigma - eta I> + sum <Z_j, F_j> = {exact_or(gap, decimal_upper(gap))}, term by term",
        ),
    )


def _compact_point(claim: CovarianceOptimum, dual: CompactDual, shared: Matrix | None, rho: fmpq) -> DualPoint:
    """The dual point ``A_j = mu_j y_j y_j^T, b_j = -mu_j y_j, gamma_j = mu_j`` with ``y_j = P' s_j``.

    Sound because ``Z_j = mu_j (y_j; -1)(y_j; -1)^T`` is PSD for every mu_j >= 0 and every matrix P'.
    """
    dimension = claim.covariance.rows
    precision = dual.precision or shared
    negative = next((m for m in dual.multipliers if m.value < 0), None)
    detail = f"{negative.vector} has a negative multiplier" if negative else "all mu_j >= 0"
    obligation = Obligation("multipliers are nonnegative", negative is None, f"{len(dual.multipliers)} pairs, {detail}")
    if not dual.multipliers or precision is None:
        return DualPoint(claim.weight, (), (), (obligation,))
    vectors = _vectors(claim, [m.vector for m in dual.multipliers])
    images = vectors @ precision.transpose()
    weights = [m.value for m in dual.multipliers]
    along = _row_products(vectors, images)
    spread = _row_products(images @ claim.covariance, images)
    gains = tuple(mu * (2 * a - rho) for mu, a in zip(weights, along, strict=True))
    terms = tuple(mu * (q - 2 * a + rho) for mu, q, a in zip(weights, spread, along, strict=True))
    return DualPoint(claim.weight - _weighted_gram(images, weights, dimension), gains, terms, (obligation,))


def _full_point(claim: CovarianceOptimum, dual: FullDual, rho: fmpq) -> DualPoint:
    multiplier = claim.weight
    gains, terms = [], []
    failures = []
    for block in dual.blocks:
        multiplier -= block.a
        twice = 2 * inner(block.b.transpose(), _vectors(claim, [block.vector]))
        gains.append(-(twice + rho * block.gamma))
        terms.append(inner(block.a, claim.covariance) + twice + rho * block.gamma)
        if isinstance(decide_psd(bordered(block)), NotPsd):
            failures.append(f"the block of {block.vector} is not PSD")
    detail = failures[0] if failures else f"{len(dual.blocks)} blocks"
    obligation = Obligation("dual blocks are PSD", not failures, detail)
    return DualPoint(multiplier, tuple(gains), tuple(terms), (obligation,))


def bordered(block: DualBlock) -> Matrix:
    """Return the (d + 1) x (d + 1) matrix ``[[a, b], [b^T, gamma]]`` of a dual block."""
    common = block.a.denominator * block.b.denominator * block.gamma.q
    a = (block.a.numerators * (common // block.a.denominator)).tolist()
    b = (block.b.numerators * (common // block.b.denominator)).entries()
    corner = block.gamma.p * (common // block.gamma.q)
    return matrix(fmpz_mat([[*row, side] for row, side in zip(a, b, strict=True)] + [[*b, corner]]), common)


def _vectors(claim: CovarianceOptimum, names: list[VectorName]) -> Matrix:
    records = _records(claim.sensitivity)
    table = records.numerators
    pairs = [(name.first, name.second) for name in names if isinstance(name, Difference)]
    entries = [table[i, c] - table[j, c] for i, j in pairs for c in range(records.columns)]
    return matrix(fmpz_mat(len(pairs), records.columns, entries), records.denominator)


def _row_products(left: Matrix, right: Matrix) -> list[fmpq]:
    denominator = left.denominator * right.denominator
    rows = zip(left.numerators.tolist(), right.numerators.tolist(), strict=True)
    return [fmpq(sum((a * b for a, b in zip(x, y, strict=True)), fmpz(0)), denominator) for x, y in rows]


def _weighted_gram(rows: Matrix, weights: list[fmpq], size: int) -> Matrix:
    """Return ``sum_j weights_j r_j r_j^T`` for the rows r_j."""
    common = fmpz(1)
    for weight in weights:
        common = common.lcm(weight.q)
    scaled = [
        [entry * (weight.p * (common // weight.q)) for entry in row]
        for row, weight in zip(rows.numerators.tolist(), weights, strict=True)
    ]
    product = rows.numerators.transpose() * fmpz_mat(len(weights), size, [entry for row in scaled for entry in row])
    return matrix(product, common * rows.denominator**2)


def _psd(name: str, what: str, value: Matrix) -> Obligation:
    match decide_psd(value):
        case Psd():
            return Obligation(name, True, f"{what} is PSD")
        case NotPsd(direction, negative):
            shown = ", ".join(map(str, direction))
            where = f"v = ({shown if len(shown) <= 120 else shown[:100] + ' ...'})"
            return Obligation(name, False, f"{what} has v^T M v = {decimal_upper(negative)} < 0 for {where}")


def _at_most(name: str, left: str, smaller: fmpq, larger: fmpq, right: str) -> Obligation:
    relation = "<=" if smaller <= larger else ">"
    detail = f"{left} {decimal_lower(smaller, 18)} {relation} {right} {decimal_lower(larger, 18)}"
    return Obligation(name, smaller <= larger, detail)
