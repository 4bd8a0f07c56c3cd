"""Pictures of a conic program and of the points that prove a claim about it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from certify.certificates.floats import FloatArray
from certify.checker.conic.cones import order
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import ConicWitness
from certify.checker.obligations import counted
from certify.reports.plots import Ink, Picture, picture, scale_logarithmically
from certify.reports.spectra import Spectrum, spectra, total_order

LARGEST_BLOCK = 1_000
CELLS = 96
FLOAT_ZERO = 1e-15


def program_pictures(problem: ConicProblem, witness: ConicWitness) -> list[Picture]:
    """Return the eigenvalues of the points of a witness, unless blocks are huge, and the data of the program."""
    small = max((order(part.cone) for part in problem.blocks), default=0) <= LARGEST_BLOCK
    try:
        found = spectra(problem, witness) if small else []
    except OverflowError:
        found = []
    shown = [spectrum_picture(found)] if any((each.values != 0).any() for each in found) else []
    pattern = pattern_picture(problem)
    return shown if pattern is None else [*shown, pattern]


def spectrum_picture(found: list[Spectrum]) -> Picture:
    """Return the eigenvalues of X, largest first, and of the slack, smallest first, so that partners meet."""
    logarithmic = all((each.values > -_zero(each)).all() for each in found)

    def draw(axes: Axes) -> None:
        for each in found:
            values = each.values[::-1] if each.is_primal else each.values
            ink, mark = (Ink.EXACT, "o") if each.is_primal else (Ink.OTHER, "s")
            shown = np.where(values > _zero(each), values, np.nan) if logarithmic else values
            size = 4.5 if len(values) < 60 else 2.5
            axes.plot(np.arange(1, len(values) + 1), shown, mark, color=ink, markersize=size, label=each.name)
        if logarithmic:
            scale_logarithmically(axes)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("eigenvalue")
        axes.set_ylabel("size (floats)")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9.5)

    return picture("eigenvalues", "Eigenvalues of the points", _spectrum_caption(found, logarithmic=logarithmic), draw)


def _zero(spectrum: Spectrum) -> float:
    return FLOAT_ZERO * float(np.abs(spectrum.values).max()) * len(spectrum.values)


def _spectrum_caption(found: list[Spectrum], *, logarithmic: bool) -> str:
    caption = "Of all blocks together; blocks of free variables, exponential and power cones have none. "
    if len(found) == 2:
        caption += (
            "X is sorted from the largest down and the slack from the smallest up: at an optimum the large ones of one "
            "meet the vanishing ones of the other. "
        )
    hidden = sum(int((each.values <= _zero(each)).sum()) for each in found) if logarithmic else 0
    if hidden:
        caption += (
            f"{counted(hidden, 'value')} that floats cannot tell from zero {'is' if hidden == 1 else 'are'} left out. "
        )
    return caption + "The checker decides the signs exactly; this picture proves nothing."


def pattern_picture(problem: ConicProblem) -> Picture | None:
    """Return where C and the A_i have entries, block after block along the diagonal; None where that is everywhere."""
    size = total_order(problem)
    cells = min(size, CELLS)
    grid = np.zeros((cells, cells), dtype=bool)
    for row, column in _places(problem):
        grid[row * cells // size, column * cells // size] = True
    grid |= grid.T
    if grid.all():
        return None

    def draw(axes: Axes) -> None:
        scale = size / cells
        axes.add_patch(PathPatch(_filled(grid, scale), facecolor=Ink.EXACT, linewidth=0))
        axes.set_xlim(0, size)
        axes.set_ylim(size, 0)
        axes.set_aspect("equal", adjustable="box")
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.grid(visible=False)
        axes.set_xlabel("column, block after block")
        axes.set_ylabel("row")

    entries = counted(sum(len(part.constraints) for part in problem.blocks), "entry", "entries")
    caption = (
        f"Where C or any of the {counted(problem.constraint_count, 'A_i', 'A_i')} has an entry: {entries} in "
        f"{counted(len(problem.blocks), 'cone')} of total order {size}."
    )
    return picture("pattern", "Data of the program", caption, draw)


def _places(problem: ConicProblem) -> Iterator[tuple[int, int]]:
    start = 0
    for part in problem.blocks:
        for row, column in zip(part.rows, part.columns, strict=True):
            yield start + row, start + column
        start += order(part.cone)


def _filled(grid: np.ndarray[tuple[int, int], np.dtype[np.bool_]], scale: float) -> Path:
    """Return one path of a rectangle for each run of filled cells in a row."""
    corners: list[FloatArray] = []
    for row, line in enumerate(grid):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(int)))
        for left, right in edges.reshape(-1, 2):
            corners.append(
                scale * np.array([[left, row], [right, row], [right, row + 1], [left, row + 1], [left, row]])
            )
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(corners)
    return Path(np.concatenate(corners) if corners else np.empty((0, 2)), codes or None)
