"""Existence near an approximate point: what proves it, which obligation a broken proof fails, and that it is true."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.conic.check import check_conic
from certify.checker.conic.claims import ConicBracket, ConicFeasible, Optimum, Side
from certify.checker.conic.cones import (
    Cone,
    DualExponential,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
    cone_text,
)
from certify.checker.conic.gram import gram_matrix
from certify.checker.conic.linear import evaluate
from certify.checker.conic.margin import why_no_margin
from certify.checker.conic.nearby import check_nearby, lifted, sqrt_upper
from certify.checker.conic.problem import ConicProblem
from certify.checker.conic.witnesses import (
    BlockPoint,
    BracketWitness,
    Congruence,
    Face,
    FactoredPoint,
    FeasibleWitness,
    Generated,
    NearbyPrimalPoint,
    WholeCone,
)
from certify.checker.exact import Matrix
from tests.checker.conic.examples import (
    Number,
    failed,
    matrix_block,
    primal,
    problem,
    proved,
    row,
    square,
    symmetric,
    vector,
    vector_block,
)

SHAPE = "nearby point has the shape of its faces"
FACES = "faces lie in the cones"
DEPENDENT = "dropped equations follow from the others"
GRAM = "Gram matrix of the equations is bounded below"
INTERIOR = "interior absorbs the correction"


def no_rows(columns: int) -> Matrix:
    return row(*[0] * columns).select([], range(columns))


def near(
    *blocks: BlockPoint, m: int, faces: tuple[Face, ...] = (), eigenvalue: Number = "1/4", dropped: tuple[int, ...] = ()
) -> NearbyPrimalPoint:
    whole = faces or (WholeCone(),) * len(blocks)
    return NearbyPrimalPoint(whole, blocks, dropped, no_rows(m), row(eigenvalue).entry(0, 0))


THIRDS = problem(
    [
        matrix_block([[1, 0], [0, 2]], [[3, 0], [0, 0]], [[0, 1], [1, 0]]),
        vector_block(Nonnegative(2), [1, 0], [0, 0], [1, 7]),
    ],
    [1, 1],
)
"""x_11 = 1/3 and 2 x_12 + z_1 + 7 z_2 = 1: no dyadic X is feasible."""
CLOSE = near(symmetric(["0.33333", 0], [0, 1]), vector("0.16", "0.12"), m=2)


def test_a_feasible_point_exists_near_a_dyadic_one() -> None:
    claim = ConicFeasible(THIRDS, Side.PRIMAL)
    assert proved(check_conic(claim, FeasibleWitness(CLOSE)))
    true_value = fmpq(1, 3) + 2 + fmpq(16, 100)
    bound = check_nearby(THIRDS, CLOSE).objective_upper
    assert bound is not None
    assert true_value < bound < true_value + fmpq(1, 1000)
    assert proved(check_conic(ConicBracket(THIRDS, Optimum.BOTH, None, bound), BracketWitness(None, CLOSE)))
    below = ConicBracket(THIRDS, Optimum.BOTH, None, true_value - fmpq(1, 1000))
    assert failed(check_conic(below, BracketWitness(None, CLOSE))) == ["primal value reaches the upper bound"]


@pytest.mark.parametrize(
    ("proof", "names"),
    [
        (replace(CLOSE, eigenvalue=fmpq(0)), [GRAM]),
        (replace(CLOSE, eigenvalue=fmpq(-1)), [GRAM]),
        (replace(CLOSE, eigenvalue=fmpq(101, 100)), [GRAM]),
        (near(symmetric(["0.33333", "0.57735"], ["0.57735", 1]), vector(0, 0), m=2), [INTERIOR]),
        (near(symmetric(["0.33333", 0], [0, 1]), vector("1", "0"), m=2), [INTERIOR]),
        (near(symmetric(["0.2", 0], [0, 1]), vector("0.16", "0.12"), m=2, eigenvalue="1/1000"), [INTERIOR]),
        (near(symmetric([1, 0], [0, 1]), m=2), [SHAPE]),
        (near(vector(1, 1), vector(1, 1), m=2), [SHAPE]),
        (near(symmetric([1]), vector(1, 1), m=2), [SHAPE]),
        (replace(CLOSE, dependencies=no_rows(1)), [SHAPE]),
        (replace(CLOSE, dropped=(1,)), [SHAPE]),
        (replace(CLOSE, dropped=(3,), dependencies=row(0, 0)), [SHAPE]),
        (replace(CLOSE, dropped=(2, 1), dependencies=square([[0, 1], [1, 0]])), [SHAPE]),
        (replace(CLOSE, dropped=(2,), dependencies=row(0, 2)), [DEPENDENT, INTERIOR]),
        (replace(CLOSE, dropped=(2,), dependencies=row(0, 1)), [DEPENDENT]),
    ],
)
def test_broken_nearby_points(proof: NearbyPrimalPoint, names: list[str]) -> None:
    found = failed(check_nearby(THIRDS, proof).obligations)
    assert found[0] == names[0]
    assert set(found) <= {*names, INTERIOR}


TWICE = problem([matrix_block([[1, 0], [0, 1]], [[3, 0], [0, 0]], [[6, 0], [0, 0]], [[0, 1], [1, 0]])], [1, 2, "1/7"])
"""The second equation is twice the first."""


def test_dependent_equations_are_dropped_with_a_proof() -> None:
    point = near(symmetric(["0.33333", "0.0714"], ["0.0714", 1]), m=3)
    assert failed(check_nearby(TWICE, point).obligations) == [GRAM]
    dropped = replace(point, dropped=(2,), dependencies=row(-2, 1, 0))
    assert proved(check_nearby(TWICE, dropped).obligations)
    assert DEPENDENT in failed(check_nearby(TWICE, replace(dropped, dependencies=row(-1, 1, 0))).obligations)
    inconsistent = problem(TWICE.blocks, [1, 3, "1/7"])
    assert DEPENDENT in failed(check_nearby(inconsistent, dropped).obligations)


FACE = problem(
    [
        matrix_block(
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[3, 0, 0], [0, 0, 0], [0, 0, 0]]
        )
    ],
    [0, 1],
)
"""X (1,1,1) = 0, so that no X is positive definite; x_11 = 1/3."""
BASIS = square([[1, 0], [0, 1], [-1, -1]])
ON_FACE = NearbyPrimalPoint((Congruence(BASIS),), (symmetric(["0.3333", 0], [0, 1]),), (1,), row(1, 0), fmpq(1, 2))


def test_a_face_without_interior_is_entered() -> None:
    result = check_nearby(FACE, ON_FACE)
    assert proved(result.obligations)
    assert result.objective_upper is not None
    assert result.objective_upper > fmpq(2, 3) + 2


@pytest.mark.parametrize(
    ("face", "name"),
    [
        (Congruence(square([[1, 0], [0, 1]])), FACES),
        (Generated(square([[1], [0], [0]])), FACES),
        (Congruence(square([[1, 0], [0, 1], [0, 0]])), DEPENDENT),
        (Congruence(square([[1], [0], [-1]])), SHAPE),
    ],
)
def test_broken_faces(face: Face, name: str) -> None:
    assert failed(check_nearby(FACE, replace(ON_FACE, faces=(face,))).obligations)[0] == name


def test_generated_faces_of_vector_cones() -> None:
    """min t with (t, x) in the second-order cone and t = x: on the ray (1, 1) the equation 3 t = 1 remains."""
    p = problem([vector_block(SecondOrder(2), [1, 0], [1, -1], [3, 0])], [0, 1])
    ray = Generated(square([[1], [1]]))
    point = NearbyPrimalPoint((ray,), (vector("0.333"),), (1,), row(1, 0), fmpq(1, 2))
    assert proved(check_nearby(p, point).obligations)
    outside = replace(point, faces=(Generated(square([[1], [2]])),))
    assert failed(check_nearby(p, outside).obligations) == [FACES]
    off = replace(point, blocks=(vector("0.333", 1),))
    assert failed(check_nearby(p, off).obligations) == [SHAPE]
    empty = NearbyPrimalPoint((Generated(square([[], []])),), (vector(),), (1, 2), square([[1, 0], [0, 1]]), fmpq(1))
    assert failed(check_nearby(p, empty).obligations) == [DEPENDENT]
    trivial = check_nearby(problem(p.blocks, [0, 0]), empty)
    assert proved(trivial.obligations)
    assert trivial.objective_upper == 0


def test_zero_and_free_blocks() -> None:
    """x free, z zero, s >= 0: 3 x + 5 z + s = 1 is met by moving x or s, never z."""
    blocks = [vector_block(cone, [1], [a]) for cone, a in ((Free(1), 3), (Zero(1), 5), (Nonnegative(1), 1))]
    p = problem(blocks, [1])
    assert proved(check_nearby(p, near(vector("0.3"), vector(0), vector("0.2"), m=1)).obligations)
    assert failed(check_nearby(p, near(vector("0.3"), vector("0.01"), vector("0.2"), m=1)).obligations) == [INTERIOR]
    assert gram_matrix(p, (WholeCone(),) * 3, [1]).numerators[0, 0] == 10


MARGINS: list[tuple[Cone, BlockPoint, Number, Number]] = [
    (Nonnegative(2), vector(1, 2), 1, "11/10"),
    (SecondOrder(3), vector(6, 3, 0), 2, "21/10"),
    (Rotated(3), vector(3, 3, 1), 2, "23/10"),
    (PositiveSemidefinite(2), symmetric([2, 1], [1, 2]), 1, "11/10"),
    (PositiveSemidefinite(2), FactoredPoint(square([[1], [1]]), row(1, 1)), 1, "11/10"),
    (PositiveSemidefinite(2), FactoredPoint(square([[1, 0], [0, 1]]), row(0, 0)), 1, "11/10"),
    (Exponential(), vector(0, 2, 5), "1/3", 1),
    (DualExponential(), vector(-2, 0, 5), "1/2", "9/8"),
    (Power(fmpq(1, 2)), vector(4, 4, 1), 1, 2),
]


@pytest.mark.parametrize(("cone", "value", "radius", "too_large"), MARGINS, ids=str)
def test_margins(cone: Cone, value: BlockPoint, radius: Number, too_large: Number) -> None:
    assert why_no_margin(cone, value, row(radius).entry(0, 0)) is None, cone_text(cone)
    assert why_no_margin(cone, value, row(too_large).entry(0, 0)) is not None, cone_text(cone)


def test_a_vector_has_no_eigenvalues() -> None:
    with pytest.raises(TypeError):
        why_no_margin(PositiveSemidefinite(1), vector(1), fmpq(0))
    with pytest.raises(TypeError):
        why_no_margin(Nonnegative(1), symmetric([1]), fmpq(0))


@given(st.fractions(min_value=0, max_value=10**12))
def test_sqrt_upper_is_above_and_close(value: object) -> None:
    exact = fmpq(value.numerator, value.denominator)  # type: ignore[attr-defined]
    root = sqrt_upper(exact)
    assert root**2 >= exact
    assert root**2 <= exact * (1 + fmpq(1, 2**50))


def corrected(p: ConicProblem, proof: NearbyPrimalPoint) -> tuple[fmpq, fmpq]:
    """The squared length and the objective change of the least correction, solved for exactly: the slow way."""
    count = p.constraint_count
    gram = gram_matrix(p, proof.faces, range(count + 1))

    def product(i: int, j: int) -> fmpq:
        return fmpq(gram.numerators.get((max(i, j), min(i, j)), 0), gram.denominator)

    points = tuple(lifted(face, value) for face, value in zip(proof.faces, proof.blocks, strict=True))
    residual = p.right_hand_side - evaluate(p, points).constraints
    r = fmpq_mat(count, 1, [residual.entry(0, i) for i in range(count)])
    u = fmpq_mat(count, count, [product(i, j) for i in range(1, count + 1) for j in range(1, count + 1)]).solve(r)
    length = sum((u[i, 0] * r[i, 0] for i in range(count)), fmpq(0))
    return length, sum((u[i, 0] * product(i + 1, 0) for i in range(count)), fmpq(0))


@given(st.lists(st.integers(-99, 99), min_size=5, max_size=5))
def test_the_bound_covers_the_exact_correction(noise: list[int]) -> None:
    e = [fmpq(entry, 10_000) for entry in noise]
    x = symmetric([fmpq(1, 3) + e[0], e[1]], [e[1], 1 + e[2]])
    point = near(x, vector(fmpq(16, 100) + e[3], fmpq(12, 100) + e[4]), m=2)
    result = check_nearby(THIRDS, point)
    length, change = corrected(THIRDS, point)
    values = evaluate(THIRDS, point.blocks)
    assert result.objective_upper is not None
    assert values.objective + change <= result.objective_upper
    assert length <= (result.objective_upper - values.objective) ** 2
    assert proved(result.obligations)


def test_an_exact_point_is_near_itself() -> None:
    exact = primal(symmetric(["1/3", 0], [0, 1]), vector("1/50", "7/50"))
    result = check_nearby(THIRDS, near(*exact.blocks, m=2))
    assert proved(result.obligations)
    assert result.objective_upper == evaluate(THIRDS, exact.blocks).objective


def test_a_dropped_equation_must_be_a_combination_of_the_coefficients_too() -> None:
    """3 x_11 = 1 and 6 x_22 = 2: the right-hand sides agree, the coefficients do not."""
    p = problem([matrix_block([[1, 0], [0, 1]], [[3, 0], [0, 0]], [[0, 0], [0, 6]])], [1, 2])
    point = near(symmetric(["0.33333", 0], [0, "0.33333"]), m=2)
    assert proved(check_nearby(p, point).obligations)
    dropped = replace(point, dropped=(2,), dependencies=row(-2, 1))
    assert failed(check_nearby(p, dropped).obligations) == [DEPENDENT]


ENTRIES = st.integers(-9, 9)
TRIANGLES = st.lists(st.lists(ENTRIES, min_size=6, max_size=6), min_size=2, max_size=4)


@given(TRIANGLES, st.lists(ENTRIES, min_size=6, max_size=6))
def test_the_gram_matrix_on_a_face_is_that_of_the_coefficients_pulled_back(
    triangles: list[list[int]], columns: list[int]
) -> None:
    """The slow way: every ``V' A_i V`` written out, and their inner products entry by entry."""
    tables = [[[a, b, d], [b, c, e], [d, e, f]] for a, b, c, d, e, f in triangles]
    basis = square([columns[:2], columns[2:4], columns[4:]]).scaled(fmpq(1, 7))
    p = problem([matrix_block(*tables)], [0] * (len(triangles) - 1))
    gram = gram_matrix(p, (Congruence(basis),), range(len(triangles)))
    pulled = [basis.transpose() @ square(table) @ basis for table in tables]
    for i, left in enumerate(pulled):
        for j, right in enumerate(pulled[: i + 1]):
            wanted = sum((left.entry(r, c) * right.entry(r, c) for r in range(2) for c in range(2)), fmpq(0))
            assert fmpq(gram.numerators.get((i, j), 0), gram.denominator) == wanted
