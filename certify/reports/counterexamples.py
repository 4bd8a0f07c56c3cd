"""A counterexample in words: two neighbouring datasets, and the query at which their releases differ too much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from certify.checker.claims import ReleasePrivacy
from certify.checker.decimals import decimal_lower
from certify.checker.domains import FiniteDomain
from certify.checker.exact import Matrix
from certify.checker.queries import DiffusionQuery, FixedQuery, PointQuery
from certify.checker.releases import RecordMean, domain_of
from certify.checker.witnesses import Counterexample
from certify.reports.numbers import at_least, spelled

SHOWN_COLUMNS = 4


def describe_counterexample(claim: ReleasePrivacy, witness: Counterexample) -> str:
    """Return the two datasets and the query of a counterexample, as a sentence."""
    common = [_record(claim, witness, index) for index in witness.rest]
    shared = f"D and D' share {listed(common)}; " if common else _nothing_shared(claim)
    first = f"D also holds {_record(claim, witness, witness.first)}"
    second = "D' does not" if witness.second is None else f"D' holds {_record(claim, witness, witness.second)} instead"
    query = "" if witness.query is None else f". The query: {_query(witness, witness.query, claim)}"
    counted = " (records counted from 0)" if isinstance(domain_of(claim.sensitivity), FiniteDomain) else ""
    return f"Counterexample{counted}: {shared}{first}, {second}{query}."


def _nothing_shared(claim: ReleasePrivacy) -> str:
    return "the other records are the same; " if isinstance(claim.sensitivity, RecordMean) else ""


def _record(claim: ReleasePrivacy, witness: Counterexample, index: int) -> str:
    row = witness.records.select((index,), range(witness.records.columns))
    domain = domain_of(claim.sensitivity)
    number = _row_number(domain, row) if isinstance(domain, FiniteDomain) else None
    values = _values(row)
    if number is None:
        return f"the record {values}" if values else f"listed record {index}"
    return f"record {number}{' = ' + values if values else ''}"


def _row_number(domain: FiniteDomain, row: Matrix) -> int | None:
    """Return the number of the first record of a domain that equals the row."""
    columns = range(row.columns)
    for index in range(domain.records.rows):
        if all(domain.records.entry(index, column) == row.entry(0, column) for column in columns):
            return index
    return None


def _values(row: Matrix) -> str:
    if row.columns > SHOWN_COLUMNS:
        return ""
    entries = [spelled(row.entry(0, column)) or decimal_lower(row.entry(0, column), 6) for column in range(row.columns)]
    return f"({', '.join(entries)})"


def _query(witness: Counterexample, query: PointQuery, claim: ReleasePrivacy) -> str:
    match query:
        case FixedQuery(point, variance):
            return f"g is {_point(witness, point, claim)}, with sigma^2 = {at_least(variance)}"
        case DiffusionQuery(state, signal):
            where = _values(state) or "the state in the certificate"
            return f"the diffusion state is {where}, with signal level {at_least(signal)}"
        case _:
            assert_never(query)


def _point(witness: Counterexample, point: Matrix, claim: ReleasePrivacy) -> str:
    rows = [witness.records.select((index,), range(point.columns)) for index in range(witness.records.rows)]
    if point in rows:
        return _record(claim, witness, rows.index(point))
    return _values(point) or "the point in the certificate"


def listed(parts: Sequence[str]) -> str:
    """Return some words as a list in a sentence."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
