"""Capacity of the binary-input Gaussian channel: I-MMSE under the integral sign, its forms, expansion and bounds.

The channel is Y = a B + Z with a = sqrt(q)/2 and B = +-1; given B = 1, V = u + sqrt(u) Z with u = a^2 = q/4 is half the
log-likelihood ratio, and tanh V is the conditional mean of B.
"""

from __future__ import annotations

from sympy import (
    Derivative,
    Expr,
    Function,
    Integer,
    Integral,
    Poly,
    Rational,
    Subs,
    Symbol,
    cosh,
    exp,
    expand,
    log,
    oo,
    pi,
    sqrt,
    symbols,
    tanh,
)

from symbolic.identity import (
    AlgebraOfLimits,
    DifferentiateAndCompare,
    ElementaryNormalForm,
    Expand,
    GaussianMoments,
    Identity,
    IntegrateByParts,
    NonnegativeForm,
    OddIntegrand,
    Relation,
    SignOfDerivative,
)

SECTION = "theory.md section 6"
PAPER = "paper section VI-B"

z, v, y = symbols("z v y", real=True)
q, u, a, t = symbols("q u a t", positive=True)
prior = Symbol("pi_1", positive=True)
T = Symbol("T", real=True)
slope_symbol = Symbol("x", real=True)
test_function = Function("g")

PHI = exp(-(z**2) / 2) / sqrt(2 * pi)
V = u + sqrt(u) * z
V_OF_Q = q / 4 + sqrt(q) / 2 * z
AMPLITUDE = sqrt(q) / 2


def expectation(integrand: Expr) -> Expr:
    """Return the expectation over Z ~ N(0, 1) as an integral over z."""
    return Integral(integrand * PHI, (z, -oo, oo))


def derivative_of_g(order: int, point: Expr) -> Expr:
    """Return the derivative of the test function g, bounded with its derivatives, at a point."""
    function = test_function(slope_symbol)
    return Subs(Derivative(function, (slope_symbol, order)), slope_symbol, point)


CAPACITY = log(2) - expectation(log(1 + exp(-2 * AMPLITUDE * (AMPLITUDE + z))))


def mixture(argument: Expr, weight: Expr) -> Expr:
    """Return the output density for P(B = 1) = weight, up to 1/sqrt(2 pi)."""
    return weight * exp(-((argument - a) ** 2) / 2) + (1 - weight) * exp(-((argument + a) ** 2) / 2)


CHANNEL = (
    Identity(
        "likelihood ratio of the wrong input",
        PAPER,
        exp(-((a + z + a) ** 2) / 2) / exp(-(z**2) / 2),
        exp(-2 * a * (a + z)),
        ElementaryNormalForm(),
    ),
    Identity(
        "capacity integrand: log 2 minus the log-loss of the posterior",
        PAPER,
        (exp(-((y - a) ** 2) / 2)) / (mixture(y, Rational(1, 2))),
        2 / (1 + exp(-2 * a * y)),
        ElementaryNormalForm(),
    ),
    Identity(
        "conditional mean of the input",
        PAPER,
        (exp(-((y - a) ** 2) / 2) - exp(-((y + a) ** 2) / 2)) / (2 * mixture(y, Rational(1, 2))),
        tanh(a * y),
        ElementaryNormalForm(),
    ),
    Identity(
        "exchanging the inputs reflects the output",
        PAPER,
        mixture(-y, prior),
        mixture(y, 1 - prior),
        ElementaryNormalForm(),
    ),
    Identity(
        "log-loss in terms of cosh",
        SECTION,
        log(1 + exp(-2 * v)),
        log(cosh(v)) + log(2) - v,
        DifferentiateAndCompare(v, Integer(0)),
    ),
)

I_MMSE = (
    Identity(
        "Gaussian integration by parts, g bounded with its derivatives",
        SECTION,
        expectation(z * test_function(z)),
        expectation(derivative_of_g(1, z)),
        IntegrateByParts(z, -test_function(z) * PHI),
    ),
    Identity(
        "derivative in u of E g(u + sqrt(u) Z), g bounded with its derivatives",
        SECTION,
        Derivative(expectation(test_function(V)), u),
        expectation(derivative_of_g(1, V) + derivative_of_g(2, V) / 2),
        IntegrateByParts(z, -derivative_of_g(1, V) * PHI / (2 * sqrt(u))),
    ),
    Identity(
        "derivative of the capacity under the integral sign, by parts",
        PAPER,
        Derivative(CAPACITY, q),
        expectation((1 - tanh(V_OF_Q)) ** 2) / 8,
        IntegrateByParts(z, -(1 - tanh(V_OF_Q)) * PHI / (4 * sqrt(q))),
    ),
    Identity(
        "I-MMSE: the squared error given B = 1 averages to E sech^2",
        PAPER,
        expectation((1 - tanh(V)) ** 2),
        expectation(cosh(V) ** -2),
        OddIntegrand(z, -sqrt(u)),
    ),
    Identity(
        "E tanh = E tanh^2",
        SECTION,
        expectation(tanh(V)),
        expectation(tanh(V) ** 2),
        OddIntegrand(z, -sqrt(u)),
    ),
    Identity(
        "mmse = E sech^2 = E (1 - tanh)",
        SECTION,
        expectation(cosh(V) ** -2),
        expectation(1 - tanh(V)),
        OddIntegrand(z, -sqrt(u)),
    ),
)

