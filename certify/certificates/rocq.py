"""A certificate as a Rocq file: the kernel of Rocq is then a second, independent checker.

The text imports proofs/theories/Checker.v, states the claim with its numbers as a theorem, gives the witness in the
integers that the program ``check`` of that file reads, and proves the theorem by running the program in the kernel.
Nothing here is trusted: a wrong text is one that coqc rejects, or a theorem about other numbers than the ones it shows.
"""

from __future__ import annotations

from collections.abc import Iterable

from flint import fmpq, fmpz

from certify.certificates.evidence import Evidence, RocqError, gather
from certify.certificates.squares import SquaresWitness
from certify.checker.certificate import Certificate, claim_digest
from certify.checker.claims import CovarianceOptimum
from certify.checker.domains import FiniteDomain
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix
from certify.checker.privacy import rho_budget
from certify.checker.queries import UniformQuery
from certify.checker.releases import IdealDenoiser
from certify.checker.witnesses import CovarianceWitness

DECIMAL_BITS = 40


def to_rocq(certificate: Certificate) -> str:
    """Return the text of a Rocq file whose last theorem is the claim of the certificate, with its numbers.

    It covers covariance optima of the ideal denoiser over a finite domain at the uniform query, with a compact dual.
    The passage from the guarantee to rho_star is stated in a comment and is not part of the proof.

    Raises:
        RocqError: If the claim or the witness is of another kind, or an obligation has no integer witness.
    """
    claim, witness = certificate.claim, certificate.witness
    if not isinstance(claim, CovarianceOptimum) or not isinstance(witness, CovarianceWitness):
        raise RocqError(f"only covariance optima have a Rocq form, not {type(claim).__name__}")
    records, budget = _records(claim), rho_budget(claim.guarantee)
    if not isinstance(budget, Enclosure):
        raise RocqError("the guarantee sets no budget, so there is nothing to optimise")
    evidence = gather(claim, records, witness)
    parts = [_opening(claim, budget), _statement(claim, records, budget), _witness(evidence)]
    return "\n".join(line for part in [*parts, _theorems(claim, budget)] for line in part) + "\n"


def _records(claim: CovarianceOptimum) -> Matrix:
    release = claim.sensitivity
    if not isinstance(release, IdealDenoiser) or not isinstance(release.query, UniformQuery):
        raise RocqError("only the ideal denoiser at the uniform query has a Rocq form")
    if not isinstance(release.domain, FiniteDomain):
        raise RocqError(f"only a finite domain has a Rocq form, not {type(release.domain).__name__}")
    return release.domain.records


def _opening(claim: CovarianceOptimum, budget: Enclosure) -> list[str]:
    ends = f"is {budget.lower}" if budget.is_exact else f"lies in [{budget.lower}, {budget.upper}]"
    return [
        f"(* Claim SHA-256 {claim_digest(claim)}.",
        "",
        "   A covariance for the ideal denoiser over the records below, at every query and for datasets of every size,",
        "   with a bracket of the least possible cost <W, Sigma>. Numbers with 0x are hexadecimal.",
        "",
        f"   The guarantee is {claim.guarantee.describe()};",
        f"   the largest rho_star it allows {ends}.",
        "   Not proved here: that passage from the guarantee to rho_star, and that the real exponential meets the",
        "   three conditions of Uniform.all_gaussian_admissible, by which Gaussian weights are admissible queries. *)",
        "",
        'Set Warnings "-notation-overridden,-ambiguous-paths".',
        "From mathcomp Require Import all_ssreflect all_algebra.",
        "From Coq Require Import ZArith QArith.",
        "From mathcomp Require Import ssrnat.",
        "From Certify Require Import Psd Covariance Hull Uniform Integers Rationals Checker.",
        "",
        "Import Order.TTheory GRing.Theory Num.Theory.",
        "",
    ]


def _statement(claim: CovarianceOptimum, records: Matrix, budget: Enclosure) -> list[str]:
    return [
        "Open Scope Z_scope.",
        "",
        *_matrix("records", records),
        *_matrix("weight", claim.weight),
        *_matrix("covariance", claim.covariance),
        "Definition statement : claim := {|",
        f"  Checker.dimension := {claim.covariance.rows}%N;",
        "  Checker.records := records;",
        "  Checker.weight := weight;",
        f"  Checker.floor := {_rational(claim.floor)};",
        "  Checker.covariance := covariance;",
        f"  Checker.rho_lower := {_rational(budget.lower)};",
        f"  Checker.rho_upper := {_rational(budget.upper)};",
        f"  Checker.lower := {_rational(claim.lower)};",
        f"  Checker.upper := {_rational(claim.upper)}",
        "|}.",
        "",
    ]


