"""All identities, by family."""

from __future__ import annotations

from dataclasses import dataclass

from symbolic import (
    capacity,
    conversion,
    covariance,
    domains,
    precision,
    privacy,
    psd,
    queries,
    replacement,
    sensitivity,
)
from symbolic.identity import Identity


@dataclass(frozen=True, slots=True)
class Family:
    """The identities of one module: its title, what it is about, and what it proves."""

    name: str
    summary: str
    identities: tuple[Identity, ...]


def _summary(documentation: str | None) -> str:
    return (documentation or "").split("\n", 1)[0]


MODULES = (sensitivity, queries, replacement, domains, covariance, precision, psd, privacy, conversion, capacity)
FAMILIES = tuple(
    Family(module.__name__.rsplit(".", 1)[-1], _summary(module.__doc__), module.IDENTITIES) for module in MODULES
)
IDENTITIES = tuple(identity for family in FAMILIES for identity in family.identities)
