"""Multiplicative updates for the multipliers: a cheap approximate design that chooses the first working set.

With floor 0 and rho = 1 the program is: maximise tr (W^{1/2} M(lambda) W^{1/2})^{1/2} over the simplex (theory.md
section 4). The best P for a given lambda is a geometric mean, and at the optimum q_j = s_j^T P s_j is the same for
every vector that carries weight and smaller for the others; lambda_j <- lambda_j q_j^k drives it there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.solvers.frame import Frame, cholesky, geometric_mean_frame
from certify.solvers.newton import moment_of
from certify.solvers.problem import FloatArray, IndexArray, SensitivitySet
from certify.solvers.separation import all_keys, count_vectors, most_violated, vectors_at

SMALL = 400
"""Sets up to this size are the working set as a whole; the interior point sorts them out faster."""

POWER = 3.0
"""Exponent of the update. 1 is monotone but slow; 3 was the fastest on real domains, and nothing depends on it."""

INNER, OUTER = 40, 8


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Working set with weights summing to 1, and the frame of their geometric mean."""

    keys: IndexArray
    weights: FloatArray
    frame: Frame


def first_design(sensitivity: SensitivitySet, weight_root: FloatArray, on_block: Callable[[], None]) -> Design:
    """Return an approximate design. The set must be in coordinates where its second moment is near the identity.

    Raises:
        numpy.linalg.LinAlgError: the vectors do not span the space numerically.
    """
    if count_vectors(sensitivity) <= SMALL:
        keys = all_keys(sensitivity)
        weights = np.full(len(keys), 1 / len(keys))
        return Design(keys, weights, _best_frame(vectors_at(sensitivity, keys), weights, weight_root))
    d = len(weight_root)
    keys, weights, frame = np.zeros(0, dtype=np.int64), np.zeros(0), geometric_mean_frame(np.eye(d), weight_root)
    average = 0.0
    for _ in range(OUTER):
        found = most_violated(sensitivity, frame.root, average, count_vectors(sensitivity), on_block)
        if found.largest <= 1.01 * average:
            break
        fresh = np.setdiff1d(found.keys, keys)
        share = 0.3 if len(keys) else 1.0
        keys = np.concatenate([keys, fresh])
        weights = np.concatenate([weights, np.full(len(fresh), share / max(len(fresh), 1))])
        keys, weights, frame, average = _balanced(keys, vectors_at(sensitivity, keys), weights, weight_root)
    return Design(keys, weights, frame)


def _best_frame(vectors: FloatArray, weights: FloatArray, weight_root: FloatArray) -> Frame:
    return geometric_mean_frame(cholesky(moment_of(vectors, weights)), weight_root)


def _balanced(
    keys: IndexArray, vectors: FloatArray, weights: FloatArray, weight_root: FloatArray
) -> tuple[IndexArray, FloatArray, Frame, float]:
    """Run the inner updates, then leave out vectors that carry no weight and do not ask for any."""
    for _ in range(INNER):
        weights = weights / weights.sum()
        frame = _best_frame(vectors, weights, weight_root)
        local = vectors @ frame.root
        values = np.einsum("ij,ij->i", local, local)
        average = float(weights @ values)
        weights = weights * (values / average) ** POWER
    weights = weights / weights.sum()
    kept = (weights > 1e-3 / len(weights)) | (values > average)
    return keys[kept], weights[kept] / weights[kept].sum(), frame, average