def _witness(evidence: Evidence) -> list[str]:
    named = ("basis", "core", "coordinates", "floor_psd", "precision", "precision_pd", "dominance_psd", "dual_psd")
    pairs = "; ".join(f"({first}, {second}, {_integer(mu)})" for first, second, mu in evidence.pairs)
    return [
        *_matrix("basis", evidence.basis),
        *_matrix("core", evidence.core),
        f"Definition coordinates : qmatrix := qselect [:: {'; '.join(f'{c}%N' for c in evidence.columns)}] records.",
        "",
        *_matrix("precision", evidence.precision),
        *_matrix("dual_precision", evidence.dual_precision),
        *_squares("floor_psd", evidence.floor_psd),
        *_squares("precision_pd", evidence.precision_pd),
        *_squares("dominance_psd", evidence.dominance_psd),
        *_squares("dual_psd", evidence.dual_psd),
        "Definition evidence : witness := {|",
        f"  Checker.rank := {evidence.core.rows}%N;",
        *(f"  Checker.{name} := {name};" for name in named),
        f"  Checker.coordinate_shift := {evidence.coordinate_shift};",
        f"  Checker.image_shift := {evidence.image_shift};",
        f"  Checker.multipliers := indexed [:: {pairs}];",
        f"  Checker.multiplier_unit := {_integer(evidence.pair_unit)};",
        "  Checker.dual_precision := dual_precision",
        "|}.",
        "",
    ]


def _theorems(claim: CovarianceOptimum, budget: Enclosure) -> list[str]:
    size = claim.covariance.rows
    return [
        "Lemma accepted : check statement evidence.",
        "Proof. vm_cast_no_check (erefl true). Qed.",
        "",
        "Open Scope ring_scope.",
        "",
        "(* Private: [Sigma s; s^T rho] is PSD for the shift s of the mean between any two datasets over the records,",
        "   of any size; where Sigma is invertible this says s^T Sigma^-1 s <= rho (Psd.psd_bordered_inv). *)",
        "Theorem covariance_is_private (R : realFieldType)",
        f"    (weight_of : 'cV[R]_{size} -> R) (D D' : seq 'cV[R]_{size}) :",
        "  (forall x, 0 < weight_of x) ->",
        f"  D != [::] -> {{subset D <= points R {size} records}} ->",
        f"  D' != [::] -> {{subset D' <= points R {size} records}} ->",
        f"  psd (bordered (qmx R {size} {size} covariance) (mean weight_of id D - mean weight_of id D')",
        f"    {_in_field(budget.lower)}).",
        "Proof. exact: (@check_private R statement evidence weight_of D D' accepted). Qed.",
        "",
        "(* Optimal: the covariance is private, at least eta I, and costs at most the second bound; no covariance that",
        "   is private for these neighbours and queries and at least eta I costs less than the first bound. *)",
        "Theorem covariance_is_optimal (R : realFieldType) (rel : relation)",
        f"    (queries : ('cV[R]_{size} -> R) -> Prop) (rho : R) :",
        "  admissible id queries ->",
        f"  {_in_field(budget.lower)} <= rho <= {_in_field(budget.upper)} ->",
        "  covariance_optimum",
        f"    (sensitivity_set id queries rel (points R {size} records)) rho {_in_field(claim.floor)}",
        f"    (qmx R {size} {size} weight) (qmx R {size} {size} covariance)",
        f"    {_in_field(claim.lower)}",
        f"    {_in_field(claim.upper)}.",
        "Proof. exact: (@check_sound R statement evidence accepted rel queries rho). Qed.",
        "",
        "Print Assumptions covariance_is_optimal.",
    ]


def _rational(value: fmpq) -> str:
    return f"({value.p} # {value.q})%Q"


def _in_field(value: fmpq) -> str:
    return f"(ofQ R {_rational(value)})"


def _matrix(name: str, value: Matrix) -> list[str]:
    rows = ";\n".join(_row(row) for row in value.numerators.tolist())
    return [f"Definition {name} : qmatrix := QMatrix [::", rows, f"] {_integer(value.denominator)}.", ""]


def _squares(name: str, witness: SquaresWitness) -> list[str]:
    rows = ";\n".join(_row(row) for row in witness.factor)
    start = f"PsdWitness {_integer(witness.scale)}{_row(witness.weights)[1:]}"
    return [f"Definition {name} : psd_witness := {start} [::", rows, "].", ""]


def _row(entries: Iterable[fmpz | int]) -> str:
    return f"  [:: {'; '.join(map(_integer, entries))}]"


def _integer(value: fmpz | int) -> str:
    """Write large integers in hexadecimal, which coqc reads several times faster."""
    return str(value) if int(value).bit_length() <= DECIMAL_BITS else hex(int(value))
