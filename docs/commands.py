"""The directive ``certify-commands``: the help of every command, as the program prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import Directive

from certify.cli import main
from certify.cli.main import COMMANDS

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class CommandHelp(Directive):
    """A section for each command."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        return [_section(name) for name in COMMANDS]


def _section(name: str) -> nodes.section:
    text = CliRunner(env={"COLUMNS": "100"}).invoke(main, [name, "--help"], prog_name="certify").output
    section = nodes.section(ids=[f"certify-{name}"], names=[f"certify {name}"])
    section += nodes.title(text=f"certify {name}")
    block = nodes.literal_block(text.rstrip(), text.rstrip())
    block["language"] = "text"
    section += block
    return section


def use_commands(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("certify-commands", CommandHelp)
