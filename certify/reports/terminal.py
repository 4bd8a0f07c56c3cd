"""Results for people, in a terminal (colour, wrapped) or in a pipe (plain text)."""

from __future__ import annotations

import re
import sys
from io import TextIOBase
from typing import TextIO, cast

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from certify.checker.assumptions import assumptions
from certify.checker.claims import CovarianceOptimum
from certify.checker.codec import Malformed
from certify.checker.decimals import decimal_lower, decimal_upper
from certify.checker.sensitivity import Progress
from certify.checker.verdict import Status, Verdict
from certify.reports.isotropic import isotropic_noise
from certify.reports.programs import note_on_sign
from certify.reports.results import Result
from certify.reports.sentences import sentence

COLOURS = {
    Status.PROVED: "bold green",
    Status.REFUTED: "bold red",
    Status.REJECTED: "bold red",
    Status.UNDECIDED: "bold yellow",
}

MARKS = {True: ("holds", "green"), False: ("FAILS", "bold red"), None: ("open", "bold yellow")}

PIPE_WIDTH = 10_000
_TRAILING = re.compile(r" +\n")


class _WithoutTrailingBlanks(TextIOBase):
    """Standard output, without the blanks with which tables fill their last column."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return sys.stdout.encoding

    def write(self, text: str) -> int:
        sys.stdout.write(_TRAILING.sub("\n", text))
        return len(text)

    def flush(self) -> None:
        sys.stdout.flush()


def open_console() -> Console:
    """Return a console for standard output: wrapped and coloured on a terminal, long plain lines in a pipe."""
    console = Console(highlight=False)
    if console.is_terminal:
        return console
    return Console(file=cast("TextIO", _WithoutTrailingBlanks()), highlight=False, width=PIPE_WIDTH)


def print_indented(console: Console, text: str, look: str = "") -> None:
    """Print a paragraph, indented by two spaces."""
    console.print(Padding(Text(text, look), (0, 0, 0, 2), expand=False))


def print_result(console: Console, result: Result) -> None:
    """Print a verdict with the claim it is about and every obligation, or why the file is no certificate."""
    if isinstance(result.outcome, Malformed):
        console.print(Text.assemble(("MALFORMED", "bold red"), f"  {result.file}"))
        print_indented(console, str(result.outcome))
        console.print()
        return
    verdict = result.outcome
    console.print(Text.assemble((str(verdict.status), COLOURS[verdict.status]), f"  {result.file}"))
    print_indented(console, sentence(verdict.claim))
    console.print()
    console.print(Padding(_obligations(verdict), (0, 0, 0, 2), expand=False))
    if note := note_on_sign(verdict.claim):
        print_indented(console, note, "dim")
    if assumed := assumptions(verdict.claim):
        print_indented(console, f"Assumed, not formalised: {', '.join(assumed)}.", "dim")
    console.print()


def _obligations(verdict: Verdict) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for obligation in verdict.obligations:
        table.add_row(Text(*MARKS[obligation.holds]), Text(obligation.name), Text(obligation.detail, "dim"))
    return table


def isotropic_line(result: Result, progress: Progress) -> str:
    """Return what the least isotropic noise with the same guarantee costs, beside the certified cost; or nothing."""
    if isinstance(result.outcome, Malformed) or not isinstance(result.outcome.claim, CovarianceOptimum):
        return ""
    claim = result.outcome.claim
    noise = isotropic_noise(claim, progress)
    if noise is None or claim.upper <= 0:
        return ""
    every = noise.columns == claim.covariance.rows
    where = "" if every else f" in the {noise.columns} columns that vary"
    cost, ratio = decimal_upper(noise.cost, 10), decimal_lower(noise.cost / claim.upper, 4)
    return f"Isotropic noise{where} with the same guarantee costs {cost}, {ratio} times as much."
