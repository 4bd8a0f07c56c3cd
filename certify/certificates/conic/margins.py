"""How far inside its cone a float point is, measured along a fixed interior element of the cone."""

from __future__ import annotations

from typing import assert_never

import numpy as np
import scipy.linalg as la

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
from certify.solvers.conic.arrays import FloatArray

BISECTIONS = 60


def unit(cone: Cone) -> FloatArray:
    """Return an element of the interior of the cone, zero for a cone without interior or without boundary."""
    match cone:
        case Free(size) | Zero(size):
            element: FloatArray = np.zeros(size)
        case Nonnegative(size):
            element = np.ones(size)
        case SecondOrder(size):
            element = np.eye(1, size).ravel()
        case Rotated(size):
            element = np.concatenate([np.ones(2), np.zeros(size - 2)])
        case PositiveSemidefinite(size):
            element = np.eye(size)
        case Exponential() | DualExponential():
            element = np.array([-1.0, 1.0, 1.0])
        case Power() | DualPower():
            element = np.array([1.0, 1.0, 0.0])
        case _:
            assert_never(cone)
    return element


def margin(cone: Cone, value: FloatArray) -> float:
    """Return about the largest t with ``value - t unit(cone)`` in the cone: positive inside, negative outside.

    Infinite for the free cone; for the zero cone minus the largest entry.
    """
    match cone:
        case Free():
            result = np.inf
        case Zero():
            result = -float(np.abs(value).max(initial=0.0))
        case Nonnegative():
            result = float(value.min())
        case SecondOrder():
            result = float(value[0] - np.linalg.norm(value[1:]))
        case Rotated():
            spread = np.sqrt((value[0] - value[1]) ** 2 + 2 * np.vdot(value[2:], value[2:]))
            result = float((value[0] + value[1] - spread) / 2)
        case PositiveSemidefinite():
            result = float(la.eigvalsh(value, subset_by_index=[0, 0])[0])
        case Exponential() | DualExponential() | Power() | DualPower():
            result = _bisected_margin(cone, value)
        case _:
            assert_never(cone)
    return result


def _bisected_margin(cone: Exponential | DualExponential | Power | DualPower, value: FloatArray) -> float:
    direction = unit(cone)
    outside = 4.0 * (1.0 + float(np.abs(value).max()))
    inside = -outside
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        if _is_inside(cone, value - middle * direction):
            inside = middle
        else:
            outside = middle
    return inside


def _is_inside(cone: Exponential | DualExponential | Power | DualPower, value: FloatArray) -> bool:
    x, y, z = (float(entry) for entry in value)
    match cone:
        case Exponential():
            return y > 0 and z > 0 and np.log(y) + x / y <= np.log(z)
        case DualExponential():
            return x < 0 and z > 0 and np.log(-x) + y / x <= 1 + np.log(z)
        case Power(alpha):
            return _is_power(float(alpha.p) / float(alpha.q), x, y, z)
        case DualPower(alpha):
            exponent = float(alpha.p) / float(alpha.q)
            return _is_power(exponent, x / exponent, y / (1 - exponent), z)
    assert_never(cone)


def _is_power(alpha: float, x: float, y: float, z: float) -> bool:
    return x > 0 and y > 0 and x**alpha * y ** (1 - alpha) >= abs(z)
