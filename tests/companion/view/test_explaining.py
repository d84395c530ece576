"""What is this? A finger that rests on something opens a card, and nothing else comes of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pygame
import pytest

from companion.app.app import App
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.orders import OrdersPanel
from companion.scenes.sonae.table import BattleTable
from companion.scenes.sonae.unit import UnitPanel
from companion.scenes.table.board_table import BoardTable
from companion.ui.intents import Explanation
from companion.ui.screen import Intent
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import About, Rect, Sheet
from companion.view.page.on_top import draw_explanation
from companion.view.window.explaining import REST_S
from tests.companion.sample_games import played
from tests.companion.sonae.battle import SHOCK, near
from tests.companion.tapping import CALM_S, At, Place, Tapping, key, touch
from tests.companion.touching import Hand

ASK = Intent("dispute")
down, moved, up = (partial(touch, kind) for kind in (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP))


@pytest.fixture
def at(app: App, display: pygame.Surface) -> Tapping:
    """Return a game of General Orders that has just begun."""
    Hand(app).start()
    return Tapping(app)


def nothing(at_s: float) -> At:
    """Return an event that lets the loop go round once."""
    return At(at_s, pygame.event.Event(pygame.ACTIVEEVENT))


def rest(at: Tapping, place: Place, held_s: float = REST_S + 0.1) -> None:
    """Let a finger rest there for so long, and leave."""
    start = at.now_s + CALM_S
    at.send(down(start, place), nothing(start + held_s), up(start + held_s + 0.1, place), nothing(start + held_s + 0.2))


def test_a_finger_that_rests_opens_a_card_and_touches_nothing(at: Tapping) -> None:
    rest(at, at.place(ASK))
    assert list(at.window.explaining.cards) == [0]
    assert isinstance(at.app.scene, BoardTable)
    assert at.window.presses == {}


def test_a_short_touch_is_a_touch(at: Tapping) -> None:
    rest(at, at.place(ASK), REST_S / 2)
    assert at.window.explaining.cards == {}
    assert isinstance(at.app.scene, DisputeScene)


def test_a_finger_that_left_while_the_screen_was_drawn_did_not_rest(at: Tapping) -> None:
    at.app.stage.settings = replace(at.app.stage.settings, layout="two")
    at.app.version += 1
    at.window.refresh()
    mine, theirs = (at.place(Intent("menu"), seat) for seat in ("red", "black"))
    at.send(nothing(CALM_S))
    at.drawing_s, start = 2 * REST_S, 2 * CALM_S
    other = (down(start, theirs, 2), up(start + 0.02, theirs, 2))
    at.send(down(start, mine), *other, up(start + 0.1, mine), nothing(start + 9))
    assert at.window.explaining.cards == {}
    assert at.meaning(mine) != Intent("menu"), "it touched"


def test_a_finger_that_moves_asks_nothing(at: Tapping) -> None:
    place, start = at.place(ASK), at.now_s + CALM_S
    aside = place[0] + 40, place[1]
    at.send(down(start, place), moved(start + 0.1, aside), nothing(start + REST_S + 0.2), up(start + 1, place))
    assert at.window.explaining.cards == {}


def test_any_touch_takes_the_card_away_and_does_nothing_else(at: Tapping) -> None:
    rest(at, at.place(ASK))
    place, start = at.place(ASK), at.now_s + 1.0
    at.send(down(start, place), up(start + 0.05, place), down(start + 0.1, place), up(start + 0.15, place))
    assert at.window.explaining.cards == {}
    assert isinstance(at.app.scene, BoardTable), "nor does the second tap of a double tap"
    at.tap(place)
    assert isinstance(at.app.scene, DisputeScene)


def test_a_key_takes_the_card_away(at: Tapping) -> None:
    rest(at, at.place(ASK))
    at.send(key(at.now_s + 1, pygame.K_RETURN))
    assert at.window.explaining.cards == {}
    assert isinstance(at.app.scene, BoardTable)


def test_each_half_has_a_card_of_its_own(at: Tapping) -> None:
    at.app.stage.settings = replace(at.app.stage.settings, layout="two")
    at.app.version += 1
    at.window.refresh()
    mine, theirs = (at.place(Intent("menu"), seat) for seat in ("red", "black"))
    rest(at, mine)
    rest(at, theirs)
    assert len(at.window.explaining.cards) == 2
    at.tap(mine)
    assert len(at.window.explaining.cards) == 1
    at.app.stage.settings = replace(at.app.stage.settings, layout="one")
    at.app.version += 1
    at.send(nothing(at.now_s + 1))
    assert at.window.explaining.cards == {}, "their panes are no more"


def test_away_from_a_table_a_long_touch_is_a_touch(app: App, display: pygame.Surface) -> None:
    at = Tapping(app)
    rest(at, at.place(Intent("settings")))
    assert at.window.explaining.cards == {}
    assert app.scene is not app.home


def test_the_smallest_thing_at_a_point_is_meant() -> None:
    sheet = Sheet(Lettering(1.0))
    sheet.target(Rect(0, 0, 100, 100), Intent("side", "red"))
    sheet.about(Rect(10, 10, 20, 20), "initiative")
    sheet.drag(Rect(200, 0, 50, 50), Intent("field"))
    sheet.about(Rect(230, 0, 10, 10), "unit:a")
    sheet.about_line(((200, 40), (250, 40)), "ring-fire")
    sheet.about(Rect(200, 30, 20, 20), "unit:b")
    assert sheet.about_at((15, 15)) == About(Rect(10, 10, 20, 20), "initiative")
    assert sheet.about_at((50, 50)) == About(Rect(0, 0, 100, 100), "side:red")
    assert sheet.about_at((210, 10)) is None, "what follows a finger, and doesn't say what it is"
    assert sheet.about_at((235, 5)) == About(Rect(230, 0, 10, 10), "unit:a")
    assert getattr(sheet.about_at((235, 44)), "key", "") == "ring-fire"
    assert getattr(sheet.about_at((210, 40)), "key", "") == "unit:b", "what a line runs over is meant before it"
    assert sheet.about_at((400, 400)) is None


@pytest.mark.parametrize("place", [Rect(2, 2, 20, 20), Rect(210, 450, 20, 20), Rect(100, 0, 60, 470)])
@pytest.mark.parametrize("size_pt", [(236.0, 480.0), (800.0, 480.0)])
def test_a_card_lies_inside_its_pane_and_beside_the_thing(place: Rect, size_pt: tuple[float, float]) -> None:
    sheet = Sheet(Lettering(1.0))
    card = draw_explanation(sheet, Explanation("Initiative", "Who starts. " * 12, "Initiative, p. 9"), place, size_pt)
    assert card.x >= 0
    assert card.y >= 0
    assert card.right <= size_pt[0]
    assert card.bottom <= size_pt[1]
    assert size_pt[0] < 400 or not card.overlaps(place)


# ---- where a finger may also drag ---------------------------------------------------------------


@pytest.fixture
def battle(app: App, display: pygame.Surface) -> Tapping:
    """Return a battle in which a division has its orders: its bases can be led by a finger."""
    near(Hand(app))
    return Tapping(app)


def base_of(at: Tapping, name: str) -> Place:
    """Where a base is on the glass, not the button of its unit."""
    wanted = Intent("unit", name)
    found = ((shown_pane, target) for shown_pane, target in at.targets() if target.intent == wanted and target.outline)
    shown_pane, target = next(found)
    return shown_pane.box_px(target).center


def beside(place: Place, dx_px: float, dy_px: float) -> Place:
    return place[0] + dx_px, place[1] + dy_px


def panel_of(at: Tapping) -> object:
    assert isinstance(at.app.scene, BattleTable)
    return at.app.scene.panel


def test_a_base_that_may_be_led_explains_itself_to_a_finger_that_rests(battle: Tapping) -> None:
    rest(battle, base_of(battle, SHOCK))
    assert list(battle.window.explaining.cards) == [0]
    assert isinstance(panel_of(battle), OrdersPanel), "the finger that asked chose nothing"
    assert not battle.window.presses


def test_a_finger_that_rested_on_a_base_still_leads_it(battle: Tapping) -> None:
    place, start = base_of(battle, SHOCK), battle.now_s + CALM_S
    battle.send(down(start, place), nothing(start + REST_S + 0.1))
    assert list(battle.window.explaining.cards) == [0]
    battle.send(moved(start + 1.0, beside(place, 1, 1)))
    assert list(battle.window.explaining.cards) == [0], "it trembles"
    battle.send(moved(start + 1.1, beside(place, 0, -25)))
    assert battle.window.explaining.cards == {}
    assert isinstance(panel_of(battle), MovePanel)


def test_a_finger_that_moves_at_once_leads_a_base_and_one_that_does_not_chooses_it(battle: Tapping) -> None:
    place, start = base_of(battle, SHOCK), battle.now_s + CALM_S
    battle.send(down(start, place), up(start + 0.1, place))
    assert isinstance(panel_of(battle), UnitPanel)
    battle.send(down(start + 1, place), moved(start + 1.1, beside(place, 0, -25)))
    assert isinstance(panel_of(battle), MovePanel)


@pytest.mark.parametrize("key", ["ring-command", "ring-fire", "front"])
def test_rings_and_quarters_on_a_field_that_follows_a_finger_explain_themselves(battle: Tapping, key: str) -> None:
    battle.tap(base_of(battle, SHOCK))
    lines = [about for about in battle.window.canvas.sheet.abouts if about.key == key]
    assert lines
    told = battle.app.explain(key, None)
    assert told is not None
    assert told.cite
    k, sheet = battle.window.canvas.px_per_pt, battle.window.canvas.sheet
    there = next(p for about in lines for p in about.line if (found := sheet.about_at(p)) and found.key == key)
    rest(battle, (there[0] * k, there[1] * k))
    assert list(battle.window.explaining.cards) == [0]
    assert isinstance(panel_of(battle), UnitPanel), "the unit is led nowhere"


def test_the_curve_of_a_log_explains_itself_and_follows_a_finger_still(at: Tapping) -> None:
    table = at.app.table
    assert table is not None
    for step in played()[0][:40]:
        assert table.match.offer(step).legal
    table.refresh()
    for verb in ("menu", "log"):
        at.app.touch(Intent(verb))
    at.window.refresh()
    curve = next(about.rect for about in at.window.canvas.sheet.abouts if about.key == "curve")
    k = at.window.canvas.px_per_pt
    scene = at.app.scene
    rest(at, (curve.centre[0] * k, curve.centre[1] * k))
    assert list(at.window.explaining.cards) == [0]
    assert at.app.scene is scene, "no moment was chosen"
