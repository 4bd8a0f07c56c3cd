"""A filter for pairs: one product of a few long integers bounds the quadratic forms of thousands of pairs at once.

Rounded coordinates of many points are packed side by side into long integers, one lane of 32 bits for each point. An
integer combination of those is the same combination in every lane, and the top bit of a lane says whether its pair
could exceed a threshold. Everything is integer arithmetic; the rounding errors are bounded, not estimated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul

from flint import fmpz, fmpz_mat

LANE_BYTES = 4
LANE_BITS = 8 * LANE_BYTES
TOP = 1 << (LANE_BITS - 1)
VALUE_BITS = 26
CHUNK = 1024
"""Points in a long integer: few enough that a row of products stays in the cache."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """Rounded rows u_i and packed rounded points p_j, for the forms ``q_ij = n_i + n_j - u_i . p_j``.

    Attributes:
        coefficients: ``-round(u_ik / 2^alpha_k)`` for every row.
        allowances: ``n_i + E_i`` for every row.
        chunks: For each CHUNK points the packed ``round(p_jk / 2^beta_k)``, one long integer for each k, then the
            packed ``ceil((n_j + G_j) / 2^sigma)``, then a one in every lane; (d + 2) x 1.
        sigma: ``alpha_k + beta_k``, the same for every k.
        bound: No lane of ``-sum_k .. + ceil(..)`` exceeds this in absolute value.
    """

    coefficients: list[list[int]]
    allowances: list[int]
    chunks: list[fmpz_mat]
    sigma: int
    bound: int


def lanes_of(rows: Sequence[Sequence[fmpz]], points: Sequence[Sequence[fmpz]], norms: Sequence[fmpz]) -> Lanes | None:
    """Return the lanes of rows u_i and points p_j with the norms n_i; None where 32 bits do not hold them.

    With ``u = 2^alpha u' + r`` and ``p = 2^beta p' + r'``, ``|r| <= h``, ``|r'| <= h'``, entry by entry, ``u . p``
    differs from ``2^sigma u' . p'`` by at most ``E_i + G_j``, where ``E_i = sum_k 2^alpha_k |u'_ik| h'_k`` and
    ``G_j = sum_k h_k |p_jk|``.
    """
    splits = _splits(
        [_bits(column) for column in zip(*rows, strict=True)], [_bits(c) for c in zip(*points, strict=True)]
    )
    sigma, alphas = splits
    betas = [sigma - alpha for alpha in alphas]
    rough, fine = [_half(alpha) for alpha in alphas], [_half(beta) for beta in betas]
    left = [_rounded(row, alphas, rough) for row in rows]
    right = [_rounded(point, betas, fine) for point in points]
    units = [half << alpha for half, alpha in zip(fine, alphas, strict=True)]
    errors = [sum(map(mul, map(abs, row), units)) for row in left]
    blurs = [int(sum(map(mul, map(abs, point), rough), fmpz(0))) for point in points]
    heights = [-(-(int(norm) + blur) >> sigma) for norm, blur in zip(norms, blurs, strict=True)]
    widest = sum(
        _largest(a) * _largest(b) for a, b in zip(zip(*left, strict=True), zip(*right, strict=True), strict=True)
    )
    bound = widest + _largest(heights)
    if 2 * bound + 2 >= TOP:
        return None
    chunks = [
        _chunk(right[start : start + CHUNK], heights[start : start + CHUNK]) for start in range(0, len(right), CHUNK)
    ]
    allowances = [int(norm) + error for norm, error in zip(norms, errors, strict=True)]
    return Lanes([[-entry for entry in row] for row in left], allowances, chunks, sigma, bound)


def suspects(lanes: Lanes, rows: range, stop: int, best: int) -> Iterator[tuple[int, int, int]]:
    """Yield ``(row, start, flags)``: every pair (row, j) with ``q > best`` and ``row <= j < stop`` has its flag up.

    Point ``start + l`` has its flag in bit ``32 l + 31``. Rows without flags are left out; pairs that are flagged may
    be below ``best``, before the row or from ``stop`` on.

    Sound because ``q_ij > best`` makes ``-u' . p' + ceil((n_j + G_j) / 2^sigma)`` greater than
    ``T = floor((best - n_i - E_i) / 2^sigma)`` (``lanes_of``), hence the lane ``2^31 + ... - T - 1`` at least 2^31; T
    is moved no further than to the nearest number beyond which all or none exceed it, so every lane stays within
    [0, 2^32) and none carries into the next.
    """
    table = []
    for row in rows:
        threshold = (best - lanes.allowances[row]) >> lanes.sigma
        kept = max(-lanes.bound - 1, min(threshold, lanes.bound))
        table.append([*lanes.coefficients[row], 1, TOP - kept - 1])
    matrix = fmpz_mat(table)
    for start in range(rows.start // CHUNK * CHUNK, stop, CHUNK):
        chunk = lanes.chunks[start // CHUNK]
        mask = chunk[chunk.nrows() - 1, 0] << (LANE_BITS - 1)
        for row, value in zip(rows, (matrix * chunk).entries(), strict=True):
            flags = value & mask
            if flags:
                yield row, start, int(flags)


def flagged(start: int, flags: int) -> Iterator[int]:
    """Yield the points whose flags are up."""
    data = flags.to_bytes(CHUNK * LANE_BYTES, "little")
    place = data.find(b"\x80")
    while place >= 0:
        yield start + place // LANE_BYTES
        place = data.find(b"\x80", place + 1)


def _splits(rows: Sequence[int], points: Sequence[int]) -> tuple[int, list[int]]:
    """Return sigma and the alpha_k, from the bit lengths of both factors, which share VALUE_BITS bits evenly."""
    widths = [a + b for a, b in zip(rows, points, strict=True)]
    sigma = max(max(widths) + len(widths).bit_length() - VALUE_BITS, 0)
    halves = [(width - sigma + 1) // 2 for width in widths]
    return sigma, [min(max(bits - half, 0), sigma) for bits, half in zip(rows, halves, strict=True)]


def _bits(column: Sequence[fmpz]) -> int:
    return int(max(map(abs, column)).bit_length())


def _half(shift: int) -> int:
    return 1 << (shift - 1) if shift else 0


def _rounded(row: Sequence[fmpz], shifts: Sequence[int], halves: Sequence[int]) -> list[int]:
    return [(int(entry) + half) >> shift for entry, half, shift in zip(row, halves, shifts, strict=True)]


def _largest(values: Sequence[int]) -> int:
    return max(map(abs, values))


def _chunk(points: Sequence[Sequence[int]], heights: Sequence[int]) -> fmpz_mat:
    ones = _packed([1] * len(points))
    columns = [*zip(*points, strict=True), heights]
    shifted = [_packed([entry + TOP for entry in column]) - TOP * ones for column in columns]
    return fmpz_mat(len(shifted) + 1, 1, [*shifted, ones])


def _packed(values: Sequence[int]) -> int:
    return int.from_bytes(b"".join(value.to_bytes(LANE_BYTES, "little") for value in values), "little")
