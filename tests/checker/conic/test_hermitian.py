"""Hermitian blocks: values are those of the complex program, nothing is doubled or halved."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.conic.check import check_conic, lower_bound, upper_bound
from certify.checker.conic.claims import ConicBracket, Optimum
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.hermitian import ComplexCoefficient, complex_parts, hermitian_block, hermitian_point
from certify.checker.conic.linear import combine, evaluate
from certify.checker.conic.witnesses import BracketWitness
from certify.checker.psd import Psd, decide_psd
from tests.checker.conic.examples import dual, failed, primal, problem, proved, row, square, symmetric

ZERO, ONE = fmpq(0), fmpq(1)
EVERY_ENTRY: list[ComplexCoefficient] = [
    (1, 0, 0, ONE, ZERO),
    (2, 1, 1, ONE, ZERO),
    (3, 0, 1, ONE, ZERO),
    (4, 0, 1, ZERO, ONE),
]
"""<A_i, Y> = Y_11, Y_22, 2 Re Y_12, 2 Im Y_12."""


def test_dual_of_a_hermitian_constraint_has_no_stray_factor() -> None:
    """min Re tr(C X), X >= A, with C = [2 i; -i 2], A = [1 1+i; 1-i 0]: the dual point Y = C has the value 4."""
    cost: list[ComplexCoefficient] = [(0, 0, 0, -ONE, ZERO), (0, 0, 1, -ONE, -ONE)]
    p = problem([hermitian_block(2, [*cost, *EVERY_ENTRY])], [2, 2, 0, 2])
    y = primal(hermitian_point(square([[2, 0], [0, 2]]), square([[0, 1], [-1, 0]])))
    x = dual(-1, 0, -1, -1)
    assert proved(check_conic(ConicBracket(p, Optimum.BOTH, fmpq(-4), fmpq(-4)), BracketWitness(x, y)))
    halved = primal(hermitian_point(square([[1, 0], [0, 1]]), square([[0, "1/2"], ["-1/2", 0]])))
    assert failed(upper_bound(p, halved).obligations) == ["equations <A_i, X> = b_i hold exactly"]
    assert evaluate(p, halved.blocks).objective == -2


def test_rational_bracket_of_minus_sqrt_two() -> None:
    """min Re tr(C X), tr X = 1 with C = [0 1-i; 1+i 0] is -sqrt(2)."""
    entries: list[ComplexCoefficient] = [(0, 0, 1, ONE, -ONE), (1, 0, 0, ONE, ZERO), (1, 1, 1, ONE, ZERO)]
    p = problem([hermitian_block(2, entries)], [1])
    a = "35355339/100000000"
    real, imaginary = square([["1/2", f"-{a}"], [f"-{a}", "1/2"]]), square([[0, a], [f"-{a}", 0]])
    witness = BracketWitness(dual("-99/70"), primal(hermitian_point(real, imaginary)))
    claim = ConicBracket(p, Optimum.BOTH, fmpq(-99, 70), fmpq(-141421356, 100000000))
    assert proved(check_conic(claim, witness))
    assert failed(lower_bound(p, dual("-7/5")).obligations) == ["slack C - sum y_i A_i lies in the dual cone"]
    larger = "36/100"
    wide = hermitian_point(square([["1/2", f"-{larger}"], [f"-{larger}", "1/2"]]), imaginary)
    assert failed(upper_bound(p, primal(wide)).obligations) == ["X lies in the cone"]


def test_points_and_parts_are_inverse() -> None:
    real, imaginary = square([[2, "1/3"], ["1/3", 5]]), square([[0, "1/7"], ["-1/7", 0]])
    assert complex_parts(hermitian_point(real, imaginary)) == (real, imaginary)
    assert complex_parts(symmetric([1, 0, 0, 1], [0, 2, 3, 0], [0, 3, 4, 0], [1, 0, 0, 5]))[0] == square(
        [["5/2", 0], [0, "7/2"]]
    )


@pytest.mark.parametrize("entry", [(0, 1, 1, ONE, ONE), (0, 2, 0, ONE, ZERO), (0, 0, -1, ONE, ZERO)])
def test_what_is_not_hermitian_is_refused(entry: ComplexCoefficient) -> None:
    with pytest.raises(ValueError, match=r"real|outside"):
        hermitian_block(2, [entry])


def test_an_entry_and_its_mirror_image_are_refused() -> None:
    with pytest.raises(ValueError, match="increasing"):
        hermitian_block(2, [(0, 0, 1, ONE, ZERO), (0, 1, 0, ONE, ZERO)])


SMALL = st.integers(-6, 6)


@given(st.tuples(SMALL, SMALL, SMALL, SMALL), st.tuples(SMALL, SMALL, SMALL, SMALL))
def test_products_and_definiteness_are_those_of_the_complex_matrices(
    first: tuple[int, int, int, int], second: tuple[int, int, int, int]
) -> None:
    """For A = [a, b + c i; ., d]: <A, X> = a a' + d d' + 2 (b b' + c c'), and A is PSD iff a, d, det >= 0."""
    a, b, c, d = first
    part = hermitian_block(2, [(0, 0, 0, fmpq(a), ZERO), (0, 0, 1, fmpq(b), fmpq(c)), (0, 1, 1, fmpq(d), ZERO)])
    point = hermitian_point(
        square([[second[0], second[1]], [second[1], second[3]]]), square([[0, second[2]], [-second[2], 0]])
    )
    product = a * second[0] + d * second[3] + 2 * (b * second[1] + c * second[2])
    assert evaluate(problem([part], []), (point,)).objective == product
    is_psd = a >= 0 and d >= 0 and a * d >= b * b + c * c
    assert isinstance(decide_psd(dense_matrix(combine(part, 1, row()))), Psd) == is_psd


def test_larger_blocks_keep_distinct_entries_apart() -> None:
    """n = 4 with all off-diagonals different: the product of A with itself is the sum of squared moduli."""
    entries: list[ComplexCoefficient] = [
        (0, i, j, fmpq(1 + i + 4 * j), fmpq((i - j) * (10 + i))) for i in range(4) for j in range(i + 1)
    ]
    part = hermitian_block(4, entries)
    real = square([[1 + max(i, j) + 4 * min(i, j) for j in range(4)] for i in range(4)])
    imaginary = square([[(i - j) * (10 + max(i, j)) for j in range(4)] for i in range(4)])
    total = sum(
        (1 + max(i, j) + 4 * min(i, j)) ** 2 + ((i - j) * (10 + max(i, j))) ** 2 for i in range(4) for j in range(4)
    )
    assert evaluate(problem([part], []), (hermitian_point(real, imaginary),)).objective == total
