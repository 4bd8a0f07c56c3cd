"""A page in headless Chromium: what it prints to the console, what it asks for, how wide it is.

The browser is Debian's. Where it or the driver is absent the tests that need it are skipped, except on CI.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Visit:
    """What happened while a page was open."""

    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    overflow: int = 0
    focusable: list[str] = field(default_factory=list)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the browser, or skip the test with a message."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None and not os.environ.get("CI"):
        pytest.skip("chromium is not installed: apt-get install chromium")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield running
        finally:
            running.close()


def visit(running: Browser, page: Path, width: int, scheme: str) -> Visit:
    """Open a page of a given width in the light or dark scheme, and press Tab until the end."""
    seen = Visit()
    context = running.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )
    tab = context.new_page()
    tab.on("console", lambda message: seen.console.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: seen.console.append(str(error)))
    tab.on("request", lambda request: seen.requests.append(request.url))
    tab.goto(page.as_uri())
    seen.overflow = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    for _ in range(60):
        tab.keyboard.press("Tab")
        name = tab.evaluate("(document.activeElement.className || document.activeElement.tagName).toString()")
        if name == "BODY":
            break
        seen.focusable.append(name)
    context.close()
    return seen
