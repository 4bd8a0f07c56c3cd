"""Small conic programs for tests, and short ways to write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from flint import fmpq

from certify.checker.conic.cones import Cone, Nonnegative, PositiveSemidefinite
from certify.checker.conic.problem import Block, ConicProblem, SourceValue, block, row_vector
from certify.checker.conic.witnesses import BlockPoint, DualPoint, MatrixPoint, PrimalPoint, VectorPoint
from certify.checker.domains import Reading
from certify.checker.exact import Matrix, matrix_of_fractions, parse_rational
from certify.checker.verdict import Obligation

CASES = Path(__file__).resolve().parents[2] / "data" / "conic-cases.jsonl"

Number: TypeAlias = int | str | fmpq
Table: TypeAlias = Sequence[Sequence[Number]]


def number(value: Number) -> fmpq:
    """An integer, or a rational as text."""
    return value if isinstance(value, fmpq) else parse_rational(str(value))


def row(*values: Number) -> Matrix:
    return row_vector([number(value) for value in values])


def square(table: Table) -> Matrix:
    return matrix_of_fractions([[number(value) for value in line] for line in table], len(table[0]) if table else 0)


def vector(*values: Number) -> VectorPoint:
    return VectorPoint(row(*values))


def symmetric(*lines: Sequence[Number]) -> MatrixPoint:
    return MatrixPoint(square(lines))


def dual(*values: Number, exposures: Sequence[Matrix] = ()) -> DualPoint:
    return DualPoint(tuple(exposures), row(*values))


def primal(*blocks: BlockPoint, exposures: Sequence[tuple[BlockPoint, ...]] = ()) -> PrimalPoint:
    return PrimalPoint(tuple(exposures), blocks)


def problem(blocks: Sequence[Block], right_hand_side: Sequence[Number], offset: Number = 0) -> ConicProblem:
    b = row_vector([number(value) for value in right_hand_side])
    return ConicProblem(Reading.DECIMAL, SourceValue.SAME, tuple(blocks), b, number(offset))


def matrix_block(*matrices: Table) -> Block:
    """A PSD block from C, A_1, A_2, ... written out."""
    size = len(matrices[0])
    return block(
        PositiveSemidefinite(size),
        [(k, i, j, number(m[i][j])) for k, m in enumerate(matrices) for i in range(size) for j in range(i + 1)],
    )


def vector_block(cone: Cone, *vectors: Sequence[Number]) -> Block:
    """A block of vectors from c, a_1, a_2, ... written out."""
    return block(cone, [(k, i, i, number(value)) for k, v in enumerate(vectors) for i, value in enumerate(v)])


def failed(obligations: Sequence[Obligation]) -> list[str]:
    return [obligation.name for obligation in obligations if not obligation.holds]


def proved(obligations: Sequence[Obligation]) -> bool:
    return bool(obligations) and not failed(obligations)


def cases() -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())}


def case_problem(data: dict[str, Any]) -> ConicProblem:
    """The neutral form of a case: ``{blocks, C, A, b}``, or of the LMI ``F0 + sum x_i F_i`` PSD with y = x."""
    if "F0" not in data:
        return written_out(data["blocks"], [data["C"], *data["A"]], data["b"], SourceValue.SAME)
    negated = [[negative(m) for m in f] for f in data["F"]]
    return written_out(data["blocks"], [data["F0"], *negated], negative([data["c"]])[0], SourceValue.NEGATED)


def written_out(
    sizes: Sequence[int], matrices: Sequence[Sequence[Table]], b: Sequence[Number], value: SourceValue
) -> ConicProblem:
    """A program from C, A_1, ... given block by block as tables, a negative size for a diagonal block."""
    blocks = [
        matrix_block(*[m[k] for m in matrices])
        if size > 0
        else vector_block(Nonnegative(-size), *[diagonal_of(m[k]) for m in matrices])
        for k, size in enumerate(sizes)
    ]
    return ConicProblem(Reading.DECIMAL, value, tuple(blocks), row(*b), fmpq(0))


def case_point(sizes: Sequence[int], tables: Sequence[Table]) -> tuple[BlockPoint, ...]:
    return tuple(
        MatrixPoint(square(table)) if size > 0 else VectorPoint(row(*diagonal_of(table)))
        for size, table in zip(sizes, tables, strict=True)
    )


def diagonal_of(table: Table) -> list[Number]:
    return [table[i][i] for i in range(len(table))]


def negative(table: Table) -> list[list[fmpq]]:
    return [[-number(value) for value in line] for line in table]
