"""Conic programs by the suffix of their file."""

from __future__ import annotations

import pytest

from certify.checker.domains import Reading
from certify.checker.statements.cbf import read_cbf
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.problems import is_problem_file, read_problem_statement
from certify.checker.statements.sdpa import read_sdpa

SDPA = b"1\n1\n1\n0.1\n0 1 1 1 1\n1 1 1 1 1\n"
CBF = b"VER\n1\nOBJSENSE\nMIN\nVAR\n1 1\nL+ 1\nOBJACOORD\n1\n0 1\n"


@pytest.mark.parametrize("reading", list(Reading))
def test_the_suffix_names_the_reader(reading: Reading) -> None:
    assert read_problem_statement(SDPA, "folder/a.dat-s", reading) == read_sdpa(SDPA, "a.dat-s", reading)
    assert read_problem_statement(CBF, "folder/a.cbf", reading) == read_cbf(CBF, "a.cbf", reading)


def test_an_unknown_suffix_is_refused_whatever_the_contents() -> None:
    with pytest.raises(MalformedStatement, match="rename it after its format"):
        read_problem_statement(SDPA, "a.dat")
    assert is_problem_file("a.dat-s")
    assert is_problem_file("a.cbf")
    assert not is_problem_file("a.dat-s.gz")


def test_messages_name_the_file_without_its_folder() -> None:
    with pytest.raises(MalformedStatement, match=r"^a\.dat-s, line 1"):
        read_problem_statement(b"x", "folder/a.dat-s")
