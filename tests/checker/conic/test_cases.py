"""Every public case with exact points or rays is decided as it should be from those points alone."""

from __future__ import annotations

from typing import Any

import pytest
from flint import fmpq

from certify.checker.conic.check import check_conic, lower_bound, upper_bound
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible, Optimum, Side
from certify.checker.conic.witnesses import (
    BracketWitness,
    DualInfeasibleWitness,
    DualPoint,
    FeasibleWitness,
    GapWitness,
    PrimalInfeasibleWitness,
)
from tests.checker.conic.examples import (
    case_point,
    case_problem,
    cases,
    dual,
    failed,
    number,
    primal,
    proved,
    row,
    symmetric,
)

CASES = cases()
BRACKETS = [
    "positive-duality-gap",
    "waki-pop-relaxation-r5",
    "scaled-1e16-2x2",
    "primal-infimum-not-attained",
    "scaled-1e8-2x2",
    "scsjl150-x2-x-1",
    "csdp11-sqrt2",
    "waki-pop-relaxation-r2",
    "cvxpy2610-soc-as-2x2",
    "cvxpy3390-opposite-rows",
    "clarabelcpp36-flat-qp",
]
FARKAS = ["near-feasible-1e-9", "scs14-primal-and-dual-infeasible", "sosjl137-reduced-basis"]
WEAKLY_INFEASIBLE = ["liu-pataki-weakly-infeasible-clean", "weakly-infeasible-2x2"]
TINY = fmpq(1, 10**40)


def test_every_case_with_a_certificate_is_in_a_table() -> None:
    listed = {*BRACKETS, *FARKAS, *WEAKLY_INFEASIBLE, "nonsymmetric-psd-expression"}
    assert {name for name, case in CASES.items() if case.get("certificate")} == listed


def values_of(case: dict[str, Any]) -> tuple[fmpq, fmpq]:
    """The neutral dual and primal value that the case states for its points."""
    stated = case["verified_exactly"]
    if "dual_value" in stated:
        return number(stated["dual_value"]), number(stated["primal_value"])
    return -number(stated["upper_bound"]), -number(stated["lower_bound"])


@pytest.mark.parametrize("name", BRACKETS)
def test_exact_pairs_prove_their_values_and_nothing_sharper(name: str) -> None:
    case = CASES[name]
    problem, certificate = case_problem(case["data"]), case["certificate"]
    y = dual(*certificate.get("y", certificate.get("x")))
    x = primal(*case_point(case["data"]["blocks"], certificate.get("X", certificate.get("Z"))))
    lower, upper = values_of(case)
    witness = BracketWitness(y, x)
    assert proved(check_conic(ConicBracket(problem, Optimum.BOTH, lower, upper), witness))
    sharper = ConicBracket(problem, Optimum.BOTH, lower + TINY, upper)
    assert failed(check_conic(sharper, witness)) == ["dual value reaches the lower bound"]
    sharper = ConicBracket(problem, Optimum.BOTH, lower, upper - TINY)
    assert failed(check_conic(sharper, witness)) == ["primal value reaches the upper bound"]
    for side, point in ((Side.DUAL, y), (Side.PRIMAL, x)):
        assert proved(check_conic(ConicFeasible(problem, side), FeasibleWitness(point)))


@pytest.mark.parametrize("name", FARKAS)
def test_farkas_rays_prove_infeasibility(name: str) -> None:
    case = CASES[name]
    problem, ray = case_problem(case["data"]), row(*case["certificate"]["y_farkas"])
    claim = ConicInfeasible(problem, Side.PRIMAL)
    assert proved(check_conic(claim, PrimalInfeasibleWitness(DualPoint((), ray))))
    opposite = DualPoint((), ray.scaled(fmpq(-1)))
    assert "b'y is positive" in failed(check_conic(claim, PrimalInfeasibleWitness(opposite)))


