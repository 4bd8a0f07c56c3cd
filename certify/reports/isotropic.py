"""The baseline that everybody uses: isotropic noise."""

from __future__ import annotations

from flint import fmpq

from certify.checker.claims import CovarianceOptimum
from certify.checker.enclosure import Enclosure
from certify.checker.exact import identity
from certify.checker.privacy import rho_budget
from certify.checker.sensitivity import FiniteDomain, Progress, differences, domain_of, largest_over_pairs


def isotropic_cost(claim: CovarianceOptimum, progress: Progress) -> fmpq | None:
    """Return the least cost ``lambda tr W`` of isotropic noise with the guarantee and the floor of a claim.

    lambda is the larger of the floor and ``max |x - y|^2 / rho``; None where the guarantee has no finite budget or the
    records are not listed.
    """
    budget = rho_budget(claim.guarantee)
    if not isinstance(budget, Enclosure) or budget.lower <= 0:
        return None
    domain = domain_of(claim.sensitivity)
    if not isinstance(domain, FiniteDomain):
        return None
    points = differences(domain.records)
    largest = largest_over_pairs(points, identity(points.columns), progress)
    needed = fmpq(0) if largest is None else largest.value / budget.lower
    return max(needed, claim.floor) * claim.weight.trace()
