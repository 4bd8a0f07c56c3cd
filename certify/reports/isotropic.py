"""The baseline that everybody uses: isotropic noise."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq, fmpz

from certify.checker.claims import CovarianceOptimum
from certify.checker.enclosure import Enclosure
from certify.checker.exact import identity
from certify.checker.hulls import Hull, hulls_of, spanning
from certify.checker.pairs import Progress
from certify.checker.privacy import rho_budget
from certify.checker.suprema import supremum


@dataclass(frozen=True, slots=True)
class Isotropic:
    """The least isotropic noise with the guarantee and the floor of a claim.

    Attributes:
        cost: ``<W, Sigma>`` for the noise ``lambda I`` in the columns that vary and the floor in the others.
        columns: How many of the d columns vary.
    """

    cost: fmpq
    columns: int


def isotropic_noise(claim: CovarianceOptimum, progress: Progress) -> Isotropic | None:
    """Return what isotropic noise costs, None where the guarantee has no finite budget.

    lambda is the larger of the floor and ``sup |s|^2 / rho`` over the sensitivity set. Columns in which no sensitivity
    vector has an entry need no noise for privacy, so they get the floor alone.
    """
    budget = rho_budget(claim.guarantee)
    if not isinstance(budget, Enclosure) or budget.lower <= 0:
        return None
    dimension, hulls = claim.sensitivity.dimension, hulls_of(claim.sensitivity)
    found = [supremum(hull, identity(dimension), None, progress) for hull in hulls]
    largest = max((each.value.upper for each in found if each is not None), default=fmpq(0))
    level = max(largest / budget.lower, claim.floor)
    varying = [any(any(column) for column in columns) for columns in zip(*map(_columns, hulls), strict=True)]
    noise = [level if varies else claim.floor for varies in varying]
    cost = sum((noise[i] * claim.weight.entry(i, i) for i in range(dimension)), fmpq(0))
    return Isotropic(cost, sum(varying))


def _columns(hull: Hull) -> list[tuple[fmpz, ...]]:
    return list(zip(*spanning(hull).numerators.tolist(), strict=True))
