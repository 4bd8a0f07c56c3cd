"""The largest value of a PSD form over a box: over all sign vectors, or bounded (theory.md section 2)."""

from __future__ import annotations

from itertools import product

from flint import fmpq, fmpz, fmpz_mat

from certify.checker.enclosure import Enclosure
from certify.checker.exact import Matrix, select_entries

ENUMERATED = 20
"""Up to this size all 2^(n-1) sign vectors are tried."""


def largest_over_signs(form: Matrix) -> Enclosure:
    """Return the maximum of ``v^T form v`` over ``v`` in {-1, 1}^n, beyond n = 20 perhaps only enclosed.

    The form is PSD, so this is the maximum over the whole box [-1, 1]^n too: a convex function is largest at a vertex.
    Where no entry of the form is negative the bound ``sum |form_ij|`` is reached at ``v = (1, ..., 1)``, at any n.

    Sound because no ``v_i v_j form_ij`` exceeds ``|form_ij|``, the mean of ``v^T form v`` over all v is the trace, and
    up to n = 20 every sign vector is tried up to sign.
    """
    entries = form.numerators.entries()
    bound = fmpq(sum((abs(entry) for entry in entries), fmpz(0)), form.denominator)
    if all(entry >= 0 for entry in entries):
        return Enclosure(bound, bound)
    if form.rows > ENUMERATED:
        return Enclosure(form.trace(), bound)
    largest = fmpq(_by_halves(form.numerators), form.denominator)
    return Enclosure(largest, largest)


def _by_halves(form: fmpz_mat) -> fmpz:
    """Try all sign vectors v = (a, b) with a_0 = 1, n >= 2: ``a^T Q a + 2 a^T Q b + b^T Q b`` by a matrix product."""
    half = form.nrows() // 2
    front, back = range(half), range(half, form.nrows())
    heads = [[1, *signs] for signs in product((1, -1), repeat=half - 1)]
    tails = [list(signs) for signs in product((1, -1), repeat=len(back))]
    across = (fmpz_mat(heads) * select_entries(form, front, back)).tolist()
    inside = _own_values(heads, select_entries(form, front, front))
    outside = _own_values(tails, select_entries(form, back, back))
    left = [[2 * entry for entry in row] + [value, fmpz(1)] for row, value in zip(across, inside, strict=True)]
    right = [[*map(fmpz, row), fmpz(1), value] for row, value in zip(tails, outside, strict=True)]
    return max((fmpz_mat(left) * fmpz_mat(right).transpose()).entries())


def _own_values(signs: list[list[int]], form: fmpz_mat) -> list[fmpz]:
    images = (fmpz_mat(signs) * form).tolist()
    return [
        sum((sign * entry for sign, entry in zip(row, image, strict=True)), fmpz(0))
        for row, image in zip(signs, images, strict=True)
    ]
