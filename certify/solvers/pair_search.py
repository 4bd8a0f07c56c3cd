"""Search the differences of points for long ones, in tiles of the Gram matrix, here or on workers.

The tiles and the order in which they are merged depend on the points and the threshold alone, so every kind of workers
that computes the same products finds the same pairs, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from certify.solvers.problem import FloatArray, IndexArray
from certify.solvers.workers import Workers

TILE = 1 << 21
"""Entries of one block of the Gram matrix: 16 MiB, small enough to stay out of swap and large enough for BLAS."""

TILES_PER_TASK = 8


@dataclass(frozen=True, slots=True, eq=False)
class Violations:
    """The largest values of s^T P s found.

    Attributes:
        keys: distinct vectors above the threshold, in increasing order.
        values: s^T P s of each.
        largest: the maximum over the whole set, or 0 for an empty set.
    """

    keys: IndexArray
    values: FloatArray
    largest: float


@dataclass(frozen=True, slots=True)
class _Tile:
    """Rows start..end against columns start..stop, in positions by decreasing radius."""

    start: int
    end: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class _Cloud:
    """Gram factors of the points by decreasing radius, and what is asked of their differences."""

    left: FloatArray
    right: FloatArray
    threshold: float
    few: int

    def collector(self) -> PairCollector:
        """Return a collector that has seen nothing."""
        return PairCollector(len(self.left), self.threshold, self.few)


def search_pairs(
    points: FloatArray, threshold: float, few: int, on_task: Callable[[], None], outermost: int, workers: Workers
) -> Violations:
    """Search |y_i - y_j|^2 over pairs of rows, skipping what the triangle inequality rules out.

    With radii r_i = |y_i - centre| sorted downwards, a pair above the threshold needs r_i + r_j > sqrt(threshold),
    so the partners of a block are a prefix. The maximum is exact whenever it exceeds the threshold.

    Args:
        points: shape (m, d).
        threshold: values at or below it are not returned.
        few: up to this many pairs above the threshold are all returned, else each point's worst partner.
        on_task: called after each task.
        outermost: look only at pairs among this many points farthest from the middle.
        workers: what the tasks run on.
    """
    points = centred(points)
    count = len(points)
    order = np.argsort(-np.einsum("ij,ij->i", points, points), kind="stable")[:outermost]
    left, right, squares = gram_factors(points[order])
    cloud = _Cloud(left, right, threshold, few)
    tiles = list(_tiles(np.sqrt(squares), np.sqrt(max(threshold, 0.0)) * (1 - 1e-12)))
    tasks = [tiles[first : first + TILES_PER_TASK] for first in range(0, len(tiles), TILES_PER_TASK)]
    collector = cloud.collector()
    for part in workers.run(_collected, cloud, tasks):
        collector.merge(part)
        on_task()
    return collector.pairs(order, count)


def _tiles(radii: FloatArray, reach: float) -> Iterator[_Tile]:
    start = 0
    while start < len(radii):
        end = min(len(radii), start + max(1, TILE // (len(radii) - start)))
        stop = int(np.searchsorted(-radii, radii[start] - reach, side="right"))
        if stop <= start + 1:
            return
        yield _Tile(start, min(end, stop), stop)
        start = end


def _collected(cloud: _Cloud, tiles: list[_Tile]) -> PairCollector:
    collector = cloud.collector()
    for tile in tiles:
        product = cloud.left[tile.start : tile.end] @ cloud.right[tile.start : tile.stop].T
        collector.record(product, tile.start, tile.start)
    return collector


def centred(records: FloatArray) -> FloatArray:
    """Return the points about their middle: the Gram matrix loses fewer digits there, and differences do not change."""
    return records - (records.min(axis=0) + records.max(axis=0)) / 2 if len(records) else records


def gram_factors(points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return L and R with (L R^T)_ij = |y_i - y_j|^2, so that one product gives a tile, and the squared lengths."""
    squares: FloatArray = np.einsum("ij,ij->i", points, points)
    ones = np.ones((len(points), 1))
    return np.hstack([-2 * points, squares[:, None], ones]), np.hstack([points, ones, squares[:, None]]), squares


class PairCollector:
    """Gathers pairs above a threshold tile by tile: all while they are few, else each record's worst partner."""

    def __init__(self, count: int, threshold: float, few: int) -> None:
        self._count = count
        self._threshold = threshold
        self._few = few
        self._values = np.zeros(count)
        self._partners = np.zeros(count, dtype=np.int64)
        self._above: list[tuple[IndexArray, FloatArray]] | None = []
        self._found = 0

    def merge(self, later: PairCollector) -> None:
        """Take in what another collector gathered from tiles that come after the own ones."""
        rows = np.nonzero(later._values > self._values)[0]
        self._values[rows], self._partners[rows] = later._values[rows], later._partners[rows]
        self._found += later._found
        if self._above is None or later._above is None or self._found > self._few:
            self._above = None
        else:
            self._above += later._above

    def record(self, tile: FloatArray, row_start: int, column_start: int) -> None:
        """Take in the values of rows row_start... against columns column_start..., in positions, not records."""
        self._record_rows(tile, row_start, column_start)
        self._record_columns(tile, row_start, column_start)
        if self._above is not None:
            self._record_above(self._above, tile, row_start, column_start)

    def pairs(self, order: IndexArray, records: int) -> Violations:
        """Return the pairs with positions translated by `order` to so many records."""
        largest = float(self._values.max(initial=0.0))
        if self._above is None:
            rows = np.nonzero(self._values > self._threshold)[0]
            positions, values = rows * self._count + self._partners[rows], self._values[rows]
        else:
            positions = np.concatenate([np.zeros(0, dtype=np.int64), *(keys for keys, _ in self._above)])
            values = np.concatenate([np.zeros(0), *(values for _, values in self._above)])
        first, second = (order[part] for part in np.divmod(positions, max(self._count, 1)))
        keys = np.minimum(first, second) * records + np.maximum(first, second)
        unique, where = np.unique(keys[first != second], return_index=True)
        return Violations(unique, values[first != second][where], largest)

    def _record_rows(self, tile: FloatArray, row_start: int, column_start: int) -> None:
        best = tile.argmax(axis=1)
        values = tile[np.arange(len(tile)), best]
        rows = np.nonzero(values > self._values[row_start : row_start + len(tile)])[0]
        self._values[row_start + rows] = values[rows]
        self._partners[row_start + rows] = column_start + best[rows]

    def _record_columns(self, tile: FloatArray, row_start: int, column_start: int) -> None:
        values = tile.max(axis=0)
        columns = np.nonzero(values > self._values[column_start : column_start + tile.shape[1]])[0]
        self._values[column_start + columns] = values[columns]
        self._partners[column_start + columns] = row_start + tile[:, columns].argmax(axis=0)

    def _record_above(
        self, above: list[tuple[IndexArray, FloatArray]], tile: FloatArray, row_start: int, column_start: int
    ) -> None:
        mask = tile > self._threshold
        self._found += int(np.count_nonzero(mask))
        if self._found > self._few:
            self._above = None
            return
        rows, columns = np.nonzero(mask)
        above.append(((row_start + rows) * self._count + column_start + columns, tile[mask]))
