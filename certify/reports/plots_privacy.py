"""Pictures of privacy: the profile delta(epsilon), the capacity, and the history of a solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from certify.certificates.floats import FloatArray
from certify.checker.capacity import capacity
from certify.checker.conversions import privacy_profile, zcdp_epsilon
from certify.checker.guarantees import ApproxDP, BinaryGuarantee
from certify.reports.plots import Ink, Picture, picture
from certify.solvers.problem import Round

POINTS = 60
DIGITS = 6
LEAST_DELTA = 1e-12
LOG_TWO = 0.6931471805599453


@dataclass(frozen=True, slots=True)
class Profiles:
    """What the privacy profile is drawn for.

    Attributes:
        rho_star: rho_star of the release, or the most that its guarantee allows.
        isotropic: rho_star of isotropic noise of the same cost, None where there is none to compare with.
        guarantee: The guarantee of the claim; one of (epsilon, delta) is marked.
    """

    rho_star: fmpq
    isotropic: fmpq | None
    guarantee: BinaryGuarantee | None


def profile_picture(profiles: Profiles) -> Picture | None:
    """Return delta as a function of epsilon: exact, by the generic conversion, and for isotropic noise."""
    rho = profiles.rho_star
    if rho <= 0:
        return None
    widest = float(zcdp_epsilon(fmpq(1, 10**10), max(rho, profiles.isotropic or rho), DIGITS).upper)
    grid = [fmpq(int(widest * 1e6 * i / POINTS), 10**6) for i in range(POINTS + 1)]
    marked = profiles.guarantee if isinstance(profiles.guarantee, ApproxDP) else None

    def draw(axes: Axes) -> None:
        axes.plot(*_curve(grid, rho), color=Ink.EXACT, label="exact")
        axes.plot(*_generic(float(rho), widest), "--", color=Ink.THIRD, label="generic conversion from zCDP")
        if profiles.isotropic is not None:
            axes.plot(*_curve(grid, profiles.isotropic), "-.", color=Ink.OTHER, label="isotropic noise, same cost")
        if marked is not None:
            axes.plot([float(marked.epsilon)], [float(marked.delta)], "o", color=Ink.TEXT, label="the guarantee")
        axes.set_yscale("log")
        axes.set_ylim(LEAST_DELTA, 2)
        axes.set_xlim(0, widest)
        axes.set_xlabel("epsilon")
        axes.set_ylabel("delta")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9.5, columnspacing=1)

    caption = (
        "For every epsilon the least delta with (epsilon, delta)-differential privacy. The exact curve is enclosed to "
        f"{DIGITS} digits at rho_star = {float(rho):.6g}; the conversion that knows only the zCDP parameter promises "
        "less of the same noise."
    )
    return picture("profile", "Privacy profile", caption, draw)


def _curve(grid: Sequence[fmpq], rho: fmpq) -> tuple[FloatArray, FloatArray]:
    deltas = np.array([float(privacy_profile(epsilon, rho, DIGITS).upper) for epsilon in grid])
    kept = deltas > LEAST_DELTA / 10
    return np.array([float(epsilon) for epsilon in grid])[kept], deltas[kept]


def _generic(rho: float, widest: float) -> tuple[FloatArray, FloatArray]:
    """Invert epsilon = rho/2 + sqrt(2 rho log(1/delta)) (theory.md section 3)."""
    epsilons = np.linspace(rho / 2, max(widest, rho), 200)
    deltas = np.exp(-((epsilons - rho / 2) ** 2) / (2 * rho))
    kept = deltas > LEAST_DELTA / 10
    return epsilons[kept], deltas[kept]


def capacity_picture(kappa: fmpq, budget: fmpq) -> Picture:
    """Return the capacity C(q) with the budget ``C(q) = kappa`` marked."""
    last = max(4 * budget, fmpq(4))
    grid = [last * i / POINTS for i in range(POINTS + 1)]
    values = [float(capacity(q, DIGITS).upper) if q > 0 else 0.0 for q in grid]

    def draw(axes: Axes) -> None:
        axes.plot([float(q) for q in grid], values, color=Ink.EXACT, label="C(q)")
        axes.axhline(LOG_TWO, color=Ink.THIRD, linestyle=":", label="log 2")
        axes.plot([float(budget)], [float(kappa)], "o", color=Ink.OTHER, label="the budget")
        axes.vlines(float(budget), 0, float(kappa), color=Ink.OTHER, linestyles="--", linewidth=1.2)
        axes.hlines(float(kappa), 0, float(budget), color=Ink.OTHER, linestyles="--", linewidth=1.2)
        axes.set_xlim(0, float(last))
        axes.set_ylim(0, 0.75)
        axes.set_xlabel("q = s^T Sigma^-1 s")
        axes.set_ylabel("mutual information (nats)")
        axes.legend(loc="lower right", fontsize=9.5)

    caption = (
        "The capacity of a binary record seen through the noise. It increases strictly and stays below log 2, so a "
        f"bound kappa = {float(kappa):.6g} on the mutual information is the bound q <= {float(budget):.6g}."
    )
    return picture("capacity", "Capacity of a binary record", caption, draw)


def history_pictures(history: Sequence[Round]) -> list[Picture]:
    """Return the bracket of a float solve, and its gap with the number of working vectors, round by round."""
    rounds = [each for each in history if 0 < each.value_upper_estimate < np.inf]
    return [_bracket_picture(rounds), _gap_picture(rounds)] if rounds else []


def _bracket_picture(rounds: Sequence[Round]) -> Picture:
    def draw(axes: Axes) -> None:
        numbers = [each.round for each in rounds]
        axes.plot(numbers, [each.value_upper_estimate for each in rounds], "v-", color=Ink.OTHER, label="upper")
        axes.plot(numbers, [each.value_lower_estimate for each in rounds], "^-", color=Ink.EXACT, label="lower")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.set_xlabel("round of constraint generation")
        axes.set_ylabel("expected squared error (floats)")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=9.5)

    caption = "Bounds of the optimum in the float solve that proposed this certificate. They prove nothing."
    return picture("bracket", "Bracket, round by round", caption, draw)


def _gap_picture(rounds: Sequence[Round]) -> Picture:
    gaps = [max(1 - each.value_lower_estimate / each.value_upper_estimate, 1e-17) for each in rounds]

    def draw(axes: Axes) -> None:
        numbers = [each.round for each in rounds]
        axes.plot(numbers, gaps, "o-", color=Ink.EXACT, label="relative gap")
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("round of constraint generation")
        axes.set_ylabel("relative gap (floats)")
        working = axes.twinx()
        working.plot(numbers, [each.active for each in rounds], "s--", color=Ink.OTHER, markersize=4)
        working.set_ylabel("vectors in the working set")
        working.grid(visible=False)
        working.spines["right"].set_visible(True)

    caption = "The gap of that bracket (line) and how many sensitivity vectors were in use (dashed)."
    return picture("history", "Gap, round by round", caption, draw)
