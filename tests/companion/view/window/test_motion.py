"""Motion that explains a step: who slides where, what goes out in which order, how long, and when nothing moves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.sonae.presenter import SONAE
from companion.settings.layers import Settings
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import Dice, Intent, MapPicture, Screen
from companion.ui.table_pictures import CardSight, DuelPicture
from companion.view.kit.glass import glass_of
from companion.view.kit.theme import theme
from companion.view.page.marks import Picture
from companion.view.window.display import LOOK_MS, TICK_MS
from companion.view.window.input import InputEvent
from companion.view.window.motion import MOST_S, MOST_TRAVELS, SLOW_FRAMES, SLOW_S, Flight, Motion, flight_between
from companion.view.window.panes import Pane, Shown
from companion.view.window.travels import Journey, gone_out, journeys, travels
from companion.view.window.window import Window
from engine.orders.position import Position
from engine.orders.steps import Roll
from engine.systems import system_named
from tests.companion.desk.desk import STEPS, Desk, desk_at
from tests.companion.plain_tables import REQUESTS, steps_of
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


class Sitting:
    """A window whose loop is turned by the test, a touch or nothing at a time."""

    def __init__(self, desk: Desk, display: pygame.Surface) -> None:
        self.now_s = 100.0
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
        self.window.run(events, lambda: self.now_s)
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
    sitting.now_s += MOST_S / 2
    sitting.turn()
    assert sitting.pixels() != first
    sitting.now_s += MOST_S
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
    assert sitting.app.stage.settings.motion, "unless it is switched off"
    assert not Motion().moves(0.0)
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
    sitting.now_s += 2 * MOST_S
    sitting.turn()
    assert sitting.pixels() != first
    assert not sitting.window.motion.flights


# ---- over a field and between the cards of a duel --------------------------------------------------

SMALL, WIDE = (800, 480), (1280, 720)
sizes = pytest.mark.parametrize("size_px", [SMALL, WIDE])
Board = FieldPicture | DuelPicture


def shown(board: Board, size_px: tuple[int, int] = SMALL, *, far: bool = False) -> Shown:
    """Return a table alone between two players, its letters upright for the near one or the far one."""
    pane = Pane("", Screen(), pygame.Rect((0, 0), size_px), far, board, 180 if far else 0)
    return drawn(pane)


def drawn(pane: Pane) -> Shown:
    glass = glass_of(Settings())
    return Shown(pane, pane.draw((glass, glass.grain(pane.rect_px.size))))


def pictures(system: str, most: int) -> list[Board]:
    """Return the table after each of the first steps of a game."""
    rules = system_named(system)
    position, found = rules.new({"do": "new", **REQUESTS[system]}), []
    presenter: Any = {"sonae": SONAE, "generals": GENERALS}[system]
    for step in steps_of(system, most):
        found.append(presenter.picture(position))
        position = rules.apply(position, step)
    return found


@pytest.fixture(scope="module")
def field() -> FieldPicture:
    """Return a field before its first turn."""
    found = pictures("sonae", 1)[0]
    assert isinstance(found, FieldPicture)
    return found


@pytest.fixture(scope="module")
def duel() -> DuelPicture:
    """Return a duel with a general of each side on the table at least."""
    found = [picture for picture in pictures("generals", 44) if isinstance(picture, DuelPicture)]
    return next(
        picture for picture in found if {card.seat for zone in picture.zones for card in zone.cards} == {"red", "black"}
    )


def moved(field: FieldPicture, far: float = 2.0) -> FieldPicture:
    """Return the field with its first base elsewhere."""
    first, *rest = field.units
    return replace(field, units=(replace(first, place=(first.place[0], first.place[1] + far)), *rest))


def cards(duel: DuelPicture, n: int, cards: tuple[CardSight, ...]) -> DuelPicture:
    """Other cards in a zone."""
    zones = tuple(replace(zone, cards=cards) if i == n else zone for i, zone in enumerate(duel.zones))
    return replace(duel, zones=zones)


def flight(old: Shown, new: Shown) -> Flight:
    found = flight_between(old, new, theme())
    assert found is not None
    return found


# ---- a field --------------------------------------------------------------------------------------


@sizes
def test_a_base_slides_from_where_it_was(field: FieldPicture, size_px: tuple[int, int]) -> None:
    old, new = shown(field, size_px), shown(moved(field), size_px)
    (travel,) = travels(old, new)
    assert travel.start[0] == pytest.approx(travel.end[0], abs=1.5)
    assert travel.start[1] > travel.end[1] + 20, "farther from the near player is higher on the glass"
    found = flight(old, new)
    assert len(found.sprites) == 1
    first, last = (list(found.marks(part))[-1] for part in (0.0, 1.0))
    assert pygame.Rect(first.box).center == pytest.approx(travel.start, abs=1)
    assert pygame.Rect(last.box).center == pytest.approx(travel.end, abs=1)
    assert MOST_S < 0.4


def test_what_slides_is_the_base_and_not_the_ground_around_it(field: FieldPicture) -> None:
    turned = replace(field, units=tuple(replace(unit, facing_deg=45.0) for unit in field.units))
    (travel,) = travels(shown(turned), shown(moved(turned)))
    assert travel.sprite.get_at((0, 0)).a == 0
    assert travel.sprite.get_at(travel.sprite.get_rect().center).a == 255


def test_for_the_far_player_it_goes_the_other_way_up(field: FieldPicture) -> None:
    (near,) = travels(shown(field), shown(moved(field)))
    (far,) = travels(shown(field, far=True), shown(moved(field), far=True))
    assert far.end[1] - far.start[1] == pytest.approx(near.start[1] - near.end[1], abs=2), "the pane is turned"
    (both,) = travels(shown(field), shown(moved(field), far=True))
    assert math.dist(both.start, both.end) == pytest.approx(math.dist(near.start, near.end), abs=4)


def test_a_base_that_turns_or_is_gone_slides_nowhere(field: FieldPicture) -> None:
    first, *rest = field.units
    wheeled = replace(field, units=(replace(first, facing_deg=first.facing_deg + 30), *rest))
    gone = replace(field, units=tuple(rest))
    assert flight_between(shown(field), shown(wheeled), theme()) is None
    assert flight_between(shown(field), shown(gone), theme()) is None


def test_where_the_field_lies_elsewhere_nothing_slides(field: FieldPicture) -> None:
    other = replace(moved(field), size=(field.size[0] * 2, field.size[1]))
    assert list(travels(shown(field), shown(other))) == []


def test_a_jump_to_another_moment_moves_nothing(field: FieldPicture) -> None:
    units = tuple(replace(unit, place=(unit.place[0], unit.place[1] + 0.8)) for unit in field.units)
    assert len(units) > MOST_TRAVELS
    assert flight_between(shown(field), shown(replace(field, units=units)), theme()) is None


# ---- a duel ---------------------------------------------------------------------------------------


@sizes
def test_a_general_slides_to_its_zone(duel: DuelPicture, size_px: tuple[int, int]) -> None:
    n = next(i for i, zone in enumerate(duel.zones) if zone.cards)
    first = duel.zones[n].cards[0]
    to = (n + 1) % len(duel.zones)
    away = cards(duel, n, duel.zones[n].cards[1:])
    after = cards(away, to, (*duel.zones[to].cards, first))
    found = list(travels(shown(duel, size_px), shown(after, size_px)))
    assert found
    assert max(math.dist(travel.start, travel.end) for travel in found) > 40


@sizes
def test_a_card_comes_from_its_side_s_piles_and_goes_there(duel: DuelPicture, size_px: tuple[int, int]) -> None:
    n = next(i for i, zone in enumerate(duel.zones) if zone.cards)
    before = cards(duel, n, ())
    assert len(duel.zones[n].cards) == 1
    old, new = shown(before, size_px), shown(duel, size_px)
    (comes,), (goes,) = travels(old, new), travels(new, old)
    assert comes.start == goes.end
    assert comes.end == goes.start
    seat = duel.zones[n].cards[0].seat
    piles = new.canvas.sheet.pieces[f"piles {seat}"]
    xs = [x * new.canvas.px_per_pt for x, _y in piles]
    assert min(xs) <= comes.start[0] <= max(xs)


def test_a_whole_duel_moves_without_a_word() -> None:
    boards = [shown(picture) for picture in pictures("generals", 44)]
    flights = [flight_between(old, new, theme()) for old, new in pairwise(boards)]
    assert sum(motion is not None for motion in flights) > 5
    for motion in filter(None, flights):
        for part in (0.0, 0.5, 0.99):
            assert all(isinstance(mark, Picture) and mark.surfaces() for mark in motion.marks(part))


# ---- dice -----------------------------------------------------------------------------------------


def panel(*faces: int | None, sixes: bool = False) -> Shown:
    """Return a page with dice to enter."""
    screen = Screen(blocks=(Dice(faces, sixes=sixes),))
    return drawn(Pane("", screen, pygame.Rect((0, 0), SMALL)))


def test_a_six_of_a_battle_lands() -> None:
    (die,) = flight(panel(0, 0, 0, sixes=True), panel(0, 6, 0, sixes=True)).dice
    where = panel(0, 6, 0, sixes=True)
    assert die[1] == pygame.Rect(where.canvas.box_px(where.canvas.sheet.targets[1])).center
    assert flight_between(panel(0, 6, 0, sixes=True), panel(0, 0, 0, sixes=True), theme()) is None


def test_dice_that_only_lie_there_do_not_land() -> None:
    screen = Screen(blocks=(Dice((1, 2), entering=False),))
    lying = drawn(Pane("", screen, pygame.Rect((0, 0), SMALL)))
    assert flight_between(panel(), lying, theme()) is None
    assert len(flight(panel(None, None), panel(1, 0)).dice) == 2


def test_a_glass_of_another_size_is_no_journey(field: FieldPicture) -> None:
    assert flight_between(shown(field), shown(moved(field), WIDE), theme()) is None
