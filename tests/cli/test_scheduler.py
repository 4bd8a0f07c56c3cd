"""The option --scheduler: the same results as here, and clear errors where it cannot be used."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flint import fmpq

from certify.checker.certificate import write_certificate
from certify.cli import main
from certify.cluster import workers
from certify.cluster.workers import connected
from tests.checker.examples import claim_with, line, one_hot, square

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with connected(None, processes=2) as client:
        yield client.scheduler.address


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, certificate in (("line", line()), ("square", square()), ("one_hot", one_hot())):
        Path(f"{name}.cert.json").write_bytes(write_certificate(certificate))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def test_many_certificates_have_the_same_results_as_here(address: str) -> None:
    Path("low.cert.json").write_bytes(write_certificate(claim_with(square(), lower=fmpq(5), upper=fmpq(6))))
    Path("none.cert.json").write_text("{}", encoding="utf-8")
    here, there = run("check", ".", "--json"), run("check", ".", "--scheduler", address, "--json")
    assert there.stdout == here.stdout
    assert there.exit_code == here.exit_code == 4
    assert [each.get("verdict") for each in json.loads(there.stdout)["results"]].count("PROVED") == 3


def test_one_certificate_has_the_same_result_as_here(address: str) -> None:
    here, there = (run("check", "square.cert.json", "--json", *more) for more in ((), ("--scheduler", address)))
    assert there.stdout == here.stdout
    assert there.exit_code == 0


def test_every_pair_gives_the_same_result() -> None:
    assert run("check", ".", "--json").stdout == run("check", ".", "--every-pair", "--json").stdout


def test_a_design_writes_the_same_bytes_as_here(address: str) -> None:
    source = random.Random(1)  # noqa: S311 (reproducible test data)
    rows = [[source.randrange(-99, 100) for _ in range(3)] for _ in range(200)]
    Path("records.csv").write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n", encoding="utf-8")
    for name, more in (("here", []), ("there", ["--scheduler", address]), ("local", ["--scheduler", "local:1"])):
        assert run("design", "records.csv", "--rho", "1", "-o", name, "-q", *more).exit_code == 0
    assert Path("here").read_bytes() == Path("there").read_bytes() == Path("local").read_bytes()


@pytest.mark.parametrize("command", [["check", "line.cert.json"], ["check", "line.cert.json", "square.cert.json"]])
def test_a_scheduler_that_does_not_answer_is_exit_4(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "TIMEOUT", "1s")
    result = run(*command, "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 4
    assert "--scheduler tcp://127.0.0.1:1: the scheduler does not answer" in result.output
    result = run(*command, "--scheduler", "nonsense://x")
    assert result.exit_code == 4


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("check", "line.cert.json", "--scheduler", "local")
    assert result.exit_code == 5
    assert "pip install 'certify[cluster]'" in result.output


def test_every_pair_on_a_scheduler_is_wrong_usage() -> None:
    assert run("check", "line.cert.json", "--every-pair", "--scheduler", "local").exit_code == 2
