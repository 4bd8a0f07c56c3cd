"""The sensitivity set and the noise of a release in floats, seen in one plane: for pictures, never for a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from certify.certificates.families import family_of
from certify.certificates.floats import FloatArray, to_floats
from certify.checker.exact import Matrix
from certify.checker.hulls import Ball, Deletions, Hull, Pairs, Replacements, Rows, Zonotope, hulls_of, spanning
from certify.checker.releases import Release, domain_of
from certify.checker.sensitivity import FiniteDomain
from certify.solvers.problem import ExplicitVectors, PairDifferences, ScaledDifferences, SensitivitySet

DIRECTIONS = 180


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A plane in R^d.

    Attributes:
        axes: Orthonormal columns, d x 2.
        names: What the two directions are.
    """

    axes: FloatArray
    names: tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class PlaneView:
    """What a plane shows of a release.

    Attributes:
        records: The records in the plane, m x 2; None where they are no finite list.
        outline: A polygon (k x 2) around the sensitivity set, its extreme points in many directions.
    """

    records: FloatArray | None
    outline: FloatArray


def widest_plane(release: Release) -> Plane | None:
    """Return the plane of the two widest directions, None for a set that spans fewer than two dimensions."""
    values, vectors = np.linalg.eigh(_spread(release))
    if release.dimension < 2 or values[-2] <= 1e-12 * max(values[-1], 0.0) or values[-1] <= 0:
        return None
    axes = vectors[:, [-1, -2]]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return Plane(axes * signs, ("widest direction", "second widest direction"))


def refuting_plane(release: Release, direction: Matrix) -> Plane | None:
    """Return the plane of a direction (1 x d) and the widest one across it; None in fewer than two dimensions.

    Where ``(y.s)^2 > rho y^T Sigma y`` for the direction y and some s, the plane shows s outside the ellipse of rho.
    """
    along = to_floats(direction)[0]
    length = float(np.linalg.norm(along))
    if release.dimension < 2 or length == 0:
        return None
    first = along / length
    across = np.eye(release.dimension) - np.outer(first, first)
    second = np.linalg.eigh(across @ (_spread(release) + 1e-9 * np.eye(release.dimension)) @ across)[1][:, -1]
    return Plane(np.column_stack([first, second]), ("direction of the counterexample", "widest across it"))


def _spread(release: Release) -> FloatArray:
    return np.asarray(sum((_moment(hull) for hull in hulls_of(release)), start=np.zeros((release.dimension,) * 2)))


def _moment(hull: Hull) -> FloatArray:
    points = to_floats(spanning(hull))
    if isinstance(hull, Pairs | Deletions | Replacements):
        points = points - points.mean(axis=0)
    return np.asarray(points.T @ points)


def view(release: Release, plane: Plane) -> PlaneView:
    """Return what the plane shows of the release.

    Raises:
        DesignError: If the sensitivity set has too many vectors to list.
    """
    domain = domain_of(release)
    records = to_floats(domain.records) @ plane.axes if isinstance(domain, FiniteDomain) else None
    corners = np.zeros((DIRECTIONS, 2))
    for hull in hulls_of(release):
        corners = _farther(corners, _extremes(hull, plane.axes))
    return PlaneView(records, np.vstack([corners, -corners, corners[:1]]))


def noise_outline(covariance: Matrix, plane: Plane, rho: float) -> FloatArray:
    """Return the polygon of the vectors s of the plane within ``s^T Sigma^-1 s <= rho``, as the plane shows them."""
    inside = plane.axes.T @ to_floats(covariance) @ plane.axes
    values, vectors = np.linalg.eigh((inside + inside.T) / 2)
    root = vectors * np.sqrt(np.maximum(values, 0))
    angles = np.linspace(0, 2 * np.pi, 2 * DIRECTIONS + 1)
    return np.asarray(np.sqrt(rho) * np.column_stack([np.cos(angles), np.sin(angles)]) @ root.T)


