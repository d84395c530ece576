"""What fingers rely on, over all scenes: one place to confirm, a touch back to the table, no harm by a second touch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Table
from companion.scenes.base.way_back import TABLE
from companion.scenes.home.home import HomeScene
from companion.scenes.settings.lock import LockScene
from companion.ui.screen import Intent
from companion.view.window.taps import plain
from tests.companion.gallery.gallery import LAYOUTS, Variant, drawn, hung, scenes, unpainted
from tests.companion.gallery.page_checks import confirmed_elsewhere, confirming
from tests.companion.other_games import SYSTEMS, begun
from tests.companion.tapping import HELD_S, Tapping
from tests.companion.touching import Hand, buttons

pytestmark = pytest.mark.usefixtures("_own_place")

SIZE = (800, 480)
OF_ORDERS = ("idle", "advance", "shell", "reinforce", "plan", "dice", "window", "proposal", "strike", "round_begins")
OF_BATTLES = ("battle_settles", "battle_token", "battle_division", "battle_orders", "battle_unit",
              "battle_move", "battle_ways", "battle_fire_dice", "battle_closing", "battle_shock")  # fmt: skip
OF_DUELS = ("duel_first_turn", "duel_turn", "duel_deploy", "duel_card", "duel_equip", "duel_general", "duel_attack",
            "duel_special", "duel_upkeep_loses", "duel_piles")  # fmt: skip


@pytest.mark.parametrize("name", ["advance", "battle_turn", "duel_attack"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_confirms_has_one_place_in_all_three_games(name: str, layout: str) -> None:
    """The gallery holds every scene to it; here it is seen where it is, and where it isn't."""
    with hung(scenes()[name]) as hand, unpainted():
        shown = drawn(hand, Variant(SIZE, layout))[1]
    assert list(confirming(shown, layout))
    assert confirmed_elsewhere(shown, SIZE, layout) == []
    moved = [
        replace(shown_pane, pane=replace(shown_pane.pane, rect_px=shown_pane.pane.rect_px.move(0, 9)))
        for shown_pane in shown
    ]
    assert len(confirmed_elsewhere(moved, SIZE, layout)) == len(list(confirming(shown, layout)))


# ---- the way back -----------------------------------------------------------------------------

FAR = 4  # touches from the table: what lies deeper has the same button, put there by the app
LEAVES = frozenset({"home", "quit", "lock", "leave", "rematch", "swap", "demo", "take-over", "power"})
CHANGES = frozenset(
    {"record", "confirm", "agree", "take", "accept", "undo", "redo", "undo-to", "keep-all", "end", "pass"}
)
"""What leads out of the game, or changes it, is not gone through: the scenes of this game are."""


def ways(app: App) -> list[Intent]:
    """Return what can be touched on the screen now and leads on."""
    screen = app.screen()
    shown = (*screen.actions, *buttons(screen.blocks))
    return [button.intent for button in shown if button.intent.verb not in LEAVES | CHANGES and button.look != "off"]


def led(app: App, path: tuple[Intent, ...]) -> bool:
    """From the table along that path; whether it can be gone."""
    assert app.table is not None
    app.show_scene("", app.table)
    app.table.refresh()
    for intent in path:
        app.touch(intent)
    return not app.fault and not isinstance(app.scene, HomeScene)


def playing(folder: Path, system: str) -> App:
    """Return an app with a game of a system after two steps."""
    if system in SYSTEMS:
        return App(match=begun(folder / "game.jsonl", system, steps=2))
    app = App()
    Hand(app).start().press("Pass", "Pass")
    return app


def go_back(app: App, seat: str = "") -> None:
    """Touch what leaves the page: every page has one such button, or one that leads on to it."""
    screen = app.screen() if not seat else next(face.screen for face in app.faces().faces if face.seat == seat)
    leaver = next(button for button in screen.actions if button.spot == "leave")
    app.touch(replace(leaver.intent, seat=seat))


@pytest.mark.parametrize("system", ["orders", *SYSTEMS])
def test_back_leads_to_the_table_from_everywhere(tmp_path: Path, system: str) -> None:
    """By one button in one place, touched no more often than it took to come."""
    app = playing(tmp_path, system)
    table = app.table
    seen: set[type] = set()
    paths: list[tuple[Intent, ...]] = [(Intent("menu"),), (Intent("dispute"),)]
    for path in paths:
        assert led(app, path), (path, app.fault)
        if app.scene is table or type(app.scene) in seen:
            continue
        seen.add(type(app.scene))
        paths += [(*path, intent) for intent in ways(app)] if len(path) < FAR else []
        assert led(app, path)
        for _ in path:
            if app.scene is not table:
                go_back(app)
        assert app.scene is table, (seen, path)
    assert len(seen) >= 12, seen


