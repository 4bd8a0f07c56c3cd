"""``python -m symbolic``: prove every identity; exit code 0 only if all are proved, 3 otherwise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.progress import track

from symbolic.catalogue import FAMILIES
from symbolic.identity import Proved
from symbolic.prove import prove
from symbolic.report import Outcome, json_of, line_of, readme_text, summary_of, table_of

NOT_ALL_PROVED = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove all identities and present the outcome; return the exit code."""
    options = parse(arguments)
    if options.readme:
        sys.stdout.write(readme_text())
        return 0
    console = Console()
    show = "json" if options.json else "table" if console.is_terminal else "lines"
    outcomes = prove_all(show, console)
    if show == "json":
        sys.stdout.write(json_of(outcomes) + "\n")
    elif show == "table":
        console.print(table_of(outcomes))
    if show != "json":
        sys.stdout.write(summary_of(outcomes) + "\n")
    return 0 if all(isinstance(outcome.result, Proved) for outcome in outcomes) else NOT_ALL_PROVED


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m symbolic", description="Prove the identities of the paper.")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print statements, domains and steps as JSON")
    form.add_argument("--readme", action="store_true", help="print the README of this package and prove nothing")
    return parser.parse_args(arguments)


def prove_all(show: str, console: Console) -> list[Outcome]:
    """Prove every identity, with a line each or a progress bar on the way."""
    pending = [(family.name, identity) for family in FAMILIES for identity in family.identities]
    outcomes: list[Outcome] = []
    for family, identity in track(pending, "proving", console=console, transient=True, disable=show != "table"):
        outcome = Outcome(family, identity, prove(identity))
        outcomes.append(outcome)
        if show == "lines":
            sys.stdout.write(line_of(outcome) + "\n")
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
