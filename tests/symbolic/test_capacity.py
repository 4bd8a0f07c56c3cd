"""The expansion of the capacity at 0, against reference values that are right in all their digits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from sympy import Poly, Rational

from symbolic.capacity import REMAINDER_BOUND, T, mmse_derivative, q, taylor_capacity

REFERENCE = {
    Fraction(1, 10**4): Fraction("1.2499843752604085290689796e-5"),
    Fraction(1, 10**2): Fraction("1.2484400960706584859823e-3"),
}


def taylor_value(point: Fraction, degree: int) -> Fraction:
    value = taylor_capacity(degree).xreplace({q: Rational(point.numerator, point.denominator)})
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize("point", REFERENCE)
def test_reference_value_is_inside_the_proved_remainder(point: Fraction) -> None:
    remainder = Fraction(REMAINDER_BOUND, 12288) * point**4
    assert abs(REFERENCE[point] - taylor_value(point, 3)) <= remainder


def test_reference_value_to_fourteen_digits_with_more_terms() -> None:
    """Numeric agreement: each further term brings the reference value closer by about the factor q."""
    point = Fraction(1, 10**4)
    errors = [abs(REFERENCE[point] / taylor_value(point, degree) - 1) for degree in (1, 2, 3, 4, 5)]
    assert errors[0] < Fraction(1, 10**4)
    assert all(later < earlier / 1000 for earlier, later in pairwise(errors))
    assert errors[-1] < Fraction(1, 10**18)


def test_the_derivatives_are_polynomials_in_tanh_that_vanish_at_infinity() -> None:
    """Every derivative of sech^2 has the factor sech^2 = 1 - T^2."""
    for order in range(5):
        assert Poly(mmse_derivative(order), T).rem(Poly(1 - T**2, T)).is_zero
