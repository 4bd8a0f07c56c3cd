"""Solution files for SDPA problems: result files of the SDPA family and solution files of CSDP, every digit kept.

SDPA names the primal what is side (D) here: ``xVec`` is -y, ``xMat`` the slack, ``yMat`` is X. CSDP's file has -y in
its first line, then entries ``1 block i j value`` of the slack and ``2 block i j value`` of X, upper triangle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flint import fmpq

from certify.certificates.conic.given import GivenPoint
from certify.certificates.importers.standard import ImportFailed
from certify.checker.conic.cones import Cone, PositiveSemidefinite, order
from certify.checker.conic.problem import Block, ConicProblem, row_vector
from certify.checker.exact import Matrix, matrix_of_fractions, parse_rational, shown

_SECTIONS = ("xVec", "xMat", "yMat")
_SECTION = re.compile(r"^\s*(xVec|xMat|yMat)\s*=", re.MULTILINE)
_SEPARATORS = re.compile(r"[\s{},()]+")


def read_sdpa_result(text: str, problem: ConicProblem) -> GivenPoint:
    """Return the point that a result file of SDPA, SDPA-GMP, -DD or -QD prints.

    Args:
        text: The whole file, log included.
        problem: The program that the SDPA problem file states.

    Raises:
        ImportFailed: If a section is missing, has another number of entries than the problem, or a word is no number.
    """
    sections = _sections(text)
    y = [-value for value in _numbers(sections["xVec"], problem.constraint_count, "xVec")]
    return GivenPoint(
        _blocks(sections["yMat"], problem, "yMat"), row_vector(y), _blocks(sections["xMat"], problem, "xMat")
    )


def read_csdp_solution(text: str, problem: ConicProblem) -> GivenPoint:
    """Return the point that a solution file of CSDP holds.

    Args:
        text: The whole file.
        problem: The program that the SDPA problem file states.

    Raises:
        ImportFailed: If the first line has another number of entries than the problem has constraints, or a later
            line is no entry of a block; the message names the line.
    """
    first, *rest = text.splitlines() or [""]
    y = [-value for value in _numbers(first, problem.constraint_count, "line 1")]
    sizes = [order(part.cone) for part in problem.blocks]
    tables: dict[int, list[dict[tuple[int, int], fmpq]]] = {1: [{} for _ in sizes], 2: [{} for _ in sizes]}
    for number, line in enumerate(rest, 2):
        if line.strip():
            which, block, i, j, value = _entry(line, number, sizes)
            tables[which][block][max(i, j), min(i, j)] = value
    slack, x = (tuple(map(_filled, problem.blocks, tables[which])) for which in (1, 2))
    return GivenPoint(x, row_vector(y), slack)


def _sections(text: str) -> dict[str, str]:
    found = list(_SECTION.finditer(text))
    starts = [match.start() for match in found] + [len(text)]
    sections = {match[1]: text[match.end() : end] for match, end in zip(found, starts[1:], strict=True)}
    missing = [name for name in _SECTIONS if name not in sections]
    if missing:
        raise ImportFailed(f"the file has no section {missing[0]}; let SDPA print it (xPrint, XPrint, YPrint)")
    return {name: _braced(section) for name, section in sections.items()}


def _braced(section: str) -> str:
    """Return a section up to the brace that closes it."""
    depth = 0
    for index, character in enumerate(section):
        depth += (character == "{") - (character == "}")
        if character == "}" and depth == 0:
            return section[:index]
    raise ImportFailed("the file ends inside a section; it was cut off")


def _numbers(text: str, count: int, where: str) -> list[fmpq]:
    words = [word for word in _SEPARATORS.split(text) if word]
    if len(words) != count:
        raise ImportFailed(
            f"{where} has {len(words)} numbers where the problem has {count}; is it for another problem?"
        )
    return [_number(word, where) for word in words]


def _number(word: str, where: str) -> fmpq:
    try:
        return parse_rational(word)
    except ValueError:
        raise ImportFailed(f"{where}: {shown(word)} is no number") from None


def _blocks(text: str, problem: ConicProblem, where: str) -> tuple[Matrix, ...]:
    counts = [_count(part.cone) for part in problem.blocks]
    values = iter(_numbers(text, sum(counts), where))
    return tuple(
        _full(values, order(part.cone)) if part.is_matrix else row_vector([next(values) for _ in range(count)])
        for part, count in zip(problem.blocks, counts, strict=True)
    )


def _count(cone: Cone) -> int:
    return cone.size**2 if isinstance(cone, PositiveSemidefinite) else order(cone)


def _full(values: Iterator[fmpq], size: int) -> Matrix:
    """Return the symmetric part of the matrix with the given rows."""
    rows = [[next(values) for _ in range(size)] for _ in range(size)]
    return matrix_of_fractions([[(rows[i][j] + rows[j][i]) / 2 for j in range(size)] for i in range(size)], size)


def _entry(line: str, number: int, sizes: list[int]) -> tuple[int, int, int, int, fmpq]:
    words = line.split()
    where = f"line {number}"
    if len(words) != 5 or not all(re.fullmatch(r"[0-9]{1,9}", word) for word in words[:4]):
        raise ImportFailed(f"{where}: {shown(line)} is no entry 'k block i j value'")
    which, block, i, j = (int(word) for word in words[:4])
    if which not in (1, 2) or not 1 <= block <= len(sizes) or not 1 <= min(i, j) <= max(i, j) <= sizes[block - 1]:
        raise ImportFailed(f"{where}: {shown(line)} lies outside the blocks of the problem")
    return which, block - 1, i - 1, j - 1, _number(words[4], where)


def _filled(part: Block, entries: dict[tuple[int, int], fmpq]) -> Matrix:
    size, zero = order(part.cone), fmpq(0)
    if not part.is_matrix:
        return row_vector([entries.get((i, i), zero) for i in range(size)])
    return matrix_of_fractions(
        [[entries.get((max(i, j), min(i, j)), zero) for j in range(size)] for i in range(size)], size
    )
