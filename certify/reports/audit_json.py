"""Audits for machines: the entries of ``certify check --json`` with what an audit adds; exact numbers are strings."""

from __future__ import annotations

import json
from typing import Any

from certify.certificates.audit import Decision
from certify.certificates.calibration import accountings
from certify.checker.claims import CovarianceOptimum
from certify.checker.enclosure import Enclosure
from certify.checker.verdict import Status
from certify.checker.witnesses import Counterexample
from certify.reports.audit_values import counterexample_of, guarantee_of, value_of
from certify.reports.audits import AuditReport, ClaimReport, deltas_of, paragraphs
from certify.reports.results import Result, entry
from certify.reports.sentences import sentence


def audit_to_json(report: AuditReport) -> str:
    """Return the machine-readable report of an audit."""
    found = report.audit.rho_star
    document = {
        "results": [_claim(claim, report) for claim in report.claims],
        "rho_star": {**entry(Result("rho_star", found.verdict)), "value": value_of(found.value)},
        "accounting": _accounting(report),
    }
    return json.dumps(document, indent=2)


def _claim(claim: ClaimReport, report: AuditReport) -> dict[str, Any]:
    decision = claim.decision
    common = entry(Result(claim.label, decision.verdict))
    if decision.status is Status.UNDECIDED:
        common |= {"verdict": str(decision.status), "kind": type(decision.claim).__name__}
        common |= {"claim": sentence(decision.claim), "lower": None, "upper": None}
    witness = decision.certificate.witness
    return {
        **common,
        "guarantee": guarantee_of(decision.claim.guarantee),
        "counterexample": counterexample_of(witness) if isinstance(witness, Counterexample) else None,
        "attained": None if decision.attained is None else value_of(decision.attained),
        "tightest": _tightest(decision),
        "remedy": decision.remedy or None,
        "noise": _noise(claim.noise),
        "remarks": list(paragraphs(claim, report.audit)),
    }


def _tightest(decision: Decision) -> list[dict[str, Any]]:
    return [
        {"guarantee": guarantee_of(each.guarantee), "verdict": str(each.verdict.status)}
        for each in decision.alternatives
    ]


def _noise(noise: CovarianceOptimum | str | None) -> dict[str, Any] | None:
    match noise:
        case CovarianceOptimum(lower=lower, upper=upper):
            return {"least_trace": {"lower": str(lower), "upper": str(upper)}, "reason": None}
        case str(reason):
            return {"least_trace": None, "reason": reason}
        case None:
            return None


def _accounting(report: AuditReport) -> list[dict[str, Any]]:
    value = report.audit.rho_star.value
    if not isinstance(value, Enclosure):
        return []
    return [
        {
            "accounting": way.name,
            "delta": None if delta is None else str(delta),
            "rho_star": value_of(way.rho_star),
            "epsilon": None if way.epsilon is None else value_of(way.epsilon),
            "lower_bounds_only": way.from_below,
        }
        for delta in deltas_of(report.claims) or (None,)
        for way in accountings(value, report.naive, delta)
    ]
