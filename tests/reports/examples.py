"""Checked files of every verdict, for the reports."""

from __future__ import annotations

from flint import fmpq

from certify.checker.certificate import Certificate, read_certificate, write_certificate
from certify.checker.claims import GaussianPrivacy, ReleasePrivacy
from certify.checker.codec import Malformed
from certify.checker.conic.claims import ConicBracket, Optimum
from certify.checker.conic.witnesses import BracketWitness
from certify.checker.exact import identity
from certify.checker.guarantees import ZCDP, ApproxDP
from certify.checker.kernel import check
from certify.checker.releases import IdealDenoiser, Neighbours
from certify.checker.sensitivity import FiniteDomain, UniformQuery
from certify.checker.vectors import Difference
from certify.checker.verdict import Obligation, Status, Verdict
from certify.checker.witnesses import ByComputation, VectorWitness
from certify.reports.artifacts import Artifact
from certify.reports.results import Result
from tests.checker.conic.examples import dual, matrix_block, primal, problem, symmetric
from tests.checker.examples import claim_with, one_hot, rows, square

IDENTITY = [[1, 0], [0, 1]]
EIGENVALUE = problem([matrix_block([[2, 1], [1, 2]], IDENTITY)], [1])
"""The least eigenvalue of [[2, 1], [1, 2]], which is 1: min <C, X> with trace X = 1."""
X = primal(symmetric(["1/2", "-1/2"], ["-1/2", "1/2"]))
Y = dual(1)
BRACKET = Certificate(ConicBracket(EIGENVALUE, Optimum.BOTH, fmpq(1), fmpq(1)), BracketWitness(Y, X))


def artifact_of(uri: str, data: bytes) -> Artifact:
    """Check the bytes of a file."""
    try:
        certificate = read_certificate(data)
    except Malformed as error:
        return Artifact(uri, data, Result(uri, error))
    return Artifact(uri, data, Result(uri, check(certificate)))


def proved() -> Artifact:
    """The square."""
    return artifact_of("noise/square.cert.json", write_certificate(square()))


def rejected() -> Artifact:
    """The square with a lower bound that is too large."""
    false = claim_with(square(), lower=fmpq(5), upper=fmpq(6))
    return artifact_of("noise/false.cert.json", write_certificate(false))


def refuted() -> Artifact:
    """Two records at distance 2 with Sigma = 1: rho_star is 4."""
    release = IdealDenoiser(FiniteDomain(rows([0], [2]), None), UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)
    claim = ReleasePrivacy(release, identity(1), ZCDP(fmpq(1)))
    witness = VectorWitness(Difference(0, 1), rows([1]))
    return artifact_of("noise/refuted.cert.json", write_certificate(Certificate(claim, witness)))


def malformed() -> Artifact:
    """The one-hot records with a bound that is no number."""
    data = write_certificate(one_hot()).replace(b'"upper": "2"', b'"upper": "2.0"')
    return artifact_of("noise/broken.cert.json", data)


def undecided() -> Artifact:
    """A verdict as the kernel gives it at its cap of precision; such claims have 20,000 digits, this one is short."""
    claim = GaussianPrivacy(fmpq(1), ApproxDP(fmpq(1), fmpq(1, 8)))
    open_one = Obligation("guarantee holds at this rho_star", None, "rho_star = 1: too close to the boundary")
    data = write_certificate(Certificate(claim, ByComputation()))
    verdict = Verdict(Status.UNDECIDED, claim, (open_one,))
    return Artifact("noise/open.cert.json", data, Result("noise/open.cert.json", verdict))
