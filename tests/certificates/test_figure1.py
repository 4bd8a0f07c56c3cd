"""Figure 1 of the paper: its summary, and the float enumeration against the exact rule."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.figure1 import Law, figure1_ratios, largest_over_cube, random_covariance, summarise
from certify.certificates.floats import from_floats
from certify.certificates.rho_star import find_rho_star
from certify.checker.domains import BoxDomain
from certify.checker.enclosure import Enclosure
from certify.checker.exact import matrix_of_fractions
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser
from tests.certificates.audit_examples import ADD


def test_the_summary_of_the_figure() -> None:
    summary = summarise(figure1_ratios(10, 500, Law.RIDGE, 0))
    assert summary.mean == pytest.approx(1.45, abs=0.03)
    assert 2.3 < summary.greatest < 2.8
    assert 1 <= summary.least < summary.median < summary.upper_decile < summary.greatest
    assert summary.draws == 500


def test_without_the_ridge_the_ratio_is_a_little_larger() -> None:
    summary = summarise(figure1_ratios(10, 500, Law.WISHART, 0))
    assert summary.mean == pytest.approx(1.475, abs=0.03)


def test_the_same_seed_gives_the_same_numbers() -> None:
    assert np.array_equal(figure1_ratios(4, 5, Law.RIDGE, 7), figure1_ratios(4, 5, Law.RIDGE, 7))
    assert not np.array_equal(figure1_ratios(4, 5, Law.RIDGE, 7), figure1_ratios(4, 5, Law.RIDGE, 8))
    assert figure1_ratios(1, 3, Law.WISHART, 0) == pytest.approx(np.ones(3))


@pytest.mark.parametrize("dimension", [1, 2, 3, 10])
def test_the_enumeration_agrees_with_the_exact_rule(dimension: int) -> None:
    covariance = random_covariance(dimension, Law.RIDGE, np.random.default_rng(dimension))
    symmetric = (covariance + covariance.T) / 2
    zero = matrix_of_fractions([[fmpq(0)] * dimension], dimension)
    one = matrix_of_fractions([[fmpq(1)] * dimension], dimension)
    cube = IdealDenoiser(BoxDomain(zero, one), UniformQuery(), ADD)
    value = find_rho_star(cube, from_floats(symmetric)).value
    assert isinstance(value, Enclosure)
    assert value.is_exact
    exact = int(value.lower.p) / int(value.lower.q)
    precision = np.asarray(np.linalg.inv(symmetric), dtype=np.float64)
    assert largest_over_cube(precision) == pytest.approx(exact, rel=1e-9)


def test_isotropic_noise_has_the_naive_value() -> None:
    assert largest_over_cube(np.eye(6)) == 6


@pytest.mark.parametrize(("dimension", "draws"), [(0, 1), (21, 1), (3, 0)])
def test_sizes_out_of_range_are_refused(dimension: int, draws: int) -> None:
    with pytest.raises(ValueError, match=r"between 1 and 20|at least one draw"):
        figure1_ratios(dimension, draws, Law.RIDGE, 0)
