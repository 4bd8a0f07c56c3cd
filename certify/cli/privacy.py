"""certify privacy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import click
from flint import fmpq

from certify.certificates.accounts import Account, Answer, Noise, Ruling, least_delta, least_epsilon, rule
from certify.certificates.dp_events import rho_star_of_multiplier
from certify.certificates.implications import Implication, Question, implications
from certify.checker.adaptive import MagnitudeError, PrecisionExhaustedError
from certify.checker.certificate import write_certificate
from certify.checker.conversions import privacy_profile_ball
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import ApproxDP, BinaryGuarantee, MutualInformationDP
from certify.cli.design import NEIGHBOURS, RATIONAL
from certify.cli.files import InputError, NothingFound, leave, require_folder, write_atomically
from certify.reports.results import EXIT_PROVED, Result, exit_code

SOURCES = "--rho, --zcdp, --gdp, --sigma or --noise-multiplier"


@dataclass(frozen=True, slots=True)
class Releases:
    """The options that describe releases; all that are given compose."""

    rho: tuple[fmpq, ...]
    zcdp: tuple[fmpq, ...]
    gdp: tuple[fmpq, ...]
    sigma: tuple[fmpq, ...]
    noise_multiplier: tuple[fmpq, ...]
    sensitivity: fmpq | None
    neighbours: str | None


@dataclass(frozen=True, slots=True)
class Targets:
    """The options that say what is asked or claimed of the releases."""

    epsilon: fmpq | None
    delta: fmpq | None
    kappa: fmpq | None


@click.command(name="privacy")
@click.option("--rho", type=RATIONAL, multiple=True, help="A release with this rho_star, the largest s^T Sigma^-1 s.")
@click.option("--zcdp", type=RATIONAL, multiple=True, help="A Gaussian release with this zCDP rho (rho_star twice it).")
@click.option("--gdp", type=RATIONAL, multiple=True, help="A Gaussian release with this mu (rho_star its square).")
@click.option("--sigma", type=RATIONAL, multiple=True, help="Noise N(0, sigma^2 I); needs --sensitivity.")
@click.option(
    "--sensitivity",
    type=RATIONAL,
    help="The largest Euclidean distance between neighbours, whichever relation you mean.",
)
@click.option(
    "--noise-multiplier",
    type=RATIONAL,
    multiple=True,
    help="sigma / C for a sum of records of norm at most C, as other accountants have it; needs --neighbours.",
)
@click.option(
    "--neighbours",
    type=click.Choice(list(NEIGHBOURS)),
    help="What a noise multiplier is about: replacing a record moves a sum twice as far as removing one.",
)
@click.option("--epsilon", type=RATIONAL, help="With --delta a claim, alone the question for the least delta.")
@click.option("--delta", type=RATIONAL, help="With --epsilon a claim, alone the question for the least epsilon.")
@click.option("--kappa", type=RATIONAL, help="A claim about the mutual information of a binary record, in nats.")
@click.option("-o", "--output", metavar="FILE", help="Where to write the certificate of the claim or answer.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
def command(
    rho: tuple[fmpq, ...],
    zcdp: tuple[fmpq, ...],
    gdp: tuple[fmpq, ...],
    sigma: tuple[fmpq, ...],
    sensitivity: fmpq | None,
    noise_multiplier: tuple[fmpq, ...],
    neighbours: str | None,
    epsilon: fmpq | None,
    delta: fmpq | None,
    kappa: fmpq | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Convert between notions of privacy and noise, and decide claims, without any records.

    Say what is released, once or several times (releases compose, however they are chosen), and what is asked of it:
    with --epsilon and --delta, or --kappa, the claim is decided; with one of --epsilon and --delta the other is
    computed; with neither, everything is tabulated. Without a release the noise that the guarantee needs is computed.
    Numbers are exact and of any size: epsilon = 800 and delta = 1e-300 are ordinary.
    """
    releases = Releases(rho, zcdp, gdp, sigma, noise_multiplier, sensitivity, neighbours)
    targets = Targets(epsilon, delta, kappa)
    if output is not None:
        require_folder(output)
    try:
        account = _account(releases)
        if account is None:
            _print_budget(_complete(targets), sensitivity, as_json=as_json)
            leave(EXIT_PROVED)
        if targets == Targets(None, None, None):
            _print_everything(account, as_json=as_json)
            leave(EXIT_PROVED)
        answer = _answer(account, targets)
        ruling = rule(account, _complete(targets) if answer is None else answer.guarantee)
    except ValueError as error:
        raise InputError(str(error)) from None
    except MagnitudeError:
        raise NothingFound(_too_small(account, targets)) from None
    except PrecisionExhaustedError as error:
        raise NothingFound(f"UNDECIDED: {error}") from None
    label = output or "privacy"
    if output is not None:
        write_atomically(output, write_certificate(ruling.certificate))
    value = None if answer is None else answer.value
    _print_ruling(ruling, account, label, value, sensitivity, as_json=as_json)
    leave(exit_code([Result(label, ruling.verdict)]))


