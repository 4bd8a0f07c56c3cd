"""action.yml and .pre-commit-hooks.yaml: valid, and their commands run as written."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import parse

import pytest
import yaml
from flint import fmpq

from certify.checker.certificate import write_certificate
from tests.checker.examples import claim_with, square

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
GOOD = write_certificate(square())
BAD = write_certificate(claim_with(square(), lower=fmpq(5), upper=fmpq(6)))


def _step(name: str) -> Any:
    (step,) = (each for each in ACTION["runs"]["steps"] if each["id"] == name)
    return step


def _run(folder: Path, **inputs: str) -> tuple[int, dict[str, str], str]:
    """Run the check step as the runner does, on inputs with the defaults of the action."""
    given = {name: entry["default"] for name, entry in ACTION["inputs"].items()} | inputs
    step = _step("check")
    filled = {
        name: re.sub(r"\$\{\{ inputs\.([a-z]+) \}\}", lambda match: given[match[1]], value)
        for name, value in step["env"].items()
    }
    (folder / "temp" / "certify").mkdir(parents=True, exist_ok=True)
    link = folder / "temp" / "certify" / "bin"
    if not link.exists():
        link.symlink_to(BIN)
    places = {"RUNNER_TEMP": "temp", "GITHUB_OUTPUT": "output.txt", "GITHUB_STEP_SUMMARY": "summary.md"}
    runner = {name: str(folder / place) for name, place in places.items()}
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        Path(runner[name]).write_text("", encoding="utf-8")
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **runner, **filled},
        capture_output=True,
        text=True,
        check=False,
    )
    outputs = dict(line.split("=", 1) for line in Path(runner["GITHUB_OUTPUT"]).read_text("utf-8").splitlines())
    return done.returncode, outputs, Path(runner["GITHUB_STEP_SUMMARY"]).read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "schema"), [("action.yml", "vendor.github-actions"), (".pre-commit-hooks.yaml", "vendor.pre-commit-hooks")]
)
def test_the_files_are_valid(file: str, schema: str) -> None:
    if schema == "vendor.pre-commit-hooks":
        command = [str(BIN / "pre-commit"), "validate-manifest", file]
    else:
        command = [str(BIN / "check-jsonschema"), "--builtin-schema", schema, file]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action_passes_and_fails_with_the_verdicts(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "good.cert.json").write_bytes(GOOD)
    code, outputs, summary = _run(tmp_path, certificates="\na b\n", attest="statement.json")
    assert (code, outputs) == (0, {"exit-code": "0"})
    assert "1 of 1 claims proved" in summary
    assert json.loads((tmp_path / "statement.json").read_bytes())["predicate"]["result"] == "PASSED"
    (tmp_path / "bad.cert.json").write_bytes(BAD)
    code, outputs, summary = _run(tmp_path)
    assert (code, outputs) == (3, {"exit-code": "3"})
    assert "1 of 2 claims proved" in summary
    assert parse(tmp_path / "certify.junit.xml").getroot().get("failures") == "1"  # noqa: S314
    log = json.loads((tmp_path / "certify.sarif").read_bytes())
    assert [r["level"] for r in log["runs"][0]["results"]] == ["none", "error"]


def test_the_action_fails_when_nothing_is_checked(tmp_path: Path) -> None:
    for certificates in (".", ""):
        code, outputs, summary = _run(tmp_path, certificates=certificates, sarif="", junit="")
        assert (code, outputs) == (5, {"exit-code": "5"})
        assert "nothing was checked" in summary
    assert not (tmp_path / "certify.sarif").exists()


def test_inputs_are_never_run_as_shell(tmp_path: Path) -> None:
    (tmp_path / "good.cert.json").write_bytes(GOOD)
    for nasty in ("$(touch pwned)", "`touch pwned`", "; touch pwned", "--help", "good.cert.json; touch pwned"):
        code, _, _ = _run(tmp_path, certificates=nasty, records=nasty if nasty.startswith("$") else "")
        assert code != 0
    assert not (tmp_path / "pwned").exists()
    assert not [step for step in ACTION["runs"]["steps"] if "${{" in step["run"]]


def test_every_script_is_valid_shell() -> None:
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert subprocess.run(["bash", "-n", "-c", step["run"]], check=False).returncode == 0


def test_the_hook_runs_as_written(tmp_path: Path) -> None:
    (tmp_path / "good.cert.json").write_bytes(GOOD)
    (tmp_path / "bad.cert.json").write_bytes(BAD)
    program, *arguments = shlex.split(HOOK["entry"])
    for names, code in ((["good.cert.json"], 0), (["good.cert.json", "bad.cert.json"], 3)):
        done = subprocess.run([BIN / program, *arguments, *names], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == code
    assert re.search(HOOK["files"], "noise/a.cert.json")
    assert not re.search(HOOK["files"], "package.json")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of what an installation needs."""
    folder = tmp_path / "source"
    folder.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("certify", "symbolic"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


OFFLINE = {
    **os.environ,
    # pip builds from what is installed here and asks no index; dependencies are found here too.
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PYTHONPATH": sysconfig.get_paths()["purelib"],
}


def test_the_action_installs_what_it_runs(tmp_path: Path, source: Path) -> None:
    places = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(source), "CERTIFY_PYTHON": sys.executable}
    install = subprocess.run(
        ["bash", "-e", "-c", _step("install")["run"]],
        env={**OFFLINE, **places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert install.returncode == 0, install.stderr
    program = tmp_path / "certify" / "bin" / "certify"
    (tmp_path / "good.cert.json").write_bytes(GOOD)
    done = subprocess.run(
        [program, "check", "good.cert.json", "--quiet"], cwd=tmp_path, env=OFFLINE, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"PROVED  good.cert.json\n")
    code = "import certify; print(certify.__file__)"
    found = subprocess.run(
        [program.with_name("python"), "-c", code], cwd=tmp_path, env=OFFLINE, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()).is_relative_to(tmp_path / "certify")


def test_pre_commit_installs_and_runs_the_hook_without_a_network(tmp_path: Path, source: Path) -> None:
    user = tmp_path / "user"
    user.mkdir()
    (user / "good.cert.json").write_bytes(GOOD)
    (user / "notes.json").write_bytes(b"{}")
    environment = {
        **OFFLINE,
        **{f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }

    def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    for folder in (source, user):
        for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "x")):
            assert run(folder, "git", *command).returncode == 0
    hook = (str(BIN / "pre-commit"), "try-repo", str(source), HOOK["id"], "--verbose", "--all-files")
    passed = run(user, *hook)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "PROVED  good.cert.json" in passed.stdout
    (user / "bad.cert.json").write_bytes(BAD)
    run(user, "git", "add", "-A")
    failed = run(user, *hook)
    assert failed.returncode == 1
    assert "REJECTED  bad.cert.json" in failed.stdout
