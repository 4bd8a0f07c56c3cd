"""certify show."""

from __future__ import annotations

import click

from certify.cli.files import load_certificate


@click.command(name="show")
@click.argument("file", metavar="CERTIFICATE")
def command(file: str) -> None:
    """Show what a certificate claims, in words and numbers. Nothing is checked: that is certify check."""
    from rich.console import Console

    from certify.reports.show import print_claim

    print_claim(Console(highlight=False), load_certificate(file))
