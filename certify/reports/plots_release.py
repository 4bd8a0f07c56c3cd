"""Pictures of a release: records, sensitivity set and noise; the spectrum of Sigma; the active vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from certify.certificates.floats import FloatArray, to_floats
from certify.checker.exact import Matrix
from certify.checker.obligations import counted
from certify.checker.releases import Release
from certify.reports.geometry import Plane, PlaneView, noise_outline, refuting_plane, view, widest_plane
from certify.reports.plots import Ink, Picture, picture, scale_logarithmically

INSIDE = (
    "The sensitivity set (shaded, by its extreme points in 180 directions) has to lie inside the ellipse "
    "s^T Sigma^-1 s = rho of the noise, in every plane"
)


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise of a release in floats.

    Attributes:
        covariance: Sigma.
        rho: The budget: every sensitivity vector s should have ``s^T Sigma^-1 s`` at most this.
        isotropic: The variance of the least isotropic noise with the same guarantee, None where unknown.
    """

    covariance: Matrix
    rho: float
    isotropic: float | None


def plane_pictures(release: Release, noise: Noise, refuted_along: Matrix | None = None) -> list[Picture]:
    """Return the records, and the sensitivity set inside the privacy ellipse; nothing in fewer than two dimensions.

    Args:
        release: What is released.
        noise: Its noise.
        refuted_along: The direction (1 x d) along which a claim was refuted; then the plane is one that shows it.

    Raises:
        DesignError: If the sensitivity set has too many vectors to list.
    """
    plane = widest_plane(release) if refuted_along is None else refuting_plane(release, refuted_along)
    if plane is None:
        return []
    seen = view(release, plane)
    ellipse = noise_outline(noise.covariance, plane, noise.rho)

    def draw(axes: Axes) -> None:
        _draw_noise(axes, seen, ellipse, noise)
        _label(axes, plane)

    outside = bool(seen.outline[:, 0].max() > ellipse[:, 0].max())
    caption = _plane_caption(noise) if refuted_along is None else _refuting_caption(outside=outside)
    shown = picture("plane", "Sensitivity set and noise", caption, draw)
    return [shown] if seen.records is None else [_records_picture(seen.records, plane), shown]


def _plane_caption(noise: Noise) -> str:
    circle = "" if noise.isotropic is None else " The dashed circle is the least isotropic noise."
    shown = f"Differences between neighbours, projected on the plane where they are widest. {INSIDE}"
    return f"{shown}: the tighter, the less noise is wasted.{circle}"


def _refuting_caption(*, outside: bool) -> str:
    shown = f"Differences between neighbours, along the direction in which the witness sees the claim fail. {INSIDE}"
    return f"{shown}; here it does not." if outside else f"{shown}; here it does."


def _records_picture(records: FloatArray, plane: Plane) -> Picture:
    def draw(axes: Axes) -> None:
        size = 5 if len(records) > 60 else 9
        axes.plot(records[:, 0], records[:, 1], ".", color=Ink.EXACT, markersize=size, alpha=0.6, markeredgewidth=0)
        _label(axes, plane)

    caption = f"The {counted(len(records), 'record')} of the domain in the same plane, in the units of the records."
    return picture("records", "Records", caption, draw)


def _draw_noise(axes: Axes, seen: PlaneView, ellipse: FloatArray, noise: Noise) -> None:
    axes.fill(seen.outline[:, 0], seen.outline[:, 1], color=Ink.FILL, alpha=0.8, linewidth=0, label="sensitivity set")
    axes.plot(seen.outline[:, 0], seen.outline[:, 1], color=Ink.THIRD, linewidth=0.9)
    axes.plot(ellipse[:, 0], ellipse[:, 1], color=Ink.EXACT, label="this noise")
    if noise.isotropic is not None:
        angles = np.linspace(0, 2 * np.pi, 361)
        radius = np.sqrt(noise.isotropic * noise.rho)
        circle = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        axes.plot(circle[:, 0], circle[:, 1], "--", color=Ink.OTHER, linewidth=1.3, label="isotropic noise")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=9.5, handlelength=1.4, columnspacing=1)


def _label(axes: Axes, plane: Plane) -> None:
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(plane.names[0])
    axes.set_ylabel(plane.names[1])


def spectrum_picture(noise: Noise) -> Picture | None:
    """Return the eigenvalues of Sigma, largest first, beside isotropic noise; None for noise in one dimension."""
    values = np.linalg.eigvalsh(to_floats(noise.covariance))[::-1]
    if len(values) < 2 or values[0] <= 0:
        return None
    shown = np.where(values > 1e-12 * values[0], values, np.nan)

    def draw(axes: Axes) -> None:
        positions = np.arange(1, len(values) + 1)
        axes.plot(positions, shown, "o", color=Ink.EXACT, markersize=5 if len(values) < 40 else 3.5, label="this noise")
        if noise.isotropic is not None:
            axes.axhline(noise.isotropic, color=Ink.OTHER, linestyle="--", label="isotropic, same guarantee")
        axes.axhline(float(values.mean()), color=Ink.THIRD, linestyle=":", label="isotropic, same trace")
        scale_logarithmically(axes)
        axes.set_xlabel("eigenvalue, largest first")
        axes.set_ylabel("variance of the noise")
        axes.set_xticks(_few_ticks(len(values)))
        axes.legend(loc="best", fontsize=9.5)

    hidden = int(np.isnan(shown).sum())
    singular = f" {hidden} eigenvalues are zero: those directions carry no noise and no difference." if hidden else ""
    caption = (
        "The variance of the noise along the eigenvectors of Sigma. Where the records hardly differ, little noise is "
        f"needed; isotropic noise pays for the widest direction everywhere.{singular}"
    )
    return picture("spectrum", "Spectrum of the covariance", caption, draw)


def _few_ticks(count: int) -> list[int]:
    step = max(1, round(count / 8))
    return sorted({1, *range(step, count + 1, step)})


@dataclass(frozen=True, slots=True)
class Active:
    """An active sensitivity vector: its name in words, its multiplier and its share of all multipliers."""

    name: str
    multiplier: float
    share: float


def active_picture(active: list[Active]) -> Picture | None:
    """Return the shares of the active vectors, largest first, and how they add up; None for none."""
    if not active:
        return None
    shares = np.array([each.share for each in active])

    def draw(axes: Axes) -> None:
        positions = np.arange(1, len(shares) + 1)
        axes.bar(positions, 100 * shares, color=Ink.EXACT, width=0.8)
        axes.set_xlabel("active vector, heaviest first")
        axes.set_ylabel("share of the multipliers (%)")
        axes.set_xticks(_few_ticks(len(shares)))
        total = axes.twinx()
        total.plot(positions, 100 * shares.cumsum(), color=Ink.OTHER, label="cumulative")
        total.set_ylim(0, 104)
        total.set_ylabel("cumulative (%)")
        total.grid(visible=False)
        total.spines["right"].set_visible(True)

    caption = (
        f"The {len(active)} vectors that hold the optimum in place, each with at least a millionth of the dual "
        "multipliers (bars: their shares; line: the shares added up)."
    )
    return picture("active", "Active vectors", caption, draw)
