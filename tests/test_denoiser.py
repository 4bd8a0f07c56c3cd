"""The float denoiser agrees with the enclosures of the checker, and is stable where naive weights are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from flint import fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from certify import denoiser
from certify.checker import denoiser as enclosed
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, binary64_fraction, matrix, matrix_of_fractions
from certify.checker.queries import DiffusionQuery, FixedQuery

DATASET = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 3.0], [2.0, 1.0]])
EXACT = matrix(fmpz_mat(DATASET.astype(int).tolist()))

coordinates = st.floats(-20, 20, allow_subnormal=False)
points = st.tuples(coordinates, coordinates)
levels = st.floats(0.05, 50)


def exact_row(numbers: tuple[float, ...]) -> Matrix:
    return matrix_of_fractions([[binary64_fraction(number) for number in numbers]], len(numbers))


def middles(ends: tuple[Enclosure, ...]) -> list[float]:
    return [float(int((10**18 * (end.lower + end.upper) / 2).floor())) / 1e18 for end in ends]


@given(points, levels, st.integers(0, 3))
@settings(max_examples=60)
def test_floats_agree_with_the_enclosures(point: tuple[float, float], sigma: float, index: int) -> None:
    query = FixedQuery(exact_row(point), binary64_fraction(sigma) ** 2)
    tolerance = 1e-9
    mean = middles(enclosed.denoise(EXACT, query))
    assert denoiser.denoise(DATASET, point, sigma) == pytest.approx(mean, abs=tolerance)
    deleted = middles(enclosed.deletion(EXACT, index, query))
    assert denoiser.deletion(DATASET, index, point, sigma) == pytest.approx(deleted, abs=tolerance)
    rest, first, second = EXACT.select((1, 2), range(2)), EXACT.select((0,), range(2)), EXACT.select((2,), range(2))
    replaced = middles(enclosed.replacement(rest, first, second, query))
    found = denoiser.replacement(DATASET[1:3], DATASET[0], DATASET[2], point, sigma)
    assert found == pytest.approx(replaced, abs=tolerance)


@given(points, st.floats(0.01, 0.99))
@settings(max_examples=60)
def test_the_diffusion_form_agrees_with_the_enclosures(state: tuple[float, float], signal: float) -> None:
    query = DiffusionQuery(exact_row(state), binary64_fraction(signal))
    point, sigma = denoiser.query_of_state(state, signal)
    mean = denoiser.denoise(DATASET, point, sigma)
    assert mean == pytest.approx(middles(enclosed.denoise(EXACT, query)), abs=1e-9)
    noise = denoiser.noise_of_denoised(state, mean, signal)
    assert noise == pytest.approx(middles(enclosed.noise_prediction(EXACT, query)), rel=1e-7, abs=1e-7)
    assert denoiser.denoised_of_noise(state, noise, signal) == pytest.approx(mean, rel=1e-9, abs=1e-9)


def test_many_queries_at_once_are_the_queries_one_by_one() -> None:
    queries = np.array([[0.5, 0.5], [3.0, -1.0], [1e6, 1e6]])
    together = denoiser.denoise(DATASET, queries, 0.7)
    assert together.shape == queries.shape
    for query, mean in zip(queries, together, strict=True):
        assert denoiser.denoise(DATASET, query, 0.7) == pytest.approx(mean)
    assert denoiser.deletion(DATASET, 0, queries, 0.7).shape == queries.shape


def test_extreme_queries_and_noise_levels_give_the_nearest_record() -> None:
    assert denoiser.denoise(DATASET, [1e6, 0.0], 1e-6).tolist() == [2.0, 1.0]
    assert denoiser.denoise(DATASET, [0.9, 3.0], 1e-200).tolist() == [1.0, 3.0]
    assert denoiser.denoise(DATASET, [0.0, 0.0], 1e9) == pytest.approx(DATASET.mean(axis=0))


def test_weights_sum_to_one() -> None:
    weights = denoiser.normalised_weights(DATASET, [[0.0, 0.0], [5.0, 5.0]], 2.0)
    assert weights.shape == (2, 4)
    assert weights.sum(axis=1) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: denoiser.denoise(np.empty((0, 2)), [0, 0], 1.0), "n >= 1"),
        (lambda: denoiser.denoise([1.0, 2.0], [0, 0], 1.0), "n >= 1"),
        (lambda: denoiser.denoise(DATASET, [0, 0, 0], 1.0), "2 columns"),
        (lambda: denoiser.denoise(DATASET, [0, 0], 0.0), "sigma"),
        (lambda: denoiser.denoise(DATASET, [0, 0], float("inf")), "sigma"),
        (lambda: denoiser.denoise(DATASET, [0, float("nan")], 1.0), "finite"),
        (lambda: denoiser.deletion(DATASET, 4, [0, 0], 1.0), "cannot be deleted"),
        (lambda: denoiser.deletion(DATASET[:1], 0, [0, 0], 1.0), "cannot be deleted"),
        (lambda: denoiser.replacement(DATASET, [0.0], [1.0, 1.0], [0, 0], 1.0), "shape"),
        (lambda: denoiser.query_of_state([0.0], 1.0), "signal"),
        (lambda: denoiser.noise_of_denoised([0.0], [0.0], 0.0), "signal"),
        (lambda: denoiser.denoised_of_noise([0.0], [0.0], -1.0), "signal"),
    ],
)
def test_what_has_no_meaning_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_the_deletion_formula_of_the_theory() -> None:
    """r / (1 - r) (x - m(D)), the form the paper states."""
    query, sigma = [0.3, 1.7], 1.3
    share = denoiser.normalised_weights(DATASET, query, sigma)[0, 1]
    stated = share / (1 - share) * (DATASET[1] - denoiser.denoise(DATASET, query, sigma))
    assert denoiser.deletion(DATASET, 1, query, sigma) == pytest.approx(stated)
