"""Learn by playing: every tutorial to its end by what is lit; and what the coach says, held against the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.generals.setup import DuelSetupScene
from companion.scenes.home.home import HomeScene
from companion.scenes.learn.learn import LearnScene
from companion.scenes.learn.lesson import LEAVE, NEXT, WHOLE, LessonScene
from companion.scenes.setup.layout import LayoutScene
from companion.scenes.setup.setup import SetupScene
from companion.scenes.sonae.setup import BattleSetupScene
from companion.scenes.table.solo_table import SoloTable
from companion.ui.screen import Coach, Intent
from companion.view.page.canvas import lay_out
from engine.orders.board import board_names
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept
from engine.orders.supply import cut_off_areas
from tests.companion.touching import Hand

MOST_TOUCHES = 60
SETUPS = {"orders": SetupScene, "sonae": BattleSetupScene, "generals": DuelSetupScene}
ALL = (
    *(Intent("first", system) for system in SETUPS),
    *(Intent("box", name) for name in (*board_names(), "sonae", "generals")),
)


@pytest.fixture
def hand(hand: Hand) -> Hand:
    return hand.press("Learn by playing")


def begin(hand: Hand, tutorial: Intent) -> LessonScene:
    """Open a tutorial from the list of them."""
    if tutorial.verb != "first":
        hand.app.touch(Intent("boxes"))
    hand.app.touch(tutorial)
    return coach(hand)


def coach(hand: Hand) -> LessonScene:
    assert isinstance(hand.app.scene, LessonScene)
    return hand.app.scene


def next_touch(hand: Hand) -> Intent:
    """Return the one thing that is to be touched, after checking that a touch can reach it.

    On the smallest screen the way to its page may have to be touched first.
    """
    scene, sheet = coach(hand), lay_out(hand.screen, (800, 480)).sheet
    there = [target.intent for target in sheet.targets]
    assert hand.screen.spot is not None
    assert hand.screen.spot.touch == scene.wanted
    assert sheet.over is not None, "all else is dimmed"
    for hole in sheet.over.bright if scene.tutorial.system != "orders" else ():  # whose areas touch one another
        inside = [other for other in sheet.over.bright if other != hole and other.holds(hole.centre)]
        assert inside == [], "no hole in the veil lies in another one"
    for _page in range(4):
        if scene.wanted in there:
            return scene.wanted
        hand.app.touch(Intent("page", "", 1))
        there = [target.intent for target in lay_out(hand.screen, (800, 480)).sheet.targets]
    raise AssertionError(f"{scene.wanted} cannot be touched")


def played(hand: Hand) -> Iterator[LessonScene]:
    """Touch what is lit until all is learned; the scene before each touch."""
    for _touch in range(MOST_TOUCHES):
        scene = coach(hand)
        yield scene
        if scene.lesson is None:
            return
        hand.app.touch(next_touch(hand))
        assert not scene.hint
    raise AssertionError("it never ends")


def play_to(hand: Hand, title: str) -> Hand:
    """Touch what is lit until this lesson goes first."""
    found = next(scene for scene in played(hand) if scene.lesson is not None and scene.lesson.title == title)
    assert found.touched == 0
    return hand


def position(hand: Hand) -> Any:
    """Return the position of the game that is played in the lesson."""
    return coach(hand).shelf.begun[-1].position


def words(hand: Hand) -> Coach:
    return hand.blocks(Coach)[0]


@pytest.mark.parametrize("tutorial", ALL, ids=lambda intent: f"{intent.verb}-{intent.what}")
def test_each_is_played_to_its_end_by_touching_what_is_lit(hand: Hand, tutorial: Intent, tmp_path: Path) -> None:
    hand.app.stage.change(clock_minutes=30)
    scene = begin(hand, tutorial)
    folder, touches = scene.shelf.folder, sum(1 for _scene in played(hand)) - 1
    assert len(scene.tutorial.lessons) <= touches <= 45, "a few minutes"
    assert all(len(lesson.text) < 260 for lesson in scene.tutorial.lessons), "no wall of text"
    assert words(hand).text == scene.tutorial.ending
    if tutorial.what in board_names():
        assert position(hand).board.name == tutorial.what
        is_laid_as_its_board_begins(scene, position(hand))
    assert hand.app.table is None, "no camera follows it"
    settings, clock = hand.app.stage.settings, hand.app.stage.services.clock
    assert (settings.list_hands, settings.board, clock.minutes) == (True, "sengoku-rivers", 30)
    if tutorial != Intent("first", "orders"):
        hand.app.touch(WHOLE)
        assert hand.app.scene is scene, "there is no whole game against the app"
    hand.press("Start your own game")
    assert isinstance(hand.app.scene, SETUPS[scene.tutorial.system]), "on to a game of one's own"
    assert not folder.exists()
    assert list((tmp_path / "games").glob("*.jsonl")) == [], "it is no game of anybody's"


def is_laid_as_its_board_begins(scene: LessonScene, now: Position) -> None:
    assert "" not in now.bonuses
    lit = {name for lesson in scene.tutorial.lessons for name in lesson.names}
    assert {area.name for area in now.board.areas if area.start or area.slot} <= lit
    out = now.board.mode.one_stays_out
    assert not out or len(set(out) - set(now.bonuses)) == 1, "one of them stays in the box"


def test_the_first_round_goes_on_into_a_whole_game_against_the_app(hand: Hand) -> None:
    scene = begin(hand, Intent("first", "orders"))
    folder = scene.shelf.folder
    assert list(played(hand))[-1].lesson is None
    hand.press("A whole game")
    assert not folder.exists()
    assert isinstance(hand.app.scene, LayoutScene), "the board is laid together"
    hand.press("Skip to the game")
    table = hand.app.scene
    assert isinstance(table, SoloTable)
    assert (table.opponent.level, table.opponent.side) == ("first", "black")
    assert table.hints.allowed


# ---- what the coach says ------------------------------------------------------------------------------


def points(hand: Hand) -> tuple[int, int]:
    vp = score(position(hand)).vp
    return vp["red"], vp["black"]


CLAIMS: dict[str, Callable[[Hand, Position], bool]] = {  # in the order of the lessons
    "Your first game": lambda hand, now: now.round == now.board.mode.rounds,
    "What you see": lambda hand, now: points(hand) == (2, 4) and now.initiative_name == "black",
    "Advance": lambda hand, now: now.board.area("c5").vp == 2 and now.units_in("c5") == {},
    "A conflict": lambda hand, now: now.units_in("d5") == {"red": {"troop": 1}} and points(hand) == (4, 4),
    "Cut off": lambda hand, now: (
        cut_off_areas(now)["red"] == ("c5",)
        and now.units_in("d5") == {"black": {"troop": 1}}
        and points(hand) == (2, 4)
        and now.board.area("e3").hq == "red"
    ),
    "Plan": lambda hand, now: now.initiative_name == "black" and now.hand("red") == (),
    "Another attack": lambda hand, now: now.initiative_name == "red",
    "Fix the supply line": lambda hand, now: (
        now.left("red") == 1 and now.units_in("d3") == {"red": {"troop": 2}} and cut_off_areas(now)["red"] == ("c5",)
    ),
    "In supply again": lambda hand, now: cut_off_areas(now)["red"] == () and points(hand) == (4, 4),
    "The last turn": lambda hand, now: now.left("black") == 1 and now.to_move_name == "black",
}


def test_what_the_coach_says_of_the_round_is_so(hand: Hand) -> None:
    scene = begin(hand, Intent("first", "orders"))
    for title, is_so in CLAIMS.items():
        play_to(hand, title)
        assert is_so(hand, position(hand)), title
        if hand.screen.map is not None and hand.screen.status is not None:
            assert not any(area.by_hand for area in hand.screen.map.areas)
            assert not any(side.by_hand for side in hand.screen.status.sides)
    assert list(played(hand))[-1].lesson is None
    assert position(hand).winner_name == "red"
    assert points(hand) == (4, 4)
    assert "initiative" in score(position(hand)).why[0]
    steps = [step for step in scene.shelf.begun[0].steps[1:] if not isinstance(step, Accept)]
    assert len(steps) == 9, "the pass was taken back"


def battle_units(hand: Hand) -> tuple[int, int]:
    now = position(hand)
    maru = sum(unit.name.startswith("maru") for unit in now.units)
    return maru, len(now.units) - maru


def test_what_the_coach_says_of_the_battle_is_so(hand: Hand) -> None:
    begin(hand, Intent("first", "sonae"))
    play_to(hand, "A token")
    assert sum(position(hand).tokens) == len(position(hand).scenario.divisions), "a token for each division"
    play_to(hand, "Orders")
    assert position(hand).authority("maru-ichi") == 1
    play_to(hand, "Charge!")
    assert position(hand).orders == 4
    play_to(hand, "No more orders")
    assert position(hand).orders == 3
    play_to(hand, "They strike back")
    assert "3 dice" in hand.text()
    play_to(hand, "Shock")
    assert battle_units(hand) == (15, 14)
    play_to(hand, "The count")
    assert battle_units(hand) == (15, 13)


def test_what_the_coach_says_of_the_fight_is_so(hand: Hand) -> None:
    begin(hand, Intent("first", "generals"))
    play_to(hand, "Upkeep")
    assert position(hand).sides[0].hand == 5 - 3, "the general, and two cards that pay for it"
    before = position(hand).sides[0].resources
    play_to(hand, "Black's turn")
    assert position(hand).sides[0].resources == before - 1
    play_to(hand, "Equip")
    assert [fighter.zone for fighter in position(hand).sides[1].fighters] == ["outside"]
    play_to(hand, "A ruling")
    assert isinstance(coach(hand).scene, RulingScene)
    play_to(hand, "Attack")
    hand.app.touch(next_touch(hand))
    assert "+2 (Long Spear)" in hand.text()
    play_to(hand, "Defeated")
    assert position(hand).sides[1].fighters == ()


# ---- touches -------------------------------------------------------------------------------------------


def test_another_touch_is_answered_by_a_hint(hand: Hand) -> None:
    scene = begin(hand, Intent("first", "orders"))
    play_to(hand, "Advance")
    hand.app.touch(Intent("area", "a3"))
    assert "touch the highlighted spot" in hand.text()
    assert len(scene.shelf.begun[0].steps) == 1
    hand.app.touch(Intent("space", "advance:c5"))
    assert scene.wanted == Intent("confirm"), "a space on the lit area is meant for it"
    assert "touch the highlighted spot" not in hand.text()


def test_reading_goes_on_by_next_only(hand: Hand) -> None:
    scene = begin(hand, Intent("first", "orders"))
    hand.app.touch(Intent("area", "c5"))
    assert scene.number == 0
    hand.app.touch(NEXT)
    assert scene.number == 1
    assert hand.screen.status is not None


def test_it_may_be_left_at_any_time_and_leaves_nothing(hand: Hand) -> None:
    scene = begin(hand, Intent("first", "orders"))
    play_to(hand, "Defence")
    assert scene.shelf.folder.exists()
    hand.app.touch(LEAVE)
    assert isinstance(hand.app.scene, HomeScene)
    assert not scene.shelf.folder.exists()


def test_the_lists_lead_back(hand: Hand) -> None:
    hand.app.touch(Intent("boxes"))
    hand.app.touch(Intent("box", "no-such"))
    hand.app.touch(Intent("box", "orders"))
    hand.press("Back")
    assert isinstance(hand.app.scene, LearnScene)
    hand.app.touch(Intent("first", "no-such"))
    assert isinstance(hand.press("Back").app.scene, HomeScene)


# ---- what is dimmed ------------------------------------------------------------------------------------


def test_what_the_coach_speaks_of_is_bright_and_nothing_else(hand: Hand) -> None:
    begin(hand, Intent("first", "orders"))
    play_to(hand, "Advance")
    sheet = lay_out(hand.screen, (800, 480)).sheet
    assert sheet.over is not None
    bright = sheet.over.bright
    lit = {target.intent for target in sheet.targets if any(rect == target.rect for rect in bright)}
    assert lit == {Intent("area", "c5"), Intent("area", "d5"), LEAVE}
