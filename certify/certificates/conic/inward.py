"""Float points ranked for rounding: those inside their cone as they are, those outside moved inward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from certify.solvers.conic.arrays import BlockArrays

SHARES = (1.0, 16.0, 256.0)
MOVED = 2
UNMOVED = 3
SMALL = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """How to judge a point: a value to be made small, a margin inside the cone, the rounding error of that margin."""

    value: Callable[[BlockArrays], float]
    margin: Callable[[BlockArrays], float]
    noise: Callable[[BlockArrays], float]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A float point with its value and about how far inside the cone it is."""

    point: BlockArrays
    value: float
    margin: float


def candidates(path: Sequence[BlockArrays], measure: Measure) -> list[Candidate]:
    """Return points worth rounding, the best values first.

    They are the last point of the path that is clearly inside, and the points after it moved toward it. Without one
    inside they are the points themselves, from the last, if they are small: an exact test of a point outside is slow.

    Args:
        path: Points from the most central to the best.
        measure: How to judge them.
    """
    outside: list[tuple[BlockArrays, float]] = []
    finite = [point for point in path if all(bool(np.all(np.isfinite(part))) for part in point)]
    for centre in reversed(finite):
        margin = measure.margin(centre)
        if margin > measure.noise(centre):
            # The points nearest to the centre are the ones that a small move brings inside.
            inside = Candidate(centre, measure.value(centre), margin)
            moved = [c for point, distance in outside[-MOVED:] for c in _moved(point, distance, inside, measure)]
            return sorted([*moved, inside], key=lambda found: found.value)
        outside.append((centre, margin))
    few = [point for point, _ in outside[:UNMOVED] if sum(part.size for part in point) <= SMALL]
    return [Candidate(point, measure.value(point), measure.noise(point)) for point in few]


def _moved(point: BlockArrays, distance: float, centre: Candidate, measure: Measure) -> list[Candidate]:
    """Return a point moved toward an interior one by shares that should bring it just inside, and further."""
    noise = measure.noise(point)
    least = (2 * noise - distance) / (centre.margin - distance)
    found = []
    for factor in SHARES:
        share = min(1.0, least * factor)
        moved = tuple(a + share * (b - a) for a, b in zip(point, centre.point, strict=True))
        margin = max(noise, distance + share * (centre.margin - distance))
        found.append(Candidate(moved, measure.value(moved), margin))
        if share == 1.0:
            break
    return found
