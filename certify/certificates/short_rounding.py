"""Rounding of large matrices to few bits: no more than the tolerated loss needs, found in floats alone.

A margin is set aside, a fraction of the loss, and the matrix is rounded to ever more bits until floats see rounding,
and their own errors with it, stay well within the margin. Products of short numbers make both building and checking a
certificate fast; the exact check still has the last word. All results are binary64 numbers of few bits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log2

import numpy as np

from certify.certificates.floats import FloatArray, round_to_bits
from certify.solvers.norm import norm_upper

LEAST, MOST = 30, 52
SHARE = 8
"""The margin is this part of the tolerated loss."""

STEADY = 4
"""Rounding may use this part of the margin, so that what remains is a well conditioned matrix."""


def bits_for(allowance: float) -> int:
    """Return how many bits of a precision and of multipliers matter for a tolerated relative loss."""
    return min(max(ceil(-log2(allowance)) + 12, LEAST), MOST)


def covariance_above(precision: FloatArray, allowance: float) -> FloatArray | None:
    """Return a short K with ``P K P - P`` PSD, costing little more than P^-1; None where floats cannot tell."""
    margin, root = allowance / SHARE, _cholesky(precision)
    if root is None:
        return None
    inverse = np.linalg.inv(root)
    enlarged = inverse.T @ inverse * (1 + margin)
    return _shortest(enlarged, lambda core: root.T @ core @ root, 1 + margin, margin)


def dual_precision_below(
    near: FloatArray, moment: FloatArray, weight: FloatArray, allowance: float
) -> FloatArray | None:
    """Return a short P' with ``W - P' M P'`` PSD and next to zero; None where floats cannot tell.

    Args:
        near: P with ``P M P`` near W, as a solver found it; the geometric mean is taken where it is not near enough.
        moment: M.
        weight: W.
        allowance: The tolerated relative loss.
    """
    margin, root = allowance / SHARE, _cholesky(weight)
    if root is None:
        return None
    outward = np.linalg.inv(root)

    def relative(core: FloatArray) -> FloatArray:
        image = outward @ core
        return np.asarray(image @ moment @ image.T)

    def shortest(precision: FloatArray) -> FloatArray | None:
        return _shortest(precision * np.sqrt(1 - margin), relative, 1 - margin, margin)

    found = shortest(near)
    if found is None and (mean := geometric_mean(moment, weight)) is not None:
        found = shortest(mean)
    return found


def _shortest(
    value: FloatArray, relative: Callable[[FloatArray], FloatArray], aim: float, margin: float
) -> FloatArray | None:
    """Return the value rounded to few bits that keep what should be ``aim I`` near it: every bit halves the error."""
    bits = LEAST
    while bits <= MOST:
        rounded = round_to_bits(value, bits)
        excess = norm_upper(relative(rounded) - aim * np.eye(len(value))) * STEADY / margin
        if excess <= 1:
            return rounded
        if not np.isfinite(excess):
            break
        bits = max(bits + 1, min(bits + ceil(log2(excess)), MOST)) if bits < MOST else MOST + 1
    return None


def geometric_mean(moment: FloatArray, weight: FloatArray) -> FloatArray | None:
    """Return P with ``P M P = W``: with M = C C^T it is ``C^-T (C^T W C)^1/2 C^-1``."""
    factor = _cholesky(moment)
    if factor is None:
        return None
    values, vectors = np.linalg.eigh(factor.T @ weight @ factor)
    half = np.linalg.solve(factor.T, vectors * np.maximum(values, 0.0) ** 0.25)
    return np.asarray(half @ half.T)


def short_multipliers(values: FloatArray, bits: int) -> FloatArray:
    """Return each multiplier with a mantissa of so many bits."""
    mantissas, exponents = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissas, bits)), exponents - bits))


def _cholesky(value: FloatArray) -> FloatArray | None:
    try:
        return np.asarray(np.linalg.cholesky(value))
    except np.linalg.LinAlgError:
        return None
