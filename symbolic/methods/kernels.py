"""The elementary normal form: exponentials, roots, logarithms and error functions as generators of a field.

The difference of two sides is rewritten over generators so that nothing but a rational function is left; it is zero
exactly when its numerator is the zero polynomial. Sound because the functions that the generators stand for may be
put back into the zero rational function. Exponentials of monomials that are linearly independent over the rationals
are algebraically independent, so on rational functions of exponentials the procedure also decides.
"""

from __future__ import annotations

from sympy import (
    Add,
    Derivative,
    Dummy,
    E,
    Expr,
    Function,
    Indexed,
    Integer,
    Mul,
    Pow,
    Rational,
    Subs,
    Sum,
    Symbol,
    cancel,
    cosh,
    erf,
    erfc,
    exp,
    expand,
    fraction,
    ilcm,
    log,
    pi,
    sinh,
    sqrt,
    tanh,
    together,
)
from sympy.core.function import AppliedUndef

from symbolic.identity import OutsideClass
from symbolic.methods.polynomials import expanded_polynomial
from symbolic.methods.sums import expand_sums

Kernels = dict[Expr, Dummy]


def residual_of(difference: Expr) -> Expr:
    """Return the numerator of the normal form, which is 0 exactly if the difference is zero in normal form.

    Side conditions (denominators, roots, logarithms) are the caller's: see ``signs.require_defined``.

    Raises:
        OutsideClass: If a sub-expression is not elementary in the sense of this module.
    """
    totals: Kernels = {}
    summed = expand_sums(evaluate_derivatives(difference), totals)
    rooted, roots = clear_roots(summed)
    kernels: Kernels = {}
    rational, generator_roots = clear_roots(translate(rooted, kernels))
    numerator = expanded_polynomial(fraction(together(rational))[0])
    names = {dummy: kernel for table in (kernels, totals) for kernel, dummy in table.items()}
    return reduce_roots(numerator, kernels).xreplace(generator_roots).xreplace(names).xreplace(names).xreplace(roots)


def evaluate_derivatives(expr: Expr) -> Expr:
    """Carry out the derivatives that a statement displays; differentiation is an algorithm, not a heuristic."""
    if isinstance(expr, Subs) or not expr.has(Derivative):
        return expr
    arguments = [evaluate_derivatives(argument) for argument in expr.args]
    if isinstance(expr, Derivative):
        return differentiate(arguments[0], expr)
    return expr.func(*arguments)


def differentiate(function: Expr, derivative: Derivative) -> Expr:
    """Apply the derivative's variables to a function."""
    for variable, order in derivative.variable_count:
        function = function.diff(variable, order)
    return function


def clear_roots(expr: Expr) -> tuple[Expr, dict[Expr, Expr]]:
    """Replace each symbol q >= 0 that occurs under a root by a power of a new symbol, so that only integers remain.

    Returns:
        The new expression, and what each new symbol stands for.
    """
    orders: dict[Symbol, int] = {}
    for power in expr.atoms(Pow):
        base, exponent = power.args
        if isinstance(base, Symbol) and isinstance(exponent, Rational):
            orders[base] = int(ilcm(orders.get(base, 1), exponent.q))
    powers: dict[Expr, Expr] = {}
    names: dict[Expr, Expr] = {}
    for symbol, order in orders.items():
        if order > 1:
            if not symbol.is_nonnegative:
                raise OutsideClass(f"a root of {symbol}, which may be negative")
            root = Dummy(f"root_{symbol}", positive=symbol.is_positive, nonnegative=True)
            powers[symbol] = root**order
            names[root] = symbol ** Rational(1, order)
    return expr.xreplace(powers), names


def translate(expr: Expr, kernels: Kernels) -> Expr:
    """Rewrite an expression as a rational function of symbols and of the generators recorded in ``kernels``."""
    match expr:
        case Rational() | Symbol():
            return expr
        case Add() | Mul():
            return expr.func(*(translate(argument, kernels) for argument in expr.args))
        case Pow():
            return _translate_power(expr, kernels)
        case exp():
            return _translate_exponential(expr.args[0], kernels)
        case tanh() | cosh() | sinh() | erfc():
            return translate(_in_basic_functions(expr), kernels)
        case _:
            return _translate_kernel(expr, kernels)


