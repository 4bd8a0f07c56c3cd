"""Random releases, and what rho_star is on concrete datasets, at 60 digits and independently of the checker."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpz, fmpz_mat
from hypothesis import strategies as st
from mpmath import mp, mpf

from certify.checker.exact import Matrix, matrix, matrix_of_fractions
from certify.checker.queries import DiffusionQuery, FixedQuery, PointQuery

DIGITS = 60
Reals = list[mpf]


def row(*entries: fmpq | fmpz | int) -> Matrix:
    """Return a 1 x d matrix."""
    return matrix_of_fractions([[fmpq(entry) for entry in entries]], len(entries))


def integer_rows(rows: Sequence[Sequence[int]], over: int = 1) -> Matrix:
    """Return a matrix of integers over a denominator."""
    return matrix(fmpz_mat([list(entries) for entries in rows]), over)


def real(value: fmpq) -> mpf:
    """Return a rational at the current precision of mpmath."""
    return mpf(int(value.p)) / int(value.q)


def reals(value: Matrix) -> list[Reals]:
    """Return the rows of a matrix at the current precision of mpmath."""
    return [[real(value.entry(i, j)) for j in range(value.columns)] for i in range(value.rows)]


@st.composite
def record_tables(draw: st.DrawFn, dimension: int, least: int = 2, most: int = 5) -> Matrix:
    """Draw records with small entries, repeats allowed."""
    entry = st.integers(-6, 6)
    rows = draw(st.lists(st.lists(entry, min_size=dimension, max_size=dimension), min_size=least, max_size=most))
    return integer_rows(rows, draw(st.integers(1, 4)))


@st.composite
def psd_forms(draw: st.DrawFn, dimension: int) -> Matrix:
    """Draw a PSD form, often singular."""
    entry = st.integers(-5, 5)
    size = draw(st.integers(1, dimension))
    factor = draw(st.lists(st.lists(entry, min_size=dimension, max_size=dimension), min_size=size, max_size=size))
    return matrix(fmpz_mat(factor).transpose() * fmpz_mat(factor), draw(st.integers(1, 5)))


@st.composite
def point_queries(draw: st.DrawFn, dimension: int) -> PointQuery:
    """Draw a query; for records of size about 6 the ratios of weights span some 40 orders of magnitude."""
    point = row(*(fmpq(draw(st.integers(-40, 40)), draw(st.integers(1, 5))) for _ in range(dimension)))
    if draw(st.booleans()):
        return FixedQuery(point, fmpq(draw(st.integers(1, 60)), draw(st.integers(1, 20))))
    return DiffusionQuery(point, fmpq(draw(st.integers(1, 9)), 10))


def release_at(dataset: Sequence[Reals], query: PointQuery) -> Reals:
    """Return m_g(D) by its definition."""
    if isinstance(query, FixedQuery):
        point, variance = reals(query.point)[0], real(query.variance)
    else:
        signal = real(query.signal)
        point, variance = [entry / mp.sqrt(signal) for entry in reals(query.state)[0]], (1 - signal) / signal
    weights = [mp.exp(-_squared(_minus(point, x)) / (2 * variance)) for x in dataset]
    return [sum(w * x[k] for w, x in zip(weights, dataset, strict=True)) / sum(weights) for k in range(len(point))]


def moved(dataset: Sequence[Reals], neighbour: Sequence[Reals], query: PointQuery) -> Reals:
    """Return the difference of the releases of two datasets."""
    return _minus(release_at(dataset, query), release_at(neighbour, query))


def form_of(vector: Reals, form: Matrix) -> mpf:
    """Return ``vector^T form vector``."""
    table = reals(form)
    return sum(a * table[i][j] * b for i, a in enumerate(vector) for j, b in enumerate(vector))


def _minus(left: Reals, right: Reals) -> Reals:
    return [a - b for a, b in zip(left, right, strict=True)]


def _squared(vector: Reals) -> mpf:
    return sum(entry * entry for entry in vector)
