"""The commands as a user runs them: output, files, exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.exact import Matrix
from certify.checker.sensitivity import FiniteDomain, domain_of
from certify.checker.statements.tables import read_table
from certify.cli import main
from tests.checker.examples import claim_of, claim_with, one_hot, square

RECORDS = "a,b\n0,0\n0,1\n1,0\n1,1\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("records.csv").write_text(RECORDS, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def _written(path: str = "noise.cert.json") -> CovarianceOptimum:
    claim = read_certificate(Path(path).read_bytes()).claim
    assert isinstance(claim, CovarianceOptimum)
    return claim


def test_design_check_show_export(run: Callable[..., Result]) -> None:
    designed = run("design", "records.csv", "--rho", "1", "-o", "noise.cert.json")
    assert designed.exit_code == 0
    assert "PROVED  noise.cert.json" in designed.stdout
    assert "Isotropic noise with the same guarantee costs 4" in designed.stdout
    checked = run("check", "noise.cert.json", "--records", "records.csv")
    assert checked.exit_code == 0
    assert "every pair of records is within the budget" in checked.stdout
    shown = run("show", "noise.cert.json")
    assert shown.exit_code == 0
    assert "4 records in R^2 of records.csv" in shown.stdout
    assert run("check", "noise.cert.json", "--quiet").stdout == "PROVED  noise.cert.json\n"
    for name in ("sigma.npy", "sigma.csv"):
        assert run("export", "noise.cert.json", "--covariance", name).exit_code == 0
        assert read_table(Path(name).read_bytes(), name).values == _written().covariance
    assert np.array_equal(np.load("sigma.npy"), np.loadtxt("sigma.csv", delimiter=","))


def test_json_has_the_documented_shape(run: Callable[..., Result]) -> None:
    run("design", "records.csv", "--epsilon", "1", "--delta", "1e-5", "-o", "noise.cert.json", "--quiet")
    result = run("check", "noise.cert.json", "--json")
    assert result.exit_code == 0
    (entry,) = json.loads(result.stdout)["results"]
    assert set(entry) == {"file", "verdict", "kind", "claim", "lower", "upper", "relative_gap", "obligations"}
    assert (entry["file"], entry["verdict"], entry["kind"]) == ("noise.cert.json", "PROVED", "CovarianceOptimum")
    claim = _written()
    assert (entry["lower"], entry["upper"]) == (str(claim.lower), str(claim.upper))
    assert fmpq(entry["relative_gap"]) == (claim.upper - claim.lower) / claim.upper < fmpq(1, 10**9)
    assert "(epsilon = 1, delta = 1e-5)-differential privacy" in entry["claim"]
    for obligation in entry["obligations"]:
        assert set(obligation) == {"name", "holds", "detail"}
        assert obligation["holds"] is True


@pytest.mark.parametrize(
    ("options", "budget"),
    [
        (["--rho", "1/2"], "1/2"),
        (["--zcdp", "0.25"], "1/2"),
        (["--gdp", "2"], "4"),
        (["--renyi", "4", "1"], "1/2"),
    ],
)
def test_every_budget_option(run: Callable[..., Result], options: list[str], budget: str) -> None:
    result = run("design", "records.csv", *options, "-o", "noise.cert.json", "--neighbours", "replace", "--json")
    assert result.exit_code == 0
    claim = _written()
    assert claim.lower <= 4 / fmpq(budget) <= claim.upper
    (entry,) = json.loads(result.stdout)["results"]
    assert f"rho_star <= {budget}" in json.dumps(entry["obligations"])


def test_weight_floor_scale_solver_and_gap(run: Callable[..., Result]) -> None:
    Path("w.csv").write_text("4,0\n0,9\n", encoding="utf-8")
    arguments = ["--weight", "w.csv", "--scale", "1/2", "--solver", "clarabel", "--gap", "1e-4", "-o", "n.json", "-q"]
    assert run("design", "records.csv", "--rho", "1", *arguments).exit_code == 0
    claim = _written("n.json")
    assert claim.lower <= fmpq(25, 4) <= claim.upper
    domain = domain_of(claim.sensitivity)
    assert isinstance(domain, FiniteDomain)
    assert domain.source is not None
    assert domain.source.scale == fmpq(1, 2)
    assert run("design", "records.csv", "--rho", "1", "--floor", "3", "-o", "n.json", "-q").exit_code == 0
    assert _written("n.json").floor == 3


def test_design_reports_its_solve_round_by_round(run: Callable[..., Result]) -> None:
    arguments = ["--rho", "1", "-o", "noise.cert.json", "-q"]
    assert run("design", "records.csv", *arguments, "--report", "noise.html").exit_code == 0
    with_history = Path("noise.html").read_text(encoding="utf-8")
    run("report", "noise.cert.json", "-o", "plain.html", "-q")
    plain = Path("plain.html").read_text(encoding="utf-8")
    assert with_history.count("<svg") > plain.count("<svg") > 0
    assert run("design", "records.csv", *arguments, "--report", "nowhere/noise.html").exit_code == 4


def test_the_same_command_writes_the_same_bytes(run: Callable[..., Result]) -> None:
    for name in ("a.json", "b.json"):
        assert run("design", "records.csv", "--rho", "1", "-o", name, "-q").exit_code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def _bad_files() -> dict[str, tuple[str, str]]:
    return {
        "empty file": ("", "bad.csv: the file has no row of numbers"),
        "ragged rows": ("1,2\n3\n", "bad.csv, line 2: 1 cells where 2 are expected"),
        "text": ("1,2\n3,x\n", "bad.csv, line 2, column 2: 'x'"),
        "NaN": ("1,2\n3,nan\n", "bad.csv, line 2, column 2: 'nan' is not a finite number"),
        "infinity": ("1,2\ninf,3\n", "bad.csv, line 2, column 1: 'inf' is not a finite number"),
    }


@pytest.mark.parametrize("name", _bad_files())
def test_bad_records_end_in_exit_4_and_write_nothing(run: Callable[..., Result], name: str) -> None:
    content, message = _bad_files()[name]
    Path("bad.csv").write_text(content, encoding="utf-8")
    result = run("design", "bad.csv", "--rho", "1", "-o", "noise.cert.json")
    assert result.exit_code == 4
    assert message in result.stderr
    assert not Path("noise.cert.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--epsilon", "0", "--delta", "1e-5"], "--epsilon 0"),
        (["--epsilon", "-1", "--delta", "1e-5"], "--epsilon -1"),
        (["--epsilon", "1", "--delta", "0"], "--delta 0"),
        (["--epsilon", "1", "--delta", "1"], "--delta 1"),
        (["--epsilon", "1", "--delta", "1.5"], "--delta 3/2"),
        (["--rho", "0"], "--rho 0"),
        (["--zcdp", "-1"], "--zcdp -1"),
        (["--gdp", "-1"], "--gdp -1"),
        (["--renyi", "1/2", "1"], "1/2"),
        (["--renyi", "2", "0"], "--renyi 2 0"),
        (["--rho", "1", "--floor", "-1"], "--floor -1"),
        (["--rho", "1", "--scale", "0"], "--scale 0"),
        (["--rho", "1", "--gap", "2"], "--gap 2"),
        (["--rho", "1", "--weight", "asymmetric.csv"], "asymmetric.csv, row 2, column 1: the weight is not symmetric"),
        (["--rho", "1", "--weight", "indefinite.csv"], "v^T W v = -3 for v = (-2, 1)"),
        (["--rho", "1", "--weight", "missing.csv"], "missing.csv: No such file"),
        (["--rho", "1", "-o", "nowhere/noise.cert.json"], "the folder nowhere does not exist"),
    ],
)
def test_bad_values_end_in_exit_4(run: Callable[..., Result], options: list[str], message: str) -> None:
    Path("asymmetric.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    Path("indefinite.csv").write_text("1,2\n2,1\n", encoding="utf-8")
    result = run("design", "records.csv", "-o", "noise.cert.json", *options)
    assert result.exit_code == 4, result.output
    assert message in result.stderr
    assert not Path("noise.cert.json").exists()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--epsilon", "1"],
        ["--delta", "1e-5"],
        ["--rho", "1", "--gdp", "1"],
        ["--rho", "one"],
        ["--rho", "1", "--solver", "simplex"],
        ["--rho", "1", "--neighbours", "both"],
    ],
)
def test_wrong_usage_is_exit_2(run: Callable[..., Result], options: list[str]) -> None:
    assert run("design", "records.csv", "-o", "noise.cert.json", *options).exit_code == 2


def test_exit_codes_of_check(run: Callable[..., Result]) -> None:
    good, bad = write_certificate(square()), write_certificate(claim_with(square(), lower=fmpq(5), upper=fmpq(6)))
    Path("good.json").write_bytes(good)
    Path("bad.json").write_bytes(bad)
    Path("broken.json").write_bytes(good[:-5])
    assert run("check", "good.json").exit_code == 0
    rejected = run("check", "good.json", "bad.json")
    assert rejected.exit_code == 3
    assert "REJECTED  bad.json" in rejected.stdout
    assert "FAILS  lower bound" in rejected.stdout
    malformed = run("check", "broken.json", "good.json", "bad.json", "--json")
    assert malformed.exit_code == 4
    verdicts = [entry["verdict"] for entry in json.loads(malformed.stdout)["results"]]
    assert verdicts == ["MALFORMED", "PROVED", "REJECTED"]
    assert run("check", "broken.json").exit_code == 4
    assert run("check", "absent.json").exit_code == 4
    assert run("check").exit_code == 5
    assert run("show", "broken.json").exit_code == 4


def test_check_compares_with_the_users_own_records(run: Callable[..., Result]) -> None:
    run("design", "records.csv", "--rho", "1", "-o", "noise.cert.json", "-q")
    Path("other.csv").write_text(RECORDS.replace("1,1", "1,2"), encoding="utf-8")
    result = run("check", "noise.cert.json", "--records", "other.csv")
    assert result.exit_code == 4
    assert "not about the records in other.csv" in result.stderr
    Path("square.json").write_bytes(write_certificate(square()))
    assert run("check", "square.json", "--records", "records.csv").exit_code == 4
    run("export", "noise.cert.json", "--covariance", "sigma.npy", "-q")
    arguments = ["--records", "records.csv", "--covariance", "sigma.npy", "--neighbours", "replace"]
    assert run("rho", *arguments, "-o", "rho.cert.json", "-q").exit_code == 0
    assert run("check", "rho.cert.json", "--records", "records.csv").exit_code == 0
    assert run("check", "rho.cert.json", "--records", "other.csv").exit_code == 4


def test_export_refuses_what_is_not_proved(run: Callable[..., Result]) -> None:
    Path("bad.json").write_bytes(write_certificate(claim_with(one_hot(), lower=fmpq(3), upper=fmpq(4))))
    result = run("export", "bad.json", "--covariance", "sigma.npy")
    assert result.exit_code == 3
    assert "REJECTED" in result.stderr
    assert not Path("sigma.npy").exists()
    assert run("export", "bad.json", "--covariance", "sigma.txt").exit_code == 2
    assert run("export", "bad.json", "--covariance", "nowhere/sigma.npy").exit_code == 4


def test_export_refuses_numbers_that_are_not_binary64(run: Callable[..., Result]) -> None:
    third: Matrix = claim_of(square()).covariance + claim_of(square()).covariance.scaled(fmpq(1, 3))
    Path("third.json").write_bytes(write_certificate(claim_with(square(), covariance=third, upper=fmpq(6))))
    result = run("export", "third.json", "--covariance", "sigma.npy")
    assert result.exit_code == 4
    assert "8/3" in result.stderr


def test_help_lists_every_command_without_importing_it(run: Callable[..., Result]) -> None:
    text = run("--help").stdout
    for name in ("check", "design", "export", "show"):
        assert name in text
        assert run(name, "--help").exit_code == 0
    assert run("--version").exit_code == 0
    assert run("frobnicate").exit_code == 2


def test_an_interrupt_leaves_no_file(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("certify.certificates.covariance.design_covariance", interrupted)
    result = run("design", "records.csv", "--rho", "1", "-o", "noise.cert.json")
    assert result.exit_code == 1
    assert sorted(path.name for path in Path().iterdir()) == ["records.csv"]
