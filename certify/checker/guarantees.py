"""What can be promised about a release: each notion of privacy with its parameters as exact rationals.

Every one of them is, for a Gaussian mechanism, one inequality on rho_star = sup of s^T Sigma^{-1} s over the
sensitivity set (theory.md section 3); ``certify.checker.privacy`` turns it into that inequality.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq


@dataclass(frozen=True, slots=True)
class ZCDP:
    """Zero-concentrated differential privacy: every Renyi divergence of order alpha > 1 is at most ``rho`` * alpha.

    Source: theory.md section 3.

    Raises:
        ValueError: If ``rho`` is negative. ``rho`` = 0 is a legal claim, met only by a release that reveals nothing.

    Example:
        >>> import certify
        >>> certify.ZCDP(certify.rational("0.5")).describe()
        '(rho = 1/2)-zero-concentrated differential privacy'
    """

    rho: fmpq

    def __post_init__(self) -> None:
        _require_nonnegative("the zCDP parameter rho", self.rho)

    def describe(self) -> str:
        """Return the guarantee as one exact phrase."""
        return f"(rho = {self.rho})-zero-concentrated differential privacy"


@dataclass(frozen=True, slots=True)
class GDP:
    """Gaussian differential privacy: no test separates neighbours better than N(0, 1) from N(``mu``, 1).

    Source: theory.md section 3.

    Raises:
        ValueError: If ``mu`` is negative. ``mu`` = 0 is a legal claim, met only by a release that reveals nothing.

    Example:
        >>> import certify
        >>> certify.GDP(certify.rational("0.5")).describe()
        '(mu = 1/2)-Gaussian differential privacy'
    """

    mu: fmpq

    def __post_init__(self) -> None:
        _require_nonnegative("the Gaussian parameter mu", self.mu)

    def describe(self) -> str:
        """Return the guarantee as one exact phrase."""
        return f"(mu = {self.mu})-Gaussian differential privacy"


@dataclass(frozen=True, slots=True)
class RenyiDP:
    """Renyi differential privacy: the divergence of order ``alpha`` is at most ``epsilon`` nats; order 1 is KL.

    Source: theory.md section 3.

    Raises:
        ValueError: If ``alpha`` < 1 or ``epsilon`` < 0.

    Example:
        >>> import certify
        >>> certify.RenyiDP(certify.rational("2"), certify.rational("0.5")).describe()
        '(alpha = 2, epsilon = 1/2)-Renyi differential privacy'
    """

    alpha: fmpq
    epsilon: fmpq

    def __post_init__(self) -> None:
        if self.alpha < 1:
            raise ValueError(f"the Renyi order alpha must be at least 1, not {self.alpha}; order 1 is KL")
        _require_nonnegative("the Renyi bound epsilon", self.epsilon)

    def describe(self) -> str:
        """Return the guarantee as one exact phrase."""
        return f"(alpha = {self.alpha}, epsilon = {self.epsilon})-Renyi differential privacy"


@dataclass(frozen=True, slots=True)
class ApproxDP:
    """Approximate differential privacy: P(M(D) in T) <= e^``epsilon`` P(M(D') in T) + ``delta`` for every event T.

    ``delta`` = 0 (pure differential privacy) is legal and met by Gaussian noise only if rho_star = 0; ``delta`` = 1
    is legal and met by every release.

    Source: theory.md section 3.

    Raises:
        ValueError: If ``epsilon`` < 0 or ``delta`` is outside [0, 1].

    Example:
        >>> import certify
        >>> certify.ApproxDP(certify.rational("1"), certify.rational("1e-5")).describe()
        '(epsilon = 1, delta = 1/100000)-differential privacy'
    """

    epsilon: fmpq
    delta: fmpq

    def __post_init__(self) -> None:
        _require_nonnegative("epsilon", self.epsilon)
        _require_probability(self.delta)

    def describe(self) -> str:
        """Return the guarantee as one exact phrase."""
        return f"(epsilon = {self.epsilon}, delta = {self.delta})-differential privacy"


@dataclass(frozen=True, slots=True)
class TotalVariation:
    """The total variation distance between the outputs of neighbours is at most ``delta``.

    Source: theory.md section 3.

    Raises:
        ValueError: If ``delta`` is outside [0, 1].

    Example:
        >>> import certify
        >>> certify.TotalVariation(certify.rational("0.1")).describe()
        'total variation at most 1/10 between neighbours'
    """

    delta: fmpq

    def __post_init__(self) -> None:
        _require_probability(self.delta)

    def describe(self) -> str:
        """Return the guarantee as one exact phrase."""
        return f"total variation at most {self.delta} between neighbours"


@dataclass(frozen=True, slots=True)
class MutualInformationDP:
    """Mutual-information privacy of binary records: I(record; output | the other records) <= ``kappa`` nats.

    Holds for every prior of the records. ``kappa`` may be any rational: a negative one is a claim that no release
    meets, ``kappa`` = 0 is met only if rho_star = 0, and ``kappa`` >= log 2 is met by every release.

    Source: paper section VI, theory.md section 6.

    Example:
        >>> import certify
        >>> certify.MutualInformationDP(certify.rational("0.1")).describe()
        '(kappa = 1/10)-mutual-information differential privacy of binary records'
    """

    kappa: fmpq

    def describe(self) -> str:
        """Return the guarantee as one exact phrase."""
        return f"(kappa = {self.kappa})-mutual-information differential privacy of binary records"


Guarantee: TypeAlias = ZCDP | GDP | RenyiDP | ApproxDP | TotalVariation
"""What rho_star decides whatever the records are."""

BinaryGuarantee: TypeAlias = Guarantee | MutualInformationDP
"""What rho_star of REPLACE_ONE decides where every record takes one of two values. Kept apart from ``Guarantee``: with
more values the capacity at rho_star is only a lower bound of the mutual information (theory.md section 6)."""


def _require_nonnegative(name: str, value: fmpq) -> None:
    if value < 0:
        raise ValueError(f"{name} must not be negative, not {value}; use 0 for a release that reveals nothing")


def _require_probability(delta: fmpq) -> None:
    if not 0 <= delta <= 1:
        raise ValueError(f"delta is a probability and must lie in [0, 1], not {delta}")
