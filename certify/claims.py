"""Everything that can be claimed. A claim carries all its data; a certificate adds a witness to it.

Example:
    >>> import certify
    >>> claim = certify.claims.GaussianPrivacy(certify.rational("0.25"), certify.GDP(certify.rational("0.5")))
    >>> print(certify.sentence(claim))
    Every release with Gaussian noise and rho_star = 0.25 has (mu = 0.5)-Gaussian differential privacy.
"""

from certify.checker.claims import (
    CapacityMonotone,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.conic.claims import ConicBracket, ConicFeasible, ConicGap, ConicInfeasible, Optimum, Side

__all__ = [
    "CapacityMonotone",
    "Composition",
    "ConicBracket",
    "ConicFeasible",
    "ConicGap",
    "ConicInfeasible",
    "CovarianceOptimum",
    "GaussianPrivacy",
    "NoiseCalibration",
    "Optimum",
    "ReleasePrivacy",
    "RhoStarEnclosure",
    "RhoStarInfinite",
    "Side",
]
