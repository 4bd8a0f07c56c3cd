"""What the search certifies, what it says where it certifies nothing, and how many digits it gives when asked."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from certify.certificates.conic.bounds import Options, Outcome, bound
from certify.certificates.conic.given import GivenPoint
from certify.certificates.conic.limited import bound_file_within
from certify.certificates.conic.refine import effort_for, precise_points, with_equations, work
from certify.certificates.conic.rows import TIME_LIMIT, summary
from certify.certificates.conic.tables import bound_files
from certify.checker.certificate import read_certificate
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicInfeasible, Optimum, Side
from certify.checker.conic.cones import Exponential, Free, Nonnegative, Rotated, SecondOrder, Zero
from certify.checker.conic.problem import Block, ConicProblem
from certify.checker.conic.witnesses import BracketWitness, PrimalPoint
from certify.checker.kernel import check
from certify.checker.statements.sdpa import read_sdpa
from certify.checker.verdict import Status
from certify.solvers.conic.solve import Backend
from tests.certificates.conic.examples import accepted, random_problem
from tests.checker.conic.examples import matrix_block, problem, row, square, vector_block

ROOT_TWO = problem(
    # min -X12 - X13 over [[1, ., .], [., 1, 0], [., 0, 1]]: the value is -sqrt(2).
    [
        matrix_block(
            [[0, "-1/2", "-1/2"], ["-1/2", 0, 0], ["-1/2", 0, 0]],
            [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
            [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
            [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
            [[0, 0, 0], [0, 0, 1], [0, 1, 0]],
        )
    ],
    [1, 1, 1, 0],
)


def _bracket(outcome: Outcome) -> tuple[fmpq, fmpq]:
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicBracket), outcome.reasons
    assert all(accepted(each) for each in outcome.certified)
    assert claim.lower is not None, outcome.reasons
    assert claim.upper is not None, outcome.reasons
    return claim.lower, claim.upper


@pytest.mark.parametrize("backend", [(), (Backend.INTERIOR,), (Backend.CLARABEL,), (Backend.SCS,)], ids=str)
def test_every_backend_leads_to_a_bracket(backend: tuple[Backend, ...]) -> None:
    lower, upper = _bracket(bound(random_problem(41, 4, 5), Options(backends=backend)))
    assert 0 <= upper - lower <= fmpq(1, 10**6) * (1 + abs(upper))


@pytest.mark.parametrize("digits", [8, 25, 40])
def test_the_digits_asked_for_are_reached(digits: int) -> None:
    lower, upper = _bracket(bound(ROOT_TWO, Options(digits=digits)))
    assert upper < 0
    assert upper**2 <= 2 <= lower**2
    assert upper - lower <= fmpq(2, 10**digits)


def test_the_offset_is_part_of_the_value() -> None:
    lower, upper = _bracket(bound(problem([vector_block(Nonnegative(1), [2], [1])], [3], offset="1/3")))
    assert lower <= fmpq(19, 3) <= upper


def test_quadratic_and_exponential_cones_are_bracketed() -> None:
    cone = problem([vector_block(SecondOrder(3), [1, 0, 0], [0, 1, 0], [0, 0, 1])], [3, 4])
    lower, upper = _bracket(bound(cone))
    assert lower <= 5 <= upper
    assert upper - lower < fmpq(1, 10**5)
    growth = problem([vector_block(Exponential(), [0, 0, 1], [1, 0, 0], [0, 1, 0])], [0, 1])
    lower, upper = _bracket(bound(growth))
    assert lower <= 1 <= upper
    assert upper - lower < fmpq(1, 10**4)


def test_free_blocks_are_solved_exactly_on_side_d() -> None:
    program = problem(
        [
            matrix_block([[2, 0], [0, 3]], [[1, 0], [0, 1]], [[0, 1], [1, 0]]),
            vector_block(Free(1), ["1/10"], ["1/3"], ["1/7"]),
        ],
        [1, 1],
    )
    lower, upper = _bracket(bound(program))
    assert 0 <= upper - lower < fmpq(1, 10**6)


def test_an_unbounded_problem_is_told_by_a_ray_and_a_feasible_point() -> None:
    outcome = bound(problem([vector_block(Nonnegative(2), [-1, 0], [1, -1])], [1]))
    claims = [each.claim for each in outcome.certified]
    assert isinstance(claims[0], ConicInfeasible)
    assert claims[0].side is Side.DUAL
    assert any(isinstance(claim, ConicFeasible) and claim.side is Side.PRIMAL for claim in claims)
    assert all(accepted(each) for each in outcome.certified)


def test_what_could_not_be_certified_says_why() -> None:
    # Side (D) is unbounded and side (P) infeasible, but an exponential cone is beyond the search for rays.
    program = problem([vector_block(Exponential(), [0, 1, 5], [0, 1, 0], [0, 0, 1])], [1, -1])
    outcome = bound(program)
    assert not any(isinstance(each.claim, ConicBracket) and each.claim.upper is not None for each in outcome.certified)
    assert any(reason.startswith("no bound by X ") for reason in outcome.reasons)


def test_an_exact_solution_from_elsewhere_is_taken_as_it_is() -> None:
    program = problem([matrix_block([[0, 1], [1, 0]], [[1, 0], [0, 1]])], [2])
    point = GivenPoint((square([[1, -1], [-1, 1]]),), row(-1))
    outcome = bound(program, Options(given_only=True), point)
    lower, upper = _bracket(outcome)
    assert lower == upper == -2
    witness = outcome.certified[0].witness
    assert isinstance(witness, BracketWitness)
    assert isinstance(witness.primal, PrimalPoint)
    assert outcome.solve_seconds == 0


def test_given_rays_are_taken_as_they_are_or_rounded() -> None:
    infeasible = problem([matrix_block([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]])], [1, 3])
    for y in (row(-1, 1), row("-0.4999999999", "0.5000000001")):
        claim = bound(infeasible, Options(given_only=True), GivenPoint(None, y)).certified[0].claim
        assert isinstance(claim, ConicInfeasible)
        assert claim.side is Side.PRIMAL
    unbounded = problem([matrix_block([[1, 2], [2, 1]], [[1, 0], [0, -1]])], [0])
    for x in (square([[1, -1], [-1, 1]]), square([["1.00000001", -1], [-1, 1]])):
        claim = bound(unbounded, Options(given_only=True), GivenPoint((x,), None)).certified[0].claim
        assert isinstance(claim, ConicInfeasible)
        assert claim.side is Side.DUAL


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        (GivenPoint(None, None), "it has no"),
        (GivenPoint((row(1, 2),), row(1)), "does not have the blocks"),
        (GivenPoint(None, row(1, 2, 3)), "its y has 3 entries where the problem has 1 equations"),
    ],
)
def test_a_given_point_of_the_wrong_shape_says_so(point: GivenPoint, reason: str) -> None:
    outcome = bound(problem([matrix_block([[0, 1], [1, 0]], [[1, 0], [0, 1]])], [2]), Options(given_only=True), point)
    assert not any(isinstance(each.witness, BracketWitness) and each.witness.primal for each in outcome.certified)
    assert any(reason in each for each in outcome.reasons)


def test_progress_is_told_in_words() -> None:
    told: list[str] = []
    bound(ROOT_TWO, Options(), None, told.append)
    assert told[0] == "solving with interior"


def test_the_first_claim_is_about_both_values_where_it_can_be() -> None:
    claim = bound(ROOT_TWO).certified[0].claim
    assert isinstance(claim, ConicBracket)
    assert claim.optimum is Optimum.BOTH


def test_equations_can_be_taken_out() -> None:
    fewer = with_equations(ROOT_TWO, [2, 0])
    assert fewer.right_hand_side == row(1, 1)
    assert list(fewer.blocks[0].constraints) == [0, 0, 1, 2]
    assert list(fewer.blocks[0].rows) == [1, 2, 2, 0]


def test_multiprecision_knows_its_cones() -> None:
    growth = problem([vector_block(Exponential(), [0, 0, 1], [1, 0, 0])], [1])
    assert work(growth) == float("inf")
    with pytest.raises(ValueError, match=r"no Exponential\(\)"):
        precise_points(growth, effort_for(20))
    free = problem([vector_block(Free(1), [1], [1])], [1])
    assert work(free) == float("inf")
    with pytest.raises(ValueError, match="neither free nor zero"):
        precise_points(free, effort_for(20))


@pytest.mark.parametrize(
    ("cone", "square"),
    [
        # min t with (t, x) = (t, 1, 2): sqrt(5). min u + v with 2 u v >= 1 + 4: sqrt(10).
        (vector_block(SecondOrder(3), [1, 0, 0], [0, 1, 0], [0, 0, 1]), 5),
        (vector_block(Rotated(4), [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]), 10),
    ],
    ids=["second-order", "rotated"],
)
def test_quadratic_cones_have_as_many_digits_as_asked(cone: Block, square: int) -> None:
    lower, upper = _bracket(bound(problem([cone], [1, 2]), Options(digits=30)))
    assert lower > 0
    assert lower**2 <= square <= upper**2
    assert upper - lower <= fmpq(4, 10**30)


def test_a_rotated_cone_of_two_is_two_numbers() -> None:
    lower, upper = _bracket(bound(problem([vector_block(Rotated(2), [1, 2], [1, 1])], [3]), Options(digits=20)))
    assert lower <= 3 <= upper
    assert upper - lower <= fmpq(3, 10**20)


SMALL_FILE = "2\n1\n2\n1 1\n0 1 1 2 1.0\n1 1 1 1 1.0\n2 1 2 2 1.0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.dat-s").write_text(SMALL_FILE)
    (tmp_path / "broken.dat-s").write_text(SMALL_FILE + "2 1 2 2 1.0\n")
    (tmp_path / "other.txt").write_text(SMALL_FILE)
    return tmp_path


def test_a_directory_run_writes_rows_and_resumes(folder: Path) -> None:
    files = [folder / name for name in ("small.dat-s", "broken.dat-s", "other.txt")]
    state = folder / "rows.jsonl"
    told: list[str] = []
    first = list(bound_files(files, state, Options(), report=told.append))
    assert [row.verdict for row, _ in first] == ["bracket", "refused", "refused"]
    assert first[0][0].relative_gap is not None
    assert 0 <= first[0][0].relative_gap <= fmpq(1, 10**8)
    assert first[0][1]
    assert "give each entry once" in first[1][0].reasons[0]
    assert "rename it" in first[2][0].reasons[0]
    assert told[0] == "small: solving with interior"
    again = list(bound_files(files, state, Options(), report=told.append))
    assert [row for row, _ in again] == [row for row, _ in first]
    assert all(certificates == () for _, certificates in again)
    assert len(state.read_text().splitlines()) == 3


def test_a_changed_file_or_more_digits_are_run_again(folder: Path) -> None:
    file, state = folder / "small.dat-s", folder / "rows.jsonl"
    list(bound_files([file], state, Options()))
    list(bound_files([file], state, Options(digits=20)))
    file.write_text(SMALL_FILE.replace("0 1 1 2 1.0", "0 1 1 2 2.0"))
    (row, _), *_ = list(bound_files([file], state, Options()))
    assert row.upper is not None
    assert len({json.dumps(json.loads(line)) for line in state.read_text().splitlines()}) == 3


def _infeasible_file(folder: Path) -> Path:
    file = folder / "none.dat-s"
    file.write_text("2\n1\n2\n1 3\n1 1 1 1 1.0\n1 1 2 2 1.0\n2 1 1 2 1.0\n")
    return file


def test_infeasible_files_have_a_row_of_their_own(folder: Path) -> None:
    (row, certificates), *_ = list(bound_files([_infeasible_file(folder)], folder / "rows.jsonl", Options()))
    assert row.verdict == "no feasible X"
    assert row.lower is None
    assert row.relative_gap is None
    assert isinstance(read_certificate(certificates[0]).claim, ConicInfeasible)


def test_rows_are_about_the_problem_of_the_file_and_the_value_it_states(folder: Path) -> None:
    (found, certificates), *_ = list(bound_files([folder / "small.dat-s"], folder / "rows.jsonl", Options()))
    claim = read_certificate(certificates[0]).claim
    assert isinstance(claim, ConicBracket)
    assert claim.problem.right_hand_side == row(1, 1)
    assert claim.lower is not None
    assert claim.upper is not None
    assert found.ends == (-claim.upper, -claim.lower)


def test_a_bound_on_one_side_is_named_after_the_value_that_the_file_states() -> None:
    given = read_sdpa(SMALL_FILE.encode(), "small").problem
    outcome = bound(given, Options(given_only=True), GivenPoint(None, row(-2, -2)))
    assert summary(outcome) == ("upper", None, fmpq(4))


def test_a_limit_stops_a_problem_which_a_longer_one_takes_up_again(folder: Path) -> None:
    file, state = folder / "small.dat-s", folder / "rows.jsonl"
    ((stopped, certificates),) = bound_files([file], state, Options(), limit=1e-3)
    assert (stopped.verdict, stopped.lower, stopped.certify_seconds, certificates) == (TIME_LIMIT, None, 1e-3, ())
    ((again, _),) = bound_files([file], state, Options(), limit=1e-4)
    assert again == stopped
    told: list[str] = []
    ((found, certificates),) = bound_files([file], state, Options(), limit=60.0, report=told.append)
    assert found.verdict == "bracket"
    assert check(read_certificate(certificates[0])).status is Status.PROVED
    assert told[0] == "small: solving with interior"
    ((kept, _),) = bound_files([file], state, Options(), limit=1e-3)
    assert kept == found


class Deadly(Options):
    """Options that end the process that unpickles them."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (3,)


