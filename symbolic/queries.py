"""Weights and queries: ratios of weights, the ray g_gamma, the uniform query, bounded query regions, DDPM form."""

from __future__ import annotations

from sympy import Expr, IndexedBase, Integer, Matrix, Sum, exp, oo, sqrt, symbols

from symbolic.identity import (
    AlgebraOfLimits,
    ElementaryNormalForm,
    Identity,
    Lemma,
    LinearSum,
    NonnegativeForm,
    Relation,
    SignOfDerivative,
    WordRewriting,
)
from symbolic.words import Words, letter, letter_of, number

sigma, spread, s, radius, a, a_bar, variance, more = symbols("sigma spread s R a a_bar v more", positive=True)
gamma, near, far, h, query, top, bottom = symbols("gamma near far h g top bottom", real=True)
slack, step = symbols("slack step", nonnegative=True)

# Vectors of any dimension d; e has length 1, and v is a query of the ball of radius R about its centre.
g, x, y, v, e = (letter(name, "d", "1") for name in "gxyve")
P = letter("P", symmetric=True)


def squared(vector: Words) -> Words:
    """Return the squared Euclidean length."""
    return vector.T * vector


def coordinates(name: str, dimension: int) -> Matrix:
    """Return a vector of real symbols."""
    return Matrix(symbols(f"{name}1:{dimension + 1}", real=True))


def weight(query: Matrix, record: Matrix) -> Expr:
    """Return w_g(x) from coordinates."""
    difference = query - record
    return exp(-difference.dot(difference) / (2 * sigma**2))


def weight_ratio(dimension: int) -> Identity:
    """Return the ratio of two weights, in coordinates."""
    query, first, second = (coordinates(name, dimension) for name in "gxy")
    exponent = 2 * query.dot(second - first) + first.dot(first) - second.dot(second)
    return Identity(
        f"weight ratio, d = {dimension}",
        "theory.md section 1",
        weight(query, second) / weight(query, first),
        exp(exponent / (2 * sigma**2)),
        ElementaryNormalForm(),
    )


def pair_weight(dimension: int) -> Identity:
    """Return the factor of t_g on the ray g = x + gamma (x - y), in coordinates."""
    first, second = coordinates("x", dimension), coordinates("y", dimension)
    difference = first - second
    query = first + gamma * difference
    own, other = weight(query, first), weight(query, second)
    return Identity(
        f"pair weight on the ray g_gamma, d = {dimension}",
        "paper section III-C",
        own / (own + other),
        1 / (1 + exp(-(2 * gamma + 1) * difference.dot(difference) / (2 * sigma**2))),
        ElementaryNormalForm(),
    )


WEIGHTS = (
    *(weight_ratio(dimension) for dimension in (1, 2, 3)),
    Identity(
        "exponent of the weight ratio, any d",
        "theory.md section 1",
        squared(g - x) - squared(g - y),
        (g.T * (y - x)).scale(2) + squared(x) - squared(y),
        WordRewriting(),
    ),
    Identity(
        "factor of t_g from the two squared distances",
        "theory.md section 2",
        exp(-near / (2 * sigma**2)) / (exp(-near / (2 * sigma**2)) + exp(-far / (2 * sigma**2))),
        1 / (1 + exp(-(far - near) / (2 * sigma**2))),
        ElementaryNormalForm(),
    ),
    *(pair_weight(dimension) for dimension in (1, 2, 3)),
    Identity(
        "exponent on the ray g_gamma, any d",
        "paper section III-C",
        squared(g - y) - squared(g - x),
        squared(x - y).scale(2 * gamma + 1),
        WordRewriting(definitions=((letter_of(g), x + (x - y).scale(gamma)),)),
    ),
)

