"""The exact data that make claims easy to check: a closed union of frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from certify.checker.codec import Symmetric
from certify.checker.conic.witnesses import ConicWitness
from certify.checker.exact import Matrix
from certify.checker.queries import PointQuery
from certify.checker.vectors import VectorName


@dataclass(frozen=True, slots=True)
class Support:
    """A subspace that carries every sensitivity vector and the covariance, for a singular covariance.

    Attributes:
        basis: B, d x r: every sensitivity vector is ``B t`` with ``t`` its entries at ``pivots``.
        pivots: r column indices of the records.
    """

    basis: Matrix
    pivots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrimalWitness:
    """Why the covariance is feasible, or why rho_star is no larger than claimed.

    Attributes:
        support: Where the covariance is singular: the subspace that carries it. None for all of R^d.
        precision: P with ``P >= K^-1``, K the covariance (on the support: its r x r part at the pivots). None makes
            the checker invert K exactly, which is slow beyond small d.
        box_bound: For a box of records: y (1 x n) with ``Diag(y) - G P G^T`` PSD, G the n edges of the box, which
            bounds rho_star by the sum of y. None leaves the checker to try all sign vectors up to n = 20, and beyond
            to bound by the sum of ``|G P G^T|``, which is exact where no entry is negative.
    """

    support: Support | None
    precision: Symmetric | None
    box_bound: Matrix | None = None


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A multiplier mu >= 0 of a sensitivity vector."""

    vector: VectorName
    value: fmpq


@dataclass(frozen=True, slots=True)
class CompactDual:
    """A dual point whose blocks are PSD by construction (theory.md section 4, precision form).

    Attributes:
        multipliers: One for each active vector.
        precision: P', any d x d matrix; None stands for the precision of the primal witness.
    """

    multipliers: tuple[Multiplier, ...]
    precision: Matrix | None


@dataclass(frozen=True, slots=True)
class DualBlock:
    """The dual block ``[[a, b], [b^T, gamma]]`` of a sensitivity vector; ``b`` is d x 1."""

    vector: VectorName
    a: Symmetric
    b: Matrix
    gamma: fmpq


@dataclass(frozen=True, slots=True)
class FullDual:
    """A dual point block by block, as any SDP solver returns it; H is ``W`` minus the sum of the ``a``."""

    blocks: tuple[DualBlock, ...]


Dual: TypeAlias = CompactDual | FullDual


@dataclass(frozen=True, slots=True)
class CovarianceWitness:
    """A primal and a dual witness for ``CovarianceOptimum``."""

    primal: PrimalWitness
    dual: Dual


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two neighbouring datasets that refute a ``ReleasePrivacy``, seen along one direction.

    The datasets are neighbours by construction: D is the records ``rest`` and ``first``, D' is ``rest`` and ``second``,
    or ``rest`` alone where ``second`` is None (one record removed).

    Attributes:
        records: Some records of the domain, k x d.
        rest: Row indices of the records that both datasets have, repeats allowed. For a mean of n records they cancel:
            any n - 1 will do and none need be listed.
        first: Row index of the record only D has.
        second: Row index of the record only D' has, None where one record is removed.
        query: The query at which an ideal denoiser is released, None for sums and means.
        direction: y, 1 x d. The two releases along y are Gaussian with variance ``y^T Sigma y``.
    """

    records: Matrix
    rest: tuple[int, ...]
    first: int
    second: int | None
    query: PointQuery | None
    direction: Matrix


@dataclass(frozen=True, slots=True)
class VectorWitness:
    """A vector s of the hull of the sensitivity set, seen along one direction: rho_star >= (y.s)^2 / (y^T Sigma y).

    Attributes:
        vector: The name of s.
        direction: y, 1 x d; the bound is best, and exact, at ``Sigma y = s``. With ``Sigma y = 0`` and y.s nonzero
            it shows that rho_star is infinite.
    """

    vector: VectorName
    direction: Matrix


@dataclass(frozen=True, slots=True)
class RhoStarWitness:
    """Why rho_star lies in a bracket.

    Attributes:
        primal: Bounds it from above.
        below: Bounds it from below; None where the lower end is not positive.
    """

    primal: PrimalWitness
    below: VectorWitness | None


@dataclass(frozen=True, slots=True)
class ByComputation:
    """Nothing: the kernel decides the claim by computing."""


PrivacyWitness: TypeAlias = PrimalWitness | Counterexample | VectorWitness | RhoStarWitness | ByComputation

Witness: TypeAlias = CovarianceWitness | PrivacyWitness | ConicWitness
