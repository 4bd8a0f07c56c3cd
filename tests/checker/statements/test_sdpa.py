"""The SDPA sparse reader: what it accepts, what it refuses, where it says so."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest
from flint import fmpq
from hypothesis import example, given
from hypothesis import strategies as st

from certify.checker.conic.cones import Nonnegative, PositiveSemidefinite
from certify.checker.conic.problem import SourceValue, block, problem_digest, row_vector
from certify.checker.domains import Reading
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.sdpa import read_sdpa
from certify.checker.statements.words import ProblemStatement

SDPLIB = Path(__file__).resolve().parents[4] / "shared" / "data" / "sdplib"
PLAIN = "2\n1\n2\n1 1\n0 1 1 2 1.0\n1 1 1 1 1.0\n2 1 2 2 1.0\n"


def read(text: str, reading: Reading = Reading.DECIMAL) -> ProblemStatement:
    return read_sdpa(text.encode("utf-8"), "problem.dat-s", reading)


def test_neutral_form_of_a_plain_file() -> None:
    statement = read("2\n2\n2 -3\n1 0.25\n0 1 1 2 -1.5\n0 2 3 3 7\n1 1 1 1 1\n2 1 2 2 1\n2 2 1 1 0.1\n")
    assert statement.entry_count == 5
    assert statement.notices == ()
    assert statement.problem.source_value is SourceValue.NEGATED
    assert statement.problem.right_hand_side == row_vector([fmpq(1), fmpq(1, 4)])
    first, second = statement.problem.blocks
    one = fmpq(1)
    assert first == block(PositiveSemidefinite(2), [(0, 1, 0, fmpq(3, 2)), (1, 0, 0, one), (2, 1, 1, one)])
    assert second == block(Nonnegative(3), [(0, 2, 2, fmpq(-7)), (2, 0, 0, fmpq(1, 10))])


@pytest.mark.parametrize(
    "text",
    [
        "* SDPLIB\n2 = mDIM\n1 = nBLOCK\n  (2) = bLOCKsTRUCT\n{+1.0,+1.0E+00}\n0 1 1 2 +1.0\n1 1 1 1 1.e0\n2 1 2 2 1\n",
        '"a\n*b\n2=m\n1 block of 3\n{2}\n1,1\n0 1 1 2 1\n1 1 1 1 1\n2 1 2 2 1\n',
        "2\n1\n2\n1\n1\n0 1 1 2 1\n1 1 1 1 1\n2 1 2 2 1\n",
        "2\n1\n2\n1.0D+00 10d-1\n0 1 1 2 0.1E1\n1 1 1 1 1\n2 1 2 2 1\n",
        "\ufeff\n\n 2\n\n1\n2\n1 1\n0 1 1 2 1\n1 1 1 1 1\n2 1 2 2 1\n",
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("0 1 1 2", "0 1 2 1"),
        PLAIN + "1 1 1 2 0.0\n",
        PLAIN.rstrip("\n"),
        "2\n1\n(2) = blocks, 2 of them\n1 1 are the costs\n0 1 1 2 1\n1 1 1 1 1\n2 1 2 2 1\n",
    ],
    ids=["sdplib", "text", "lines", "fortran", "bom", "crlf", "lower", "zero", "no-newline", "trailing-text"],
)
def test_accepted_spellings_of_one_problem(text: str) -> None:
    statement = read(text)
    assert statement.notices == ()
    assert problem_digest(statement.problem) == problem_digest(read(PLAIN).problem)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (PLAIN.replace("0 1 1 2 1.0", "{0, 1, 1, 2, 1.0}"), "line 5, column 2", "commas or braces"),
        (PLAIN.replace("1 1 1 1 1.0", "* note\n1 1 1 1 1.0"), "line 6, column 1", "comment between entries"),
        (PLAIN.replace("1 1 1 1 1.0", "1 1 1 1 1.0 # ok"), "line 6, column 13", "text after an entry"),
        (PLAIN.replace("2\n1\n2\n", "2\n1 7\n2\n"), "line 2, column 3", "second number after a count"),
    ],
)
def test_accepted_with_a_notice(text: str, place: str, words: str) -> None:
    statement = read(text)
    assert problem_digest(statement.problem) == problem_digest(read(PLAIN).problem)
    assert [(notice.place, notice.count) for notice in statement.notices] == [(place, 1)]
    assert words in statement.notices[0].problem


def test_entries_are_counted_across_comments() -> None:
    statement = read("2\n1\n2\n1 1\n1 1 1 1 1.0\n2 1 2 2 1.0\n* the objective follows\n0 1 1 2 1.0\n")
    assert statement.entry_count == 3
    assert statement.problem == read(PLAIN).problem


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (PLAIN + "0 1 1 2 0.5\n", "line 8, column 1", "line 5 already"),
        (PLAIN + "0 1 2 1 1.0\n", "line 8, column 1", "across the diagonal"),
        (PLAIN + "3 1 1 1 1\n", "line 8, column 1", "runs from 0 to 2"),
        (PLAIN + "-1 1 1 1 1\n", "line 8, column 1", "runs from 0 to 2"),
        (PLAIN + "1 2 1 1 1\n", "line 8, column 3", "runs from 1 to 1"),
        (PLAIN + "1 1 3 3 1\n", "line 8, column 5", "runs from 1 to 2"),
        (PLAIN + "1 1 0 1 1\n", "line 8, column 5", "runs from 1 to 2"),
        (PLAIN + "1 1 1 2\n", "line 8, column 7", "matrix block row column value"),
        (PLAIN + "1 1 1 2 1,0\n", "line 8, column 11", "decimal comma"),
        (PLAIN + "1 1 1 2 nan\n", "line 8, column 9", "finite"),
        (PLAIN + "1 1 1 2 -Inf\n", "line 8, column 9", "finite"),
        (PLAIN + "1 1 1 2 0x1p3\n", "line 8, column 9", "hexadecimal"),
        (PLAIN + "1 1 1 2 1/3\n", "line 8, column 9", "fraction"),
        (PLAIN + "1 1 1 2 1e2000\n", "line 8, column 9", "scale"),
        (PLAIN + "1 1 1 2 1e00000000001\n", "line 8, column 9", "scale"),
        (PLAIN + "1 1 1 2 1_0\n", "line 8, column 9", "decimal number"),
        (PLAIN + "1 1 1 2 ١\n", "line 8, column 9", "decimal number"),
        (PLAIN + "1 1 1.0 2 1\n", "line 8, column 5", "not an integer"),
        (PLAIN + "*INTEGER\n*1\n", "line 8, column 1", "integers or rank one"),
        (PLAIN + " *rank1 \n", "line 8, column 1", "integers or rank one"),
        (PLAIN.replace("2\n1\n2\n", "2\n1\n2.0\n"), "line 3, column 1", "not an integer"),
        (PLAIN.replace("2\n1\n2\n", "2\n1\n0\n"), "line 3, column 1", "no block size"),
        (PLAIN.replace("2\n1\n2\n", "2\n1\n2 2\n"), "line 3, column 3", "announces 1 block sizes"),
        (PLAIN.replace("2\n1\n2\n", "-2\n1\n2\n"), "line 1, column 1", "negative"),
        (PLAIN.replace("1 1\n", "1,0 1,0\n", 1), "line 4, column 5", "decimal comma"),
        (PLAIN.replace("1 1\n", "1 nan\n", 1), "line 4, column 3", "finite"),
        (PLAIN.replace("2\n1\n2\n", "2\n1\n-2\n"), "line 5, column 7", "diagonal"),
        ("2\n1\n2\n1\n", "", "the file ends"),
        ("", "", "the file ends"),
        ("x", "line 1, column 1", "not an integer"),
    ],
)
def test_refused_with_place_and_remedy(text: str, place: str, words: str) -> None:
    with pytest.raises(MalformedStatement) as caught:
        read(text)
    assert caught.value.place == place
    assert words in caught.value.problem
    assert caught.value.name == "problem.dat-s"


def test_problems_without_constraints_or_entries() -> None:
    assert read("0\n1\n2\n\n0 1 1 1 1\n").problem.constraint_count == 0
    assert read("0\n1\n2\n{}\n0 1 1 1 1\n").entry_count == 1
    empty = read("2\n1\n2\n1 1\n1 1 1 1 1\n").problem
    assert set(empty.blocks[0].constraints) == {1}


def test_decimal_and_binary64_are_different_problems() -> None:
    text = PLAIN.replace("0 1 1 2 1.0", "0 1 1 2 0.1")
    decimal, double = read(text).problem, read(text, Reading.BINARY64).problem
    assert decimal.blocks[0].values.entry(0, 0) == fmpq(-1, 10)
    assert double.blocks[0].values.entry(0, 0) == fmpq(-3602879701896397, 2**55)
    assert problem_digest(decimal) != problem_digest(double)


def test_binary64_overflow_is_refused_and_underflow_is_zero() -> None:
    with pytest.raises(MalformedStatement, match="overflows"):
        read(PLAIN + "1 1 1 2 1e400\n", Reading.BINARY64)
    assert read(PLAIN + "1 1 1 2 1e-400\n", Reading.BINARY64).entry_count == 4


def test_a_thirds_file_keeps_its_decimals() -> None:
    text = "1 =mdim\n1 =nblocks\n{-4}\n-0.3333333333333333\n0 1 1 1 -1\n"
    assert read(text).problem.right_hand_side.entry(0, 0) == fmpq(-3333333333333333, 10**16)


def refusal(data: bytes, reading: Reading) -> MalformedStatement | None:
    """The located error of a file, None where it reads; any other exception fails the test."""
    try:
        read_sdpa(data, "fuzz.dat-s", reading)
    except MalformedStatement as error:
        return error
    return None


@given(st.binary(max_size=300), st.sampled_from(Reading))
@example(PLAIN.encode(), Reading.DECIMAL)
def test_any_bytes_give_a_problem_or_a_located_error(data: bytes, reading: Reading) -> None:
    error = refusal(data, reading)
    assert error is None or (error.name == "fuzz.dat-s" and error.problem)


WORDS = ["0", "1", "2", "3", "-1", "1.0", "2e1", ".5", "1e400", "1e9999999", "nan", "1/3", "{1,", "2}", ",1", "=", "*"]
STRANGE_WORDS = ["#", "*INTEGER", "0x1", "1D0", "99999999999999999999", "\u00e9", "\x00", "\x0b"]


@given(
    st.lists(st.lists(st.sampled_from(WORDS + STRANGE_WORDS), max_size=6), max_size=9),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(Reading),
)
def test_any_words_give_a_problem_or_a_located_error(lines: list[list[str]], end: str, reading: Reading) -> None:
    error = refusal(end.join(" ".join(words) for words in lines).encode(), reading)
    assert error is None or not error.place or error.place.startswith("line ")


@given(st.integers(0, len(PLAIN) - 1), st.sampled_from("0123456789.,-+eE \n*{}x"))
def test_one_changed_character_never_passes_as_the_same_problem_unless_equal(position: int, character: str) -> None:
    text = PLAIN[:position] + character + PLAIN[position + 1 :]
    try:
        problem = read(text).problem
    except MalformedStatement:
        return
    same = problem_digest(problem) == problem_digest(read(PLAIN).problem)
    assert same == (problem == read(PLAIN).problem)


REFUSED = {
    "sedumi-27-duplicate-entry.dat-s": "give each entry once",
    "example_inf.dat-s": "integers or rank one",
    "example_small.dat-s": "integers or rank one",
    "example_tightenmatrices.dat-s": "integers or rank one",
}


@pytest.mark.skipif(not SDPLIB.is_dir(), reason="the public SDP files are not beside the repository")
def test_every_public_file_reads() -> None:
    files = sorted(SDPLIB.rglob("*.dat-s"))
    assert len(files) > 90
    refused = {}
    for file in files:
        try:
            statement = read_sdpa(file.read_bytes(), file.name)
        except MalformedStatement as error:
            refused[file.name] = error.problem
            continue
        assert statement.problem.constraint_count == leading_integer(file)
        assert statement.notices == ()
    for (name, problem), (expected, words) in zip_longest(sorted(refused.items()), sorted(REFUSED.items())):
        assert name == expected
        assert words in problem


def leading_integer(file: Path) -> int:
    lines = (line for line in file.read_text(encoding="latin-1").splitlines() if line.strip())
    return int(next(line for line in lines if line.lstrip()[0] not in '"*').split()[0].split("=")[0])
