"""certify show."""

from __future__ import annotations

import click

from certify.checker.statements.problems import is_problem_file, read_problem_statement
from certify.cli.files import load_certificate, read_bytes, statement_errors


@click.command(name="show")
@click.argument("file", metavar="FILE")
def command(file: str) -> None:
    """Show what a certificate claims, or a conic program (.dat-s, .cbf) as parsed, in words and numbers.

    Nothing is checked: that is certify check.
    """
    from certify.reports.show import print_claim, print_problem
    from certify.reports.terminal import open_console

    if not is_problem_file(file):
        print_claim(open_console(), load_certificate(file))
        return
    with statement_errors():
        statement = read_problem_statement(read_bytes(file), file)
    print_problem(open_console(), file, statement)
