"""The support board beside the map: its commanders are read as the map's are, wherever it lies, if it is in sight."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import LATER, SUPPORT, led, supported, supported_studio
from vision.errors import TableError
from vision.reading.read import Reading, read
from vision.simulation.table import Moment
from vision.table import with_support

pytestmark = pytest.mark.long

SPACES = ("muster:1", "muster:2", "plan:1", "plan:2")
COMMANDERS = {"advance:a1": "black", "muster:2": "red", "plan:1": "black"}


def seen_on_support(reading: Reading) -> dict[str, str]:
    return {space: who for space, who in reading.commanders.items() if space in SPACES}


def test_commanders_are_read_on_the_map_and_on_the_support_board() -> None:
    studio = supported_studio()
    reading = read(supported(), studio.shoot(led(studio, COMMANDERS), Moment(seed=3)).picture)
    assert reading.commanders == COMMANDERS
    assert reading.support == SPACES
    assert reading.units == LATER
    assert set(reading.confidence) == set(LATER) | {"a2"}, "its spaces are no areas"


def test_an_empty_support_board_has_no_commanders() -> None:
    studio = supported_studio()
    reading = read(supported(), studio.shoot(led(studio, {}), Moment(seed=4)).picture)
    assert (reading.commanders, reading.support) == ({}, SPACES)


def test_a_support_board_that_has_slid_is_found() -> None:
    studio = supported_studio(SUPPORT.moved((9.0, 14.0)))
    reading = read(supported(), studio.shoot(led(studio, COMMANDERS), Moment(seed=5)).picture)
    assert seen_on_support(reading) == {"muster:2": "red", "plan:1": "black"}


def test_a_nudged_camera_changes_nothing() -> None:
    studio = supported_studio()
    moved = studio.shoot(led(studio, COMMANDERS), Moment(seed=6, shift_mm=(5.0, -4.0), turn_deg=1.2))
    assert seen_on_support(read(supported(), moved.picture)) == {"muster:2": "red", "plan:1": "black"}


def test_a_space_under_a_hand_is_out_of_sight_and_not_empty() -> None:
    studio = supported_studio()
    shot = studio.shoot(led(studio, COMMANDERS), Moment(seed=7))
    x, y = shot.truth["support_px"]["plan:1"]
    cv2.ellipse(shot.picture, (int(x), int(y)), (38, 38), 0, 0, 360, (125, 165, 215), -1)
    reading = read(supported(), shot.picture)
    assert "plan:1" not in reading.support
    assert "plan:1" not in reading.commanders
    assert reading.commanders["muster:2"] == "red"


def test_without_a_support_board_none_of_it_is_in_sight() -> None:
    studio = supported_studio()
    table = with_support(supported(), ())
    assert table.support is None
    reading = read(table, studio.shoot(led(studio, COMMANDERS), Moment(seed=8)).picture)
    assert reading.support == ()
    assert reading.commanders == {"advance:a1": "black"}


def test_only_the_spaces_that_were_touched_are_read() -> None:
    studio, table = supported_studio(), with_support(supported(), supported().support_px[2:])
    reading = read(table, studio.shoot(led(studio, COMMANDERS), Moment(seed=9)).picture)
    assert reading.support == ("plan:1", "plan:2")
    assert reading.commanders == {"advance:a1": "black", "plan:1": "black"}


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


def test_it_is_a_table_of_its_own_in_the_maps_plane() -> None:
    beside = supported().support
    assert beside is not None
    assert [space.name for space in beside.plan.spaces] == list(SPACES)
    apart = np.subtract(beside.plan.spaces[1].at_mm, beside.plan.spaces[0].at_mm)
    assert apart == pytest.approx((30.0, 0.0), abs=1.0)
    assert beside.camera.focal_px == pytest.approx(supported().camera.focal_px, rel=0.02)
