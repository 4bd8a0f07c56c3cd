"""The passage to and from the events of dp-accounting, an optional package that is loaded when first used.

Its noise multiplier z is sigma / C for records of norm at most C, so what it means for neighbours depends on the
relation: a record added or removed moves a sum by C and ``rho_star = 1 / z^2``; a record replaced by another moves it
by 2 C and ``rho_star = 4 / z^2``. Of its accountants the one for privacy loss distributions reads it that way; the
Renyi one takes the relation as an argument and ignores it. So the relation is always said here.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any, assert_never

from flint import fmpq

from certify.checker.conversions import gdp_mu
from certify.checker.exact import binary64_fraction
from certify.checker.privacy import Infinite
from certify.checker.releases import Neighbours


def rho_star_of_multiplier(multiplier: fmpq, neighbours: Neighbours) -> fmpq:
    """Return rho_star of a sum of records of norm at most C with noise of standard deviation ``multiplier`` times C.

    Raises:
        ValueError: If ``multiplier`` is not positive.
    """
    if multiplier <= 0:
        raise ValueError(f"a noise multiplier is positive, not {multiplier}; without noise nothing is private")
    match neighbours:
        case Neighbours.ADD_OR_REMOVE_ONE:
            return 1 / multiplier**2
        case Neighbours.REPLACE_ONE:
            return 4 / multiplier**2
        case _:
            assert_never(neighbours)


def rho_stars_of_event(event: Any, neighbours: Neighbours) -> tuple[fmpq, ...]:
    """Return rho_star of every release in a dp-accounting event, whose floats are read as the dyadic numbers they are.

    Args:
        event: A ``GaussianDpEvent``, a ``NoOpDpEvent``, or a composition of such.
        neighbours: When two datasets are neighbours.

    Raises:
        ModuleNotFoundError: If dp-accounting is not installed.
        ValueError: If the event is of another kind, or has no noise.
    """
    dp = import_module("dp_accounting")
    match event:
        case dp.GaussianDpEvent():
            return (rho_star_of_multiplier(binary64_fraction(float(event.noise_multiplier)), neighbours),)
        case dp.NoOpDpEvent():
            return ()
        case dp.SelfComposedDpEvent():
            return rho_stars_of_event(event.event, neighbours) * int(event.count)
        case dp.ComposedDpEvent():
            return tuple(rho_star for each in event.events for rho_star in rho_stars_of_event(each, neighbours))
        case _:
            raise ValueError(f"a {type(event).__name__} is no composition of Gaussian releases; rho_star is undefined")


def multiplier_lower(rho_star: fmpq) -> float:
    """Return a binary64 number just below ``1 / sqrt(rho_star)``: a noise multiplier that does not claim too much.

    Raises:
        ValueError: If ``rho_star`` is not positive, or the number is beyond the range of binary64.
    """
    if rho_star <= 0:
        raise ValueError(f"a noise multiplier needs a positive rho_star, not {rho_star}")
    exact = 1 / gdp_mu(rho_star, 40).upper
    try:
        nearest = int(exact.p) / int(exact.q)
    except OverflowError:
        raise ValueError("the noise multiplier is beyond the range of binary64") from None
    lower = nearest if binary64_fraction(nearest) <= exact else math.nextafter(nearest, 0.0)
    if lower == 0:
        raise ValueError("the noise multiplier is beyond the range of binary64")
    return lower


def event_of_rho_star(rho_star: fmpq | Infinite) -> Any:
    """Return the dp-accounting event of a release: a ``GaussianDpEvent`` that is never more private than it.

    rho_star already accounts for the neighbouring relation of the release. Give the event to an accountant with the
    relation ADD_OR_REMOVE_ONE, the default, whatever that relation is: under REPLACE_ONE one of the accountants would
    double the sensitivity once more, which is safe but loose.

    Args:
        rho_star: An upper bound of the parameter of the release; infinite where it is not private.

    Raises:
        ModuleNotFoundError: If dp-accounting is not installed.
        ValueError: If the noise multiplier is beyond the range of binary64.
    """
    dp = import_module("dp_accounting")
    if isinstance(rho_star, Infinite):
        return dp.NonPrivateDpEvent()
    return dp.NoOpDpEvent() if rho_star == 0 else dp.GaussianDpEvent(multiplier_lower(rho_star))
