"""What rho_star fixes exactly: Renyi divergence, KL divergence, the (epsilon, delta) profile, composition."""

from __future__ import annotations

from sympy import Derivative, Expr, Integer, Integral, Symbol, erfc, exp, log, oo, pi, sqrt, symbols

from symbolic.identity import (
    AlgebraOfLimits,
    Cancel,
    DifferentiateAndCompare,
    ElementaryNormalForm,
    GaussianMoments,
    Identity,
    NonnegativeForm,
    Relation,
    WordRewriting,
)
from symbolic.methods.integrals import density
from symbolic.words import Blocks, letter, zero

RENYI = "paper section IV"
SECTION = "theory.md section 3"

x, mean, other_mean, z = symbols("x mu_1 mu_2 z", real=True)
variance, q, t, root, beta, level = symbols("v q t m beta epsilon", positive=True)
alpha = Symbol("alpha", real=True)
epsilon = Symbol("epsilon", nonnegative=True)


def integral(integrand: Expr, variable: Symbol = x) -> Expr:
    """Return the integral over the whole line."""
    return Integral(integrand, (variable, -oo, oo))


def phi(value: Expr) -> Expr:
    """Return the standard normal density."""
    return exp(-(value**2) / 2) / sqrt(2 * pi)


def Phi(value: Expr) -> Expr:
    """Return the standard normal distribution function."""
    return erfc(-value / sqrt(2)) / 2


P_DENSITY = density(x, mean, variance)
SQUARED_SHIFT = (mean - other_mean) ** 2 / variance
LOG_RATIO = ((x - other_mean) ** 2 - (x - mean) ** 2) / (2 * variance)
TILTED = exp(alpha * LOG_RATIO) * density(x, other_mean, variance)
MIXED_MEAN = alpha * mean + (1 - alpha) * other_mean
GAIN = exp(alpha * (alpha - 1) * SQUARED_SHIFT / 2)

# Words: P is the precision, u and u' are x - mu_1 and x - mu_2, so that u' - u is the shift.
u, s = letter("u", "d", "1"), letter("s", "d", "1")
P = letter("P", symmetric=True)

DIVERGENCE = (
    Identity(
        "log-likelihood ratio of two Gaussians",
        RENYI,
        P_DENSITY / density(x, other_mean, variance),
        exp(LOG_RATIO),
        ElementaryNormalForm(),
    ),
    Identity(
        "completing the square in the Renyi integrand, any d",
        RENYI,
        (u.T * P * u).scale(alpha) + ((u + s).T * P * (u + s)).scale(1 - alpha),
        (u + s.scale(1 - alpha)).T * P * (u + s.scale(1 - alpha)) + (s.T * P * s).scale(alpha * (1 - alpha)),
        WordRewriting(),
    ),
    Identity(
        "Renyi integral of two Gaussians",
        RENYI,
        integral(TILTED),
        GAIN,
        GaussianMoments(x, MIXED_MEAN, variance, GAIN),
    ),
    Identity(
        "Renyi divergence of order alpha = 1 + beta",
        RENYI,
        log(exp((1 + beta) * beta * q / 2)) / beta,
        (1 + beta) * q / 2,
        ElementaryNormalForm(),
    ),
    Identity(
        "KL divergence of two Gaussians",
        SECTION,
        integral(LOG_RATIO * P_DENSITY),
        SQUARED_SHIFT / 2,
        GaussianMoments(x, mean, variance, LOG_RATIO),
    ),
    Identity(
        "KL divergence is the limit of the Renyi divergence at alpha = 1",
        SECTION,
        (1 + beta) * q / 2,
        q / 2,
        AlgebraOfLimits(beta, Integer(0)),
    ),
    Identity(
        "variance of the log-likelihood ratio is q",
        SECTION,
        integral((LOG_RATIO - SQUARED_SHIFT / 2) ** 2 * P_DENSITY),
        SQUARED_SHIFT,
        GaussianMoments(x, mean, variance, (LOG_RATIO - SQUARED_SHIFT / 2) ** 2),
    ),
    Identity(
        "mean of the log-likelihood ratio under the other dataset is -q/2",
        SECTION,
        integral(LOG_RATIO * density(x, other_mean, variance)),
        -SQUARED_SHIFT / 2,
        GaussianMoments(x, other_mean, variance, LOG_RATIO),
    ),
)


def privacy_profile(squared: Expr, budget: Expr) -> Expr:
    """Return h_epsilon(q)."""
    return Phi(sqrt(squared) / 2 - budget / sqrt(squared)) - exp(budget) * Phi(
        -sqrt(squared) / 2 - budget / sqrt(squared)
    )


UPPER, LOWER = sqrt(q) / 2 - epsilon / sqrt(q), -sqrt(q) / 2 - epsilon / sqrt(q)

