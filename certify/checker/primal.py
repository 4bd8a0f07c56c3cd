"""An upper bound of rho_star from a precision: the primal side of claims about a covariance (theory.md section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from certify.checker.decimals import decimal_lower, decimal_upper, exact_or
from certify.checker.exact import Matrix, diagonal, matrix
from certify.checker.hulls import Hull, Pairs, Zonotope, restrict, spanning
from certify.checker.obligations import psd_obligation
from certify.checker.pairs import PairSearch, Progress, largest_over_pairs
from certify.checker.psd import is_positive_definite
from certify.checker.suprema import Supremum, supremum
from certify.checker.verdict import Obligation
from certify.checker.witnesses import PrimalWitness, Support


@dataclass(frozen=True, slots=True)
class RhoBound:
    """An upper bound of rho_star that holds if all obligations do.

    Attributes:
        obligations: What makes the bound hold.
        upper: The bound; None where there is no precision to bound with.
        detail: The bound in words.
    """

    obligations: tuple[Obligation, ...]
    upper: fmpq | None
    detail: str


def primal_misfits(witness: PrimalWitness, hulls: tuple[Hull, ...], dimension: int) -> list[str]:
    """Return why the shapes of a primal witness do not fit a covariance of size ``dimension``; nothing if they do."""
    support, precision, bound = witness.support, witness.precision, witness.box_bound
    rank = dimension if support is None else support.basis.columns
    problems = []
    if support is not None and (support.basis.rows != dimension or len(support.pivots) != rank):
        problems.append(f"the support basis must have {dimension} rows and as many columns as pivots")
    if support is not None and any(pivot >= dimension for pivot in support.pivots):
        problems.append(f"a pivot is not a column index below {dimension}")
    if precision is not None and not (precision.rows == rank and precision.is_symmetric()):
        problems.append(f"the precision must be {rank} x {rank} and symmetric")
    if bound is not None and (bound.rows != 1 or [bound.columns] != [_edges(hull) for hull in hulls]):
        problems.append("a box bound has one entry for each edge of a box of records")
    return problems


def _edges(hull: Hull) -> int | None:
    return hull.generators.rows if isinstance(hull, Zonotope) else None


def bound_rho_star(
    hulls: tuple[Hull, ...],
    covariance: Matrix,
    witness: PrimalWitness,
    limit: fmpq | None,
    progress: Progress,
    largest: PairSearch = largest_over_pairs,
) -> RhoBound:
    """Return an upper bound of rho_star, ``sup s^T Sigma^-1 s`` over the hulls.

    Sound because with P > 0, ``P K P - P`` PSD is ``K - P^-1`` PSD after congruence by P^-1, so K^-1 <= P and
    ``t^T K^-1 t <= t^T P t`` for every t. With Sigma = B K B^T and s = B t, where t is the part of s at the pivots,
    ``[Sigma s; s^T r] = diag(B, 1) [K t; t^T r] diag(B, 1)^T`` is PSD for every ``r >= t^T P t`` (Schur complement), so
    ``s^T Sigma^-1 s <= t^T P t`` inside the range of Sigma.

    Proof: ``precision_congruence_budget``, ``psd_bordered_support``.

    Args:
        hulls: The sensitivity set of the release.
        covariance: Sigma, d x d.
        witness: The precision P and the support B; ``primal_misfits`` found nothing wrong with their shapes.
        limit: What the bound is hoped not to exceed, for hulls where it is only compared (``supremum``).
        progress: Called while pairs are gone through.
        largest: What finds the largest form over all pairs of records.
    """
    core, carried = covariance, tuple[Obligation, ...]()
    if witness.support is not None:
        carried = (_support(covariance, hulls, witness.support),)
        core = core.select(witness.support.pivots, witness.support.pivots)
        hulls = tuple(restrict(hull, witness.support.pivots) for hull in hulls)
    precision = _inverse(core) if witness.precision is None else witness.precision
    if precision is None:
        failed = Obligation("precision bounds the inverse", False, "the covariance has no inverse")
        return RhoBound((*carried, failed), None, failed.detail)
    carried = (*carried, _dominance(core, precision))
    if not all(obligation.holds for obligation in carried):
        return RhoBound(carried, None, "there is no bound of rho_star")
    if witness.box_bound is not None:
        return _by_box_bound(carried, hulls, precision, witness.box_bound)
    found = [supremum(hull, precision, limit, progress, largest) for hull in hulls]
    return _largest(carried, [each for each in found if each is not None])


def within_budget(hulls: tuple[Hull, ...], bound: RhoBound, rho: fmpq) -> Obligation:
    """Return the obligation that the bound is at most ``rho``."""
    paired = all(isinstance(hull, Pairs) for hull in hulls)
    name = f"every {'pair of records' if paired else 'sensitivity vector'} is within the budget"
    limit = exact_or(rho, decimal_lower(rho))
    return Obligation(name, bound.upper is not None and bound.upper <= rho, f"{bound.detail}, budget {limit}")


def _largest(carried: tuple[Obligation, ...], found: list[Supremum]) -> RhoBound:
    if not found:
        return RhoBound(carried, fmpq(0), "one record: nothing to protect")
    largest = max(found, key=lambda each: each.value.upper)
    counted = largest.counted if len(found) == 1 else f"{len(found)} queries, each {largest.counted},"
    value = decimal_upper(largest.value.upper)
    return RhoBound(carried, largest.value.upper, f"largest s^T P s over {counted} is {value} ({largest.where})")


def _by_box_bound(
    carried: tuple[Obligation, ...], hulls: tuple[Hull, ...], precision: Matrix, bound: Matrix
) -> RhoBound:
    """Bound the form over a box by the sum of y.

    Sound because ``v^T Q v <= v^T Diag(y) v = sum y_i v_i^2 <= sum y_i`` for every v in [-1, 1]^n: a PSD
    ``Diag(y) - Q`` with a PSD Q makes every y_i nonnegative.

    Proof: ``psd_box_bound``.
    """
    upper = fmpq(sum(bound.numerators.entries()), bound.denominator)
    ceiling = diagonal(bound.numerators.entries()).scaled(fmpq(1, bound.denominator))
    forms = [h.generators @ precision @ h.generators.transpose() for h in hulls if isinstance(h, Zonotope)]
    name = "box bound dominates the precision"
    proofs = [psd_obligation(name, "Diag(y) - G P G^T", ceiling - form) for form in forms]
    return RhoBound((*carried, *proofs), upper, f"s^T P s over the box is at most {decimal_upper(upper)}")


def _support(covariance: Matrix, hulls: tuple[Hull, ...], support: Support) -> Obligation:
    """Sigma = B K B^T with K its part at the pivots, and every sensitivity vector is B times its part at the pivots."""
    name, basis, pivots = "support carries covariance and records", support.basis, support.pivots
    if basis @ covariance.select(pivots, pivots) @ basis.transpose() != covariance:
        return Obligation(name, False, "Sigma differs from B K B^T")
    for hull in hulls:
        rows = spanning(hull)
        if rows.select(range(rows.rows), pivots) @ basis.transpose() != rows:
            return Obligation(name, False, "a sensitivity vector lies outside the range of the basis")
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
    return psd_obligation(name, "P K P - P", precision @ core @ precision - precision)
