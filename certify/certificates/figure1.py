"""Figure 1 of the paper: how far the naive sensitivity bound is from the exact one over the unit cube.

For K = [0, 1]^d under the uniform query ``rho_star = max over v in {-1, 1}^d of v^T Sigma^-1 v``, while accounting by
the diameter says ``d lambda_max(Sigma^-1)``. Floats throughout: statistics of random covariances, not claims.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import assert_never

import numpy as np

from certify.certificates.floats import FloatArray

DIMENSION_LIMIT = 20
RIDGE = 0.01


class Law(StrEnum):
    """The law of the random covariance, G a d x d matrix of independent standard normal entries."""

    RIDGE = "ridge"
    """Sigma = G G^T / d + 0.01 I."""
    WISHART = "wishart"
    """Sigma = G G^T."""


@dataclass(frozen=True, slots=True)
class Ratios:
    """A summary of the ratios naive / exact of many draws."""

    draws: int
    least: float
    mean: float
    median: float
    upper_decile: float
    greatest: float


def figure1_ratios(
    dimension: int, draws: int, law: Law, seed: int, report: Callable[[int], None] = lambda _done: None
) -> FloatArray:
    """Return the ratio naive / exact, at least 1, of so many random covariances.

    Args:
        dimension: d, from 1 to ``DIMENSION_LIMIT``.
        draws: How many covariances to draw.
        law: Their law.
        seed: The seed of the generator; the same seed gives the same numbers.
        report: Called with the number of draws done.

    Raises:
        ValueError: If ``dimension`` or ``draws`` is out of range.
    """
    if not 1 <= dimension <= DIMENSION_LIMIT:
        raise ValueError(f"the dimension lies between 1 and {DIMENSION_LIMIT}, not {dimension}")
    if draws < 1:
        raise ValueError(f"at least one draw is needed, not {draws}")
    generator = np.random.default_rng(seed)
    ratios = np.empty(draws)
    for draw in range(draws):
        covariance = random_covariance(dimension, law, generator)
        precision = np.asarray(np.linalg.inv(covariance), dtype=np.float64)
        ratios[draw] = _naive(precision) / largest_over_cube(precision)
        report(draw + 1)
    return ratios


def random_covariance(dimension: int, law: Law, generator: np.random.Generator) -> FloatArray:
    """Return one random covariance, d x d."""
    factor = generator.standard_normal((dimension, dimension))
    match law:
        case Law.RIDGE:
            return np.asarray(factor @ factor.T / dimension + RIDGE * np.eye(dimension))
        case Law.WISHART:
            return np.asarray(factor @ factor.T)
        case _:
            assert_never(law)


def _naive(precision: FloatArray) -> float:
    return len(precision) * float(np.linalg.eigvalsh(precision)[-1])


def largest_over_cube(precision: FloatArray) -> float:
    """Return ``max v^T P v`` over all v in {-1, 1}^d, by going through them in two halves, up to sign."""
    half = len(precision) // 2
    heads, tails = _signs(half), _signs(len(precision) - half)
    tails = tails[: max(len(tails) // 2, 1)]
    inside = _forms(heads, precision[:half, :half])[:, None] + _forms(tails, precision[half:, half:])
    return float((inside + 2 * heads @ precision[:half, half:] @ tails.T).max())


def _signs(count: int) -> FloatArray:
    return np.array(list(product((1.0, -1.0), repeat=count))).reshape(1 << count, count)


def _forms(rows: FloatArray, form: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", rows @ form, rows))


def summarise(ratios: FloatArray) -> Ratios:
    """Return the summary of the ratios of at least one draw."""
    ends = np.quantile(ratios, (0.0, 0.5, 0.9, 1.0)).tolist()
    return Ratios(len(ratios), ends[0], float(ratios.mean()), ends[1], ends[2], ends[3])
