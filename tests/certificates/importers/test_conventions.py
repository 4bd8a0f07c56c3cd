"""The five layouts of a symmetric matrix, at order four with distinct off-diagonals."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.importers.conventions import SQRT2, Convention, exact_entry, places, unscaled, vector_length
from certify.checker.exact import binary64_fraction

M = [[1, 2, 3, 7], [2, 4, 5, 8], [3, 5, 6, 9], [7, 8, 9, 10]]
R = SQRT2
VECTORS: dict[Convention, list[float]] = {
    Convention.LOWER_SQRT2: [1, 2 * R, 3 * R, 7 * R, 4, 5 * R, 8 * R, 6, 9 * R, 10],
    Convention.UPPER_SQRT2: [1, 2 * R, 4, 3 * R, 5 * R, 6, 7 * R, 8 * R, 9 * R, 10],
    Convention.LOWER_PLAIN: [1, 2, 3, 7, 4, 5, 8, 6, 9, 10],
    Convention.UPPER_PLAIN: [1, 2, 4, 3, 5, 6, 7, 8, 9, 10],
    Convention.FULL: [entry for row in M for entry in row],
}


@pytest.mark.parametrize("convention", list(Convention))
def test_each_layout_is_read_back_exactly(convention: Convention) -> None:
    vector = VECTORS[convention]
    assert len(vector) == vector_length(4, convention)
    for place, value in zip(places(4, convention), vector, strict=True):
        assert exact_entry(float(value), scaled=place.scaled) == M[place.row][place.column]
        assert place.row >= place.column


@pytest.mark.parametrize("convention", list(Convention))
def test_every_entry_of_the_triangle_is_met(convention: Convention) -> None:
    met = {(place.row, place.column) for place in places(5, convention) if not place.mirrored}
    assert met == {(i, j) for i in range(5) for j in range(i + 1)}


def test_no_two_layouts_agree_at_order_four() -> None:
    assert len({tuple(map(float, vector)) for vector in VECTORS.values()}) == len(Convention)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100))
def test_what_a_tool_scaled_comes_back_up_to_what_rounding_merged(value: float) -> None:
    back = unscaled(value * SQRT2)
    nearest = int(back.p) / int(back.q)
    assert nearest * SQRT2 == value * SQRT2 or abs(value) < 1e-300


@pytest.mark.parametrize("value", [1.0, 0.5, 3.0, -7.0, 0.1, 1e-3, 2.0**-40])
def test_short_numbers_come_back_themselves(value: float) -> None:
    assert unscaled(value * SQRT2) == binary64_fraction(value)


def test_a_number_that_is_no_multiple_is_read_as_the_nearest() -> None:
    assert abs(unscaled(1.0) ** 2 - fmpq(1, 2)) < fmpq(1, 10**15)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        exact_entry(value, scaled=False)
