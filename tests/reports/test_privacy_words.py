"""Privacy claims, counterexamples and witnesses in words."""

from __future__ import annotations

import io

import pytest
from flint import fmpq
from rich.console import Console

from certify.certificates.audit import AuditTask, audit
from certify.certificates.implications import Implication, Notion
from certify.certificates.rho_star import find_rho_star
from certify.checker.certificate import Certificate
from certify.checker.claims import CapacityMonotone, Composition, GaussianPrivacy, NoiseCalibration
from certify.checker.enclosure import Enclosure
from certify.checker.exact import parse_rational
from certify.checker.guarantees import (
    GDP,
    ZCDP,
    ApproxDP,
    BinaryGuarantee,
    MutualInformationDP,
    RenyiDP,
    TotalVariation,
)
from certify.checker.privacy import Infinite
from certify.checker.verdict import Status
from certify.checker.witnesses import ByComputation
from certify.reports.comparisons import beside, describe_attained
from certify.reports.guarantees import brief, describe, describe_implication
from certify.reports.remarks import remarks
from certify.reports.sentences import sentence
from certify.reports.show import print_claim
from certify.reports.witnesses import describe_witness
from tests.certificates.audit_examples import COVARIANCE, RELEASES

GUARANTEES: list[tuple[BinaryGuarantee, str, str]] = [
    (ApproxDP(fmpq(1), fmpq(1, 10**300)), "(1, 1e-300)", "(epsilon = 1, delta = 1e-300)-differential privacy"),
    (ZCDP(fmpq(1, 2)), "0.5-zCDP", "(rho = 0.5)-zero-concentrated differential privacy"),
    (GDP(fmpq(1, 3)), "1/3-GDP", "(mu = 1/3)-Gaussian differential privacy"),
    (RenyiDP(fmpq(2), fmpq(1)), "(2, 1)-Renyi", "(alpha = 2, epsilon = 1)-Renyi differential privacy"),
    (TotalVariation(fmpq(1, 4)), "total variation 0.25", "total variation at most 0.25 between neighbours"),
    (
        MutualInformationDP(fmpq(1, 10)),
        "mutual information 0.1",
        "(kappa = 0.1)-mutual-information differential privacy of binary records",
    ),
]


@pytest.mark.parametrize(("guarantee", "short", "phrase"), GUARANTEES)
def test_guarantees_in_words(guarantee: BinaryGuarantee, short: str, phrase: str) -> None:
    assert brief(guarantee) == short
    assert describe(guarantee) == phrase


def test_a_long_number_is_shortened_in_brief_and_exact_in_the_phrase() -> None:
    long = fmpq(10**40 + 1, 3**50)
    assert brief(ZCDP(long)) == "1.39295e+16...-zCDP"
    assert str(long) in describe(ZCDP(long))


def test_claims_about_numbers_are_sentences() -> None:
    delta = ApproxDP(fmpq(1), fmpq(1, 10**5))
    phrase = "(epsilon = 1, delta = 1e-5)-differential privacy"
    assert sentence(GaussianPrivacy(fmpq(1, 4), delta)) == (
        f"Every release with Gaussian noise and rho_star = 0.25 has {phrase}."
    )
    assert sentence(Composition((fmpq(1, 3), fmpq(1, 2)), delta)) == (
        f"Releases with rho_star 1/3, 0.5, chosen adaptively, have {phrase} together."
    )
    assert sentence(NoiseCalibration(fmpq(2), parse_rational("9.849"), delta)) == (
        f"Noise N(0, sigma^2 I) with sigma = 9.849 gives every release of Euclidean sensitivity 2 {phrase}."
    )
    assert sentence(CapacityMonotone(fmpq(0), fmpq(1, 2))) == (
        "The capacity C(q) of binary records increases strictly for q from 0 to 0.5."
    )


@pytest.mark.parametrize(
    ("notion", "at", "words"),
    [
        (Notion.EPSILON, fmpq(1, 10**5), "epsilon at delta = 1e-5"),
        (Notion.DELTA, fmpq(1, 2), "delta at epsilon = 0.5"),
        (Notion.RENYI, fmpq(3, 2), "Renyi divergence of order 1.5"),
        (Notion.ZCDP, None, "zCDP rho"),
        (Notion.KL, None, "KL divergence (nats)"),
    ],
)
def test_what_rho_star_fixes_in_words(notion: Notion, at: fmpq | None, words: str) -> None:
    assert describe_implication(Implication(notion, at, None, "")) == words


@pytest.mark.parametrize(("guarantee", "short", "_phrase"), GUARANTEES)
def test_what_is_attained_is_said_in_the_words_of_the_claim(
    guarantee: BinaryGuarantee, short: str, _phrase: str
) -> None:
    text = describe_attained(guarantee, Enclosure(fmpq(9), fmpq(9)))
    assert text.startswith("There rho_star is 9, so ")
    assert " times the claimed " in text
    assert "told apart with certainty" in describe_attained(guarantee, Infinite())
    (line,) = beside(guarantee, Status.REFUTED, [])
    assert line == f"{short} is false; only claims that promise nothing hold."


def _shown(certificate: Certificate) -> str:
    stream = io.StringIO()
    print_claim(Console(file=stream, width=10_000), certificate)
    return stream.getvalue()


@pytest.mark.parametrize("name", RELEASES)
def test_every_certificate_of_an_audit_is_shown(name: str) -> None:
    release = RELEASES[name]
    result = audit(AuditTask(release, COVARIANCE, (GDP(fmpq(1, 100)), ZCDP(fmpq(1000)))))
    refuted, proved = result.decisions
    text = _shown(refuted.certificate)
    assert "(mu = 0.01)-Gaussian differential privacy" in text
    assert "rho_star <= 1/10000, exactly" in text
    assert "Counterexample" in text or "along one direction" in text
    assert "precision" in describe_witness(proved.certificate)
    assert "rho_star at least" in _shown(result.rho_star.certificate)
    spoken = " ".join(remarks(refuted, result.rho_star.value))
    assert "0.01-GDP is false; " in spoken
    assert "times this covariance would have the guarantee" in spoken


def test_a_mean_says_that_the_other_records_are_the_same() -> None:
    (decision,) = audit(AuditTask(RELEASES["mean"], COVARIANCE, (GDP(fmpq(1, 100)),))).decisions
    first = next(remarks(decision, Infinite()))
    assert first == (
        "Counterexample (records counted from 0): the other records are the same; D also holds record 1 = (1, 0.5), "
        "D' holds record 2 = (-1, 2) instead."
    )


def test_certificates_about_numbers_and_infinite_rho_star_are_shown() -> None:
    one = Certificate(GaussianPrivacy(fmpq(1), ZCDP(fmpq(1, 2))), ByComputation())
    assert "none is needed: the checker computes" in _shown(one)
    for claim in (
        Composition((fmpq(1), fmpq(2)), GDP(fmpq(2))),
        NoiseCalibration(fmpq(1), fmpq(2), TotalVariation(fmpq(1))),
        CapacityMonotone(fmpq(1), fmpq(2)),
    ):
        assert sentence(claim) in _shown(Certificate(claim, ByComputation()))
    infinite = find_rho_star(RELEASES["sum, replace"], COVARIANCE.scaled(fmpq(0)))
    assert "rho_star    infinite" in _shown(infinite.certificate)
