"""certify privacy as a user runs it: questions, claims, noise; figures published elsewhere and what is true."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import read_certificate
from certify.checker.claims import Composition, GaussianPrivacy, NoiseCalibration
from certify.checker.exact import parse_rational
from certify.checker.guarantees import ApproxDP
from certify.checker.kernel import check
from certify.checker.verdict import Status
from certify.cli import main


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, ["privacy", *arguments], catch_exceptions=False)


def test_the_answer_of_a_widely_copied_calibrator_is_refuted(run: Callable[..., Result]) -> None:
    claim = ["--sigma", "9.848726953872188", "--sensitivity", "1", "--epsilon", "1", "--delta", "1e-30"]
    result = run(*claim, "-o", "p.cert.json")
    assert result.exit_code == 3
    text = " ".join(result.stdout.split())
    assert "REFUTED p.cert.json" in text
    assert "delta at epsilon = 1 is at least 5.776541552e-25, 577654 times the claimed 1e-30" in text
    assert "(1, 1e-30) is false; (1.127, 1e-30) is proved; (1, 5.7766e-25) holds too" in text
    assert "noise with sigma = 11.083102948976994 gives (1, 1e-30); 11.083102948976993 does not" in text
    certificate = read_certificate(Path("p.cert.json").read_bytes())
    assert isinstance(certificate.claim, NoiseCalibration)
    assert check(certificate).status is Status.REFUTED
    assert run(*claim[2:], "--sigma", "11.083102948976994").exit_code == 0
    assert run(*claim[2:], "--sigma", "11.083102948976993").exit_code == 3


def test_a_question_for_epsilon_or_delta_is_answered_by_a_proved_claim(run: Callable[..., Result]) -> None:
    result = run("--rho", "0.25", "--delta", "1e-5", "-o", "p.cert.json")
    assert result.exit_code == 0
    assert "The least true value is 1.99309140441 to 1.99309140442." in result.stdout
    claim = read_certificate(Path("p.cert.json").read_bytes()).claim
    assert claim == GaussianPrivacy(fmpq(1, 4), ApproxDP(parse_rational("1.99309140442"), fmpq(1, 10**5)))
    assert run("--rho", "1/4", "--epsilon", "1.99309140441", "--delta", "1e-5").exit_code == 3
    answer = json.loads(run("--gdp", "2", "--epsilon", "1", "--json").stdout)["results"][0]
    assert answer["verdict"] == "PROVED"
    lower, upper = fmpq(answer["answer"]["lower"]), fmpq(answer["answer"]["upper"])
    assert fmpq("50986/100000") < lower < upper < fmpq("50987/100000")
    assert upper - lower < fmpq(1, 10**11)


def test_releases_compose_whatever_their_parameters_are_called(run: Callable[..., Result]) -> None:
    result = run("--rho", "1/4", "--zcdp", "1/4", "--gdp", "1/2", "--sigma", "2", "--sensitivity", "1",
                 "--noise-multiplier", "4", "--neighbours", "replace",
                 "--epsilon", "1", "--delta", "0.3", "-o", "c.json")  # fmt: skip
    assert result.exit_code == 0
    claim = read_certificate(Path("c.json").read_bytes()).claim
    assert isinstance(claim, Composition)
    assert claim.rho_stars == (fmpq(1, 4), fmpq(1, 2), fmpq(1, 4), fmpq(1, 4), fmpq(1, 4))
    assert "chosen adaptively" in result.stdout


def test_a_noise_multiplier_needs_its_relation_and_replacing_costs_more(run: Callable[..., Result]) -> None:
    assert run("--noise-multiplier", "0.5", "--delta", "1e-5").exit_code == 2
    least = {"add-remove": "4.37717809568 to 4.37717809569", "replace": "9.99725614643 to 9.99725614644"}
    for relation, shown in least.items():
        result = run("--noise-multiplier", "1", "--neighbours", relation, "--delta", "1e-5")
        assert f"The least true value is {shown}." in result.stdout


def test_extreme_numbers_are_ordinary(run: Callable[..., Result]) -> None:
    assert run("--sigma", "1", "--sensitivity", "40", "--epsilon", "710", "--delta", "1e-300").exit_code == 3
    assert run("--sigma", "1", "--sensitivity", "40", "--epsilon", "2282", "--delta", "1e-300").exit_code == 0
    assert run("--rho", "1", "--epsilon", "1e6", "--delta", "1e-300").exit_code == 0
    tiny = run("--rho", "1", "--epsilon", "1e6")
    assert tiny.exit_code == 5
    assert "delta is about 1.45097876274e-217147023817, too small to be written as a fraction" in tiny.stderr


def test_without_a_release_the_noise_is_computed(run: Callable[..., Result]) -> None:
    result = run("--epsilon", "1", "--delta", "1e-30", "--sensitivity", "2")
    assert result.exit_code == 0
    assert "22.166205897953986 to 22.166205897953987" in result.stdout
    document = json.loads(run("--epsilon", "1", "--delta", "1e-30", "--json").stdout)
    assert document["guarantee"] == {"kind": "ApproxDP", "epsilon": "1", "delta": f"1/{10**30}"}
    least = document["needs"]["least sigma for sensitivity 1"]
    assert fmpq(least["lower"]) < fmpq(least["upper"]) < fmpq("11083102948976995/1000000000000000")
    assert "none: no release has the guarantee" in run("--kappa", "-1").stdout
    assert "any: the guarantee limits nothing" in run("--kappa", "0.7").stdout
    assert "no finite noise does" in run("--kappa", "0").stdout


def test_mutual_information_of_binary_records(run: Callable[..., Result]) -> None:
    assert run("--rho", "1", "--kappa", "0.1115").exit_code == 0
    refuted = run("--rho", "1", "--kappa", "0.1114")
    assert refuted.exit_code == 3
    assert "mutual information 0.1114 is false; mutual information 0.11143 is proved" in refuted.stdout
    assert run("--sigma", "2", "--sensitivity", "2", "--kappa", "0.1115").exit_code == 0
    several = run("--rho", "1", "--rho", "1", "--kappa", "0.1")
    assert several.exit_code == 4
    assert "mutual information is decided for one release" in several.stderr


def test_everything_is_tabulated_when_nothing_is_asked(run: Callable[..., Result]) -> None:
    result = run("--rho", "0.25", "--rho", "1/3")
    assert result.exit_code == 0
    assert "rho_star = 7/12, composed of 2 releases" in result.stdout
    assert "epsilon at delta = 1e-5" in result.stdout
    document = json.loads(run("--zcdp", "2", "--json").stdout)
    assert (document["rho_star"], document["noise_multiplier"]) == ("4", 0.5)
    assert document["implied"][0] == {"notion": "zCDP rho", "at": None, "lower": "2", "upper": "2", "note": None}


def test_json_of_a_claim(run: Callable[..., Result]) -> None:
    document = json.loads(
        run("--sigma", "1", "--sensitivity", "1", "--epsilon", "1", "--delta", "1e-5", "--json").stdout
    )
    (entry,) = document["results"]
    assert (entry["verdict"], entry["kind"], entry["rho_star"]) == ("REFUTED", "NoiseCalibration", "1")
    assert entry["answer"] is None
    assert [each["kind"] for each in entry["tightest"]] == ["ApproxDP", "ApproxDP"]
    assert fmpq(entry["least_sigma"]["lower"]) < fmpq(entry["least_sigma"]["upper"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rho", "-1"], "--rho -1: a privacy parameter is not negative"),
        (["--sigma", "0", "--sensitivity", "1"], "--sigma 0: sigma is positive"),
        (["--sigma", "1", "--sensitivity", "-1"], "--sensitivity -1: a sensitivity is not negative"),
        (["--noise-multiplier", "0", "--neighbours", "replace"], "a noise multiplier is positive, not 0"),
        (["--rho", "1", "--epsilon", "-1"], "epsilon must not be negative"),
        (["--rho", "1", "--delta", "2"], "--delta 2: delta lies between 0 and 1"),
        (["--rho", "1", "--delta", "0"], "Gaussian noise has no finite epsilon at delta = 0; use a positive delta"),
        (["--rho", "1", "--epsilon", "1", "--delta", "2"], "delta is a probability and must lie in [0, 1], not 2"),
        (["--epsilon", "1", "--delta", "0.1", "--sensitivity", "-1"], "a sensitivity is not negative"),
        (["--rho", "1", "--delta", "1e-5", "-o", "nowhere/p.json"], "the folder nowhere does not exist"),
    ],
)
def test_bad_values_are_exit_4(run: Callable[..., Result], arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 4, result.output
    assert message in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--epsilon", "1"],
        ["--sensitivity", "1"],
        ["--sigma", "1"],
        ["--rho", "1", "--neighbours", "replace"],
        ["--rho", "1", "--kappa", "0.1", "--epsilon", "1"],
        ["--rho", "one"],
        ["--noise-multiplier", "1", "--neighbours", "both"],
    ],
)
def test_wrong_usage_is_exit_2(run: Callable[..., Result], arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_conversions_need_no_numpy() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from certify.cli import main\n"
        "main(['privacy', '--rho', '0.25', '--epsilon', '1', '--delta', '1e-5'])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 3
    assert "(1, 1e-5) is false" in result.stdout


def test_figure_1_prints_its_summary() -> None:
    arguments = ["figure1", "--draws", "50", "--dimension", "6"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "naive / exact over [0, 1]^6, Sigma = G G^T / d + 0.01 I, 50 draws, seed 0" in result.stdout
    document = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert document["draws"] == 50
    assert f"mean          {document['mean']:.4f}" in result.stdout
    assert CliRunner().invoke(main, ["figure1", "--dimension", "21"]).exit_code == 4
