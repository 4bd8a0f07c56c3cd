"""The ideal denoiser in floats: compare a model of your own with the best any model can do on given records.

For enclosures instead of floats see ``certify.checker.denoiser``. Source: theory.md sections 1 and 2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def denoise(dataset: npt.ArrayLike, query: npt.ArrayLike, sigma: float) -> FloatArray:
    """Return the ideal denoiser m_g(D), the posterior mean of a record given a noisy view of it.

    Args:
        dataset: The records, shape (n, d), n >= 1; repeats count.
        query: Query points g, shape (d,) or (q, d).
        sigma: The noise level, > 0, in the units of the records.

    Returns:
        m_g(D) for each query point, of the shape of ``query``.

    Raises:
        ValueError: If shapes disagree, the dataset is empty, sigma is not positive, or a number is not finite.
    """
    records, points = _checked(dataset, query, sigma)
    mean = normalised_weights(records, points, sigma) @ records
    return mean.reshape(np.shape(query))


def deletion(dataset: npt.ArrayLike, index: int, query: npt.ArrayLike, sigma: float) -> FloatArray:
    """Return ``m_g(D) - m_g(D without x)`` for the row x = ``index``: ``r (x - m_g(D without x))``, r its weight in D.

    Args:
        dataset: The records, shape (n, d), n >= 2.
        index: Which record is deleted.
        query: Query points g, shape (d,) or (q, d).
        sigma: The noise level, > 0.

    Returns:
        One difference for each query point, of the shape of ``query``.

    Raises:
        ValueError: As ``denoise``; also if there are fewer than two records or no such row.
    """
    records, points = _checked(dataset, query, sigma)
    if len(records) < 2 or not 0 <= index < len(records):
        raise ValueError(f"record {index} cannot be deleted from a dataset of {len(records)}")
    share = normalised_weights(records, points, sigma)[:, index]
    rest = np.delete(records, index, axis=0)
    pulled: FloatArray = share[:, None] * (records[index] - denoise(rest, points, sigma))
    return pulled.reshape(np.shape(query))


def replacement(
    rest: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, query: npt.ArrayLike, sigma: float
) -> FloatArray:
    """Return ``m_g(V + x) - m_g(V + x')`` for the records V = ``rest``, shape (n, d), x = ``first``, x' = ``second``.

    Raises:
        ValueError: As ``denoise``; also if the records differ in dimension.
    """
    shared = np.asarray(rest, dtype=np.float64)
    ends = [np.asarray(record, dtype=np.float64) for record in (first, second)]
    if shared.ndim != 2 or any(record.shape != shared.shape[1:] for record in ends):
        raise ValueError(f"rest must have shape (n, d) and both records shape (d,), not {shared.shape}")
    moved = [deletion(np.vstack([shared, record]), len(shared), query, sigma) for record in ends]
    return moved[0] - moved[1]


def normalised_weights(dataset: npt.ArrayLike, query: npt.ArrayLike, sigma: float) -> FloatArray:
    """Return the normalised weights r_i of the records, shape (q, n): every row sums to 1.

    Only differences of log weights are formed, so that no query point is too far and no noise level too small.

    Raises:
        ValueError: As ``denoise``.
    """
    records, points = _checked(dataset, query, sigma)
    centred = records - records[0]
    along = (points - records[0]) @ centred.T
    nearness = 2 * along - np.einsum("ij,ij->i", centred, centred)
    # An exponent too negative for floats becomes minus infinity, and its weight 0.
    with np.errstate(over="ignore"):
        relative = np.exp((nearness - nearness.max(axis=1, keepdims=True)) / 2 / sigma / sigma)
    normalised: FloatArray = relative / relative.sum(axis=1, keepdims=True)
    return normalised


def query_of_state(state: npt.ArrayLike, signal: float) -> tuple[FloatArray, float]:
    """Return the query point g = G / sqrt(a) and the noise level sigma = sqrt((1 - a) / a) of a diffusion state G.

    Raises:
        ValueError: If the signal level a is not strictly between 0 and 1.
    """
    _require_signal(signal)
    return np.asarray(state, dtype=np.float64) / np.sqrt(signal), float(np.sqrt((1 - signal) / signal))


def noise_of_denoised(state: npt.ArrayLike, denoised: npt.ArrayLike, signal: float) -> FloatArray:
    """Return the noise prediction ``eps = (G - sqrt(a) m) / sqrt(1 - a)`` that goes with a denoised record m.

    Raises:
        ValueError: If the signal level a is not strictly between 0 and 1.
    """
    _require_signal(signal)
    gap = np.asarray(state, dtype=np.float64) - np.sqrt(signal) * np.asarray(denoised, dtype=np.float64)
    return np.asarray(gap / np.sqrt(1 - signal))


def denoised_of_noise(state: npt.ArrayLike, noise: npt.ArrayLike, signal: float) -> FloatArray:
    """Return the denoised record ``m = (G - sqrt(1 - a) eps) / sqrt(a)`` that goes with a noise prediction eps.

    Raises:
        ValueError: If the signal level a is not strictly between 0 and 1.
    """
    _require_signal(signal)
    gap = np.asarray(state, dtype=np.float64) - np.sqrt(1 - signal) * np.asarray(noise, dtype=np.float64)
    return np.asarray(gap / np.sqrt(signal))


def _checked(dataset: npt.ArrayLike, query: npt.ArrayLike, sigma: float) -> tuple[FloatArray, FloatArray]:
    records = np.asarray(dataset, dtype=np.float64)
    points = np.atleast_2d(np.asarray(query, dtype=np.float64))
    if records.ndim != 2 or len(records) == 0:
        raise ValueError(f"the dataset must have shape (n, d) with n >= 1, not {records.shape}")
    if points.ndim != 2 or points.shape[1] != records.shape[1]:
        raise ValueError(f"query points must have {records.shape[1]} columns, not shape {np.shape(query)}")
    if not (sigma > 0 and np.isfinite(sigma)):
        raise ValueError(f"sigma must be positive and finite, not {sigma}")
    if not (np.isfinite(records).all() and np.isfinite(points).all()):
        raise ValueError("records and query points must be finite numbers")
    return records, points


def _require_signal(signal: float) -> None:
    if not 0 < signal < 1:
        raise ValueError(f"the signal level must lie strictly between 0 and 1, not {signal}")