def _account(releases: Releases) -> Account | None:
    """Return the releases the options describe, None where there is none."""
    for name in ("rho", "zcdp", "gdp"):
        for value in getattr(releases, name):
            if value < 0:
                raise InputError(f"--{name} {value}: a privacy parameter is not negative")
    rho_stars = (
        *releases.rho,
        *(2 * value for value in releases.zcdp),
        *(value**2 for value in releases.gdp),
        *_by_sigma(releases),
        *_by_multiplier(releases),
    )
    if not rho_stars:
        return None
    single = len(rho_stars) == 1 and releases.sensitivity is not None and releases.sigma
    noise = Noise(releases.sensitivity, releases.sigma[0]) if single and releases.sensitivity is not None else None
    return Account(rho_stars, noise)


def _by_sigma(releases: Releases) -> list[fmpq]:
    sensitivity = releases.sensitivity
    if not releases.sigma:
        return []
    if sensitivity is None:
        raise click.UsageError("--sigma needs --sensitivity: noise alone says nothing about privacy")
    if sensitivity < 0:
        raise InputError(f"--sensitivity {sensitivity}: a sensitivity is not negative")
    for sigma in releases.sigma:
        if sigma <= 0:
            raise InputError(f"--sigma {sigma}: sigma is positive")
    return [(sensitivity / sigma) ** 2 for sigma in releases.sigma]


def _by_multiplier(releases: Releases) -> list[fmpq]:
    if releases.noise_multiplier and releases.neighbours is None:
        words = "--neighbours add-remove or --neighbours replace"
        raise click.UsageError(
            f"--noise-multiplier needs {words}: the same noise has rho_star four times as large there"
        )
    if releases.neighbours is not None and not releases.noise_multiplier:
        raise click.UsageError("--neighbours says what a --noise-multiplier means; give one, or leave it out")
    return [
        rho_star_of_multiplier(value, NEIGHBOURS[releases.neighbours or "add-remove"])
        for value in releases.noise_multiplier
    ]


def _answer(account: Account, targets: Targets) -> Answer | None:
    """Return the number that is asked for; None where the claim is complete."""
    if targets.kappa is not None:
        return None
    match targets.epsilon, targets.delta:
        case None, fmpq() as delta:
            return least_epsilon(account, _probability(delta))
        case fmpq() as epsilon, None:
            return least_delta(account, epsilon)
        case _:
            return None


def _too_small(account: Account | None, targets: Targets) -> str:
    """Return what is known of a delta that no fraction, hence no certificate, can hold."""
    if account is None or targets.epsilon is None:
        return "UNDECIDED: a number is too extreme to be written as a fraction"
    ball = privacy_profile_ball(targets.epsilon, account.total).str(12, radius=False)
    return f"delta is about {ball}, too small to be written as a fraction; claim a larger one to have it proved"


def _probability(delta: fmpq) -> fmpq:
    if not 0 <= delta <= 1:
        raise InputError(f"--delta {delta}: delta lies between 0 and 1")
    return delta


def _complete(targets: Targets) -> BinaryGuarantee:
    """Return the guarantee that the options state completely.

    Raises:
        click.UsageError: If they state none, or two.
    """
    if targets.kappa is not None:
        if targets.epsilon is not None or targets.delta is not None:
            raise click.UsageError("give either --kappa or --epsilon and --delta: one claim at a time")
        return MutualInformationDP(targets.kappa)
    if targets.epsilon is None or targets.delta is None:
        raise click.UsageError(f"give a release ({SOURCES}), or a whole guarantee: --epsilon with --delta, or --kappa")
    return ApproxDP(targets.epsilon, targets.delta)


def _print_budget(guarantee: BinaryGuarantee, sensitivity: fmpq | None, *, as_json: bool) -> None:
    from certify.reports.accounts import budget_rows

    if sensitivity is not None and sensitivity < 0:
        raise InputError(f"--sensitivity {sensitivity}: a sensitivity is not negative")
    rows = budget_rows(guarantee, sensitivity)
    if as_json:
        from certify.reports.audit_values import guarantee_of, value_of

        values = {name: value if isinstance(value, str) else value_of(value) for name, value in rows}
        click.echo(json.dumps({"guarantee": guarantee_of(guarantee), "needs": values}, indent=2))
        return
    from certify.reports.accounts import print_budget
    from certify.reports.terminal import open_console

    print_budget(open_console(), guarantee, rows)


def _print_everything(account: Account, *, as_json: bool) -> None:
    from certify.reports.implied import implied_entries, multiplier_for

    total = Enclosure(account.total, account.total)
    found: list[Implication] = list(implications(total, None, Question()))
    multiplier = multiplier_for(total)
    if as_json:
        document: dict[str, Any] = {"rho_star": str(account.total), "implied": implied_entries(found)}
        click.echo(json.dumps({**document, "noise_multiplier": multiplier}, indent=2))
        return
    from certify.reports.accounts import print_everything
    from certify.reports.terminal import open_console

    print_everything(open_console(), account, found, multiplier)


def _print_ruling(
    ruling: Ruling,
    account: Account,
    label: str,
    answer: Enclosure | None,
    sensitivity: fmpq | None,
    *,
    as_json: bool,
) -> None:
    if as_json:
        from certify.reports.accounts import ruling_entry

        click.echo(json.dumps({"results": [ruling_entry(ruling, account, label, answer)]}, indent=2))
        return
    from certify.reports.accounts import print_ruling
    from certify.reports.terminal import open_console

    print_ruling(open_console(), ruling, account, label, answer, sensitivity)
