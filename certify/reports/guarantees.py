"""Guarantees in a few characters, as people write them: ``(1, 1e-5)``, ``0.5-zCDP``."""

from __future__ import annotations

from typing import assert_never

from flint import fmpq

from certify.certificates.implications import Implication, Notion
from certify.checker.decimals import decimal_lower
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.reports.numbers import exactly, spelled


def brief(guarantee: BinaryGuarantee) -> str:
    """Return a guarantee in a few characters, its numbers exact where they are short."""
    match guarantee:
        case ApproxDP(epsilon, delta):
            return f"({_short(epsilon)}, {_short(delta)})"
        case ZCDP(rho):
            return f"{_short(rho)}-zCDP"
        case GDP(mu):
            return f"{_short(mu)}-GDP"
        case RenyiDP(alpha, epsilon):
            return f"({_short(alpha)}, {_short(epsilon)})-Renyi"
        case TotalVariation(delta):
            return f"total variation {_short(delta)}"
        case MutualInformationDP(kappa):
            return f"mutual information {_short(kappa)}"
        case _:
            assert_never(guarantee)


def describe(guarantee: BinaryGuarantee) -> str:
    """Return the guarantee as one exact phrase, its numbers as decimals where they have short ones."""
    match guarantee:
        case ApproxDP(epsilon, delta):
            return f"(epsilon = {exactly(epsilon)}, delta = {exactly(delta)})-differential privacy"
        case ZCDP(rho):
            return f"(rho = {exactly(rho)})-zero-concentrated differential privacy"
        case GDP(mu):
            return f"(mu = {exactly(mu)})-Gaussian differential privacy"
        case RenyiDP(alpha, epsilon):
            return f"(alpha = {exactly(alpha)}, epsilon = {exactly(epsilon)})-Renyi differential privacy"
        case TotalVariation(delta):
            return f"total variation at most {exactly(delta)} between neighbours"
        case MutualInformationDP(kappa):
            return f"(kappa = {exactly(kappa)})-mutual-information differential privacy of binary records"
        case _:
            assert_never(guarantee)


def describe_implication(implied: Implication) -> str:
    """Return which parameter of which notion is meant."""
    at = "" if implied.at is None else _short(implied.at)
    match implied.notion:
        case Notion.EPSILON:
            return f"epsilon at delta = {at}"
        case Notion.DELTA:
            return f"delta at epsilon = {at}"
        case Notion.RENYI:
            return f"Renyi divergence of order {at}"
        case Notion.ZCDP | Notion.GDP | Notion.TOTAL_VARIATION:
            return str(implied.notion)
        case Notion.KL | Notion.MUTUAL_INFORMATION:
            return f"{implied.notion} (nats)"
        case _:
            assert_never(implied.notion)


def _short(value: fmpq) -> str:
    return spelled(value) or f"{decimal_lower(value, 6)}..."
