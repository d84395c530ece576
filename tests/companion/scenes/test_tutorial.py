"""The first game, played to its end by touching what is bright; and what the coach says, held against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games import tutorial
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.tutorial import LEAVE, NEXT, TutorialScene
from companion.scenes.home.tutorial_guide import pointed_intent, touchable
from companion.scenes.setup.setup import SetupScene
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Button, Coach, Intent, Screen
from engine.orders import game
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept, Deploy
from engine.orders.supply import cut
from tests.companion.touching import Hand, buttons

MOST_TOUCHES = 60


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Hand(App()).press("Learn by playing")


def coach(hand: Hand) -> TutorialScene:
    assert isinstance(hand.app.scene, TutorialScene)
    return hand.app.scene


def bright(screen: Screen) -> list[Button]:
    """The buttons that stand out."""
    return [one for one in (*buttons(screen.blocks), *screen.actions) if one.look == "primary"]


def next_touch(hand: Hand) -> Intent:
    """The one thing that is to be touched, as the screen shows it."""
    scene = coach(hand)
    if scene.lesson.is_for_reading or isinstance(scene.scene, EndScene):
        [button] = bright(hand.screen)
        return button.intent
    wanted = scene.wanted()
    assert wanted is not None, f"nothing leads on in {scene.lesson.title!r}"
    assert wanted in set(touchable(hand.screen)), f"{wanted} cannot be touched"
    shown = [one.intent for one in bright(hand.screen)]
    assert shown in ([wanted], []), "nothing else stands out"
    return wanted


def play_to(hand: Hand, title: str) -> Hand:
    """Touch the highlighted spot until this lesson goes first."""
    for _touch in range(MOST_TOUCHES):
        if coach(hand).lesson.title == title:
            return hand
        hand.app.touch(next_touch(hand))
    raise AssertionError(f"no lesson {title!r}")


def position(hand: Hand) -> Position:
    return coach(hand).match.position


def points(hand: Hand) -> tuple[int, int]:
    vp = score(position(hand)).vp
    return vp["red"], vp["black"]


def words(hand: Hand) -> Coach:
    return next(block for block in hand.screen.blocks if isinstance(block, Coach))


def test_it_is_played_to_its_end_by_touching_what_is_bright(hand: Hand, tmp_path: Path) -> None:
    touches = 0
    while not isinstance(coach(hand).scene, EndScene):
        hand.app.touch(next_touch(hand))
        touches += 1
    assert 20 <= touches <= 45, "a few minutes"
    assert position(hand).winner_name == "red"
    assert points(hand) == (4, 4)
    assert "initiative" in score(position(hand)).why[0]
    wanted = [one.step for one in tutorial.lessons() if one.step is not None and one.title != "A slip of the finger"]
    played = [step for step in coach(hand).match.steps[1:] if not isinstance(step, Accept)]
    assert len(played) == len(wanted)
    hand.app.touch(next_touch(hand))
    assert isinstance(hand.app.scene, SetupScene), "on to a game of one's own"
    assert list((tmp_path / "games").glob("*.jsonl")) == [], "it is no game of anybody's"


CLAIMS: dict[str, Callable[[Hand], bool]] = {
    "Your first game": lambda hand: position(hand).round == position(hand).board.mode.rounds,
    "What you see": lambda hand: points(hand) == (2, 4) and position(hand).initiative_name == "black",
    "Advance": lambda hand: position(hand).board.area("c5").vp == 2 and position(hand).units_in("c5") == {},
    "A conflict": lambda hand: position(hand).units_in("d5") == {"red": {"troop": 1}} and points(hand) == (4, 4),
    "Cut off": lambda hand: (
        cut(position(hand))["red"] == ("c5",)
        and position(hand).units_in("d5") == {"black": {"troop": 1}}
        and points(hand) == (2, 4)
        and position(hand).board.area("e3").hq == "red"
    ),
    "Plan": lambda hand: position(hand).initiative_name == "black" and position(hand).hand("red") == (),
    "Another attack": lambda hand: position(hand).initiative_name == "red",
    "Fix the supply line": lambda hand: (
        position(hand).left("red") == 1
        and position(hand).units_in("d3") == {"red": {"troop": 2}}
        and cut(position(hand))["red"] == ("c5",)
    ),
    "In supply again": lambda hand: cut(position(hand))["red"] == () and points(hand) == (4, 4),
    "The last turn": lambda hand: position(hand).left("black") == 1 and position(hand).to_move_name == "black",
}


@pytest.mark.parametrize("title", list(CLAIMS))
def test_what_the_coach_says_is_so(hand: Hand, title: str) -> None:
    assert CLAIMS[title](play_to(hand, title))


def test_every_lesson_says_what_its_step_needs() -> None:
    for lesson in tutorial.lessons():
        if isinstance(lesson.step, Deploy):
            area = lesson.step.space.partition(":")[2]
            assert area in lesson.text, lesson.title
            assert all(source in lesson.text for source, _unit, _n in lesson.step.moves), lesson.title
        assert len(lesson.text) < 260, f"{lesson.title}: a wall of text"


def test_a_refused_space_shows_its_ruling(hand: Hand) -> None:
    play_to(hand, "Why not?")
    while not isinstance(coach(hand).scene, RulingScene):
        hand.app.touch(next_touch(hand))
    assert "This is a ruling" in words(hand).text
    ruling = game.judge(position(hand), Deploy("advance:c5", moves=(("b5", "troop", 1),)))
    assert [one.rule for one in ruling.objections] == ["space.occupied"]
    hand.app.touch(next_touch(hand))
    assert coach(hand).lesson.title == "A conflict"


def test_another_touch_is_answered_by_a_hint(hand: Hand) -> None:
    play_to(hand, "Advance")
    hand.app.touch(Intent("area", "a3"))
    assert "touch the highlighted spot" in hand.text()
    assert coach(hand).match.steps[1:] == ()
    hand.app.touch(next_touch(hand))
    assert "touch the highlighted spot" not in hand.text()


def test_a_form_that_is_left_is_found_again(hand: Hand) -> None:
    play_to(hand, "Advance")
    hand.app.touch(next_touch(hand))
    assert coach(hand).wanted() == Intent("confirm")
    hand.app.touch(Intent("cancel"))
    assert next_touch(hand) == Intent("area", "c5")


def test_undo_takes_the_pass_back(hand: Hand) -> None:
    play_to(hand, "Undo")
    assert position(hand).to_move_name == "black"
    play_to(hand, "Plan")
    assert position(hand).to_move_name == "red"


def test_reading_goes_on_by_next_only(hand: Hand) -> None:
    hand.app.touch(Intent("area", "c5"))
    assert coach(hand).number == 0
    hand.app.touch(NEXT)
    assert coach(hand).number == 1
    assert hand.screen.status is not None


def test_it_may_be_left_at_any_time_and_leaves_nothing(hand: Hand) -> None:
    play_to(hand, "Defence")
    folder = coach(hand).folder
    assert folder.exists()
    hand.app.touch(LEAVE)
    assert isinstance(hand.app.scene, HomeScene)
    assert not folder.exists()


def test_the_map_is_bare_of_marks_that_no_lesson_speaks_of(hand: Hand) -> None:
    play_to(hand, "Advance")
    assert hand.screen.map is not None
    assert not any(area.by_hand for area in hand.screen.map.areas)
    assert [area.name for area in hand.screen.map.areas if area.mark == "target"] == ["c5"]


def test_neither_camera_nor_settings_are_touched(hand: Hand) -> None:
    play_to(hand, "Advance")
    assert hand.app.table is None, "no camera follows it"
    assert hand.app.stage.settings.list_hands


def test_a_wrong_number_is_put_right_by_the_guide(hand: Hand) -> None:
    play_to(hand, "Advance")
    hand.app.touch(next_touch(hand))
    scene = coach(hand)
    scene._table.panel.touch(Intent("count", "d5/troop", -1))
    assert next_touch(hand) == Intent("count", "d5/troop", 1)


def test_a_wrong_die_is_taken_back_by_the_guide(hand: Hand) -> None:
    play_to(hand, "Defence")
    scene = coach(hand)
    scene._table.panel.touch(Intent("die", "", 2))
    assert pointed_intent(scene.lesson, scene._table.panel, scene._table.show()) == Intent("undie", "", 0)