PROFILE = (
    Identity("Phi(x) + Phi(-x) = 1", SECTION, Phi(x) + Phi(-x), Integer(1), DifferentiateAndCompare(x, Integer(0))),
    Identity("the derivative of Phi is phi", SECTION, Derivative(Phi(x), x), phi(x), ElementaryNormalForm()),
    Identity(
        "P(Lambda > epsilon) for Lambda ~ N(q/2, q)",
        RENYI,
        Phi((q / 2 - epsilon) / sqrt(q)),
        Phi(UPPER),
        ElementaryNormalForm(),
    ),
    Identity(
        "the densities at the two arguments of h differ by the factor e^epsilon",
        SECTION,
        phi(UPPER),
        exp(epsilon) * phi(LOWER),
        ElementaryNormalForm(),
    ),
    Identity(
        "derivative of h in q",
        RENYI,
        Derivative(privacy_profile(q, epsilon), q),
        phi(UPPER) / (2 * sqrt(q)),
        ElementaryNormalForm(),
    ),
    Identity(
        "h increases in q",
        RENYI,
        Derivative(privacy_profile(q, epsilon), q),
        Integer(0),
        NonnegativeForm(phi(UPPER) / (2 * sqrt(q))),
        Relation.GREATER,
    ),
    Identity(
        "h starts at 0 for epsilon > 0",
        RENYI,
        privacy_profile(q, level),
        Integer(0),
        AlgebraOfLimits(q, Integer(0)),
    ),
    Identity("h starts at 0 for epsilon = 0", RENYI, privacy_profile(q, 0), Integer(0), AlgebraOfLimits(q, Integer(0))),
    Identity(
        "h is the profile of Gaussian DP with mu = sqrt(q)",
        SECTION,
        privacy_profile(root**2, epsilon),
        Phi(-epsilon / root + root / 2) - exp(epsilon) * Phi(-epsilon / root - root / 2),
        ElementaryNormalForm(),
    ),
    Identity("h tends to 1", RENYI, privacy_profile(q, epsilon), Integer(1), AlgebraOfLimits(q, oo)),
    Identity(
        "h_0 is the total variation",
        SECTION,
        privacy_profile(q, 0),
        2 * Phi(sqrt(q) / 2) - 1,
        DifferentiateAndCompare(q, Integer(0)),
    ),
    Identity(
        "h decreases in epsilon",
        SECTION,
        Integer(0),
        Derivative(privacy_profile(q, z), z),
        NonnegativeForm(exp(z) * Phi(-sqrt(q) / 2 - z / sqrt(q))),
        Relation.GREATER,
    ),
)

# Two releases: s1, s2 with precisions P1, P2; mu_1 = m cosine, mu_2 = m sine, on the circle by one parameter k.
s1, s2 = letter("s1", "d", "1"), letter("s2", "e", "1")
P1, P2 = letter("P1", "d", "d", symmetric=True), letter("P2", "e", "e", symmetric=True)
JOINT = Blocks(((s1,), (s2,)))
first, second, k = symbols("x_1 x_2 k", real=True)
cosine, sine, rho_1, rho_2 = symbols("cosine sine rho_1 rho_2", real=True)
CIRCLE = ((cosine, (1 - k**2) / (1 + k**2)), (sine, 2 * k / (1 + k**2)))

COMPOSITION = (
    Identity(
        "squared sensitivities of independent releases add up, any sizes",
        SECTION,
        JOINT.T * Blocks(((P1, zero("d", "e")), (zero("e", "d"), P2))) * JOINT,
        Blocks(((s1.T * P1 * s1 + s2.T * P2 * s2,),)),
        WordRewriting(),
    ),
    Identity(
        "Renyi integrals of successive releases multiply",
        SECTION,
        exp(alpha * (alpha - 1) * rho_1 / 2) * exp(alpha * (alpha - 1) * rho_2 / 2),
        exp(alpha * (alpha - 1) * (rho_1 + rho_2) / 2),
        ElementaryNormalForm(),
    ),
    Identity(
        "two Gaussian releases are one with mu^2 = mu_1^2 + mu_2^2, by a rotation",
        SECTION,
        (first - root * cosine) ** 2 + (second - root * sine) ** 2,
        (cosine * first + sine * second - root) ** 2 + (cosine * second - sine * first) ** 2,
        Cancel(),
        where=CIRCLE,
    ),
    Identity(
        "the parameters of the rotation: mu^2 adds up",
        SECTION,
        (root * cosine) ** 2 + (root * sine) ** 2,
        root**2,
        Cancel(),
        where=CIRCLE,
    ),
)

IDENTITIES = (*DIVERGENCE, *PROFILE, *COMPOSITION)
