"""Checking on a cluster: many certificates, or the pairs of more records than one machine should go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

from flint import fmpq, fmpz_mat

from certify.checker.certificate import read_certificate
from certify.checker.codec import Malformed
from certify.checker.exact import Matrix, matrix
from certify.checker.kernel import check, silent
from certify.checker.pairs import PairMaximum, Progress, largest_over_pairs, radii_upper
from certify.checker.verdict import Verdict
from certify.solvers.workers import Workers

BLOCK_ROWS = 5_000
WAVE = 64
WHAT = "pairs of blocks of records"


def check_all(files: Sequence[bytes], workers: Workers) -> list[Verdict | Malformed]:
    """Check the certificates that files spell, one task each; the kernel decides, wherever it runs.

    Returns:
        In the order of the files, the verdict on each, or what is wrong with a file that is no certificate.
    """
    return list(workers.run(_outcome, None, files))


def _outcome(_: None, data: bytes) -> Verdict | Malformed:
    try:
        return check(read_certificate(data))
    except Malformed as error:
        return error


@dataclass(frozen=True, slots=True)
class _Cloud:
    points: Matrix
    centre: Matrix
    form: Matrix

    def chosen(self, rows: Sequence[int]) -> Matrix:
        return self.points.select(rows, range(self.points.columns))


@dataclass(frozen=True, slots=True)
class InBlocks:
    """A search over all pairs of records that is spread over workers, for ``certify.checker.kernel.check``.

    Attributes:
        workers: What runs the tasks. Whoever uses the verdict trusts them as he trusts this process.
        block_rows: How many rows a block has; memory of a task grows with it.
    """

    workers: Workers
    block_rows: int = BLOCK_ROWS

    def __call__(self, points: Matrix, form: Matrix, progress: Progress) -> PairMaximum | None:
        """Return the exact maximum of ``(p_i - p_j)^T form (p_i - p_j)`` over all pairs of rows; None for one row.

        The value is that of ``certify.checker.pairs.largest_over_pairs``, which each task calls on the rows of two
        blocks. Blocks hold rows of decreasing radius. Pairs of blocks come by decreasing sum of radii, the first one
        alone, and end where the square of that sum is no more than a value found, as the triangle inequality allows
        (``radii_upper``).

        Args:
            points: m x d.
            form: d x d, PSD.
            progress: Called with the pairs of blocks that are done and how many there are.
        """
        if points.rows < 2:
            return None
        cloud = _Cloud(points, _middle(points), form)
        chunks = [range(i, min(i + self.block_rows, points.rows)) for i in range(0, points.rows, self.block_rows)]
        radii = [radius for part in self.workers.run(_radii, cloud, chunks) for radius in part]
        order = sorted(range(points.rows), key=radii.__getitem__, reverse=True)
        blocks = [tuple(order[chunk.start : chunk.stop]) for chunk in chunks]
        pairs = sorted(combinations_with_replacement(range(len(blocks)), 2), key=lambda p: -_reach(radii, blocks, p))
        best = PairMaximum(fmpq(-1), (0, 0))
        for start, stop in pairwise([0, *range(1, len(pairs), WAVE), len(pairs)]):
            progress(WHAT, start, len(pairs))
            wave = [pair for pair in pairs[start:stop] if _reach(radii, blocks, pair) ** 2 > best.value]
            if not wave:
                break
            found = self.workers.run(_largest, cloud, [_union(blocks, pair) for pair in wave])
            best = max([best, *(each for each in found if each is not None)], key=lambda each: each.value)
        progress(WHAT, len(pairs), len(pairs))
        return best


def _middle(points: Matrix) -> Matrix:
    ones = fmpz_mat(1, points.rows, [1] * points.rows)
    total = (ones * points.numerators).entries()
    return matrix(fmpz_mat(1, points.columns, [entry // points.rows for entry in total]), points.denominator)


def _reach(radii: list[fmpq], blocks: list[tuple[int, ...]], pair: tuple[int, int]) -> fmpq:
    return radii[blocks[pair[0]][0]] + radii[blocks[pair[1]][0]]


def _union(blocks: list[tuple[int, ...]], pair: tuple[int, int]) -> tuple[int, ...]:
    first, second = pair
    return blocks[first] if first == second else blocks[first] + blocks[second]


def _radii(cloud: _Cloud, rows: range) -> list[fmpq]:
    return radii_upper(cloud.chosen(rows), cloud.centre, cloud.form)


def _largest(cloud: _Cloud, rows: tuple[int, ...]) -> PairMaximum | None:
    """Return the largest form over the rows of two blocks, with the pair under the names of all rows."""
    found = largest_over_pairs(cloud.chosen(rows), cloud.form, silent)
    if found is None:
        return None
    first, second = sorted((rows[found.pair[0]], rows[found.pair[1]]))
    return PairMaximum(found.value, (first, second))