def _translate_power(power: Pow, kernels: Kernels) -> Expr:
    base, exponent = power.args
    if exponent.is_Integer:
        return translate(base, kernels) ** exponent
    if exponent.is_Rational and (base == pi or isinstance(base, Symbol)):
        return translate(base, kernels) ** exponent
    if exponent.is_Rational and exponent.q == 2 and isinstance(base, Integer) and base > 0:
        return _generator(sqrt(base), kernels) ** exponent.p
    raise OutsideClass(f"the power {power}")


def _translate_exponential(exponent: Expr, kernels: Kernels) -> Expr:
    """Split exp(c_1 m_1 + c_2 m_2 + ...) into powers of the generators exp(m_k), with rational c_k."""
    product: Expr = Integer(1)
    for term in Add.make_args(canonical(exponent, kernels)):
        factor, monomial = term.as_coeff_Mul(rational=True)
        product *= _generator(exp(monomial, evaluate=False), kernels) ** factor
    return product


def _in_basic_functions(expr: Expr) -> Expr:
    (argument,) = expr.args
    match expr:
        case tanh():
            return (exp(2 * argument) - 1) / (exp(2 * argument) + 1)
        case cosh():
            return (exp(argument) + exp(-argument)) / 2
        case sinh():
            return (exp(argument) - exp(-argument)) / 2
        case _:
            return 1 - erf(argument)


def _translate_kernel(expr: Expr, kernels: Kernels) -> Expr:
    match expr:
        case log() | erf():
            return _translate_function(expr, kernels)
        case Subs() | Derivative() | AppliedUndef():
            function, order, point = _jet(expr)
            return _generator(Function(f"{function}_{order}")(canonical(point, kernels)), kernels)
        case Sum():
            raise OutsideClass(f"the sum {expr} inside another function")
        case _:
            if expr == pi or isinstance(expr, Indexed):
                return _generator(expr, kernels)
            if expr == E:
                return _translate_exponential(Integer(1), kernels)
            raise OutsideClass(f"{expr} is not elementary")


def _jet(expr: Expr) -> tuple[str, int, Expr]:
    """Return which derivative of which function without a formula an expression is, and at which point."""
    derivative = expr.expr if isinstance(expr, Subs) else expr
    function = derivative.expr if isinstance(derivative, Derivative) else derivative
    orders = derivative.variable_count if isinstance(derivative, Derivative) else ()
    points = expr.point if isinstance(expr, Subs) else function.args
    plain = isinstance(function, AppliedUndef) and len(function.args) == 1
    if not plain or any(variable != function.args[0] for variable, _ in orders):
        raise OutsideClass(f"{expr} is not a derivative of a function of one variable")
    if isinstance(expr, Subs) and expr.variables != function.args:
        raise OutsideClass(f"{expr} is not taken at one point")
    return str(function.func), sum(int(count) for _, count in orders), points[0]


def _translate_function(expr: Expr, kernels: Kernels) -> Expr:
    """A logarithm or an error function of a canonical argument; erf is odd, so its argument's sign is fixed."""
    argument = canonical(expr.args[0], kernels)
    if isinstance(expr, erf) and argument.could_extract_minus_sign():
        return -_generator(erf(-argument, evaluate=False), kernels)
    return _generator(expr.func(argument, evaluate=False), kernels)


def canonical(expr: Expr, kernels: Kernels) -> Expr:
    """Return an argument as one reduced fraction, expanded; equal rational functions give equal results."""
    return reduce_roots(expand(cancel(translate(expr, kernels))), kernels)


def reduce_roots(expanded: Expr, kernels: Kernels) -> Expr:
    """Replace the squares of generators such as [sqrt(2)] by their values, in an expanded expression."""
    values = {dummy: kernel.base for kernel, dummy in kernels.items() if isinstance(kernel, Pow)}
    powers = [power for power in expanded.atoms(Pow) if power.base in values and power.exp.is_Integer]
    halves = {power: (values[power.base], *divmod(power.exp, 2), power.base) for power in powers}
    return expand(expanded.xreplace({power: n**k * root**rest for power, (n, k, rest, root) in halves.items()}))


def _generator(kernel: Expr, kernels: Kernels) -> Expr:
    """The symbol of a kernel; those of exp, pi and roots are positive, so that their roots make sense."""
    positive = True if isinstance(kernel, exp | Pow) or kernel == pi else None
    return kernels.setdefault(kernel, Dummy(f"[{kernel}]", real=True, positive=positive))
