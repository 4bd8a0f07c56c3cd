"""Every stored certificate is checked again: accepted ones are decided, rejected ones fail for the reason they name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.codec import Malformed
from certify.checker.kernel import check
from certify.checker.verdict import Status
from tests.proofs.store import FOLDER, SUFFIX, made_files, slug

ACCEPTED = sorted((FOLDER / "accepted").glob(f"*{SUFFIX}"))
REJECTED = sorted((FOLDER / "rejected").glob(f"*{SUFFIX}"))


def _id(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def test_the_folders_are_not_empty_and_hold_nothing_else() -> None:
    assert len(ACCEPTED) >= 10
    assert len(REJECTED) >= len(ACCEPTED)
    for folder, files in (("accepted", ACCEPTED), ("rejected", REJECTED)):
        assert sorted((FOLDER / folder).iterdir()) == files


@pytest.mark.parametrize("path", ACCEPTED, ids=_id)
def test_accepted_certificates_are_decided_and_canonical(path: Path) -> None:
    data = path.read_bytes()
    certificate = read_certificate(data)
    assert write_certificate(certificate) == data
    expected = Status.REFUTED if path.name.startswith("refuted--") else Status.PROVED
    verdict = check(certificate)
    assert verdict.status is expected, verdict.failed


@pytest.mark.parametrize("path", REJECTED, ids=_id)
def test_rejected_files_fail_for_the_reason_they_name(path: Path) -> None:
    reason = path.name.split("--")[0]
    data = path.read_bytes()
    if reason == "malformed":
        with pytest.raises(Malformed):
            read_certificate(data)
        return
    verdict = check(read_certificate(data))
    assert verdict.status is Status.REJECTED
    assert slug(verdict.failed[0].name) == reason


@pytest.mark.parametrize("path", sorted(made_files()), ids=str)
def test_the_examples_still_have_the_stored_bytes(path: Path) -> None:
    assert (FOLDER / path).read_bytes() == made_files()[path]


BRACKETS = [path for path in ACCEPTED if b'"kind": "CovarianceOptimum"' in path.read_bytes()]


@pytest.mark.parametrize("path", BRACKETS, ids=_id)
def test_a_tightened_claim_is_never_proved_by_the_stored_witness(path: Path) -> None:
    document = json.loads(path.read_bytes())
    claim = read_certificate(path.read_bytes()).claim
    assert isinstance(claim, CovarianceOptimum)
    for end, change in (("lower", 1), ("upper", -1)):
        tight = json.loads(json.dumps(document))
        value = getattr(claim, end) + change * (claim.upper - claim.lower + 1)
        tight["claim"][end] = str(value)
        other = "upper" if end == "lower" else "lower"
        tight["claim"][other] = str(value + change)
        assert check(read_certificate(json.dumps(tight).encode())).status is Status.REJECTED


def _number_paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _number_paths(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _number_paths(item, (*path, index))
    elif isinstance(value, str) and value.lstrip("-")[:1].isdigit():
        yield path


def _replaced(document: Any, path: tuple[str | int, ...], value: str) -> bytes:
    copy = json.loads(json.dumps(document))
    target = copy
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    return json.dumps(copy).encode()


TAMPERED = [path for path in BRACKETS if path.stat().st_size < 20_000]


@pytest.mark.parametrize("path", TAMPERED, ids=_id)
def test_no_changed_number_of_a_stored_certificate_proves_another_optimum(path: Path) -> None:
    """The data stay as they are; whatever else changes, a proved bracket has to contain the optimum."""
    document = json.loads(path.read_bytes())
    original = read_certificate(path.read_bytes()).claim
    assert isinstance(original, CovarianceOptimum)
    places = [("claim", key) for key in ("covariance", "lower", "upper")] + [("witness",)]
    paths = [p for p in _number_paths(document) if any(p[: len(place)] == place for place in places)]
    proved = 0
    for where in paths:
        target: Any = document
        for step in where:
            target = target[step]
        number = fmpq(target) if "^" not in target else fmpq(2)
        for value in (number + 1, -number - 1, number * 2 + fmpq(1, 2**40)):
            try:
                verdict = check(read_certificate(_replaced(document, where, str(value))))
            except Malformed:
                continue
            if verdict.status is Status.PROVED:
                proved += 1
                assert isinstance(verdict.claim, CovarianceOptimum)
                assert verdict.claim.lower <= original.upper
                assert verdict.claim.upper >= original.lower
    assert proved < 3 * len(paths)
