"""CBF files, the conic benchmark format, versions 1 to 4, every coefficient read exactly.

Indices count from zero. In the neutral form every scalar or PSD variable of the file is a block of X; a constraint
``F.X + a'x + b in K`` other than an equation has a slack block in K, and a matrix constraint ``sum x_j H_j + D`` PSD
has a slack PSD block, with one equation for each entry of its lower triangle. MAX becomes MIN of the negative. Entries
off the diagonal are given once, in the lower triangle: in FCOORD and OBJFCOORD they count twice in ``<F, X>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from flint import fmpq

from certify.checker.conic.cones import Cone, Free, PositiveSemidefinite, Zero
from certify.checker.conic.problem import Coefficient, ConicProblem, SourceValue, block, row_vector
from certify.checker.domains import Reading
from certify.checker.statements.cbf_sections import (
    CbfFile,
    Segment,
    counted_lines,
    entries,
    natural,
    power_cones,
    read_sections,
    segments,
    single_word,
    sizes,
    triangle_entries,
)
from certify.checker.statements.malformed import MalformedStatement
from certify.checker.statements.words import ProblemStatement, malformed, number

EQUATION_LIMIT = 1_000_000
VERSIONS = ("1", "2", "3", "4")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a scalar variable stands in X: block, coordinate, and the sign it has there."""

    block: int
    coordinate: int
    sign: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the variables and constraints of a file map to blocks and equations of the neutral form.

    Attributes:
        variables: VAR, one block each, then come the blocks of ``matrices``, ``slacks`` and ``matrix_slacks``.
        matrices: The orders in PSDVAR.
        constraints: CON.
        matrix_constraints: The orders in PSDCON.
        equations: For each scalar constraint its equation, None where it is free.
        first_matrix_equation: For each matrix constraint the equation of its entry (0, 0).
        equation_count: m.
    """

    variables: list[Segment]
    matrices: list[int]
    constraints: list[Segment]
    matrix_constraints: list[int]
    equations: list[int | None]
    first_matrix_equation: list[int]
    equation_count: int

    @property
    def slacks(self) -> list[Segment]:
        """The constraints that have a slack block."""
        return [segment for segment in self.constraints if not isinstance(segment.cone, Free | Zero)]

    def place_of_variables(self) -> list[_Place]:
        """Return where each scalar variable stands."""
        return [
            _Place(index, segment.coordinate(position), segment.sign)
            for index, segment in enumerate(self.variables)
            for position in range(segment.size)
        ]

    def matrix_equation(self, constraint: int, row: int, column: int) -> int:
        """Return the equation of the entry (row, column), row >= column, of a matrix constraint."""
        return self.first_matrix_equation[constraint] + row * (row + 1) // 2 + column


def read_cbf(data: bytes, name: str, reading: Reading = Reading.DECIMAL) -> ProblemStatement:
    """Return the conic program in the bytes of a CBF file.

    Args:
        data: The bytes of the file.
        name: Its name, for messages.
        reading: Whether numbers are the decimals they spell or the binary64 numbers nearest to them.

    Raises:
        MalformedStatement: If the file is no such program, has integer variables, or gives a place twice; the
            exception names line, column, value and remedy. No other exception is raised for any bytes.
    """
    file = read_sections(data, name, reading)
    _require_supported(file)
    flip = 1 if _one_of(file, "OBJSENSE", ("MIN", "MAX")) == "MIN" else -1
    layout = _layout(file)
    parts: list[list[Coefficient]] = [[] for _ in _cones(layout)]
    count = 0
    for index, coefficient in _coefficients(file, layout, flip):
        parts[index].append(coefficient)
        count += 1
    for index, coefficient in _slack_coefficients(layout):
        parts[index].append(coefficient)
    right_hand_side, constants = _right_hand_side(file, layout)
    word = single_word(file, "OBJBCOORD")
    offset = fmpq(0) if word is None else flip * number(word, name, reading)
    blocks = tuple(block(cone, part) for cone, part in zip(_cones(layout), parts, strict=True))
    value = SourceValue.SAME if flip == 1 else SourceValue.NEGATED
    problem = ConicProblem(reading, value, blocks, row_vector(right_hand_side), offset)
    return ProblemStatement(problem, count + constants + (word is not None), ())


def _require_supported(file: CbfFile) -> None:
    _one_of(file, "VER", VERSIONS)
    if "CHANGE" in file.sections:
        raise malformed(file.name, file.sections["CHANGE"].keyword, "starts a second problem; give one file for each")
    (integers,), _ = counted_lines(file, "INT")
    if natural(file, integers, "a count") > 0:
        remedy = "integer variables are announced, which no bound here respects; remove INT to bound the relaxation"
        raise malformed(file.name, integers, remedy)


def _one_of(file: CbfFile, keyword: str, choices: tuple[str, ...]) -> str:
    word = single_word(file, keyword)
    if word is None:
        raise MalformedStatement(file.name, "", f"the section {keyword} is missing; the file is cut off or no CBF file")
    if word.text not in choices:
        raise malformed(file.name, word, f"stands under {keyword} where one of {', '.join(choices)} is expected")
    return word.text


def _layout(file: CbfFile) -> _Layout:
    powers = power_cones(file)
    constraints, orders = segments(file, "CON", powers), sizes(file, "PSDCON")
    total = sum(segment.size for segment in constraints) + sum(n * (n + 1) // 2 for n in orders)
    if total > EQUATION_LIMIT:
        raise MalformedStatement(file.name, "", f"{total} scalar equations are more than {EQUATION_LIMIT}")
    equations: list[int | None] = []
    count = 0
    for segment in constraints:
        is_free = isinstance(segment.cone, Free)
        equations += [None if is_free else count + 1 + position for position in range(segment.size)]
        count += 0 if is_free else segment.size
    starts = list(accumulate((n * (n + 1) // 2 for n in orders), initial=count + 1))
    variables, matrices = segments(file, "VAR", powers), sizes(file, "PSDVAR")
    if sum(segment.size for segment in variables) > EQUATION_LIMIT:
        raise MalformedStatement(file.name, "", f"there are more than {EQUATION_LIMIT} scalar variables")
    return _Layout(variables, matrices, constraints, orders, equations, starts[:-1], starts[-1] - 1)


def _cones(layout: _Layout) -> list[Cone]:
    """Return the cones of X in order: scalar variables, PSD variables, slacks, PSD slacks."""
    return [
        *(segment.cone for segment in layout.variables),
        *map(PositiveSemidefinite, layout.matrices),
        *(segment.cone for segment in layout.slacks),
        *map(PositiveSemidefinite, layout.matrix_constraints),
    ]


def _coefficients(file: CbfFile, layout: _Layout, flip: int) -> Iterator[tuple[int, Coefficient]]:
    """Yield every coefficient of a variable of the file, with its block."""
    places, first = layout.place_of_variables(), len(layout.variables)
    scalars, rows, matrices = len(places), len(layout.equations), len(layout.matrices)
    for entry in entries(file, "OBJACOORD", (scalars,)):
        yield _scalar(places[entry.indices[0]], 0, flip * entry.value)
    for entry in triangle_entries(file, "OBJFCOORD", (matrices,), layout.matrices):
        which, row, column = entry.indices
        yield first + which, (0, row, column, flip * entry.value)
    for entry in entries(file, "ACOORD", (rows, scalars)):
        equation = layout.equations[entry.indices[0]]
        if equation is not None:
            yield _scalar(places[entry.indices[1]], equation, entry.value)
    for entry in triangle_entries(file, "FCOORD", (rows, matrices), layout.matrices):
        constraint, which, row, column = entry.indices
        equation = layout.equations[constraint]
        if equation is not None:
            yield first + which, (equation, row, column, entry.value)
    orders = layout.matrix_constraints
    for entry in triangle_entries(file, "HCOORD", (len(orders), scalars), orders):
        constraint, variable, row, column = entry.indices
        yield _scalar(places[variable], layout.matrix_equation(constraint, row, column), entry.value)


def _scalar(place: _Place, equation: int, value: fmpq) -> tuple[int, Coefficient]:
    return place.block, (equation, place.coordinate, place.coordinate, place.sign * value)


def _slack_coefficients(layout: _Layout) -> Iterator[tuple[int, Coefficient]]:
    """Yield minus the slack in each equation that has one; an entry off the diagonal counts twice in a product."""
    index = len(layout.variables) + len(layout.matrices)
    equation = 0
    for segment in layout.constraints:
        if isinstance(segment.cone, Free):
            continue
        if isinstance(segment.cone, Zero):
            equation += segment.size
            continue
        for position in range(segment.size):
            equation += 1
            where = segment.coordinate(position)
            yield index, (equation, where, where, fmpq(-segment.sign))
        index += 1
    for constraint, size in enumerate(layout.matrix_constraints):
        for row in range(size):
            for column in range(row + 1):
                value = fmpq(-1) if row == column else fmpq(-1, 2)
                yield index + constraint, (layout.matrix_equation(constraint, row, column), row, column, value)


def _right_hand_side(file: CbfFile, layout: _Layout) -> tuple[list[fmpq], int]:
    """Return b, minus the constants of the constraints, and how many constants the file gives."""
    b = [fmpq(0)] * layout.equation_count
    scalars = entries(file, "BCOORD", (len(layout.equations),))
    for entry in scalars:
        equation = layout.equations[entry.indices[0]]
        if equation is not None:
            b[equation - 1] = -entry.value
    orders = layout.matrix_constraints
    matrices = triangle_entries(file, "DCOORD", (len(orders),), orders)
    for entry in matrices:
        constraint, row, column = entry.indices
        b[layout.matrix_equation(constraint, row, column) - 1] = -entry.value
    return b, len(scalars) + len(matrices)
