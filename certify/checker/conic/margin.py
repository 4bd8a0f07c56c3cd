"""Whether a point lies in a cone with a margin: all of a ball around it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from flint import fmpq

from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.linear import vector_of
from certify.checker.conic.membership import why_outside
from certify.checker.conic.objection import Objection
from certify.checker.conic.problem import row_vector
from certify.checker.conic.sparse import why_dense_not_psd
from certify.checker.conic.witnesses import BlockPoint, FactoredPoint, MatrixPoint, VectorPoint
from certify.checker.exact import identity


def why_no_margin(cone: Cone, value: BlockPoint, radius: fmpq) -> Objection | None:
    """Return None where every vector within ``radius`` of a value is proved to lie in the cone, else why not.

    Sound because: a symmetric D with ``|D|_F <= rho`` has D >= -rho I; ``t - |x|`` and the distance of ``(u, v, x)``
    to the rotated cone change by at most sqrt(2) rho, less than what 3/2 rho off t, or rho off u and v, takes; a ball
    of radius rho in R^3 lies in the convex hull of the six points at 2 rho along the axes. Nothing is to be shown on a
    free block, and nothing moves in a zero block.
    Proof: ``psd_margin``, ``nonnegative_margin``, ``second_order_margin``, ``rotated_margin``, ``octahedron``.
    """
    match cone:
        case Free():
            return None
        case Zero():
            return why_outside(cone, vector_of(value).numerators.entries())
        case Nonnegative() | SecondOrder() | Rotated():
            return _why_outside_shifted(cone, value, _inward(cone, radius))
        case PositiveSemidefinite():
            return _why_not_above(value, radius)
        case Exponential() | DualExponential() | Power() | DualPower():
            return _why_no_octahedron(cone, value, 2 * radius)
    assert_never(cone)


def _inward(cone: Nonnegative | SecondOrder | Rotated, radius: fmpq) -> list[fmpq]:
    match cone:
        case Nonnegative(size):
            return [radius] * size
        case SecondOrder(size):
            return [3 * radius / 2] + [fmpq(0)] * (size - 1)
        case Rotated(size):
            return [radius] * 2 + [fmpq(0)] * (size - 2)
    assert_never(cone)


def _why_outside_shifted(cone: Cone, value: BlockPoint, shift: Sequence[fmpq]) -> Objection | None:
    return why_outside(cone, (vector_of(value) - row_vector(shift)).numerators.entries())


def _why_no_octahedron(cone: Cone, value: BlockPoint, radius: fmpq) -> Objection | None:
    corners = ([sign * radius if i == axis else fmpq(0) for i in range(3)] for axis in range(3) for sign in (1, -1))
    return next((found for shift in corners if (found := _why_outside_shifted(cone, value, shift))), None)


def _why_not_above(value: BlockPoint, radius: fmpq) -> Objection | None:
    """Return None where ``X - radius I`` is proved PSD, else why not."""
    match value:
        case FactoredPoint(_, added):
            if all(fmpq(entry, added.denominator) >= radius for entry in added.numerators.entries()):
                return None
        case MatrixPoint():
            pass
        case VectorPoint():
            raise TypeError("a vector is no matrix")
        case _:
            assert_never(value)
    whole = dense_matrix(value)
    return why_dense_not_psd(whole - identity(whole.rows).scaled(radius))