def test_a_process_that_dies_leaves_a_row_that_says_so(folder: Path) -> None:
    file = folder / "small.dat-s"
    found, certificates = bound_file_within(60.0, file, file.read_bytes(), Deadly())
    assert (found.verdict, certificates) == ("undecided", ())
    assert "ended with exit code 3" in found.reasons[0]


EDGES: dict[str, tuple[ConicProblem, object]] = {
    "no equation": (problem([matrix_block([[1, 0], [0, 1]])], []), 0),
    "no equation, unbounded": (problem([matrix_block([[1, 2], [2, 1]])], []), Side.DUAL),
    "free coordinates only": (problem([vector_block(Free(2), [1, 2], [1, 0], [0, 1])], [3, 4]), 11),
    "free coordinates, unbounded": (problem([vector_block(Free(1), [1], [0])], [0]), Side.DUAL),
    "a zero block only": (problem([vector_block(Zero(1), [1], [1])], [0]), 0),
    "nothing at all": (problem([], []), 0),
    "nothing but a contradiction": (problem([], [1]), Side.PRIMAL),
    "an empty equation": (problem([vector_block(Nonnegative(1), [1], [0])], [1]), Side.PRIMAL),
    "contradicting equations": (problem([vector_block(Nonnegative(2), [1, 1], [1, 1], [1, 1])], [1, 2]), Side.PRIMAL),
}


