"""Witnesses in words: what a certificate consists of beside its claim."""

from __future__ import annotations

from typing import assert_never

from certify.checker.certificate import Certificate
from certify.checker.claims import ReleasePrivacy
from certify.checker.conic.witnesses import (
    BracketWitness,
    ConicCounterexample,
    ConicWitness,
    Contradiction,
    DualInfeasibleWitness,
    DualPoint,
    FeasibleWitness,
    GapWitness,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
    PrimalPoint,
)
from certify.checker.obligations import counted
from certify.checker.vectors import describe_vector
from certify.checker.witnesses import (
    ByComputation,
    CompactDual,
    Counterexample,
    CovarianceWitness,
    Dual,
    FullDual,
    PrimalWitness,
    PrivacyWitness,
    RhoStarWitness,
    VectorWitness,
)
from certify.reports.counterexamples import describe_counterexample


def describe_witness(certificate: Certificate) -> str:
    """Return what the witness of a certificate consists of."""
    claim, witness = certificate.claim, certificate.witness
    if isinstance(witness, ConicWitness):
        return _conic(witness)
    if isinstance(witness, CovarianceWitness):
        return f"{_dual(witness.dual)}{_carried(witness.primal)}"
    if isinstance(witness, Counterexample) and isinstance(claim, ReleasePrivacy):
        return describe_counterexample(claim, witness)
    return _privacy(witness)


def _conic(witness: ConicWitness) -> str:
    match witness:
        case BracketWitness(dual, primal) | GapWitness(dual, primal):
            return ", ".join(_point(each) for each in (dual, primal) if each is not None)
        case FeasibleWitness(point):
            return _point(point)
        case ConicCounterexample(contradiction):
            return f"a counterexample: {_point(contradiction)}"
        case PrimalInfeasibleWitness() | DualInfeasibleWitness():
            return _point(witness)
        case _:
            assert_never(witness)


def _point(found: Contradiction) -> str:
    match found:
        case DualPoint(exposures, multipliers):
            return f"a dual point of {counted(multipliers.columns, 'multiplier')}{_exposed(len(exposures))}"
        case PrimalPoint(exposures, blocks):
            return f"an exact primal point of {counted(len(blocks), 'block')}{_exposed(len(exposures))}"
        case NearbyPrimalPoint(blocks=blocks):
            return f"a primal point of {counted(len(blocks), 'block')} with a feasible one nearby"
        case PrimalInfeasibleWitness(ray):
            return f"a Farkas ray of {counted(ray.multipliers.columns, 'multiplier')}{_exposed(len(ray.exposures))}"
        case DualInfeasibleWitness(ray):
            return f"a recession ray of {counted(len(ray.blocks), 'block')}{_exposed(len(ray.exposures))}"
        case _:
            assert_never(found)


def _exposed(count: int) -> str:
    return f", after {counted(count, 'exposing vector')}" if count else ""


def _privacy(witness: PrivacyWitness) -> str:
    match witness:
        case PrimalWitness():
            return _primal(witness)
        case RhoStarWitness(primal, below):
            lower = "" if below is None else f"; from below, {describe_vector(below.vector)} along one direction"
            return f"{_primal(primal)}{lower}"
        case VectorWitness(vector, _):
            return f"{describe_vector(vector)}, along one direction"
        case Counterexample():
            return "two neighbouring datasets"
        case ByComputation():
            return "none is needed: the checker computes"
        case _:
            assert_never(witness)


def _dual(dual: Dual) -> str:
    match dual:
        case CompactDual(multipliers, _):
            return f"{len(multipliers)} multipliers"
        case FullDual(blocks):
            return f"{len(blocks)} dual blocks"
        case _:
            assert_never(dual)


def _primal(primal: PrimalWitness) -> str:
    precision = primal.precision
    bound = "the exact inverse" if precision is None else f"a {precision.rows} x {precision.rows} precision"
    return f"{bound}{'' if primal.box_bound is None else ' and a bound over the box'}{_carried(primal)}"


def _carried(primal: PrimalWitness) -> str:
    support = primal.support
    return "" if support is None else f", covariance of rank {support.basis.columns} on a subspace"
