"""certify bound, show and check on conic programs, as a user runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import read_certificate
from certify.checker.conic.claims import ConicBracket, ConicInfeasible
from certify.cli import main

# min x1 + x2 with [[x1, 1], [1, x2]] PSD: the optimum is 2, at x1 = x2 = 1.
GEOMETRIC = "2\n1\n2\n1.0 1.0\n0 1 1 2 -1.0\n1 1 1 1 1.0\n2 1 2 2 1.0\n"
# min x1 with x1 >= 1 and -x1 >= 0: no x1 satisfies both.
EMPTY = "1\n1\n-2\n1.0\n0 1 1 1 1.0\n1 1 1 1 1.0\n1 1 2 2 -1.0\n"
OFF_DIAGONAL = "1\n1\n-2\n1.0\n1 1 1 2 1.0\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("geometric.dat-s").write_text(GEOMETRIC, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def test_a_bound_is_proved_written_and_compared_with_the_users_file(run: Callable[..., Result]) -> None:
    bounded = run("bound", "geometric.dat-s", "-o", "bound.cert.json")
    assert bounded.exit_code == 0
    assert "PROVED  bound.cert.json" in bounded.stdout
    claim = read_certificate(Path("bound.cert.json").read_bytes()).claim
    assert isinstance(claim, ConicBracket)
    assert claim.lower is not None
    assert claim.upper is not None
    assert claim.lower <= -2 <= claim.upper
    assert claim.upper - claim.lower <= fmpq(1, 10**7)
    assert run("check", "bound.cert.json", "--problem", "geometric.dat-s").exit_code == 0
    Path("other.dat-s").write_text(GEOMETRIC.replace("0 1 1 2 -1.0", "0 1 1 2 -2.0"), encoding="utf-8")
    compared = run("check", "bound.cert.json", "--problem", "other.dat-s")
    assert compared.exit_code == 4
    assert "not about the program in other.dat-s" in compared.stderr


def test_json_names_the_claim_and_its_bracket(run: Callable[..., Result]) -> None:
    result = run("bound", "geometric.dat-s", "-o", "bound.cert.json", "--json", "-q")
    (entry,) = json.loads(result.stdout)["results"]
    assert (entry["verdict"], entry["kind"]) == ("PROVED", "ConicBracket")


def test_an_infeasible_program_is_proved_infeasible(run: Callable[..., Result]) -> None:
    Path("empty.dat-s").write_text(EMPTY, encoding="utf-8")
    assert run("bound", "empty.dat-s", "-o", "empty.cert.json", "-q").exit_code == 0
    assert isinstance(read_certificate(Path("empty.cert.json").read_bytes()).claim, ConicInfeasible)


def test_show_prints_a_program_as_parsed(run: Callable[..., Result]) -> None:
    Path("warned.dat-s").write_text(GEOMETRIC.replace("0 1 1 2 -1.0", "{0, 1, 1, 2, -1.0}"), encoding="utf-8")
    plain = run("show", "geometric.dat-s")
    assert plain.exit_code == 0
    assert "PositiveSemidefinite(2)" in plain.stdout
    assert "notice" not in plain.stdout
    assert "notice" in run("show", "warned.dat-s").stdout


@pytest.mark.parametrize("command", [["bound", "bad.dat-s", "-o", "x.cert.json"], ["show", "bad.dat-s"]])
def test_a_refused_file_is_exit_4_with_the_place(run: Callable[..., Result], command: list[str]) -> None:
    Path("bad.dat-s").write_text(OFF_DIAGONAL, encoding="utf-8")
    result = run(*command)
    assert result.exit_code == 4
    assert "bad.dat-s, line 5" in result.stderr
    assert not Path("x.cert.json").exists()


def test_a_folder_is_bounded_in_a_table_and_resumed(run: Callable[..., Result]) -> None:
    Path("problems").mkdir()
    for name, content in (("a", GEOMETRIC), ("b", EMPTY)):
        Path("problems", f"{name}.dat-s").write_text(content, encoding="utf-8")
    first = run("bound", "problems", "-o", "out", "-q")
    assert first.exit_code == 0
    assert "bracket" in first.stdout
    assert "no feasible y" in first.stdout
    assert run("check", "out").exit_code == 0
    stamps = {path.name: path.stat().st_mtime_ns for path in Path("out").glob("*.cert.json")}
    assert set(stamps) >= {"a.cert.json", "b.cert.json"}
    second = run("bound", "problems", "-o", "out", "-q")
    assert second.exit_code == 0
    assert stamps == {path.name: path.stat().st_mtime_ns for path in Path("out").glob("*.cert.json")}
    Path("problems", "c.dat-s").write_text(OFF_DIAGONAL, encoding="utf-8")
    assert run("bound", "problems", "-o", "out", "-q").exit_code == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ["--solver", "simplex"],
        ["--solution", "x.sol"],
        ["--convention", "csdp"],
        ["--convention", "full"],
        ["--solution", "x.sol", "--convention", "full"],
        ["--limit", "5"],
        ["--digits", "0"],
    ],
)
def test_wrong_usage_is_exit_2(run: Callable[..., Result], arguments: list[str]) -> None:
    assert run("bound", "geometric.dat-s", "-o", "x.cert.json", *arguments).exit_code == 2


def test_missing_files_and_folders_are_exit_4(run: Callable[..., Result]) -> None:
    Path("nothing").mkdir()
    assert run("bound", "absent.dat-s", "-o", "x.cert.json").exit_code == 4
    assert run("bound", "geometric.dat-s", "-o", "nowhere/x.cert.json").exit_code == 4
    assert run("bound", "nothing", "-o", "out").exit_code == 4
    assert run("bound", "geometric.txt", "-o", "x.cert.json").exit_code == 4


def test_a_solution_file_is_certified_as_it_is(run: Callable[..., Result]) -> None:
    solution = "1.0 1.0\n1 1 1 1 1.0\n1 1 1 2 1.0\n1 1 2 2 1.0\n2 1 1 1 1.0\n2 1 1 2 -1.0\n2 1 2 2 1.0\n"
    Path("good.sol").write_text(solution, encoding="utf-8")
    arguments = ["-o", "given.cert.json", "--solution", "good.sol", "--convention", "csdp", "-q"]
    assert run("bound", "geometric.dat-s", *arguments).exit_code == 0
    claim = read_certificate(Path("given.cert.json").read_bytes()).claim
    assert isinstance(claim, ConicBracket)
    assert claim.lower == claim.upper == fmpq(-2)
    Path("good.sol").write_text("1.0\n", encoding="utf-8")
    assert run("bound", "geometric.dat-s", *arguments).exit_code == 4


def test_a_solution_that_was_misread_is_explained(run: Callable[..., Result]) -> None:
    negated = "-1.0 -1.0\n2 1 1 1 1.0\n2 1 1 2 -1.0\n2 1 2 2 1.0\n"
    Path("negated.sol").write_text(negated, encoding="utf-8")
    arguments = ["-o", "given.cert.json", "--solution", "negated.sol", "--convention", "csdp", "-q"]
    result = run("bound", "geometric.dat-s", *arguments)
    assert "would with y negated" in result.stderr


def test_notices_are_printed_unless_quiet(run: Callable[..., Result]) -> None:
    Path("warned.dat-s").write_text(GEOMETRIC.replace("0 1 1 2 -1.0", "{0, 1, 1, 2, -1.0}"), encoding="utf-8")
    loud, quiet = (run("bound", "warned.dat-s", "-o", "w.cert.json", *extra) for extra in ([], ["-q"]))
    assert loud.exit_code == quiet.exit_code == 0
    assert "warned.dat-s: notice: line 5, column 2: " in loud.stderr
    assert quiet.stderr == ""


def test_arrays_are_bounded_under_the_convention_named(run: Callable[..., Result]) -> None:
    """min y1 + y2 with [[y1, 1], [1, y2]] PSD, as SCS and Clarabel take it: the triangles coincide for 2 x 2."""
    root = np.sqrt(2.0)
    matrix = np.array([[-1.0, 0], [0, 0], [0, -1]])
    np.savez("dump.npz", A=matrix, b=np.array([0.0, root, 0]), c=np.ones(2), s=np.array(2))
    assert run("bound", "dump.npz", "-o", "dump.cert.json").exit_code == 2
    assert run("bound", "dump.npz", "-o", "dump.cert.json", "--convention", "csdp").exit_code == 2
    arguments = ["--convention", "lower-sqrt2", "-q"]
    assert run("bound", "dump.npz", "-o", "dump.cert.json", *arguments).exit_code == 0
    claim = read_certificate(Path("dump.cert.json").read_bytes()).claim
    assert isinstance(claim, ConicBracket)
    assert claim.lower is not None
    assert claim.upper is not None
    assert claim.lower <= -2 <= claim.upper
    assert claim.upper - claim.lower <= fmpq(1, 10**7)
    assert run("bound", "dump.npz", "-o", "d.cert.json", *arguments, "--solution", "x.sol").exit_code == 2
    Path("broken.mat").write_bytes(b"no such file")
    assert run("bound", "broken.mat", "-o", "d.cert.json", "--convention", "full").exit_code == 4


def test_the_reading_of_numbers_is_chosen_and_part_of_the_claim(run: Callable[..., Result]) -> None:
    """min x1 with x1 >= 0.1: the decimal is no binary64 number, and the two claims are different theorems."""
    Path("tenth.dat-s").write_text("1\n1\n-1\n1.0\n0 1 1 1 0.1\n1 1 1 1 1.0\n", encoding="utf-8")
    values = {"decimal": fmpq(-1, 10), "binary64": -fmpq(*(0.1).as_integer_ratio())}
    for reading, value in values.items():
        arguments = ["-o", "t.cert.json", "--reading", reading, "--digits", "25", "-q"]
        assert run("bound", "tenth.dat-s", *arguments).exit_code == 0
        claim = read_certificate(Path("t.cert.json").read_bytes()).claim
        assert isinstance(claim, ConicBracket)
        assert claim.problem.reading == reading
        assert claim.lower is not None
        assert claim.upper is not None
        assert [claim.lower <= each <= claim.upper for each in values.values()].count(True) == 1
        assert claim.lower <= value <= claim.upper
        assert run("check", "t.cert.json", "--problem", "tenth.dat-s").exit_code == 0
    np.savez("dump.npz", A=np.ones((1, 1)), b=np.ones(1), c=np.ones(1), l=np.array(1))
    arguments = ["-o", "d.cert.json", "--convention", "full", "--reading", "binary64"]
    assert run("bound", "dump.npz", *arguments).exit_code == 2


def test_a_problem_of_a_folder_that_takes_too_long_is_given_up(run: Callable[..., Result]) -> None:
    Path("problems").mkdir()
    Path("problems", "a.dat-s").write_text(GEOMETRIC, encoding="utf-8")
    result = run("bound", "problems", "-o", "out", "-q", "--limit", "0.001")
    assert result.exit_code == 5
    assert "time limit" in result.stdout
    assert "allow it more" in result.stdout
    assert run("bound", "problems", "-o", "out", "-q", "--json").exit_code == 2
