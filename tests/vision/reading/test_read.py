"""Calibrating and reading a simulated table from end to end, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import LATER, four_areas, laid, pictures, units_at_start
from vision.calibration.calibrate import calibrate
from vision.errors import BoardNotFound, PictureError
from vision.reading.read import prepare_table, read
from vision.simulation.table import Moment


def test_the_start_is_read() -> None:
    reading = read(pictures().table, pictures().start.picture)
    assert reading.units == units_at_start()
    assert reading.commanders == {}
    assert reading.unreadable == ()


def test_another_position_is_read_with_its_commander() -> None:
    reading = read(pictures().table, pictures().later.picture)
    assert reading.units == LATER
    assert reading.commanders == {"advance:a1": "black"}
    assert reading.leaders["advance:a1"]["black"] > 0.5
    assert min(reading.confidence.values()) > 0.6
    assert reading.board_image is not None
    assert reading.quality > 0.5
    assert {area for area, count in reading.counts.items() if not count.best} == {"a2"}


def test_a_nudged_camera_changes_nothing() -> None:
    studio = pictures().studio
    moved = studio.shoot(laid(studio, LATER, {}, 5), Moment(seed=4, shift_mm=(5.0, -4.0), turn_deg=1.2))
    assert read(pictures().table, moved.picture).units == LATER


def test_a_frame_of_twice_the_size_is_read() -> None:
    double = cv2.resize(pictures().later.picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    assert read(pictures().table, np.asarray(double, np.uint8)).units == LATER


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


def test_a_frame_of_another_aspect_is_refused() -> None:
    with pytest.raises(PictureError, match="the frame: 640x360"):
        read(pictures().table, np.zeros((360, 640, 3), np.uint8))


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


def test_how_pieces_look_is_taken_from_the_start() -> None:
    looks = prepare_table(pictures().table).looks[0].reshape(4, -1)
    assert looks[:, -1].tolist() == [1.0] * 4, "all four kinds stand in the start"
    assert all(row.any() for row in looks[:, :-1])


def test_a_start_that_shows_no_board_is_refused() -> None:
    shots = pictures()
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    with pytest.raises(PictureError, match="starting position"):
        calibrate(shots.reference.picture, four_areas(), shots.reference.truth["corners_px"], noise)


def test_a_board_that_is_not_there_is_not_found() -> None:
    with pytest.raises(BoardNotFound, match="give its corners"):
        calibrate(np.full((480, 640, 3), 120, np.uint8), four_areas())


def test_a_table_without_spaces_or_pieces_is_read_too() -> None:
    shots = pictures()
    plan = replace(four_areas(), spaces=(), start=())
    table = calibrate(shots.reference.picture, plan, shots.reference.truth["corners_px"], shots.reference.picture)
    assert read(table, shots.reference.picture).units == {}
