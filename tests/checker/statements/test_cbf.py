"""The CBF reader: its neutral form, its conventions, what it refuses and where it says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.conic.check import lower_bound, upper_bound
from certify.checker.conic.cones import (
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.checker.conic.linear import evaluate
from certify.checker.conic.problem import ConicProblem, SourceValue
from certify.checker.domains import Reading
from certify.checker.statements.cbf import read_cbf
from certify.checker.statements.malformed import MalformedStatement
from tests.checker.conic.examples import dual, primal, proved, row, symmetric, vector

FILES = Path(__file__).resolve().parents[4] / "shared" / "data" / "sdplib" / "extra" / "scip-sdp"

LMI = """# min x0 + x1 with [x0 2; 2 x1] PSD
VER
2
OBJSENSE
MIN
VAR
2 1
F 2
PSDCON
1
2
OBJACOORD
2
0 1.0
1 1
HCOORD
2
0 0 0 0 1
0 1 1 1 1
DCOORD
1
0 1 0 2
"""

MIXED = """VER
1
OBJSENSE
MAX
PSDVAR
1
2
VAR
4 3
L+ 1
L- 1
Q 2
CON
4 3
L= 1
L- 2
F 1
OBJFCOORD
2
0 0 0 1
0 1 0 3
OBJACOORD
2
1 5
3 7
OBJBCOORD
11
FCOORD
2
0 0 1 0 13
3 0 0 0 1
ACOORD
3
0 1 17
1 0 19
3 0 1
BCOORD
3
0 23
2 29
3 31
"""


def read(text: str, reading: Reading = Reading.DECIMAL) -> ConicProblem:
    return read_cbf(text.encode(), "problem.cbf", reading).problem


def coefficients(problem: ConicProblem, index: int) -> list[tuple[int, int, int, fmpq]]:
    part = problem.blocks[index]
    return [(k, i, j, fmpq(value, part.values.denominator)) for k, i, j, value in part.entries()]


def test_lmi_and_its_optimum() -> None:
    statement = read_cbf(LMI.encode(), "lmi.cbf")
    problem = statement.problem
    assert statement.entry_count == 5
    assert problem.source_value is SourceValue.SAME
    assert [part.cone for part in problem.blocks] == [Free(2), PositiveSemidefinite(2)]
    assert problem.right_hand_side == row(0, -2, 0)
    assert coefficients(problem, 1) == [(1, 0, 0, -1), (2, 1, 0, fmpq(-1, 2)), (3, 1, 1, -1)]
    x = upper_bound(problem, primal(vector(2, 2), symmetric([2, 2], [2, 2])))
    y = lower_bound(problem, dual(1, -2, 1))
    assert proved(x.obligations)
    assert proved(y.obligations)
    assert x.value == 4
    assert y.value == 4


def test_every_convention_of_a_mixed_program() -> None:
    """max X00 + 6 X10 + 5 x1 + 7 x3 + 11 with 26 X10 + 17 x1 + 23 = 0, 19 x0 <= 0, 29 <= 0, and a free row."""
    problem = read(MIXED)
    assert problem.source_value is SourceValue.NEGATED
    assert problem.offset == -11
    assert [part.cone for part in problem.blocks] == [
        Nonnegative(1),
        Nonnegative(1),
        SecondOrder(2),
        PositiveSemidefinite(2),
        Nonnegative(2),
    ]
    assert problem.right_hand_side == row(-23, 0, -29)
    x0, x1, q, matrix, slack = vector(2), vector(3), vector(5, 4), symmetric([1, 2], [2, 9]), vector(1, 6)
    values = evaluate(problem, (x0, x1, q, matrix, slack))
    assert values.objective == -(1 + 6 * 2 + 5 * -3 + 7 * 4)
    assert values.constraints == row(26 * 2 + 17 * -3, 19 * 2 + 1, 6)


@pytest.mark.parametrize(
    ("cone", "size", "expected", "coordinates"),
    [
        ("F", 2, Free(2), [0, 1]),
        ("L=", 2, Zero(2), [0, 1]),
        ("L+", 2, Nonnegative(2), [0, 1]),
        ("Q", 3, SecondOrder(3), [0, 1, 2]),
        ("QR", 3, Rotated(3), [0, 1, 2]),
        ("EXP", 3, Exponential(), [2, 1, 0]),
        ("EXP*", 3, DualExponential(), [2, 1, 0]),
        ("@0:POW", 3, Power(fmpq(3, 10)), [0, 1, 2]),
        ("@1:POW", 3, Power(fmpq(1, 3)), [0, 1, 2]),
        ("@0:POW*", 3, DualPower(fmpq(1, 4)), [0, 1, 2]),
    ],
)
def test_every_cone_and_its_order(cone: str, size: int, expected: object, coordinates: list[int]) -> None:
    powers = "POWCONES\n2 4\n2\n0.3\n0.7\n2\n1\n2\nPOW*CONES\n1 2\n2\n1\n3\n"
    costs = "".join(f"{j} {j + 1}\n" for j in range(size))
    text = f"VER\n4\n{powers}OBJSENSE\nMIN\nVAR\n{size} 1\n{cone} {size}\nOBJACOORD\n{size}\n{costs}"
    problem = read(text)
    assert problem.blocks[0].cone == expected
    assert {i: value for _, i, _, value in coefficients(problem, 0)} == {
        where: position + 1 for position, where in enumerate(coordinates)
    }


def test_slack_of_an_exponential_constraint_is_reversed_too() -> None:
    text = "VER\n2\nOBJSENSE\nMIN\nVAR\n1 1\nF 1\nCON\n3 1\nEXP 3\nACOORD\n1\n2 0 1\nBCOORD\n2\n0 1\n1 1\n"
    problem = read(text)
    point = primal(vector(0), vector(0, 1, 1))
    assert proved(upper_bound(problem, point).obligations)
    assert not proved(upper_bound(problem, primal(vector(0), vector(1, 1, 0))).obligations)


def test_empty_program_and_int_section_without_variables() -> None:
    problem = read("VER\n1\nOBJSENSE\nMIN\nINT\n0\n")
    assert problem.blocks == ()
    assert problem.constraint_count == 0


def test_binary64_reading() -> None:
    assert read(LMI.replace("0 1.0", "0 0.1"), Reading.BINARY64).blocks[0].values.entry(0, 0) == fmpq(
        3602879701896397, 2**55
    )


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (LMI.replace("DCOORD\n1\n", "DCOORD\n2\n0 1 0 1\n"), "line 23, column 1", "second value"),
        (MIXED.replace("BCOORD\n3\n0 23", "BCOORD\n4\n0 1\n0 23"), "line 40, column 1", "second value"),
        (MIXED.replace("ACOORD\n3\n0 1 17", "ACOORD\n4\n0 1 1\n0 1 17"), "", "second value"),
        (MIXED.replace("FCOORD\n2\n0 0 1 0 13", "FCOORD\n3\n0 0 1 0 1\n0 0 1 0 13"), "", "second value"),
        (LMI + "INT\n1\n0\n", "line 24, column 1", "integer variables"),
        (LMI + "CHANGE\n", "line 23, column 1", "second problem"),
        (LMI + "VER\n2\n", "line 23, column 1", "second time"),
        (LMI.replace("0 1 0 2", "0 0 1 2"), "line 22, column 5", "above the diagonal"),
        (LMI.replace("0 1 0 2", "0 2 0 2"), "line 22, column 3", "beyond the order"),
        (LMI.replace("0 1 0 2", "1 1 0 2"), "line 22, column 1", "counted from 0"),
        (LMI.replace("0 1 0 2", "0 -1 0 2"), "line 22, column 3", "counted from 0"),
        (LMI.replace("0 1 0 2", "0 1 0"), "line 22, column 5", "3 indices and a value"),
        (LMI.replace("0 1 0 2", "0 1 0 nan"), "line 22, column 7", "finite"),
        (LMI.replace("0 1 0 2", "0 1 0 2 # x"), "line 22, column 11", "3 indices and a value"),
        (LMI.replace("DCOORD\n1\n", "DCOORD\n2\n"), "line 21, column 1", "2' entries are announced but 1"),
        (LMI.replace("DCOORD\n1\n0 1 0 2\n", "DCOORD\n"), "line 20, column 1", "line of 1 integers"),
        (LMI.replace("2 1\nF 2", "3 1\nF 2"), "line 7, column 1", "coordinates of cones"),
        (LMI.replace("2 1\nF 2", "2 2\nF 2"), "line 7, column 3", "cones"),
        (LMI.replace("2 1\nF 2", "2 1\nG 3"), "line 8, column 1", "no cone"),
        (LMI.replace("2 1\nF 2", "2 1\nG 2"), "line 8, column 3", "size of G"),
        (LMI.replace("2 1\nF 2", "2 1\n@0:POW 3"), "line 8, column 1", "POWCONES"),
        (LMI.replace("2 1\nF 2", "2 1\nQR 1"), "line 8, column 4", "at least 2"),
        (LMI.replace("2 1\nF 2", "2 1\nF 0"), "line 8, column 3", "at least 1"),
        (LMI.replace("2 1\nF 2", "2 1\nF"), "line 8, column 1", "cone and a size"),
        (LMI.replace("VER\n2", "VER\n9"), "line 3, column 1", "one of 1, 2, 3, 4"),
        (LMI.replace("VER\n2", "VER\n2 2"), "line 2, column 1", "2 words"),
        (LMI.replace("OBJSENSE\nMIN\n", ""), "", "OBJSENSE is missing"),
        (LMI.replace("MIN", "BEST"), "line 5, column 1", "MIN, MAX"),
        ("PSDCON\n", "", "VER is missing"),
        ("", "", "VER is missing"),
        ("1 2\n", "line 1, column 1", "keyword"),
        (LMI.replace("PSDCON\n1\n2\n", "PSDCON\n1\n2000\n"), "", "equations"),
        (LMI.replace("PSDCON\n1\n2\n", "PSDCON\n1\n99999999\n"), "line 11, column 1", "between 0 and"),
        (LMI + "POWCONES\n1 3\n3\n1\n1\n1\n", "line 25, column 1", "two parameters"),
        (LMI + "POWCONES\n1 2\n2\n1\n-1\n", "line 26, column 1", "not positive"),
        (LMI + "POWCONES\n2 2\n2\n1\n1\n", "line 24, column 1", "power cones"),
    ],
)
def test_refused_with_place_and_remedy(text: str, place: str, words: str) -> None:
    with pytest.raises(MalformedStatement) as caught:
        read(text)
    assert words in str(caught.value)
    assert caught.value.name == "problem.cbf"
    if place:
        assert caught.value.place == place


def test_too_many_scalar_variables_are_refused() -> None:
    with pytest.raises(MalformedStatement, match="scalar variables"):
        read("VER\n1\nOBJSENSE\nMIN\nVAR\n9999999 1\nF 9999999\n")


def is_read(data: bytes, reading: Reading) -> bool:
    """Whether the bytes are read; any exception but a refusal fails the test."""
    try:
        read_cbf(data, "fuzz.cbf", reading)
    except MalformedStatement:
        return False
    return True


@given(st.binary(max_size=200), st.sampled_from(Reading))
def test_any_bytes_give_a_problem_or_a_refusal(data: bytes, reading: Reading) -> None:
    assert is_read(data, reading) in (True, False)


LINES = st.sampled_from([*LMI.splitlines(), *MIXED.splitlines(), "EXP 3", "0 0", "1", "POWCONES", "2 2", "1e999"])


@given(st.lists(LINES, max_size=30), st.sampled_from(Reading))
def test_any_lines_give_a_problem_or_a_refusal(lines: list[str], reading: Reading) -> None:
    assert is_read("\n".join(["VER", "1", "OBJSENSE", "MIN", *lines]).encode(), reading) in (True, False)


@pytest.mark.parametrize("text", [LMI, MIXED])
@given(st.data())
def test_dropping_a_line_never_reads_as_the_same_problem(text: str, data: st.DataObject) -> None:
    lines = text.splitlines()
    index = data.draw(st.integers(1, len(lines) - 1))
    kept = "\n".join(lines[:index] + lines[index + 1 :])
    assert not is_read(kept.encode(), Reading.DECIMAL) or read(kept) != read(text)


@pytest.mark.skipif(not FILES.is_dir(), reason="the public SDP files are not beside the repository")
def test_public_files() -> None:
    files = sorted(FILES.glob("*.cbf"))
    assert len(files) == 7
    readable = [file.name for file in files if is_read(file.read_bytes(), Reading.DECIMAL)]
    assert readable == ["example_cbf_primal.cbf", "example_soc_sdp.cbf"]
    for file in files:
        if file.name not in readable:
            with pytest.raises(MalformedStatement, match="integer variables"):
                read_cbf(file.read_bytes(), file.name)