UNIFORM = (
    Identity(
        "the factor of t_g is less than 1",
        "theory.md section 2",
        Integer(1),
        1 / (1 + exp(-h / (2 * sigma**2))),
        NonnegativeForm(exp(-h / (2 * sigma**2)) / (1 + exp(-h / (2 * sigma**2)))),
        Relation.GREATER,
    ),
    Identity(
        "the factor of t_g tends to 1 along the ray",
        "paper section III-C",
        1 / (1 + exp(-(2 * gamma + 1) * spread / (2 * sigma**2))),
        Integer(1),
        AlgebraOfLimits(gamma, oo),
    ),
    Identity(
        "a factor scales the squared sensitivity, any d",
        "theory.md section 2",
        (x - y).scale(h).T * P * (x - y).scale(h),
        ((x - y).T * P * (x - y)).scale(h**2),
        WordRewriting(),
    ),
)

EXPONENTIAL_ABOVE_ONE = Identity(
    "exp(s) is more than 1 for s > 0",
    "theory.md section 2",
    exp(s),
    Integer(1),
    SignOfDerivative(s, Integer(0), exp(s)),
    Relation.GREATER,
)

BOUNDED = (
    EXPONENTIAL_ABOVE_ONE,
    Identity(
        "the factor of t_g increases in h",
        "theory.md section 2",
        1 / (1 + exp(-h - s)),
        1 / (1 + exp(-h)),
        NonnegativeForm(
            exp(-h - s) * more / ((1 + exp(-h - s)) * (1 + exp(-h))),
            (Lemma(more, EXPONENTIAL_ABOVE_ONE),),
        ),
        Relation.GREATER,
    ),
    Identity(
        "h is affine in the query, any d",
        "theory.md section 2",
        squared(g - y) - squared(g - x),
        (g.T * (x - y)).scale(2) + squared(y) - squared(x),
        WordRewriting(),
    ),
    Identity(
        "ball of queries: the query straight ahead is the best, any d",
        "theory.md section 2",
        (e.T * (e.scale(radius) - v)).scale(2 * radius),
        squared(v - e.scale(radius)) + (number(radius**2) - squared(v)),
        WordRewriting(inverses=((letter_of(e).transpose(), letter_of(e)),)),
    ),
    Identity(
        "box of queries: the upper end is the best in a coordinate where x exceeds y",
        "theory.md section 2",
        top * step,
        query * step,
        NonnegativeForm(slack * step),
        Relation.AT_LEAST,
        where=((query, top - slack),),
    ),
    Identity(
        "box of queries: the lower end is the best in a coordinate where y exceeds x",
        "theory.md section 2",
        bottom * -step,
        query * -step,
        NonnegativeForm(slack * step),
        Relation.AT_LEAST,
        where=((query, bottom + slack),),
    ),
)

# DDPM form: the state G at signal level a, with a_bar written for 1 - a, so that sigma^2 = a_bar / a.
state, record, noise = symbols("G x epsilon", real=True)
n, index = symbols("n i", integer=True, positive=True)
weights, records = IndexedBase("w", positive=True), IndexedBase("x", real=True)


def over_records(summand: Expr) -> Expr:
    """Return the sum over all n records."""
    return Sum(summand, (index, 1, n))


NOISE_PREDICTION = over_records(weights[index] * (state - sqrt(a) * records[index]) / sqrt(a_bar)) / over_records(
    weights[index]
)

DIFFUSION = (
    Identity(
        "DDPM form of the weight",
        "theory.md section 1",
        exp(-((state - sqrt(a) * record) ** 2) / (2 * a_bar)),
        exp(-((state / sqrt(a) - record) ** 2) / (2 * variance)),
        ElementaryNormalForm(),
        where=((variance, a_bar / a),),
    ),
    Identity(
        "DDPM form of the denoiser, any number of records",
        "paper section II-A",
        (state - sqrt(a_bar) * noise) / sqrt(a),
        over_records(weights[index] * records[index]) / over_records(weights[index]),
        LinearSum(),
        where=((noise, NOISE_PREDICTION),),
    ),
)

IDENTITIES = (*WEIGHTS, *UNIFORM, *BOUNDED, *DIFFUSION)
