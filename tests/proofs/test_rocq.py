"""Rocq as a second checker: coqc accepts the stored certificates, and each obligation of the program can fail."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from flint import fmpq, fmpz_mat

from certify.api import design
from certify.certificates.evidence import Evidence, RocqError, gather
from certify.certificates.inverses import exact_inverse
from certify.certificates.rocq import _statement, _witness, to_rocq
from certify.certificates.squares import SquaresWitness
from certify.checker.certificate import Certificate, read_certificate
from certify.checker.claims import CovarianceOptimum, GaussianPrivacy
from certify.checker.domains import BoxDomain, FiniteDomain
from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, matrix
from certify.checker.guarantees import ZCDP, ApproxDP, Guarantee
from certify.checker.privacy import rho_budget
from certify.checker.queries import FixedQuery
from certify.checker.releases import IdealDenoiser
from certify.checker.witnesses import CovarianceWitness

pytestmark = pytest.mark.xdist_group("rocq")
"""Both files that run make in proofs/ share a worker, so that two builds never meet."""

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
ACCEPTED = PROOFS / "certificates" / "accepted"
BODY = "Open Scope Z_scope."
LAST = "Print Assumptions"
EXPRESSIBLE = (
    "floored-line",
    "iris-epsilon-1-delta-1e-5",
    "line",
    "one-hot",
    "one-record",
    "square",
    "weighted-line",
)
"""A floor that binds, 150 records and a budget known by an enclosure, a singular covariance, one record, a weight."""

CHECKS = {
    "shapes": "check_shapes statement evidence",
    "support": "check_support statement evidence",
    "floor": "check_floor statement evidence",
    "precision": "check_precision evidence",
    "pairs": "check_pairs statement evidence",
    "cost": "check_cost statement",
    "dual": "check_dual statement evidence",
}


@cache
def stored(name: str) -> Certificate:
    return read_certificate((ACCEPTED / f"{name}.cert.json").read_bytes())


@pytest.fixture(scope="module")
def theories() -> Path:
    """Return the folder of the compiled theories, after building what the certificates import."""
    if shutil.which("coqc") is None:
        pytest.skip(
            "Rocq is not installed: apt-get install coq and the libcoq-mathcomp packages that proofs/Makefile names"
        )
    folder = PROOFS / "theories"
    subprocess.run(["make", "-s", "-C", str(PROOFS), "theories/Makefile.coq"], check=True, capture_output=True)
    subprocess.run(
        ["make", "-s", "-C", str(folder), "-f", "Makefile.coq", "Checker.vo"], check=True, capture_output=True
    )
    return folder


def run_coqc(theories: Path, folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    file = folder / "certificate.v"
    file.write_text(text)
    flags = ["-q", "-noglob", "-Q", str(theories), "Certify"]
    return subprocess.run(["coqc", *flags, str(file)], capture_output=True, text=True, check=False)


def module(name: str, body: str) -> str:
    return f"Module {name}.\n{body}\nEnd {name}.\n"


def test_coqc_proves_the_stored_certificates(theories: Path, tmp_path: Path) -> None:
    texts = [to_rocq(stored(name)) for name in EXPRESSIBLE]
    opening = texts[0].partition(BODY)[0]
    # Printing what a theorem assumes takes longer than proving it; once is enough, the library being the same.
    modules = [module(f"C{i}", (BODY + text.partition(BODY)[2]).partition(LAST)[0]) for i, text in enumerate(texts)]
    run = run_coqc(theories, tmp_path, opening + "\n".join(modules) + f"{LAST} C0.covariance_is_optimal.")
    assert run.returncode == 0, run.stderr
    assert run.stdout == "Closed under the global context\n"
    assert all(LAST in text for text in texts)


def test_the_theorem_shows_the_numbers_of_the_claim() -> None:
    certificate = stored("iris-epsilon-1-delta-1e-5")
    claim = certificate.claim
    assert isinstance(claim, CovarianceOptimum)
    budget = rho_budget(claim.guarantee)
    assert isinstance(budget, Enclosure)
    theorem = to_rocq(certificate).partition("Theorem covariance_is_optimal")[2]
    shown = [fmpq(int(p), int(q)) for p, q in re.findall(r"\(ofQ R \((-?\d+) # (\d+)\)%Q\)", theorem)]
    assert shown == [budget.lower, budget.upper, claim.floor, claim.lower, claim.upper]


def test_the_records_are_written_as_they_are() -> None:
    certificate = stored("iris-floor")
    assert isinstance(certificate.claim, CovarianceOptimum)
    records = _records(certificate.claim)
    written = to_rocq(certificate).partition("Definition records : qmatrix := QMatrix [::\n")[2].partition(".\n")[0]
    rows, _, denominator = written.rpartition("\n] ")
    assert int(denominator) == records.denominator
    numbers = [[int(cell) for cell in row.strip(" [:];").split(";")] for row in rows.split("\n")]
    assert numbers == [[int(entry) for entry in row] for row in records.numerators.tolist()]


def test_the_text_is_reproducible() -> None:
    assert to_rocq(stored("square")) == to_rocq(stored("square"))


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with its evidence, as the Rocq text is made of them; ``edit`` replaces a piece of that text."""

    claim: CovarianceOptimum
    records: Matrix
    budget: Enclosure
    evidence: Evidence
    edit: tuple[str, str] = ("", "")

    def body(self) -> str:
        lines = [*_statement(self.claim, self.records, self.budget), *_witness(self.evidence)]
        text = "\n".join(lines)
        assert self.edit[0] in text
        return text.replace(*self.edit) if self.edit[0] else text