@pytest.mark.parametrize("name", EDGES)
def test_degenerate_programs_are_decided(name: str) -> None:
    program, wanted = EDGES[name]
    outcome = bound(program)
    assert all(accepted(each) for each in outcome.certified)
    claim = outcome.certified[0].claim
    if isinstance(wanted, Side):
        assert isinstance(claim, ConicInfeasible)
        assert claim.side is wanted
    else:
        lower, upper = _bracket(outcome)
        assert lower <= wanted <= upper  # type: ignore[operator]
        assert upper - lower < fmpq(1, 10**6)


@pytest.mark.parametrize("seed", range(40))
def test_linear_programs_get_the_verdict_of_an_independent_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count, width = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    matrix = rng.integers(-3, 4, size=(count, width))
    cost = rng.integers(-2, 6, size=width)
    right = matrix @ rng.integers(0, 3, size=width) if rng.random() < 0.7 else rng.integers(-4, 5, size=count)
    program = problem([vector_block(Nonnegative(width), cost.tolist(), *matrix.tolist())], right.tolist())
    outcome = bound(program)
    assert all(accepted(each) for each in outcome.certified)
    claims = [each.claim for each in outcome.certified]
    infeasible = {claim.side for claim in claims if isinstance(claim, ConicInfeasible)}
    solved = linprog(cost, A_eq=matrix, b_eq=right, bounds=(0, None))
    if solved.status == 0:
        lower, upper = _bracket(outcome)
        assert float(lower.p) / float(lower.q) - 1e-9 <= solved.fun <= float(upper.p) / float(upper.q) + 1e-9
        assert upper - lower < fmpq(1, 10**6) * (1 + abs(upper))
    elif solved.status == 2:
        assert Side.PRIMAL in infeasible
    else:
        assert Side.DUAL in infeasible
