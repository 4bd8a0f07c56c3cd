"""The exact data that make claims easy to check: a closed union of frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from certify.checker.codec import Symmetric
from certify.checker.exact import Matrix


@dataclass(frozen=True, slots=True)
class Support:
    """A subspace that carries every sensitivity vector and the covariance, for a singular covariance.

    Attributes:
        basis: B, d x r: every difference of records is ``B t`` with ``t`` its entries at ``pivots``.
        pivots: r column indices of the records.
    """

    basis: Matrix
    pivots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrimalWitness:
    """Why the covariance is feasible.

    Attributes:
        support: Where the covariance is singular: the subspace that carries it. None for all of R^d.
        precision: P with ``P >= K^-1``, K the covariance (on the support: its r x r part at the pivots). None makes
            the checker invert K exactly, which is slow beyond small d.
    """

    support: Support | None
    precision: Symmetric | None


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A multiplier mu >= 0 of the pair of records with row indices ``first`` and ``second``."""

    first: int
    second: int
    value: fmpq


@dataclass(frozen=True, slots=True)
class CompactDual:
    """A dual point whose blocks are PSD by construction (theory.md section 4, precision form).

    Attributes:
        multipliers: One for each active pair.
        precision: P', any d x d matrix; None stands for the precision of the primal witness.
    """

    multipliers: tuple[Multiplier, ...]
    precision: Matrix | None


@dataclass(frozen=True, slots=True)
class DualBlock:
    """The dual block ``[[a, b], [b^T, gamma]]`` of a pair of records; ``b`` is d x 1."""

    first: int
    second: int
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


Witness: TypeAlias = CovarianceWitness