Change = Callable[[Case], Case]


def _records(claim: CovarianceOptimum) -> Matrix:
    assert isinstance(claim.sensitivity, IdealDenoiser)
    assert isinstance(claim.sensitivity.domain, FiniteDomain)
    return claim.sensitivity.domain.records


@cache
def example() -> Case:
    """Return a claim in which every witness matters: a floor that binds in one direction, an irrational budget."""
    records = matrix(fmpz_mat([[0, 0], [40, 2], [-36, 1], [25, -3], [-30, -2], [1, 0]]), 10)
    certificate = design(records, ApproxDP(fmpq(1), fmpq(1, 10**5)), floor=10)
    claim, witness = certificate.claim, certificate.witness
    assert isinstance(claim, CovarianceOptimum)
    assert isinstance(witness, CovarianceWitness)
    budget = rho_budget(claim.guarantee)
    assert isinstance(budget, Enclosure)
    return Case(claim, records, budget, gather(claim, records, witness))


def claiming(**changes: object) -> Change:
    return lambda it: replace(it, claim=replace(it.claim, **changes))  # type: ignore[arg-type]


def witnessing(**changes: object) -> Change:
    return lambda it: replace(it, evidence=replace(it.evidence, **changes))  # type: ignore[arg-type]


def budgeted(lower: fmpq | int = 0, upper: fmpq | int = 0) -> Change:
    """Move the ends of the budget by so much."""
    return lambda it: replace(it, budget=Enclosure(it.budget.lower + lower, it.budget.upper + upper))


def spoiling(field: str, spoil: Callable[[SquaresWitness], SquaresWitness]) -> Change:
    return lambda it: witnessing(**{field: spoil(getattr(it.evidence, field))})(it)


def bumped(value: Matrix, row: int, column: int) -> Matrix:
    numerators = fmpz_mat(value.numerators)
    numerators[row, column] = numerators[row, column] + 1
    return matrix(numerators, value.denominator)


def with_square(witness: SquaresWitness, weight: int, entry: int) -> SquaresWitness:
    """Add a square of the first coordinate."""
    factor = tuple((*row, entry if i == 0 else 0) for i, row in enumerate(witness.factor))
    return replace(witness, weights=(*witness.weights, weight), factor=factor)


SPOILS: dict[str, Callable[[SquaresWitness], SquaresWitness]] = {
    "a negative weight": lambda it: with_square(it, -1, 0),
    "too large a square": lambda it: with_square(it, 1, 2**400),
    "no scale": lambda it: SquaresWitness(0, (), tuple(() for _ in it.factor)),
    "a row too few": lambda it: replace(it, factor=it.factor[1:]),
}
FIELDS = {"floor_psd": "floor", "precision_pd": "precision", "dominance_psd": "precision", "dual_psd": "dual"}


