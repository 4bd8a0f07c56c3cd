"""A conic program restricted to faces: again a conic program, smaller, with interior where the faces are least.

Side (P): X in ``V R V^T`` or ``G z``, so that the coefficients become ``V^T A V`` and ``G^T a``; y keeps its meaning.
Side (D): the slack in such a face; in coordinates where the face is a corner of the block, the rest of the slack
must vanish, so the rest of X becomes free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from certify.certificates.conic.affine import pivot_order
from certify.certificates.conic.dyadic import float_matrix
from certify.checker.conic.cones import Free, Nonnegative, PositiveSemidefinite, order
from certify.checker.conic.faces import dense_matrix
from certify.checker.conic.linear import Sparse, vector_of
from certify.checker.conic.problem import Block, Coefficient, ConicProblem, block
from certify.checker.conic.witnesses import BlockPoint, Congruence, Face, Generated, MatrixPoint, VectorPoint, WholeCone
from certify.checker.exact import Matrix, matrix, matrix_of_fractions, select_entries

KEPT_BITS = 60


def restricted_primal(problem: ConicProblem, faces: Sequence[Face]) -> ConicProblem:
    """Return side (P) in the coordinates of the faces; a face that is the origin leaves no block."""
    blocks = []
    for part, face in zip(problem.blocks, faces, strict=True):
        match face:
            case WholeCone():
                blocks.append(part)
            case Congruence(basis) if basis.columns:
                blocks.append(_congruent(part, basis.transpose(), PositiveSemidefinite(basis.columns)))
            case Generated(generators) if generators.columns:
                blocks.append(_combined(part, generators))
            case _:
                continue
    return ConicProblem(problem.reading, problem.source_value, tuple(blocks), problem.right_hand_side, problem.offset)


def tidied(faces: Sequence[Face]) -> tuple[Face, ...]:
    """Return the same faces with bases that are the identity on some of their rows, so that their entries are small."""
    return tuple(Congruence(_reduced(face.basis)) if isinstance(face, Congruence) else face for face in faces)


def _reduced(basis: Matrix) -> Matrix:
    """Return the basis of the span of columns that is the identity on well-conditioned pivot rows."""
    rank = basis.columns
    if not rank:
        return basis
    columns = basis.numerators.transpose().tolist()
    shifts = [max(0, max(entry.bit_length() for entry in column) - KEPT_BITS) for column in columns]
    floats = np.array([[float(int(e >> s)) for e in c] for c, s in zip(columns, shifts, strict=True)])
    pivots = sorted(pivot_order(floats / np.linalg.norm(floats, axis=1)[:, None])[:rank])
    corner = fmpq_mat(select_entries(basis.numerators, pivots, range(rank)))
    integers, denominator = corner.transpose().solve(fmpq_mat(basis.numerators.transpose())).numer_denom()
    return matrix(integers.transpose(), denominator)


def restored_faces(faces: Sequence[Face], parts: Sequence[BlockPoint]) -> tuple[BlockPoint, ...]:
    """Return the blocks of a point of the restricted program, those without coordinates put back as empty ones."""
    given = iter(parts)
    restored: list[BlockPoint] = []
    for face in faces:
        match face:
            case Congruence(basis) if not basis.columns:
                restored.append(MatrixPoint(Matrix(fmpz_mat(0, 0), fmpz(1))))
            case Generated(generators) if not generators.columns:
                restored.append(VectorPoint(Matrix(fmpz_mat(1, 0), fmpz(1))))
            case _:
                restored.append(next(given))
    return tuple(restored)


@dataclass(frozen=True, slots=True)
class DualRestriction:
    """Side (D) with the slack confined to faces of K*.

    Attributes:
        problem: The restricted program. Each confined block became a corner block and a free block, in this order,
            either left out where it is empty.
        faces: The faces, one for each block of the original.
        frames: For a block confined to ``V R V^T`` the inverse of an invertible ``[V, U]``, else None.
    """

    problem: ConicProblem
    faces: tuple[Face, ...]
    frames: tuple[Matrix | None, ...]


def restricted_dual(problem: ConicProblem, faces: Sequence[Face]) -> DualRestriction:
    """Return side (D) with its slack confined to the faces."""
    blocks: list[Block] = []
    frames: list[Matrix | None] = []
    for part, face in zip(problem.blocks, faces, strict=True):
        frame = None
        match face:
            case WholeCone():
                blocks.append(part)
            case Congruence(basis):
                frame = _frame(basis)
                blocks += _corner(_congruent(part, frame, PositiveSemidefinite(basis.rows)), basis.columns)
            case Generated(generators):
                blocks += _supported(part, _support(generators))
        frames.append(frame)
    restricted = ConicProblem(
        problem.reading, problem.source_value, tuple(blocks), problem.right_hand_side, problem.offset
    )
    return DualRestriction(restricted, tuple(faces), tuple(frames))


def restored_point(
    original: ConicProblem, restriction: DualRestriction, parts: Sequence[BlockPoint]
) -> tuple[BlockPoint, ...]:
    """Return the X of the original program that a point of the restricted one stands for."""
    given = iter(parts)
    restored: list[BlockPoint] = []
    for part, face, frame in zip(original.blocks, restriction.faces, restriction.frames, strict=True):
        size = order(part.cone)
        match face:
            case WholeCone():
                restored.append(next(given))
            case Congruence(basis):
                local = _assembled(size, basis.columns, given)
                restored.append(MatrixPoint(frame.transpose() @ local @ frame if frame is not None else local))
            case Generated(generators):
                restored.append(_spread(size, _support(generators), given))
    return tuple(restored)


def _congruent(part: Block, left: Matrix, cone: PositiveSemidefinite) -> Block:
    """Return the block with the coefficients ``L A L^T``."""
    lists: dict[int, dict[tuple[int, int], fmpz]] = {}
    for constraint, row, column, numerator in part.entries():
        lists.setdefault(constraint, {})[row, column] = numerator
    coefficients: list[Coefficient] = []
    for constraint, entries in lists.items():
        reached = sorted({index for where in entries for index in where})
        place = {index: k for k, index in enumerate(reached)}
        small = Sparse(
            len(reached), {(place[i], place[j]): v for (i, j), v in entries.items()}, part.values.denominator
        )
        thin = left.select(range(left.rows), reached)
        image = thin @ dense_matrix(small) @ thin.transpose()
        rows = image.numerators.tolist()
        coefficients += [
            (constraint, i, j, fmpq(rows[i][j], image.denominator))
            for i in range(len(rows))
            for j in range(i + 1)
            if rows[i][j] != 0
        ]
    return block(cone, coefficients)


def _combined(part: Block, generators: Matrix) -> Block:
    sums: dict[tuple[int, int], fmpq] = {}
    for constraint, row, _, numerator in part.entries():
        for j in range(generators.columns):
            if (weight := generators.numerators[row, j]) != 0:
                value = fmpq(numerator * weight, part.values.denominator * generators.denominator)
                sums[constraint, j] = sums.get((constraint, j), fmpq(0)) + value
    return block(Nonnegative(generators.columns), [(k, j, j, value) for (k, j), value in sums.items()])


def _frame(basis: Matrix) -> Matrix:
    """Return the inverse of ``[V, U]``, U the unit vectors of the rows that V does not need as pivots."""
    size, rank = basis.rows, basis.columns
    pivots = set(pivot_order(float_matrix(basis).T)[:rank]) if rank else set()
    rest = [i for i in range(size) if i not in pivots]
    whole = fmpq_mat(size, size)
    for i in range(size):
        for j in range(rank):
            whole[i, j] = basis.entry(i, j)
    for j, i in enumerate(rest):
        whole[i, rank + j] = 1
    integers, denominator = whole.inv().numer_denom()
    return matrix(integers, denominator)


def _corner(part: Block, rank: int) -> list[Block]:
    """Split a PSD block into its leading corner and a free vector of the other entries of the lower triangle."""
    size = order(part.cone)
    corner: list[Coefficient] = []
    rest: list[Coefficient] = []
    for constraint, row, column, numerator in part.entries():
        value = fmpq(numerator, part.values.denominator)
        if row < rank:
            corner.append((constraint, row, column, value))
        else:
            place = _rest_place(row, column, rank)
            rest.append((constraint, place, place, value if row == column else 2 * value))
    count = size * (size + 1) // 2 - rank * (rank + 1) // 2
    blocks = [block(PositiveSemidefinite(rank), corner)] if rank else []
    return [*blocks, block(Free(count), rest)] if count else blocks


def _rest_place(row: int, column: int, rank: int) -> int:
    return row * (row + 1) // 2 + column - rank * (rank + 1) // 2


def _assembled(size: int, rank: int, given: Iterator[BlockPoint]) -> Matrix:
    """Return the matrix of a corner block and a free block, either absent where it is empty."""
    corner = _matrix_of(next(given)) if rank else matrix(fmpz_mat(0, 0))
    rest = vector_of(next(given)) if rank < size else matrix(fmpz_mat(1, 0))

    def entry(i: int, j: int) -> fmpq:
        if i < rank and j < rank:
            return corner.entry(i, j)
        return rest.entry(0, _rest_place(max(i, j), min(i, j), rank))

    return matrix_of_fractions([[entry(i, j) for j in range(size)] for i in range(size)], size)


def _matrix_of(part: BlockPoint) -> Matrix:
    if isinstance(part, VectorPoint):
        raise TypeError("a vector is no matrix")
    return dense_matrix(part)


def _support(generators: Matrix) -> list[int]:
    """Return the coordinates that unit generators span."""
    return [
        i for i in range(generators.rows) if any(generators.numerators[i, j] != 0 for j in range(generators.columns))
    ]


def _supported(part: Block, support: list[int]) -> list[Block]:
    """Split a nonnegative block into its supported entries and a free vector of the others."""
    size = order(part.cone)
    rest = [i for i in range(size) if i not in set(support)]
    place = {index: k for group in (support, rest) for k, index in enumerate(group)}
    groups: dict[bool, list[Coefficient]] = {True: [], False: []}
    for constraint, row, _, numerator in part.entries():
        value = fmpq(numerator, part.values.denominator)
        groups[row in set(support)].append((constraint, place[row], place[row], value))
    blocks = [block(Nonnegative(len(support)), groups[True])] if support else []
    return [*blocks, block(Free(len(rest)), groups[False])] if rest else blocks


def _spread(size: int, support: list[int], given: Iterator[BlockPoint]) -> VectorPoint:
    kept = vector_of(next(given)) if support else matrix(fmpz_mat(1, 0))
    rest = vector_of(next(given)) if len(support) < size else matrix(fmpz_mat(1, 0))
    values = [fmpq(0)] * size
    for k, index in enumerate(support):
        values[index] = kept.entry(0, k)
    for k, index in enumerate(i for i in range(size) if i not in set(support)):
        values[index] = rest.entry(0, k)
    return VectorPoint(matrix_of_fractions([values], size))
