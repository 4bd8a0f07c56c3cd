"""Figure 1 of the paper: a histogram of the naive sensitivity bound over the exact one."""

from __future__ import annotations

from pathlib import PurePath

from matplotlib.figure import Figure

from certify.certificates.figure1 import Ratios, summarise
from certify.certificates.floats import FloatArray
from certify.reports.plots import Ink, png_bytes, style, svg_text

SUFFIXES = (".svg", ".png")
BINS = 36


def figure1_image(ratios: FloatArray, dimension: int, law: str, path: str) -> bytes:
    """Return the bytes of the figure, as the suffix of ``path`` says: SVG or PNG, reproducible.

    Args:
        ratios: The ratios naive / exact, one for each draw.
        dimension: d.
        law: The law of the covariance, in words.
        path: A file name that ends in .svg or .png.

    Raises:
        ValueError: If it ends in something else.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: the name must end in {' or '.join(SUFFIXES)}")
    with style():
        figure = _figure(ratios, dimension, law)
        return png_bytes(figure) if suffix == ".png" else svg_text(figure).encode()


def _figure(ratios: FloatArray, dimension: int, law: str) -> Figure:
    summary = summarise(ratios)
    figure = Figure(figsize=(6.4, 4.2), layout="constrained", facecolor="white")
    axes = figure.add_subplot(facecolor="white")
    axes.hist(ratios, bins=BINS, range=(1.0, max(float(ratios.max()), 1.01)), color=Ink.FILL, edgecolor=Ink.EXACT)
    axes.axvline(summary.mean, color=Ink.OTHER, label=f"mean {summary.mean:.4f}")
    axes.axvline(
        summary.upper_decile, color=Ink.THIRD, linestyle="--", label=f"9 in 10 below {summary.upper_decile:.4f}"
    )
    axes.axvline(1.0, color=Ink.TEXT, linewidth=1.0)
    axes.set_xlabel("naive bound / exact bound")
    axes.set_ylabel(f"covariances, of {summary.draws}")
    axes.set_title(_title(summary, dimension, law), loc="left", fontsize=11)
    axes.legend(loc="upper right")
    return figure


def _title(summary: Ratios, dimension: int, law: str) -> str:
    return f"K = [0, 1]^{dimension}, Sigma = {law}: from {summary.least:.3f} to {summary.greatest:.3f}"
