"""Faces: duals, exposure on every kind of block, and that nothing feasible is ever cut away."""

from __future__ import annotations

import pytest
from flint import fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from certify.checker.conic.cones import (
    Cone,
    Exponential,
    Free,
    Nonnegative,
    PositiveSemidefinite,
    Power,
    Rotated,
    SecondOrder,
    Zero,
)
from certify.checker.conic.faces import dense_matrix, exposed, why_no_face, why_outside_dual
from certify.checker.conic.linear import Sparse
from certify.checker.conic.nearby import lifted
from certify.checker.conic.objection import Objection
from certify.checker.conic.reduction import reduce_primal
from certify.checker.conic.witnesses import (
    BlockPoint,
    Congruence,
    Face,
    FactoredPoint,
    Generated,
    MatrixPoint,
    VectorPoint,
    WholeCone,
)
from certify.checker.exact import Matrix, inner
from tests.checker.conic.examples import matrix_block, problem, row, square, symmetric, vector, vector_block

WHOLE = WholeCone()


@pytest.mark.parametrize(
    ("cone", "element", "face"),
    [
        (Nonnegative(3), vector(0, 2, 0), Generated(square([[1, 0], [0, 0], [0, 1]]))),
        (Nonnegative(2), vector(0, 0), WHOLE),
        (SecondOrder(3), vector(5, 3, -4), Generated(square([[5], [-3], [4]]))),
        (SecondOrder(3), vector(0, 0, 0), WHOLE),
        (Rotated(3), vector(2, 4, -4), Generated(square([[4], [2], [4]]))),
        (Rotated(3), vector(0, 4, 0), Generated(square([[4], [0], [0]]))),
        (Free(2), vector(0, 0), WHOLE),
        (Zero(2), vector(1, -1), WHOLE),
        (Exponential(), vector(0, 0, 0), WHOLE),
        (PositiveSemidefinite(2), symmetric([0, 0], [0, 0]), WHOLE),
        (PositiveSemidefinite(2), symmetric([0, 0], [0, 7]), Congruence(square([[1], [0]]))),
    ],
)
def test_exposed_faces_of_whole_cones(cone: Cone, element: BlockPoint, face: Face) -> None:
    found = exposed(WHOLE, cone, element)
    if isinstance(found, Congruence) and isinstance(face, Congruence):
        assert found.basis.columns == face.basis.columns
        assert (symmetric([0, 0], [0, 7]).matrix @ found.basis).numerators.is_zero()
    else:
        assert found == face


@pytest.mark.parametrize(
    ("cone", "element"), [(SecondOrder(2), vector(2, 1)), (Rotated(2), vector(1, 1)), (SecondOrder(1), vector(3))]
)
def test_interior_elements_leave_the_origin(cone: Cone, element: BlockPoint) -> None:
    face = exposed(WHOLE, cone, element)
    assert isinstance(face, Generated)
    assert face.generators.columns == 0


@pytest.mark.parametrize("cone", [Exponential(), Power(row("1/2").entry(0, 0))])
def test_curved_cones_are_not_cut(cone: Cone) -> None:
    objection = exposed(WHOLE, cone, vector(0, 0, 1))
    assert isinstance(objection, Objection)
    assert "must vanish" in objection.reason


def test_faces_of_faces() -> None:
    basis = square([[1, 0], [0, 1], [1, 1]])
    smaller = exposed(Congruence(basis), PositiveSemidefinite(3), symmetric([1, 0, 0], [0, 0, 0], [0, 0, 0]))
    assert isinstance(smaller, Congruence)
    assert smaller.basis.columns == 1
    assert smaller.basis.numerators[0, 0] == 0
    assert smaller.basis.numerators[1, 0] == smaller.basis.numerators[2, 0] != 0
    rays = Generated(square([[1, 1], [1, -1]]))
    assert exposed(rays, SecondOrder(2), vector(1, 1)) == Generated(square([[1], [-1]]))


@pytest.mark.parametrize(
    ("face", "cone", "element", "inside"),
    [
        (WHOLE, PositiveSemidefinite(2), symmetric([1, 2], [2, 4]), True),
        (WHOLE, PositiveSemidefinite(2), symmetric([1, 2], [2, 3]), False),
        (Congruence(square([[1], [0]])), PositiveSemidefinite(2), symmetric([1, 2], [2, -9]), True),
        (Congruence(square([[0], [1]])), PositiveSemidefinite(2), symmetric([1, 2], [2, -9]), False),
        (Congruence(square([[], []])), PositiveSemidefinite(2), symmetric([-1, 2], [2, -9]), True),
        (Generated(square([[1], [1]])), SecondOrder(2), vector(0, 5), True),
        (Generated(square([[1], [1]])), SecondOrder(2), vector(0, -5), False),
        (WHOLE, PositiveSemidefinite(2), FactoredPoint(square([[1], [2]]), row(0, -1)), False),
        (WHOLE, Free(1), vector(1), False),
        (WHOLE, Zero(1), vector(-1), True),
    ],
)
def test_duals_of_faces(face: Face, cone: Cone, element: BlockPoint, inside: bool) -> None:
    assert (why_outside_dual(face, cone, element) is None) == inside


