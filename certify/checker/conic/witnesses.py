"""Exact points, rays and exposing vectors of a conic program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from certify.checker.codec import Symmetric
from certify.checker.exact import Matrix


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """The coordinates of a vector block, a 1 x n matrix."""

    entries: Matrix


@dataclass(frozen=True, slots=True)
class MatrixPoint:
    """The n x n symmetric matrix of a PSD block."""

    matrix: Symmetric


@dataclass(frozen=True, slots=True)
class FactoredPoint:
    """The matrix ``F F^T + diag(d)`` of a PSD block: PSD at sight where d >= 0, and small where F is thin.

    Attributes:
        factor: F, n x k; k may be zero.
        diagonal: d, 1 x n.
    """

    factor: Matrix
    diagonal: Matrix


BlockPoint: TypeAlias = VectorPoint | MatrixPoint | FactoredPoint
"""The part of X on one block."""


@dataclass(frozen=True, slots=True)
class WholeCone:
    """The block keeps its cone."""


@dataclass(frozen=True, slots=True)
class Congruence:
    """The PSD block is ``V R V^T`` with R PSD of order r; ``basis`` is V, n x r."""

    basis: Matrix


@dataclass(frozen=True, slots=True)
class Generated:
    """The vector block is ``G z`` with ``z >= 0``; ``generators`` is G, n x k, each column in the cone."""

    generators: Matrix


Face: TypeAlias = WholeCone | Congruence | Generated
"""A linear image of a smaller cone inside the cone of a block; the smaller one is PSD(r) or Nonnegative(k)."""


@dataclass(frozen=True, slots=True)
class DualPoint:
    """A y whose slack ``C - sum y_i A_i`` lies in the dual of the face that the exposing vectors cut out.

    Attributes:
        exposures: Vectors y (1 x m each) of facial reduction of (P), in order: each has ``b'y = 0`` and
            ``sum y_i A_i`` in the dual of the face so far, which shrinks to what is orthogonal to it. Empty: the
            point is plainly dual feasible.
        multipliers: y, 1 x m.
    """

    exposures: tuple[Matrix, ...]
    multipliers: Matrix


@dataclass(frozen=True, slots=True)
class PrimalPoint:
    """An X with ``<A_i, X> = b_i`` exactly, in the dual of the face that the exposing points cut out of K*.

    Attributes:
        exposures: Points of facial reduction of (D), in order, one ``BlockPoint`` for each block: each X has
            ``<A_i, X> = 0``, ``<C, X> = 0`` and lies in the dual of the face of K* so far, which shrinks to what is
            orthogonal to it. Empty: the point is plainly primal feasible.
        blocks: X, block by block.
    """

    exposures: tuple[tuple[BlockPoint, ...], ...]
    blocks: tuple[BlockPoint, ...]


@dataclass(frozen=True, slots=True)
class NearbyPrimalPoint:
    """An X0 near which a feasible X exists, found by a least correction that the interior absorbs.

    Attributes:
        faces: One for each block: where X is sought. They need not be the smallest faces.
        blocks: X0 in the coordinates of the faces: R, z, or the block itself.
        dropped: Constraints that follow from the others on these faces.
        dependencies: For each dropped constraint a row c of multipliers (k x m) with ``sum c_i A_i = 0`` on the faces
            and ``sum c_i b_i = 0``; the columns of the dropped constraints form the identity.
        eigenvalue: A t > 0 with ``G - t diag(G)`` PSD, G the Gram matrix of the other constraints on the faces.
    """

    faces: tuple[Face, ...]
    blocks: tuple[BlockPoint, ...]
    dropped: tuple[int, ...]
    dependencies: Matrix
    eigenvalue: fmpq


PrimalProof: TypeAlias = PrimalPoint | NearbyPrimalPoint


@dataclass(frozen=True, slots=True)
class BracketWitness:
    """Why the ends of a ``ConicBracket`` hold; None for an end that is not claimed.

    The lower end is proved by ``dual``, the upper end by ``primal``. Exposing vectors in ``dual`` bound inf (P) only,
    exposing points in ``primal`` bound sup (D) only.
    """

    dual: DualPoint | None
    primal: PrimalProof | None


@dataclass(frozen=True, slots=True)
class GapWitness:
    """Why a ``ConicGap`` holds: ``dual`` bounds inf (P) from below, ``primal`` bounds sup (D) from above."""

    dual: DualPoint
    primal: PrimalProof


@dataclass(frozen=True, slots=True)
class PrimalInfeasibleWitness:
    """A Farkas ray: ``ray.multipliers`` has ``b'y > 0`` and ``-sum y_i A_i`` in the dual of the face."""

    ray: DualPoint


@dataclass(frozen=True, slots=True)
class DualInfeasibleWitness:
    """A recession ray: ``ray.blocks`` has ``<A_i, X> = 0``, ``<C, X> < 0`` and lies in the dual of the face of K*."""

    ray: PrimalPoint


@dataclass(frozen=True, slots=True)
class FeasibleWitness:
    """A feasible point of the claimed side."""

    point: DualPoint | PrimalProof


Contradiction: TypeAlias = DualPoint | PrimalProof | PrimalInfeasibleWitness | DualInfeasibleWitness


@dataclass(frozen=True, slots=True)
class ConicCounterexample:
    """A point or a ray that makes a claim false.

    A value beyond a claimed bound, a feasible point of a program claimed infeasible, or a ray of a program claimed
    feasible or bounded.
    """

    contradiction: Contradiction


ConicWitness: TypeAlias = (
    BracketWitness
    | GapWitness
    | PrimalInfeasibleWitness
    | DualInfeasibleWitness
    | FeasibleWitness
    | ConicCounterexample
)
