"""The camera over a marked table: fitted, there and back, and how far it may be off."""

from __future__ import annotations

import numpy as np
import pytest

from vision.bases.camera import fit_camera, project
from vision.bases.table import MarkedTable, corner_places, square, turn_and_move

TABLE = MarkedTable(20.0, 12.0)
SIZE = (1200, 800)
TRUE = np.array([np.log(0.95), -0.12, 2.6, 0.05, 0.1, -9.5, 5.0, 26.0])


def seen(noise_px: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    places = np.concatenate(list(corner_places(TABLE).values()))
    noise = np.random.default_rng(3).normal(0, noise_px, (len(places), 2)) if noise_px else 0.0
    return places, project(TRUE, SIZE, places) + noise


def test_the_fit_finds_lens_and_place() -> None:
    places, pixels = seen()
    camera = fit_camera(places, pixels, SIZE)
    inside = np.array([(3.0, 3.0), (10.0, 6.0), (17.0, 9.5)])
    assert camera.px(inside) == pytest.approx(project(TRUE, SIZE, inside), abs=0.3)
    assert camera.misfit_px < 0.05
    assert camera.focal_px == pytest.approx(0.95 * SIZE[0], rel=0.02)
    assert camera.centre[2] == pytest.approx(26.0, rel=0.1)


@pytest.mark.parametrize("up", [0.0, 0.5])
def test_from_the_table_to_the_picture_and_back(up: float) -> None:
    camera = fit_camera(*seen(), SIZE)
    inside = np.array([(1.0, 1.0), (10.0, 6.0), (19.0, 11.0)])
    assert camera.table(camera.px(inside, up), up) == pytest.approx(inside, abs=1e-4)


def test_the_error_is_about_as_large_as_it_says() -> None:
    inside = np.array([(3.0, 3.0), (10.0, 6.0), (17.0, 9.5)])
    camera = fit_camera(*seen(0.25), SIZE)
    off = np.linalg.norm(camera.table(project(TRUE, SIZE, inside)) - inside, axis=1)
    told = camera.standard_error(inside, 0.0)
    assert (off < 4 * told).all()
    assert (told < 0.05).all()


def test_facings_are_clockwise_from_the_far_edge() -> None:
    front_left, *_rest = turn_and_move(square(2.0), (5.0, 5.0), 90.0)
    assert front_left == pytest.approx([6.0, 6.0])