@pytest.mark.parametrize(
    ("face", "cone", "fine"),
    [
        (WHOLE, Exponential(), True),
        (Congruence(square([[1], [0]])), PositiveSemidefinite(2), True),
        (Congruence(square([[1], [0]])), PositiveSemidefinite(3), False),
        (Congruence(square([[1], [0]])), Nonnegative(2), False),
        (Congruence(Matrix(fmpz_mat(2, 1, [1, 0]), fmpz(-1))), PositiveSemidefinite(2), False),
        (Generated(square([[1, 0], [2, 3]])), Nonnegative(2), True),
        (Generated(square([[1, 0], [2, -3]])), Nonnegative(2), False),
        (Generated(Matrix(fmpz_mat(2, 1, [-1, -1]), fmpz(-1))), Nonnegative(2), False),
        (Generated(square([[1], [2]])), PositiveSemidefinite(2), False),
        (Generated(square([[1], [2]])), Nonnegative(3), False),
        (Generated(square([[], []])), Nonnegative(2), True),
    ],
)
def test_images_that_are_faces(face: Face, cone: Cone, fine: bool) -> None:
    assert (why_no_face(face, cone) is None) == fine


def test_wrong_kinds_are_type_errors() -> None:
    with pytest.raises(TypeError):
        dense_matrix(vector(1))
    with pytest.raises(TypeError):
        exposed(WHOLE, Nonnegative(1), symmetric([1]))


def test_a_chain_of_exposures_over_two_blocks() -> None:
    p = problem(
        [
            matrix_block([[0, 0], [0, 0]], [[1, 0], [0, 0]], [[0, 0], [0, 1]]),
            vector_block(Nonnegative(2), [0, 0], [1, 0], [0, 1]),
        ],
        [0, 0],
    )
    reduction = reduce_primal(p, [row(1, 0), row(0, 1)])
    assert reduction.holds
    assert [obligation.detail for obligation in reduction.obligations] == [
        "reduces block 1 to 1, block 2 to 1",
        "reduces block 1 to 0, block 2 to 0",
    ]
    assert reduce_primal(p, []).obligations == ()
    nothing = reduce_primal(p, [row(0, 0)])
    assert nothing.holds
    assert nothing.obligations[0].detail == "reduces nothing"


INTEGERS = st.integers(-4, 4)


@given(st.lists(INTEGERS, min_size=6, max_size=6), st.lists(INTEGERS, min_size=3, max_size=3))
def test_what_is_orthogonal_to_an_exposing_matrix_stays_in_its_face(entries: list[int], v: list[int]) -> None:
    """For Z = F F^T and a vector v: v v^T is orthogonal to Z iff it is V R V^T for the exposed V."""
    factor = square([entries[:2], entries[2:4], entries[4:]])
    z = MatrixPoint(factor @ factor.transpose())
    column = square([[entry] for entry in v])
    face = exposed(WHOLE, PositiveSemidefinite(3), z)
    orthogonal = inner(z.matrix, column @ column.transpose()) == 0
    if isinstance(face, WholeCone):
        assert orthogonal
        return
    assert isinstance(face, Congruence)
    width = face.basis.columns
    joined = [e for line, entry in zip(face.basis.numerators.tolist(), v, strict=True) for e in (*line, fmpz(entry))]
    rank = fmpz_mat(3, width + 1, joined).rank()
    assert (rank == width) == orthogonal


def test_lifting_faces() -> None:
    assert lifted(WHOLE, vector(1, 2)) == vector(1, 2)
    assert lifted(Generated(square([[1, 0], [2, 3]])), vector(1, 2)) == VectorPoint(row(1, 8))
    assert lifted(Congruence(square([[1], [2]])), symmetric([3])) == symmetric([3, 6], [6, 12])


def test_sparse_elements_are_matrices_or_vectors() -> None:
    sparse = Sparse(2, {(1, 0): fmpz(3)}, fmpz(2))
    assert dense_matrix(sparse) == square([[0, "3/2"], ["3/2", 0]])
    assert why_outside_dual(WHOLE, Nonnegative(2), Sparse(2, {(1, 1): fmpz(3)}, fmpz(2))) is None
    assert why_outside_dual(WHOLE, Nonnegative(2), Sparse(2, {(1, 1): fmpz(-3)}, fmpz(2))) is not None


def test_a_reduction_says_where_a_cone_cannot_be_cut() -> None:
    p = problem([vector_block(Exponential(), [0, 0, 1], [0, 0, 1])], [0])
    reduction = reduce_primal(p, [row(1)])
    assert not reduction.holds
    assert "must vanish on a block of Exponential" in reduction.obligations[0].detail
    assert reduce_primal(p, [row(0)]).holds


@pytest.mark.parametrize("cone", [Nonnegative(10_000), PositiveSemidefinite(10_000)])
def test_faces_too_large_to_write_down_are_left_open(cone: Cone) -> None:
    objection = exposed(WHOLE, cone, Sparse(10_000, {(0, 0): fmpz(1)}, fmpz(1)))
    assert isinstance(objection, Objection)
    assert objection.holds is None
    assert exposed(WHOLE, cone, Sparse(10_000, {}, fmpz(1))) == WHOLE
