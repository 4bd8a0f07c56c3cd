"""Guarantees, values and counterexamples as JSON values; exact numbers are strings."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.privacy import Infinite, RhoStar
from certify.checker.queries import DiffusionQuery, FixedQuery, PointQuery
from certify.checker.witnesses import Counterexample


def guarantee_of(guarantee: BinaryGuarantee) -> dict[str, str]:
    """Return a guarantee with its exact parameters."""
    parameters = {field.name: str(getattr(guarantee, field.name)) for field in fields(guarantee)}
    return {"kind": type(guarantee).__name__, **parameters}


def value_of(value: RhoStar) -> dict[str, str] | str:
    """Return an enclosure by its exact ends, or that it is infinite."""
    match value:
        case Infinite():
            return "infinite"
        case Enclosure(lower, upper):
            return {"lower": str(lower), "upper": str(upper)}


def counterexample_of(witness: Counterexample) -> dict[str, Any]:
    """Return two datasets, the query and the direction of a counterexample."""
    rows = [_row(witness.records, index) for index in range(witness.records.rows)]
    shared = [rows[index] for index in witness.rest]
    return {
        "shared": shared,
        "only_in_first": rows[witness.first],
        "only_in_second": None if witness.second is None else rows[witness.second],
        "query": None if witness.query is None else _query(witness.query),
        "direction": _row(witness.direction, 0),
    }


def _query(query: PointQuery) -> dict[str, Any]:
    match query:
        case FixedQuery(point, variance):
            return {"kind": "FixedQuery", "point": _row(point, 0), "variance": str(variance)}
        case DiffusionQuery(state, signal):
            return {"kind": "DiffusionQuery", "state": _row(state, 0), "signal": str(signal)}


def _row(value: Matrix, row: int) -> list[str]:
    return [str(value.entry(row, column)) for column in range(value.columns)]
