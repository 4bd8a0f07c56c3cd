"""certify prove."""

from __future__ import annotations

import json

import click

from certify.certificates.evidence import RocqError
from certify.certificates.rocq import to_rocq
from certify.cli.files import NothingFound, load_certificate, require_folder, write_atomically


@click.command(name="prove")
@click.argument("file", metavar="CERTIFICATE")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the Rocq file.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
def command(file: str, output: str, as_json: bool) -> None:
    """Write a Rocq file whose theorem is the claim of a certificate, with its numbers.

    The kernel of Rocq then is a second, independent checker: run coqc on the file, with proofs/theories compiled (make
    proofs) and mapped to Certify: coqc -Q proofs/theories Certify FILE.
    """
    require_folder(output)
    certificate = load_certificate(file)
    try:
        text = to_rocq(certificate)
    except RocqError as error:
        raise NothingFound(f"{file}: {error}") from None
    write_atomically(output, text.encode("utf-8"))
    if as_json:
        click.echo(json.dumps({"file": file, "output": output}, indent=2))
        return
    click.echo(f"wrote {output}; check it with: coqc -Q proofs/theories Certify {output}")