BOUNDS = (
    Identity(
        "the density of Z integrates to 1, so E (1 - tanh) = 1 - E tanh",
        SECTION,
        expectation(Integer(1)),
        Integer(1),
        GaussianMoments(z, Integer(0), Integer(1), Integer(1)),
    ),
    Identity(
        "C(0) = 0",
        SECTION,
        log(2) - expectation(log(1 + exp(0 * z))),
        Integer(0),
        GaussianMoments(z, Integer(0), Integer(1), -log(2)),
    ),
    Identity(
        "the mmse integrand is positive, so C increases",
        SECTION,
        1 - tanh(v) ** 2,
        Integer(0),
        NonnegativeForm(cosh(v) ** -2),
        Relation.GREATER,
    ),
    Identity(
        "the mmse integrand is at most 1, so C(q) is at most q/8",
        SECTION,
        Integer(1),
        cosh(v) ** -2,
        NonnegativeForm(tanh(v) ** 2),
        Relation.AT_LEAST,
    ),
    Identity(
        "the log-loss is positive, so C is below log 2",
        SECTION,
        log(1 + exp(-2 * v)),
        Integer(0),
        NonnegativeForm(),
        Relation.GREATER,
    ),
    Identity(
        "the log-loss tends to 0, for every z",
        SECTION,
        log(1 + exp(-2 * a * (a + z))),
        Integer(0),
        AlgebraOfLimits(a, oo),
    ),
    Identity(
        "the exponent of the log-loss is dominated, for every a",
        SECTION,
        z**2 / 2,
        -2 * a * (a + z),
        NonnegativeForm((z + 2 * a) ** 2 / 2),
        Relation.AT_LEAST,
    ),
    Identity(
        "the log-loss is dominated by an integrable function",
        SECTION,
        log(2) + t,
        log(1 + exp(t)),
        SignOfDerivative(t, Integer(0), 1 / (1 + exp(t))),
        Relation.GREATER,
    ),
)


def along(polynomial: Expr) -> Expr:
    """Return the derivative of a polynomial in T = tanh v with respect to v."""
    return polynomial.diff(T) * (1 - T**2)


def heat(polynomial: Expr) -> Expr:
    """Return what d/du makes of a polynomial p(tanh V) under the expectation: p' + p''/2 in v, as proved above."""
    return expand(along(polynomial) + along(along(polynomial)) / 2)


def mmse_derivative(order: int) -> Expr:
    """Return the polynomial p in T with E p(tanh V) the derivative of the mmse in u, of the given order."""
    polynomial: Expr = 1 - T**2
    for _ in range(order):
        polynomial = heat(polynomial)
    return polynomial


def taylor_capacity(degree: int) -> Expr:
    """Return the Taylor polynomial of C at 0: the integral of mmse(q/4)/8, term by term."""
    values = [Poly(mmse_derivative(order), T).eval(0) for order in range(degree)]
    factorial, total = Integer(1), Integer(0)
    for order, value in enumerate(values):
        factorial *= max(order, 1)
        total += value / factorial * q ** (order + 1) / (8 * 4**order * (order + 1))
    return total


def mmse_at_zero(order: int, value: int) -> Identity:
    """Return the value at 0 of a derivative of the mmse."""
    return Identity(
        f"derivative of order {order} of the mmse at 0",
        SECTION,
        mmse_derivative(order).xreplace({T: Integer(0)}),
        Integer(value),
        Expand(),
    )


# A bound of |p| on -1 < T < 1 for the third derivative p of the mmse; not the least one, but proved by signs alone.
REMAINDER_BOUND = 1152
positive = Symbol("s", positive=True)
IN_UNIT = ((T, (1 - positive) / (1 + positive)),)

EXPANSION = (
    Identity("derivative of tanh", SECTION, Derivative(tanh(v), v), 1 - tanh(v) ** 2, ElementaryNormalForm()),
    *(mmse_at_zero(order, value) for order, value in enumerate((1, -1, 2, -10))),
    Identity(
        "C(q) = q/8 - q^2/64 + q^3/384 - 5 q^4/6144 + ...",
        SECTION,
        taylor_capacity(4),
        q / 8 - q**2 / 64 + q**3 / 384 - 5 * q**4 / 6144,
        Expand(),
    ),
    Identity(
        "third derivative of the mmse, upper bound",
        SECTION,
        Integer(REMAINDER_BOUND),
        mmse_derivative(3),
        NonnegativeForm(),
        Relation.AT_LEAST,
        where=IN_UNIT,
    ),
    Identity(
        "third derivative of the mmse, lower bound",
        SECTION,
        mmse_derivative(3),
        Integer(-REMAINDER_BOUND),
        NonnegativeForm(),
        Relation.AT_LEAST,
        where=IN_UNIT,
    ),
    Identity(
        "remainder of the expansion after q^3/384",
        SECTION,
        Derivative(Rational(REMAINDER_BOUND, 12288) * q**4, q),
        Rational(REMAINDER_BOUND, 6) * (q / 4) ** 3 / 8,
        ElementaryNormalForm(),
    ),
)

IDENTITIES = (*CHANNEL, *I_MMSE, *BOUNDS, *EXPANSION)
