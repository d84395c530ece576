"""Motion that explains a step: who slides where, what goes out in which order, how long, and when nothing moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.scenes.base.map_picture import Marks, map_picture
from companion.ui.screen import Intent, MapPicture
from companion.view.window.display import LOOK_MS, TICK_MS
from companion.view.window.input import InputEvent
from companion.view.window.motion import MOST_S, SLOW_FRAMES, SLOW_S, Motion
from companion.view.window.travels import Journey, gone_out, journeys
from companion.view.window.window import Window
from engine.orders.position import Position
from engine.orders.steps import Roll
from tests.companion.desk.desk import STEPS, Desk, desk_at
from tests.tables import rivers


def picture(position: Position) -> MapPicture:
    return map_picture(position, Marks(), None)


# ---- what it tells --------------------------------------------------------------------------------


def test_units_go_from_where_they_are_missing_to_where_they_are_more() -> None:
    before, after = picture(rivers("d5:3 e3:2")), picture(rivers("d5:1 e3:1 c4:3"))
    assert set(journeys(before, after)) == {
        Journey("red", "troop", 2, "d5", "c4"),
        Journey("red", "troop", 1, "e3", "c4"),
    }
    assert journeys(after, after) == ()


def test_what_comes_from_the_reserve_or_is_lost_goes_nowhere() -> None:
    before = picture(rivers("e3:2"))
    assert journeys(before, picture(rivers("e3:4", "a3:1"))) == ()


def test_supply_goes_out_from_where_the_chain_broke() -> None:
    before = picture(rivers("e3:1 d3:1 c4:1 d5:1 d2:1 d1:1"))
    supplied = {area.name for area in before.areas if area.supplied and area.controller == "red"}
    after = replace(
        before,
        areas=tuple(
            replace(area, controller="black", stacks=())
            if area.name == "d3"
            else replace(area, supplied=area.supplied and area.name not in ("d1", "d2"))
            for area in before.areas
        ),
    )
    assert {"d1", "d2"} <= supplied
    assert gone_out(before, after) == ("d2", "d1")
    assert gone_out(after, after) == ()


# ---- on the glass ---------------------------------------------------------------------------------


class Clock:
    """Tells the time that it is set to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Sitting:
    """A window whose loop is turned by the test, a touch or nothing at a time."""

    def __init__(self, desk: Desk, display: pygame.Surface) -> None:
        self.clock = Clock()
        self.window = Window(desk.app, display)
        self.app = desk.app
        self.turn(running=False)
        self.app.running = True

    def turn(self, *, running: bool = True) -> None:
        """Once around the loop, as `run` does it."""

        def events() -> Iterator[pygame.event.Event]:
            self.app.running = False
            return iter(())

        self.app.running = True
        self.window.run(events, self.clock)
        self.app.running = running

    def pixels(self) -> bytes:
        return pygame.image.tobytes(self.window.display, "RGB")


@pytest.fixture
def sitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, display: pygame.Surface) -> Sitting:
    """Return the recorded game before its first step, which moves units."""
    return Sitting(desk_at(tmp_path, monkeypatch, 0), display)


def advance(sitting: Sitting) -> None:
    """Red goes to c4."""
    sitting.app.touch(Intent("area", "c4"))
    sitting.turn()
    sitting.app.touch(Intent("confirm"))
    sitting.turn()


def test_a_step_moves_for_a_moment_and_then_everything_stands(sitting: Sitting) -> None:
    advance(sitting)
    assert sitting.window.motion.flights
    assert sitting.window.wait_ms == LOOK_MS
    first = sitting.pixels()
    sitting.clock.now_s += MOST_S / 2
    sitting.turn()
    assert sitting.pixels() != first
    sitting.clock.now_s += MOST_S
    sitting.turn()
    assert not sitting.window.motion.flights
    assert sitting.window.wait_ms == TICK_MS
    last = sitting.pixels()
    assert last == pygame.image.tobytes(sitting.window.display, "RGB")
    sitting.window.present()
    assert sitting.pixels() == last, "nothing is left over the table"
    assert MOST_S < 0.4


def test_a_touch_ends_it(sitting: Sitting) -> None:
    advance(sitting)
    sitting.window.handle(InputEvent("down", (790, 470)))
    assert not sitting.window.motion.flights


def test_switched_off_nothing_moves(sitting: Sitting) -> None:
    sitting.app.stage.settings = replace(sitting.app.stage.settings, motion=False)
    advance(sitting)
    assert not sitting.window.motion.flights


def test_a_page_without_a_map_does_not_move(sitting: Sitting) -> None:
    sitting.app.touch(Intent("menu"))
    sitting.turn()
    assert not sitting.window.motion.flights


def test_where_frames_take_too_long_nothing_moves_any_more(sitting: Sitting) -> None:
    advance(sitting)
    for _frame in range(SLOW_FRAMES - 1):
        sitting.window.motion.drawn(SLOW_S * 2)
    sitting.window.motion.drawn(SLOW_S / 2)
    assert not sitting.window.motion.asleep, "one that was quick begins the count anew"
    for _frame in range(SLOW_FRAMES):
        sitting.window.motion.drawn(SLOW_S * 2)
    assert sitting.window.motion.asleep
    assert not sitting.window.motion.flights
    sitting.app.touch(Intent("undo"))
    sitting.turn()
    assert not sitting.window.motion.flights


def test_nothing_moves_at_first() -> None:
    motion = Motion()
    assert not motion.moves(0.0)
    assert App().stage.settings.motion


def test_dice_land_as_they_are_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, display: pygame.Surface
) -> None:
    rolls = next(n for n, step in enumerate(STEPS) if isinstance(step, Roll))
    sitting = Sitting(desk_at(tmp_path, monkeypatch, rolls), display)
    sitting.app.touch(Intent("die", "", 1))
    sitting.turn()
    (flight,) = sitting.window.motion.flights.values()
    assert len(flight.dice) == 1
    assert not flight.before, "the map stays as it is"
    first = sitting.pixels()
    sitting.clock.now_s += 2 * MOST_S
    sitting.turn()
    assert sitting.pixels() != first
    assert not sitting.window.motion.flights
