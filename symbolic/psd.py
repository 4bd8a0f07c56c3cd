"""Positive semidefiniteness by exact arithmetic: one LDL step, refuting directions, diagonal dominance."""

from __future__ import annotations

from itertools import product

from sympy import Integer, symbols

from symbolic.identity import Cancel, Identity, NonnegativeForm, Relation, WordRewriting
from symbolic.words import Blocks, identity_matrix, letter, letter_of, number, zero

SECTION = "theory.md section 5"

# One step of LDL: pivot a with inverse a_inv, the rest v of its column, the remaining block B.
a, a_inv = (letter(name, "1", "1", symmetric=True) for name in ("a", "a_inv"))
v = letter("v", "d", "1")
B = letter("B", symmetric=True)
I = identity_matrix()  # noqa: E741 the paper's letter
UNIT_LOWER = Blocks(((number(1), zero("1", "d")), (v * a_inv, I)))
PIVOT = Blocks(((a, zero("1", "d")), (zero("d", "1"), B - v * a_inv * v.T)))

entry, corner, pull = symbols("v b t", real=True)
nonzero = symbols("v", positive=True)

# Diagonal dominance: diagonal entries exceed the absolute values in their row by nonnegative amounts.
sizes = {pair: symbols(f"m{pair[0]}{pair[1]}", nonnegative=True) for pair in ((1, 2), (1, 3), (2, 3))}
margins = symbols("e1:4", nonnegative=True)
vector = symbols("x1:4", real=True)


def dominance(signs: tuple[int, ...]) -> Identity:
    """Return the quadratic form of a diagonally dominant matrix with the given signs above its diagonal."""
    signed = dict(zip(sizes, signs, strict=True))
    mixed = sum(2 * signed[j, k] * size * vector[j - 1] * vector[k - 1] for (j, k), size in sizes.items())
    squares = sum(
        (margin + sum(size for pair, size in sizes.items() if place in pair)) * x**2
        for place, (margin, x) in enumerate(zip(margins, vector, strict=True), start=1)
    )
    form = sum(size * (vector[j - 1] + signed[j, k] * vector[k - 1]) ** 2 for (j, k), size in sizes.items())
    shown = "".join("+" if sign > 0 else "-" for sign in signs)
    return Identity(
        f"a diagonally dominant matrix is PSD, d = 3, signs {shown}",
        SECTION,
        squares + mixed,
        Integer(0),
        NonnegativeForm(form + sum(margin * x**2 for margin, x in zip(margins, vector, strict=True))),
        Relation.AT_LEAST,
    )


IDENTITIES = (
    Identity(
        "one step of LDL, any d",
        SECTION,
        Blocks(((a, v.T), (v, B))),
        UNIT_LOWER * PIVOT * UNIT_LOWER.T,
        WordRewriting(inverses=((letter_of(a), letter_of(a_inv)),)),
    ),
    Identity(
        "zero pivot, nonzero column: a direction with value -1",
        SECTION,
        2 * pull * nonzero + corner,
        Integer(-1),
        Cancel(),
        where=((pull, -(corner + 1) / (2 * nonzero)),),
    ),
    *(dominance(signs) for signs in product((1, -1), repeat=3)),
)
