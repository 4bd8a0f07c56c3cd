"""The baseline that everybody uses: isotropic noise."""

from __future__ import annotations

from flint import fmpq

from certify.checker.claims import CovarianceOptimum
from certify.checker.enclosure import Enclosure
from certify.checker.exact import identity
from certify.checker.hulls import hulls_of
from certify.checker.pairs import Progress
from certify.checker.privacy import rho_budget
from certify.checker.suprema import supremum


def isotropic_cost(claim: CovarianceOptimum, progress: Progress) -> fmpq | None:
    """Return the least cost ``lambda tr W`` of isotropic noise with the guarantee and the floor of a claim.

    lambda is the larger of the floor and ``sup |s|^2 / rho`` over the sensitivity set; None where the guarantee has no
    finite budget.
    """
    budget = rho_budget(claim.guarantee)
    if not isinstance(budget, Enclosure) or budget.lower <= 0:
        return None
    form = identity(claim.sensitivity.dimension)
    found = [supremum(hull, form, None, progress) for hull in hulls_of(claim.sensitivity)]
    largest = max((each.value.upper for each in found if each is not None), default=fmpq(0))
    return max(largest / budget.lower, claim.floor) * claim.weight.trace()
