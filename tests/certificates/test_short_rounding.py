"""Short roundings of large matrices: exactly feasible, short as the loss allows, silent where floats are."""

from __future__ import annotations

import numpy as np
import pytest

from certify.certificates.floats import FloatArray, from_floats, to_floats
from certify.certificates.short_rounding import (
    SHARE,
    bits_for,
    covariance_above,
    dual_precision_below,
    geometric_mean,
    short_multipliers,
)
from certify.checker.psd import Psd, decide_psd, is_positive_definite

ALLOWANCES = (1e-5, 1e-7, 1e-9)


def definite(size: int, seed: int) -> FloatArray:
    root = np.random.default_rng(seed).standard_normal((size, size))
    return np.asarray(root @ root.T / size + np.eye(size) / 4)


def longest_mantissa(values: FloatArray) -> int:
    integers = np.ldexp(np.frexp(values)[0], 53).astype(np.int64)
    odd = np.abs(integers) // np.maximum(integers & -integers, 1)
    return int(odd.max()).bit_length()


@pytest.mark.parametrize("allowance", ALLOWANCES)
@pytest.mark.parametrize("size", [1, 20])
def test_a_short_covariance_dominates_the_inverse_and_costs_little_more(size: int, allowance: float) -> None:
    precision = definite(size, size)
    covariance = covariance_above(precision, allowance)
    assert covariance is not None
    exact, core = from_floats(precision), from_floats(covariance)
    assert isinstance(decide_psd(exact @ core @ exact - exact), Psd)
    assert np.trace(covariance) <= np.trace(np.linalg.inv(precision)) * (1 + 2 * allowance / SHARE)


@pytest.mark.parametrize("allowance", ALLOWANCES)
@pytest.mark.parametrize("near", ["exact", "rough"])
def test_a_short_dual_precision_leaves_a_psd_multiplier_next_to_zero(near: str, allowance: float) -> None:
    moment, weight = definite(20, 1), definite(20, 2)
    mean = geometric_mean(moment, weight)
    assert mean is not None
    guess = mean if near == "exact" else mean * 1.01
    found = dual_precision_below(guess, moment, weight, allowance)
    assert found is not None
    exact = from_floats(found)
    multiplier = from_floats(weight) - exact @ from_floats(moment) @ exact
    assert isinstance(decide_psd(multiplier), Psd)
    assert float(to_floats(multiplier).trace()) <= allowance / 4 * np.trace(weight)
    assert np.vdot(found, moment) >= np.vdot(mean, moment) * (1 - allowance / SHARE)


def test_fewer_bits_are_used_where_more_may_be_lost() -> None:
    lengths = [
        longest_mantissa(value) for a in ALLOWANCES if (value := covariance_above(definite(20, 3), a)) is not None
    ]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1] <= 52


def test_silence_where_floats_cannot_tell() -> None:
    """Rounding alone costs more than ``2^-52``, and a nearly singular matrix loses its digits in the inverse."""
    assert covariance_above(definite(20, 4), 2.0**-52) is None
    steep = np.diag(np.exp2(np.arange(20.0))) + np.ones((20, 20)) * 2.0**60
    assert covariance_above(steep, 1e-9) is None
    assert dual_precision_below(steep, np.eye(20), -np.eye(20), 1e-9) is None
    assert dual_precision_below(np.eye(20), -np.eye(20), np.eye(20), 1e-9) is None


def test_short_multipliers_keep_their_relative_size() -> None:
    values = np.exp2(np.random.default_rng(5).uniform(-300, 300, 50))
    short = short_multipliers(values, 30)
    assert np.abs(short / values - 1).max() <= 2.0**-30
    assert longest_mantissa(short) <= 30


@pytest.mark.parametrize(("allowance", "bits"), [(0.5, 30), (1e-6, 32), (1e-9, 42), (1e-15, 52)])
def test_bits_follow_the_tolerated_loss(allowance: float, bits: int) -> None:
    assert bits_for(allowance) == bits


def test_the_geometric_mean_solves_its_equation() -> None:
    moment, weight = definite(12, 6), definite(12, 7)
    mean = geometric_mean(moment, weight)
    assert mean is not None
    assert np.allclose(mean @ moment @ mean, weight)
    assert is_positive_definite(from_floats((mean + mean.T) / 2))
    assert geometric_mean(-moment, weight) is None
