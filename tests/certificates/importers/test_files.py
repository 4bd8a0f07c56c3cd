"""Solution files of SDPA and CSDP and SeDuMi problems: every digit kept, every mismatch named."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
from flint import fmpq

from certify.certificates.conic.bounds import Options
from certify.certificates.importers.bounding import bound_imported
from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.files import ProblemFormat, SolutionFormat, read_problem_file, read_solution
from certify.certificates.importers.raw import Imported
from certify.certificates.importers.sdpa_solutions import read_csdp_solution, read_sdpa_result
from certify.certificates.importers.sedumi import import_sedumi, read_sedumi
from certify.certificates.importers.standard import ImportFailed
from certify.checker.conic.claims import ConicBracket
from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, Rotated, SecondOrder
from certify.checker.conic.problem import ConicProblem
from certify.checker.statements.sdpa import read_sdpa
from tests.certificates.conic.examples import accepted
from tests.checker.conic.examples import cases, row, square

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "sdplib"
GIVEN_ONLY = Options(given_only=True)

# The manual's example, value 30 in the file's sign: x = (1, 1), Y = diag(50/9, 40/9) and 20/9 [[1, -1], [-1, 1]].
RESULT = """SDPA start
phase.value = pdOPT
xVec =
{+1.0e+00,+1.0e+00}
xMat =
{
{ {+0.0,+0.0 }, {+0.0,+0.0 } }
{ {+2.0,+2.0 }, {+2.0,+2.0 } }
}
yMat =
{
{ {+5.55556,+0.0 }, {+0.0,+4.44444 } }
{ {+2.22222,-2.22222 }, {-2.22222,+2.22222 } }
}
    main loop time = 0.0
