"""Exact certificates for optimal Gaussian noise, privacy claims and conic programs.

The names below are loaded when first used: checking a certificate loads no solver and no numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify import claims
    from certify.api import NothingCertified, audit, bound, certify, design
    from certify.checker.certificate import Certificate, read_certificate, write_certificate
    from certify.checker.codec import Malformed
    from certify.checker.domains import BallDomain, BoxDomain, FiniteDomain, SimplexDomain
    from certify.checker.exact import parse_rational as rational
    from certify.checker.guarantees import GDP, ZCDP, ApproxDP, MutualInformationDP, RenyiDP, TotalVariation
    from certify.checker.kernel import check
    from certify.checker.queries import DiffusionQuery, FixedQuery, QueryBall, QueryBox, QueryList, UniformQuery
    from certify.checker.releases import ExplicitVectors, IdealDenoiser, RecordMean, RecordSum
    from certify.checker.sensitivity import Neighbours
    from certify.checker.verdict import Obligation, Status, Verdict
    from certify.matrices import matrix
    from certify.reports.sentences import sentence

_HOMES = {
    "ApproxDP": ("certify.checker.guarantees", "ApproxDP"),
    "BallDomain": ("certify.checker.domains", "BallDomain"),
    "BoxDomain": ("certify.checker.domains", "BoxDomain"),
    "Certificate": ("certify.checker.certificate", "Certificate"),
    "DiffusionQuery": ("certify.checker.queries", "DiffusionQuery"),
    "ExplicitVectors": ("certify.checker.releases", "ExplicitVectors"),
    "FiniteDomain": ("certify.checker.domains", "FiniteDomain"),
    "FixedQuery": ("certify.checker.queries", "FixedQuery"),
    "GDP": ("certify.checker.guarantees", "GDP"),
    "IdealDenoiser": ("certify.checker.releases", "IdealDenoiser"),
    "Malformed": ("certify.checker.codec", "Malformed"),
    "MutualInformationDP": ("certify.checker.guarantees", "MutualInformationDP"),
    "Neighbours": ("certify.checker.sensitivity", "Neighbours"),
    "NothingCertified": ("certify.api", "NothingCertified"),
    "Obligation": ("certify.checker.verdict", "Obligation"),
    "QueryBall": ("certify.checker.queries", "QueryBall"),
    "QueryBox": ("certify.checker.queries", "QueryBox"),
    "QueryList": ("certify.checker.queries", "QueryList"),
    "RecordMean": ("certify.checker.releases", "RecordMean"),
    "RecordSum": ("certify.checker.releases", "RecordSum"),
    "RenyiDP": ("certify.checker.guarantees", "RenyiDP"),
    "SimplexDomain": ("certify.checker.domains", "SimplexDomain"),
    "Status": ("certify.checker.verdict", "Status"),
    "TotalVariation": ("certify.checker.guarantees", "TotalVariation"),
    "UniformQuery": ("certify.checker.queries", "UniformQuery"),
    "Verdict": ("certify.checker.verdict", "Verdict"),
    "ZCDP": ("certify.checker.guarantees", "ZCDP"),
    "audit": ("certify.api", "audit"),
    "bound": ("certify.api", "bound"),
    "certify": ("certify.api", "certify"),
    "check": ("certify.checker.kernel", "check"),
    "claims": ("certify.claims", ""),
    "design": ("certify.api", "design"),
    "matrix": ("certify.matrices", "matrix"),
    "rational": ("certify.checker.exact", "parse_rational"),
    "read_certificate": ("certify.checker.certificate", "read_certificate"),
    "sentence": ("certify.reports.sentences", "sentence"),
    "write_certificate": ("certify.checker.certificate", "write_certificate"),
}

__all__ = [
    "GDP",
    "ZCDP",
    "ApproxDP",
    "BallDomain",
    "BoxDomain",
    "Certificate",
    "DiffusionQuery",
    "ExplicitVectors",
    "FiniteDomain",
    "FixedQuery",
    "IdealDenoiser",
    "Malformed",
    "MutualInformationDP",
    "Neighbours",
    "NothingCertified",
    "Obligation",
    "QueryBall",
    "QueryBox",
    "QueryList",
    "RecordMean",
    "RecordSum",
    "RenyiDP",
    "SimplexDomain",
    "Status",
    "TotalVariation",
    "UniformQuery",
    "Verdict",
    "audit",
    "bound",
    "certify",
    "check",
    "claims",
    "design",
    "matrix",
    "rational",
    "read_certificate",
    "sentence",
    "write_certificate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, attribute = _HOMES[name]
    module = import_module(home)
    return getattr(module, attribute) if attribute else module


def __dir__() -> list[str]:
    return sorted(__all__)
