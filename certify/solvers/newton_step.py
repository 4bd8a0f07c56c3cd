"""One linearisation of the interior point and the steps taken from it.

Predictor and corrector share the factorised system. Slacks t and G are variables of their own, so a P that does not
fit them yet is pulled in by the same step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.coupled_newton import CoupledSystem, factorise_coupled
from certify.solvers.floor import (
    Floor,
    FloorBlock,
    MatrixFloor,
    Scaling,
    blocking,
    floor_room,
    floor_target,
    scaled_down,
    scaling_of,
    unscaled,
)
from certify.solvers.iterate import Iterate, residual_of
from certify.solvers.newton import NewtonSystem, TriangleIndex, factorise, squares_under
from certify.solvers.norm import norm_upper
from certify.solvers.problem import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class FloorState:
    """The floor at an iterate: its block, the scaling, and the shortfall of G, K^T (R^{-1} B R^{-T} - I - G) K."""

    block: FloorBlock
    scaling: Scaling
    shortfall: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Linearisation:
    """An iterate with everything its Newton steps share.

    Attributes:
        iterate: the point.
        local: the vectors in its frame, shape (J, d).
        residual: diag(w) - M - Y, shape (d, d).
        shortfall: 1 - s^T P s - t, shape (J,).
        floor: None without a floor.
        system: factorised.
    """

    iterate: Iterate
    local: FloatArray
    residual: FloatArray
    shortfall: FloatArray
    floor: FloorState | None
    system: NewtonSystem | CoupledSystem


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Steps of P (in the frame), mu, t, of G and Y in Nesterov-Todd scaling, and the length that is just feasible."""

    precision: FloatArray
    multipliers: FloatArray
    slacks: FloatArray
    floor_slack: FloatArray
    floor_multiplier: FloatArray
    length: float


def linearise(floor: Floor, iterate: Iterate, local: FloatArray, index: TriangleIndex) -> Linearisation:
    """Factorise the Newton system at an iterate.

    Raises:
        numpy.linalg.LinAlgError: rounding errors made it indefinite.
    """
    state = _floor_state(floor, iterate)
    shortfall = 1 - np.einsum("ij,ij->i", local, local) - iterate.slacks
    system = _system(floor, iterate, local, state, index)
    return Linearisation(iterate, local, residual_of(iterate, local), shortfall, state, system)


def _system(
    floor: Floor, iterate: Iterate, local: FloatArray, state: FloorState | None, index: TriangleIndex
) -> NewtonSystem | CoupledSystem:
    weights, ratios = iterate.frame.weights, iterate.slacks / iterate.multipliers
    curvature = weights[:, None] + weights
    if state is None:
        return factorise(local, curvature, ratios, index)
    coupling = unscaled(state.scaling, np.eye(len(weights)))
    if isinstance(floor, MatrixFloor):
        return factorise_coupled(local, weights, coupling, ratios, index)
    diagonal = np.diag(coupling)
    return factorise(local, curvature + diagonal[:, None] * diagonal, ratios, index)


def _floor_state(floor: Floor, iterate: Iterate) -> FloorState | None:
    room = floor_room(floor, iterate.frame)
    if room is None or iterate.block is None:
        return None
    scaling = scaling_of(iterate.block)
    return FloorState(iterate.block, scaling, scaled_down(scaling, room - iterate.block.slack))


def all_products(point: Linearisation) -> FloatArray:
    """Return every mu_j t_j and the eigenvalues of G Y."""
    products: FloatArray = point.iterate.multipliers * point.iterate.slacks
    return products if point.floor is None else np.concatenate([products, point.floor.scaling.values**2])


def products_after(point: Linearisation, step: Step, length: float) -> FloatArray:
    """Return all_products after a step of this length."""
    current = point.iterate
    products: FloatArray = (current.multipliers + length * step.multipliers) * (current.slacks + length * step.slacks)
    if point.floor is None:
        return products
    values = np.diag(point.floor.scaling.values)
    slack, multiplier = values + length * step.floor_slack, values + length * step.floor_multiplier
    return np.concatenate([products, np.linalg.eigvals(slack @ multiplier).real])


def predictor(point: Linearisation) -> Step:
    """Return the step towards complementarity zero."""
    products = point.iterate.multipliers * point.iterate.slacks
    floor_products = np.zeros((0, 0)) if point.floor is None else -np.diag(point.floor.scaling.values**2)
    return _step(point, point.residual, -products, floor_products)


def corrector(point: Linearisation, predicted: Step, aim: float) -> Step:
    """Return the step towards products equal to aim, with second-order terms as the predictor saw them."""
    current = point.iterate
    length = min(1.0, predicted.length)
    bend = length * predicted.precision
    curved = (bend @ bend) * current.frame.weights
    curved = curved + curved.T + (bend * current.frame.weights) @ bend
    products = aim - current.multipliers * current.slacks - length**2 * predicted.multipliers * predicted.slacks
    floor_products = np.zeros((0, 0))
    if point.floor is not None:
        cross = length**2 * predicted.floor_slack @ predicted.floor_multiplier
        floor_products = np.diag(aim - point.floor.scaling.values**2) - (cross + cross.T) / 2
    return _step(point, point.residual + curved, products, floor_products)


def _step(point: Linearisation, right: FloatArray, products: FloatArray, floor_products: FloatArray) -> Step:
    """Solve for the wanted changes of mu_j t_j and of the scaled G Y."""
    current, state = point.iterate, point.floor
    target = floor_products
    if state is not None:
        target = floor_target(state.scaling, floor_products)
        right = right - unscaled(state.scaling, target - state.shortfall)
    precision, multipliers = point.system.solve(right, products / current.multipliers - point.shortfall)
    slacks = point.shortfall - squares_under(precision, point.local)
    blocked = max(float((-slacks / current.slacks).max()), float((-multipliers / current.multipliers).max()), 1e-300)
    if not norm_upper(precision) <= blocked:
        blocked = max(blocked, -float(np.linalg.eigvalsh(precision)[0]))
    if state is None:
        return Step(precision, multipliers, slacks, target, target, 1 / blocked)
    floor_slack = state.shortfall - scaled_down(state.scaling, precision)
    floor_multiplier = target - floor_slack
    blocked = max(blocked, blocking(state.scaling, floor_slack), blocking(state.scaling, floor_multiplier))
    return Step(precision, multipliers, slacks, floor_slack, floor_multiplier, 1 / blocked)
