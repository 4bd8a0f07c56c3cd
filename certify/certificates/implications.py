"""Everything that one rho_star fixes: the least parameter of each notion of privacy (theory.md sections 3 and 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from flint import arb, fmpq

from certify.checker.adaptive import MagnitudeError, PrecisionExhaustedError, at_precision
from certify.checker.capacity import capacity
from certify.checker.conversions import (
    epsilon_of,
    gdp_mu,
    image,
    privacy_profile,
    privacy_profile_ball,
    renyi_divergence,
    total_variation,
)
from certify.checker.domains import FiniteDomain
from certify.checker.enclosure import Enclosure, enclosure_of
from certify.checker.queries import UniformQuery
from certify.checker.releases import (
    IdealDenoiser,
    Neighbours,
    RecordMean,
    RecordSum,
    Release,
    domain_of,
    is_binary_replacement,
)

DELTAS = tuple(fmpq(1, 10**digits) for digits in (5, 6, 9))
EPSILONS = (fmpq(1, 2), fmpq(1), fmpq(3))
ORDERS = (fmpq(2), fmpq(8), fmpq(32))


class Notion(StrEnum):
    """A notion of privacy with the parameter that is asked for."""

    ZCDP = "zCDP rho"
    GDP = "GDP mu"
    KL = "KL divergence"
    RENYI = "Renyi epsilon"
    TOTAL_VARIATION = "total variation"
    EPSILON = "epsilon"
    DELTA = "delta"
    MUTUAL_INFORMATION = "mutual information"


@dataclass(frozen=True, slots=True)
class Question:
    """What to tabulate beside the notions without a free parameter: at which deltas, epsilons and Renyi orders."""

    deltas: tuple[fmpq, ...] = DELTAS
    epsilons: tuple[fmpq, ...] = EPSILONS
    orders: tuple[fmpq, ...] = ORDERS


@dataclass(frozen=True, slots=True)
class Implication:
    """The least parameter of a notion that is true of a release.

    Attributes:
        notion: The notion.
        at: The delta, epsilon or order it is asked at; None for the other notions.
        value: An enclosure of the parameter; None where no fraction can be written down.
        note: What is known in words where ``value`` is None.
    """

    notion: Notion
    at: fmpq | None
    value: Enclosure | None
    note: str


def implications(rho_star: Enclosure, release: Release | None, question: Question) -> Iterator[Implication]:
    """Yield what a rho_star fixes, in the order in which people read it.

    Args:
        rho_star: The parameter of the release, enclosed.
        release: What is released, for its mutual information; None where only rho_star is known.
        question: Where to tabulate the notions with a free parameter.
    """
    yield _implied(Notion.ZCDP, None, lambda q: _exactly(q / 2), rho_star)
    yield _implied(Notion.GDP, None, gdp_mu, rho_star)
    yield _implied(Notion.KL, None, lambda q: _exactly(q / 2), rho_star)
    for alpha in question.orders:
        yield _implied(Notion.RENYI, alpha, partial(_divergence, alpha), rho_star)
    yield _implied(Notion.TOTAL_VARIATION, None, lambda q: _probability(total_variation(q)), rho_star)
    for delta in question.deltas:
        yield _implied(Notion.EPSILON, delta, partial(epsilon_of, delta), rho_star)
    for epsilon in question.epsilons:
        yield _profile_at(epsilon, rho_star)
    information = None if release is None else mutual_information(release, rho_star)
    if information is not None:
        yield Implication(Notion.MUTUAL_INFORMATION, None, information, "")


def _exactly(value: fmpq) -> Enclosure:
    return Enclosure(value, value)


def _probability(value: Enclosure) -> Enclosure:
    """Return the part of an enclosure that a probability can lie in."""
    return Enclosure(min(value.lower, fmpq(1)), min(value.upper, fmpq(1)))


def _divergence(alpha: fmpq, rho_star: fmpq) -> Enclosure:
    return _exactly(renyi_divergence(alpha, rho_star))


def _implied(
    notion: Notion, at: fmpq | None, conversion: Callable[[fmpq], Enclosure], rho_star: Enclosure
) -> Implication:
    try:
        return Implication(notion, at, image(conversion, rho_star), "")
    except (MagnitudeError, PrecisionExhaustedError) as error:
        return Implication(notion, at, None, str(error))


def _profile_at(epsilon: fmpq, rho_star: Enclosure) -> Implication:
    """Return delta at an epsilon; where it is too small for a fraction, what its ball says."""
    try:
        value = image(lambda q: _probability(privacy_profile(epsilon, q)), rho_star)
    except MagnitudeError:
        shown = privacy_profile_ball(epsilon, rho_star.upper).str(6, radius=False)
        return Implication(Notion.DELTA, epsilon, None, f"about {shown}")
    return Implication(Notion.DELTA, epsilon, value, "")


def mutual_information(release: Release, rho_star: Enclosure) -> Enclosure | None:
    """Return bounds, in nats, of what an output tells about one record when the others are known.

    For two records under REPLACE_ONE it is the capacity C(rho_star). For more the pair that is farthest apart bounds it
    by C(rho_star) from below, and ``rho_star / 2`` and log m bound it from above (theory.md section 6). Under the
    uniform query both relations have the same rho_star; None where that of REPLACE_ONE is not known.
    """
    if isinstance(release, IdealDenoiser) and isinstance(release.query, UniformQuery):
        release = replace(release, neighbours=Neighbours.REPLACE_ONE)
    if is_binary_replacement(release):
        return image(capacity, rho_star)
    match release:
        case RecordMean() | IdealDenoiser(_, _, Neighbours.REPLACE_ONE) | RecordSum(_, Neighbours.REPLACE_ONE):
            pass
        case _:
            return None
    domain = domain_of(release)
    upper = rho_star.upper / 2
    if isinstance(domain, FiniteDomain):
        upper = min(upper, _log_upper(domain.records.rows))
    lower = capacity(rho_star.lower).lower
    return Enclosure(lower, max(lower, upper))


def _log_upper(count: int) -> fmpq:
    return at_precision(128, lambda: enclosure_of(arb(count).log()).upper)
