"""Refutations of privacy claims: two neighbouring datasets, or a vector of the hull, seen along one direction."""

from __future__ import annotations

from flint import fmpq

from certify.checker.adaptive import at_precision
from certify.checker.claims import ReleasePrivacy, RhoStarEnclosure, RhoStarInfinite
from certify.checker.decimals import decimal_lower, exact_or
from certify.checker.denoiser import enclosed_ends, pull, working_precision
from certify.checker.domains import contains
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, inner
from certify.checker.exponents import LogWeights, log_weights
from certify.checker.guarantees import BinaryGuarantee
from certify.checker.hulls import hulls_of
from certify.checker.members import named_vectors
from certify.checker.obligations import psd_obligation
from certify.checker.privacy import Infinite, RhoStar, holds
from certify.checker.queries import covers
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordMean, RecordSum, domain_of
from certify.checker.verdict import Obligation
from certify.checker.witnesses import Counterexample, VectorWitness

PRECISIONS = (64, 256, 1024, 4096)
FITS = "witness fits the release"


def refute_by_datasets(claim: ReleasePrivacy, witness: Counterexample) -> tuple[Obligation, ...]:
    """Return the obligations of a counterexample; the claim is refuted when all of them hold.

    Sound because looking along y is post-processing: a guarantee of the release M passes to the number ``y.M``, which
    is N(y.M(D), V) and N(y.M(D'), V) with ``V = y^T Sigma y``. For such a pair rho_star is exactly
    ``(y.M(D) - y.M(D'))^2 / V``, infinite where V = 0 and the means differ, and every guarantee is decided by it alone
    (theory.md sections 3 and 6).
    """
    misfit = _misfit(claim, witness)
    if misfit is not None:
        return (Obligation(FITS, False, misfit),)
    fits = Obligation(FITS, True, f"neighbours by construction, {len(witness.rest)} listed records in common")
    opening = (fits, _membership(claim, witness), _coverage(claim, witness))
    if not all(obligation.holds for obligation in opening):
        return opening
    psd = psd_obligation("covariance is PSD", "Sigma", claim.covariance)
    return (*opening, psd, _failure_of_datasets(claim, witness))


def refute_by_vector(claim: ReleasePrivacy, witness: VectorWitness) -> tuple[Obligation, ...]:
    """Return the obligations of a vector that refutes a claim; it is refuted when all of them hold.

    Sound because a guarantee that fails at a number fails at every larger rho_star (``rho_along``).
    """
    fits, rho_star = rho_along(claim, witness)
    if rho_star is None:
        return (fits,)
    psd = psd_obligation("covariance is PSD", "Sigma", claim.covariance)
    return (fits, psd, _failure(claim.guarantee, rho_star))


def rho_along(
    claim: ReleasePrivacy | RhoStarEnclosure | RhoStarInfinite, witness: VectorWitness
) -> tuple[Obligation, RhoStar | None]:
    """Return whether a witness fits the release, and then ``(y.s)^2 / (y^T Sigma y)``: a lower bound of rho_star.

    Sound because rho_star, the supremum of a convex lower semicontinuous function, is at least its value at any s of
    the closed symmetric hull, which is at least that (Cauchy-Schwarz) for a PSD Sigma, and infinite where y.s is not 0
    but ``y^T Sigma y`` is: s then lies outside the range of Sigma.

    Proof: ``psd_bordered_along``.
    """
    dimension = claim.sensitivity.dimension
    vector = named_vectors(hulls_of(claim.sensitivity), [witness.vector])
    if isinstance(vector, str):
        return Obligation(FITS, False, vector), None
    if (witness.direction.rows, witness.direction.columns) != (1, dimension):
        return Obligation(FITS, False, f"the direction must be 1 x {dimension}"), None
    shift = inner(witness.direction, vector)
    rho_star = _rho_of(Enclosure(shift, shift), _variance(claim.covariance, witness.direction))
    return Obligation(FITS, True, "the vector lies in the hull of the sensitivity set"), rho_star


def _failure_of_datasets(claim: ReleasePrivacy, witness: Counterexample) -> Obligation:
    variance = _variance(claim.covariance, witness.direction)
    values = witness.records @ witness.direction.transpose()
    along = [values.entry(row, 0) for row in range(values.rows)]
    if witness.query is not None:
        return _denoiser_failure(claim.guarantee, witness, log_weights(witness.records, witness.query), along, variance)
    scale = fmpq(1, claim.sensitivity.count) if isinstance(claim.sensitivity, RecordMean) else fmpq(1)
    other = fmpq(0) if witness.second is None else along[witness.second]
    shift = (along[witness.first] - other) * scale
    return _failure(claim.guarantee, _rho_of(Enclosure(shift, shift), variance))


