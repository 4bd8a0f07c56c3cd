"""The data model: canonical, hashed, and carried through the codec unchanged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.codec import Malformed, decode, encode
from certify.checker.conic.claims import ConicBracket, ConicClaim, ConicGap, Optimum
from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    DualPower,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
    cone_text,
    dual_cone,
    order,
)
from certify.checker.conic.problem import Block, SourceValue, block, problem_digest, source_ends
from certify.checker.conic.witnesses import (
    BracketWitness,
    Congruence,
    ConicWitness,
    FactoredPoint,
    Generated,
    NearbyPrimalPoint,
    WholeCone,
)
from certify.checker.exact import Matrix, matrix
from tests.checker.conic.examples import (
    dual,
    matrix_block,
    primal,
    problem,
    row,
    square,
    symmetric,
    vector,
    vector_block,
)

CONES: list[Cone] = [
    Free(2),
    Zero(2),
    Nonnegative(2),
    SecondOrder(3),
    Rotated(3),
    PositiveSemidefinite(2),
    Exponential(),
    DualExponential(),
    Power(fmpq(1, 3)),
    DualPower(fmpq(1, 3)),
]
ONE = fmpq(1)


@pytest.mark.parametrize("cone", CONES, ids=cone_text)
def test_dual_of_dual_is_the_cone(cone: Cone) -> None:
    assert dual_cone(dual_cone(cone)) == cone
    assert order(dual_cone(cone)) == order(cone)


@pytest.mark.parametrize("make", [Free, Zero, Nonnegative, SecondOrder, Rotated, PositiveSemidefinite])
def test_empty_cones_are_refused(make: type[Nonnegative]) -> None:
    with pytest.raises(ValueError, match="too small"):
        make(0)


def test_rotated_cone_needs_two_coordinates() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        Rotated(1)


@pytest.mark.parametrize("alpha", [fmpq(0), fmpq(1), fmpq(-1, 2)])
@pytest.mark.parametrize("make", [Power, DualPower])
def test_power_exponent_is_strictly_between_zero_and_one(make: type[Power], alpha: fmpq) -> None:
    with pytest.raises(ValueError, match="exponent"):
        make(alpha)


def test_block_sorts_mirrors_and_drops_zeros() -> None:
    part = block(PositiveSemidefinite(2), [(1, 0, 1, fmpq(1, 2)), (0, 1, 1, fmpq(1, 3)), (2, 0, 0, fmpq(0))])
    assert list(part.entries()) == [(0, 1, 1, fmpz(2)), (1, 1, 0, fmpz(3))]
    assert part.values.denominator == 6


@pytest.mark.parametrize(
    ("cone", "coefficients"),
    [
        (PositiveSemidefinite(2), [(0, 0, 1, ONE), (0, 1, 0, ONE)]),
        (PositiveSemidefinite(2), [(0, 2, 0, ONE)]),
        (PositiveSemidefinite(2), [(0, 0, -1, ONE)]),
        (Nonnegative(2), [(0, 1, 0, ONE)]),
        (Nonnegative(2), [(-1, 0, 0, ONE)]),
        (Exponential(), [(0, 3, 3, ONE)]),
    ],
)
def test_block_refuses_what_is_no_coordinate(cone: Cone, coefficients: list[tuple[int, int, int, fmpq]]) -> None:
    with pytest.raises(ValueError, match=r"order|coordinate"):
        block(cone, coefficients)


@pytest.mark.parametrize(
    ("rows", "values", "words"),
    [
        ((0,), [1, 2], "each entry"),
        ((0, 0), [1, 2], "increasing"),
        ((1, 0), [1, 2], "increasing"),
        ((0, 1), [1, 0], "zero"),
    ],
)
def test_hand_made_blocks_must_be_canonical(rows: tuple[int, ...], values: list[int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Block(Nonnegative(2), (0,) * len(rows), rows, rows, matrix(fmpz_mat(1, len(values), values)))


def test_problem_refuses_entries_beyond_its_constraints() -> None:
    with pytest.raises(ValueError, match="constraint 2"):
        problem([vector_block(Nonnegative(1), [1], [1], [1])], [1])
    with pytest.raises(ValueError, match="one row"):
        replace(problem([vector_block(Nonnegative(1), [1])], []), right_hand_side=square([[1], [1]]))


def test_claims_refuse_empty_content() -> None:
    base = problem([vector_block(Nonnegative(1), [1], [1])], [1])
    with pytest.raises(ValueError, match="bracket"):
        ConicBracket(base, Optimum.BOTH, None, None)
    with pytest.raises(ValueError, match="no gap"):
        ConicGap(base, ONE, ONE)


def test_digest_sees_every_field() -> None:
    base = problem([vector_block(Nonnegative(1), [1], [1])], [1])
    others = [
        replace(base, source_value=SourceValue.NEGATED),
        replace(base, offset=ONE),
        replace(base, right_hand_side=row(2)),
        replace(base, right_hand_side=row(1, 0)),
        replace(base, blocks=(vector_block(Nonnegative(1), [1], [2]),)),
        replace(base, blocks=(vector_block(Free(1), [1], [1]),)),
        replace(base, blocks=(vector_block(Nonnegative(2), [1], [1]),)),
        replace(base, blocks=(vector_block(Nonnegative(1), [1], ["1/2"]),)),
    ]
    digests = [problem_digest(p) for p in [base, *others]]
    assert len(set(digests)) == len(digests)
    assert problem_digest(base) == problem_digest(problem([vector_block(Nonnegative(1), [1], [1])], [1]))


def test_every_kind_of_claim_and_witness_goes_through_the_codec() -> None:
    blocks = [
        vector_block(cone, [1] * order(cone), [2] * order(cone))
        for cone in CONES
        if order(cone) and not isinstance(cone, PositiveSemidefinite)
    ]
    program = problem([matrix_block([[1, 2], [2, "3/7"]], [[0, 1], [1, 0]]), *blocks], ["5/3"], offset="-1/2")
    claim = ConicBracket(program, Optimum.PRIMAL, None, fmpq(22, 7))
    faces = (WholeCone(), Congruence(square([[1], [2]])), Generated(square([[1, 0]])))
    near = NearbyPrimalPoint(faces, (vector(1, "1/3"), symmetric([1, 0], [0, 1])), (1,), square([[1]]), fmpq(1, 9))
    factored = FactoredPoint(square([[1], [2]]), row(0, 1))
    exact = primal(factored, exposures=[(symmetric([1, 2], [2, 3]),)])
    assert decode(json.loads(json.dumps(encode(claim, ConicClaim))), ConicClaim, "claim") == claim
    for proof in (near, exact):
        witness = BracketWitness(dual(1, 2, exposures=[row(0, 1)]), proof)
        document = json.loads(json.dumps(encode(witness, ConicWitness)))
        assert decode(document, ConicWitness, "witness") == witness


def test_codec_refuses_a_block_that_is_not_canonical() -> None:
    document = encode(vector_block(Nonnegative(2), [1, 1]), Block)
    document["rows"], document["columns"] = [1, 0], [1, 0]
    with pytest.raises(Malformed, match="increasing"):
        decode(document, Block, "block")


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.fractions()), max_size=12))
def test_block_keeps_every_coefficient(entries: list[tuple[int, int, int, object]]) -> None:
    wanted = {(k, max(i, j), min(i, j)): fmpq(v.numerator, v.denominator) for k, i, j, v in entries}  # type: ignore[attr-defined]
    part = block(PositiveSemidefinite(4), [(*where, value) for where, value in wanted.items()])
    found = {(k, i, j): fmpq(v, part.values.denominator) for k, i, j, v in part.entries()}
    assert found == {where: value for where, value in wanted.items() if value != 0}
    assert isinstance(part.values, Matrix)


def test_denominators_are_positive_and_sizes_bounded() -> None:
    with pytest.raises(ValueError, match="denominator"):
        Block(Nonnegative(1), (0,), (0,), (0,), Matrix(fmpz_mat(1, 1, [1]), fmpz(-1)))
    with pytest.raises(ValueError, match="positive denominator"):
        replace(problem([], []), right_hand_side=Matrix(fmpz_mat(1, 0), fmpz(-1)))
    with pytest.raises(ValueError, match="too large"):
        Nonnegative(2**40)


def test_a_negated_value_swaps_and_negates_its_bounds() -> None:
    same = problem([vector_block(Nonnegative(1), [1], [1])], [1])
    negated = replace(same, source_value=SourceValue.NEGATED)
    assert source_ends(same, fmpq(1), fmpq(2)) == (fmpq(1), fmpq(2))
    assert source_ends(negated, fmpq(1), fmpq(2)) == (fmpq(-2), fmpq(-1))
    assert source_ends(negated, None, fmpq(2)) == (fmpq(-2), None)
    assert source_ends(negated, fmpq(1), None) == (None, fmpq(-1))
