"""Pictures of conic programs: the eigenvalues are those of the points, the pattern that of the data."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from certify.checker.certificate import Certificate
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible, Optimum, Side
from certify.checker.conic.cones import Exponential, Nonnegative, Rotated, SecondOrder
from certify.checker.conic.problem import ConicProblem, SourceValue
from certify.checker.conic.witnesses import (
    BracketWitness,
    Congruence,
    ConicCounterexample,
    ConicWitness,
    DualInfeasibleWitness,
    FactoredPoint,
    FeasibleWitness,
    GapWitness,
    Generated,
    NearbyPrimalPoint,
    PrimalInfeasibleWitness,
)
from certify.checker.kernel import silent
from certify.reports.pictures import gallery
from certify.reports.plots_conic import pattern_picture, program_pictures
from certify.reports.programs import describe_program_claim
from certify.reports.spectra import spectra
from certify.reports.tiles import numbers_of
from tests.checker.conic.examples import (
    dual,
    matrix_block,
    primal,
    problem,
    row,
    square,
    symmetric,
    vector,
    vector_block,
)
from tests.reports.examples import EIGENVALUE, IDENTITY, X, Y


def _values(program: ConicProblem, witness: ConicWitness) -> dict[str, list[float]]:
    return {each.name: each.values.round(12).tolist() for each in spectra(program, witness)}


def test_the_eigenvalues_of_both_points() -> None:
    found = _values(EIGENVALUE, BracketWitness(Y, X))
    assert found == {"X": pytest.approx([0, 1]), "slack S = C - sum y_i A_i": pytest.approx([0, 2])}
    assert _values(EIGENVALUE, BracketWitness(Y, None)) == {"slack S = C - sum y_i A_i": pytest.approx([0, 2])}
    assert _values(EIGENVALUE, GapWitness(Y, X)) == found
    assert _values(EIGENVALUE, FeasibleWitness(X)) == {"X": pytest.approx([0, 1])}
    assert _values(EIGENVALUE, ConicCounterexample(dual(0))) == {"slack S = C - sum y_i A_i": pytest.approx([1, 3])}


def test_the_eigenvalues_of_rays_leave_the_objective_out() -> None:
    assert _values(EIGENVALUE, PrimalInfeasibleWitness(dual(-3))) == {"the ray's -sum y_i A_i": pytest.approx([3, 3])}
    ray = DualInfeasibleWitness(primal(symmetric([1, 0], [0, 5])))
    assert _values(EIGENVALUE, ray) == {"the ray X": pytest.approx([1, 5])}
    assert _values(EIGENVALUE, ConicCounterexample(ray)) == {"the ray X": pytest.approx([1, 5])}


def test_every_symmetric_cone_has_eigenvalues_and_the_others_none() -> None:
    blocks = [
        vector_block(Nonnegative(2), [1, 1], [1, 0]),
        vector_block(SecondOrder(3), [1, 0, 0], [0, 0, 1]),
        vector_block(Rotated(3), [1, 1, 0], [0, 0, 1]),
        vector_block(Exponential(), [0, 0, 1], [1, 0, 0]),
    ]
    # (2, 2, 2) is (sqrt(8), 0, 2) as a second-order vector.
    point = primal(vector(7, 0), vector(5, 3, 4), vector(2, 2, 2), vector(0, 1, 1))
    found = spectra(problem(blocks, [1]), FeasibleWitness(point))[0].values
    assert found == pytest.approx(sorted([7, 0, 0, 10, 8**0.5 - 2, 8**0.5 + 2]))
    only = problem([vector_block(Exponential(), [0, 0, 1], [1, 0, 0])], [1])
    assert spectra(only, FeasibleWitness(primal(vector(0, 1, 1)))) == []


def test_points_on_faces_and_factored_points_are_taken_to_the_whole_space() -> None:
    blocks = [matrix_block([[1, 0], [0, 1]], [[1, 0], [0, 0]]), vector_block(Nonnegative(2), [1, 1], [0, 1])]
    thin = FactoredPoint(square([[1], [2]]), row(0, 3))
    plain = spectra(problem(blocks, [1]), FeasibleWitness(primal(thin, vector(0, 0))))[0].values
    assert plain == pytest.approx(sorted([0, 0, *np.linalg.eigvalsh([[1, 2], [2, 7]])]))
    faces = (Congruence(square([[1], [1]])), Generated(square([[1], [2]])))
    nearby = NearbyPrimalPoint(faces, (symmetric([3]), vector(2)), (), square([]), fmpq(1, 2))
    lifted = spectra(problem(blocks, [1]), FeasibleWitness(nearby))[0].values
    assert lifted == pytest.approx([0, 2, 4, 6], abs=1e-12)


@pytest.mark.parametrize("power", [1, 4, 8, 17])
def test_the_axis_of_eigenvalues_has_numbers(power: int) -> None:
    program = problem([vector_block(Nonnegative(2), [0, 0], [1, 0])], [1])
    point = FeasibleWitness(primal(vector(1, fmpq(1, 10**power))))
    svg = program_pictures(program, point)[0].svg
    axis = svg.partition('<g id="eigenvalues-matplotlib.axis_2">')[2].partition('<g id="eigenvalues-patch')[0]
    assert axis.count("<text") >= 1 + 2, "the label and two numbers"


def test_the_pattern_is_that_of_the_blocks() -> None:
    assert pattern_picture(EIGENVALUE) is None
    two = problem([vector_block(Nonnegative(2), [1, 1], [0, 1]), matrix_block([[0, 1], [1, 0]], IDENTITY)], [1])
    shown = pattern_picture(two)
    assert shown is not None
    assert "6 entries in 2 cones of total order 4" in shown.caption
    runs = re.findall(r'<path d="([^"]*z)', shown.svg)
    # Two cells of the vector block and one run for each row of the matrix block.
    assert max(path.count("z") for path in runs) == 4


def test_the_gallery_shows_what_there_is_and_survives_what_floats_cannot_hold() -> None:
    claim = ConicBracket(EIGENVALUE, Optimum.BOTH, fmpq(1), fmpq(1))
    shown = gallery(Certificate(claim, BracketWitness(Y, X)), None, (), silent).pictures
    assert [each.key for each in shown] == ["eigenvalues"]
    assert "2 values that floats cannot tell from zero are left out" in shown[0].caption
    assert program_pictures(EIGENVALUE, BracketWitness(Y, X)) == list(shown)
    huge = FeasibleWitness(primal(symmetric([10**400, 0], [0, 1])))
    assert program_pictures(EIGENVALUE, huge) == []
    infeasible = ConicInfeasible(EIGENVALUE, Side.PRIMAL)
    ray = PrimalInfeasibleWitness(dual(1))
    negative = gallery(Certificate(infeasible, ray), None, (), silent).pictures
    assert "left out" not in negative[0].caption
    assert gallery(Certificate(ConicFeasible(EIGENVALUE, Side.PRIMAL), FeasibleWitness(X)), None, (), silent).pictures


@pytest.mark.parametrize(
    ("lower", "upper", "negated", "tiles", "said"),
    [
        (fmpq(1), fmpq(1), False, ["the optimum is exactly 1 exact"], "is exactly 1."),
        (fmpq(1), fmpq(1), True, ["the optimum is exactly -1 exact"], "is exactly -1."),
        (None, fmpq(1, 3), False, ["the optimum is at most 0.3333333333333334 rounded up"], "is at most 1/3."),
        (None, fmpq(1, 3), True, ["the optimum is at least -0.3333333333333334 rounded down"], "is at least -1/3."),
        (
            fmpq(1, 3),
            fmpq(4),
            True,
            [
                "the optimum is at least -4 exact",
                "the optimum is at most -0.3333333333333333 rounded up",
                "gap over max(1, |optimum|) at most 3.67 rounded up",
            ],
            "lies between -4 and -1/3.",
        ),
    ],
)
def test_the_numbers_are_those_of_the_sentence(
    lower: fmpq | None, upper: fmpq | None, negated: bool, tiles: list[str], said: str
) -> None:
    source = SourceValue.NEGATED if negated else SourceValue.SAME
    claim = ConicBracket(replace(EIGENVALUE, source_value=source), Optimum.BOTH, lower, upper)
    assert [f"{n.name} {n.decimal} {n.rounding}" for n in numbers_of(claim, None)] == tiles
    assert describe_program_claim(claim).endswith(said)
    assert "of 1 equation, 1 cone and 5 entries" in describe_program_claim(claim)


def test_the_two_optima_of_a_gap_keep_their_sides() -> None:
    claim = ConicGap(EIGENVALUE, fmpq(1), fmpq(2))
    assert [f"{n.name} {n.decimal}" for n in numbers_of(claim, None)] == [
        "the optimum over y is at most 1",
        "the optimum over X is at least 2",
    ]
    turned = replace(claim, problem=replace(EIGENVALUE, source_value=SourceValue.NEGATED))
    assert [f"{n.name} {n.decimal}" for n in numbers_of(turned, None)] == [
        "the optimum over X is at most -2",
        "the optimum over y is at least -1",
    ]
