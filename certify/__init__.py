"""Exact certificates for optimal Gaussian noise, privacy claims and conic programs.

The names below are loaded when first used: checking a certificate loads no solver and no numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify.api import design
    from certify.checker.certificate import Certificate, read_certificate, write_certificate
    from certify.checker.codec import Malformed
    from certify.checker.exact import parse_rational as rational
    from certify.checker.guarantees import GDP, ZCDP, ApproxDP, RenyiDP, TotalVariation
    from certify.checker.kernel import check
    from certify.checker.sensitivity import Neighbours
    from certify.checker.verdict import Obligation, Status, Verdict
    from certify.reports.sentences import sentence

_HOMES = {
    "ApproxDP": ("certify.checker.guarantees", "ApproxDP"),
    "Certificate": ("certify.checker.certificate", "Certificate"),
    "GDP": ("certify.checker.guarantees", "GDP"),
    "Malformed": ("certify.checker.codec", "Malformed"),
    "Neighbours": ("certify.checker.sensitivity", "Neighbours"),
    "Obligation": ("certify.checker.verdict", "Obligation"),
    "RenyiDP": ("certify.checker.guarantees", "RenyiDP"),
    "Status": ("certify.checker.verdict", "Status"),
    "TotalVariation": ("certify.checker.guarantees", "TotalVariation"),
    "Verdict": ("certify.checker.verdict", "Verdict"),
    "ZCDP": ("certify.checker.guarantees", "ZCDP"),
    "check": ("certify.checker.kernel", "check"),
    "design": ("certify.api", "design"),
    "rational": ("certify.checker.exact", "parse_rational"),
    "read_certificate": ("certify.checker.certificate", "read_certificate"),
    "sentence": ("certify.reports.sentences", "sentence"),
    "write_certificate": ("certify.checker.certificate", "write_certificate"),
}

__all__ = [
    "GDP",
    "ZCDP",
    "ApproxDP",
    "Certificate",
    "Malformed",
    "Neighbours",
    "Obligation",
    "RenyiDP",
    "Status",
    "TotalVariation",
    "Verdict",
    "check",
    "design",
    "rational",
    "read_certificate",
    "sentence",
    "write_certificate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
