"""Present the proofs: lines for a pipe, a table for a terminal, JSON, and the README of this package."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never, get_args

from rich.table import Table

import symbolic
from symbolic.catalogue import FAMILIES, Family
from symbolic.identity import (
    Failed,
    Identity,
    MatrixEntries,
    Method,
    Proved,
    Result,
    Undecided,
    WordRewriting,
    domain_of,
)

SHOWN = 200
USAGE = """\
    python -m symbolic            # prove all; exit code 0 only if all are proved, else 3
    python -m symbolic --json     # the same with statements, domains and steps"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one identity."""

    family: str
    identity: Identity
    result: Result


def verdict_of(result: Result) -> str:
    """Return the verdict in one word."""
    match result:
        case Proved():
            return "PROVED"
        case Failed():
            return "FAILED"
        case Undecided():
            return "UNDECIDED"
        case _:
            assert_never(result)


def detail_of(result: Result) -> str:
    """Return how an identity is proved, or what is in the way."""
    match result:
        case Proved(_, steps):
            return "; ".join(steps)
        case Failed(residual):
            return f"left - right leaves {residual}"
        case Undecided(reason):
            return reason
        case _:
            assert_never(result)


def line_of(outcome: Outcome) -> str:
    """Return one line of plain text; a second one says what went wrong."""
    identity, verdict = outcome.identity, verdict_of(outcome.result)
    line = f"{verdict:9}  {outcome.family:11}  {identity.name}  [{identity.reference}]  {method_of(outcome)}"
    return line if verdict == "PROVED" else f"{line}\n           {shortened(detail_of(outcome.result))}"


def method_of(outcome: Outcome) -> str:
    """Return the method that proved an identity, or that was tried."""
    return outcome.result.method if isinstance(outcome.result, Proved) else title_of(outcome.identity.method)


def title_of(method: Method) -> str:
    """Return the name of a method, with that of the method for entries."""
    return f"{method.title}: {method.entry.title}" if isinstance(method, MatrixEntries) else method.title


def shortened(text: str) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def summary_of(outcomes: Sequence[Outcome]) -> str:
    """Return the counts in one line."""
    proved = sum(isinstance(outcome.result, Proved) for outcome in outcomes)
    return f"{proved} of {len(outcomes)} identities proved"


def table_of(outcomes: Iterable[Outcome]) -> Table:
    """Return a table for a terminal."""
    table = Table("family", "identity", "reference", "method", "verdict", title="Identities")
    for outcome in outcomes:
        proved = isinstance(outcome.result, Proved)
        verdict = f"[{'green' if proved else 'bold red'}]{verdict_of(outcome.result)}"
        name = outcome.identity.name if proved else f"{outcome.identity.name}: {shortened(detail_of(outcome.result))}"
        table.add_row(outcome.family, _literal(name), outcome.identity.reference, method_of(outcome), verdict)
    return table


def _literal(text: str) -> str:
    """Keep rich from reading brackets in a formula as a style."""
    return text.replace("[", "\\[")


def json_of(outcomes: Sequence[Outcome]) -> str:
    """Return every identity with its sides and what became of it."""
    return json.dumps(
        {
            "proved": sum(isinstance(outcome.result, Proved) for outcome in outcomes),
            "total": len(outcomes),
            "identities": [
                {
                    "family": outcome.family,
                    "name": outcome.identity.name,
                    "reference": outcome.identity.reference,
                    "statement": statement_of(outcome.identity),
                    "domains": list(outcome.identity.domains),
                    "method": method_of(outcome),
                    "verdict": verdict_of(outcome.result),
                    "detail": detail_of(outcome.result),
                }
                for outcome in outcomes
            ],
        },
        indent=2,
        ensure_ascii=False,
    )


def statement_of(identity: Identity) -> str:
    """Return the statement with its abbreviations, definitions and hypotheses."""
    definitions = identity.method.definitions if isinstance(identity.method, WordRewriting) else ()
    inverses = identity.method.inverses if isinstance(identity.method, WordRewriting) else ()
    given = [
        *(f"{symbol} = {value}" for symbol, value in (*identity.where, *definitions)),
        *(f"{first} {second} = I" for first, second in inverses),
        *(f"{domain_of(symbol)} for {symbol} = {value}" for symbol, value in identity.assuming),
    ]
    where = f", where {'; '.join(given)}" if given else ""
    return f"{identity.left} {identity.relation.value} {identity.right}{where}"


def readme_text() -> str:
    """Return the README: what this package is, the methods, and a table of all identities by family."""
    parts = [
        "# symbolic",
        "<!-- Generated: python -m symbolic --readme > symbolic/README.md -->",
        inspect.cleandoc(symbolic.__doc__ or ""),
        USAGE,
        "## Methods",
        "\n".join(_method_entry(method) for method in method_classes()),
        "## Identities",
        *(_family_section(family) for family in FAMILIES),
    ]
    return "\n\n".join(parts) + "\n"


def method_classes() -> tuple[type[Method], ...]:
    """Return the members of the union of methods."""
    return get_args(Method)


def _method_entry(method: type[Method]) -> str:
    text = " ".join((inspect.getdoc(method) or "").split())
    return f"- **{method.title}.** {text}"


def _family_section(family: Family) -> str:
    head = f"### {family.name}\n\n{family.summary}\n\n| name | reference | method |\n|--|--|--|"
    return "\n".join([head, *map(_row, family.identities)])


def _row(identity: Identity) -> str:
    name = identity.name.replace("|", "\\|")
    return f"| {name} | {identity.reference} | {title_of(identity.method)} |"
