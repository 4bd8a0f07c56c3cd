"""What the pytest plugin says at the end of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from certify.reports.places import unused_certificates

PROPERTY = "certify"
LINE_LIMIT = 160
PARTIAL = ("keyword", "markexpr", "deselect", "lf")
"""The options with which a run leaves tests out."""


def print_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many certificates were kept, and name every other one; the workers of xdist report here too."""
    entries = _entries(terminalreporter)
    unused = _unused(terminalreporter, {str(entry["file"]) for entry in entries})
    if not entries and not unused:
        return
    actions = [str(entry["action"]) for entry in entries] + ["unused"] * len(unused)
    counted = ", ".join(f"{actions.count(action)} {action}" for action in sorted(set(actions)))
    terminalreporter.section(f"certificates: {counted}")
    for entry in entries:
        if entry["action"] != "kept" or entry["message"]:
            first = str(entry["message"]).partition("\n")[0][:LINE_LIMIT]
            terminalreporter.line(f"{entry['action']} {entry['file']}" + (f": {first}" if first else ""))
    for path in unused:
        terminalreporter.line(f"unused {path}: no test uses it any more; delete it")


def _reports(terminalreporter: pytest.TerminalReporter) -> list[pytest.TestReport]:
    every = (report for reports in terminalreporter.stats.values() for report in reports)
    return [report for report in every if isinstance(report, pytest.TestReport)]


def _entries(terminalreporter: pytest.TerminalReporter) -> list[dict[str, str]]:
    found = [
        json.loads(str(value))
        for report in _reports(terminalreporter)
        if report.when == "call"
        for name, value in report.user_properties
        if name == PROPERTY
    ]
    return sorted(found, key=lambda entry: str(entry["file"]))


def _unused(terminalreporter: pytest.TerminalReporter, used: set[str]) -> list[str]:
    """Return the stored certificates that no test used; only of test files of which every test ran and passed."""
    config = terminalreporter.config
    if terminalreporter.stats.get("deselected") or any(config.getoption(name, None) for name in PARTIAL):
        return []
    reports = _reports(terminalreporter)
    incomplete = {_file(report) for report in reports if not report.passed}
    if "::" in "".join(config.args) or (incomplete and config.getoption("maxfail")):
        return []
    root = config.rootpath
    complete = [root / file for file in {_file(report) for report in reports} - incomplete]
    return [shown(path, root) for path in unused_certificates(complete, (root / file for file in used))]


def _file(report: pytest.TestReport) -> str:
    return report.nodeid.partition("::")[0]


def shown(path: Path, root: Path) -> str:
    """Return a path relative to the root of the run where it lies inside."""
    return str(path.relative_to(root) if path.is_relative_to(root) else path)
