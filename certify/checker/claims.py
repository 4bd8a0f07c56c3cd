"""What can be claimed, and what each claim means: a closed union of frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from certify.checker.codec import Symmetric
from certify.checker.conic.claims import ConicClaim
from certify.checker.exact import Matrix
from certify.checker.guarantees import BinaryGuarantee, Guarantee, MutualInformationDP
from certify.checker.releases import Release, is_binary_replacement


@dataclass(frozen=True, slots=True)
class CovarianceOptimum:
    """Adding N(0, ``covariance``) to the release is private enough and as cheap as the bracket says.

    Precisely, with rho the largest rho_star that ``guarantee`` allows: (1) the release of ``sensitivity`` with this
    covariance has the guarantee, for every query the model covers and every dataset size; (2) the covariance is at
    least ``floor`` times the identity; (3) among all covariances that satisfy (1) and (2) the least value v of
    ``<weight, Sigma>`` (the expected weighted squared error) satisfies ``lower <= v <= upper``, and this covariance
    costs at most ``upper``. Source: paper section V, theory.md section 4.

    Attributes:
        sensitivity: What is released about which records.
        guarantee: The notion of privacy and its parameters.
        weight: The task weight W, d x d, positive definite.
        floor: The public noise floor eta >= 0.
        covariance: Sigma, d x d, symmetric.
        lower: A lower bound of the optimum v.
        upper: An upper bound of the cost of ``covariance``, hence of v.

    Raises:
        ValueError: If shapes disagree, a matrix is not symmetric, the floor is negative, the bracket is empty, or the
            guarantee is about binary records and these are not.

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> bool(certificate.claim.lower <= 4 <= certificate.claim.upper)
        True
    """

    sensitivity: Release
    guarantee: BinaryGuarantee
    weight: Symmetric
    floor: fmpq
    covariance: Symmetric
    lower: fmpq
    upper: fmpq

    def __post_init__(self) -> None:
        _require_size("weight", self.weight, self.sensitivity)
        _require_size("covariance", self.covariance, self.sensitivity)
        _require_binary(self.sensitivity, self.guarantee)
        if self.floor < 0:
            raise ValueError(f"the noise floor {self.floor} is negative")
        _require_bracket(self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class ReleasePrivacy:
    """The release plus noise N(0, ``covariance``) has the guarantee, for every pair of neighbouring datasets.

    Every query that the model covers and every dataset size is meant. A singular covariance is legal: the release then
    shows some directions without noise.

    Source: paper section IV, theory.md section 3.

    Attributes:
        sensitivity: What is released about which records.
        covariance: Sigma, d x d, symmetric PSD.
        guarantee: The notion of privacy and its parameters; mutual information is for binary records only.

    Raises:
        ValueError: If shapes disagree, the covariance is not symmetric, or the guarantee is about binary records and
            these are not.

    Example:
        >>> import certify
        >>> domain = certify.FiniteDomain(certify.matrix([[0, 0], [3, 4]]), None)
        >>> release = certify.RecordSum(domain, certify.Neighbours.REPLACE_ONE)
        >>> sigma = certify.matrix([[25, 0], [0, 25]])
        >>> certify.claims.ReleasePrivacy(release, sigma, certify.GDP(certify.rational("1"))).guarantee
        GDP(mu=1)
    """

    sensitivity: Release
    covariance: Symmetric
    guarantee: BinaryGuarantee

    def __post_init__(self) -> None:
        _require_size("covariance", self.covariance, self.sensitivity)
        _require_binary(self.sensitivity, self.guarantee)


@dataclass(frozen=True, slots=True)
class RhoStarEnclosure:
    """rho_star, the supremum of ``s^T Sigma^-1 s`` over the sensitivity set, lies in ``[lower, upper]``.

    Sigma = ``covariance`` (d x d) may be singular if its range carries every sensitivity vector.

    Source: theory.md section 3.

    Raises:
        ValueError: If shapes disagree, the covariance is not symmetric or the bracket is empty.

    Example:
        >>> import certify
        >>> domain = certify.FiniteDomain(certify.matrix([[0, 0], [3, 4]]), None)
        >>> release = certify.RecordSum(domain, certify.Neighbours.REPLACE_ONE)
        >>> sigma, one = certify.matrix([[25, 0], [0, 25]]), certify.rational("1")
        >>> certify.claims.RhoStarEnclosure(release, sigma, one, one).upper
        1
    """

    sensitivity: Release
    covariance: Symmetric
    lower: fmpq
    upper: fmpq

    def __post_init__(self) -> None:
        _require_size("covariance", self.covariance, self.sensitivity)
        _require_bracket(self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class RhoStarInfinite:
    """rho_star is infinite: some sensitivity vector lies outside the range of Sigma = ``covariance`` (d x d, PSD).

    Source: theory.md section 3.

    Raises:
        ValueError: If shapes disagree or the covariance is not symmetric.

    Example:
        >>> import certify
        >>> domain = certify.FiniteDomain(certify.matrix([[0, 0], [3, 4]]), None)
        >>> release = certify.RecordSum(domain, certify.Neighbours.REPLACE_ONE)
        >>> certify.claims.RhoStarInfinite(release, certify.matrix([[1, 0], [0, 0]])).covariance.rows
        2
    """

    sensitivity: Release
    covariance: Symmetric

    def __post_init__(self) -> None:
        _require_size("covariance", self.covariance, self.sensitivity)


@dataclass(frozen=True, slots=True)
class GaussianPrivacy:
    """Every release with Gaussian noise and this ``rho_star`` has the guarantee (theory.md sections 3 and 6).

    Where the guarantee is mutual information, every such release of binary records under REPLACE_ONE.

    Raises:
        ValueError: If ``rho_star`` is negative.

    Example:
        >>> import certify
        >>> claim = certify.claims.GaussianPrivacy(certify.rational("0.25"), certify.GDP(certify.rational("0.5")))
        >>> claim.rho_star
        1/4
    """

    rho_star: fmpq
    guarantee: BinaryGuarantee

    def __post_init__(self) -> None:
        _require_nonnegative("rho_star", self.rho_star)


@dataclass(frozen=True, slots=True)
class Composition:
    """Releases with these parameters rho_star, each perhaps chosen after seeing the ones before, have the guarantee.

    Together, and whatever the releases are: the claim is false if some releases with these parameters violate it.

    Source: theory.md section 3.

    Raises:
        ValueError: If there is no release or a parameter is negative.

    Example:
        >>> import certify
        >>> quarter = certify.rational("0.25")
        >>> claim = certify.claims.Composition((quarter, quarter), certify.GDP(certify.rational("1")))
        >>> print(certify.sentence(claim))
        Releases with rho_star 0.25, 0.25, chosen adaptively, have (mu = 1)-Gaussian differential privacy together.
    """

    rho_stars: tuple[fmpq, ...]
    guarantee: Guarantee

    def __post_init__(self) -> None:
        if not self.rho_stars:
            raise ValueError("a composition needs at least one release")
        for rho_star in self.rho_stars:
            _require_nonnegative("rho_star", rho_star)


@dataclass(frozen=True, slots=True)
class NoiseCalibration:
    """Noise N(0, ``sigma``^2 I) gives every release of this Euclidean sensitivity the guarantee.

    Source: theory.md section 3.

    Attributes:
        sensitivity: The largest Euclidean norm of a difference between neighbours; which neighbours is up to the user.
        sigma: The standard deviation of the noise in every coordinate.
        guarantee: The notion of privacy and its parameters.

    Raises:
        ValueError: If ``sensitivity`` is negative or ``sigma`` is not positive.

    Example:
        >>> import certify
        >>> one, two = certify.rational("1"), certify.rational("2")
        >>> certify.claims.NoiseCalibration(one, two, certify.GDP(one / two)).guarantee
        GDP(mu=1/2)
    """

    sensitivity: fmpq
    sigma: fmpq
    guarantee: Guarantee

    def __post_init__(self) -> None:
        _require_nonnegative("the sensitivity", self.sensitivity)
        if self.sigma <= 0:
            raise ValueError(f"sigma must be positive, not {self.sigma}")


@dataclass(frozen=True, slots=True)
class CapacityMonotone:
    """The capacity C(q) of theory.md section 6 increases strictly on the whole of [``lower``, ``upper``]: C' > 0 there.

    Source: paper section VI, theory.md section 6.

    Raises:
        ValueError: If not 0 <= ``lower`` < ``upper``.

    Example:
        >>> import certify
        >>> print(certify.sentence(certify.claims.CapacityMonotone(certify.rational("0"), certify.rational("4"))))
        The capacity C(q) of binary records increases strictly for q from 0 to 4.
    """

    lower: fmpq
    upper: fmpq

    def __post_init__(self) -> None:
        if not 0 <= self.lower < self.upper:
            raise ValueError(f"an interval with 0 <= lower < upper is needed, not [{self.lower}, {self.upper}]")


PrivacyClaim: TypeAlias = (
    ReleasePrivacy
    | RhoStarEnclosure
    | RhoStarInfinite
    | GaussianPrivacy
    | Composition
    | NoiseCalibration
    | CapacityMonotone
)

Claim: TypeAlias = CovarianceOptimum | PrivacyClaim | ConicClaim


def _require_size(name: str, value: Matrix, release: Release) -> None:
    dimension = release.dimension
    if value.rows != dimension:
        raise ValueError(f"{name} is {value.rows} x {value.rows} but records have {dimension} columns")
    if not value.is_symmetric():
        raise ValueError(f"{name} is not symmetric")


def _require_bracket(lower: fmpq, upper: fmpq) -> None:
    if lower > upper:
        raise ValueError(f"the bracket [{lower}, {upper}] is empty")


def _require_nonnegative(name: str, value: fmpq) -> None:
    if value < 0:
        raise ValueError(f"{name} must not be negative, not {value}")


def _require_binary(release: Release, guarantee: BinaryGuarantee) -> None:
    if isinstance(guarantee, MutualInformationDP) and not is_binary_replacement(release):
        raise ValueError("mutual information is decided for a domain of two records under replace_one only")
