"""Figures: reproducible, coloured by the page, true to the geometry."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from flint import fmpq

from certify.certificates.errors import DesignError
from certify.checker.exact import Matrix, identity
from certify.checker.guarantees import ApproxDP
from certify.checker.queries import FixedQuery
from certify.checker.releases import ExplicitVectors, IdealDenoiser, Neighbours, RecordSum, Release, domain_of
from certify.checker.sensitivity import BallDomain, BoxDomain, FiniteDomain, UniformQuery
from certify.reports.geometry import (
    Plane,
    float_rho_star,
    longest_vector,
    noise_outline,
    refuting_plane,
    view,
    widest_plane,
)
from certify.reports.pixels import Shape, data_uri, guess_shape
from certify.reports.plots import VARIABLES, Ink, Picture
from certify.reports.plots_privacy import Profiles, capacity_picture, history_pictures, profile_picture
from certify.reports.plots_release import Active, Noise, active_picture, plane_pictures, spectrum_picture
from certify.solvers.problem import Round
from tests.checker.examples import claim_of, line, rows, square

SQUARE = claim_of(square())
HISTORY = (Round(1, 4, 1.0, 3.0, 0.1), Round(2, 6, 2.0, 2.0, 0.2))


def _release(domain: FiniteDomain | BoxDomain | BallDomain) -> Release:
    return IdealDenoiser(domain, UniformQuery(), Neighbours.ADD_OR_REMOVE_ONE)


def _pictures() -> list[Picture]:
    noise = Noise(SQUARE.covariance, 1.0, 2.0)
    found = [
        *plane_pictures(SQUARE.sensitivity, noise),
        spectrum_picture(noise),
        active_picture([Active("pair 0, 3", 2.0, 0.75), Active("pair 1, 2", 1.0, 0.25)]),
        profile_picture(Profiles(fmpq(1), fmpq(2), ApproxDP(fmpq(1), fmpq(1, 100)))),
        capacity_picture(fmpq(1, 10), fmpq(8, 10)),
        *history_pictures(HISTORY),
    ]
    return [each for each in found if each is not None]


def test_the_bytes_are_reproducible_and_the_colours_are_the_pages() -> None:
    first, noise = _pictures(), Noise(SQUARE.covariance, 1.0, 2.0)
    again = [*plane_pictures(SQUARE.sensitivity, noise), spectrum_picture(noise)]
    assert again == first[:3]
    keys = "records plane spectrum active profile capacity bracket history"
    assert {p.key for p in first} == set(keys.split())
    for shown in first:
        assert not [ink for ink in Ink if ink in shown.svg], shown.key
        assert set(re.findall(r"#[0-9a-fA-F]{6}\b", shown.svg)) <= {"#ffffff", "#000000"}
        assert f"var({VARIABLES[Ink.TEXT]})" in shown.svg
        root = fromstring(shown.svg)  # noqa: S314
        assert root.get("aria-label") == shown.title
        assert "<metadata" not in shown.svg
        identifiers = re.findall(r'\bid="([^"]*)"', shown.svg)
        assert identifiers
        assert all(each.startswith(f"{shown.key}-") for each in identifiers)
        used = set(re.findall(r'(?:href="#|url\(#)([^")]*)', shown.svg))
        assert used <= set(identifiers)


@pytest.mark.parametrize(
    ("release", "longest"),
    [
        (SQUARE.sensitivity, 2**0.5),
        (_release(FiniteDomain(rows([0, 0], [3, 4]), None)), 5.0),
        (_release(BoxDomain(rows([0, 0, 0]), rows([1, 2, 2]))), 3.0),
        (_release(BallDomain(rows([0, 0]), fmpq(3))), 6.0),
        (RecordSum(FiniteDomain(rows([3, 4], [1, 0]), None), Neighbours.ADD_OR_REMOVE_ONE), 5.0),
        (ExplicitVectors(rows([1, 0], [0, 7])), 7.0),
    ],
)
def test_the_longest_vector(release: Release, longest: float) -> None:
    assert longest_vector(release) == pytest.approx(longest)
    covariance = identity(release.dimension).scaled(fmpq(1, 4))
    assert float_rho_star(release, covariance) == pytest.approx(4 * longest**2)


def test_the_outline_is_the_hull_and_lies_inside_the_optimal_ellipse() -> None:
    plane = widest_plane(SQUARE.sensitivity)
    assert plane is not None
    outline = view(SQUARE.sensitivity, plane).outline
    corners = np.unique(np.round(outline @ plane.axes.T, 9), axis=0)
    assert {tuple(map(float, c)) for c in corners if np.abs(c).sum() > 1} == {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    ellipse = noise_outline(SQUARE.covariance, plane, 1.0)
    assert np.linalg.norm(ellipse, axis=1) == pytest.approx(2**0.5)
    inside = np.linalg.solve(np.array([[2.0, 0], [0, 2.0]]), (outline @ plane.axes.T).T)
    assert float(((outline @ plane.axes.T).T * inside).sum(axis=0).max()) <= 1 + 1e-12


def test_a_refuted_claim_is_seen_to_fail() -> None:
    # The noise is ample in the two widest directions and too small in the third.
    release = ExplicitVectors(rows([4, 0, 0], [0, 3, 0], [0, 0, 1]))
    covariance = rows([400, 0, 0], [0, 400, 0], [0, 0, 1], over=4)

    def reach(plane: Plane | None, axis: int) -> float:
        assert plane is not None
        outline, ellipse = view(release, plane).outline, noise_outline(covariance, plane, 1.0)
        return float(outline[:, axis].max() / ellipse[:, axis].max())

    widest = widest_plane(release)
    assert max(reach(widest, 0), reach(widest, 1)) < 1
    refuting = refuting_plane(release, rows([0, 0, 3]))
    assert refuting is not None
    assert np.abs(refuting.axes) == pytest.approx(np.array([[0, 1], [0, 0], [1, 0]]), abs=1e-9)
    assert reach(refuting, 0) == pytest.approx(2)
    shown = plane_pictures(release, Noise(covariance, 1.0, None), rows([0, 0, 3]))[-1]
    assert "here it does not" in shown.caption
    assert "direction of the counterexample" in shown.svg
    ample = plane_pictures(release, Noise(covariance, 5.0, None), rows([0, 0, 3]))[-1]
    assert "here it does." in ample.caption
    assert refuting_plane(release, rows([0, 0, 0])) is None


def test_a_fixed_query_shrinks_the_outline() -> None:
    domain = domain_of(SQUARE.sensitivity)
    assert domain is not None
    release = IdealDenoiser(domain, FixedQuery(rows([0, 0]), fmpq(1)), Neighbours.ADD_OR_REMOVE_ONE)
    assert 0.1 < longest_vector(release) < longest_vector(SQUARE.sensitivity)
    plane = widest_plane(release)
    assert plane is not None
    assert np.linalg.norm(view(release, plane).outline, axis=1).max() == pytest.approx(longest_vector(release))


def test_what_cannot_be_drawn_is_left_out() -> None:
    assert widest_plane(claim_of(line()).sensitivity) is None
    assert plane_pictures(claim_of(line()).sensitivity, Noise(identity(1), 1.0, None)) == []
    assert spectrum_picture(Noise(identity(1), 1.0, None)) is None
    assert active_picture([]) is None
    assert history_pictures(()) == []
    assert profile_picture(Profiles(fmpq(0), None, None)) is None
    assert float_rho_star(SQUARE.sensitivity, rows([1, 1], [1, 1])) is None
    many = FiniteDomain(Matrix(rows(*[[i, i * i] for i in range(400)]).numerators, identity(1).denominator), None)
    crowded = IdealDenoiser(many, FixedQuery(rows([0, 0]), fmpq(1)), Neighbours.REPLACE_ONE)
    with pytest.raises(DesignError, match="too many"):
        longest_vector(crowded)


def test_images() -> None:
    grey = np.array([[0.0, 8.0, 16.0, 4.0]])
    uri = data_uri(grey[0], Shape(2, 2), 16.0)
    assert uri.startswith("data:image/png;base64,")
    assert uri == data_uri(grey[0], Shape(2, 2), 16.0)
    assert guess_shape(np.zeros((3, 64))) == Shape(8, 8)
    assert guess_shape(-np.ones((3, 64))) is None
    assert guess_shape(np.zeros((3, 4))) is None
    assert guess_shape(np.zeros((3, 60))) is None


def test_a_png_holds_its_grey_levels() -> None:
    import base64  # noqa: PLC0415
    from io import BytesIO  # noqa: PLC0415

    from matplotlib.image import imread  # noqa: PLC0415

    uri = data_uri(np.array([0.0, 8.0, 16.0, 4.0, 2.0, 1.0]), Shape(2, 3), 16.0)
    image = imread(BytesIO(base64.b64decode(uri.split(",")[1])))
    assert (255 * image).round().astype(int).tolist() == [[0, 128, 255], [64, 32, 16]]
