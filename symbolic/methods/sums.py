"""Sums over an index that runs from 1 to n, for every n: linearity, with sums of monomials as new variables."""

from __future__ import annotations

from sympy import Dummy, Expr, Indexed, Integer, Mul, Poly, Sum, cancel, fraction

from symbolic.identity import OutsideClass
from symbolic.methods.signs import Sign, require_defined, sign_of


def expand_sums(expr: Expr, totals: dict[Expr, Dummy]) -> Expr:
    """Replace every sum by a linear combination of sums of monomials, each a variable recorded in ``totals``.

    Sound because a finite sum is linear, and equal sums become the same variable; the variables keep the sign that
    their summands show.

    Raises:
        OutsideClass: If a summand is not polynomial in the indexed symbols once it is cancelled.
    """
    if not expr.has(Sum):
        return expr
    arguments = [expand_sums(argument, totals) for argument in expr.args]
    if not isinstance(expr, Sum):
        return expr.func(*arguments)
    (index, first, last) = expr.limits[0]
    if len(expr.limits) != 1 or first != 1:
        raise OutsideClass(f"{expr} does not run over one index from 1 to n")
    return _expand_sum(arguments[0], index, last, totals)


def _expand_sum(summand: Expr, index: Expr, last: Expr, totals: dict[Expr, Dummy]) -> Expr:
    require_defined(summand)
    numerator, denominator = fraction(cancel(summand))
    indexed = sorted((atom for atom in numerator.atoms(Indexed) if atom.has(index)), key=str)
    # Stand-ins make every other occurrence of the index visible: in a denominator, a double index, or on its own.
    stand_ins = {atom: Dummy(str(atom)) for atom in indexed if atom.indices == (index,)}
    numerator, generators = numerator.xreplace(stand_ins), list(stand_ins.values())
    if (numerator / denominator).has(index) or not numerator.is_polynomial(*generators):
        raise OutsideClass(f"the summand {summand} is not a polynomial in symbols indexed by {index}")
    if not generators:
        return last * summand
    result: Expr = Integer(0)
    for powers, coefficient in Poly(numerator, *generators).terms():
        monomial = Mul(*(atom**power for atom, power in zip(stand_ins, powers, strict=True)))
        result += coefficient / denominator * _total(monomial, index, last, totals)
    return result


def _total(monomial: Expr, index: Expr, last: Expr, totals: dict[Expr, Dummy]) -> Expr:
    if monomial == 1:
        return last
    total = Sum(monomial, (index, 1, last))
    sign = sign_of(total)
    known = True if sign is Sign.POSITIVE else None
    nonnegative = True if sign is not Sign.UNKNOWN else None
    return totals.setdefault(total, Dummy(str(total), real=True, positive=known, nonnegative=nonnegative))
