"""Counterexamples: what refutes a conic claim through the kernel, and what does not."""

from __future__ import annotations

import json

import pytest
from flint import fmpq

from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.codec import Malformed
from certify.checker.conic.claims import (
    ConicBracket,
    ConicClaim,
    ConicFeasible,
    ConicGap,
    ConicInfeasible,
    Optimum,
    Side,
)
from certify.checker.conic.refute import NAME, refute_conic
from certify.checker.conic.witnesses import (
    BracketWitness,
    ConicCounterexample,
    Contradiction,
    DualInfeasibleWitness,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
    WholeCone,
)
from certify.checker.kernel import check
from certify.checker.verdict import Status
from tests.checker.conic.examples import (
    case_point,
    case_problem,
    cases,
    dual,
    failed,
    matrix_block,
    primal,
    problem,
    proved,
    row,
    symmetric,
)

P, D, BOTH = Optimum.PRIMAL, Optimum.DUAL, Optimum.BOTH
UNIT = [[1, 0], [0, 1]]
LEAST = problem([matrix_block([[2, 1], [1, 2]], UNIT)], [1])
"""The least eigenvalue of [2 1; 1 2], which is 1."""
HALF = primal(symmetric(["1/2", "-1/2"], ["-1/2", "1/2"]))
NEAR = NearbyPrimalPoint(
    (WholeCone(),), (symmetric(["0.6", "-0.3"], ["-0.3", "0.4"]),), (), row(0).select([], [0]), fmpq(1)
)
GAP = problem(
    [
        matrix_block(
            [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
            [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
            [[0, "1/2", 0], ["1/2", 0, 0], [0, 0, 1]],
        )
    ],
    [0, 1],
)
"""inf (P) = 1 and sup (D) = 0."""
ABOVE = dual(0, 1, exposures=[row(1, 0)])
BELOW = primal(symmetric([0, 1, 0], [1, 0, 0], [0, 0, 0]), exposures=[(symmetric([0, 0, 0], [0, 1, 0], [0, 0, 0]),)])
ATTAINED = primal(symmetric([0, 0, 0], [0, 0, 0], [0, 0, 1]))
EMPTY = problem([matrix_block([[0, 0], [0, -1]], [[1, 0], [0, 0]])], [-1])
"""Neither side of min -x_22, x_11 = -1 is feasible."""
FARKAS = PrimalInfeasibleWitness(dual(-1))
RECESSION = DualInfeasibleWitness(primal(symmetric([0, 0], [0, 1])))
ONE, ZERO = fmpq(1), fmpq(0)
EPSILON = fmpq(1, 10**30)


@pytest.mark.parametrize(
    ("claim", "contradiction"),
    [
        (ConicBracket(LEAST, BOTH, ONE + EPSILON, None), HALF),
        (ConicBracket(LEAST, P, ONE + EPSILON, fmpq(9)), HALF),
        (ConicBracket(LEAST, D, ONE + EPSILON, None), HALF),
        (ConicBracket(LEAST, P, fmpq(2), None), NEAR),
        (ConicBracket(LEAST, BOTH, None, ONE - EPSILON), dual(1)),
        (ConicBracket(LEAST, D, None, ONE - EPSILON), dual(1)),
        (ConicBracket(GAP, P, None, fmpq(1, 2)), ABOVE),
        (ConicBracket(GAP, BOTH, None, fmpq(1, 2)), ABOVE),
        (ConicBracket(GAP, D, fmpq(1, 2), None), BELOW),
        (ConicBracket(GAP, BOTH, fmpq(1, 2), None), BELOW),
        (ConicBracket(EMPTY, P, None, fmpq(10**9)), FARKAS),
        (ConicBracket(EMPTY, D, fmpq(-(10**9)), None), RECESSION),
        (ConicGap(LEAST, ZERO, fmpq(2)), HALF),
        (ConicGap(LEAST, ZERO, fmpq(2)), dual(1)),
        (ConicInfeasible(LEAST, Side.PRIMAL), HALF),
        (ConicInfeasible(LEAST, Side.PRIMAL), NEAR),
        (ConicInfeasible(LEAST, Side.DUAL), dual(-7)),
        (ConicFeasible(EMPTY, Side.PRIMAL), FARKAS),
        (ConicFeasible(EMPTY, Side.DUAL), RECESSION),
    ],
)
def test_refuted(claim: ConicClaim, contradiction: Contradiction) -> None:
    certificate = Certificate(claim, ConicCounterexample(contradiction))
    assert check(read_certificate(write_certificate(certificate))).status is Status.REFUTED


@pytest.mark.parametrize(
    ("claim", "contradiction"),
    [
        (ConicBracket(LEAST, BOTH, ONE, None), HALF),
        (ConicBracket(LEAST, BOTH, None, ONE), dual(1)),
        (ConicBracket(LEAST, BOTH, None, ONE), HALF),
        (ConicBracket(LEAST, BOTH, fmpq(2), None), dual(1)),
        (ConicBracket(LEAST, BOTH, fmpq(2), None), primal(symmetric([1, 0], [0, 1]))),
        (ConicBracket(LEAST, BOTH, fmpq(2), None), primal(symmetric([1]))),
        (ConicBracket(LEAST, BOTH, None, ZERO), dual(2)),
        (ConicBracket(GAP, D, None, fmpq(1, 2)), ABOVE),
        (ConicBracket(GAP, P, fmpq(1, 2), None), BELOW),
        (ConicBracket(EMPTY, D, None, ZERO), FARKAS),
        (ConicBracket(EMPTY, P, None, ZERO), PrimalInfeasibleWitness(dual(1))),
        (ConicBracket(EMPTY, P, ZERO, None), FARKAS),
        (ConicBracket(EMPTY, P, ZERO, None), RECESSION),
        (ConicBracket(EMPTY, D, None, ZERO), RECESSION),
        (ConicGap(GAP, ZERO, ONE), ABOVE),
        (ConicGap(GAP, ZERO, ONE), BELOW),
        (ConicGap(GAP, ZERO, ONE), ATTAINED),
        (ConicGap(GAP, ZERO, ONE), dual(0, 0)),
        (ConicGap(EMPTY, ZERO, ONE), FARKAS),
        (ConicInfeasible(LEAST, Side.DUAL), HALF),
        (ConicInfeasible(LEAST, Side.PRIMAL), dual(0)),
        (ConicInfeasible(LEAST, Side.DUAL), dual(2)),
        (ConicInfeasible(GAP, Side.DUAL), ABOVE),
        (ConicInfeasible(GAP, Side.PRIMAL), BELOW),
        (ConicInfeasible(EMPTY, Side.PRIMAL), FARKAS),
        (ConicFeasible(EMPTY, Side.DUAL), FARKAS),
        (ConicFeasible(EMPTY, Side.PRIMAL), RECESSION),
        (ConicFeasible(LEAST, Side.PRIMAL), PrimalInfeasibleWitness(dual(1))),
        (ConicFeasible(LEAST, Side.PRIMAL), HALF),
    ],
)
def test_not_refuted(claim: ConicClaim, contradiction: Contradiction) -> None:
    assert failed(refute_conic(claim, ConicCounterexample(contradiction)))
    assert check(Certificate(claim, ConicCounterexample(contradiction))).status is Status.REJECTED


def test_the_value_every_solver_reports_is_refuted() -> None:
    """For the moment relaxation of order 5 four solvers agree on 1; an exact point of value 1/10 refutes it."""
    case = cases()["waki-pop-relaxation-r5"]
    program = case_problem(case["data"])
    point = dual(*case["certificate"]["x"])
    claim = ConicBracket(program, BOTH, None, fmpq(-1))
    assert proved(refute_conic(claim, ConicCounterexample(point)))
    true = ConicBracket(program, BOTH, None, ZERO)
    assert failed(refute_conic(true, ConicCounterexample(point))) == [NAME]


def test_tampering_with_any_number_never_proves_more() -> None:
    """Every number of a proved bracket is changed in turn: no changed file is malformed and proved at once."""
    case = cases()["scsjl150-x2-x-1"]
    program = case_problem(case["data"])
    x = primal(*case_point(case["data"]["blocks"], case["certificate"]["X"]))
    value = fmpq(-3, 4)
    certificate = Certificate(ConicBracket(program, BOTH, value, value), BracketWitness(dual(-1, "1/2", "-1/4"), x))
    document = json.loads(write_certificate(certificate))
    assert check(certificate).status is Status.PROVED
    proved_changes = 0
    for place in leaves(document["witness"]):
        changed = json.loads(json.dumps(document))
        raise_number(changed["witness"], place)
        proved_changes += status_of(changed) is Status.PROVED
    for place in [("lower",), ("upper",)]:
        changed = json.loads(json.dumps(document))
        raise_number(changed["claim"], place)
        assert status_of(changed) is (Status.REJECTED if place == ("lower",) else Status.PROVED)
    assert proved_changes == 0


def status_of(document: object) -> Status | None:
    try:
        return check(read_certificate(json.dumps(document).encode())).status
    except Malformed:
        return None


def leaves(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all numbers in a document."""
    if isinstance(value, dict):
        return [leaf for key, item in value.items() if key != "kind" for leaf in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [path] if value is not None else []


def raise_number(document: object, path: tuple[str | int, ...]) -> None:
    for key in path[:-1]:
        document = document[key]  # type: ignore[index]
    numerator, slash, denominator = str(document[path[-1]]).partition("/")  # type: ignore[index]
    power = numerator.startswith("2^")
    raised = "2^9" if power else str(int(numerator) + (int(denominator) if slash else 1))
    document[path[-1]] = raised + slash + denominator  # type: ignore[index]
