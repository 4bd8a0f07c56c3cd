"""Settings of the test run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

ON_CI = bool(os.environ.get("CI"))

# Wall time on a shared machine says nothing about correctness; on CI the same examples run every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if ON_CI else "local")

OPTIONAL = (
    "the public SDP files are not beside the repository",
    "the SDPLIB files are not shipped with the project",
)
"""What a skip may name on CI: components that the README calls optional and CI does not install."""

skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect skips."""
    if report.skipped and not hasattr(report, "wasxfail") and isinstance(report.longrepr, tuple):
        skipped.append(f"{report.nodeid}: {report.longrepr[2]}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """On CI a skip is a failure unless it names an optional component."""
    hidden = [line for line in skipped if not any(name in line for name in OPTIONAL)]
    if ON_CI and hidden and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was skipped and why."""
    for line in skipped:
        terminalreporter.write_line(f"skipped: {line}")
