"""One program and point of order four, all off-diagonals distinct, written as each tool writes them: all read alike.

The layouts are written out here from the documentation of the tools, not taken from the code under test.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import clarabel
import numpy as np
import pytest
import scipy.io

from certify.certificates.importers.conventions import Convention
from certify.certificates.importers.files import (
    ProblemFormat,
    SolutionFormat,
    read_problem_file,
    read_solution,
)
from certify.certificates.importers.raw import Imported, import_clarabel, import_cvxopt, import_scs
from certify.certificates.importers.sedumi import import_sedumi
from certify.checker.conic.cones import Nonnegative
from certify.checker.conic.problem import ConicProblem
from certify.checker.statements.sdpa import read_sdpa
from tests.checker.conic.examples import matrix_block, problem, row, square, vector_block

ORDER = 4
LOWER = [(0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (3, 3)]
UPPER = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3), (3, 3)]
FULL = [(i, j) for j in range(ORDER) for i in range(ORDER)]
LAYOUTS = {
    Convention.LOWER_SQRT2: (LOWER, np.sqrt(2.0)),
    Convention.LOWER_PLAIN: (LOWER, 1.0),
    Convention.UPPER_SQRT2: (UPPER, np.sqrt(2.0)),
    Convention.UPPER_PLAIN: (UPPER, 1.0),
    Convention.FULL: (FULL, 1.0),
}

RNG = np.random.default_rng(20)
TABLES = [np.tril(RNG.permutation(np.arange(1, 17) + 20 * k).reshape(4, 4)) for k in range(6)]
MATRICES = [table + np.tril(table, -1).T for table in TABLES]
C, A, X, S = MATRICES[0], MATRICES[1:4], MATRICES[4], MATRICES[5]
VECTOR = [np.array([5, -7]), np.array([2, 3]), np.array([-1, 4]), np.array([0, 6])]
X_VECTOR, S_VECTOR = np.array([8, 9]), np.array([11, 13])
Y, B = np.array([3, -2, 7]), np.array([1, 10, -4])


def _vector(matrix: np.ndarray[Any, Any], convention: Convention) -> np.ndarray[Any, Any]:
    places, weight = LAYOUTS[convention]
    return np.array([matrix[i, j] * (1.0 if i == j else weight) for i, j in places])


def _stacked(
    vector: np.ndarray[Any, Any], matrix: np.ndarray[Any, Any], convention: Convention
) -> np.ndarray[Any, Any]:
    return np.concatenate([vector.astype(float), _vector(matrix, convention)])


def _listed(matrix: np.ndarray[Any, Any]) -> list[list[int]]:
    return [[int(entry) for entry in line] for line in matrix]


def _same(problem_read: ConicProblem) -> None:
    wanted = problem(
        [vector_block(Nonnegative(2), *(list(map(int, v)) for v in VECTOR)), matrix_block(*map(_listed, MATRICES[:4]))],
        [int(b) for b in B],
    )
    assert problem_read.blocks == wanted.blocks
    assert problem_read.right_hand_side == wanted.right_hand_side


def _same_point(imported: Imported, *, slack: bool = True) -> None:
    _same(imported.problem)
    point = imported.point
    assert point.x == (row(*map(int, X_VECTOR)), square(_listed(X)))
    assert point.y == row(*map(int, Y))
    if slack:
        assert point.slack == (row(*map(int, S_VECTOR)), square(_listed(S)))


def _standard(convention: Convention) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of ``min c'x, Ax + s = b`` and its solution x, y, s: the program is its dual."""
    columns = [_stacked(v, m, convention) for v, m in zip(VECTOR[1:], A, strict=True)]
    data = {"A": np.array(columns).T, "b": _stacked(VECTOR[0], C, convention), "c": -B.astype(float)}
    solution = {
        "x": Y.astype(float),
        "y": _stacked(X_VECTOR, X, convention),
        "s": _stacked(S_VECTOR, S, convention),
    }
    return data, solution


def test_the_example_tells_every_layout_apart() -> None:
    for matrix in MATRICES:
        entries = [int(matrix[i, j]) for i, j in LOWER]
        assert len(set(entries)) == len(entries)
    assert len({tuple(_vector(C, convention)) for convention in Convention}) == len(Convention)


@pytest.mark.parametrize("convention", list(Convention))
def test_scs(convention: Convention) -> None:
    data, solution = _standard(convention)
    _same_point(import_scs(data, {"l": 2, "s": [4]}, solution, convention))


