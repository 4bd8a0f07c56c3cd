"""Results as a Markdown page, for the summary of a CI job or a comment on a change."""

from __future__ import annotations

from collections.abc import Iterable

from certify.checker.codec import Malformed
from certify.checker.verdict import Obligation
from certify.reports.artifacts import Artifact, obligations_of
from certify.reports.sentences import sentence

SIGNS = {"PROVED": "✅", "REFUTED": "❌", "REJECTED": "❌", "MALFORMED": "❌", "UNDECIDED": "⚠️"}
MARKS = {True: "holds", False: "**fails**", None: "**cannot be told**"}


def to_markdown(artifacts: Iterable[Artifact]) -> str:
    """Return a table of verdicts, then for each file its claim as a full sentence and its obligations.

    Files that are not proved come unfolded. Texts from files are escaped.
    """
    checked = list(artifacts)
    if not checked:
        return "### certify: nothing was checked\n\nNo certificate was given.\n"
    proved = sum(artifact.status == "PROVED" for artifact in checked)
    rows = [f"| {SIGNS[a.status]} {a.status} | {_code(a.result.file)} | {_failures(a)} |" for a in checked]
    title = f"### certify: {proved} of {len(checked)} claims proved"
    table = ["| verdict | file | what does not hold |", "|---|---|---|", *rows]
    return "\n".join([title, "", *table, "", *(line for a in checked for line in _details(a))]) + "\n"


def _failures(artifact: Artifact) -> str:
    failed = [o.name for o in obligations_of(artifact) if not o.holds]
    return ", ".join(map(_escape, failed))


def _details(artifact: Artifact) -> list[str]:
    outcome = artifact.result.outcome
    claim = str(outcome) if isinstance(outcome, Malformed) else sentence(outcome.claim)
    opened = "" if artifact.status == "PROVED" else " open"
    heading = f"<details{opened}><summary>{artifact.status} <code>{_html(artifact.result.file)}</code></summary>"
    rows = [_row(obligation) for obligation in obligations_of(artifact)]
    table = ["| | obligation | detail |", "|---|---|---|", *rows]
    return [heading, "", _escape(claim), "", *table, "", "</details>", ""]


def _row(obligation: Obligation) -> str:
    return f"| {MARKS[obligation.holds]} | {_escape(obligation.name)} | {_escape(obligation.detail)} |"


def _escape(text: str) -> str:
    """Return the text so that Markdown shows it as it is, on one line."""
    flat = " ".join(text.split())
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#|!~" else c for c in _html(flat))


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _code(text: str) -> str:
    return f"<code>{_html(' '.join(text.split())).replace('|', '&#124;')}</code>"
