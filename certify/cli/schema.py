"""certify schema."""

from __future__ import annotations

import click

from certify.cli.files import write_atomically


@click.command(name="schema")
@click.option("-o", "--output", metavar="FILE", help="Write it to a file instead.")
def command(output: str | None) -> None:
    """Print the JSON Schema of the certificate format."""
    from certify.reports.schema import certificate_schema

    text = certificate_schema()
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text.encode("ascii"))
