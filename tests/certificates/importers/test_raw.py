"""Raw data of SCS, Clarabel, CVXOPT and dumps: each reads as the same exact program, and wrong tags are caught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp
import scs
from flint import fmpq

from certify.certificates.conic.bounds import Options, Outcome
from certify.certificates.importers.bounding import bound_imported
from certify.certificates.importers.conventions import SQRT2, Convention
from certify.certificates.importers.files import ProblemFormat, other_readings, read_problem_file
from certify.certificates.importers.raw import (
    Imported,
    import_arrays,
    import_clarabel,
    import_cvxopt,
    import_scs,
)
from certify.certificates.importers.standard import ImportFailed
from certify.checker.conic.claims import ConicBracket, ConicInfeasible, Side
from certify.checker.conic.cones import DualPower, Power
from certify.checker.conic.problem import ConicProblem, SourceValue
from certify.solvers.conic.arrays import FloatArray, float_problem
from certify.solvers.conic.layout import Triangle
from certify.solvers.conic.standard import standard_form
from tests.certificates.conic.examples import accepted, random_problem
from tests.checker.conic.examples import cases

PROGRAM = random_problem(11, 4, 5, nonnegative=2)
TAGS = {Triangle.LOWER: Convention.LOWER_SQRT2, Triangle.UPPER: Convention.UPPER_SQRT2}


def _arrays(triangle: Triangle) -> dict[str, Any]:
    """The program in the standard form, the nonnegative block first as SCS wants it."""
    form = standard_form(float_problem(PROGRAM), triangle, (1, 0))
    return {"A": form.matrix, "b": form.constant, "c": form.linear}


def _scs_solution(data: dict[str, Any], cone: dict[str, Any]) -> dict[str, Any]:
    solver = scs.SCS(data, cone, eps_abs=1e-9, eps_rel=1e-9, verbose=False)
    return dict(solver.solve())


def _clarabel_solution(data: dict[str, Any], cones: list[Any]) -> Any:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    width = len(data["c"])
    return clarabel.DefaultSolver(
        sp.csc_matrix((width, width)), data["c"], data["A"], data["b"], cones, settings
    ).solve()


def _clarabel_import(triangle: Triangle, convention: Convention) -> Imported:
    data = _arrays(Triangle.UPPER)
    cones = [clarabel.NonnegativeConeT(2), clarabel.PSDTriangleConeT(4)]
    solution = _clarabel_solution(data, cones)
    given = _arrays(triangle)
    return import_clarabel({"A": given["A"], "b": given["b"], "q": given["c"]}, cones, solution, convention)


def _scs_import(convention: Convention) -> Imported:
    data, cone = _arrays(Triangle.LOWER), {"l": 2, "s": [4]}
    return import_scs(data, cone, _scs_solution(data, cone), convention)


def _same_program(problem: ConicProblem) -> None:
    assert problem.source_value is SourceValue.NEGATED
    assert problem.right_hand_side == PROGRAM.right_hand_side
    assert problem.blocks == (PROGRAM.blocks[1], PROGRAM.blocks[0])


def _closed(outcome: Outcome) -> ConicBracket:
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicBracket)
    assert accepted(outcome.certified[0])
    assert claim.lower is not None
    assert claim.upper is not None
    assert claim.upper - claim.lower < fmpq(1, 10**4) * (1 + abs(claim.upper))
    return claim


GIVEN_ONLY = Options(given_only=True)


def test_scs_data_and_solution_are_read_exactly_and_certified_without_a_solver() -> None:
    imported = _scs_import(Convention.LOWER_SQRT2)
    _same_program(imported.problem)
    _closed(bound_imported(imported, GIVEN_ONLY))


def test_clarabel_data_and_solution_are_read_exactly_and_certified_without_a_solver() -> None:
    imported = _clarabel_import(Triangle.UPPER, Convention.UPPER_SQRT2)
    _same_program(imported.problem)
    _closed(bound_imported(imported, GIVEN_ONLY))


def test_a_wrong_triangle_is_another_program() -> None:
    assert _scs_import(Convention.UPPER_SQRT2).problem.blocks[1] != PROGRAM.blocks[0]
    assert _scs_import(Convention.LOWER_PLAIN).problem.blocks[1] != PROGRAM.blocks[0]


def test_cvxopt_reads_full_matrices_and_equations() -> None:
    form = float_problem(PROGRAM)
    rows = sp.vstack([form.blocks[1].rows.T, form.blocks[0].rows.T])
    constant = np.concatenate([form.blocks[1].cost, form.blocks[0].cost.ravel()])
    data = {"c": -form.right_hand_side, "G": rows.toarray(), "h": constant}
    _same_program(import_cvxopt(data, {"l": 2, "q": [], "s": [4]}, None, Convention.FULL).problem)
    fixed = {**data, "A": np.ones((1, 5)), "b": np.array([0.25])}
    problem = import_cvxopt(fixed, {"l": 2, "q": [], "s": [4]}, None, Convention.FULL).problem
    assert problem.blocks[0].values.entry(0, 0) == fmpq(1, 4)
    assert problem.blocks[1:] == (PROGRAM.blocks[1], PROGRAM.blocks[0])


def test_a_matrix_that_is_not_symmetric_is_refused_with_its_place() -> None:
    columns = np.eye(2).reshape(4, 1)
    data = {"c": np.ones(1), "G": -columns, "h": np.array([0.0, 2.0, 0.0, 0.0])}
    with pytest.raises(ImportFailed, match=r"entry \(2, 1\) is 2 and \(1, 2\) is 0"):
        import_cvxopt(data, {"s": [2]}, None, Convention.FULL)


def test_the_ray_of_the_cvxopt_sign_case_is_verified_exactly() -> None:
    case = cases()["cvxopt87-sign"]["data"]
    data = {"c": np.array(case["c"], float), "G": np.array(case["G_columns"], float).T, "h": np.zeros(4)}
    solution = {"x": [-1.0, 0.0, 0.0], "z": np.zeros(4), "s": [1.0, 0.0, 0.0, 0.0]}
    imported = import_cvxopt(data, {"s": [2]}, solution, Convention.FULL)
    outcome = bound_imported(imported, GIVEN_ONLY)
    claim = outcome.certified[0].claim
    # (P) is their dual: infeasible because their own problem is unbounded along the ray.
    assert isinstance(claim, ConicInfeasible)
    assert claim.side is Side.PRIMAL
    assert accepted(outcome.certified[0])


@pytest.mark.parametrize(("convention", "square"), [(Convention.LOWER_PLAIN, 4), (Convention.LOWER_SQRT2, 2)])
def test_the_missing_root_two_is_a_question_of_the_tag(convention: Convention, square: int) -> None:
    case = cases()["svec-missing-sqrt2"]["data"]
    data = {"A": np.array(case["A"], float), "b": np.array(case["b"], float), "c": np.array(case["c"], float)}
    claim = _closed(bound_imported(import_scs(data, case["cone"], None, convention), Options()))
    assert claim.lower is not None
    assert claim.upper is not None
    # The value is negated: -2 as plain entries, -sqrt(2) when the entries are taken for scaled ones.
    assert claim.upper < 0
    assert claim.upper**2 - fmpq(1, 10**7) <= square <= claim.lower**2 + fmpq(1, 10**7)


@pytest.mark.parametrize(
    ("layout", "convention", "value"),
    [
        ("svec_identity_lower_colmajor", Convention.LOWER_SQRT2, 1),
        ("svec_identity_upper_colmajor", Convention.UPPER_SQRT2, 1),
        ("svec_identity_lower_colmajor", Convention.UPPER_SQRT2, 0),
    ],
)
def test_the_triangle_order_decides_from_order_four(layout: str, convention: Convention, value: int) -> None:
    # max c with c I PSD and c <= 1; misplaced ones leave an indefinite matrix unless c = 0.
    identity = np.array(cases()["svec-triangle-order"]["data"][layout], float)
    data = {"A": np.concatenate([[1.0], -identity])[:, None], "b": np.concatenate([[1.0], 0 * identity]), "c": [-1.0]}
    outcome = bound_imported(import_scs(data, {"l": 1, "s": [4]}, None, convention), Options())
    claim = outcome.certified[0].claim
    assert isinstance(claim, ConicBracket)
    assert claim.lower is not None
    assert claim.upper is not None
    assert claim.lower <= value <= claim.upper
    assert claim.upper - claim.lower < fmpq(1, 10**6)


def test_a_dump_reads_like_the_arrays_it_was_made_of() -> None:
    data = _arrays(Triangle.LOWER)
    matrix = sp.csc_matrix(data["A"])
    dump = {
        "A_data": matrix.data,
        "A_indices": matrix.indices,
        "A_indptr": matrix.indptr,
        "A_shape": np.array(matrix.shape),
        "b": data["b"],
        "c": data["c"],
        "l": np.array(2),
        "s": np.array([4]),
    }
    _same_program(import_arrays(dump, Convention.LOWER_SQRT2).problem)
    dense = {"A": matrix.toarray(), "b": data["b"], "c": data["c"], "l": 2, "s": 4}
    _same_program(import_arrays(dense, Convention.LOWER_SQRT2).problem)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A_data": None}, "neither 'A' nor 'A_data'"),
        ({"c": None}, "no array 'c'"),
        ({"s": np.array([5])}, "the cones take 17 rows"),
    ],
)
def test_a_broken_dump_says_what_is_wrong(change: dict[str, Any], message: str) -> None:
    matrix = sp.csc_matrix(_arrays(Triangle.LOWER)["A"])
    dump = {"A_data": matrix.data, "A_indices": matrix.indices, "A_indptr": matrix.indptr, "A_shape": matrix.shape}
    whole = {**dump, "b": np.zeros(12), "c": np.zeros(5), "l": 2, "s": np.array([4]), **change}
    with pytest.raises(ImportFailed, match=message):
        import_arrays({name: value for name, value in whole.items() if value is not None}, Convention.LOWER_SQRT2)


def test_a_quadratic_objective_and_unknown_cones_are_refused() -> None:
    data = _arrays(Triangle.LOWER)
    with pytest.raises(ImportFailed, match="quadratic part P"):
        import_scs({**data, "P": sp.identity(5)}, {"l": 2, "s": [4]}, None, Convention.LOWER_SQRT2)
    with pytest.raises(ImportFailed, match="the cone 'cs' is not supported"):
        import_scs(data, {"l": 2, "s": [4], "cs": [2]}, None, Convention.LOWER_SQRT2)
    with pytest.raises(ImportFailed, match="GenPowerConeT"):
        import_clarabel(
            {"A": data["A"], "b": data["b"], "q": data["c"]},
            [clarabel.GenPowerConeT([0.5, 0.5], 1)],
            None,
            Convention.UPPER_SQRT2,
        )


def test_nan_is_refused() -> None:
    data = _arrays(Triangle.LOWER)
    with pytest.raises(ImportFailed, match="nan in the data"):
        import_scs({**data, "b": np.full(12, np.nan)}, {"l": 2, "s": [4]}, None, Convention.LOWER_SQRT2)


def test_power_cones_keep_their_exponent_and_their_side() -> None:
    data = {"A": np.vstack([-np.eye(3), -np.eye(3)]), "b": np.zeros(6), "c": np.zeros(3)}
    problem = import_scs(data, {"p": [0.25, -0.75]}, None, Convention.LOWER_SQRT2).problem
    # Side (P) holds the dual cones.
    assert [block.cone for block in problem.blocks] == [DualPower(fmpq(1, 4)), Power(fmpq(3, 4))]


MISTAKES: dict[str, Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]] = {
    "y negated": lambda x, z: (-x, z),
    "X doubled": lambda x, z: (x, 0.5 * z),
    "X halved": lambda x, z: (x, 2.0 * z),
    "off-diagonal entries of X times sqrt(2)": lambda x, z: (x, _off(z, 1 / SQRT2)),
    "off-diagonal entries of X times 1/sqrt(2)": lambda x, z: (x, _off(z, SQRT2)),
    "X read as the upper triangle scaled by sqrt(2)": lambda x, z: (x, _transposed(z)),
    "X negated, and y negated": lambda x, z: (-x, -z),
}


def _off(z: FloatArray, factor: float) -> FloatArray:
    diagonal = [2, 6, 9, 11]
    return np.array([v if k < 2 or k in diagonal else v * factor for k, v in enumerate(z)])


def _transposed(z: FloatArray) -> FloatArray:
    """Write the matrix of a lower vector as an upper one, which the lower reading then gets wrong."""
    lower = {place: k for k, place in enumerate((i, j) for j in range(4) for i in range(j, 4))}
    upper = [(j, i) for j in range(4) for i in range(j + 1)]
    return np.concatenate([z[:2], [z[2 + lower[place]] for place in upper]])


@pytest.mark.parametrize("name", MISTAKES)
def test_a_known_mistake_is_named(name: str) -> None:
    data, cone = _arrays(Triangle.LOWER), {"l": 2, "s": [4]}
    solution = _scs_solution(data, cone)
    x, y = MISTAKES[name](np.asarray(solution["x"]), np.asarray(solution["y"]))
    imported = import_scs(data, cone, {"x": x, "y": y}, Convention.LOWER_SQRT2)
    outcome = bound_imported(imported, GIVEN_ONLY)
    assert outcome.reasons[0] == f"the given solution does not fit the problem as it was read, but would with {name}"


def test_the_slack_in_place_of_the_multiplier_is_named() -> None:
    data, cone = _arrays(Triangle.LOWER), {"l": 2, "s": [4]}
    solution = _scs_solution(data, cone)
    swapped = {"x": solution["x"], "y": solution["s"], "s": solution["y"]}
    outcome = bound_imported(import_scs(data, cone, swapped, Convention.LOWER_SQRT2), GIVEN_ONLY)
    assert "would with X and the slack swapped" in outcome.reasons[0]


def test_a_fitting_solution_is_not_suspected() -> None:
    outcome = bound_imported(_scs_import(Convention.LOWER_SQRT2), GIVEN_ONLY)
    assert not any("does not fit" in reason for reason in outcome.reasons)


def test_a_solution_that_nothing_explains_is_said_not_to_fit() -> None:
    data, cone = _arrays(Triangle.LOWER), {"l": 2, "s": [4]}
    solution = _scs_solution(data, cone)
    noise = {"x": solution["x"] + np.arange(5.0), "y": solution["y"]}
    outcome = bound_imported(import_scs(data, cone, noise, Convention.LOWER_SQRT2), GIVEN_ONLY)
    assert outcome.reasons[0].endswith("as it was read, and no known mistake explains it")


@pytest.mark.parametrize("wrong", [Convention.UPPER_SQRT2, Convention.LOWER_PLAIN])
def test_data_and_solution_under_the_wrong_tag_are_told_by_the_solution(wrong: Convention, tmp_path: Path) -> None:
    data, cone = _arrays(Triangle.LOWER), {"l": 2, "s": [4]}
    solution = _scs_solution(data, cone)
    path = tmp_path / "dump.npz"
    arrays = {"A": data["A"].toarray(), "b": data["b"], "c": data["c"], "x": solution["x"], "y": solution["y"]}
    np.savez(path, **arrays, l=np.array(2), s=np.array([4]))

    def reasons(tag: Convention) -> tuple[str, ...]:
        readings = other_readings(path, ProblemFormat.NPZ, tag)
        return bound_imported(read_problem_file(path, ProblemFormat.NPZ, tag), GIVEN_ONLY, readings=readings).reasons

    assert "would with the convention lower-sqrt2" in reasons(wrong)[0]
    assert not any("does not fit" in reason for reason in reasons(Convention.LOWER_SQRT2))


def test_a_ray_is_no_solution_that_misses() -> None:
    """min -x1 with x1 >= 0 is unbounded along x = 1; its dual has the multiplier of nothing."""
    data = {"A": np.array([[-1.0]]), "b": np.zeros(1), "c": np.array([-1.0])}
    imported = import_scs(data, {"l": 1}, {"x": np.ones(1), "y": np.zeros(1)}, Convention.LOWER_SQRT2)
    outcome = bound_imported(imported, GIVEN_ONLY)
    assert isinstance(outcome.certified[0].claim, ConicInfeasible)
    assert not any("does not fit" in reason for reason in outcome.reasons)