@pytest.mark.parametrize("name", WEAKLY_INFEASIBLE)
def test_weak_infeasibility_needs_facial_reduction(name: str) -> None:
    case = CASES[name]
    problem = case_problem(case["data"])
    exposing, last = (row(*step["y"]) for step in case["certificate"]["facial_reduction"])
    ray = last.scaled(fmpq(-1))
    claim = ConicInfeasible(problem, Side.PRIMAL)
    assert proved(check_conic(claim, PrimalInfeasibleWitness(DualPoint((exposing,), ray))))
    bare = failed(check_conic(claim, PrimalInfeasibleWitness(DualPoint((), ray))))
    assert bare == ["-sum y_i A_i lies in the dual cone"]


def test_recession_ray_proves_dual_infeasibility() -> None:
    case = CASES["scs14-primal-and-dual-infeasible"]
    problem = case_problem(case["data"])
    ray = primal(*case_point([-4], case["certificate"]["X_ray"]))
    claim = ConicInfeasible(problem, Side.DUAL)
    assert proved(check_conic(claim, DualInfeasibleWitness(ray)))
    wrong = check_conic(ConicInfeasible(problem, Side.PRIMAL), DualInfeasibleWitness(ray))
    assert failed(wrong) == ["witness is of the kind the claim needs"]


def test_positive_gap_is_told_as_such() -> None:
    case = CASES["positive-duality-gap"]
    problem = case_problem(case["data"])
    above = dual(0, 1, exposures=[row(1, 0)])
    exposing = (symmetric([0, 0, 0], [0, 1, 0], [0, 0, 0]),)
    below = primal(symmetric([0, 1, 0], [1, 0, 0], [0, 0, 0]), exposures=[exposing])
    assert lower_bound(problem, above).value == 1
    assert upper_bound(problem, below).value == 0
    assert proved(check_conic(ConicGap(problem, fmpq(0), fmpq(1)), GapWitness(above, below)))
    short = check_conic(ConicGap(problem, fmpq(0), fmpq(2)), GapWitness(above, below))
    assert failed(short) == ["dual value reaches the lower bound"]
    unreduced = check_conic(ConicGap(problem, fmpq(0), fmpq(1)), GapWitness(dual(0, 1), below))
    assert failed(unreduced) == ["slack C - sum y_i A_i lies in the dual cone"]


def test_no_solver_value_of_the_wrong_relaxation_is_certified() -> None:
    case = CASES["waki-pop-relaxation-r5"]
    problem = case_problem(case["data"])
    x = dual(*case["certificate"]["x"])
    claim = ConicBracket(problem, Optimum.BOTH, -fmpq(1, 10), None)
    assert proved(check_conic(claim, BracketWitness(x, None)))
    refuting = ConicBracket(problem, Optimum.BOTH, None, fmpq(-1))
    z = primal(*case_point(case["data"]["blocks"], case["certificate"]["Z"]))
    assert failed(check_conic(refuting, BracketWitness(None, z))) == ["primal value reaches the upper bound"]


def test_symmetrised_expression() -> None:
    case = CASES["nonsymmetric-psd-expression"]
    data = case["data"]["symmetrised_lmi"]
    problem = case_problem(data)
    y, x = dual(*case["certificate"]["x"]), primal(*case_point([2], case["certificate"]["Z"]))
    assert proved(check_conic(ConicBracket(problem, Optimum.BOTH, fmpq(-1), fmpq(-1)), BracketWitness(y, x)))
    skew = primal(*case_point([2], [[[0, 2], [0, 0]]]))
    rejected = check_conic(ConicFeasible(problem, Side.PRIMAL), FeasibleWitness(skew))
    assert failed(rejected) == ["point has the shape of X"]


def test_unbounded_lmi_has_a_dual_ray() -> None:
    """max -c'x with h - G x PSD: the ray x = (-1, 0, 0) makes (P) of the neutral form infeasible."""
    g = [[[1, 0], [0, 0]], [[0, 1], [1, 0]], [[0, 0], [0, 1]]]
    problem = case_problem({"blocks": [2], "C": [[[0, 0], [0, 0]]], "A": [[m] for m in g], "b": [-1, 0, 1]})
    claim = ConicInfeasible(problem, Side.PRIMAL)
    assert proved(check_conic(claim, PrimalInfeasibleWitness(dual(-1, 0, 0))))
    assert failed(check_conic(claim, PrimalInfeasibleWitness(dual(0, 0, 1)))) == ["-sum y_i A_i lies in the dual cone"]
