"""The command line: the only place that prints or exits."""

from certify.cli.main import main

__all__ = ["main"]