def _denoiser_failure(
    guarantee: BinaryGuarantee, witness: Counterexample, weights: LogWeights, along: list[fmpq], variance: fmpq
) -> Obligation:
    """Enclose the shift of ``y.m_g`` with growing precision until the guarantee is decided at it."""

    def shift() -> Enclosure:
        moved = pull(weights, witness.rest, witness.first, along)
        if witness.second is not None:
            moved -= pull(weights, witness.rest, witness.second, along)
        return enclosed_ends(moved)

    for bits in PRECISIONS:
        rho_star = _rho_of(at_precision(working_precision(weights, bits), shift), variance)
        failure = _failure(guarantee, rho_star)
        if failure.holds is not None:
            break
    return failure


def _failure(guarantee: BinaryGuarantee, rho_star: RhoStar) -> Obligation:
    """Return the obligation that the guarantee fails for two Gaussians with this parameter."""
    met = holds(guarantee, rho_star)
    if isinstance(rho_star, Infinite):
        shown = "infinite: the means differ in a direction without noise"
    else:
        shown = f"at least {exact_or(rho_star.lower, decimal_lower(rho_star.lower, 20))}"
    doubt = "is too near its boundary to be told to hold or fail there: datasets farther beyond it would decide"
    verdict = {True: "holds there", False: "fails there", None: doubt}[met]
    detail = f"rho_star is {shown}; {guarantee.describe()} {verdict}"
    return Obligation("guarantee fails along the direction", None if met is None else not met, detail)


def _rho_of(shift: Enclosure, variance: fmpq) -> RhoStar:
    """Return ``shift^2 / variance``; infinite for no variance and a shift other than 0."""
    straddles = shift.lower <= 0 <= shift.upper
    if variance <= 0:
        return Enclosure(fmpq(0), fmpq(0)) if straddles else Infinite()
    squares = (shift.lower**2, shift.upper**2)
    return Enclosure(fmpq(0) if straddles else min(squares) / variance, max(squares) / variance)


def _variance(covariance: Matrix, direction: Matrix) -> fmpq:
    return inner(direction @ covariance, direction)


def _misfit(claim: ReleasePrivacy, witness: Counterexample) -> str | None:
    """Return why the parts of a counterexample do not fit together or with the release, None if they do."""
    release, dimension, count = claim.sensitivity, claim.sensitivity.dimension, witness.records.rows
    if isinstance(release, ExplicitVectors):
        return "explicit vectors come from no datasets: name a vector instead"
    if witness.records.columns != dimension or (witness.direction.rows, witness.direction.columns) != (1, dimension):
        return f"the records need {dimension} columns and the direction must be 1 x {dimension}"
    named = (*witness.rest, witness.first, *([] if witness.second is None else [witness.second]))
    if max(named) >= count:
        return f"record {max(named)} is not among the {count} listed"
    return _neighbour_misfit(release, witness) or _query_misfit(release, witness)


def _neighbour_misfit(release: IdealDenoiser | RecordSum | RecordMean, witness: Counterexample) -> str | None:
    replaced = isinstance(release, RecordMean) or release.neighbours is Neighbours.REPLACE_ONE
    if replaced != (witness.second is not None):
        return "neighbours here differ by " + ("one record replaced" if replaced else "one record removed, none added")
    if isinstance(release, IdealDenoiser) and not witness.rest:
        return "an ideal denoiser needs a record that both datasets have"
    return None


def _query_misfit(release: IdealDenoiser | RecordSum | RecordMean, witness: Counterexample) -> str | None:
    if isinstance(release, IdealDenoiser) != (witness.query is not None):
        return "a query is named for an ideal denoiser and for nothing else"
    if witness.query is not None and witness.query.dimension != release.dimension:
        return f"the query must have {release.dimension} columns"
    return None


def _membership(claim: ReleasePrivacy, witness: Counterexample) -> Obligation:
    domain, records = domain_of(claim.sensitivity), witness.records
    rows = (records.select((row,), range(records.columns)) for row in range(records.rows))
    outside = next((i for i, row in enumerate(rows) if domain is not None and not contains(domain, row)), None)
    detail = f"all {records.rows} listed do" if outside is None else f"listed record {outside} is not in the domain"
    return Obligation("records belong to the domain", outside is None, detail)


def _coverage(claim: ReleasePrivacy, witness: Counterexample) -> Obligation:
    name, release = "query is one the claim covers", claim.sensitivity
    if not isinstance(release, IdealDenoiser) or witness.query is None:
        return Obligation(name, True, "the release depends on no query")
    covered = covers(release.query, witness.query)
    return Obligation(name, covered, "it is" if covered else "the claim says nothing about this query")
