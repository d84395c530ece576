"""A settled table of which the camera suddenly sees something else: it is lost soon, or looked at anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.vision.live.room import STEP_S, Room, knocked, states, under_a_hand
from tests.vision.tables import LATER, laid, pictures, units_at_start
from vision.geometry import Picture
from vision.live.motion import changed_cells, likeness, small_of
from vision.live.watcher import CHECK_EVERY_S, LOST, LOST_BECAUSE, RESTLESS_HOLD_S, RESTLESS_S, Update
from vision.simulation.table import Moment

SOON_S = 2.0
SETTLED_S = 4.0
"""By then the watch has taken more pictures than it averages."""


def turned(picture: Picture, by: int) -> Picture:
    """Return the picture with its middle square turned by quarters, as if the camera turned about its own axis."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 90.0 * by, 1.0)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def covered(picture: Picture) -> Picture:
    return np.full_like(picture, (30, 40, 80))


def ceiling(picture: Picture) -> Picture:
    light = np.linspace(0.7, 1.0, picture.shape[1])[None, :, None]
    return np.asarray(np.full(picture.shape, (205.0, 210.0, 212.0)) * light, np.uint8)


@lru_cache(maxsize=1)
def elsewhere() -> Picture:
    """Return what a table might look like without a board."""
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    return np.asarray(cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 6), None, 20, 230, cv2.NORM_MINMAX), np.uint8)  # type: ignore[call-overload]


@lru_cache(maxsize=1)
def turned_and_played() -> Picture:
    studio = pictures().studio
    return studio.shoot(laid(studio, LATER, {}, 5), Moment(seed=4, turn_deg=15.0)).picture


@pytest.fixture
def room() -> Room:
    """Return a table that has been settled for a while."""
    room = Room()
    room.settled(pictures().start.picture, SETTLED_S)
    return room


def lost_at(room: Room, seen: list[Update]) -> float:
    """After how many seconds the board was said not to be seen."""
    return next((i * STEP_S for i, update in enumerate(seen, 1) if update.state == "lost"), float("inf"))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (covered, LOST),
        (ceiling, LOST),
        (lambda picture: elsewhere(), LOST),
        (lambda picture: np.asarray(cv2.flip(picture, 1), np.uint8), LOST_BECAUSE["mirrored"]),
    ],
    ids=["covered", "ceiling", "elsewhere", "mirrored"],
)
def test_what_is_no_longer_there_is_lost_soon(room: Room, change: Callable[[Picture], Picture], fault: str) -> None:
    seen = room.show(change(pictures().start.picture), SOON_S)
    assert lost_at(room, seen) <= SOON_S
    assert seen[-1].fault == fault
    assert not any(update.settled for update in seen)


@pytest.mark.parametrize("across", [20.0, 75.0])
def test_a_board_that_lies_elsewhere_is_read_there(room: Room, across: float) -> None:
    seen = room.show(knocked(pictures().start.picture, across, 0.0), SOON_S)
    assert next(update.nudge for update in seen if update.nudge is not None).mm > 5
    assert seen[0].state == "moving"
    assert seen[-1].state == "settled"


@pytest.mark.parametrize("quarters", [1, 2])
def test_a_board_that_was_turned_round_is_read_as_it_lies(room: Room, quarters: int) -> None:
    seen = room.show(turned(pictures().start.picture, quarters), SOON_S)
    assert next(abs(update.nudge.deg) for update in seen if update.nudge is not None) == pytest.approx(
        90 * quarters, abs=5
    )
    assert seen[-1].state == "settled"
    assert all(update.settled.reading.units == units_at_start() for update in seen if update.settled)


def test_a_turn_played_while_the_board_was_turned_is_read(room: Room) -> None:
    seen = room.show(turned_and_played(), SOON_S)
    assert next(update.nudge for update in seen if update.nudge is not None).deg == pytest.approx(-15, abs=1)
    read = [update.settled.reading.units for update in seen if update.settled]
    assert [(units["b1"], units["b2"], "a2" in units) for units in read] == [(LATER["b1"], LATER["b2"], False)]


def test_a_camera_that_comes_back_facing_elsewhere_is_lost(room: Room) -> None:
    room.watcher.lose_sight()
    assert room.watcher.state == "starting"
    assert room.show(ceiling(pictures().start.picture), SOON_S)[-1].fault == LOST


def test_a_camera_that_comes_back_is_looked_through_anew(room: Room) -> None:
    before = room.eye.reads
    room.watcher.lose_sight()
    seen = room.show(pictures().start.picture, SOON_S)
    assert (states(seen)[0], seen[-1].state) == ("moving", "settled")
    assert room.eye.reads > before
    assert not any(update.settled for update in seen), "it shows what was known"


def test_where_it_is_never_still_it_is_lost_as_soon(room: Room) -> None:
    """A fan turns before the camera all the time."""
    start = pictures().start.picture

    def under_a_fan(picture: Picture, for_s: float) -> list[Update]:
        steps = range(round(for_s / STEP_S))
        return [update for step in steps for update in room.show(under_a_hand(picture, 4 * (step % 2)), STEP_S)]

    assert under_a_fan(start, RESTLESS_S + RESTLESS_HOLD_S + 1.0)[-1].state == "settled"
    assert lost_at(room, under_a_fan(ceiling(start), SOON_S)) <= SOON_S


def test_each_check_reads_what_is_seen_then(room: Room) -> None:
    """Also where the change was too small to be motion."""
    lighter = np.asarray(np.minimum(pictures().start.picture, 254) + 1, np.uint8)
    assert states(room.show(lighter, 2 * CHECK_EVERY_S)) == ["settled"]
    assert np.array_equal(room.eye.last, lighter)


# ---- light ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gains", [(0.2, 0.2, 0.2), (0.8, 0.95, 1.15)], ids=["a fifth", "warmer"])
def test_another_light_is_not_another_scene(room: Room, gains: tuple[float, ...]) -> None:
    seen = room.show(np.asarray(np.clip(pictures().start.picture * np.array(gains), 0, 255), np.uint8), SOON_S)
    assert states(seen)[-1] == "settled"
    assert "lost" not in states(seen)
    assert all(update.settled is None or update.settled.reading.units == units_at_start() for update in seen)


def test_a_lamp_that_goes_off_changes_little_of_what_is_seen() -> None:
    studio = pictures().studio
    lit, dim = (
        small_of(studio.shoot(laid(studio, LATER, {}, 5), Moment(seed=6, light_gains=(gain,))).picture)
        for gain in (1.0, 0.0)
    )
    assert likeness(lit, dim) > 0.5
    assert not changed_cells(lit, dim).all()
