"""Privacy claims about numbers alone: one or several rho_star, or noise for a sensitivity, and a guarantee."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from certify.certificates.calibration import round_down, round_up, tightest
from certify.checker.certificate import Certificate
from certify.checker.claims import Composition, GaussianPrivacy, NoiseCalibration
from certify.checker.conversions import epsilon_of, privacy_profile
from certify.checker.enclosure import Enclosure
from certify.checker.guarantees import ApproxDP, BinaryGuarantee, MutualInformationDP
from certify.checker.kernel import check
from certify.checker.verdict import Status, Verdict
from certify.checker.witnesses import ByComputation

ANSWER_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Noise:
    """Noise N(0, ``sigma``^2 I) on a release of this Euclidean ``sensitivity``."""

    sensitivity: fmpq
    sigma: fmpq


@dataclass(frozen=True, slots=True)
class Account:
    """What is known of one or several releases.

    Attributes:
        rho_stars: The parameter of each release; several compose, however they are chosen.
        noise: The noise of a single release, where it was given so.
    """

    rho_stars: tuple[fmpq, ...]
    noise: Noise | None

    @property
    def total(self) -> fmpq:
        """The parameter of all releases together (theory.md section 3)."""
        return sum(self.rho_stars, fmpq(0))


@dataclass(frozen=True, slots=True)
class Ruling:
    """A claim about numbers, decided by the kernel, with the tightest claims of its kind that hold."""

    guarantee: BinaryGuarantee
    certificate: Certificate
    verdict: Verdict
    alternatives: tuple[BinaryGuarantee, ...]


def rule(account: Account, guarantee: BinaryGuarantee) -> Ruling:
    """Return the decision whether releases with these parameters have a guarantee.

    Args:
        account: What is known of the releases.
        guarantee: What is claimed of all of them together.

    Raises:
        ValueError: If mutual information is claimed of several releases.
    """
    certificate = Certificate(claim_about(account, guarantee), ByComputation())
    verdict = check(certificate)
    candidates = tightest(guarantee, account.total)
    proved = [
        each
        for each in candidates
        if check(Certificate(claim_about(account, each), ByComputation())).status is Status.PROVED
    ]
    return Ruling(guarantee, certificate, verdict, tuple(proved))


def claim_about(account: Account, guarantee: BinaryGuarantee) -> GaussianPrivacy | Composition | NoiseCalibration:
    """Return the claim that releases with these parameters have a guarantee.

    Raises:
        ValueError: If mutual information is claimed of several releases, or there is none.
    """
    if len(account.rho_stars) == 1 and (account.noise is None or isinstance(guarantee, MutualInformationDP)):
        return GaussianPrivacy(account.rho_stars[0], guarantee)
    if isinstance(guarantee, MutualInformationDP):
        raise ValueError("mutual information is decided for one release; give one parameter")
    if account.noise is not None:
        return NoiseCalibration(account.noise.sensitivity, account.noise.sigma, guarantee)
    return Composition(account.rho_stars, guarantee)


@dataclass(frozen=True, slots=True)
class Answer:
    """The least epsilon at a delta, or the least delta at an epsilon.

    Attributes:
        guarantee: The claim with the upper end of the answer, which holds.
        value: The answer, enclosed: about ``ANSWER_DIGITS`` digits of it.
    """

    guarantee: ApproxDP
    value: Enclosure


def least_epsilon(account: Account, delta: fmpq) -> Answer:
    """Return the least epsilon at a delta.

    Raises:
        ValueError: If there is none: ``delta`` is 0 and the releases reveal something.
        PrecisionExhaustedError: If no precision suffices.
    """
    value = epsilon_of(delta, account.total, ANSWER_DIGITS)
    return Answer(ApproxDP(value.upper, delta), value)


def least_delta(account: Account, epsilon: fmpq) -> Answer:
    """Return the least delta at an epsilon.

    Raises:
        ValueError: If ``epsilon`` is negative.
        MagnitudeError: If delta is too small for a fraction.
        PrecisionExhaustedError: If no precision suffices.
    """
    value = privacy_profile(epsilon, account.total)
    upper = min(round_up(value.upper, ANSWER_DIGITS), fmpq(1))
    return Answer(ApproxDP(epsilon, upper), Enclosure(round_down(value.lower, ANSWER_DIGITS), upper))
