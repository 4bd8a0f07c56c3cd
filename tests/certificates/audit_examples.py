"""Small releases of every kind, for the tests of audits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq

from certify.checker.domains import BallDomain, BoxDomain, FiniteDomain, SimplexDomain
from certify.checker.exact import Matrix, matrix_of_fractions
from certify.checker.queries import DiffusionQuery, FixedQuery, QueryBall, QueryBox, QueryList, UniformQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, Release

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE


def exact(*listed: Sequence[str | int]) -> Matrix:
    """Return a matrix from rows of integers and fractions such as "3/2"."""
    entries = [[fmpq(*Fraction(entry).as_integer_ratio()) for entry in row] for row in listed]
    return matrix_of_fractions(entries, len(listed[0]))


RECORDS = FiniteDomain(exact([0, 0], [1, "1/2"], [-1, 2], ["3/2", 1]), None)
BOX = BoxDomain(exact([-1, 0]), exact([2, "1/2"]))
BALL = BallDomain(exact([0, 0]), fmpq(3, 2))
SIMPLEX = SimplexDomain(2, fmpq(2))
COVARIANCE = exact([2, "1/3"], ["1/3", 1])
NEAR = FixedQuery(exact([0, 1]), fmpq(1, 2))
STATE = DiffusionQuery(exact([1, 0]), fmpq(1, 3))

RELEASES: dict[str, Release] = {
    "uniform, add or remove": IdealDenoiser(RECORDS, UniformQuery(), ADD),
    "uniform, replace": IdealDenoiser(RECORDS, UniformQuery(), REPLACE),
    "fixed, add or remove": IdealDenoiser(RECORDS, NEAR, ADD),
    "fixed, replace": IdealDenoiser(RECORDS, NEAR, REPLACE),
    "diffusion, add or remove": IdealDenoiser(RECORDS, STATE, ADD),
    "diffusion, replace": IdealDenoiser(RECORDS, STATE, REPLACE),
    "list, add or remove": IdealDenoiser(RECORDS, QueryList((NEAR, STATE)), ADD),
    "list, replace": IdealDenoiser(RECORDS, QueryList((STATE, NEAR)), REPLACE),
    "ball of queries": IdealDenoiser(RECORDS, QueryBall(exact([0, 1]), fmpq(1, 3), fmpq(1)), ADD),
    "box of queries": IdealDenoiser(RECORDS, QueryBox(exact([0, 0]), exact([1, 1]), fmpq(1)), ADD),
    "sum, add or remove": RecordSum(RECORDS, ADD),
    "sum, replace": RecordSum(RECORDS, REPLACE),
    "mean": RecordMean(RECORDS, 5),
    "vectors": ExplicitVectors(RECORDS.records),
    "box, uniform": IdealDenoiser(BOX, UniformQuery(), ADD),
    "box, sum, add or remove": RecordSum(BOX, ADD),
    "box, sum, replace": RecordSum(BOX, REPLACE),
    "box, mean": RecordMean(BOX, 3),
    "ball, uniform": IdealDenoiser(BALL, UniformQuery(), REPLACE),
    "ball, sum, add or remove": RecordSum(BALL, ADD),
    "ball, mean": RecordMean(BALL, 3),
    "simplex, uniform": IdealDenoiser(SIMPLEX, UniformQuery(), ADD),
    "simplex, sum, add or remove": RecordSum(SIMPLEX, ADD),
}
