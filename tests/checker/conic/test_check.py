"""The rules, on one small program for each cone: what proves a claim, and which obligation a broken proof fails."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq, fmpz

from certify.checker.conic.check import check_conic, lower_bound, upper_bound
from certify.checker.conic.claims import (
    ConicBracket,
    ConicClaim,
    ConicFeasible,
    ConicGap,
    ConicInfeasible,
    Optimum,
    Side,
)
from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import (
    BlockPoint,
    BracketWitness,
    ConicWitness,
    DualInfeasibleWitness,
    DualPoint,
    FactoredPoint,
    FeasibleWitness,
    GapWitness,
    PrimalInfeasibleWitness,
    PrimalPoint,
)
from certify.checker.exact import Matrix
from tests.checker.conic.examples import (
    Number,
    dual,
    failed,
    matrix_block,
    primal,
    problem,
    proved,
    row,
    square,
    symmetric,
    vector,
    vector_block,
)

SLACK = "slack C - sum y_i A_i lies in the dual cone"
EQUATIONS = "equations <A_i, X> = b_i hold exactly"
INSIDE = "X lies in the cone"
POINT = "point has the shape of X"
MULTIPLIERS = "multipliers have the shape of y"
KIND = "witness is of the kind the claim needs"
USE = "point proves what is claimed of it"
UPPER = "primal value reaches the upper bound"
ENDS = "witness has a point for each claimed end, and no other"
TWO = [[2, 1], [1, 2]]
UNIT = [[1, 0], [0, 1]]
ZERO = [[0, 0], [0, 0]]


def least_eigenvalue() -> ConicProblem:
    """min <C, X>, tr X = 1, X PSD with C = [2 1; 1 2]: the least eigenvalue 1."""
    return problem([matrix_block(TWO, UNIT)], [1], offset=5)


def bracket(
    problem_: ConicProblem, lower: Number | None, upper: Number | None, of: Optimum = Optimum.BOTH
) -> ConicBracket:
    exact = [
        None if end is None else fmpq(end) if isinstance(end, int) else fmpq(*map(int, str(end).split("/")))
        for end in (lower, upper)
    ]
    return ConicBracket(problem_, of, exact[0], exact[1])


HALF = symmetric(["1/2", "-1/2"], ["-1/2", "1/2"])


def test_bracket_of_the_least_eigenvalue() -> None:
    p, y, x = least_eigenvalue(), dual(1), primal(HALF)
    assert proved(check_conic(bracket(p, 6, 6), BracketWitness(y, x)))
    assert proved(check_conic(bracket(p, 5, None), BracketWitness(y, None)))
    assert proved(check_conic(bracket(p, None, 7, Optimum.DUAL), BracketWitness(None, x)))
    assert proved(check_conic(bracket(p, 6, 6, Optimum.PRIMAL), BracketWitness(y, x)))


@pytest.mark.parametrize(
    ("claim", "witness", "names"),
    [
        ((6, 6), BracketWitness(dual("1000001/1000000"), primal(HALF)), [SLACK, ]),
        ((6, 6), BracketWitness(dual("999999/1000000"), primal(HALF)), ["dual value reaches the lower bound"]),
        ((6, 6), BracketWitness(dual(1, 0), primal(HALF)), [MULTIPLIERS]),
        ((6, 6), BracketWitness(DualPoint((), square([[1], [0]])), primal(HALF)), [MULTIPLIERS]),
        ((6, 6), BracketWitness(DualPoint((), Matrix(row(1).numerators, fmpz(-1))), primal(HALF)), [MULTIPLIERS]),
        ((6, 6), BracketWitness(dual(1), primal(symmetric([1, 0], [0, 0]))), [UPPER]),
        ((6, 6), BracketWitness(dual(1), primal(symmetric(["3/2", 0], [0, "-1/2"]))), [INSIDE, UPPER]),
        ((6, 6), BracketWitness(dual(1), primal(symmetric(["1/2", "-51/100"], ["-51/100", "1/2"]))), [INSIDE]),
        ((6, 6), BracketWitness(dual(1), primal(symmetric(["1/3", "-1/3"], ["-1/3", "1/3"]))), [EQUATIONS]),
        ((6, 6), BracketWitness(dual(1), primal(symmetric([1]))), [POINT]),
        ((6, 6), BracketWitness(dual(1), primal(vector(1, 0))), [POINT]),
        ((6, 6), BracketWitness(dual(1), primal(symmetric(["1/2", 0], ["-1/2", "1/2"]))), [POINT]),
        ((6, 6), BracketWitness(dual(1), primal(HALF, HALF)), [POINT]),
        ((6, 6), BracketWitness(dual(1), primal(FactoredPoint(square([[1]]), row(0)))), [POINT]),
        ((6, 6), BracketWitness(dual(1), None), [ENDS]),
        ((6, 6), BracketWitness(None, primal(HALF)), [ENDS]),
        ((6, None), BracketWitness(dual(1), primal(HALF)), [ENDS]),
        ((None, 6), BracketWitness(dual(1), primal(HALF)), [ENDS]),
    ],
)  # fmt: skip
def test_broken_brackets(claim: tuple[int, int], witness: BracketWitness, names: list[str]) -> None:
    assert failed(check_conic(bracket(least_eigenvalue(), *claim), witness)) == names


def test_factored_points_are_psd_at_sight_or_decided() -> None:
    p = least_eigenvalue()
    thin = FactoredPoint(square([["1/2"], ["-1/2"]]), row("1/4", "1/4"))
    assert upper_bound(p, primal(thin)).value == fmpq(13, 2)
    assert proved(upper_bound(p, primal(thin)).obligations)
    lowered = FactoredPoint(square([[1, 0], [0, 1]]), row("-1/2", "-1/2"))
    assert proved(upper_bound(p, primal(lowered)).obligations)
    below = FactoredPoint(square([[1], [0]]), row("1/2", "-1/2"))
    assert failed(upper_bound(p, primal(below)).obligations) == [INSIDE]
    diagonal = FactoredPoint(square([[], []]), row("1/2", "1/2"))
    assert upper_bound(p, primal(diagonal)).value == 7


E_CONES: list[tuple[Cone, list[Number], list[Number], list[Number], list[Number]]] = [
    (Free(2), [3, 3], [3, "7/2"], [5, -4], []),
    (Zero(2), [-1, 7], [], [0, 0], [0, 1]),
    (Nonnegative(2), [4, 3], [4, "5/2"], [0, 1], [1, -1]),
    (SecondOrder(2), [5, 5], [5, "11/2"], [1, -1], [1, "-11/10"]),
    (Rotated(3), [3, 3, 3], ["1/2", 8, 0], [1, 1, 1], [1, 1, "3/2"]),
    (Exponential(), [2, 3, "17/5"], [2, 3, "33/10"], [0, 1, 1], [0, 1, "99/100"]),
    (DualExponential(), [3, 4, 4], [3, 4, "39/10"], [-1, -1, 1], [-1, -1, "99/100"]),
    (Power(fmpq(1, 2)), [4, 4, 5], [4, 4, "26/5"], [1, 4, 2], [1, 4, "21/10"]),
    (DualPower(fmpq(1, 2)), [4, 4, "7/2"], [4, 4, 5], [1, 1, 2], [1, 1, "21/10"]),
]
"""Cone, a c with c - 3 (1,..) in the dual, one without, a point inside and one outside."""


@pytest.mark.parametrize(("cone", "inner_c", "outer_c", "inside", "outside"), E_CONES, ids=lambda v: type(v).__name__)
def test_every_cone_on_both_sides(
    cone: Cone, inner_c: list[Number], outer_c: list[Number], inside: list[Number], outside: list[Number]
) -> None:
    """min <c, x> with <(1, ..), x> = b: y = 3 is dual feasible iff c - 3 lies in the dual cone."""
    ones: list[Number] = [1] * len(inner_c)
    point = primal(vector(*inside))
    total = sum((row(*inside).entry(0, i) for i in range(len(inside))), fmpq(0))
    p = problem([vector_block(cone, inner_c, ones)], [total])
    assert proved(lower_bound(p, dual(3)).obligations)
    assert lower_bound(p, dual(3)).value == 3 * total
    assert proved(upper_bound(p, point).obligations)
    if outer_c:
        wrong = problem([vector_block(cone, outer_c, ones)], [total])
        assert failed(lower_bound(wrong, dual(3)).obligations) == [SLACK]
    if outside:
        assert INSIDE in failed(upper_bound(p, primal(vector(*outside))).obligations)


def test_infeasible_and_its_failures() -> None:
    """x_11 = -1 with X PSD has no solution; min -x_22 over x_11 = 1 has no dual solution."""
    e11, e22 = [[1, 0], [0, 0]], [[0, 0], [0, 1]]
    p = problem([matrix_block([[0, 0], [0, -1]], e11)], [-1])
    primal_claim, dual_claim = ConicInfeasible(p, Side.PRIMAL), ConicInfeasible(p, Side.DUAL)
    assert proved(check_conic(primal_claim, PrimalInfeasibleWitness(dual(-1))))
    assert failed(check_conic(primal_claim, PrimalInfeasibleWitness(dual(1)))) == [
        "-sum y_i A_i lies in the dual cone",
        "b'y is positive",
    ]
    assert failed(check_conic(primal_claim, PrimalInfeasibleWitness(dual(0)))) == ["b'y is positive"]
    assert failed(check_conic(primal_claim, PrimalInfeasibleWitness(dual()))) == [MULTIPLIERS]
    assert proved(check_conic(dual_claim, DualInfeasibleWitness(primal(symmetric(*e22)))))
    assert failed(check_conic(dual_claim, DualInfeasibleWitness(primal(symmetric(*ZERO))))) == ["<C, X> is negative"]
    assert failed(check_conic(dual_claim, DualInfeasibleWitness(primal(symmetric(*UNIT))))) == [
        "every <A_i, X> is zero"
    ]
    assert failed(check_conic(dual_claim, DualInfeasibleWitness(primal(symmetric([0, 1], [1, 1]))))) == [INSIDE]
    assert failed(check_conic(dual_claim, DualInfeasibleWitness(primal(vector(0, 1))))) == [POINT]


def test_kinds_of_claim_and_witness_must_match() -> None:
    p = least_eigenvalue()
    claims: list[ConicClaim] = [
        bracket(p, 6, 6),
        ConicGap(p, fmpq(0), fmpq(1)),
        ConicInfeasible(p, Side.PRIMAL),
        ConicInfeasible(p, Side.DUAL),
        ConicFeasible(p, Side.PRIMAL),
    ]
    witnesses: list[ConicWitness] = [
        BracketWitness(dual(1), primal(HALF)),
        GapWitness(dual(1), primal(HALF)),
        PrimalInfeasibleWitness(dual(1)),
        DualInfeasibleWitness(primal(HALF)),
        FeasibleWitness(primal(HALF)),
    ]
    for i, claim in enumerate(claims):
        for j, witness in enumerate(witnesses):
            assert (failed(check_conic(claim, witness)) == [KIND]) == (i != j)


def test_feasible_points_of_either_side() -> None:
    p = least_eigenvalue()
    assert proved(check_conic(ConicFeasible(p, Side.PRIMAL), FeasibleWitness(primal(HALF))))
    assert proved(check_conic(ConicFeasible(p, Side.DUAL), FeasibleWitness(dual(-100))))
    wrong_side = check_conic(ConicFeasible(p, Side.DUAL), FeasibleWitness(primal(HALF)))
    assert failed(wrong_side) == ["point is of the claimed side"]
    infeasible = check_conic(ConicFeasible(p, Side.DUAL), FeasibleWitness(dual(2)))
    assert failed(infeasible) == [SLACK]


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
EXPOSING: tuple[BlockPoint, ...] = (symmetric([0, 0, 0], [0, 1, 0], [0, 0, 0]),)
BELOW = primal(symmetric([0, 1, 0], [1, 0, 0], [0, 0, 0]), exposures=[EXPOSING])


def test_exposing_vectors_bound_one_optimal_value_only() -> None:
    lower, upper = BracketWitness(ABOVE, None), BracketWitness(None, BELOW)
    assert proved(check_conic(bracket(GAP, 1, None, Optimum.PRIMAL), lower))
    assert proved(check_conic(bracket(GAP, None, 0, Optimum.DUAL), upper))
    for optimum in (Optimum.DUAL, Optimum.BOTH):
        assert failed(check_conic(bracket(GAP, 1, None, optimum), lower)) == [USE]
    for optimum in (Optimum.PRIMAL, Optimum.BOTH):
        assert failed(check_conic(bracket(GAP, None, 0, optimum), upper)) == [USE]
    assert USE in failed(check_conic(ConicFeasible(GAP, Side.DUAL), FeasibleWitness(ABOVE)))
    assert USE in failed(check_conic(ConicFeasible(GAP, Side.PRIMAL), FeasibleWitness(BELOW)))


FIRST = "exposing vector 1 confines to a face"


@pytest.mark.parametrize(
    ("point", "name"),
    [
        (replace(ABOVE, exposures=(row(0, 1),)), FIRST),
        (replace(ABOVE, exposures=(row(-1, 0),)), FIRST),
        (replace(ABOVE, exposures=(row(1),)), FIRST),
        (replace(ABOVE, exposures=(row(1, 0), row(0, 1))), "exposing vector 2 confines to a face"),
        (replace(ABOVE, exposures=()), SLACK),
    ],
)
def test_broken_exposing_vectors(point: DualPoint, name: str) -> None:
    assert failed(check_conic(bracket(GAP, 1, None, Optimum.PRIMAL), BracketWitness(point, None))) == [name]
    ray = check_conic(ConicInfeasible(GAP, Side.PRIMAL), PrimalInfeasibleWitness(point))
    assert failed(ray)[0] in (name, "-sum y_i A_i lies in the dual cone")


@pytest.mark.parametrize(
    ("exposing", "name"),
    [
        ((symmetric([0, 0, 0], [0, 1, 0], [0, 0, 1]),), FIRST),
        ((symmetric([1, 0, 0], [0, 1, 0], [0, 0, 0]),), FIRST),
        ((symmetric([0, 0, 0], [0, -1, 0], [0, 0, 0]),), FIRST),
        ((symmetric([0, 0], [0, 1]),), FIRST),
        ((), FIRST),
    ],
)
def test_broken_exposing_points(exposing: tuple[BlockPoint, ...], name: str) -> None:
    point: PrimalPoint = replace(BELOW, exposures=(exposing,))
    assert failed(check_conic(bracket(GAP, None, 0, Optimum.DUAL), BracketWitness(None, point))) == [name]
    assert failed(check_conic(ConicInfeasible(GAP, Side.DUAL), DualInfeasibleWitness(point)))[0] == name


def test_weak_dual_infeasibility() -> None:
    """The dual asks [0 1; 1 -y] to be PSD: the exposing point E11 forces its first row to vanish, which it does not."""
    p = problem([matrix_block([[0, 1], [1, 0]], [[0, 0], [0, 1]])], [1])
    exposing: tuple[BlockPoint, ...] = (symmetric([1, 0], [0, 0]),)
    ray = symmetric([0, -1], [-1, 0])
    claim = ConicInfeasible(p, Side.DUAL)
    assert proved(check_conic(claim, DualInfeasibleWitness(primal(ray, exposures=[exposing]))))
    assert failed(check_conic(claim, DualInfeasibleWitness(primal(ray)))) == [INSIDE]
