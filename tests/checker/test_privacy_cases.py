"""Public accounting bugs and published privacy claims, each with the right answer to 50 digits.

Every row of ``tests/data/privacy-cases.csv`` is either run here or listed in ``OUT_OF_SCOPE`` with the reason.
Inputs are read twice: as the decimals that people write (column ``exact50``) and as the binary64 numbers that tools
computed with (``exact50_double_inputs``). A missing sensitivity is 1.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from flint import arb, fmpq

from certify.checker.adaptive import at_precision
from certify.checker.capacity import capacity
from certify.checker.conversions import (
    epsilon_of,
    gdp_mu,
    minimal_sigma,
    privacy_profile,
    privacy_profile_ball,
    zcdp_epsilon,
)
from certify.checker.enclosure import Enclosure
from certify.checker.exact import binary64_fraction, parse_rational
from certify.checker.guarantees import GDP, ZCDP, ApproxDP
from certify.checker.privacy import Infinite, holds

TEN = fmpq(10)
CASES = Path(__file__).parent.parent / "data" / "privacy-cases.csv"

OUT_OF_SCOPE = {
    "E11": "Poisson subsampling, no closed form",
    "E15": "Poisson subsampling, no closed form",
    "E17": "a search of a subsampled accountant, no number stated",
    "E18": "subsampled Gaussian",
    "E22": "discrete Gaussian by a bound for zCDP",
    "E23": "threshold release of keys",
    "E24": "noisy maximum, not Gaussian noise",
    "E30": "threshold release of keys",
    "E31": "odometer of another accountant, no number stated",
    "E32": "sensitivity of a mean under add/remove: no mechanism of this project",
    "E33": "sensitivity of a banded Toeplitz strategy with several participations",
    "E35": "statistical audit by canaries",
    "E38": "option parsing: an epsilon of 0 taken for none; covered by the tests of legal claims",
    "E40": "sensitivity of a squared value: no mechanism of this project",
    "E41": "statistical audit by confidence intervals",
    "E63": "32-bit sensitivity of a banded strategy",
    "F26": "a point of the trade-off curve, which no claim of this project states",
    "F36": "Poisson subsampling, no closed form",
    "F37": "Poisson subsampling, no closed form",
}
INFINITE_LOSS = {"E20", "E34"}
SPECIAL = {"E36", "F15", "F20"}
"""Rows without a number of their own, each with a test of its own below."""
BINARY64_ONLY = {"E58", "E61"}
"""Rows whose column ``exact50`` answers for the binary64 inputs, not for the decimals written."""


@dataclass(frozen=True)
class Case:
    """One row, with its cells by column name."""

    cells: dict[str, str]

    def __getattr__(self, column: str) -> str:
        return self.cells[column]


Reading = Callable[[str], fmpq]


def binary64(text: str) -> fmpq:
    return binary64_fraction(float(text))


READINGS: dict[str, Reading] = {"exact50": parse_rational, "exact50_double_inputs": binary64}

with CASES.open(newline="", encoding="utf-8") as file:
    ROWS = [Case(row) for row in csv.DictReader(file)]

IN_SCOPE = [row for row in ROWS if row.case_id not in OUT_OF_SCOPE.keys() | INFINITE_LOSS | SPECIAL]


def of_kind(*kinds: str) -> list[Case]:
    return [row for row in IN_SCOPE if row.kind in kinds]


DELTAS, SIGMAS, CAPACITIES = of_kind("delta"), of_kind("sigma"), of_kind("mi")
EPSILONS = of_kind("epsilon", "(eps,delta)", "rho")
CLAIMS = [row for row in IN_SCOPE if row.verdict in {"TRUE", "FALSE"} and row.epsilon and row.delta]
RETURNED = [row for row in IN_SCOPE if re.fullmatch(r"[0-9.e-]+", row.returned_or_claimed)]
RETURNED_SIGMAS = [row for row in RETURNED if row.kind == "sigma"]
RETURNED_LOSSES = [row for row in RETURNED if row.kind in {"epsilon", "delta"}]
TEXTBOOK = [row for row in IN_SCOPE if "textbook" in row.note]


def readings(rows: list[Case]) -> list[object]:
    """Each row with its inputs read in each way that has an answer, and that answer."""
    return [
        pytest.param(row, binary64 if row.case_id in BINARY64_ONLY else read, answer, id=f"{row.case_id}-{column}")
        for row in rows
        for column, read in READINGS.items()
        if (answer := row.cells[column])
    ]


def ids(rows: list[Case]) -> list[object]:
    return [pytest.param(row, id=row.case_id) for row in rows]


def rho_star(row: Case, read: Reading) -> fmpq:
    """(sensitivity/sigma)^2 where sigma is given, unless the row composes several releases; else q or 2 rho."""
    if row.sigma and row.case_id != "E09":
        return (read(row.sensitivity or "1") / read(row.sigma)) ** 2
    return read(row.q) if row.q else 2 * read(row.rho)


def agrees(found: arb, printed: str, digits: int) -> bool:
    """Whether the ball equals the printed number up to a few units in the given digit, at any magnitude."""
    return at_precision(500, lambda: bool(abs(found / arb(printed) - 1) < 5 * TEN**-digits))


def surrounds(found: Enclosure, printed: str) -> bool:
    """Whether the printed 50-digit number lies in the enclosure, give or take its last digit."""
    value, unit = parse_rational(printed), 1 + TEN**-49
    return bool(found.lower <= value * unit and value <= found.upper * unit)


def test_every_row_is_run_or_excused() -> None:
    ran = {row.case_id for rows in (DELTAS, EPSILONS, SIGMAS, CAPACITIES) for row in rows}
    excused = OUT_OF_SCOPE.keys() | INFINITE_LOSS | SPECIAL
    assert ran.isdisjoint(excused)
    assert ran | excused == {row.case_id for row in ROWS}
    assert (len(ROWS), len(ran), len(OUT_OF_SCOPE)) == (171, 147, 19)
    assert (len(DELTAS), len(EPSILONS), len(SIGMAS), len(CAPACITIES)) == (48, 50, 43, 6)
    assert (len(CLAIMS), len(RETURNED_SIGMAS), len(RETURNED_LOSSES), len(TEXTBOOK)) == (12, 17, 10, 9)


@pytest.mark.parametrize(("row", "read", "answer"), readings(DELTAS))
def test_delta_to_fifty_digits(row: Case, read: Reading, answer: str) -> None:
    found = privacy_profile_ball(read(row.epsilon), rho_star(row, read), digits=55)
    assert agrees(found, answer, 50)


@pytest.mark.parametrize(("row", "read", "answer"), readings(EPSILONS))
def test_epsilon_to_fifty_digits(row: Case, read: Reading, answer: str) -> None:
    found = epsilon_of(read(row.delta), rho_star(row, read), digits=50)
    assert surrounds(found, answer)
    assert found.upper - found.lower <= found.upper * TEN**-49


@pytest.mark.parametrize(("row", "read", "answer"), readings(SIGMAS))
def test_sigma_to_fifty_digits(row: Case, read: Reading, answer: str) -> None:
    found = minimal_sigma(read(row.epsilon), read(row.delta), read(row.sensitivity or "1"), digits=50)
    assert surrounds(found, answer)
    assert found.upper - found.lower <= found.upper * TEN**-49


@pytest.mark.parametrize(("row", "read", "answer"), readings(CAPACITIES))
def test_capacity_to_fifty_digits_in_nats_and_in_bits(row: Case, read: Reading, answer: str) -> None:
    found = capacity(read(row.q), digits=52)
    assert surrounds(found, answer)
    bits = row.note.removeprefix("bits: ")
    assert agrees(at_precision(300, lambda: arb(found.lower) / arb.const_log2()), bits, 49)


@pytest.mark.parametrize("row", ids(CLAIMS))
def test_a_published_claim_gets_its_verdict_and_its_exact_delta(row: Case) -> None:
    q, claim = rho_star(row, parse_rational), ApproxDP(parse_rational(row.epsilon), parse_rational(row.delta))
    assert holds(claim, Enclosure(q, q)) is (row.verdict == "TRUE")
    assert agrees(privacy_profile_ball(claim.epsilon, q, 55), row.exact_delta_at_claim, 45)


@pytest.mark.parametrize("row", ids(RETURNED_SIGMAS))
def test_the_sigma_a_tool_returned_is_refuted_or_only_wasteful(row: Case) -> None:
    claim = ApproxDP(parse_rational(row.epsilon), parse_rational(row.delta))
    sigma = binary64(row.returned_or_claimed)
    released = Infinite() if sigma == 0 else Enclosure(1 / sigma**2, 1 / sigma**2)
    assert holds(claim, released) is (row.verdict == "loose")
    if re.fullmatch(r"[0-9.e-]+", row.exact_delta_at_claim) and isinstance(released, Enclosure):
        assert agrees(privacy_profile_ball(claim.epsilon, released.lower, 30), row.exact_delta_at_claim, 13)


@pytest.mark.parametrize("row", ids(RETURNED_LOSSES))
def test_the_epsilon_or_delta_a_tool_returned_is_refuted_or_no_claim_at_all(row: Case) -> None:
    q = rho_star(row, parse_rational)
    returned = binary64(row.returned_or_claimed)
    if returned < 0:
        with pytest.raises(ValueError, match="epsilon must not be negative"):
            ApproxDP(returned, parse_rational(row.delta))
    elif row.kind == "epsilon":
        assert holds(ApproxDP(returned, parse_rational(row.delta)), Enclosure(q, q)) is False
    else:
        assert holds(ApproxDP(parse_rational(row.epsilon), returned), Enclosure(q, q)) is False


@pytest.mark.parametrize("row", ids(TEXTBOOK))
def test_the_generic_conversion_gives_the_textbook_figure(row: Case) -> None:
    printed = re.search(r"textbook rho\+2sqrt\(rho ln 1/delta\) gives ([0-9.]+[0-9])", row.note)
    assert printed
    generic = zcdp_epsilon(parse_rational(row.delta), 2 * parse_rational(row.rho), 20)
    assert agrees(at_precision(100, lambda: arb(generic.lower)), printed[1], 11)
    assert generic.lower > epsilon_of(parse_rational(row.delta), 2 * parse_rational(row.rho)).upper


def test_delta_zero_and_sigma_zero_lose_everything() -> None:
    """E20, E34: no finite epsilon at delta = 0, and no guarantee at all without noise."""
    with pytest.raises(ValueError, match="no finite epsilon"):
        epsilon_of(fmpq(0), fmpq(1))
    assert holds(ApproxDP(TEN**4, fmpq(0)), Enclosure(fmpq(1), fmpq(1))) is False
    assert holds(ZCDP(TEN**100), Infinite()) is False
    assert holds(ApproxDP(TEN**4, 1 - TEN**-12), Infinite()) is False


def test_only_the_counter_without_sensitivity_goes_without_noise() -> None:
    """E36."""
    assert minimal_sigma(fmpq(1), TEN**-5, fmpq(0)).upper == 0
    assert minimal_sigma(fmpq(1), TEN**-5, fmpq(1)).lower > 3


def test_a_mu_stated_with_a_rho_it_does_not_follow_from() -> None:
    """F15: mu = 0.376 is claimed of rho = 0.0728, whose mu is 0.38157568."""
    q = parse_rational("0.1456")
    assert holds(GDP(parse_rational("0.376")), Enclosure(q, q)) is False
    assert agrees(at_precision(60, lambda: arb(gdp_mu(q).lower)), "0.38157568", 8)


def test_delta_at_the_irrational_epsilon_log_three() -> None:
    """F20: delta decreases in epsilon, so rationals on both sides of log 3 enclose it."""
    below = at_precision(200, lambda: arb(3).log().lower().fmpq())
    above = at_precision(200, lambda: arb(3).log().upper().fmpq())
    upper, lower = privacy_profile(below, fmpq(1, 4), 40).upper, privacy_profile(above, fmpq(1, 4), 40).lower
    assert lower < upper < lower * (1 + TEN**-38)
    assert agrees(at_precision(200, lambda: arb(lower)), "0.00415974223400078675666386544058", 30)