"""


@pytest.fixture
def manual() -> ConicProblem:
    return read_sdpa(cases()["sdpa-python-sign"]["data"]["text"].encode(), "manual").problem


def test_an_sdpa_result_is_read_in_our_signs(manual: ConicProblem) -> None:
    point = read_sdpa_result(RESULT, manual)
    assert point.y == row(-1, -1)
    assert point.x == (
        square([["5.55556", 0], [0, "4.44444"]]),
        square([["2.22222", "-2.22222"], ["-2.22222", "2.22222"]]),
    )
    assert point.slack == (square([[0, 0], [0, 0]]), square([[2, 2], [2, 2]]))


def test_a_rounded_sdpa_result_gives_a_bracket_after_repair(manual: ConicProblem) -> None:
    outcome = bound_imported(Imported(manual, read_sdpa_result(RESULT, manual)), GIVEN_ONLY)
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicBracket)
    assert claim.lower == -30
    assert accepted(outcome.certified[0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("xMat =", "xmat =", "no section xMat"),
        ("{+1.0e+00,+1.0e+00}", "{+1.0e+00}", "xVec has 1 numbers"),
        ("+5.55556", "+5.55556x", r"yMat: '\+5.55556x' is no number"),
        ("+5.55556", "nan", "yMat: 'nan' is no number"),
        ("    main loop time = 0.0\n", "", None),
    ],
)
def test_a_broken_result_says_what_is_wrong(manual: ConicProblem, old: str, new: str, message: str | None) -> None:
    text = RESULT.replace(old, new)
    if message is None:
        assert read_sdpa_result(text, manual) == read_sdpa_result(RESULT, manual)
        return
    with pytest.raises(ImportFailed, match=message):
        read_sdpa_result(text, manual)


def test_a_result_that_was_cut_off_is_refused(manual: ConicProblem) -> None:
    with pytest.raises(ImportFailed, match="cut off"):
        read_sdpa_result(RESULT[: RESULT.index("-2.22222")], manual)


SOLUTION = """1.0 1.0
1 2 1 1 2.0
1 2 1 2 2.0
1 2 2 2 2.0
2 1 1 1 5.55556
2 1 2 2 4.44444
2 2 1 1 2.22222
2 2 1 2 -2.22222
2 2 2 2 2.22222
"""


def test_a_csdp_solution_is_the_same_point(manual: ConicProblem) -> None:
    assert read_csdp_solution(SOLUTION, manual) == read_sdpa_result(RESULT, manual)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1.0 1.0\n", "1.0\n", "line 1 has 1 numbers"),
        ("2 1 1 1 5.55556", "2 1 1 5.55556", "line 5: '2 1 1 5.55556' is no entry"),
        ("2 1 1 1 5.55556", "3 1 1 1 5.55556", "line 5: .* lies outside"),
        ("2 1 1 1 5.55556", "2 1 1 3 5.55556", "line 5: .* lies outside"),
        ("2 1 1 1 5.55556", "2 1 1 1 inf", "line 5: 'inf' is no number"),
    ],
)
def test_a_broken_csdp_solution_names_its_line(manual: ConicProblem, old: str, new: str, message: str) -> None:
    with pytest.raises(ImportFailed, match=message):
        read_csdp_solution(SOLUTION.replace(old, new), manual)


def test_the_slack_in_place_of_x_is_named(manual: ConicProblem) -> None:
    swapped = "\n".join(f"{3 - int(line[0])}{line[1:]}" if k else line for k, line in enumerate(SOLUTION.splitlines()))
    outcome = bound_imported(Imported(manual, read_csdp_solution(swapped, manual)), GIVEN_ONLY)
    assert "would with X and the slack swapped" in outcome.reasons[0]


def test_an_objective_with_the_other_sign_is_named(manual: ConicProblem) -> None:
    flipped = SOLUTION.replace("1.0 1.0", "-1.0 -1.0")
    outcome = bound_imported(Imported(manual, read_csdp_solution(flipped, manual)), GIVEN_ONLY)
    assert "would with y negated" in outcome.reasons[0]


REFUTED = [f"hinf{k}" for k in (1, 4, 7, 8, 10, 11, 12, 13, 14, 15)]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the SDPLIB files are not shipped with the project")
@pytest.mark.parametrize("name", REFUTED)
def test_published_optimal_values_of_sdplib_are_refuted_by_printed_points(name: str) -> None:
    table = dict(line.split(",")[0:6:5] for line in (SHARED / "reference_values.csv").read_text().splitlines())
    problem = read_sdpa((SHARED / f"{name}.dat-s").read_bytes(), name).problem
    text = lzma.decompress((SHARED / "results-gmp" / f"{name}.result.xz").read_bytes()).decode()
    point = read_sdpa_result(text, problem)
    outcome = bound_imported(Imported(problem, point), GIVEN_ONLY)
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicBracket)
    assert accepted(outcome.certified[0])
    # The published minimum of side (P) of the file is above an exactly feasible value: neutral values are negated.
    assert claim.lower is not None
    published = fmpq(*(float(table[name])).as_integer_ratio())
    assert -claim.lower < published * fmpq(99, 100)


SEDUMI: dict[str, Any] = {
    "A": np.array([[1.0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1], [0.0, 1, 0, 1, 0, 0, 1, 0, 2, 2, 0]]),
    "b": np.array([1.0, 0.5]),
    "c": np.array([0.0, 1, 1, 0, 0, 1, 0, 1, 0.25, 0.25, 2]),
    "K": {"f": 1, "l": 1, "q": np.zeros((0,)), "r": np.array([5]), "s": 2},
}


def test_sedumi_is_side_p_as_it_stands() -> None:
    problem = import_sedumi(SEDUMI, Convention.FULL).problem
    assert [part.cone for part in problem.blocks] == [Free(1), Nonnegative(1), Rotated(5), PositiveSemidefinite(2)]
    assert problem.right_hand_side == row(1, "1/2")
    matrix = problem.blocks[-1]
    assert list(zip(matrix.constraints, matrix.rows, matrix.columns, strict=True)) == [
        (0, 0, 0),
        (0, 1, 0),
        (0, 1, 1),
        (1, 0, 0),
        (1, 1, 1),
        (2, 1, 0),
    ]
    assert matrix.values == row(1, "1/4", 2, 1, 1, 2)


def test_sedumi_files_of_either_orientation_are_read_with_their_solution(tmp_path: Path) -> None:
    path = tmp_path / "problem.mat"
    content = {name: value for name, value in SEDUMI.items() if name != "A"}
    solution = {"x": np.arange(11.0), "y": np.array([1.0, -2.0])}
    scipy.io.savemat(path, {**content, "At": SEDUMI["A"].T, **solution})
    imported = read_sedumi(path, Convention.FULL)
    assert imported.problem == import_sedumi(SEDUMI, Convention.FULL).problem
    assert imported.point.y == row(1, -2)
    assert imported.point.x is not None
    assert imported.point.x[-1] == square([[7, "17/2"], ["17/2", 10]])


def test_second_order_cones_of_sedumi_keep_their_order() -> None:
    content = {"A": np.eye(2, 7), "b": np.ones(2), "c": np.ones(7), "K": {"q": np.array([3, 4])}}
    problem = import_sedumi(content, Convention.FULL).problem
    assert [part.cone for part in problem.blocks] == [SecondOrder(3), SecondOrder(4)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": None}, "no variable b"),
        ({"A": None}, "no variable A or At"),
        ({"K": {"s": 3}}, "K takes other than the 11 entries"),
        ({"K": {**SEDUMI["K"], "scomplex": 1}}, "K.scomplex is not supported"),
        ({"A": np.ones((3, 11))}, r"shape \(3, 11\)"),
        ({"c": np.append(np.zeros(7), [1, 1, 2, 1])}, r"entry \(2, 1\) is 1 and \(1, 2\) is 2"),
        ({"c": np.full(11, np.inf)}, "inf in the data"),
        ({"c": np.full(11, 1j)}, "complex"),
    ],
)
def test_a_broken_sedumi_problem_says_what_is_wrong(change: dict[str, object], message: str) -> None:
    content = {name: value for name, value in {**SEDUMI, **change}.items() if value is not None}
    with pytest.raises(ImportFailed, match=message):
        import_sedumi(content, Convention.FULL)


@pytest.mark.parametrize("content", [b"MATLAB 7.3 MAT-file" + bytes(200), b"short", b"x" * 300])
def test_a_file_that_is_no_mat_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.mat"
    path.write_bytes(content)
    with pytest.raises(ImportFailed, match=r"x\.mat is no \.mat file"):
        read_sedumi(path, Convention.FULL)


def test_solution_files_are_read_by_the_format_named(manual: ConicProblem, tmp_path: Path) -> None:
    plain, packed, zipped = (tmp_path / name for name in ("m.sol", "m.result.xz", "m.result.gz"))
    plain.write_text(SOLUTION)
    packed.write_bytes(lzma.compress(RESULT.encode()))
    zipped.write_bytes(gzip.compress(RESULT.encode()))
    wanted = read_csdp_solution(SOLUTION, manual)
    assert read_solution(plain, manual, SolutionFormat.CSDP) == wanted
    assert read_solution(packed, manual, SolutionFormat.SDPA) == wanted
    assert read_solution(zipped, manual, SolutionFormat.SDPA) == wanted
    with pytest.raises(ImportFailed, match="no section xVec"):
        read_solution(plain, manual, SolutionFormat.SDPA)


@pytest.mark.parametrize(("name", "data"), [("a.xz", b"x"), ("a.gz", b"x"), ("a.sol", b"\xff\xfe")])
def test_unreadable_solution_files_are_refused(manual: ConicProblem, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ImportFailed, match=name):
        read_solution(tmp_path / name, manual, SolutionFormat.CSDP)


def test_npz_dumps_are_read_and_pickles_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.npz"
    np.savez(
        path, A=np.array([[1.0, 0.0], [0.0, -1.0]]), b=np.array([2.0, 0.0]), c=np.array([-1.0, 1.0]), l=np.array(2)
    )
    imported = read_problem_file(path, ProblemFormat.NPZ, Convention.LOWER_SQRT2)
    assert imported.problem.right_hand_side == row(1, -1)
    np.savez(path, A=np.array([[None]], dtype=object), b=np.zeros(1), c=np.zeros(1))
    with pytest.raises(ImportFailed, match="no npz file of plain arrays"):
        read_problem_file(path, ProblemFormat.NPZ, Convention.LOWER_SQRT2)
    path.write_bytes(b"no archive")
    with pytest.raises(ImportFailed, match="no npz file of plain arrays"):
        read_problem_file(path, ProblemFormat.NPZ, Convention.LOWER_SQRT2)
