"""Calibrating and reading a simulated table from end to end: the map, the support board, from elsewhere; refusals."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import (
    CAMERA,
    LATER,
    SIZE_MM,
    SUPPORT,
    four_areas,
    laid,
    led,
    pictures,
    supported,
    supported_studio,
    there,
    units_at_start,
)
from vision.calibration.calibrate import calibrate
from vision.errors import BoardNotFound, PictureError, TableError
from vision.geometry import Camera, board_from_image
from vision.reading.read import read
from vision.reading.setting import camera_elsewhere, is_elsewhere, prepare_table, seen_from
from vision.registration.register import Registration
from vision.simulation.camera import SimulatedCamera
from vision.simulation.support_board import SupportBoard
from vision.simulation.table import Moment, Shot
from vision.table import with_support


def test_the_start_and_another_position_are_read() -> None:
    start = read(pictures().table, pictures().start.picture)
    assert (start.units, start.commanders, start.unreadable) == (units_at_start(), {}, ())
    reading = read(pictures().table, pictures().later.picture)
    assert reading.units == LATER
    assert reading.commanders == {"advance:a1": "black"}
    assert reading.leaders["advance:a1"]["black"] > 0.5
    assert min(reading.confidence.values()) > 0.6
    assert reading.board_image is not None
    assert reading.quality > 0.5
    assert {area for area, count in reading.counts.items() if not count.best} == {"a2"}
    studio = pictures().studio
    nudged = studio.shoot(laid(studio, LATER, {}, 5), Moment(seed=4, shift_mm=(5.0, -4.0), turn_deg=1.2))
    assert read(pictures().table, nudged.picture).units == LATER


def test_a_covered_area_is_unreadable_and_not_empty() -> None:
    frame = pictures().later.picture.copy()
    corners = np.array(pictures().table.corners_px)
    x, y = corners[3] + 0.3 * (corners[1] - corners[3])
    cv2.ellipse(frame, (int(x), int(y)), (95, 75), 0, 0, 360, (125, 165, 215), -1)
    reading = read(pictures().table, frame)
    assert "a1" in reading.unreadable
    assert "a1" not in reading.units
    assert reading.confidence["a1"] == 0
    assert "b2" not in reading.unreadable


def test_a_frame_without_the_board_is_wholly_unreadable() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    reading = read(pictures().table, noise)
    assert set(reading.unreadable) == {"a1", "a2", "b1", "b2"}
    assert reading.units == {}
    assert reading.board_image is None


def test_what_shows_no_such_board_is_refused() -> None:
    shots, noise = pictures(), np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    with pytest.raises(PictureError, match="the frame: 640x360"):
        read(shots.table, np.zeros((360, 640, 3), np.uint8))
    with pytest.raises(PictureError, match="starting position"):
        calibrate(shots.reference.picture, four_areas(), shots.reference.truth["corners_px"], noise)
    with pytest.raises(BoardNotFound, match="give its corners"):
        calibrate(np.full((480, 640, 3), 120, np.uint8), four_areas())


def test_without_a_start_the_usual_looks_are_taken() -> None:
    shots = pictures()
    table = calibrate(shots.reference.picture, four_areas(), shots.reference.truth["corners_px"])
    assert table.start_bgr is None
    assert not prepare_table(table).looks.any()
    assert read(table, shots.start.picture).units.keys() >= {"a1", "b1"}


def test_a_large_reference_is_kept_smaller_and_its_frames_are_read() -> None:
    shots = pictures()
    large = [
        np.asarray(cv2.resize(shot.picture, None, fx=4, fy=4), np.uint8) for shot in (shots.reference, shots.later)
    ]
    table = calibrate(large[0], four_areas(), np.array(shots.reference.truth["corners_px"]) * 4, shots.start.picture)
    assert table.picture_size == (1920, 1440)
    assert read(table, large[1]).units == LATER


def test_a_table_without_spaces_or_pieces_is_read_too() -> None:
    shots = pictures()
    plan = replace(four_areas(), spaces=(), start=())
    table = calibrate(shots.reference.picture, plan, shots.reference.truth["corners_px"], shots.reference.picture)
    assert read(table, shots.reference.picture).units == {}


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
    found = there(camera_elsewhere(pictures().table, lies(shot)))
    truly = camera.centre_mm
    off = found.up([(0.0, 0.0), SIZE_MM]) - Camera((truly[0], truly[1], truly[2]), found.focal_px).up(
        [(0.0, 0.0), SIZE_MM]
    )
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
    assert not is_elsewhere(here, replace(here, centre_mm=(80.0, 204.0, 395.0)), SIZE_MM)
    assert is_elsewhere(here, replace(here, centre_mm=(115.0, 200.0, 400.0)), SIZE_MM)


@pytest.mark.parametrize("side_deg", [75.0, 180.0])
def test_a_table_seen_from_another_side_is_read_upright(side_deg: float) -> None:
    reading = read(pictures().table, shot_by(camera_at(side_deg, 25.0, 400.0)).picture)
    assert reading.units == LATER
    assert reading.registration is not None


SPACES = ("muster:1", "muster:2", "plan:1", "plan:2")
ON_SUPPORT = {"muster:2": "red", "plan:1": "black"}
COMMANDERS = {"advance:a1": "black", **ON_SUPPORT}


@pytest.mark.long
def test_commanders_are_read_on_the_map_and_on_the_support_board() -> None:
    studio = supported_studio()
    reading = read(supported(), studio.shoot(led(studio, COMMANDERS), Moment(seed=3)).picture)
    assert reading.commanders == COMMANDERS
    assert reading.support == SPACES
    assert reading.units == LATER
    assert set(reading.confidence) == set(LATER) | {"a2"}, "its spaces are no areas"


@pytest.mark.long
@pytest.mark.parametrize(
    ("support", "moment"),
    [(SUPPORT.moved((9.0, 14.0)), Moment(seed=5)), (SUPPORT, Moment(seed=6, shift_mm=(5.0, -4.0), turn_deg=1.2))],
    ids=["it has slid", "the camera was nudged"],
)
def test_a_support_board_that_lies_otherwise_is_found(support: SupportBoard, moment: Moment) -> None:
    studio = supported_studio(support)
    reading = read(supported(), studio.shoot(led(studio, COMMANDERS), moment).picture)
    assert {space: who for space, who in reading.commanders.items() if space in SPACES} == ON_SUPPORT
    empty = read(supported(), studio.shoot(led(studio, {}), moment).picture)
    assert (empty.commanders, empty.support) == ({}, SPACES)


@pytest.mark.long
def test_a_space_under_a_hand_is_out_of_sight_and_not_empty() -> None:
    studio = supported_studio()
    shot = studio.shoot(led(studio, COMMANDERS), Moment(seed=7))
    x, y = shot.truth["support_px"]["plan:1"]
    cv2.ellipse(shot.picture, (int(x), int(y)), (38, 38), 0, 0, 360, (125, 165, 215), -1)
    reading = read(supported(), shot.picture)
    assert "plan:1" not in reading.support
    assert "plan:1" not in reading.commanders
    assert reading.commanders["muster:2"] == "red"


@pytest.mark.long
@pytest.mark.parametrize("spaces", [("plan:1", "plan:2"), ()])
def test_only_the_spaces_that_were_touched_are_read(spaces: tuple[str, ...]) -> None:
    touched = tuple(place for place in supported().support_px if place[0] in spaces)
    studio, table = supported_studio(), with_support(supported(), touched)
    reading = read(table, studio.shoot(led(studio, COMMANDERS), Moment(seed=9)).picture)
    assert reading.support == spaces
    assert reading.commanders == {name: who for name, who in COMMANDERS.items() if name in (*spaces, "advance:a1")}


@pytest.mark.long
def test_spaces_that_no_picture_shows_are_refused() -> None:
    table, (first, *_) = supported(), supported().support_px
    with pytest.raises(TableError, match="plan:1 of the support board is outside the picture of 640x480 pixels"):
        with_support(table, (("plan:1", (700.0, 20.0)),))
    with pytest.raises(TableError, match="muster:1 of the support board is given twice"):
        with_support(table, (first, first))
    with pytest.raises(TableError, match="no support board has 501 spaces"):
        with_support(table, tuple((f"plan:{n}", (float(n), 5.0)) for n in range(501)))
    steep = replace(table, corners_px=((300.0, 20.0), (340.0, 20.0), (600.0, 460.0), (40.0, 460.0)))
    with pytest.raises(TableError, match="larger than the eye reads"):
        with_support(steep, (("plan:1", (5.0, 5.0)), ("plan:2", (635.0, 470.0))))


@pytest.mark.long
def test_it_is_a_table_of_its_own_in_the_maps_plane() -> None:
    beside = there(supported().support)
    assert [space.name for space in beside.plan.spaces] == list(SPACES)
    apart = np.subtract(beside.plan.spaces[1].at_mm, beside.plan.spaces[0].at_mm)
    assert apart == pytest.approx((30.0, 0.0), abs=1.0)
    assert beside.camera.focal_px == pytest.approx(supported().camera.focal_px, rel=0.02)
