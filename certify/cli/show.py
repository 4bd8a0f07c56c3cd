"""certify show."""

from __future__ import annotations

import click

from certify.checker.statements.problems import is_problem_file, read_problem_statement
from certify.cli.files import load_certificate, read_bytes, statement_errors


@click.command(name="show")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
def command(file: str, as_json: bool) -> None:
    """Show what a certificate claims, or a conic program (.dat-s, .cbf) as parsed, in words and numbers.

    Nothing is checked: that is certify check.
    """
    from certify.reports.show import claim_to_json, print_claim, print_problem, problem_to_json
    from certify.reports.terminal import open_console

    if is_problem_file(file):
        with statement_errors():
            statement = read_problem_statement(read_bytes(file), file)
        if as_json:
            click.echo(problem_to_json(file, statement))
        else:
            print_problem(open_console(), file, statement)
        return
    certificate = load_certificate(file)
    if as_json:
        click.echo(claim_to_json(file, certificate))
    else:
        print_claim(open_console(), certificate)
