"""Rulings on claims about numbers, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flint import fmpq
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from certify.certificates.accounts import Account, Ruling
from certify.certificates.calibration import least_sigma
from certify.certificates.implications import Implication
from certify.checker.conversions import gdp_mu
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.privacy import Unattainable, Unlimited, rho_budget
from certify.reports.audit_values import guarantee_of, value_of
from certify.reports.comparisons import beside, describe_parameter
from certify.reports.guarantees import brief, describe
from certify.reports.implied import implied_table
from certify.reports.numbers import at_most, between, exactly, spelled
from certify.reports.results import Result, entry
from certify.reports.terminal import print_result

LEFT = (0, 0, 0, 2)
LEAST = "The least true value is"


def ruling_remarks(
    ruling: Ruling, account: Account, answer: Enclosure | None, sensitivity: fmpq | None
) -> Iterator[str]:
    """Yield what there is to say beside a verdict on numbers, one paragraph each.

    Args:
        ruling: The decided claim.
        account: What is known of the releases.
        answer: The number asked for, where the claim is only the answer to a question.
        sensitivity: The Euclidean sensitivity that noise is asked for, None for no word about noise.
    """
    if answer is None:
        yield describe_parameter(ruling.guarantee, Enclosure(account.total, account.total))
        yield from beside(ruling.guarantee, ruling.verdict.status, ruling.alternatives)
    else:
        yield f"{LEAST} {between(answer, 12)}."
    if sensitivity is not None and answer is None:
        yield noise_remark(ruling.guarantee, sensitivity)


def noise_remark(guarantee: BinaryGuarantee, sensitivity: fmpq) -> str:
    """Return the least standard deviation of noise with a guarantee, as a sentence."""
    sigma = least_sigma(guarantee, sensitivity)
    if sigma is None:
        return f"No finite noise gives {brief(guarantee)}."
    enough = f"noise with sigma = {at_most(sigma.upper, 17)} gives {brief(guarantee)}"
    less = "less" if sigma.is_exact else exactly(sigma.lower)
    return f"For sensitivity {exactly(sensitivity)} {enough}; {less} does not."


def budget_rows(guarantee: BinaryGuarantee, sensitivity: fmpq | None) -> list[tuple[str, Enclosure | str]]:
    """Return how much noise a guarantee needs: the largest parameters it allows, and the least sigma."""
    match rho_budget(guarantee, 17):
        case Unlimited():
            return [("rho_star", "any: the guarantee limits nothing")]
        case Unattainable():
            return [("rho_star", "none: no release has the guarantee")]
        case Enclosure() as budget:
            rows: list[tuple[str, Enclosure | str]] = [
                ("largest rho_star", budget),
                ("largest zCDP rho", Enclosure(budget.lower / 2, budget.upper / 2)),
                ("largest GDP mu", Enclosure(gdp_mu(budget.lower, 17).lower, gdp_mu(budget.upper, 17).upper)),
            ]
            sigma = least_sigma(guarantee, fmpq(1) if sensitivity is None else sensitivity)
            name = "least sigma for sensitivity 1" if sensitivity is None else "least sigma"
            return [*rows, (name, "no finite noise does" if sigma is None else sigma)]


def ruling_entry(ruling: Ruling, account: Account, label: str, answer: Enclosure | None) -> dict[str, Any]:
    """Return a ruling with exact numbers as strings."""
    sigma = least_sigma(ruling.guarantee, account.noise.sensitivity) if account.noise is not None else None
    return {
        **entry(Result(label, ruling.verdict)),
        "guarantee": guarantee_of(ruling.guarantee),
        "rho_star": str(account.total),
        "answer": None if answer is None else value_of(answer),
        "tightest": [guarantee_of(each) for each in ruling.alternatives],
        "least_sigma": None if sigma is None else value_of(sigma),
    }


def print_ruling(
    console: Console,
    ruling: Ruling,
    account: Account,
    label: str,
    answer: Enclosure | None,
    sensitivity: fmpq | None,
) -> None:
    """Print a verdict on numbers with what stands beside it."""
    print_result(console, Result(label, ruling.verdict))
    for paragraph in ruling_remarks(ruling, account, answer, sensitivity):
        weight = "bold" if paragraph.startswith((brief(ruling.guarantee), LEAST)) else ""
        console.print(Padding(Text(paragraph, weight), LEFT, expand=False))
    console.print()


def print_budget(console: Console, guarantee: BinaryGuarantee, rows: Sequence[tuple[str, Enclosure | str]]) -> None:
    """Print how much noise a guarantee needs."""
    console.print(Text(f"What {describe(guarantee)} needs"))
    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for name, value in rows:
        table.add_row(name, value if isinstance(value, str) else between(value, 17))
    console.print(Padding(table, (0, 0, 1, 2), expand=False))


def print_everything(
    console: Console, account: Account, implied: Sequence[Implication], multiplier: float | None
) -> None:
    """Print everything that the parameters of some releases fix together."""
    composed = f", composed of {len(account.rho_stars)} releases" if len(account.rho_stars) > 1 else ""
    console.print(Text(f"rho_star = {spelled(account.total) or between(_exactly(account.total), 17)}{composed}"))
    console.print(Padding(implied_table(implied, multiplier), (0, 0, 1, 2), expand=False))


def _exactly(value: fmpq) -> Enclosure:
    return Enclosure(value, value)
