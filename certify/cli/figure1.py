"""certify figure1."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from certify.cli.files import InputError, NothingFound, require_folder, write_atomically
from certify.cli.progress import checking

if TYPE_CHECKING:
    from certify.certificates.floats import FloatArray

MISSING = "certify figure1 needs numpy ({} is missing); install it with: pip install 'certify[solve]'"
LAWS = {"ridge": "G G^T / d + 0.01 I", "wishart": "G G^T"}


@click.command(name="figure1")
@click.option("--dimension", type=int, default=10, help="d, up to 20. Default: 10.")
@click.option("--draws", type=int, default=500, help="How many covariances to draw. Default: 500.")
@click.option(
    "--law",
    type=click.Choice(list(LAWS)),
    default="ridge",
    help="Of Sigma, with G standard normal: ridge is G G^T/d + 0.01 I, wishart is G G^T. Default: ridge.",
)
@click.option("--seed", type=int, default=0, help="Default: 0.")
@click.option("--plot", metavar="FILE", help="Also write the histogram, to a .svg or .png file.")
@click.option("--json", "as_json", is_flag=True, help="Print machine-readable results.")
@click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
def command(dimension: int, draws: int, law: str, seed: int, plot: str | None, as_json: bool, quiet: bool) -> None:
    """Compare the naive sensitivity bound with the exact one over random covariances: Figure 1 of the paper.

    Over the unit cube, for every query: diam^2 lambda_max(Sigma^-1) over rho_star. Statistics in floats, no claims.
    """
    try:
        from certify.certificates.figure1 import Law, figure1_ratios, summarise
    except ModuleNotFoundError as error:
        raise NothingFound(MISSING.format(error.name)) from None
    if plot is not None:
        require_folder(plot)
    try:
        with checking("figure1", quiet=quiet) as progress:
            ratios = figure1_ratios(dimension, draws, Law(law), seed, lambda done: progress("draw", done, draws))
        summary = summarise(ratios)
        if plot is not None:
            write_atomically(plot, _image(ratios, dimension, law, plot))
    except ValueError as error:
        raise InputError(str(error)) from None
    if as_json:
        document = {"dimension": dimension, "law": law, "seed": seed, **asdict(summary)}
        click.echo(json.dumps(document, indent=2))
        return
    click.echo(f"naive / exact over [0, 1]^{dimension}, Sigma = {LAWS[law]}, {draws} draws, seed {seed}")
    for name, value in asdict(summary).items():
        if name != "draws":
            click.echo(f"  {name.replace('_', ' '):<14}{value:.4f}")


def _image(ratios: FloatArray, dimension: int, law: str, plot: str) -> bytes:
    try:
        from certify.reports.plots_figure1 import figure1_image
    except ModuleNotFoundError as error:
        missing = f"--plot needs {error.name} to draw; install it with: pip install 'certify[report]'"
        raise NothingFound(missing) from None
    return figure1_image(ratios, dimension, LAWS[law], plot)
