"""certify audit as a user runs it: output, certificates, exit codes, mistakes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import Certificate, read_certificate
from certify.checker.claims import ReleasePrivacy, RhoStarEnclosure
from certify.checker.exact import parse_rational
from certify.checker.guarantees import ApproxDP
from certify.checker.kernel import check
from certify.checker.verdict import Status
from certify.checker.witnesses import Counterexample
from certify.cli import main

RECORDS = "a,b\n0,0\n0,1\n1,0\n1,1\n"
SPEC = """
statistic = "denoiser"
neighbours = "{neighbours}"
records = {{ file = "records.csv" }}
query = {query}
covariance = {covariance}
{claims}
"""
CLAIM = "[[claims]]\nepsilon = {}\ndelta = {}\n"
FALSE, TRUE = CLAIM.format("1", "1e-5"), CLAIM.format("8", "1e-5")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("records.csv").write_text(RECORDS, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(main, ["audit", *arguments], catch_exceptions=False)


def _write_spec(claims: str, neighbours: str = "add-remove", query: str = '"uniform"', covariance: str = "") -> str:
    given = covariance or "{ rows = [[2, 0.5], [0.5, 1]] }"
    text = SPEC.format(neighbours=neighbours, query=query, covariance=given, claims=claims)
    Path("audit.toml").write_text(text, encoding="utf-8")
    return "audit.toml"


def _read(path: str) -> Certificate:
    return read_certificate(Path(path).read_bytes())


def test_a_refuted_claim_names_its_counterexample_and_the_tightest_true_claim(run: Callable[..., Result]) -> None:
    result = run(_write_spec(FALSE), "-o", "a.cert.json", "--no-design")
    assert result.exit_code == 3
    assert "REFUTED  a.cert.json" in result.stdout
    assert "D and D' share record 2 = (1, 0); D also holds record 1 = (0, 1), D' does not" in result.stdout
    assert "g is record 1 = (0, 1), with sigma^2 = 0.0625" in result.stdout
    assert "(1, 1e-5) is false; (7.1182, 1e-5) is proved" in result.stdout
    assert "rho_star is exactly 16/7" in result.stdout
    refuted, tightest = _read("a.cert.json"), _read("a-tightest.cert.json")
    assert isinstance(refuted.witness, Counterexample)
    assert check(refuted).status is Status.REFUTED
    assert isinstance(tightest.claim, ReleasePrivacy)
    assert tightest.claim.guarantee == ApproxDP(parse_rational("7.1182"), parse_rational("1e-5"))
    assert check(tightest).status is Status.PROVED
    assert CliRunner().invoke(main, ["check", "a.cert.json", "-q"]).exit_code == 3
    shown = CliRunner().invoke(main, ["show", "a.cert.json"]).stdout
    assert "Counterexample (records counted from 0): D and D' share record 2" in shown


def test_several_claims_are_numbered_and_the_worst_decides_the_exit_code(run: Callable[..., Result]) -> None:
    result = run(_write_spec(TRUE + FALSE + "[[claims]]\nzcdp = 8\n"), "-o", "a.cert.json", "--no-design", "-q")
    assert result.exit_code == 3
    names = {path.name for path in Path().glob("*.cert.json")}
    assert names == {"a-1.cert.json", "a-2.cert.json", "a-2-tightest.cert.json", "a-3.cert.json"}
    statuses = [check(_read(f"a-{number}.cert.json")).status for number in (1, 2, 3)]
    assert statuses == [Status.PROVED, Status.REFUTED, Status.PROVED]
    assert run(_write_spec(TRUE), "--no-design", "-q").exit_code == 0


def test_a_proved_claim_says_what_could_be_saved_and_what_others_would_say(run: Callable[..., Result]) -> None:
    result = run(_write_spec(TRUE), "-q")
    assert result.exit_code == 0
    text = result.stdout
    assert "(8, 1e-5) is proved; so are the tightest of its kind, (7.1182, 1e-5) and (8, 6.7878e-7)" in text
    assert "0.823486 times this covariance still has the guarantee: 17.6 % is to spare" in text
    assert re.search(r"Noise: the trace of this covariance is 3; .* 1\.441.*: 51\.9 % could be saved", text)
    rows = {line.split("  ")[1]: line for line in text.splitlines() if line.startswith("  ")}
    assert "7.11817 to 7.11818" in rows["exact"]
    assert "8.39754 to 8.39755" in rows["generic zCDP conversion"]
    assert "at least 2.5224" in rows["diameter and lambda_max"]
    assert "at least 8.88226" in rows["both of these"]


def test_json_has_the_entries_of_check_and_more(run: Callable[..., Result]) -> None:
    result = run(_write_spec(FALSE + TRUE, neighbours="replace"), "--json", "-q")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert set(document) == {"results", "rho_star", "accounting"}
    refuted, proved = document["results"]
    for entry in (refuted, proved):
        common = {"file", "verdict", "kind", "claim", "lower", "upper", "relative_gap", "obligations"}
        added = {"guarantee", "counterexample", "attained", "tightest", "remedy", "noise", "remarks"}
        assert set(entry) == common | added
    assert (refuted["verdict"], proved["verdict"]) == ("REFUTED", "PROVED")
    assert refuted["guarantee"] == {"kind": "ApproxDP", "epsilon": "1", "delta": "1/100000"}
    assert refuted["counterexample"]["only_in_first"] == ["0", "1"]
    assert refuted["counterexample"]["only_in_second"] == ["1", "0"]
    assert refuted["counterexample"]["query"] == {"kind": "FixedQuery", "point": ["0", "1"], "variance": "1/16"}
    assert fmpq(refuted["attained"]["lower"]) < fmpq(16, 7)
    assert [each["verdict"] for each in refuted["tightest"]] == ["PROVED", "PROVED"]
    assert fmpq(proved["noise"]["least_trace"]["lower"]) < fmpq(1442, 1000)
    assert document["rho_star"]["value"] == {"lower": "16/7", "upper": "16/7"}
    assert (document["rho_star"]["lower"], document["rho_star"]["verdict"]) == ("16/7", "PROVED")
    assert [way["lower_bounds_only"] for way in document["accounting"]] == [False, False, True, True]


def test_other_queries_statistics_and_float_files(run: Callable[..., Result]) -> None:
    np.save("sigma.npy", np.array([[0.1, 0.0], [0.0, 0.3]]))
    query = "{ fixed = { point = [0, 0], sigma = 0.5 } }"
    result = run(_write_spec(FALSE, "replace", query, '{ file = "sigma.npy" }'), "--json", "--no-design", "-q")
    (entry,) = json.loads(result.stdout)["results"]
    assert entry["counterexample"]["query"]["variance"] == "1/4"
    assert len(entry["counterexample"]["shared"]) == 1
    assert entry["noise"] is None
    vectors = (
        'statistic = "vectors"\nvectors = { rows = [[1, 2]] }\ncovariance = { isotropic = 5 }\n[[claims]]\ngdp = 1\n'
    )
    Path("v.toml").write_text(vectors, encoding="utf-8")
    assert run("v.toml", "-q").exit_code == 0
    Path("v.toml").write_text(vectors.replace("gdp = 1", "gdp = 0.999"), encoding="utf-8")
    refuted = run("v.toml", "-q")
    assert refuted.exit_code == 3
    assert "The vector that refutes the claim: record 0" in refuted.stdout


def test_an_infinite_rho_star_is_refuted_by_a_direction_without_noise(run: Callable[..., Result]) -> None:
    result = run(_write_spec(FALSE, covariance="{ rows = [[1, 0], [0, 0]] }"), "-o", "a.cert.json", "-q")
    assert result.exit_code == 3
    assert "can be told apart with certainty" in result.stdout
    assert "(1, 1e-5) is false; only claims that promise nothing hold" in result.stdout
    assert "rho_star is infinite" in result.stdout
    assert not Path("a-tightest.cert.json").exists()


def test_naive_accounting_of_a_singular_covariance_is_infinite(run: Callable[..., Result]) -> None:
    Path("records.csv").write_text("0,7\n1,7\n", encoding="utf-8")
    result = run(_write_spec(TRUE, covariance="{ diagonal = [1, 0] }"), "-q", "--no-design")
    assert result.exit_code == 0
    (line,) = [line for line in result.stdout.splitlines() if "diameter and lambda_max" in line]
    assert line.split()[-2:] == ["infinite", "infinite"]


def test_an_undecided_claim_is_exit_5_and_its_file_says_what_is_known(run: Callable[..., Result]) -> None:
    generator = np.random.default_rng(4)
    factor = generator.standard_normal((21, 21))
    covariance = factor @ factor.T / 21 + 0.01 * np.eye(21)
    np.save("sigma.npy", (covariance + covariance.T) / 2)
    ends = f"lower = {[0] * 21}, upper = {[1] * 21}"
    lines = [
        'statistic = "denoiser"\nneighbours = "replace"\nquery = "uniform"',
        f'domain = {{ box = {{ {ends} }} }}\ncovariance = {{ file = "sigma.npy" }}\n[[claims]]\nzcdp = "RHO"',
    ]
    Path("box.toml").write_text("\n".join(lines).replace("RHO", "1"), encoding="utf-8")
    value = json.loads(run("box.toml", "--json", "--no-design", "-q").stdout)["rho_star"]["value"]
    middle = (fmpq(value["lower"]) + fmpq(value["upper"])) / 4
    assert fmpq(value["lower"]) < fmpq(value["upper"])
    Path("box.toml").write_text("\n".join(lines).replace("RHO", str(middle)), encoding="utf-8")
    result = run("box.toml", "-o", "box.cert.json", "--no-design", "-q")
    assert result.exit_code == 5
    assert "UNDECIDED  box.cert.json" in result.stdout
    assert "What would decide: rho_star lies between" in result.stdout
    known = _read("box.cert.json")
    assert isinstance(known.claim, RhoStarEnclosure)
    assert check(known).status is Status.PROVED
    (entry,) = json.loads(run("box.toml", "--json", "-q", "--no-design").stdout)["results"]
    assert (entry["verdict"], entry["kind"], entry["lower"]) == ("UNDECIDED", "ReleasePrivacy", None)


@pytest.mark.parametrize(
    ("arguments", "changed", "message"),
    [
        (["audit.toml"], {"covariance": "{ rows = [[1, 2], [2, 1]] }"}, "not positive semidefinite: v^T Sigma v = -3"),
        (
            ["audit.toml"],
            {"covariance": "{ rows = [[1, 2], [0, 1]] }"},
            "covariance: the covariance is not symmetric",
        ),
        (["audit.toml"], {"neighbours": "both"}, "audit.toml, neighbours: 'both' is not one of add-remove, replace"),
        (["audit.toml"], {"covariance": '{ file = "absent.npy" }'}, "absent.npy: No such file"),
        (["audit.toml", "-o", "nowhere/a.json"], {}, "the folder nowhere does not exist"),
        (["absent.toml"], {}, "absent.toml: No such file"),
    ],
)
def test_mistakes_are_exit_4_and_write_nothing(
    run: Callable[..., Result], arguments: list[str], changed: dict[str, str], message: str
) -> None:
    _write_spec(FALSE, **changed)
    result = run("-o", "a.cert.json", *arguments)
    assert result.exit_code == 4
    assert message in result.stderr
    assert not list(Path().glob("*.json"))


def test_files_are_found_relative_to_the_specification(run: Callable[..., Result]) -> None:
    folder = Path("deep")
    folder.mkdir()
    Path(_write_spec(TRUE)).rename(folder / "audit.toml")
    assert run("deep/audit.toml").exit_code == 4
    Path("records.csv").rename(folder / "records.csv")
    assert run("deep/audit.toml", "-q", "--no-design").exit_code == 0


def test_without_numpy_or_the_solvers_the_command_says_what_to_install(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    _write_spec(TRUE)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "certify.certificates.saving", None)
        result = run("audit.toml", "-q")
    assert result.exit_code == 0
    assert "the optimal covariance needs the solvers; install them with: pip install 'certify[solve]'" in result.stdout
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "certify.certificates.specification", None)
        result = run("audit.toml", "-q")
    assert result.exit_code == 5
    assert "pip install 'certify[solve]'" in result.stderr


def test_the_same_audit_writes_the_same_bytes(run: Callable[..., Result]) -> None:
    _write_spec(FALSE, neighbours="replace")
    for name in ("a.json", "b.json"):
        assert run("audit.toml", "-o", name, "-q", "--no-design").exit_code == 3
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert Path("a-tightest.json").read_bytes() == Path("b-tightest.json").read_bytes()
