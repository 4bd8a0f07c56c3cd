"""The machine-readable results: exact numbers, in the sense of the sentence beside them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq

from certify.checker.claims import Claim
from certify.checker.conic.claims import ConicBracket, ConicFeasible, Optimum, Side
from certify.checker.conic.problem import SourceValue
from certify.checker.verdict import Obligation, Status, Verdict
from certify.reports.results import Result, bracket_of, entry
from tests.checker.examples import claim_of, square
from tests.reports.examples import EIGENVALUE, malformed

TURNED = replace(EIGENVALUE, source_value=SourceValue.NEGATED)
HALF = fmpq(1, 2)


@pytest.mark.parametrize(
    ("claim", "numbers"),
    [
        (claim_of(square()), ("4", "4", "0")),
        (ConicBracket(EIGENVALUE, Optimum.BOTH, HALF, fmpq(4)), ("1/2", "4", "7/8")),
        (ConicBracket(TURNED, Optimum.BOTH, HALF, fmpq(4)), ("-4", "-1/2", "7/2")),
        (ConicBracket(TURNED, Optimum.BOTH, HALF, None), (None, "-1/2", None)),
        (ConicFeasible(EIGENVALUE, Side.DUAL), (None, None, None)),
    ],
)
def test_the_numbers_of_a_result(claim: Claim, numbers: tuple[str | None, str | None, str | None]) -> None:
    result = entry(Result("a", Verdict(Status.PROVED, claim, (Obligation("made up", True, ""),))))
    assert (result["lower"], result["upper"], result["relative_gap"]) == numbers
    assert tuple(None if end is None else str(end) for end in bracket_of(claim)) == numbers[:2]


def test_a_malformed_file_has_the_same_members() -> None:
    proved = entry(Result("a", Verdict(Status.PROVED, claim_of(square()), ())))
    assert set(entry(malformed().result)) == set(proved)
