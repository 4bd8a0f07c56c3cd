"""What is released about which records, in one place for those who import it (theory.md sections 1 and 2)."""

from __future__ import annotations

from certify.checker.domains import BallDomain, BoxDomain, Domain, FiniteDomain, Reading, SimplexDomain, Source
from certify.checker.pairs import PairMaximum, Progress, differences, largest_over_pairs
from certify.checker.queries import (
    DiffusionQuery,
    FixedQuery,
    PointQuery,
    Query,
    QueryBall,
    QueryBox,
    QueryList,
    UniformQuery,
)
from certify.checker.releases import (
    ExplicitVectors,
    IdealDenoiser,
    Neighbours,
    RecordMean,
    RecordSum,
    Release,
    domain_of,
)

__all__ = [
    "BallDomain",
    "BoxDomain",
    "DiffusionQuery",
    "Domain",
    "ExplicitVectors",
    "FiniteDomain",
    "FixedQuery",
    "IdealDenoiser",
    "Neighbours",
    "PairMaximum",
    "PointQuery",
    "Progress",
    "Query",
    "QueryBall",
    "QueryBox",
    "QueryList",
    "Reading",
    "RecordMean",
    "RecordSum",
    "Release",
    "SimplexDomain",
    "Source",
    "UniformQuery",
    "differences",
    "domain_of",
    "largest_over_pairs",
]
