"""Exact solutions near targets, and the sparse choice of independent rows."""

from __future__ import annotations

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from certify.certificates.conic.affine import independent_rows, on_grid, solved, solved_sparse
from certify.checker.exact import matrix_of_fractions

SMALL = st.integers(-4, 4)


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """Integer equations with an integer solution."""
    columns = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(SMALL, min_size=columns, max_size=columns), min_size=1, max_size=5))
    return rows, draw(st.lists(SMALL, min_size=columns, max_size=columns))


@given(systems(), st.integers(0, 12))
def test_a_solvable_system_is_solved_exactly(system: tuple[list[list[int]], list[int]], bits: int) -> None:
    rows, solution = system
    wanted = [fmpq(v) for v in solution]
    equations = matrix_of_fractions([[fmpq(v) for v in row] for row in rows], len(solution))
    right = matrix_of_fractions([[fmpq(sum(a * b for a, b in zip(row, solution, strict=True)))] for row in rows], 1)
    reduced = solved(equations, right)
    assert reduced is not None
    target = [v + fmpq(1, 3) for v in wanted]
    assert (equations @ reduced.near(target, bits).transpose()) == right
    # A target that is a solution on the grid comes back itself.
    assert reduced.near([fmpq(v) for v in solution], bits) == matrix_of_fractions(
        [[fmpq(v) for v in solution]], len(solution)
    )


def test_contradicting_equations_have_no_solution() -> None:
    equations = matrix_of_fractions([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(4)]], 2)
    assert solved(equations, matrix_of_fractions([[fmpq(1)], [fmpq(3)]], 1)) is None
    assert solved(equations, matrix_of_fractions([[fmpq(1)], [fmpq(2)]], 1)) is not None


def test_sparse_rows_of_any_number_span_what_they_should() -> None:
    rows = [{0: fmpq(1), 1: fmpq(1)}, {1: fmpq(1), 2: fmpq(-1)}, {0: fmpq(1), 1: fmpq(2), 2: fmpq(-1)}, {}]
    assert len(independent_rows(rows, 4)) == 2
    reduced = solved_sparse(rows, [fmpq(1), fmpq(0), fmpq(1), fmpq(0)], 4)
    assert reduced is not None
    found = reduced.near([fmpq(0), fmpq(5), fmpq(5), fmpq(7, 2)], 1)
    assert found.entry(0, 0) + found.entry(0, 1) == 1
    assert found.entry(0, 1) == found.entry(0, 2)
    assert found.entry(0, 3) == fmpq(7, 2)


@given(st.fractions(), st.integers(0, 40))
def test_the_grid_rounds_to_the_nearest(value: object, bits: int) -> None:
    exact = fmpq(value.numerator, value.denominator)  # type: ignore[attr-defined]
    rounded = on_grid(exact, bits)
    assert abs(rounded - exact) <= fmpq(1, 2 ** (bits + 1))
    assert (rounded * 2**bits).q == 1
