"""Settings of the test run."""

from __future__ import annotations

import os

from hypothesis import settings

# Wall time on a shared machine says nothing about correctness; on CI the same examples run every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
