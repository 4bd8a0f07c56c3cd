"""cvxpy problems of every cone, solved or not, certified in the problem's own sense."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.conic.bounds import Options
from certify.certificates.importers.cvxpy_problems import CvxpyOutcome, certify_problem, import_cvxpy
from certify.certificates.importers.standard import ImportFailed
from certify.checker.conic.claims import ConicInfeasible, Side
from certify.checker.conic.cones import PositiveSemidefinite
from certify.checker.domains import Reading
from tests.certificates.conic.examples import accepted

cp: Any = import_module("cvxpy")
RNG = np.random.default_rng(5)
HALF = RNG.integers(-4, 5, size=(4, 4)).astype(float)
C = HALF + HALF.T


def _trace_one(sense: Any) -> Any:
    x = cp.Variable((4, 4), PSD=True)
    return cp.Problem(sense(cp.trace(C @ x) + 3.5), [cp.trace(x) == 1, x[0, 1] == 0.125])


def _linear() -> Any:
    x = cp.Variable(3)
    return cp.Problem(cp.Minimize(x[0] + 2 * x[1] - 1.5), [x >= 0, cp.sum(x) == 1, x[0] <= 0.25, x[2] <= 0.5])


def _norms() -> Any:
    x = cp.Variable(3)
    return cp.Problem(cp.Minimize(cp.norm(x - np.array([1.0, 2.0, 2.0]))), [cp.sum(x) == 0])


def _bounded() -> Any:
    x = cp.Variable(2, bounds=[np.array([0.25, -1.0]), np.array([2.0, 3.0])])
    return cp.Problem(cp.Minimize(x[0] - x[1]), [x[0] + x[1] <= 4])


def _geometric() -> Any:
    x = cp.Variable(2)
    return cp.Problem(cp.Maximize(cp.sum(cp.entr(x))), [cp.sum(x) == 1, x[0] >= 0.75])


def _powers() -> Any:
    x, y, z = cp.Variable(), cp.Variable(), cp.Variable()
    return cp.Problem(cp.Maximize(z), [cp.PowCone3D(x, y, z, 0.25), x == 16, y <= 1])


def _proved(outcome: CvxpyOutcome, digits: int) -> tuple[float, float]:
    assert all(accepted(each) for each in outcome.outcome.certified)
    assert outcome.lower is not None, outcome.outcome.reasons
    assert outcome.upper is not None, outcome.outcome.reasons
    assert 0 <= outcome.upper - outcome.lower < fmpq(1, 10**digits)
    return float(outcome.lower.p) / float(outcome.lower.q), float(outcome.upper.p) / float(outcome.upper.q)


@pytest.mark.parametrize("solver", [cp.CLARABEL, cp.SCS])
@pytest.mark.parametrize("sense", [cp.Minimize, cp.Maximize])
def test_matrix_variables_have_brackets_in_the_sense_of_the_problem(solver: str, sense: Any) -> None:
    problem = _trace_one(sense)
    problem.solve(solver=solver)
    lower, upper = _proved(certify_problem(problem), 6)
    assert lower - 1e-4 <= problem.value <= upper + 1e-4


@pytest.mark.parametrize(
    ("make", "value", "digits"),
    [
        (_linear, 0.25 + 2 * 0.25 - 1.5, 7),
        (_norms, 5 / np.sqrt(3), 6),
        (_bounded, 0.25 - 3, 7),
        (_geometric, -0.75 * np.log(0.75) - 0.25 * np.log(0.25), 5),
        (_powers, 2.0, 5),
    ],
    ids=["linear", "norms", "bounds", "entropy", "powers"],
)
def test_every_cone_gives_its_closed_form_value(make: Callable[[], Any], value: float, digits: int) -> None:
    problem = make()
    problem.solve(solver=cp.CLARABEL)
    outcome = certify_problem(problem)
    lower, upper = _proved(outcome, digits)
    assert lower - 1e-12 <= value <= upper + 1e-12
    assert outcome.status == "optimal"


def test_a_problem_that_was_never_solved_is_solved_here() -> None:
    outcome = certify_problem(_linear())
    assert outcome.value is None
    assert outcome.value_is_inside is None
    assert _proved(outcome, 7)[0] <= -0.75


def test_what_scs_left_behind_is_certified_without_another_solve() -> None:
    problem = _trace_one(cp.Minimize)
    problem.solve(solver=cp.SCS, eps=1e-9)
    imported = import_cvxpy(problem)
    assert imported.point.x is not None
    assert imported.point.y is not None
    _proved(certify_problem(problem, Options(given_only=True)), 4)


def test_a_wrong_value_lies_outside_the_bracket() -> None:
    problem = _norms()
    with pytest.warns(UserWarning, match="inaccurate"):
        problem.solve(solver=cp.SCS, max_iters=5)
    outcome = certify_problem(problem)
    assert outcome.status == "optimal_inaccurate"
    assert outcome.value_is_inside is False


def test_an_infeasible_problem_is_proved_infeasible() -> None:
    x = cp.Variable((2, 2), PSD=True)
    problem = cp.Problem(cp.Minimize(cp.trace(x)), [x[0, 0] == 1, x[1, 1] == 1, x[0, 1] >= 1.5])
    problem.solve(solver=cp.CLARABEL)
    outcome = certify_problem(problem)
    claims = [each.claim for each in outcome.outcome.certified]
    # The cvxpy problem is side (D) of the neutral form.
    assert any(isinstance(claim, ConicInfeasible) and claim.side is Side.DUAL for claim in claims)
    assert all(accepted(each) for each in outcome.outcome.certified)


def test_coefficients_are_the_binary64_numbers_they_are() -> None:
    x = cp.Variable((4, 4), symmetric=True)
    imported = import_cvxpy(cp.Problem(cp.Minimize(cp.trace(x)), [x >> C, x[0, 1] >= 0.1]))
    assert imported.problem.reading is Reading.BINARY64
    blocks = [part for part in imported.problem.blocks if part.is_matrix]
    assert [part.cone for part in blocks] == [PositiveSemidefinite(4)]
    entries = {(i, j): value for k, i, j, value in blocks[0].entries() if k == 0}
    assert entries == {(i, j): -int(C[i, j]) for i in range(4) for j in range(i + 1) if C[i, j]}
    tenth = fmpq(*(0.1).as_integer_ratio())
    assert any(
        fmpq(value, part.values.denominator) == -tenth
        for part in imported.problem.blocks
        for *_, value in part.entries()
    )


def test_integers_and_problems_that_are_not_convex_are_refused() -> None:
    x = cp.Variable(integer=True)
    with pytest.raises(ImportFailed, match="integer variables"):
        certify_problem(cp.Problem(cp.Minimize(x), [x >= 0.5]))
    y = cp.Variable()
    with pytest.raises(ImportFailed, match="no conic program"):
        certify_problem(cp.Problem(cp.Minimize(cp.sqrt(y)), [y >= 1]))


def test_a_status_is_never_evidence() -> None:
    # Weakly infeasible; a solver calls it optimal_inaccurate with a number. X11 = 0 forces X13 = 0, then X22 = -1.
    x = cp.Variable((3, 3), PSD=True)
    problem = cp.Problem(cp.Minimize(cp.trace(x)), [x[0, 0] == 0, 2 * x[0, 2] + x[1, 1] == -1])
    outcome = certify_problem(problem)
    claims = [each.claim for each in outcome.outcome.certified]
    assert any(isinstance(claim, ConicInfeasible) and claim.side is Side.DUAL for claim in claims), outcome.outcome
    assert all(accepted(each) for each in outcome.outcome.certified)
