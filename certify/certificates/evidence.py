"""What the Rocq program ``check`` needs beside a certificate: integer witnesses for the very numbers it computes."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

from flint import fmpq_mat, fmpz, fmpz_mat

from certify.certificates.squares import SquaresWitness, find_squares
from certify.checker.claims import CovarianceOptimum
from certify.checker.exact import Matrix, identity, matrix, select_entries
from certify.checker.vectors import Difference
from certify.checker.witnesses import CompactDual, CovarianceWitness, Multiplier

LEADING_BITS = 16


class RocqError(Exception):
    """The certificate has no Rocq form; the message says why."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The Rocq record ``witness``, in the notation of proofs/theories/Checker.v.

    Attributes:
        basis: B, d x r.
        core: K, r x r, with Sigma = B K B^T.
        columns: The r columns of the records that are their coordinates t_i, with x_i - x_0 = B (t_i - t_0).
        coordinate_shift: How many bits of the t_i the first look at a pair leaves out; any choice is sound.
        image_shift: The same for the vectors P t_i.
        precision: P, r x r.
        dual_precision: P', d x d.
        pairs: For each multiplier two row indices and the numerator over ``pair_unit``.
        pair_unit: The common denominator of the multipliers.
        floor_psd: Why Sigma - eta I is PSD; not read where eta = 0.
        precision_pd: Why P is positive definite.
        dominance_psd: Why P K P - P is PSD.
        dual_psd: Why H = W - P' M P'^T is PSD, M the sum of mu_j s_j s_j^T.
    """

    basis: Matrix
    core: Matrix
    columns: tuple[int, ...]
    coordinate_shift: int
    image_shift: int
    precision: Matrix
    dual_precision: Matrix
    pairs: tuple[tuple[int, int, int], ...]
    pair_unit: int
    floor_psd: SquaresWitness
    precision_pd: SquaresWitness
    dominance_psd: SquaresWitness
    dual_psd: SquaresWitness


@dataclass(frozen=True, slots=True)
class Fractions:
    """An integer matrix over a denominator, not in lowest terms: the very numbers that the Rocq program computes."""

    numerators: fmpz_mat
    denominator: fmpz

    def times_transpose(self, other: Fractions) -> Fractions:
        """Return ``self other^T``; mirrors ``qtimes_transpose``."""
        return Fractions(self.numerators * other.numerators.transpose(), self.denominator * other.denominator)

    def minus(self, other: Fractions) -> Fractions:
        """Return ``self - other``; mirrors ``qsub``."""
        left, right = self.numerators * other.denominator, other.numerators * self.denominator
        return Fractions(left - right, self.denominator * other.denominator)


def gather(claim: CovarianceOptimum, records: Matrix, witness: CovarianceWitness) -> Evidence:
    """Return the evidence for a claim about the differences of the given records, m x d.

    Raises:
        RocqError: If the witness is of another kind, or an obligation has no integer witness.
    """
    dual, primal = witness.dual, witness.primal
    if not isinstance(dual, CompactDual):
        raise RocqError("a dual given block by block has no Rocq form; design with the solver named precision")
    size = claim.covariance.rows
    basis, columns = identity(size), tuple(range(size))
    if primal.support is not None:
        basis, columns = primal.support.basis, primal.support.pivots
    core = claim.covariance.select(columns, columns)
    coordinates = select_entries(records.numerators, range(records.rows), columns)
    precision = _inverse(core) if primal.precision is None else primal.precision
    dual_precision = dual.precision or primal.precision or identity(size)
    pair_unit = lcm(*(int(entry.value.q) for entry in dual.multipliers))
    pairs = tuple(_pair(entry, pair_unit) for entry in dual.multipliers)
    moment = _moment(records, pairs, pair_unit)
    P = _fractions(precision)
    return Evidence(
        basis=basis,
        core=core,
        columns=columns,
        coordinate_shift=_shift(coordinates),
        image_shift=_shift(coordinates * precision.numerators),
        precision=precision,
        dual_precision=dual_precision,
        pairs=pairs,
        pair_unit=pair_unit,
        floor_psd=_above_floor(claim),
        precision_pd=_found("P is positive definite", P, strict=True),
        dominance_psd=_found("P K P - P is PSD", P.times_transpose(_fractions(core)).times_transpose(P).minus(P)),
        dual_psd=_found("H is PSD", _floor_multiplier(claim.weight, _fractions(dual_precision), moment)),
    )


def _inverse(core: Matrix) -> Matrix:
    if core.rows == 0:
        return core
    if core.numerators.det() == 0:
        raise RocqError("the covariance has no inverse and the certificate names no support")
    numerators, denominator = fmpq_mat(core.numerators).inv().numer_denom()
    return matrix(numerators * core.denominator, denominator)


def _pair(entry: Multiplier, pair_unit: int) -> tuple[int, int, int]:
    if not isinstance(entry.vector, Difference):
        raise RocqError("a multiplier names no difference of two records")
    return entry.vector.first, entry.vector.second, int(entry.value.p) * (pair_unit // int(entry.value.q))


def _moment(records: Matrix, pairs: tuple[tuple[int, int, int], ...], pair_unit: int) -> Fractions:
    """Return M = sum_j mu_j s_j s_j^T, d x d."""
    table, columns = records.numerators, records.columns
    differences = [[table[i, c] - table[k, c] for c in range(columns)] for i, k, _ in pairs]
    vectors = fmpz_mat(len(pairs), columns, [entry for row in differences for entry in row])
    weighted = [mu * entry for row, (_, _, mu) in zip(differences, pairs, strict=True) for entry in row]
    numerators = fmpz_mat(len(pairs), columns, weighted).transpose() * vectors
    return Fractions(numerators, pair_unit * records.denominator**2)


def _floor_multiplier(weight: Matrix, precision: Fractions, moment: Fractions) -> Fractions:
    return _fractions(weight).minus(precision.times_transpose(moment).times_transpose(precision))


def _above_floor(claim: CovarianceOptimum) -> SquaresWitness:
    if claim.floor == 0:
        return SquaresWitness(1, (), ())
    floor = Fractions(identity(claim.covariance.rows).numerators * claim.floor.p, claim.floor.q)
    return _found("Sigma - eta I is PSD", _fractions(claim.covariance).minus(floor))


def _found(what: str, value: Fractions, *, strict: bool = False) -> SquaresWitness:
    witness = find_squares(value.numerators, strict=strict)
    if witness is None:
        raise RocqError(f"no integer witness was found for: {what}")
    return witness


def _fractions(value: Matrix) -> Fractions:
    return Fractions(value.numerators, value.denominator)


def _shift(numerators: fmpz_mat) -> int:
    return max(0, max((int(entry).bit_length() for entry in numerators.entries()), default=0) - LEADING_BITS)
