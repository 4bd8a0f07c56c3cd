"""Certificates as one HTML page: it opens from disk, loads nothing, runs no script, and shows text of files as text."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import assert_never

import flint
from jinja2 import Environment, PackageLoader, StrictUndefined

from certify.checker.assumptions import assumptions
from certify.checker.certificate import FORMAT, VERSION, Certificate, claim_digest
from certify.checker.claims import (
    CapacityMonotone,
    Claim,
    Composition,
    CovarianceOptimum,
    GaussianPrivacy,
    NoiseCalibration,
    ReleasePrivacy,
    RhoStarEnclosure,
    RhoStarInfinite,
)
from certify.checker.codec import Malformed
from certify.checker.conic.claims import ConicBracket, ConicClaim, ConicFeasible, ConicGap, ConicInfeasible
from certify.checker.domains import Source
from certify.checker.releases import domain_of
from certify.checker.sensitivity import FiniteDomain, IdealDenoiser
from certify.checker.vectors import describe_vector
from certify.checker.verdict import Obligation, Status
from certify.checker.witnesses import Counterexample, VectorWitness
from certify.reports.artifacts import Artifact, obligations_of, program_version
from certify.reports.counterexamples import describe_counterexample
from certify.reports.pictures import Gallery
from certify.reports.programs import note_on_sign, program_facts
from certify.reports.sentences import sentence
from certify.reports.tiles import Number, isotropic_ratio, numbers_of

CUT = 24

TRUSTED = (
    "the package certify.checker, which decides in exact arithmetic and has no tolerance",
    "the Python interpreter and python-flint (exact integers and rationals, Arb balls)",
)
NOT_TRUSTED = "Solvers, rounding, this report and its pictures: they may be wrong without making a false claim PROVED."


@dataclass(frozen=True, slots=True)
class Section:
    """All that the page says about one file.

    Attributes:
        anchor: The anchor of the section.
        artifact: The checked file.
        headline: The claim as a sentence, or why the file is no certificate.
        counterexample: The counterexample of a refuted claim in words; empty where there is none.
        numbers: The numbers of the claim.
        obligations: What had to hold.
        note: What has to be said about their numbers; mostly empty.
        gallery: The pictures; None where there is no claim.
        ratio: How many times more isotropic noise costs, rounded down; empty where unknown.
        assumptions: What the claim takes for granted.
        provenance: Names and values.
        recheck: The commands that check it again.
    """

    anchor: str
    artifact: Artifact
    headline: str
    counterexample: str
    numbers: tuple[Number, ...]
    obligations: tuple[Obligation, ...]
    note: str
    gallery: Gallery | None
    ratio: str
    assumptions: tuple[str, ...]
    provenance: tuple[tuple[str, str], ...]
    recheck: tuple[str, ...]


def section(index: int, artifact: Artifact, certificate: Certificate | None, gallery: Gallery | None) -> Section:
    """Return what the page says about a checked file; ``certificate`` is None for a file that is none."""
    outcome = artifact.result.outcome
    claim = None if certificate is None or isinstance(outcome, Malformed) else outcome.claim
    isotropic = None if gallery is None or artifact.status != Status.PROVED else gallery.isotropic
    return Section(
        f"certificate-{index}",
        artifact,
        str(outcome) if claim is None else sentence(claim),
        "" if certificate is None else _counterexample(certificate),
        () if claim is None else tuple(numbers_of(claim, isotropic)),
        obligations_of(artifact),
        note_on_sign(claim),
        gallery,
        "" if claim is None else isotropic_ratio(claim, isotropic),
        () if claim is None else tuple(_assumptions(claim)),
        tuple(_provenance(artifact, claim)),
        tuple(_recheck(artifact, claim)),
    )


def to_html(sections: Sequence[Section]) -> str:
    """Return the page. The same sections give the same text: there is no time and no host name in it."""
    environment = Environment(
        loader=PackageLoader("certify.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    proved = sum(each.artifact.status == "PROVED" for each in sections)
    versions = (
        ("certify", program_version()),
        ("certificate format", f"{FORMAT} {VERSION}"),
        ("python-flint", version("python-flint")),
        ("FLINT", flint.__FLINT_VERSION__),
        ("Python", platform.python_version()),
    )
    return environment.get_template("report.html").render(
        sections=sections, proved=proved, versions=versions, trusted=TRUSTED, not_trusted=NOT_TRUSTED, cut=CUT
    )


def _counterexample(certificate: Certificate) -> str:
    claim, witness = certificate.claim, certificate.witness
    if not isinstance(claim, ReleasePrivacy):
        return ""
    match witness:
        case Counterexample():
            return describe_counterexample(claim, witness)
        case VectorWitness(vector, _):
            return f"The vector that refutes the claim: {describe_vector(vector)}."
        case _:
            return ""


def _assumptions(claim: Claim) -> list[str]:
    """Return what a claim takes for granted and does not prove."""
    formal = assumptions(claim)
    return [*_informal(claim), *([f"Without a formal proof in Rocq: {', '.join(formal)}."] if formal else [])]


def _informal(claim: Claim) -> list[str]:
    match claim:
        case CovarianceOptimum() | ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            said = ["The noise is exactly Gaussian with this covariance; a careless floating-point sampler is not."]
            if isinstance(claim.sensitivity, IdealDenoiser):
                said.append(
                    "What is released is the ideal denoiser, the posterior mean, and not a trained model; "
                    "neighbouring datasets share at least one record."
                )
            return [*said, "The domain of records is public: it does not depend on the private dataset."]
        case GaussianPrivacy() | Composition() | NoiseCalibration():
            return ["The noise is exactly Gaussian, and the release has the stated rho_star or sensitivity."]
        case CapacityMonotone() | ConicBracket() | ConicGap() | ConicInfeasible() | ConicFeasible():
            return ["Nothing beyond what the claim says."]
        case _:
            assert_never(claim)


def _source(claim: Claim | None) -> Source | None:
    match claim:
        case CovarianceOptimum() | ReleasePrivacy() | RhoStarEnclosure() | RhoStarInfinite():
            domain = domain_of(claim.sensitivity)
            return domain.source if isinstance(domain, FiniteDomain) else None
        case _:
            return None


def _provenance(artifact: Artifact, claim: Claim | None) -> list[tuple[str, str]]:
    found = [
        ("file", artifact.result.file),
        ("size", f"{len(artifact.data)} bytes"),
        ("SHA-256 of the file", artifact.sha256),
    ]
    if claim is None:
        return found
    kind, digest = type(claim).__name__, claim_digest(claim)
    return [*found, ("kind of claim", kind), ("SHA-256 of the claim", digest), *_data(claim)]


def _data(claim: Claim) -> list[tuple[str, str]]:
    """Return where the records or the program of a claim come from."""
    if isinstance(claim, ConicClaim):
        return [(f"program: {name}", value) for name, value in program_facts(claim.problem)]
    source = _source(claim)
    if source is None:
        return []
    reading = f"as {source.reading} numbers, times {source.scale}"
    return [("records file", source.name), ("SHA-256 of the records file", source.sha256), ("records read", reading)]


def _recheck(artifact: Artifact, claim: Claim | None) -> list[str]:
    command = f"certify check {shlex.quote(artifact.result.file)}"
    if isinstance(claim, ConicClaim):
        return [command, f"{command} --problem YOUR_FILE"]
    source = _source(claim)
    return [command] if source is None else [command, f"{command} --records {shlex.quote(source.name)}"]
