"""The covariance program: its primal, its dual and its gap formula (theory.md sections 4 and 5).

primal  v = min <W, Sigma>  with  Sigma - eta I PSD  and  F_j = [Sigma s_j; s_j^T rho] PSD for every vector s_j
dual    eta tr H - sum_j (2 b_j.s_j + rho gamma_j)  with  Z_j = [A_j b_j; b_j^T gamma_j] PSD, H = W - sum_j A_j PSD
gap     <W, Sigma> - dual = <H, Sigma - eta I> + sum_j <Z_j, F_j>, exactly
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.claims import CovarianceOptimum
from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, identity, inner, matrix
from certify.checker.hulls import hulls_of
from certify.checker.members import named_vectors
from certify.checker.obligations import at_most_obligation, psd_obligation
from certify.checker.pairs import PairSearch, Progress
from certify.checker.primal import RhoBound, bound_rho_star, primal_misfits, within_budget
from certify.checker.privacy import Unattainable, Unlimited, rho_budget
from certify.checker.psd import NotPsd, decide_psd, is_positive_definite
from certify.checker.vectors import describe_vector
from certify.checker.verdict import Obligation
from certify.checker.witnesses import CompactDual, CovarianceWitness, Dual, DualBlock, FullDual, Multiplier


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
    claim: CovarianceOptimum, witness: CovarianceWitness, progress: Progress, largest: PairSearch
) -> tuple[Obligation, ...]:
    """Return the obligations of a ``CovarianceOptimum``; the claim is proved when all of them hold.

    Sound because: the budget obligation encloses the largest rho that the guarantee allows in [rho_lower, rho_upper];
    with rho_star at most rho_lower the release has the guarantee, and Sigma is feasible, so its cost bounds v from
    above; a dual point evaluated with rho_upper is a dual point of the program with the true rho and at most as good,
    so by weak duality its value bounds v from below. The vectors of the dual point are members of the closed symmetric
    hull of the sensitivity set, which every feasible covariance serves as it serves the set itself: the vectors s with
    ``s^T Sigma^-1 s <= rho`` form a closed convex symmetric set. So factors known by enclosures only cost width: the
    primal takes their upper ends, the dual their lower ends.

    Proof: ``covariance_rule_sound``, ``implied_factor``.
    """
    hulls, budget = hulls_of(claim.sensitivity), rho_budget(claim.guarantee)
    vectors = named_vectors(hulls, [entry.vector for entry in _entries(witness.dual)])
    misfits = [*primal_misfits(witness.primal, hulls, claim.sensitivity.dimension), *_dual_misfits(claim, witness)]
    misfits += [vectors] if isinstance(vectors, str) else []
    opening = (_shapes(claim, misfits), _weight(claim), _budget(budget))
    openings_hold = all(obligation.holds for obligation in opening)
    if not openings_hold or isinstance(vectors, str) or not isinstance(budget, Enclosure):
        return opening
    cost = inner(claim.weight, claim.covariance)
    bound = bound_rho_star(hulls, claim.covariance, witness.primal, budget.lower, progress, largest)
    return (
        *opening,
        _floor(claim, bound),
        *bound.obligations,
        within_budget(hulls, bound, budget.lower),
        at_most_obligation("upper bound", "the cost <W, Sigma>", cost, claim.upper, "the claimed upper bound"),
        *_dual(claim, witness, vectors, budget.upper, cost),
    )


def _entries(dual: Dual) -> tuple[Multiplier, ...] | tuple[DualBlock, ...]:
    match dual:
        case CompactDual(multipliers, _):
            return multipliers
        case FullDual(blocks):
            return blocks
        case _:
            assert_never(dual)


def _shapes(claim: CovarianceOptimum, misfits: list[str]) -> Obligation:
    detail = misfits[0] if misfits else f"sensitivity vectors in R^{claim.sensitivity.dimension}"
    return Obligation("shapes agree", not misfits, detail)


def _dual_misfits(claim: CovarianceOptimum, witness: CovarianceWitness) -> list[str]:
    dimension = claim.sensitivity.dimension
    match witness.dual:
        case CompactDual(multipliers, precision):
            used = witness.primal.precision if precision is None else precision
            fits = used is not None and (used.rows, used.columns) == (dimension, dimension)
            return [] if fits or not multipliers else [f"the dual needs a {dimension} x {dimension} precision"]
        case FullDual(blocks):
            sizes = (dimension, dimension, 1)
            fits = all((b.a.rows, b.b.rows, b.b.columns) == sizes and b.a.is_symmetric() for b in blocks)
            return [] if fits else [f"every dual block must be symmetric of size {dimension} + 1"]
        case _:
            assert_never(witness.dual)


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


def _floor(claim: CovarianceOptimum, bound: RhoBound) -> Obligation:
    """Sigma - eta I is PSD.

    Sound without a decision of its own where eta = 0 and all obligations of the bound hold, which prove more: K - P^-1
    is PSD for a positive definite P (``bound_rho_star``), so is P^-1, hence their sum K, and Sigma is K or B K B^T.

    Proof: ``floor_sound``.
    """
    name = "covariance is at least the floor"
    if claim.floor == 0 and all(obligation.holds for obligation in bound.obligations):
        return Obligation(name, True, "Sigma is PSD, because P > 0 and P K P - P is PSD")
    above = claim.covariance - identity(claim.covariance.rows).scaled(claim.floor)
    return psd_obligation(name, "Sigma - eta I", above)


def _dual(
    claim: CovarianceOptimum, witness: CovarianceWitness, vectors: Matrix, rho: fmpq, cost: fmpq
) -> tuple[Obligation, ...]:
    match witness.dual:
        case CompactDual():
            point = _compact_point(claim, witness, witness.dual, vectors, rho)
        case FullDual():
            point = _full_point(claim, witness.dual, vectors, rho)
        case _:
            assert_never(witness.dual)
    multiplier = point.floor_multiplier
    value = claim.floor * multiplier.trace() + sum(point.gains, fmpq(0))
    above = claim.covariance - identity(multiplier.rows).scaled(claim.floor)
    gap = inner(multiplier, above) + sum(point.complementarities, fmpq(0))
    return (
        *point.obligations,
        psd_obligation("floor multiplier is PSD", "H = W - sum A_j", multiplier),
        at_most_obligation("lower bound", "the claimed lower bound", claim.lower, value, "the dual value"),
        Obligation(
            "gap formula",
            gap == cost - value,
            f"<H, Sigma - eta I> + sum <Z_j, F_j> = {exact_or(gap, decimal_upper(gap))}, term by term",
        ),
    )


def _compact_point(
    claim: CovarianceOptimum, witness: CovarianceWitness, dual: CompactDual, vectors: Matrix, rho: fmpq
) -> DualPoint:
    """The dual point ``A_j = mu_j y_j y_j^T, b_j = -mu_j y_j, gamma_j = mu_j`` with ``y_j = P' s_j``.

    Sound because ``Z_j = mu_j (y_j; -1)(y_j; -1)^T`` is PSD for every mu_j >= 0 and every matrix P'.

    Proof: ``compact_weak_duality``.
    """
    precision = witness.primal.precision if dual.precision is None else dual.precision
    negative = next((m for m in dual.multipliers if m.value < 0), None)
    detail = f"{describe_vector(negative.vector)} has a negative one" if negative else "all mu_j >= 0"
    counted = f"{len(dual.multipliers)} multipliers, {detail}"
    obligation = Obligation("multipliers are nonnegative", negative is None, counted)
    if not dual.multipliers or precision is None:
        return DualPoint(claim.weight, (), (), (obligation,))
    images = vectors @ precision.transpose()
    weights = [m.value for m in dual.multipliers]
    along = _row_products(vectors, images)
    spread = _row_products(images @ claim.covariance, images)
    gains = tuple(mu * (2 * a - rho) for mu, a in zip(weights, along, strict=True))
    terms = tuple(mu * (q - 2 * a + rho) for mu, q, a in zip(weights, spread, along, strict=True))
    multiplier = claim.weight - _weighted_gram(images, weights, claim.covariance.rows)
    return DualPoint(multiplier, gains, terms, (obligation,))


def _full_point(claim: CovarianceOptimum, dual: FullDual, vectors: Matrix, rho: fmpq) -> DualPoint:
    multiplier = claim.weight
    gains, terms = [], []
    failures = []
    for index, block in enumerate(dual.blocks):
        multiplier -= block.a
        twice = 2 * inner(block.b.transpose(), vectors.select((index,), range(vectors.columns)))
        gains.append(-(twice + rho * block.gamma))
        terms.append(inner(block.a, claim.covariance) + twice + rho * block.gamma)
        if isinstance(decide_psd(bordered(block)), NotPsd):
            failures.append(f"the block of the {describe_vector(block.vector)} is not PSD")
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
