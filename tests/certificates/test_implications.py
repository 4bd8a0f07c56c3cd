"""What one rho_star fixes: every parameter is the least true one, whatever its size."""

from __future__ import annotations

import pytest
from flint import fmpq

from certify.certificates.implications import Implication, Notion, Question, implications, mutual_information
from certify.checker.capacity import capacity
from certify.checker.domains import FiniteDomain
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import GDP, ZCDP, ApproxDP, Guarantee, RenyiDP, TotalVariation
from certify.checker.privacy import holds
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser, RecordSum
from tests.certificates.audit_examples import ADD, RECORDS, RELEASES, REPLACE, exact

QUESTION = Question((fmpq(1, 10**5), fmpq(1, 10**300)), (fmpq(0), fmpq(710)), (fmpq(3, 2),))


def _guarantee(implied: Implication, number: fmpq) -> Guarantee:
    at = implied.at if implied.at is not None else fmpq(1)
    match implied.notion:
        case Notion.ZCDP:
            return ZCDP(number)
        case Notion.GDP:
            return GDP(number)
        case Notion.KL | Notion.RENYI:
            return RenyiDP(at, number)
        case Notion.TOTAL_VARIATION:
            return TotalVariation(number)
        case Notion.EPSILON:
            return ApproxDP(number, at)
        case _:
            return ApproxDP(at, number)


@pytest.mark.parametrize("rho_star", [fmpq(1, 100), fmpq(1), fmpq(9), fmpq(1000)])
def test_every_upper_end_is_true_and_less_than_the_lower_end_is_false(rho_star: fmpq) -> None:
    value = Enclosure(rho_star, rho_star)
    found = list(implications(value, None, QUESTION))
    assert len(found) == 9
    for implied in found:
        if implied.value is None:
            assert implied.note
            continue
        assert holds(_guarantee(implied, implied.value.upper), value) is True
        assert implied.value.upper - implied.value.lower <= implied.value.upper * fmpq(1, 10**13)
        below = implied.value.lower * (1 - fmpq(1, 10**12))
        if below > 0:
            assert holds(_guarantee(implied, below), value) is False


def test_an_enclosure_gives_wider_answers() -> None:
    wide = Enclosure(fmpq(1), fmpq(2))
    ends = [list(implications(Enclosure(end, end), None, Question())) for end in (wide.lower, wide.upper)]
    for implied, at_lower, at_upper in zip(implications(wide, None, Question()), *ends, strict=True):
        assert implied.value is not None
        assert at_lower.value is not None
        assert at_upper.value is not None
        assert (implied.value.lower, implied.value.upper) == (at_lower.value.lower, at_upper.value.upper)


def test_a_delta_too_small_for_a_fraction_is_described() -> None:
    (tiny,) = [
        implied
        for implied in implications(Enclosure(fmpq(1), fmpq(1)), None, Question((), (fmpq(10**6),), ()))
        if implied.notion is Notion.DELTA
    ]
    assert tiny.value is None
    assert tiny.note.startswith("about ")
    assert "e-217147" in tiny.note


def _binary(value: Matrix) -> FiniteDomain:
    return FiniteDomain(value, None)


def test_mutual_information_is_exact_for_two_records_and_bounded_for_more() -> None:
    value = Enclosure(fmpq(2), fmpq(2))
    two = IdealDenoiser(_binary(exact([0], [1])), UniformQuery(), ADD)
    assert mutual_information(two, value) == capacity(fmpq(2))
    bounds = mutual_information(RELEASES["uniform, add or remove"], value)
    assert bounds is not None
    assert bounds.lower == capacity(fmpq(2)).lower
    assert bounds.upper == 1
    many = mutual_information(RELEASES["mean"], Enclosure(fmpq(100), fmpq(100)))
    assert many is not None
    assert fmpq(1386, 1000) < many.upper < fmpq(1387, 1000)
    assert mutual_information(RELEASES["fixed, add or remove"], value) is None
    assert mutual_information(RecordSum(RECORDS, ADD), value) is None
    assert mutual_information(RecordSum(RECORDS, REPLACE), value) is not None
    last = list(implications(value, two, Question((), (), ())))[-1]
    assert (last.notion, last.value) == (Notion.MUTUAL_INFORMATION, capacity(fmpq(2)))
