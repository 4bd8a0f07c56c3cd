"""What can be claimed, and what each claim means: a closed union of frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from certify.checker.codec import Symmetric
from certify.checker.guarantees import Guarantee
from certify.checker.sensitivity import IdealDenoiser


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
        ValueError: If shapes disagree, the floor is negative or the bracket is empty.
    """

    sensitivity: IdealDenoiser
    guarantee: Guarantee
    weight: Symmetric
    floor: fmpq
    covariance: Symmetric
    lower: fmpq
    upper: fmpq

    def __post_init__(self) -> None:
        dimension = self.sensitivity.domain.dimension
        for name, value in (("weight", self.weight), ("covariance", self.covariance)):
            if value.rows != dimension:
                raise ValueError(f"{name} is {value.rows} x {value.rows} but records have {dimension} columns")
        if self.floor < 0:
            raise ValueError(f"the noise floor {self.floor} is negative")
        if self.lower > self.upper:
            raise ValueError(f"the bracket [{self.lower}, {self.upper}] is empty")


Claim: TypeAlias = CovarianceOptimum