def longest_vector(release: Release) -> float:
    """Return about the largest Euclidean norm of a sensitivity vector.

    Raises:
        DesignError: If the sensitivity set has too many vectors to list.
    """
    unit = np.eye(release.dimension)
    return max((_longest(hull, unit) for hull in hulls_of(release)), default=0.0)


def float_rho_star(release: Release, covariance: Matrix) -> float | None:
    """Return about ``sup s^T Sigma^-1 s``; None for a singular covariance or a set that cannot be listed.

    Raises:
        DesignError: If the sensitivity set has too many vectors to list.
    """
    sigma = to_floats(covariance)
    values, vectors = np.linalg.eigh(sigma)
    if values[0] <= 1e-12 * values[-1]:
        return None
    whitening = vectors / np.sqrt(values)
    return max((_longest(hull, whitening) for hull in hulls_of(release)), default=0.0) ** 2


def _extremes(hull: Hull, axes: FloatArray) -> FloatArray:
    """Return the points of the hull in the plane that reach farthest in each direction."""
    match hull:
        case Ball(radius, _):
            return float(radius) * _directions()
        case Zonotope(generators):
            flat = to_floats(generators) @ axes
            signs = np.sign(_directions() @ flat.T)
            return np.asarray(signs @ flat)
        case Rows() | Pairs() | Deletions() | Replacements():
            return _extremes_of(_listed(hull), axes)
        case _:
            assert_never(hull)


def _listed(hull: Hull) -> SensitivitySet:
    return family_of((hull,), tuple(range(spanning(hull).columns))).sensitivity


def _extremes_of(sensitivity: SensitivitySet, axes: FloatArray) -> FloatArray:
    match sensitivity:
        case ExplicitVectors(vectors):
            return _farthest(vectors @ axes)
        case PairDifferences(records):
            flat = records @ axes
            spread = flat @ _directions().T
            return np.asarray(flat[spread.argmax(axis=0)] - flat[spread.argmin(axis=0)])
        case ScaledDifferences(records, factors):
            flat, corners = records @ axes, np.zeros((DIRECTIONS, 2))
            for point, row in zip(flat, factors, strict=True):
                corners = _farther(corners, _farthest(row[:, None] * (point - flat)))
            return corners
        case _:
            assert_never(sensitivity)


def _longest(hull: Hull, transform: FloatArray) -> float:
    """Return the largest norm of ``s^T transform`` over the hull; an upper bound for a box of many dimensions."""
    match hull:
        case Ball(radius, _):
            return float(radius) * float(np.linalg.norm(transform, 2))
        case Zonotope(generators):
            images = to_floats(generators) @ transform
            return float(np.sqrt(np.abs(images @ images.T).sum()))
        case Rows() | Pairs() | Deletions() | Replacements():
            return _longest_of(_listed(hull), transform)
        case _:
            assert_never(hull)


def _longest_of(sensitivity: SensitivitySet, transform: FloatArray) -> float:
    match sensitivity:
        case ExplicitVectors(vectors):
            return float(np.linalg.norm(vectors @ transform, axis=1).max(initial=0.0))
        case PairDifferences(records):
            images = records @ transform
            return max((float(np.linalg.norm(images - image, axis=1).max()) for image in images), default=0.0)
        case ScaledDifferences(records, factors):
            images = records @ transform
            rows = zip(images, factors, strict=True)
            return max(
                (float((np.linalg.norm(images - image, axis=1) * row).max()) for image, row in rows), default=0.0
            )
        case _:
            assert_never(sensitivity)


def _directions() -> FloatArray:
    angles = np.linspace(0, np.pi, DIRECTIONS, endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _farthest(points: FloatArray) -> FloatArray:
    reach = points @ _directions().T
    best = np.abs(reach).argmax(axis=0)
    return np.asarray(points[best] * np.sign(reach[best, range(DIRECTIONS)])[:, None])


def _farther(first: FloatArray, second: FloatArray) -> FloatArray:
    better = (second * _directions()).sum(axis=1) > (first * _directions()).sum(axis=1)
    return np.where(better[:, None], second, first)
