"""Polynomials and rational functions, and what every equation ends in: a difference that must be zero."""

from __future__ import annotations

from sympy import Expr, Matrix, fraction, together

from symbolic.identity import (
    Cancel,
    ElementaryNormalForm,
    Expand,
    Failed,
    LinearSum,
    MatrixEntries,
    OutsideClass,
    Proved,
    Result,
)
from symbolic.methods.kernels import residual_of
from symbolic.methods.polynomials import expanded_polynomial
from symbolic.methods.signs import require_defined


def prove_expand(left: Expr, right: Expr, method: Expand) -> Result:
    """Expand left - right in the ring of polynomials over the rationals.

    Sound because the ring's arithmetic is exact and its elements have one representation each.
    """
    difference = expanded_polynomial(left) - expanded_polynomial(right)
    return _verdict(expanded_polynomial(difference), method.title, "the difference expands to the zero polynomial")


def prove_cancel(left: Expr, right: Expr, method: Cancel) -> Result:
    """Bring left - right over one denominator and expand the numerator.

    Sound because the denominators of both sides are shown not to vanish, so the fractions are those of numbers.
    """
    require_defined(left)
    require_defined(right)
    numerator, _ = fraction(together(left - right))
    steps = ("no denominator vanishes, by the signs of its terms", "the numerator of the difference expands to zero")
    return _verdict(expanded_polynomial(numerator), method.title, *steps)


def prove_normal_form(left: Expr, right: Expr, method: ElementaryNormalForm | LinearSum) -> Result:
    """Rewrite left - right over generators and expand the numerator.

    Sound because both sides are shown to be defined, and the functions behind the generators may be put back into
    the zero rational function.
    """
    require_defined(left)
    require_defined(right)
    steps = ("both sides are defined, by the signs of their terms", "the normal form of the difference is zero")
    return _verdict(residual_of(left - right), method.title, *steps)


def prove_entries(left: Matrix, right: Matrix, method: MatrixEntries) -> Result:
    """Prove every entry of two matrices equal by the method for entries.

    Raises:
        OutsideClass: If the shapes differ.
    """
    if left.shape != right.shape:
        raise OutsideClass(f"the shapes {left.shape} and {right.shape} differ")
    for place, (a, b) in enumerate(zip(left, right, strict=True)):
        match prove_algebraic(a, b, method.entry):
            case Proved():
                continue
            case Failed(residual):
                row, column = divmod(place, left.shape[1])
                return Failed(f"entry ({row + 1}, {column + 1}): {residual}")
            case undecided:
                return undecided
    rows, columns = left.shape
    return Proved(f"{method.title}: {method.entry.title}", (f"all {rows} x {columns} entries agree",))


def prove_algebraic(left: Expr, right: Expr, method: Expand | Cancel | LinearSum | ElementaryNormalForm) -> Result:
    """Prove an equation between scalars by one of the algebraic methods."""
    match method:
        case Expand():
            return prove_expand(left, right, method)
        case Cancel():
            return prove_cancel(left, right, method)
        case LinearSum() | ElementaryNormalForm():
            return prove_normal_form(left, right, method)


def _verdict(residual: Expr, title: str, *steps: str) -> Result:
    return Proved(title, steps) if residual == 0 else Failed(str(residual))
