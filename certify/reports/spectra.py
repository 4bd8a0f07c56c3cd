"""The points and slacks of a conic certificate in floats, as eigenvalues in the sense of their cones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from certify.certificates.floats import FloatArray, to_floats
from certify.checker.conic.cones import Cone, Nonnegative, PositiveSemidefinite, Rotated, SecondOrder, order
from certify.checker.conic.linear import Sparse, combine
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import (
    BlockPoint,
    BracketWitness,
    Congruence,
    ConicCounterexample,
    ConicWitness,
    Contradiction,
    DualInfeasibleWitness,
    DualPoint,
    Face,
    FactoredPoint,
    FeasibleWitness,
    GapWitness,
    Generated,
    MatrixPoint,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
    PrimalPoint,
    PrimalProof,
    VectorPoint,
    WholeCone,
)


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Eigenvalues of one element of a product of cones, in ascending order; all are at least 0 inside the cones.

    Attributes:
        name: What the element is.
        is_primal: Whether it is an X; otherwise it is a slack.
        values: The eigenvalues of all blocks that have some.
    """

    name: str
    is_primal: bool
    values: FloatArray


def spectra(problem: ConicProblem, witness: ConicWitness) -> list[Spectrum]:
    """Return the spectra of the points of a witness, the primal one first.

    Raises:
        OverflowError: If a number is beyond binary64.
    """
    found = [_spectrum(problem, each) for each in _contents(witness)]
    return [each for each in found if len(each.values)]


def _contents(witness: ConicWitness) -> list[Contradiction]:
    match witness:
        case BracketWitness(dual, primal) | GapWitness(dual, primal):
            return [each for each in (primal, dual) if each is not None]
        case FeasibleWitness(point):
            return [point]
        case ConicCounterexample(contradiction):
            return [contradiction]
        case PrimalInfeasibleWitness() | DualInfeasibleWitness():
            return [witness]
        case _:
            assert_never(witness)


def _spectrum(problem: ConicProblem, found: Contradiction) -> Spectrum:
    match found:
        case PrimalPoint() | NearbyPrimalPoint():
            return _of_primal(problem, found, "X")
        case DualPoint():
            return _of_dual(problem, found, 1, "slack S = C - sum y_i A_i")
        case PrimalInfeasibleWitness(ray):
            return _of_dual(problem, ray, 0, "the ray's -sum y_i A_i")
        case DualInfeasibleWitness(ray):
            return _of_primal(problem, ray, "the ray X")
        case _:
            assert_never(found)


def _of_primal(problem: ConicProblem, point: PrimalProof, name: str) -> Spectrum:
    match point:
        case PrimalPoint(_, blocks):
            faces: Sequence[Face] = [WholeCone()] * len(blocks)
        case NearbyPrimalPoint(faces, blocks):
            pass
        case _:
            assert_never(point)
    arrays = [_lifted(face, _floats(value)) for face, value in zip(faces, blocks, strict=True)]
    return Spectrum(name, True, _joined(problem, arrays))


def _of_dual(problem: ConicProblem, point: DualPoint, objective: int, name: str) -> Spectrum:
    slacks = [combine(part, objective, point.multipliers) for part in problem.blocks]
    arrays = [_dense(slack, part.is_matrix) for slack, part in zip(slacks, problem.blocks, strict=True)]
    return Spectrum(name, False, _joined(problem, arrays))


def _floats(value: BlockPoint) -> FloatArray:
    match value:
        case VectorPoint(entries):
            return to_floats(entries).ravel()
        case MatrixPoint(matrix):
            return to_floats(matrix)
        case FactoredPoint(factor, added):
            thin = to_floats(factor)
            return thin @ thin.T + np.diag(to_floats(added).ravel())
        case _:
            assert_never(value)


def _lifted(face: Face, value: FloatArray) -> FloatArray:
    match face:
        case WholeCone():
            return value
        case Congruence(basis):
            wide = to_floats(basis)
            return wide @ value @ wide.T
        case Generated(generators):
            return to_floats(generators) @ value
        case _:
            assert_never(face)


def _dense(slack: Sparse, is_matrix: bool) -> FloatArray:
    denominator = int(slack.denominator)
    found = np.zeros((slack.order, slack.order))
    for (row, column), numerator in slack.numerators.items():
        found[row, column] = found[column, row] = int(numerator) / denominator
    return found if is_matrix else found.diagonal()


def _joined(problem: ConicProblem, arrays: list[FloatArray]) -> FloatArray:
    found = [_eigenvalues(part.cone, value) for part, value in zip(problem.blocks, arrays, strict=True)]
    return np.sort(np.concatenate(found)) if found else np.empty(0)


def _eigenvalues(cone: Cone, value: FloatArray) -> FloatArray:
    """Return the eigenvalues of an element in the Jordan algebra of a symmetric cone; none for any other cone."""
    match cone:
        case PositiveSemidefinite():
            return np.asarray(np.linalg.eigvalsh(value), dtype=np.float64)
        case Nonnegative():
            return value
        case SecondOrder():
            return _quadratic(value[0], value[1:])
        case Rotated():
            half = np.sqrt(0.5)
            return _quadratic(half * (value[0] + value[1]), np.array([half * (value[0] - value[1]), *value[2:]]))
        case _:
            return np.empty(0)


def _quadratic(height: float, rest: FloatArray) -> FloatArray:
    radius = float(np.linalg.norm(rest))
    return np.array([height - radius, height + radius])


def total_order(problem: ConicProblem) -> int:
    """Return how many coordinates or rows the blocks of a program have in all."""
    return sum(order(part.cone) for part in problem.blocks)
