"""certify rho as a user runs it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import read_certificate
from certify.checker.claims import RhoStarEnclosure, RhoStarInfinite
from certify.checker.kernel import check
from certify.checker.verdict import Status
from certify.cli import main


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("0,0\n0,1\n1,0\n1,1\n", encoding="utf-8")
    Path("s.csv").write_text("2,0.5\n0.5,1\n", encoding="utf-8")

    def invoke(*options: str) -> Result:
        arguments = ["rho", "--records", "r.csv", "--covariance", "s.csv", "-q", *options]
        return CliRunner().invoke(main, arguments, catch_exceptions=False)

    return invoke


def test_rho_star_and_every_guarantee_it_fixes(run: Callable[..., Result]) -> None:
    result = run("-o", "rho.cert.json", "--delta", "1e-300", "--epsilon", "800", "--order", "3/2")
    assert result.exit_code == 0
    assert "PROVED  rho.cert.json" in result.stdout
    assert "rho_star is exactly 16/7" in result.stdout
    rows = dict(line.strip().split("  ", 1) for line in result.stdout.splitlines() if "  " in line.strip())
    assert rows["zCDP rho"].strip() == "8/7"
    assert rows["Renyi divergence of order 1.5"].strip() == "12/7"
    assert rows["total variation"].strip() == "0.550308202031 to 0.550308202032"
    assert rows["epsilon at delta = 1e-300"].strip().startswith("57.020604427 to")
    assert rows["delta at epsilon = 800"].strip() == "5.00612174787e-60634 to 5.00612174788e-60634"
    certificate = read_certificate(Path("rho.cert.json").read_bytes())
    assert isinstance(certificate.claim, RhoStarEnclosure)
    assert certificate.claim.lower == certificate.claim.upper == fmpq(16, 7)
    assert check(certificate).status is Status.PROVED
    assert CliRunner().invoke(main, ["show", "rho.cert.json"]).exit_code == 0


def test_json_holds_exact_ends(run: Callable[..., Result]) -> None:
    document = json.loads(run("--json", "--neighbours", "replace").stdout)
    assert set(document) == {"results", "implied", "noise_multiplier"}
    (entry,) = document["results"]
    assert (entry["verdict"], entry["lower"], entry["upper"]) == ("PROVED", "16/7", "16/7")
    by_notion = {(each["notion"], each["at"]): each for each in document["implied"]}
    assert by_notion["zCDP rho", None]["upper"] == "8/7"
    assert fmpq(by_notion["epsilon", "1/100000"]["upper"]) < fmpq(72, 10)
    assert by_notion["mutual information", None]["upper"] == "8/7"
    assert document["noise_multiplier"] ** 2 <= 7 / 16


def test_a_scale_and_a_float_covariance(run: Callable[..., Result]) -> None:
    scaled = json.loads(run("--json", "--scale", "1/2").stdout)
    assert scaled["results"][0]["upper"] == "4/7"
    np.save("s.npy", np.array([[0.1, 0.0], [0.0, 0.1]]))
    value = fmpq(json.loads(run("--json", "--covariance", "s.npy").stdout)["results"][0]["upper"])
    assert value == 2 / fmpq(*(0.1).as_integer_ratio())


def test_a_difference_without_noise_is_proved_infinite(run: Callable[..., Result]) -> None:
    Path("s.csv").write_text("1,0\n0,0\n", encoding="utf-8")
    result = run("-o", "rho.cert.json")
    assert result.exit_code == 0
    assert "rho_star is infinite" in result.stdout
    assert "No guarantee that promises anything holds" in result.stdout
    assert isinstance(read_certificate(Path("rho.cert.json").read_bytes()).claim, RhoStarInfinite)
    document = json.loads(run("--json").stdout)
    assert (document["implied"], document["noise_multiplier"]) == ([], None)


@pytest.mark.parametrize(
    ("covariance", "options", "message"),
    [
        ("1,2\n2,1\n", [], "not positive semidefinite: v^T Sigma v = -3 for v = (-2, 1)"),
        ("1,2\n0,1\n", [], "not symmetric: 0 in row 2, column 1 but 2 across"),
        ("1\n", [], "s.csv: a 1 x 1 covariance for records of 2 columns"),
        ("1,x\n0,1\n", [], "s.csv, line 1, column 2: 'x'"),
        ("1,0\n0,1\n", ["--scale", "0"], "--scale 0: a scale is positive"),
        ("1,0\n0,1\n", ["--delta", "0"], "--delta 0: delta lies strictly between 0 and 1"),
        ("1,0\n0,1\n", ["--epsilon", "-1"], "--epsilon -1: epsilon is not negative"),
        ("1,0\n0,1\n", ["--order", "1/2"], "--order 1/2: a Renyi order is at least 1"),
        ("1,0\n0,1\n", ["--records", "absent.csv"], "absent.csv: No such file"),
        ("1,0\n0,1\n", ["-o", "nowhere/rho.json"], "the folder nowhere does not exist"),
    ],
)
def test_mistakes_are_exit_4(run: Callable[..., Result], covariance: str, options: list[str], message: str) -> None:
    Path("s.csv").write_text(covariance, encoding="utf-8")
    result = run("-o", "rho.cert.json", *options)
    assert result.exit_code == 4
    assert message in result.stderr
    assert not Path("rho.cert.json").exists()


def test_without_numpy_the_command_says_what_to_install(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "certify.certificates.rho_star", None)
    result = run()
    assert result.exit_code == 5
    assert "pip install 'certify[solve]'" in result.stderr
