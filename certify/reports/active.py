"""The active vectors of an optimum: which records they are made of, and their images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from certify.certificates.floats import to_floats
from certify.checker.certificate import Certificate
from certify.checker.claims import CovarianceOptimum
from certify.checker.releases import domain_of
from certify.checker.sensitivity import FiniteDomain
from certify.checker.vectors import (
    Combination,
    Deletion,
    Difference,
    Record,
    Replacement,
    VectorName,
    describe_vector,
)
from certify.checker.witnesses import CompactDual, CovarianceWitness, FullDual
from certify.reports.pixels import Shape, data_uri, guess_shape
from certify.reports.plots_release import Active

LEAST_SHARE = 1e-6


@dataclass(frozen=True, slots=True)
class Portrait:
    """One record of an active pair: its row index and its image, None where records are no images."""

    index: int
    image: str | None


@dataclass(frozen=True, slots=True)
class ActiveRow:
    """One row of the table of active vectors; ``records`` is empty where the vector is no difference of two."""

    active: Active
    records: tuple[Portrait, ...]


def active_vectors(certificate: Certificate) -> list[tuple[Active, VectorName]]:
    """Return the vectors of the dual witness with their multipliers, heaviest first, without dust."""
    witness = certificate.witness
    if not isinstance(witness, CovarianceWitness):
        return []
    match witness.dual:
        case CompactDual(multipliers, _):
            weighted = [(entry.vector, float(entry.value)) for entry in multipliers]
        case FullDual(blocks):
            weighted = [(block.vector, float(block.gamma)) for block in blocks]
        case _:
            assert_never(witness.dual)
    total = sum(value for _, value in weighted)
    kept = sorted((entry for entry in weighted if entry[1] > LEAST_SHARE * total), key=lambda entry: -entry[1])
    return [(Active(describe_vector(name), value, value / total), name) for name, value in kept]


def active_rows(
    claim: CovarianceOptimum, active: list[tuple[Active, VectorName]], shape: Shape | None
) -> tuple[ActiveRow, ...]:
    """Return the rows of the table of active vectors, with images where the records are some.

    Raises:
        ValueError: If the records do not have the given shape.
    """
    domain = domain_of(claim.sensitivity)
    if not isinstance(domain, FiniteDomain):
        return tuple(ActiveRow(each, ()) for each, _ in active)
    records = to_floats(domain.records)
    shape = shape or guess_shape(records)
    if shape is not None and shape.rows * shape.columns != records.shape[1]:
        raise ValueError(f"records of {records.shape[1]} numbers are no images of {shape.rows} x {shape.columns}")
    brightest = float(np.abs(records).max())

    def portrait(index: int) -> Portrait:
        return Portrait(index, None if shape is None else data_uri(records[index], shape, brightest))

    return tuple(ActiveRow(each, tuple(map(portrait, _records_of(name)))) for each, name in active)


def _records_of(name: VectorName) -> tuple[int, ...]:
    """Return the row indices of the records that a vector is made of; none for a combination."""
    match name:
        case Difference(first, second) | Deletion(_, first, second):
            return (first, second)
        case Replacement(_, first, second, third):
            return (first, second, third)
        case Record(index):
            return (index,)
        case Combination():
            return ()
        case _:
            assert_never(name)
