"""The covariance program as the solvers see it: binary64 data, a float solution and its history.

Everything here is untrusted: exact rounding and checking happen elsewhere, on top of these numbers.
Notation follows theory.md section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PairDifferences:
    """All differences x_i - x_j of two records, the uniform-query set; `records` has shape (m, d)."""

    records: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ScaledDifferences:
    """The vectors factors[i, j] (x_i - x_j), the fixed-query set.

    Attributes:
        records: shape (m, d).
        factors: shape (m, m), off-diagonal entries in (0, 1]; the diagonal is ignored.
    """

    records: FloatArray
    factors: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ExplicitVectors:
    """Sensitivity vectors given one by one, as the rows of `vectors`, shape (J, d)."""

    vectors: FloatArray


SensitivitySet = PairDifferences | ScaledDifferences | ExplicitVectors


@dataclass(frozen=True, slots=True, eq=False)
class CovarianceProblem:
    """Minimise <weight, Sigma> with Sigma - floor I PSD and s^T Sigma^{-1} s <= rho for every sensitivity vector s.

    With floor == 0 the sensitivity vectors must span R^d; with floor > 0 they may span less, even nothing.

    Attributes:
        sensitivity: the sensitivity vectors in R^d.
        weight: task weight W, shape (d, d), symmetric positive definite.
        floor: noise floor eta >= 0, in the squared units of the records.
        rho: budget, > 0.
    """

    sensitivity: SensitivitySet
    weight: FloatArray
    floor: float
    rho: float


@dataclass(frozen=True, slots=True)
class Round:
    """One round of constraint generation.

    Attributes:
        round: number of the round, from 1.
        active: number of sensitivity vectors in the working set.
        value_lower_estimate: best dual value so far, in floats.
        value_upper_estimate: best primal value so far over ALL vectors, in floats.
        seconds: time since the start of the solve.
    """

    round: int
    active: int
    value_lower_estimate: float
    value_upper_estimate: float
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class CompactDual:
    """Multipliers of few vectors; theory.md section 4 builds (A_j, b_j, gamma_j, H) from them.

    Attributes:
        indices: which vectors; shape (k, 2) of record pairs (i, j), or (k,) for explicit vectors.
        multipliers: mu_j > 0, shape (k,), in the units of the problem (not rescaled by rho).
        dual_precision: P', shape (d, d), with weight - P' M P' PSD up to rounding, M = sum mu_j s_j s_j^T;
            None means the precision of the solution.
    """

    indices: IndexArray
    multipliers: FloatArray
    dual_precision: FloatArray | None


@dataclass(frozen=True, slots=True, eq=False)
class FullDual:
    """Dual blocks Z_j = [A_j b_j; b_j^T gamma_j] of the paper's program and the multiplier of the floor.

    Attributes:
        indices: which vectors; shape (J, 2) or (J,) as in CompactDual.
        blocks: A_j, shape (J, d, d).
        borders: b_j, shape (J, d).
        corners: gamma_j, shape (J,).
        floor_multiplier: H, shape (d, d), or None when the floor is 0 and H was not a variable.
    """

    indices: IndexArray
    blocks: FloatArray
    borders: FloatArray
    corners: FloatArray
    floor_multiplier: FloatArray | None


Dual = CompactDual | FullDual


class Status(Enum):
    """Why a solve ended; never a proof of anything."""

    GAP_REACHED = "gap reached"
    STALLED = "no further progress"
    TIME_LIMIT = "time limit"
    ROUND_LIMIT = "round limit"


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A float solution of a CovarianceProblem.

    Attributes:
        covariance: Sigma, shape (d, d), symmetric.
        precision: P, close to the inverse of Sigma, shape (d, d), symmetric.
        dual: multipliers or full blocks.
        status: why the solve ended.
        history: one entry per round; the last one holds the final bounds.
    """

    covariance: FloatArray
    precision: FloatArray
    dual: Dual
    status: Status
    history: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """Limits of a solve.

    Attributes:
        relative_gap: target of (upper - lower) / upper. Solvers aim well below, because rounding costs a little.
        time_limit: seconds, checked between iterations; None for no limit.
        round_limit: largest number of constraint-generation rounds.
    """

    relative_gap: float = 1e-9
    time_limit: float | None = None
    round_limit: int = 200


@dataclass(frozen=True, slots=True)
class Progress:
    """What a solver reports while it works: round, working-set size, relative gap estimate (inf if unknown)."""

    round: int
    active: int
    relative_gap: float


Report = Callable[[Progress], None]


class SolverError(Exception):
    """A solver could not produce any usable point; the message says what to do."""


class Backend(Protocol):
    """A way to solve covariance programs in floating point."""

    @property
    def name(self) -> str:
        """Name on the command line."""
        ...

    def solve(self, problem: CovarianceProblem, options: SolveOptions, report: Report) -> Solution:
        """Solve `problem`, calling `report` often enough that an interrupt raised in it or near it ends the solve.

        Raises:
            ValueError: the problem is not well formed (see validate).
            SolverError: no usable point was found.
        """
        ...


def ignore_progress(_: Progress) -> None:
    """Report nothing."""


def dimension(sensitivity: SensitivitySet) -> int:
    """Return d, the length of the sensitivity vectors."""
    match sensitivity:
        case PairDifferences(records) | ScaledDifferences(records, _):
            return int(records.shape[1])
        case ExplicitVectors(vectors):
            return int(vectors.shape[1])
