"""The command group; each command is loaded only when it is used, so that checking starts fast."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "audit": "Decide privacy claims about a release: PROVED, or REFUTED with a counterexample.",
    "bound": "Bound the optimal value of a conic program exactly, or prove it infeasible.",
    "check": "Check certificates, exactly and independently.",
    "design": "Design the optimal Gaussian covariance for a denoiser and certify it.",
    "diff": "Say what changed between two certificates or two folders of them.",
    "export": "Write the covariance of a proved certificate to a file.",
    "figure1": "Compare the naive sensitivity bound with the exact one over random covariances.",
    "privacy": "Convert between notions of privacy and noise, and decide claims, without any records.",
    "prove": "Write a Rocq file whose theorem is the claim of a certificate.",
    "report": "Write a self-contained HTML report of certificates, with plots.",
    "rho": "Enclose rho_star of a release and tabulate every guarantee it fixes.",
    "schema": "Print the JSON Schema of the certificate format.",
    "show": "Show what a certificate claims, or a conic program as parsed, without checking it.",
}


class LazyGroup(click.Group):
    """A group whose commands are modules of this package, imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names."""
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_module(f"certify.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="certify", message="%(prog)s %(version)s")
def main() -> None:
    """Exact certificates for optimal Gaussian noise, privacy claims and conic programs.

    Exit codes: 0 every claim PROVED; 3 a claim REFUTED or a certificate REJECTED; 4 malformed input; 5 UNDECIDED or
    no certificate found; 2 wrong usage.
    """
