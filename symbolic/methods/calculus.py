"""Functions on an interval: equal derivatives and one point; limits."""

from __future__ import annotations

from sympy import Expr, Symbol, nan, oo, zoo

from symbolic.identity import (
    AlgebraOfLimits,
    DifferentiateAndCompare,
    Failed,
    OutsideClass,
    Proved,
    Result,
)
from symbolic.methods.kernels import evaluate_derivatives, residual_of
from symbolic.methods.limits import limit_of
from symbolic.methods.signs import require_defined


def prove_by_derivative(left: Expr, right: Expr, method: DifferentiateAndCompare) -> Result:
    """Compare the derivatives in one variable, and the functions at one point.

    Sound by the mean value theorem: the domain of the variable is an interval on which both sides are defined, hence
    differentiable, and the point belongs to it or is an end that both approach.
    """
    difference = evaluate_derivatives(left - right)
    require_end(method.variable, method.point)
    require_defined(left)
    require_defined(right)
    slope = residual_of(difference.diff(method.variable))
    if slope != 0:
        return Failed(f"derivative: {slope}")
    value = residual_of(value_at(difference, method.variable, method.point))
    if value != 0:
        return Failed(f"at {method.variable} = {method.point}: {value}")
    steps = (
        f"the derivatives in {method.variable} agree by normal form",
        f"both sides agree at {method.variable} = {method.point}",
    )
    return Proved(method.title, steps)


def require_end(variable: Symbol, point: Expr) -> None:
    """Check that a variable ranges over the reals or a half-line from 0, and approaches the point inside it.

    Raises:
        OutsideClass: If it does not.
    """
    half_line = bool(variable.is_nonnegative)
    whole_line = bool(variable.is_real) and variable.is_nonnegative is None and variable.is_nonpositive is None
    if variable.is_integer or not (half_line or whole_line) or (half_line and not point.is_extended_nonnegative):
        raise OutsideClass(f"{variable} does not tend to {point} inside its domain")


def value_at(expr: Expr, variable: Symbol, point: Expr) -> Expr:
    """Return the value of an expression at a point where it is continuous, or its limit at an end of the domain.

    Where every sub-expression has a finite value, every sub-expression is continuous.
    """
    value = expr.xreplace({variable: point})
    if value.has(oo, -oo, zoo, nan):
        return limit_of(expr, variable, point)
    require_defined(value)
    return value


def prove_limit(left: Expr, right: Expr, method: AlgebraOfLimits) -> Result:
    """Compare the limit of the left side with the right side.

    Sound because the limit laws are (see ``limits.limit_of``).
    """
    require_defined(left)
    require_end(method.variable, method.point)
    limit = limit_of(left, method.variable, method.point)
    if {limit, right} & {oo, -oo}:
        agree, residual = limit == right, f"{limit} is not {right}"
    else:
        difference = residual_of(limit - right)
        agree, residual = difference == 0, str(difference)
    steps = (f"the limit of the left side at {method.variable} = {method.point} is {limit}",)
    return Proved(method.title, steps) if agree else Failed(residual)
