"""The names that ``import certify`` offers."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import cvxpy as cp
import numpy as np
import pytest
from flint import fmpq

import certify
from certify.checker.claims import CovarianceOptimum
from certify.checker.conic.claims import ConicBracket

FINDER = doctest.DocTestFinder(recurse=False)
RUNNER = doctest.DocTestRunner()

SQUARE = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]


PUBLIC = {name: getattr(certify, name) for name in certify.__all__}
CLAIMS = {name: getattr(certify.claims, name) for name in certify.claims.__all__}


@pytest.mark.parametrize("name", [*PUBLIC, *CLAIMS])
def test_every_public_name_is_documented_with_an_example_that_runs(name: str) -> None:
    value = {**PUBLIC, **CLAIMS}[name]
    (test,) = [found for found in FINDER.find(value, name, globs={}) if found.name == name]
    assert test.examples, f"certify.{name} has no example"
    assert RUNNER.run(test).failed == 0


def test_every_example_is_an_example_of_its_name() -> None:
    assert set(PUBLIC) <= set(dir(certify))
    for name, value in PUBLIC.items():
        assert f"certify.{name}" in (value.__doc__ or "") or name in ("Certificate", "Verdict"), name


def test_every_error_a_public_function_raises_is_documented() -> None:
    for name in ("audit", "bound", "certify", "design", "matrix", "rational", "read_certificate"):
        assert "Raises:" in (PUBLIC[name].__doc__ or ""), name


def test_a_matrix_is_exact() -> None:
    found = certify.matrix([[1, "0.1"], ["-2/3", fmpq(1, 7)]])
    assert [found.entry(i, j) for i in range(2) for j in range(2)] == [1, fmpq(1, 10), fmpq(-2, 3), fmpq(1, 7)]
    assert (certify.matrix([]).rows, certify.matrix([[], []]).columns) == (0, 0)
    with pytest.raises(ValueError, match=r"not \[1, 2\]"):
        certify.matrix([[1], [1, 2]])
    with pytest.raises(ValueError, match="not a decimal number"):
        certify.matrix([["one"]])
    with pytest.raises(TypeError, match=r"0\.1 is no integer"):
        certify.matrix([[0.1]])  # type: ignore[list-item]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="frobnicate"):
        certify.frobnicate  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, certify; print([m for m in ('numpy', 'flint', 'cvxpy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_design_takes_a_file_an_array_a_matrix_and_a_release(tmp_path: Path) -> None:
    path = tmp_path / "square.csv"
    path.write_text("0,0\n0,1\n1,0\n1,1\n", encoding="utf-8")
    array = np.array(SQUARE)
    domain = certify.FiniteDomain(certify.design(array, certify.GDP(fmpq(1))).claim.sensitivity.domain.records, None)  # type: ignore[union-attr]
    release = certify.IdealDenoiser(domain, certify.UniformQuery(), certify.Neighbours.REPLACE_ONE)
    for records in (path, array, domain.records, release):
        verdict = certify.check(certify.design(records, certify.GDP(fmpq(1))))
        assert verdict.status is certify.Status.PROVED
        assert isinstance(verdict.claim, CovarianceOptimum)
        assert verdict.claim.lower <= 4 <= verdict.claim.upper


def test_certify_brackets_a_solved_cvxpy_problem() -> None:
    x = cp.Variable((2, 2), symmetric=True)
    problem = cp.Problem(cp.Minimize(x[0, 0] + x[1, 1]), [x >> 0, x[0, 1] == 1])
    problem.solve(solver=cp.CLARABEL)  # type: ignore[no-untyped-call]
    verdict = certify.certify(problem)
    assert verdict.status is certify.Status.PROVED
    assert isinstance(verdict.claim, ConicBracket)
    assert "is exactly 2." in certify.sentence(verdict.claim)


def test_bound_reads_a_file_and_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "geometric.dat-s"
    path.write_text("2\n1\n2\n1.0 1.0\n0 1 1 2 -1.0\n1 1 1 1 1.0\n2 1 2 2 1.0\n", encoding="utf-8")
    assert certify.bound(path).status is certify.Status.PROVED


def test_audit_decides_every_claim(tmp_path: Path) -> None:
    path = tmp_path / "audit.toml"
    path.write_text(
        'statistic = "sum"\nneighbours = "replace"\n'
        "records = {rows = [[0, 0], [3, 4]]}\ncovariance = {isotropic = 25}\n"
        "[[claims]]\ngdp = 1\n[[claims]]\ngdp = 0.99\n",
        encoding="utf-8",
    )
    assert [verdict.status for verdict in certify.audit(path)] == [certify.Status.PROVED, certify.Status.REFUTED]
