"""certify show."""

from __future__ import annotations

import click

from certify.cli.files import load_certificate


@click.command(name="show")
@click.argument("file", metavar="CERTIFICATE")
def command(file: str) -> None:
    """Show what a certificate claims, in words and numbers. Nothing is checked: that is certify check."""
    from certify.reports.show import print_claim
    from certify.reports.terminal import open_console

    print_claim(open_console(), load_certificate(file))
