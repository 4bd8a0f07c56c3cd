"""Witnesses in words."""

from __future__ import annotations

import pytest
from flint import fmpq

from certify.checker.certificate import Certificate
from certify.checker.conic.claims import ConicFeasible, Side
from certify.checker.conic.witnesses import (
    BracketWitness,
    ConicCounterexample,
    ConicWitness,
    DualInfeasibleWitness,
    FeasibleWitness,
    GapWitness,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
    WholeCone,
)
from certify.reports.witnesses import describe_witness
from tests.checker.conic.examples import dual, row, square, symmetric
from tests.reports.examples import EIGENVALUE, X, Y

NEAR = NearbyPrimalPoint((WholeCone(),), (symmetric([1]),), (), square([]), fmpq(1))


@pytest.mark.parametrize(
    ("witness", "words"),
    [
        (BracketWitness(Y, X), "a dual point of 1 multiplier, an exact primal point of 1 block"),
        (BracketWitness(None, NEAR), "a primal point of 1 block with a feasible one nearby"),
        (
            GapWitness(dual(1, 2, exposures=[row(0, 1)]), X),
            "a dual point of 2 multipliers, after 1 exposing vector, an exact primal point of 1 block",
        ),
        (FeasibleWitness(Y), "a dual point of 1 multiplier"),
        (PrimalInfeasibleWitness(Y), "a Farkas ray of 1 multiplier"),
        (DualInfeasibleWitness(X), "a recession ray of 1 block"),
        (ConicCounterexample(Y), "a counterexample: a dual point of 1 multiplier"),
        (ConicCounterexample(DualInfeasibleWitness(X)), "a counterexample: a recession ray of 1 block"),
    ],
)
def test_a_conic_witness_in_words(witness: ConicWitness, words: str) -> None:
    assert describe_witness(Certificate(ConicFeasible(EIGENVALUE, Side.DUAL), witness)) == words
