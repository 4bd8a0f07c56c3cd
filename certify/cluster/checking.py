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
from certify.checker.pairs import largest_over_pairs, radii_upper
from certify.checker.verdict import Obligation, Status
from certify.cluster.workers import Workers

BLOCK_ROWS = 5_000
WAVE = 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check of one certificate file said, small enough to send home.

    Attributes:
        status: The status of the verdict, None for a malformed file.
        obligations: Those of the verdict.
        malformed: What is wrong with a malformed file.
    """

    status: Status | None
    obligations: tuple[Obligation, ...]
    malformed: str | None


def check_all(files: Sequence[bytes], workers: Workers) -> list[Outcome]:
    """Check the certificates that files spell, one task each; the kernel decides, wherever it runs."""
    return workers.run(_outcome, None, files)


def _outcome(_: None, data: bytes) -> Outcome:
    try:
        verdict = check(read_certificate(data))
    except Malformed as error:
        return Outcome(None, (), str(error))
    return Outcome(verdict.status, verdict.obligations, None)


@dataclass(frozen=True, slots=True)
class _Packed:
    """A matrix that can be pickled."""

    rows: int
    columns: int
    entries: tuple[int, ...]
    denominator: int

    def unpack(self, chosen: Sequence[int] | None = None) -> Matrix:
        """Return the matrix, or the rows of it that are chosen."""
        width, entries = self.columns, self.entries
        if chosen is None:
            return matrix(fmpz_mat(self.rows, width, list(entries)), self.denominator)
        picked = [entry for row in chosen for entry in entries[row * width : (row + 1) * width]]
        return matrix(fmpz_mat(len(chosen), width, picked), self.denominator)


def _pack(value: Matrix) -> _Packed:
    entries = tuple(map(int, value.numerators.entries()))
    return _Packed(value.rows, value.columns, entries, int(value.denominator))


@dataclass(frozen=True, slots=True)
class _Cloud:
    points: _Packed
    centre: _Packed
    form: _Packed


def largest_in_blocks(points: Matrix, form: Matrix, workers: Workers, block_rows: int = BLOCK_ROWS) -> fmpq | None:
    """Return the exact maximum of ``(p_i - p_j)^T form (p_i - p_j)`` over all pairs of rows; None for one row.

    Equals the value of ``certify.checker.pairs.largest_over_pairs``, which each task calls on the rows of two blocks.
    Blocks hold rows of decreasing radius. Pairs of blocks come by decreasing sum of radii, the first one alone, and end
    where the square of that sum is no more than a value found, as the triangle inequality allows (``radii_upper``).

    Args:
        points: m x d.
        form: d x d, PSD.
        workers: What runs the tasks.
        block_rows: How many rows a block has; memory of a task grows with it.
    """
    if points.rows < 2:
        return None
    cloud = _Cloud(_pack(points), _pack(_middle(points)), _pack(form))
    chunks = [range(start, min(start + block_rows, points.rows)) for start in range(0, points.rows, block_rows)]
    radii = [radius for part in workers.run(_radii, cloud, chunks) for radius in part]
    order = sorted(range(points.rows), key=radii.__getitem__, reverse=True)
    blocks = [tuple(order[chunk.start : chunk.stop]) for chunk in chunks]
    pairs = sorted(combinations_with_replacement(range(len(blocks)), 2), key=lambda pair: -_reach(radii, blocks, pair))
    best = fmpq(0)
    for start, stop in pairwise([0, *range(1, len(pairs), WAVE), len(pairs)]):
        wave = [pair for pair in pairs[start:stop] if _reach(radii, blocks, pair) ** 2 > best]
        if not wave:
            break
        best = max(best, *workers.run(_largest, cloud, [_union(blocks, pair) for pair in wave]))
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
    return radii_upper(cloud.points.unpack(rows), cloud.centre.unpack(), cloud.form.unpack())


def _largest(cloud: _Cloud, rows: tuple[int, ...]) -> fmpq:
    found = largest_over_pairs(cloud.points.unpack(rows), cloud.form.unpack(), silent)
    return fmpq(0) if found is None else found.value
