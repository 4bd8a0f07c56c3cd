"""Integrals over the whole line: moments, parts, odd integrands, and derivatives under the integral sign."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import (
    Add,
    Derivative,
    Expr,
    Integer,
    Integral,
    Mul,
    Poly,
    Pow,
    Rational,
    Subs,
    Symbol,
    cosh,
    erf,
    erfc,
    exp,
    factorial2,
    log,
    oo,
    pi,
    sqrt,
    tanh,
)
from sympy.core.function import AppliedUndef

from symbolic.identity import (
    Failed,
    GaussianMoments,
    IntegrateByParts,
    OddIntegrand,
    OutsideClass,
    Proved,
    Result,
)
from symbolic.methods.calculus import require_end
from symbolic.methods.kernels import differentiate, residual_of
from symbolic.methods.limits import limit_of
from symbolic.methods.signs import Sign, require_defined, sign_of


@dataclass(frozen=True, slots=True)
class Split:
    """A side as ``outside`` plus the integral of ``inside`` over the whole line."""

    outside: Expr
    inside: Expr


def split_side(side: Expr, variable: Symbol) -> Split:
    """Write a side as a term without integrals plus one integral, by linearity.

    A derivative in front of an integral is carried out on the integrand; that is allowed because both the integrand
    and its derivative are dominated (see ``require_dominated``), locally uniformly in the parameter.

    Raises:
        OutsideClass: If the side is not linear in integrals over the whole line, or one is not dominated.
    """
    if not side.has(Integral):
        return Split(side, Integer(0))
    match side:
        case Integral():
            return _split_integral(side, variable)
        case Add():
            parts = [split_side(term, variable) for term in side.args]
            return Split(Add(*(part.outside for part in parts)), Add(*(part.inside for part in parts)))
        case Mul():
            return _split_product(side, variable)
        case Derivative():
            return _split_derivative(side, variable)
        case _:
            raise OutsideClass(f"{side} is not linear in its integrals")


def _split_integral(integral: Integral, variable: Symbol) -> Split:
    if integral.limits != ((variable, -oo, oo),):
        raise OutsideClass(f"{integral} is not an integral over {variable} on the whole line")
    require_end(variable, oo)
    if variable.is_nonnegative:
        raise OutsideClass(f"the domain of {variable} is not the whole line")
    require_dominated(integral.function, variable)
    return Split(Integer(0), integral.function)


def _split_product(product: Mul, variable: Symbol) -> Split:
    with_integral = [factor for factor in product.args if factor.has(Integral)]
    others = Mul(*(factor for factor in product.args if not factor.has(Integral)))
    if len(with_integral) != 1 or others.has(variable):
        raise OutsideClass(f"{product} is not a constant times an integral")
    part = split_side(with_integral[0], variable)
    return Split(others * part.outside, others * part.inside)


def _split_derivative(derivative: Derivative, variable: Symbol) -> Split:
    if variable in derivative.variables:
        raise OutsideClass(f"{variable} is bound by the integral in {derivative}")
    part = split_side(derivative.expr, variable)
    inside = differentiate(part.inside, derivative)
    require_dominated(inside, variable)
    return Split(differentiate(part.outside, derivative), inside)


def require_dominated(integrand: Expr, variable: Symbol) -> None:
    """Check that an integrand is a sum of Gaussians times factors of at most exponential growth.

    Then it is integrable, and dominated locally uniformly in every parameter, since its coefficients are continuous
    in the parameters: on a compact set of them the slowest Gaussian and the fastest growth still give a bound.

    Raises:
        OutsideClass: If the structure does not show it.
    """
    require_defined(integrand)
    if not _is_dominated(integrand, variable):
        raise OutsideClass(f"{integrand} is not shown to be dominated by a Gaussian")


def _is_dominated(expr: Expr, variable: Symbol) -> bool:
    """Sums of dominated terms; one dominated factor among slowly growing ones; a Gaussian itself."""
    match expr:
        case Add():
            return all(_is_dominated(term, variable) for term in expr.args)
        case Mul():
            return any(_is_dominated_product(factor, expr / factor, variable) for factor in expr.args)
        case _:
            return expr == 0 or _is_gaussian(expr, variable)


def _is_dominated_product(factor: Expr, others: Expr, variable: Symbol) -> bool:
    return _is_dominated(factor, variable) and _grows_slowly(others, variable)


def _is_gaussian(factor: Expr, variable: Symbol) -> bool:
    """Whether a factor is exp of a quadratic whose leading coefficient is negative."""
    if not isinstance(factor, exp) or not factor.args[0].is_polynomial(variable):
        return False
    quadratic = Poly(factor.args[0], variable)
    return quadratic.degree() == 2 and sign_of(-quadratic.LC()) is Sign.POSITIVE


def _grows_slowly(factor: Expr, variable: Symbol) -> bool:
    """Whether a factor grows at most exponentially; functions without a formula are bounded by hypothesis."""
    if not factor.has(variable) or factor == variable:
        return True
    match factor:
        case Add() | Mul():
            return all(_grows_slowly(part, variable) for part in factor.args)
        case Pow():
            return _power_grows_slowly(factor, variable)
        case exp():
            exponent = factor.args[0]
            return bool(exponent.is_polynomial(variable)) and Poly(exponent, variable).degree() <= 1
        case log():
            argument = factor.args[0]
            return _is_at_least_one(argument) and _grows_slowly(argument, variable)
        case _:
            return isinstance(factor, tanh | erf | erfc | AppliedUndef | Subs | Derivative)


def _power_grows_slowly(power: Pow, variable: Symbol) -> bool:
    base, exponent = power.args
    if not exponent.is_Integer:
        return False
    if exponent > 0:
        return _grows_slowly(base, variable)
    return _is_at_least_one(base)


def _is_at_least_one(expr: Expr) -> bool:
    """Whether an expression is cosh, or 1 plus terms that are not negative."""
    return isinstance(expr, cosh) or sign_of(expr - 1) is not Sign.UNKNOWN


def density(variable: Symbol, mean: Expr, variance: Expr) -> Expr:
    """Return the density of the normal distribution with the given mean and variance."""
    return exp(-((variable - mean) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)


def prove_moments(left: Expr, right: Expr, method: GaussianMoments) -> Result:
    """Prove that a Gaussian integral has the value on the right.

    Sound because a normal density integrates to 1, and its standardised moments of order k are 0 for odd k and
    the double factorial of k - 1 for even k.
    """
    require_defined(right)
    part = split_side(left, method.variable)
    for expr in (method.mean, method.variance, method.polynomial):
        require_defined(expr)
    if (method.mean + method.variance).has(method.variable) or sign_of(method.variance) is not Sign.POSITIVE:
        raise OutsideClass(f"N({method.mean}, {method.variance}) is not shown to be a normal distribution")
    gaussian = density(method.variable, method.mean, method.variance)
    residual = residual_of(part.inside - method.polynomial * gaussian)
    if residual != 0:
        return Failed(str(residual))
    value = part.outside + expectation(method.polynomial, method.variable, method.mean, method.variance)
    residual = residual_of(value - right)
    steps = (
        f"the integrand is ({method.polynomial}) times the density of N({method.mean}, {method.variance})",
        "its moments add up to the right side",
    )
    return Proved(method.title, steps) if residual == 0 else Failed(str(residual))


def expectation(polynomial: Expr, variable: Symbol, mean: Expr, variance: Expr) -> Expr:
    """Return the expectation of a polynomial in a normal variable.

    Raises:
        OutsideClass: If it is not a polynomial in the variable.
    """
    if not polynomial.is_polynomial(variable):
        raise OutsideClass(f"{polynomial} is not a polynomial in {variable}")
    centred = Poly(polynomial.xreplace({variable: mean + variable}), variable)
    terms = (c * factorial2(k - 1) * variance ** Rational(k, 2) for (k,), c in centred.terms() if k % 2 == 0)
    return Add(*terms)


def prove_by_parts(left: Expr, right: Expr, method: IntegrateByParts) -> Result:
    """Prove that two integrals agree because their integrands differ by the derivative of a vanishing term.

    Sound by the fundamental theorem of calculus: the boundary term is defined on the whole line and tends to 0 at
    both ends, so the integral of its derivative is 0.
    """
    variable, boundary = method.variable, method.boundary
    first, second = split_side(left, variable), split_side(right, variable)
    require_defined(boundary)
    for end in (oo, -oo):
        if not _vanishes(boundary, variable, end):
            raise OutsideClass(f"the boundary term {boundary} is not shown to vanish at {end}")
    inside = residual_of(first.inside - second.inside - boundary.diff(variable))
    outside = residual_of(first.outside - second.outside)
    if inside != 0 or outside != 0:
        return Failed(f"{outside} + integral of {inside}")
    steps = (
        "the integrands are dominated by Gaussians, locally uniformly in the parameters",
        f"the integrands differ by the derivative of {boundary}",
        "that term vanishes at both ends",
    )
    return Proved(method.title, steps if boundary != 0 else ("the integrands are dominated and agree",))


def _vanishes(boundary: Expr, variable: Symbol, end: Expr) -> bool:
    """Whether a boundary term tends to 0: because it is a Gaussian times slow growth, or by the limit laws."""
    if boundary == 0:
        return True
    try:
        require_dominated(boundary, variable)
    except OutsideClass:
        return bool(limit_of(boundary, variable, end) == 0)
    return True


def prove_odd(left: Expr, right: Expr, method: OddIntegrand) -> Result:
    """Prove that two integrals agree because the difference of their integrands is odd about a centre.

    Sound because an integrable odd function integrates to 0.
    """
    variable, centre = method.variable, method.centre
    require_defined(centre)
    if centre.has(variable):
        raise OutsideClass(f"the centre {centre} depends on {variable}")
    first, second = split_side(left, variable), split_side(right, variable)
    difference = first.inside - second.inside
    reflected = difference.xreplace({variable: 2 * centre - variable})
    inside = residual_of(difference + reflected)
    outside = residual_of(first.outside - second.outside)
    if inside != 0 or outside != 0:
        return Failed(f"{outside} + integral of the even part {inside}")
    steps = ("the integrands are dominated by Gaussians", f"their difference is odd about {centre}")
    return Proved(method.title, steps)
