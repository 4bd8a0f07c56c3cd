"""A point of the interior point method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.floor import FloorBlock
from certify.solvers.frame import Frame
from certify.solvers.newton import moment_of
from certify.solvers.problem import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """A strictly positive point: frame of P, multipliers mu > 0, slacks t > 0 (shape (J,)), and the floor block."""

    frame: Frame
    multipliers: FloatArray
    slacks: FloatArray
    block: FloorBlock | None


def residual_of(iterate: Iterate, local: FloatArray) -> FloatArray:
    """Return diag(w) - M - Y in the frame, zero when P^{-1} W P^{-1} = M + Y."""
    residual = np.diag(iterate.frame.weights) - moment_of(local, iterate.multipliers)
    return residual if iterate.block is None else residual - iterate.block.multiplier
