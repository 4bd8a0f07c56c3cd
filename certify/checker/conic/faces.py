"""Faces of a product of cones as images of smaller cones, and how exposing vectors shrink them.

A face F is the image of PSD(r) under ``R -> V R V^T``, the image of the nonnegative orthant under ``z -> G z``, or the
whole cone of a block. So Z lies in the dual of F, that is ``<Z, X> >= 0`` on F, exactly when ``V^T Z V`` is PSD,
``G^T z >= 0``, or Z lies in the dual cone. Source: theory.md section 7.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.conic.cones import (
    Cone,
    Nonnegative,
    PositiveSemidefinite,
    Rotated,
    SecondOrder,
    Zero,
    cone_text,
    dual_cone,
    order,
)
from certify.checker.conic.linear import Sparse, dense_vector, restricted, vector_of
from certify.checker.conic.membership import why_outside
from certify.checker.conic.objection import Objection
from certify.checker.conic.sparse import why_dense_not_psd, why_not_psd
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
from certify.checker.exact import Matrix, diagonal, matrix

Element: TypeAlias = Sparse | BlockPoint
"""A part on one block of a slack or of a point, up to a positive factor."""

DENSE_LIMIT = 25_000_000
"""Entries of the largest matrix that the basis of a face may have."""


def why_outside_dual(face: Face, cone: Cone, element: Element) -> Objection | None:
    """Return None where an element is proved to lie in the dual of a face of a cone, else why not.

    Sound because ``<Z, V R V^T> = <V^T Z V, R>`` and PSD(r) is self-dual, and ``<z, G w> = <G^T z, w>``.
    Proof: ``congruence_face_dual``, ``generated_face_dual``, ``dual_cone_sound``.
    """
    match face:
        case WholeCone():
            return _why_outside_cone(dual_cone(cone), element)
        case Congruence(basis):
            return why_dense_not_psd(pulled_back(basis, element))
        case Generated(generators):
            products = _vector(element) * generators.numerators
            return why_outside(Nonnegative(1), products.entries())
    assert_never(face)


def exposed(face: Face, cone: Cone, element: Element) -> Face | Objection:
    """Return the part of a face orthogonal to an element of its dual, or why it cannot be represented.

    The element must lie in the dual of the face: ``why_outside_dual`` has said so.

    Sound because for PSD R and M, ``<M, R> = 0`` means ``M R = 0``, hence R = N R' N^T with N a basis of the kernel of
    M; for nonnegative w and z, ``<w, z> = 0`` means that z vanishes where w does not. A face that contains every
    feasible point still does so after it is cut down to what is orthogonal to them all.
    Proof: ``congruence_face_exposed``, ``generated_face_exposed``, ``second_order_exposed``, ``rotated_exposed``.
    """
    match face:
        case WholeCone():
            return _exposed_cone(cone, element)
        case Congruence(basis):
            return Congruence(basis @ _kernel(pulled_back(basis, element)))
        case Generated(generators):
            products = (_vector(element) * generators.numerators).entries()
            kept = [j for j, product in enumerate(products) if product == 0]
            return Generated(generators.select(range(generators.rows), kept))
    assert_never(face)


def why_no_face(face: Face, cone: Cone) -> Objection | None:
    """Return None where the image that ``face`` describes lies in the cone, else why not.

    Sound because ``V R V^T`` is PSD when R is, and a convex cone that contains the columns of G contains ``G z``,
    z >= 0.
    """
    match face:
        case WholeCone():
            return None
        case Congruence(basis):
            fits = isinstance(cone, PositiveSemidefinite) and basis.rows == order(cone) and basis.denominator > 0
            return None if fits else Objection("the basis does not fit the block")
        case Generated(generators):
            if isinstance(cone, PositiveSemidefinite) or generators.rows != order(cone) or generators.denominator <= 0:
                return Objection("the generators do not fit the block")
            columns = generators.numerators.transpose().tolist()
            return next((objection for column in columns if (objection := why_outside(cone, column))), None)
    assert_never(face)


def _why_outside_cone(cone: Cone, element: Element) -> Objection | None:
    match element:
        case Sparse():
            return (
                why_not_psd(element)
                if isinstance(cone, PositiveSemidefinite)
                else why_outside(cone, dense_vector(element))
            )
        case MatrixPoint(symmetric):
            return why_dense_not_psd(symmetric)
        case FactoredPoint(_, added):
            at_sight = all(entry >= 0 for entry in added.numerators.entries())
            return None if at_sight else why_dense_not_psd(dense_matrix(element))
        case VectorPoint(entries):
            return why_outside(cone, entries.numerators.entries())
    assert_never(element)


def _exposed_cone(cone: Cone, element: Element) -> Face | Objection:
    if isinstance(cone, PositiveSemidefinite):
        return _exposed_psd(cone, element)
    vector = _vector(element).entries()
    return WholeCone() if all(entry == 0 for entry in vector) else _exposed_vectors(cone, vector)


def _exposed_psd(cone: PositiveSemidefinite, element: Element) -> Face | Objection:
    if isinstance(element, Sparse) and not element.numerators:
        return WholeCone()
    if cone.size**2 > DENSE_LIMIT:
        return Objection(f"a face of a block of order {cone.size} is too large to write down", None)
    whole = dense_matrix(element)
    return WholeCone() if whole.numerators.is_zero() else Congruence(_kernel(whole))


def _exposed_vectors(cone: Cone, vector: list[fmpz]) -> Face | Objection:
    match cone:
        case Nonnegative(size):
            kept = [i for i, entry in enumerate(vector) if entry == 0]
            if size * len(kept) > DENSE_LIMIT:
                return Objection(f"a face of a block of size {size} is too large to write down", None)
            columns = fmpz_mat(size, len(kept), [fmpz(i == j) for i in range(size) for j in kept])
            return Generated(Matrix(columns, fmpz(1)))
        case SecondOrder():
            return _exposed_ray(vector, [vector[0], *(-entry for entry in vector[1:])])
        case Rotated():
            return _exposed_ray(vector, [vector[1], vector[0], *(-entry for entry in vector[2:])])
        case Zero():
            return WholeCone()
        case _:
            return Objection(f"an exposing vector must vanish on a block of {cone_text(cone)}")


def _exposed_ray(vector: list[fmpz], opposite: list[fmpz]) -> Face:
    """Return what a nonzero element of a quadratic cone leaves: one ray from the boundary, the origin from inside."""
    on_boundary = sum((a * b for a, b in zip(vector, opposite, strict=True)), fmpz(0)) == 0
    columns = fmpz_mat(len(vector), 1, opposite) if on_boundary else fmpz_mat(len(vector), 0)
    return Generated(Matrix(columns, fmpz(1)))


def _kernel(a: Matrix) -> Matrix:
    """Return a basis of the kernel of a matrix, as columns."""
    columns, dimension = a.numerators.nullspace()
    return Matrix(columns, fmpz(1)).select(range(a.columns), range(dimension))


def pulled_back(basis: Matrix, element: Element) -> Matrix:
    """Return ``V^T Z V``, r x r."""
    if isinstance(element, Sparse):
        entries = [(row, column, entry) for (row, column), entry in element.numerators.items()]
        return matrix(restricted(entries, basis.numerators), element.denominator * basis.denominator**2)
    return basis.transpose() @ dense_matrix(element) @ basis


def dense_matrix(element: Element) -> Matrix:
    """Return the symmetric matrix of an element of a PSD block, all of it."""
    match element:
        case MatrixPoint(symmetric):
            return symmetric
        case FactoredPoint(factor, added):
            entries = diagonal(added.numerators.entries()).scaled(fmpq(1, added.denominator))
            return factor @ factor.transpose() + entries
        case Sparse(size, sparse, denominator):
            numerators = fmpz_mat(size, size)
            for (row, column), entry in sparse.items():
                numerators[row, column] = numerators[column, row] = entry
            return matrix(numerators, denominator)
        case VectorPoint():
            raise TypeError("a vector is no matrix")
    assert_never(element)


def _vector(element: Element) -> fmpz_mat:
    """Return the numerators of an element of a vector block, 1 x n."""
    if isinstance(element, Sparse):
        return fmpz_mat(1, element.order, dense_vector(element))
    return vector_of(element).numerators