def larger_core(evidence: Evidence) -> Matrix:
    """Return about K + P^-2, for which P K P - P is larger by about I: what shows it PSD shows that too.

    Even steps of the last place keep the denominator, which the evidence counts in.
    """
    inverse, core = exact_inverse(evidence.precision), evidence.core
    added = (inverse @ inverse).scaled(fmpq(core.denominator) / 2)
    steps = [2 * (entry // added.denominator) for entry in added.numerators.entries()]
    return matrix(core.numerators + fmpz_mat(core.rows, core.rows, steps), core.denominator)


def first_pair(change: Callable[[int, int, int], tuple[int, int, int]]) -> Change:
    return lambda it: witnessing(pairs=(change(*it.evidence.pairs[0]), *it.evidence.pairs[1:]))(it)


CHANGES: tuple[tuple[str, Change, tuple[str, ...]], ...] = (
    ("nothing", lambda it: it, ()),
    ("no bits left out", witnessing(coordinate_shift=0, image_shift=0), ()),
    ("all bits left out", witnessing(coordinate_shift=900, image_shift=900), ()),
    ("a smaller upper bound", lambda it: claiming(upper=it.claim.lower)(it), ("cost",)),
    ("a larger lower bound", lambda it: claiming(lower=it.claim.upper)(it), ("dual",)),
    ("a smaller budget", budgeted(lower=-fmpq(1, 2**30)), ("pairs",)),
    ("a negative budget", budgeted(lower=-1), ("pairs",)),
    ("a wider budget", budgeted(upper=fmpq(1, 2**20)), ("dual",)),
    ("a higher floor", lambda it: claiming(floor=it.claim.floor + fmpq(1, 2**9))(it), ("floor",)),
    ("a negative floor", lambda it: replace(it, edit=("floor := (10 # 1)", "floor := (-10 # 1)")), ("floor", "dual")),
    ("another covariance", lambda it: claiming(covariance=bumped(it.claim.covariance, 0, 0))(it), ("support", "cost")),
    ("another core", lambda it: witnessing(core=larger_core(it.evidence))(it), ("support",)),
    ("another basis", lambda it: witnessing(basis=bumped(it.evidence.basis, 0, 1))(it), ("support",)),
    ("other coordinates", witnessing(columns=(0, 0)), ("support", "pairs")),
    ("a crooked precision", lambda it: witnessing(precision=bumped(it.evidence.precision, 0, 1))(it), ("precision",)),
    ("half the precision", lambda it: witnessing(precision=halved(it.evidence.precision))(it), ("precision",)),
    ("a negative multiplier", first_pair(lambda i, k, mu: (i, k, -mu)), ("dual",)),
    ("a pair beyond the records", first_pair(lambda i, _, mu: (i, 6, mu)), ("dual",)),
    ("half the dual", lambda it: witnessing(dual_precision=halved(it.evidence.dual_precision))(it), ("dual",)),
    (
        "a missing column",
        lambda it: witnessing(dual_precision=it.evidence.dual_precision.select((0, 1), (0,)))(it),
        ("shapes", "dual"),
    ),
    *(
        (f"{spoil} in {field}", spoiling(field, SPOILS[spoil]), (FIELDS[field],))
        for field in FIELDS
        for spoil in SPOILS
    ),
)


def halved(value: Matrix) -> Matrix:
    return value.scaled(fmpq(1, 2))


def test_each_obligation_can_fail_alone(theories: Path, tmp_path: Path) -> None:
    lines = [to_rocq(stored("square")).partition(BODY)[0]]
    for index, (_, change, failing) in enumerate(CHANGES):
        outcomes = "; ".join("false" if name in failing else "true" for name in CHECKS)
        goal = f"Goal [:: {'; '.join(CHECKS.values())}] = [:: {outcomes}]."
        lines.append(module(f"C{index}", f"{change(example()).body()}\n{goal}\nProof. by vm_compute. Qed."))
    run = run_coqc(theories, tmp_path, "\n".join(lines))
    assert run.returncode == 0, run.stderr


def test_coqc_rejects_a_theorem_with_a_false_number(theories: Path, tmp_path: Path) -> None:
    text = to_rocq(stored("line"))
    false = text.replace("Checker.upper := (1 # 1)%Q", "Checker.upper := (1 # 2)%Q")
    assert false != text
    run = run_coqc(theories, tmp_path, false)
    assert run.returncode != 0
    assert "Lemma accepted" not in run.stdout


def _released(**changes: object) -> Certificate:
    certificate = stored("line")
    assert isinstance(certificate.claim, CovarianceOptimum)
    assert isinstance(certificate.claim.sensitivity, IdealDenoiser)
    release = replace(certificate.claim.sensitivity, **changes)  # type: ignore[arg-type]
    return replace(certificate, claim=replace(certificate.claim, sensitivity=release))


def _guaranteed(guarantee: Guarantee) -> Certificate:
    certificate = stored("line")
    assert isinstance(certificate.claim, CovarianceOptimum)
    return replace(certificate, claim=replace(certificate.claim, guarantee=guarantee))


ORIGIN = matrix(fmpz_mat([[0]]))
ONE = matrix(fmpz_mat([[1]]))


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        (stored("square-in-blocks"), "block by block"),
        (_released(query=FixedQuery(ORIGIN, fmpq(1))), "uniform query"),
        (_released(domain=BoxDomain(ORIGIN, ONE)), "finite domain"),
        (_guaranteed(ApproxDP(fmpq(1), fmpq(1))), "no budget"),
        (replace(stored("line"), claim=GaussianPrivacy(fmpq(1), ZCDP(fmpq(1, 2)))), "GaussianPrivacy"),
    ],
    ids=["full dual", "fixed query", "box", "no budget", "another claim"],
)
def test_what_has_no_rocq_form_is_refused(certificate: Certificate, reason: str) -> None:
    with pytest.raises(RocqError, match=reason):
        to_rocq(certificate)
