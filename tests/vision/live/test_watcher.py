"""Following a table: what moves, covers, knocks or darkens it is waited out, what replaces it lost, the rest told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.live.room import STEP_S, Eye, Room, knocked, settled_in, states, under_a_hand
from tests.vision.tables import LATER, laid, moved, pictures, supported, supported_studio, there, units_at_start
from vision.dice.reader import DiceReading, Die
from vision.geometry import Picture
from vision.live.settling import COVERED_S, changed_cells, likeness, small_of
from vision.live.watcher import (
    CHECK_EVERY_S,
    DARK,
    LOST,
    LOST_BECAUSE,
    OTHER_SIZE,
    RESTLESS_HOLD_S,
    RESTLESS_S,
    TableWatcher,
    Update,
    disagrees,
    is_news,
    same_dice,
)
from vision.reading.read import Reading, read
from vision.simulation.table import Moment
from vision.table import with_support

SOON_S = 2.0
SETTLED_S = 4.0
"""By then the watch has taken more pictures than it averages."""


@pytest.fixture
def room() -> Room:
    """Return a table that has been settled for a while."""
    room = Room()
    room.settled(pictures().start.picture, SETTLED_S)
    return room


@pytest.fixture
def start() -> Picture:
    return pictures().start.picture


# ---- settling -----------------------------------------------------------------------------------


def test_a_still_table_settles_once_and_is_then_only_checked(start: Picture) -> None:
    room = Room()
    seen = room.show(start, 2.0)
    assert states(seen) == ["moving", "steady", "settled"]
    (told,) = settled_in(seen)
    assert told.reading.units == units_at_start()
    assert told.frame.shape == start.shape
    before = room.eye.reads
    assert states(room.show(start, 4 * CHECK_EVERY_S)) == ["settled"]
    assert room.eye.reads - before <= 5


def test_pieces_that_move_are_told_anew(room: Room, start: Picture) -> None:
    seen = room.show(under_a_hand(start), 0.5) + room.show(pictures().later.picture, 2.0)
    assert "moving" in states(seen)
    assert [told.reading.units for told in settled_in(seen)] == [LATER]


def test_a_hand_that_takes_nothing_is_no_news_and_no_knock(room: Room, start: Picture) -> None:
    seen = [update for i in range(8) for update in room.show(under_a_hand(start, 12 * i), STEP_S)]
    assert states(seen) == ["moving"]
    after = room.show(start, 2.0)
    assert after[-1].state == "settled"
    assert not any(update.settled or update.nudge for update in after)


def test_a_large_frame_is_read_at_the_tables_size(start: Picture) -> None:
    double = np.asarray(cv2.resize(start, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert Room().settled(double).settled.frame.shape == start.shape  # type: ignore[union-attr]


# ---- what is in the way -------------------------------------------------------------------------


@pytest.mark.long
def test_a_hand_over_the_support_board_is_waited_out() -> None:
    picture = supported_studio().shoot((), Moment(seed=3)).picture
    x, y = np.mean([at for _, at in supported().support_px], axis=0)
    hand = cv2.circle(picture.copy(), (int(x), int(y)), 25, (125, 165, 215), -1)
    for table, state in ((supported(), "moving"), (with_support(supported(), ()), "settled")):
        eye = Eye()
        eye.tell = lambda reading, table=table: read(table, picture)  # type: ignore[misc]
        watcher = TableWatcher(table, eye)
        for step in range(20):
            watcher.see(picture, step * STEP_S)
        assert watcher.see(np.asarray(hand, np.uint8), 20 * STEP_S).state == state


def test_a_hand_that_rests_is_waited_out_and_what_lies_there_for_good_is_told_as_hidden(
    room: Room, start: Picture
) -> None:
    seen = room.show(under_a_hand(start), COVERED_S - 0.5)
    assert seen[-1].state == "hand"
    assert not any(update.settled for update in seen)
    told = there(Room().settled(under_a_hand(start), COVERED_S + 1).settled)
    assert "a1" in told.reading.unreadable
    assert told.reading.units["b1"] == units_at_start()["b1"]


def test_somebody_walking_by_does_not_keep_the_board_from_being_read(room: Room, start: Picture) -> None:
    far = start.copy()
    told = []
    for i in range(16):
        far[:, :40] = (40, 90, 140 + (60 if i % 2 else 0))
        told += room.show(far, STEP_S)
    assert states(told) == ["settled"]


def test_where_it_is_never_still_a_reading_has_to_hold_for_longer(start: Picture) -> None:
    room = Room()
    blinking = start.copy()
    x, y = np.array(pictures().table.corners_px).mean(axis=0).astype(int)
    blinking[y - 20 : y + 20, x - 20 : x + 20] = (250, 250, 250)
    told: list[float] = []
    began_s = room.now_s
    while not told and room.now_s - began_s < 20:
        told += [room.now_s for update in room.show(start, STEP_S) + room.show(blinking, STEP_S) if update.settled]
    assert told[0] - began_s >= RESTLESS_S + RESTLESS_HOLD_S - 0.5


def test_a_board_that_is_away_is_said_after_a_while(room: Room, start: Picture) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    away = np.asarray(cv2.GaussianBlur(noise, (0, 0), 4), np.uint8)
    seen = room.show(away, 2.5)
    assert (seen[-1].state, seen[-1].fault) == ("lost", LOST)
    assert "hand" in states(seen), "something may be in the way for a moment"
    assert {update.fault for update in room.show(away, 2.0)} == {LOST}, (
        "it is said all the time, not only after a reading"
    )
    after = room.show(start, 2.0)
    assert (after[-1].state, after[-1].fault) == ("settled", "")


WIDER = OTHER_SIZE.format(size="854x480", other="640x480")


@pytest.mark.parametrize(
    ("state", "fault", "spoil"),
    [
        ("dark", DARK, lambda start: np.asarray(start * 0.01, np.uint8)),
        ("lost", WIDER, lambda _start: np.full((480, 854, 3), 120, np.uint8)),
    ],
    ids=["the dark", "another form"],
)
def test_what_nobody_can_read_is_said(
    room: Room, start: Picture, state: str, fault: str, spoil: Callable[[Picture], Picture]
) -> None:
    seen = room.show(spoil(start), 1.0)
    assert (seen[-1].state, seen[-1].fault) == (state, fault)
    assert "settled" not in states(seen)
    assert room.show(start, 2.0)[-1].state == "settled"


def test_a_lamp_that_is_dimmed_changes_nothing(room: Room, start: Picture) -> None:
    seen = []
    for i in range(24):
        seen += room.show(np.asarray(start * (1 - 0.01 * i), np.uint8), STEP_S)
    assert states(seen) == ["settled"]


# ---- knocks -------------------------------------------------------------------------------------


def test_a_knock_is_noticed_and_registered_anew(room: Room, start: Picture) -> None:
    began_s = room.now_s
    noticed: list[tuple[float, Update]] = []
    for _ in range(24):
        noticed += [(room.now_s - began_s, update) for update in room.show(knocked(start), STEP_S)]
    first = next(pair for pair in noticed if pair[1].nudge is not None)
    assert first[0] < 2.0
    assert first[1].nudge is not None
    assert first[1].nudge.mm > 1.0
    assert 0.2 < abs(first[1].nudge.deg) < 0.7
    assert "nudged" in states([update for _, update in noticed])
    assert noticed[-1][1].state == "settled"
    assert not any(update.settled for _, update in noticed), "the pieces stand as they stood"
    assert sum(update.nudge is not None for _, update in noticed) == 1, "said once"


def test_a_knock_too_small_to_look_like_motion_is_noticed(room: Room, start: Picture) -> None:
    seen = []
    for i in range(1, 24):
        seen += room.show(knocked(start, 0.15 * i, 0.0), STEP_S)
    assert any(update.nudge is not None for update in seen + room.show(knocked(start, 3.5, 0.0), 2.5))


# ---- dice ---------------------------------------------------------------------------------------


def test_dice_beside_the_board_are_told_without_a_new_reading(room: Room, start: Picture) -> None:
    room.eye.lie = DiceReading((Die((-20.0, 10.0), 2, 0.9),))
    thrown = start.copy()
    thrown[200:240, 4:44] = (240, 240, 240)
    seen = room.show(thrown, 2.0)
    assert states(seen) == ["settled"]
    assert [update.dice for update in seen if update.dice] == [room.eye.lie]
    assert not any(update.settled for update in seen)


def test_dice_on_the_board_are_told_when_it_settles(room: Room, start: Picture) -> None:
    room.show(under_a_hand(start), 0.5)
    room.eye.lie = DiceReading((Die((20.0, 10.0), 1, 0.9),))
    assert [update.dice for update in room.show(start, 2.0) if update.dice] == [room.eye.lie]


def test_the_same_dice() -> None:
    one, two = Die((0.0, 0.0), 1, 0.9), Die((30.0, 0.0), 2, 0.8)
    lie = DiceReading((one, two))
    assert same_dice(DiceReading((two, replace(one, at_mm=(1.0, 0.5), confidence=0.7))), lie)
    assert not same_dice(DiceReading((one, replace(two, pips=0))), lie)
    assert not same_dice(DiceReading((one, replace(two, at_mm=(50.0, 0.0)))), lie)
    assert not same_dice(DiceReading((one,)), lie)
    assert not same_dice(DiceReading((one, two), ((9.0, 9.0),)), lie)
    assert same_dice(DiceReading((), seen=False), lie), "nothing was looked at, so nothing changed"


# ---- what is news -------------------------------------------------------------------------------


def changed(reading: Reading, area: str, sure: float) -> Reading:
    return replace(reading, confidence={**reading.confidence, area: sure})


def test_a_reading_that_tells_against_what_was_settled_begins_anew(room: Room, start: Picture) -> None:
    later = Eye().read(pictures().later.picture)
    room.eye.tell = lambda reading: replace(later, registration=reading.registration)
    assert [told.reading.units for told in settled_in(room.show(start, CHECK_EVERY_S + 3))] == [LATER]


def test_where_it_was_unsure_nothing_tells_against_it_and_becoming_clearly_surer_is_news() -> None:
    start, later = Eye().read(pictures().start.picture), Eye().read(pictures().later.picture)
    assert disagrees(later, start)
    doubtful = replace(start, confidence=dict.fromkeys(start.confidence, 0.5), leaders={"advance:a1": {"black": 0.5}})
    assert not disagrees(later, doubtful)
    assert disagrees(replace(start, unreadable=("a1",)), start)
    assert disagrees(replace(start, commanders={"advance:a1": "red"}), start)
    assert disagrees(replace(start, support=("plan:1",)), start), "a hand has left the support board"
    assert not disagrees(start, start)
    start = Eye().read(pictures().start.picture)
    assert not is_news(start, start)
    assert is_news(changed(start, "a1", 0.3), start)
    assert is_news(Eye().read(pictures().later.picture), start)


def covered(picture: Picture) -> Picture:
    return np.full_like(picture, (30, 40, 80))


def ceiling(picture: Picture) -> Picture:
    light = np.linspace(0.7, 1.0, picture.shape[1])[None, :, None]
    return np.asarray(np.full(picture.shape, (205.0, 210.0, 212.0)) * light, np.uint8)


def lost_at(room: Room, seen: list[Update]) -> float:
    """After how many seconds the board was said not to be seen."""
    return next((i * STEP_S for i, update in enumerate(seen, 1) if update.state == "lost"), float("inf"))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (covered, LOST),
        (ceiling, LOST),
        (lambda picture: np.asarray(cv2.flip(picture, 1), np.uint8), LOST_BECAUSE["mirrored"]),
    ],
    ids=["covered", "ceiling", "mirrored"],
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
    seen = room.show(moved(pictures().start.picture, turn_deg=90.0 * quarters)[0], SOON_S)
    assert next(abs(update.nudge.deg) for update in seen if update.nudge is not None) == pytest.approx(
        90 * quarters, abs=5
    )
    assert seen[-1].state == "settled"
    assert all(update.settled.reading.units == units_at_start() for update in seen if update.settled)


def test_a_turn_played_while_the_board_was_turned_is_read(room: Room) -> None:
    studio = pictures().studio
    seen = room.show(studio.shoot(laid(studio, LATER, {}, 5), Moment(seed=4, turn_deg=15.0)).picture, SOON_S)
    assert next(update.nudge for update in seen if update.nudge is not None).deg == pytest.approx(-15, abs=1)
    read = [told.reading.units for told in settled_in(seen)]
    assert [(units["b1"], units["b2"], "a2" in units) for units in read] == [(LATER["b1"], LATER["b2"], False)]


def test_a_camera_that_comes_back_is_looked_through_anew(room: Room) -> None:
    before = room.eye.reads
    room.watcher.lose_sight()
    seen = room.show(pictures().start.picture, SOON_S)
    assert (states(seen)[0], seen[-1].state) == ("moving", "settled")
    assert room.eye.reads > before
    assert not any(update.settled for update in seen), "it shows what was known"
    room.watcher.lose_sight()
    assert room.watcher.state == "starting"
    assert room.show(ceiling(pictures().start.picture), SOON_S)[-1].fault == LOST


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