@pytest.mark.parametrize("convention", list(Convention))
def test_clarabel(convention: Convention) -> None:
    data, solution = _standard(convention)
    cones = [clarabel.NonnegativeConeT(2), clarabel.PSDTriangleConeT(4)]
    returned = SimpleNamespace(x=solution["x"], z=solution["y"], s=solution["s"])
    _same_point(import_clarabel({"A": data["A"], "b": data["b"], "q": data["c"]}, cones, returned, convention))


@pytest.mark.parametrize("convention", list(Convention))
def test_cvxopt(convention: Convention) -> None:
    data, solution = _standard(convention)
    given = {"c": data["c"], "G": data["A"], "h": data["b"]}
    returned = {"x": solution["x"], "z": solution["y"], "s": solution["s"]}
    _same_point(import_cvxopt(given, {"l": 2, "q": [], "s": [4]}, returned, convention))


@pytest.mark.parametrize("convention", list(Convention))
def test_npz(convention: Convention, tmp_path: Path) -> None:
    data, solution = _standard(convention)
    path = tmp_path / "dump.npz"
    arrays = {"x": solution["x"], "y": solution["y"], "s_sol": solution["s"]}
    np.savez(path, **data, **arrays, l=np.array(2), s=np.array([4]))
    _same_point(read_problem_file(path, ProblemFormat.NPZ, convention))


@pytest.mark.parametrize("name", ["A", "At"])
@pytest.mark.parametrize("convention", list(Convention))
def test_sedumi(convention: Convention, name: str, tmp_path: Path) -> None:
    """Side (P) as it stands, in either orientation."""
    rows = np.array([_stacked(v, m, convention) for v, m in zip(VECTOR[1:], A, strict=True)])
    content = {
        name: rows if name == "A" else rows.T,
        "b": B.astype(float),
        "c": _stacked(VECTOR[0], C, convention),
        "K": {"l": 2, "s": 4},
        "x": _stacked(X_VECTOR, X, convention),
        "y": Y.astype(float),
    }
    _same_point(import_sedumi(content, convention), slack=False)
    path = tmp_path / "problem.mat"
    scipy.io.savemat(path, content)
    _same_point(read_problem_file(path, ProblemFormat.SEDUMI, convention), slack=False)


def _entries(number: int, part: int, matrix: np.ndarray[Any, Any], sign: int = 1) -> list[str]:
    return [f"{number} {part} {j + 1} {i + 1} {sign * matrix[i, j]}" for i, j in LOWER]


def _sdpa_file() -> bytes:
    """C = -F_0, A_i = F_i, b = c: a diagonal block of two, then the matrix, upper triangle."""
    lines = ["3", "2", "-2 4", " ".join(map(str, B))]
    for k, (vector, matrix) in enumerate(zip(VECTOR, MATRICES[:4], strict=True)):
        sign = -1 if k == 0 else 1
        lines += [f"{k} 1 {i + 1} {i + 1} {sign * value}" for i, value in enumerate(vector)]
        lines += _entries(k, 2, matrix, sign)
    return "\n".join(lines).encode()


def _csdp_solution() -> str:
    """-y, then the slack as matrix 1 and X as matrix 2, upper triangle."""
    lines = [" ".join(str(-value) for value in Y)]
    for number, vector, matrix in ((1, S_VECTOR, S), (2, X_VECTOR, X)):
        lines += [f"{number} 1 {i + 1} {i + 1} {value}" for i, value in enumerate(vector)]
        lines += _entries(number, 2, matrix)
    return "\n".join(lines)


def _sdpa_result() -> str:
    """XVec is -y, xMat the slack, yMat X, whole matrices row by row."""

    def matrices(vector: np.ndarray[Any, Any], matrix: np.ndarray[Any, Any]) -> str:
        lines = ", ".join("{" + ", ".join(map(str, line)) + "}" for line in matrix)
        return "{\n{" + ", ".join(map(str, vector)) + "}\n{ " + lines + " }\n}\n"

    x_vector = "{" + ", ".join(str(-value) for value in Y) + "}"
    return f"xVec =\n{x_vector}\nxMat =\n{matrices(S_VECTOR, S)}yMat =\n{matrices(X_VECTOR, X)}"


@pytest.mark.parametrize(
    ("written", "file_format"), [(_csdp_solution, SolutionFormat.CSDP), (_sdpa_result, SolutionFormat.SDPA)]
)
def test_solution_files(written: Callable[[], str], file_format: SolutionFormat, tmp_path: Path) -> None:
    read = read_sdpa(_sdpa_file(), "example").problem
    path = tmp_path / "solution"
    path.write_text(written())
    _same_point(Imported(read, read_solution(path, read, file_format)))
