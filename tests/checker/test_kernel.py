"""What the trusted part may load, and who may say PROVED."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from certify.checker.certificate import write_certificate
from tests.checker.examples import square

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "certify" / "checker"
ALLOWED = {"flint", "certify"} | set(sys.stdlib_module_names)
FORBIDDEN = ("numpy", "scipy", "cvxpy", "scs", "clarabel", "sympy", "mpmath", "click", "rich")


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_checker_loads_no_solver_and_no_numpy() -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(CHECKER.rglob("*.py"))
    ]
    imports = "; ".join(f"import {module}" for module in modules)
    loaded = _run(f"{imports}; import sys; print([m for m in {FORBIDDEN!r} if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_the_command_line_check_loads_no_numpy(tmp_path: Path) -> None:
    path = tmp_path / "square.cert.json"
    path.write_bytes(write_certificate(square()))
    code = (
        "import sys; from certify.cli import main\n"
        f"try: main(['check', {str(path)!r}])\n"
        "except SystemExit as end: print('exit', end.code)\n"
        "print([m for m in ('numpy', 'scipy', 'cvxpy', 'sympy') if m in sys.modules])"
    )
    output = _run(code)
    assert "PROVED" in output
    assert output.endswith("exit 0\n[]\n")


def test_every_import_in_the_checker_is_allowed() -> None:
    for path in sorted(CHECKER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for name in names:
                assert name.split(".")[0] in ALLOWED, (path, name)
                assert not name.startswith("certify.") or name.startswith("certify.checker"), (path, name)


def test_only_the_kernel_makes_verdicts() -> None:
    makers = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "certify").rglob("*.py"))
        if any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Verdict"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    ]
    assert makers == ["certify/checker/kernel.py"]
