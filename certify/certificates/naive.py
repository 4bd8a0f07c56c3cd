"""What accounting without the geometry of the records would have said: ``diam^2 lambda_max(Sigma^-1) >= rho_star``."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from flint import fmpq

from certify.certificates.floats import from_floats, to_floats
from certify.certificates.rho_star import vector_of
from certify.certificates.worst_vectors import worst_vector
from certify.checker.exact import Matrix, identity, inner
from certify.checker.hulls import Ball, Deletions, Hull, Pairs, Replacements, Rows, Zonotope, hulls_of
from certify.checker.kernel import silent
from certify.checker.releases import Release


def naive_rho_lower(release: Release, covariance: Matrix, precision: Matrix | None) -> fmpq | None:
    """Return a lower bound, close to equality, of ``diam^2 lambda_max(Sigma^-1)``; None where that is infinite.

    diam is the largest Euclidean length of a difference between neighbours, a factor of the denoiser counted as 1. The
    bound is exact arithmetic: ``diam^2 >= |s|^2`` for a member s of the hull, and
    ``lambda_max(Sigma^-1) >= |z|^2 / (z^T Sigma z)`` for every z, here close to the eigenvector.

    Args:
        release: What is released.
        covariance: Sigma, d x d.
        precision: A matrix near Sigma^-1, d x d; None where Sigma is singular.
    """
    if precision is None or precision.rows < covariance.rows:
        return None
    _, vectors = np.linalg.eigh(to_floats(precision))
    z = from_floats(vectors[:, -1:].T.copy())
    noise = inner(z @ covariance, z)
    return squared_diameter_lower(release) * inner(z, z) / noise if noise > 0 else None


def squared_diameter_lower(release: Release) -> fmpq:
    """Return the squared length of the longest difference that a float search finds, exactly."""
    hulls = tuple(_without_factors(hull) for hull in hulls_of(release)[:1])
    size = release.dimension
    name = worst_vector(hulls, tuple(range(size)), identity(size), silent)
    if name is None:
        return fmpq(0)
    longest = vector_of(hulls, name)
    return inner(longest, longest)


def _without_factors(hull: Hull) -> Hull:
    match hull:
        case Deletions(points, _) | Replacements(points, _):
            return Pairs(points)
        case Rows() | Pairs() | Zonotope() | Ball():
            return hull
        case _:
            assert_never(hull)
