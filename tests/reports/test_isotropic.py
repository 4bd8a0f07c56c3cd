"""The isotropic baseline."""

from __future__ import annotations

import pytest
from flint import fmpq

from certify.checker.claims import CovarianceOptimum
from certify.checker.exact import Matrix, identity
from certify.checker.guarantees import TotalVariation
from certify.checker.kernel import silent
from certify.reports.isotropic import Isotropic, isotropic_noise
from tests.checker.examples import optimum, rows

BRACKET = (fmpq(0), fmpq(100))


def claim(records: Matrix, weight: Matrix | None = None, floor: fmpq | None = None) -> CovarianceOptimum:
    return optimum(records, identity(records.columns), BRACKET, floor=floor, weight=weight)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (claim(rows([0, 0], [3, 4])), Isotropic(fmpq(50), 2)),
        (claim(rows([0, 7, 0], [3, 7, 4])), Isotropic(fmpq(50), 2)),
        (claim(rows([0, 7, 0], [3, 7, 4]), floor=fmpq(2)), Isotropic(fmpq(52), 2)),
        (claim(rows([0, 7, 0], [3, 7, 4]), floor=fmpq(30)), Isotropic(fmpq(90), 2)),
        (claim(rows([0, 0], [3, 4]), weight=rows([2, 1], [1, 5])), Isotropic(fmpq(175), 2)),
        (claim(rows([1, 2])), Isotropic(fmpq(0), 0)),
    ],
    ids=["plain", "constant column", "low floor", "high floor", "weight", "one record"],
)
def test_isotropic_noise_in_the_columns_that_vary(case: CovarianceOptimum, expected: Isotropic) -> None:
    assert isotropic_noise(case, silent) == expected


def test_there_is_no_isotropic_noise_to_compare_without_a_finite_budget() -> None:
    assert isotropic_noise(optimum(rows([0], [1]), identity(1), BRACKET, TotalVariation(fmpq(1))), silent) is None
