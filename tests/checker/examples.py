"""Small certificates made by hand, with optima known in closed form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq, fmpz_mat

from certify.checker.certificate import Certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.exact import Matrix, identity, matrix
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, RenyiDP
from certify.checker.sensitivity import FiniteDomain, IdealDenoiser, Neighbours, UniformQuery
from certify.checker.vectors import Difference
from certify.checker.witnesses import (
    CompactDual,
    CovarianceWitness,
    DualBlock,
    FullDual,
    Multiplier,
    PrimalWitness,
    Support,
)

RHO_ONE = ZCDP(fmpq(1, 2))


def rows(*entries: list[int], over: int = 1) -> Matrix:
    """Return an integer matrix over a denominator."""
    return matrix(fmpz_mat(list(entries)), over)


def optimum(
    records: Matrix,
    covariance: Matrix,
    bracket: tuple[fmpq, fmpq],
    guarantee: Guarantee = RHO_ONE,
    floor: fmpq | None = None,
    weight: Matrix | None = None,
) -> CovarianceOptimum:
    """Return the claim about the given records, with W = I and no floor unless given."""
    return CovarianceOptimum(
        IdealDenoiser(FiniteDomain(records, None), UniformQuery(), Neighbours.REPLACE_ONE),
        guarantee,
        weight or identity(records.columns),
        fmpq(0) if floor is None else floor,
        covariance,
        *bracket,
    )


def exactly(value: int) -> tuple[fmpq, fmpq]:
    """Return the bracket of an optimum known exactly."""
    return fmpq(value), fmpq(value)


def line() -> Certificate:
    """Two records at distance one on a line, rho = 1: Sigma = 1 is optimal."""
    dual = CompactDual((Multiplier(Difference(0, 1), fmpq(1)),), None)
    claim = optimum(rows([0], [1]), identity(1), exactly(1))
    return Certificate(claim, CovarianceWitness(PrimalWitness(None, identity(1)), dual))


def square() -> Certificate:
    """The corners of the unit square, rho = 1: Sigma = 2 I is optimal, active on both diagonals."""
    half = identity(2).scaled(fmpq(1, 2))
    dual = CompactDual((Multiplier(Difference(0, 3), fmpq(2)), Multiplier(Difference(1, 2), fmpq(2))), half)
    claim = optimum(rows([0, 0], [0, 1], [1, 0], [1, 1]), identity(2).scaled(fmpq(2)), exactly(4))
    return Certificate(claim, CovarianceWitness(PrimalWitness(None, half), dual))


def square_in_blocks() -> Certificate:
    """The square with the full dual blocks instead of multipliers."""
    blocks = (
        DualBlock(Difference(0, 3), rows([1, 1], [1, 1], over=2), rows([1], [1]), fmpq(2)),
        DualBlock(Difference(1, 2), rows([1, -1], [-1, 1], over=2), rows([1], [-1]), fmpq(2)),
    )
    certificate = square()
    return replace(certificate, witness=replace(witness_of(certificate), dual=FullDual(blocks)))


def one_hot() -> Certificate:
    """The records e_1, e_2: one direction s = (1, -1), the singular Sigma = s s^T is optimal with cost 2."""
    support = Support(rows([1], [-1]), (0,))
    dual = CompactDual((Multiplier(Difference(0, 1), fmpq(2)),), identity(2).scaled(fmpq(1, 2)))
    claim = optimum(rows([1, 0], [0, 1]), rows([1, -1], [-1, 1]), exactly(2))
    return Certificate(claim, CovarianceWitness(PrimalWitness(support, identity(1)), dual))


def one_record() -> Certificate:
    """One record and a floor: nothing to protect, Sigma = eta I, v = eta tr W."""
    claim = optimum(rows([3, 5]), identity(2).scaled(fmpq(1, 4)), (fmpq(1, 2), fmpq(1, 2)), floor=fmpq(1, 4))
    return Certificate(claim, CovarianceWitness(PrimalWitness(None, None), CompactDual((), None)))


def floored_line() -> Certificate:
    """The line with a floor of 3, above what privacy needs: Sigma = 3 is optimal, no pair is active."""
    certificate = line()
    claim = optimum(rows([0], [1]), rows([3]), exactly(3), floor=fmpq(3))
    return replace(
        certificate, claim=claim, witness=CovarianceWitness(PrimalWitness(None, None), CompactDual((), None))
    )


def weighted_line() -> Certificate:
    """The line with W = 5 and (epsilon, delta)-privacy: the budget is irrational, the bracket is not a point."""
    guarantee = ApproxDP(fmpq(1), fmpq(1, 1000))
    claim = optimum(rows([0], [1]), rows([7]), (fmpq(32), fmpq(35)), guarantee, weight=rows([5]))
    dual = CompactDual((Multiplier(Difference(0, 1), fmpq(220)),), rows([3], over=20))
    return Certificate(claim, CovarianceWitness(PrimalWitness(None, None), dual))


ACCEPTED = {
    "line": line,
    "square": square,
    "square_in_blocks": square_in_blocks,
    "one_hot": one_hot,
    "one_record": one_record,
    "floored_line": floored_line,
    "weighted_line": weighted_line,
}

EQUIVALENT_BUDGETS: list[Guarantee] = [
    ZCDP(fmpq(1, 2)),
    GDP(fmpq(1)),
    RenyiDP(fmpq(4), fmpq(2)),
    RenyiDP(fmpq(1), fmpq(1, 2)),
]


def claim_of(certificate: Certificate) -> CovarianceOptimum:
    """Return the claim of a certificate about an optimal covariance."""
    assert isinstance(certificate.claim, CovarianceOptimum)
    return certificate.claim


def witness_of(certificate: Certificate) -> CovarianceWitness:
    """Return the witness of a certificate about an optimal covariance."""
    assert isinstance(certificate.witness, CovarianceWitness)
    return certificate.witness


def claim_with(certificate: Certificate, **changes: Any) -> Certificate:
    """Return the certificate with fields of its claim replaced."""
    return replace(certificate, claim=replace(claim_of(certificate), **changes))


def primal_with(certificate: Certificate, **changes: Any) -> Certificate:
    """Return the certificate with fields of its primal witness replaced."""
    witness = witness_of(certificate)
    return replace(certificate, witness=replace(witness, primal=replace(witness.primal, **changes)))


def dual_with(certificate: Certificate, **changes: Any) -> Certificate:
    """Return the certificate with fields of its dual witness replaced."""
    witness = witness_of(certificate)
    return replace(certificate, witness=replace(witness, dual=replace(witness.dual, **changes)))
