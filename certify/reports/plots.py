"""Figures as SVG text inside a page: the colours are those of the page, light or dark, and the bytes reproducible."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from io import BytesIO, StringIO

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

SIZE = (5.2, 3.9)
WIDE = 1e5
"""From which ratio of its ends on a logarithmic axis has powers of ten only."""


class Ink(StrEnum):
    """The colours of a figure. In a page each is a variable of its style sheet; elsewhere it is what it says."""

    TEXT = "#1d2330"
    GRID = "#d9dde5"
    EXACT = "#0b6e99"
    OTHER = "#b4530a"
    THIRD = "#6b7280"
    FILL = "#bfe0ee"


VARIABLES = {
    Ink.TEXT: "--ink",
    Ink.GRID: "--line",
    Ink.EXACT: "--exact",
    Ink.OTHER: "--other",
    Ink.THIRD: "--muted",
    Ink.FILL: "--fill",
}

_ID = re.compile(r'(\bid="|url\(#|href="#)')
_PROLOGUE = re.compile(r"\A.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_SIZE = re.compile(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>')


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure in a page.

    Attributes:
        key: Its anchor.
        title: What it shows, in a few words.
        caption: How to read it.
        svg: The SVG element.
    """

    key: str
    title: str
    caption: str
    svg: str


def picture(key: str, title: str, caption: str, draw: Callable[[Axes], None]) -> Picture:
    """Return a figure with one pair of axes that ``draw`` fills."""
    with style():
        figure = Figure(figsize=SIZE, layout="constrained")
        draw(figure.add_subplot())
        return Picture(key, title, caption, svg_element(figure, key, title))


def style() -> AbstractContextManager[None]:
    """Return the context in which every figure is drawn and saved."""
    return mpl.rc_context(
        {
            "svg.hashsalt": "certify",
            "svg.fonttype": "none",
            "font.family": "sans-serif",
            "font.sans-serif": ["DejaVu Sans"],
            "font.size": 10.5,
            "text.color": Ink.TEXT,
            "axes.edgecolor": Ink.THIRD,
            "axes.labelcolor": Ink.TEXT,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": Ink.GRID,
            "grid.linewidth": 0.8,
            "xtick.color": Ink.TEXT,
            "ytick.color": Ink.TEXT,
            "legend.frameon": False,
            "lines.linewidth": 1.8,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
        }
    )


def scale_logarithmically(axes: Axes) -> None:
    """Give the vertical axis of what is drawn a logarithmic scale; a short one has plain numbers."""
    axes.set_yscale("log")
    lower, upper = axes.get_ylim()
    if upper > WIDE * lower:
        axes.yaxis.set_major_locator(LogLocator(numticks=8))
        return
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=8))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def svg_element(figure: Figure, key: str, title: str) -> str:
    """Return a figure as an SVG element whose identifiers begin with ``key`` and whose colours are the page's."""
    text = _METADATA.sub("", _PROLOGUE.sub("", svg_text(figure))).replace("xlink:href", "href")
    text = _ID.sub(lambda match: f"{match[1]}{key}-", text)
    for ink, variable in VARIABLES.items():
        text = text.replace(str(ink), f"var({variable})")
    opening = f'<svg viewBox="\\1" role="img" aria-label="{escape(title)}" class="plot">'
    return _SIZE.sub(opening, text, count=1).strip()


def svg_text(figure: Figure) -> str:
    """Return a figure as an SVG document with reproducible text."""
    buffer = StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(buffer, format="svg", metadata=nothing)
    return buffer.getvalue()


def png_bytes(figure: Figure, dots_per_inch: int = 160) -> bytes:
    """Return a figure as a PNG file on white, with reproducible bytes."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=dots_per_inch, facecolor="white", metadata={"Software": None})
    return buffer.getvalue()