def test_a_half_has_the_way_back_too_and_leaves_the_other_alone(tmp_path: Path) -> None:
    app = playing(tmp_path, "orders")
    app.stage.change(layout="two")
    for intent in (Intent("menu", seat="black"), Intent("log", seat="black"), Intent("undo-list", seat="black")):
        app.touch(intent)
    for _ in range(3):
        go_back(app, "black")
    assert not app.seats.own
    assert app.scene is app.table


def test_nothing_leads_past_a_lock(tmp_path: Path) -> None:
    app = playing(tmp_path, "orders")
    app.touch(Intent("menu"))
    app.touch(Intent("lock"))
    app.touch(TABLE)
    assert isinstance(app.scene, LockScene)


# ---- undo and redo ----------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("system", ["orders", *SYSTEMS])
def test_redo_stands_beside_undo_and_does_what_was_taken_back(tmp_path: Path, system: str, layout: str) -> None:
    app = playing(tmp_path, system)
    assert app.table is not None
    app.stage.change(layout=layout)
    match = app.table.match
    steps = match.steps

    def shown() -> list[str]:
        screens = [face.screen for face in app.faces().faces]
        rows = [[action.intent.verb for action in screen.actions] for screen in screens]
        return next(row for row in rows if "undo" in row)

    seat = app.table.asked_side if layout == "two" else ""
    assert "redo" not in shown()
    app.touch(Intent("undo", seat=seat))
    assert len(match.steps) < len(steps)
    row = shown()
    assert row.index("redo") == row.index("undo") + 1
    app.touch(Intent("redo", seat=app.table.asked_side if layout == "two" else ""))
    assert match.steps == steps
    assert "redo" not in shown()
    app.touch(Intent("redo"))
    assert match.steps == steps
    assert app.table.banner


def duel_scenes() -> list[str]:
    """Return the gallery's scenes of the card game's table."""
    return [name for name in scenes() if name.startswith("duel_")]


@pytest.mark.parametrize("name", duel_scenes())
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_touch_that_changes_a_card_game_leads_to_an_undo(name: str, layout: str) -> None:
    """Whatever is touched: where the game has moved on, both who moved and who looks can take it back."""
    for intent, seat in touchable(name, layout):
        with hung(scenes()[name]) as hand:
            app = hand.app
            app.stage.change(layout=layout)
            if not isinstance(app.scene, Table):
                continue
            before = app.scene.match.steps
            app.touch(replace(intent, seat=seat))
            if app.table is not None and len(app.table.match.steps) > len(before):
                verbs = [action.intent.verb for face in app.faces().faces for action in face.screen.actions]
                assert "undo" in verbs, (intent, verbs)
                app.touch(Intent("undo"))
                assert app.table.match.steps == before or isinstance(app.scene, ConsentScene), intent


def touchable(name: str, layout: str) -> list[tuple[Intent, str]]:
    """All buttons of a scene with whose half they are in."""
    with hung(scenes()[name]) as hand:
        hand.app.stage.change(layout=layout)
        return [
            (button.intent, face.seat)
            for face in hand.app.faces().faces
            for button in (*face.screen.actions, *buttons(face.screen.blocks))
        ]


# ---- a second touch ---------------------------------------------------------------------------


@pytest.fixture
def display() -> Iterator[None]:
    pygame.display.init()
    yield
    pygame.display.quit()


TWICE = [*OF_ORDERS, *OF_BATTLES, *OF_DUELS]
MANY = ("area", "unit")
"""What there are dozens of on a map or a field, handled alike: every third is touched."""
MOST_S = 0.39


@pytest.mark.long
@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("name", TWICE)
def test_a_second_touch_in_the_same_place_does_no_more_than_one_undo_takes_back(name: str) -> None:
    """Each button of the scene is touched once, and twice within 400 ms: no more steps are taken by the second."""
    with hung(scenes()[name]) as hand:
        targets = [(plain(t.intent), t.repeats) for _one, t in Tapping(hand.app).targets() if not t.drag]
    many = [target for target in targets if target[0].verb in MANY]
    for intent, repeats in [*many[::3], *(target for target in targets if target not in many)]:
        once, twice = touched(name, intent)
        assert twice[0] == once[0], (intent, "the second touch took a step")
        assert repeats or twice[1:] == once[1:], (intent, "the second touch changed what is on stage")


Found = tuple[int, object, object]


def touched(name: str, intent: Intent) -> tuple[Found, Found]:
    """Return what one touch in the place of that meaning leads to, and what two do.

    Each as (steps taken, the scene on stage, its panel).
    """
    with hung(scenes()[name]) as hand, unpainted():
        at = Tapping(hand.app)
        table = hand.app.table or hand.app.scene
        assert isinstance(table, Table)
        before = len(table.match.steps)

        def found() -> Found:
            now = hand.app.table.match if hand.app.table is not None else table.match
            return len(now.steps) - before, type(hand.app.scene), type(getattr(hand.app.scene, "panel", None))

        place = at.place(intent)
        at.tap(place)
        once = found()
        at.tap(place, after_s=MOST_S - HELD_S)
        return once, found()
