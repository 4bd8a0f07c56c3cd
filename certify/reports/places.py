"""Where the certificates of tests are kept, and which of them no test uses any more."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

FOLDER = "__certificates__"
SUFFIX = ".cert.json"
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def certificate_path(test_file: Path, test: str, call: int) -> Path:
    """Return where the certificate of the given call in a test is stored: one file for each call of each test.

    A name that is no plain file name gets a part of its hash, so that two tests never share a file.
    """
    plain = _UNSAFE.sub("_", test).strip("_")[:100]
    suffix = "" if plain == test else f"-{hashlib.sha256(test.encode()).hexdigest()[:8]}"
    number = "" if call == 1 else f"-{call}"
    return test_file.parent / FOLDER / test_file.stem / f"{plain}{suffix}{number}{SUFFIX}"


def unused_certificates(test_files: Iterable[Path], used: Iterable[Path]) -> list[Path]:
    """Return the stored certificates of the given test files that are not among those used.

    Args:
        test_files: Test files of which every test has run and passed; a folder of certificates beside them whose test
            file is gone counts too.
        used: The certificates that their tests used.
    """
    files = set(test_files)
    folders = {file.parent / FOLDER / file.stem for file in files}
    for shelf in {file.parent / FOLDER for file in files}:
        kept = shelf.iterdir() if shelf.is_dir() else ()
        folders |= {folder for folder in kept if not (shelf.parent / f"{folder.name}.py").exists()}
    stored = {path for folder in folders if folder.is_dir() for path in folder.glob(f"*{SUFFIX}")}
    return sorted(stored - set(used))
