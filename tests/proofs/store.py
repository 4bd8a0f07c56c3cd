"""The stored certificates that are made from the examples of the tests: ``python -m tests.proofs.store`` writes them.

A rejected file is named for the obligation that must fail, then for what is wrong: ``lower-bound--too-high.cert.json``.
A file that is no certificate is named ``malformed--...``.
"""

from __future__ import annotations

import re
from pathlib import Path

from certify.checker.certificate import write_certificate
from tests.checker.examples import ACCEPTED
from tests.checker.test_certificate import MALFORMED
from tests.checker.test_covariance import REJECTED

FOLDER = Path(__file__).parents[2] / "proofs" / "certificates"
SUFFIX = ".cert.json"
SIZE_LIMIT = 20_000


def slug(text: str) -> str:
    """Return the text as a file name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def made_files() -> dict[Path, bytes]:
    """Return the stored files that the examples determine, with their bytes."""
    files = {Path("accepted", slug(name) + SUFFIX): write_certificate(build()) for name, build in ACCEPTED.items()}
    for name, (build, obligation) in REJECTED.items():
        files[Path("rejected", f"{slug(obligation)}--{slug(name)}{SUFFIX}")] = write_certificate(build())
    for name, (data, _) in MALFORMED.items():
        if len(data) <= SIZE_LIMIT:
            files[Path("rejected", f"malformed--{slug(name)}{SUFFIX}")] = data
    return files


if __name__ == "__main__":
    for path, data in made_files().items():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_bytes(data)
