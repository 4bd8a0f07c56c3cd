"""Integrals: boundary terms, domination, symmetry and moments are all conditions, not decoration."""

from __future__ import annotations

import pytest
from sympy import (
    Derivative,
    Expr,
    Integer,
    Integral,
    Symbol,
    cosh,
    erf,
    exp,
    log,
    oo,
    pi,
    sqrt,
    symbols,
    tanh,
)

from symbolic.identity import (
    Failed,
    GaussianMoments,
    Identity,
    IntegrateByParts,
    Method,
    OddIntegrand,
    OutsideClass,
    Proved,
    Undecided,
)
from symbolic.methods.integrals import density, expectation, require_dominated
from symbolic.prove import prove

z, x, mean = symbols("z x mean", real=True)
q, v = symbols("q v", positive=True)
PHI = exp(-(z**2) / 2) / sqrt(2 * pi)
ZERO, ONE = Integer(0), Integer(1)


def whole(integrand: Expr, variable: Symbol = z) -> Expr:
    return Integral(integrand, (variable, -oo, oo))


def equation(left: Expr, right: Expr, method: Method) -> Identity:
    return Identity("integral", "none", left, right, method)


def test_a_boundary_term_that_does_not_vanish_proves_nothing() -> None:
    """The integrand is the derivative of erf, which runs from -1 to 1: the integral is 2, not 0."""
    claim = equation(whole(2 * exp(-(z**2)) / sqrt(pi)), ZERO, IntegrateByParts(z, erf(z)))
    assert isinstance(prove(claim), Undecided)


def test_parts() -> None:
    assert isinstance(prove(equation(whole(z**2 * PHI), whole(PHI), IntegrateByParts(z, -z * PHI))), Proved)
    assert isinstance(prove(equation(whole(z**2 * PHI), whole(PHI), IntegrateByParts(z, z * PHI))), Failed)
    assert isinstance(prove(equation(whole(z**2 * PHI) + q, whole(PHI), IntegrateByParts(z, -z * PHI))), Failed)


def test_derivative_under_the_integral() -> None:
    left, right = Derivative(whole(exp(q * z) * PHI), q), whole(z * exp(q * z) * PHI)
    assert isinstance(prove(equation(left, right, IntegrateByParts(z))), Proved)
    assert isinstance(prove(equation(left, 2 * right, IntegrateByParts(z))), Failed)
    bound = Derivative(whole(z * PHI), z, evaluate=False)
    assert isinstance(prove(equation(bound, whole(PHI - z**2 * PHI), IntegrateByParts(z))), Failed | Undecided)


@pytest.mark.parametrize(
    "integrand",
    [
        PHI * z**3,
        PHI * exp(q * z),
        PHI * tanh(z) ** 2,
        PHI * log(1 + exp(-q * z)),
        PHI / (1 + exp(z)) ** 2,
        PHI / cosh(z),
        ZERO,
    ],
)
def test_dominated(integrand: Expr) -> None:
    require_dominated(integrand, z)


@pytest.mark.parametrize(
    "integrand",
    [
        ONE,
        z / (1 + z**2),
        exp(-z),
        exp(z**2 / 2),
        PHI * exp(z**2),
        PHI * exp(exp(z)),
        exp(x * z**2),
        PHI + tanh(z),
        PHI * log(exp(-z) + exp(z)),
        PHI / z,
    ],
)
def test_not_shown_to_be_dominated(integrand: Expr) -> None:
    with pytest.raises(OutsideClass):
        require_dominated(integrand, z)


def test_odd_needs_integrability_and_the_right_centre() -> None:
    assert isinstance(prove(equation(whole(z * PHI), ZERO, OddIntegrand(z))), Proved)
    assert isinstance(prove(equation(whole(z * PHI), ZERO, OddIntegrand(z, ONE))), Failed)
    assert isinstance(prove(equation(whole(z**2 * PHI), ZERO, OddIntegrand(z))), Failed)
    assert isinstance(prove(equation(whole(z / (1 + z**2)), ZERO, OddIntegrand(z))), Undecided)
    assert isinstance(prove(equation(whole(z * PHI), ZERO, OddIntegrand(z, z))), Undecided)
    assert isinstance(prove(equation(whole(z * PHI), ONE, OddIntegrand(z))), Failed)


def test_the_variable_must_range_over_the_whole_line() -> None:
    claim = equation(whole(q * exp(-(q**2)), q), ZERO, OddIntegrand(q))
    assert isinstance(prove(claim), Undecided)
    half = Integral(z * PHI, (z, 0, oo))
    assert isinstance(prove(equation(half, ZERO, OddIntegrand(z))), Undecided)
    assert isinstance(prove(equation(whole(PHI) ** 2, ONE, GaussianMoments(z, ZERO, ONE, ONE))), Undecided)
    assert isinstance(prove(equation(z * whole(PHI), z, GaussianMoments(z, ZERO, ONE, z))), Undecided)


@pytest.mark.parametrize(("power", "moment"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 3), (6, 15)])
def test_moments(power: int, moment: int) -> None:
    claim = equation(whole(z**power * PHI), Integer(moment), GaussianMoments(z, ZERO, ONE, z**power))
    assert isinstance(prove(claim), Proved)
    wrong = equation(whole(z**power * PHI), Integer(moment + 1), GaussianMoments(z, ZERO, ONE, z**power))
    assert isinstance(prove(wrong), Failed)


def test_expectation_of_a_general_normal_variable() -> None:
    assert (expectation(z**2, z, mean, v) - (mean**2 + v)).expand() == 0
    assert (expectation(z**3, z, mean, v) - (mean**3 + 3 * mean * v)).expand() == 0
    with pytest.raises(OutsideClass):
        expectation(exp(z), z, mean, v)


@pytest.mark.parametrize(("centre", "variance"), [(mean, x), (z, v), (mean, v + z**2), (mean, ZERO)])
def test_what_is_not_a_normal_density_is_refused(centre: Expr, variance: Expr) -> None:
    claim = equation(whole(density(z, mean, v)), ONE, GaussianMoments(z, centre, variance, ONE))
    assert isinstance(prove(claim), Undecided)


def test_a_wrong_density_fails() -> None:
    claim = equation(whole(density(z, mean, v)), ONE, GaussianMoments(z, mean, 2 * v, ONE))
    assert isinstance(prove(claim), Failed)
