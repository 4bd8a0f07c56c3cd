"""The untrusted search: inverses from above, vertices of boxes, worst vectors, enclosures of rho_star."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.certificates.boxes import best_signs, box_bound
from certify.certificates.floats import from_floats
from certify.certificates.inverses import (
    Carrier,
    annihilator,
    carrier_of,
    cheap_inverse,
    exact_inverse,
    precision_above,
    solve_direction,
)
from certify.certificates.naive import naive_rho_lower, squared_diameter_lower
from certify.certificates.rho_star import AuditError, find_rho_star
from certify.checker.certificate import read_certificate, write_certificate
from certify.checker.claims import RhoStarEnclosure, RhoStarInfinite
from certify.checker.domains import FiniteDomain
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, diagonal, identity, inner
from certify.checker.hulls import hulls_of
from certify.checker.kernel import check, silent
from certify.checker.primal import bound_rho_star
from certify.checker.privacy import Infinite
from certify.checker.psd import NotPsd, Psd, decide_psd, quadratic_form
from certify.checker.queries import FixedQuery, UniformQuery
from certify.checker.releases import IdealDenoiser, RecordMean, RecordSum, Release
from certify.checker.verdict import Status
from certify.checker.witnesses import PrimalWitness
from tests.certificates.audit_examples import ADD, BALL, BOX, COVARIANCE, RECORDS, RELEASES, REPLACE, exact


def _random_psd(seed: int, size: int, rank: int) -> Matrix:
    factor = from_floats(np.random.default_rng(seed).integers(-9, 10, (size, rank)).astype(np.float64))
    return factor @ factor.transpose()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 7), missing=st.integers(0, 3))
def test_a_carrier_is_the_range(seed: int, size: int, missing: int) -> None:
    covariance = _random_psd(seed, size, max(size - missing, 1))
    carrier = carrier_of(covariance)
    assert isinstance(carrier, Carrier)
    assert len(carrier.pivots) == covariance.numerators.rank()
    assert carrier.core == covariance.select(carrier.pivots, carrier.pivots)
    if carrier.support is None:
        assert len(carrier.pivots) == size
        return
    assert carrier.support.basis @ carrier.core @ carrier.support.basis.transpose() == covariance
    for column in set(range(size)) - set(carrier.pivots):
        y = annihilator(carrier.support, column)
        assert not any((y @ covariance).numerators.entries())
        assert y.entry(0, column) == 1


def test_a_matrix_that_is_not_psd_has_a_direction() -> None:
    for listed in ([[1, 2], [2, 1]], [[0, 1], [1, 0]], [[1, 1, 0], [1, 1, 0], [0, 0, -1]]):
        value = exact(*listed)
        found = carrier_of(value)
        assert isinstance(found, NotPsd)
        assert quadratic_form(value, list(found.direction)) == found.value < 0


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 16), scale=st.integers(-60, 60))
def test_a_rounded_precision_is_just_above_the_inverse(seed: int, size: int, scale: int) -> None:
    core = (_random_psd(seed, size, size) + identity(size)).scaled(fmpq(2) ** scale)
    above, inverse = precision_above(core), exact_inverse(core)
    assert above is not None
    assert isinstance(decide_psd(above - inverse), Psd)
    assert isinstance(decide_psd(inverse.scaled(1 + fmpq(1, fmpz(1) << 60)) - above), Psd)
    assert max(entry.bit_length() for entry in above.numerators.entries()) < 400


def test_an_inverse_is_exact_where_it_is_short() -> None:
    assert cheap_inverse(exact([2, 0], [0, "1/3"])) == exact(["1/2", 0], [0, 3])
    assert cheap_inverse(identity(200)) == identity(200)
    assert cheap_inverse(_random_psd(1, 14, 14) + identity(14)) is None
    y = solve_direction(Carrier(COVARIANCE, (0, 1), None), exact_inverse(COVARIANCE), exact([3, 4]))
    assert inner(y @ COVARIANCE, exact([4, -3])) == 0


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_the_best_signs_are_the_best_of_all(size: int) -> None:
    generator = np.random.default_rng(size)
    for _ in range(5):
        factor = generator.standard_normal((size, size))
        form = factor @ factor.T
        best = max(float(np.array(signs) @ form @ signs) for signs in product((-1.0, 1.0), repeat=size))
        signs = best_signs(form)
        assert set(np.abs(signs)) == {1.0}
        assert float(signs @ form @ signs) == pytest.approx(best, rel=1e-12)


def test_a_box_bound_dominates_and_beats_the_sum_of_entries() -> None:
    factor = np.random.default_rng(3).standard_normal((30, 30))
    form = from_floats(factor @ factor.T)
    bound = box_bound((form + form.transpose()).scaled(fmpq(1, 2)))
    assert bound is not None
    assert isinstance(decide_psd(diagonal(bound.numerators.entries()).scaled(fmpq(1, bound.denominator)) - form), Psd)
    total = float(sum(bound.numerators.entries(), fmpz(0))) / float(bound.denominator)
    signs = best_signs(factor @ factor.T)
    assert float(signs @ factor @ factor.T @ signs) <= total < 0.75 * float(np.abs(factor @ factor.T).sum())


@pytest.mark.parametrize("name", RELEASES)
def test_the_enclosure_of_rho_star_is_proved_and_tight(name: str) -> None:
    release = RELEASES[name]
    found = find_rho_star(release, COVARIANCE)
    assert found.verdict.status is Status.PROVED
    claim = found.certificate.claim
    assert isinstance(claim, RhoStarEnclosure)
    assert claim.upper - claim.lower <= claim.upper * fmpq(1, 10**12)
    assert claim.lower > 0
    again = read_certificate(write_certificate(found.certificate))
    assert check(again).status is Status.PROVED
    truth = bound_rho_star(hulls_of(release), COVARIANCE, PrimalWitness(None, None), claim.upper, silent)
    assert truth.upper is not None
    assert claim.lower <= truth.upper <= claim.upper * (1 + fmpq(1, 10**12))


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 9),
    size=st.integers(1, 4),
    kind=st.integers(0, 4),
    reach=st.sampled_from([2, 8, 130]),
)
def test_random_records_in_any_units(seed: int, count: int, size: int, kind: int, reach: int) -> None:
    generator = np.random.default_rng(seed)
    units = 10.0 ** generator.integers(-reach, reach + 1, size)
    records = FiniteDomain(from_floats(generator.standard_normal((count, size)) * units), None)
    factor = generator.standard_normal((size, size))
    covariance = (factor @ factor.T + 0.1 * np.eye(size)) * np.outer(units, units)
    variance = fmpq(*float(units.max() ** 2).as_integer_ratio())
    query = FixedQuery(records.records.select((0,), range(size)), variance)
    releases: list[Release] = [
        IdealDenoiser(records, UniformQuery(), ADD),
        IdealDenoiser(records, query, ADD),
        IdealDenoiser(records, query, REPLACE),
        RecordSum(records, ADD),
        RecordMean(records, 3),
    ]
    found = find_rho_star(releases[kind], from_floats((covariance + covariance.T) / 2))
    assert found.verdict.status is Status.PROVED
    assert isinstance(found.value, Enclosure)
    assert found.value.upper - found.value.lower <= found.value.upper * fmpq(1, 10**12)


@pytest.mark.parametrize("size", [14, 24])
def test_a_large_covariance_is_inverted_from_above(size: int) -> None:
    generator = np.random.default_rng(size)
    factor = generator.standard_normal((size, size))
    covariance = from_floats(factor @ factor.T / size + 0.01 * np.eye(size))
    covariance = (covariance + covariance.transpose()).scaled(fmpq(1, 2))
    release = IdealDenoiser(FiniteDomain(from_floats(generator.standard_normal((20, size))), None), UniformQuery(), ADD)
    found, sharp = find_rho_star(release, covariance), find_rho_star(release, covariance, exact=True)
    assert isinstance(found.value, Enclosure)
    assert isinstance(sharp.value, Enclosure)
    assert sharp.value.is_exact
    assert found.value.lower <= sharp.value.lower <= found.value.upper
    assert 0 < found.value.upper - found.value.lower < sharp.value.upper * fmpq(1, 10**20)


@pytest.mark.parametrize("name", RELEASES)
def test_a_difference_outside_the_range_is_found(name: str) -> None:
    found = find_rho_star(RELEASES[name], exact([1, 0], [0, 0]))
    assert isinstance(found.value, Infinite)
    assert isinstance(found.certificate.claim, RhoStarInfinite)
    assert found.verdict.status is Status.PROVED


def test_a_singular_covariance_may_carry_all_differences() -> None:
    release = IdealDenoiser(FiniteDomain(exact([0, 1, 5], [1, 2, 5], [3, 4, 5]), None), UniformQuery(), ADD)
    found = find_rho_star(release, exact([1, 1, 0], [1, 1, 0], [0, 0, 0]))
    assert found.value == Enclosure(fmpq(9), fmpq(9))
    assert found.primal is not None
    assert found.primal.support is not None


def test_nothing_to_protect_needs_no_noise() -> None:
    release = IdealDenoiser(FiniteDomain(exact([1, 2], [1, 2]), None), UniformQuery(), ADD)
    for covariance in (COVARIANCE, exact([0, 0], [0, 0])):
        found = find_rho_star(release, covariance)
        assert found.value == Enclosure(fmpq(0), fmpq(0))
        assert found.verdict.status is Status.PROVED


def test_a_covariance_that_is_not_psd_is_an_error() -> None:
    with pytest.raises(AuditError, match=r"v\^T Sigma v = -3 for v = \(-2, 1\)"):
        find_rho_star(RELEASES["uniform, replace"], exact([1, 2], [2, 1]))


@pytest.mark.parametrize("name", RELEASES)
def test_naive_accounting_is_never_below_rho_star(name: str) -> None:
    found = find_rho_star(RELEASES[name], COVARIANCE)
    naive = naive_rho_lower(RELEASES[name], COVARIANCE, exact_inverse(COVARIANCE))
    assert naive is not None
    assert isinstance(found.value, Enclosure)
    assert naive * (1 + fmpq(1, 10**12)) >= found.value.lower


def test_diameters_are_exact() -> None:
    assert squared_diameter_lower(RELEASES["fixed, add or remove"]) == fmpq(29, 4)
    assert squared_diameter_lower(RecordSum(RECORDS, ADD)) == 5
    assert squared_diameter_lower(IdealDenoiser(BOX, UniformQuery(), ADD)) == fmpq(37, 4)
    assert squared_diameter_lower(IdealDenoiser(BALL, UniformQuery(), ADD)) == 9
    ball, inverse = IdealDenoiser(BALL, UniformQuery(), ADD), exact(["1/2", 0], [0, "1/3"])
    assert naive_rho_lower(ball, exact([2, 0], [0, 3]), inverse) == fmpq(9, 2)
    assert naive_rho_lower(RELEASES["mean"], exact([1, 0], [0, 0]), exact([1])) is None
