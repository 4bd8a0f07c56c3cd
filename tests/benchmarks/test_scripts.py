"""Every other benchmark on tiny sizes: its functions run, agree where they should, and print tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from certify.checker.psd import Psd, decide_psd
from tests.benchmarks.conftest import FOLDER, Load
from tests.checker.oracle import fractions


def test_tables_are_markdown(load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    machine = load("machine")
    result, took = machine.clocked(lambda: 7)
    assert result == 7
    assert took.cpu >= 0
    machine.print_table("Title", ("a", "b"), [[1, took]])
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[0] == "### Title"
    assert [line.count("|") for line in lines[2:]] == [3, 3, 3]


def test_the_machine_is_described(load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    load("machine").main()
    assert "| python-flint |" in capsys.readouterr().out


def test_growth_fits_the_exponent_of_a_power(load: Load) -> None:
    growth, machine = load("growth"), load("machine")
    sizes = [10, 100, 1000, 10_000]
    assert growth.exponent(sizes, [machine.Clocked(1e-3 * size**1.5, 0.0) for size in sizes]) == "1.50"
    assert growth.exponent([1, 2], [machine.Clocked(1.0, 1.0)] * 2) == "-"


def test_growth_measures_tiny_releases(load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    growth = load("growth")
    growth.grow_pairs([5, 9], 2)
    growth.grow("Records", "m", [4, 6], lambda size: growth.denoiser(size, 2))
    growth.grow("Vectors", "J", [9, 12], growth.vectors)
    printed = capsys.readouterr().out
    assert printed.count("###") == 5
    assert printed.count("| exponent |") == 5


@pytest.mark.parametrize("size", [1, 4])
def test_the_peers_of_exact_psd_decide_alike(size: int, load: Load) -> None:
    psd = load("psd")
    floats = psd.well_conditioned(size)
    for shift in (0.0, 3.0 + size):
        exact = psd.from_floats(floats - shift * np.eye(size))
        expected = isinstance(decide_psd(exact), Psd)
        assert psd.by_fractions(fractions(exact)) == expected == (shift == 0)
        assert psd.sympy_matrix(exact).is_positive_semidefinite == expected


def test_the_formulas_beside_the_conversions_agree(load: Load) -> None:
    pytest.importorskip("dp_accounting", reason="dp-accounting is optional")
    privacy = load("privacy")
    exact = privacy.privacy_profile(privacy.fmpq(1), privacy.fmpq(1))
    for value in (
        privacy.float_profile(1.0, 1.0),
        float(privacy.precise_profile(privacy.fmpq(1), 1)),
        privacy.by_loss_distribution()(1.0),
    ):
        assert value == pytest.approx(float(exact.lower.p) / float(exact.lower.q), rel=1e-9)


def test_a_failing_benchmark_is_reported_as_such(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = load("results")
    monkeypatch.setattr(results, "HERE", tmp_path)
    (tmp_path / "good.py").write_text("print('fine')")
    (tmp_path / "bad.py").write_text("raise SystemExit(7)")
    monkeypatch.setattr(sys, "argv", ["results.py", "good", "bad", "missing"])
    results.main()
    written = (tmp_path / "RESULTS.md").read_text()
    assert "fine" in written
    assert "Failed with exit code 7" in written
    assert "missing" not in written
    (tmp_path / "good.py").write_text("print('better')")
    monkeypatch.setattr(sys, "argv", ["results.py", "good"])
    results.main()
    assert (tmp_path / "RESULTS.md").read_text() == written.replace("fine", "better")


def test_every_benchmark_explains_itself() -> None:
    for script in ("covariance", "growth", "psd"):
        done = subprocess.run(
            [sys.executable, FOLDER / f"{script}.py", "--help"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "usage" in done.stdout
