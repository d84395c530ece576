"""A table seen from elsewhere than on its photos: the lean of its pieces is worked out anew, once for each place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import CAMERA, LATER, laid, pictures
from vision.geometry import Camera, board_from_image
from vision.reading.read import prepare_table, read
from vision.reading.setting import camera_elsewhere, is_elsewhere, seen_from
from vision.registration.register import Registration
from vision.simulation.camera import SimulatedCamera
from vision.simulation.table import Moment, Shot

SIZE = (150.0, 140.0)


def camera_at(side_deg: float, tilt_deg: float = CAMERA.tilt_deg, distance_mm: float = 330.0) -> SimulatedCamera:
    return replace(CAMERA, side_deg=side_deg, tilt_deg=tilt_deg, distance_mm=distance_mm)


def shot_by(camera: SimulatedCamera) -> Shot:
    """Return the later position photographed by another camera."""
    studio = pictures().studio
    scene = replace(studio.scene, camera=camera)
    return studio.in_light_of(scene).shoot(laid(studio, LATER, {}, 5), Moment(seed=9))


def lies(shot: Shot) -> Registration:
    """Return how the board truly lies in a picture, as far as a homography can tell."""
    table = pictures().table
    there = board_from_image(np.array(shot.truth["corners_px"]), table.plan.size_mm)
    back = np.asarray(np.linalg.inv(table.board_from_reference) @ there, np.float64)
    return Registration(back / back[2, 2], 0.8, 0.9, 0.3, 200, still=False)


@pytest.mark.parametrize(
    "camera",
    [camera_at(180.0), camera_at(90.0), camera_at(0.0, 32.0), camera_at(250.0, 5.0)],
    ids=["from the far side", "from the right", "lower", "from the left and higher"],
)
def test_the_camera_is_where_it_was_set_up_anew(camera: SimulatedCamera) -> None:
    shot = shot_by(camera)
    found = camera_elsewhere(pictures().table, lies(shot))
    assert found is not None
    truly = camera.centre_mm
    off = found.up([(0.0, 0.0), SIZE]) - Camera((truly[0], truly[1], truly[2]), found.focal_px).up([(0.0, 0.0), SIZE])
    assert np.linalg.norm(off, axis=1).max() < 0.08, "mm per mm of height"


def test_a_nudged_camera_is_where_it_was() -> None:
    setting, table = prepare_table(pictures().table), pictures().table
    found = lies(shot_by(camera_at(2.0, distance_mm=334.0)))
    assert camera_elsewhere(table, found) is None
    assert seen_from(setting, table, found) is setting


def test_each_place_is_worked_out_once() -> None:
    setting, table = prepare_table(pictures().table), pictures().table
    far = lies(shot_by(camera_at(180.0)))
    setting_there = seen_from(setting, table, far)
    assert setting_there is not setting
    assert setting_there.looks is setting.looks
    assert not np.allclose(setting_there.ground.up_field, setting.ground.up_field, atol=0.1)
    assert seen_from(setting, table, lies(shot_by(camera_at(181.0)))) is setting_there
    assert seen_from(setting, table, lies(shot_by(camera_at(90.0)))) is not setting_there


def test_cameras_are_elsewhere_from_where_a_disc_seems_to_stand_beside_itself() -> None:
    here = Camera((75.0, 200.0, 400.0), 900.0)
    assert not is_elsewhere(here, replace(here, centre_mm=(80.0, 204.0, 395.0)), SIZE)
    assert is_elsewhere(here, replace(here, centre_mm=(115.0, 200.0, 400.0)), SIZE)


@pytest.mark.parametrize("side_deg", [75.0, 180.0])
def test_a_table_seen_from_another_side_is_read_upright(side_deg: float) -> None:
    reading = read(pictures().table, shot_by(camera_at(side_deg, 25.0, 400.0)).picture)
    assert reading.units == LATER
    assert reading.registration is not None
