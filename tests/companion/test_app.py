"""The app: what goes on by itself, and what a fault does to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import storage
from companion.adapters import Difference
from companion.app import App, Demonstration, today
from companion.errors import CompanionError, MatchError
from companion.language import _, use_language
from companion.match import Match
from companion.scenes import screen as scr
from companion.scenes.home import HomeScene
from companion.scenes.score import ScoreScene
from companion.scenes.screen import Intent
from companion.scenes.table import TableScene
from companion.scenes.turn import AreaPanel
from engine.orders.steps import Pass
from tests.companion.touching import Hand

BONUSES = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Match.start(storage.new_game_path("game"), "sengoku-rivers", "red", BONUSES)


class Passer:
    """Passes, so often."""

    pause_s = 2.0

    def __init__(self, times: int, fault: CompanionError | None = None) -> None:
        self.left = times
        self.fault = fault

    def act(self, match: Match) -> bool:
        if self.fault:
            raise self.fault
        self.left -= 1
        return self.left >= 0 and match.offer(Pass()).legal


def difference(area: str, state: str, seen: int) -> Difference:
    return Difference(area, state, {"red": {"troop": 3}}, {"red": {"troop": seen}}, 0.9)  # type: ignore[arg-type]


# ---- by itself --------------------------------------------------------------------------------


def test_the_demo_acts_at_its_own_pace_until_it_is_taken_over(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    for now_s, steps in ((0.0, 0), (1.9, 0), (2.0, 1), (3.0, 1), (4.1, 2)):
        app.tick(now_s)
        assert len(match.steps) == steps
    assert "Black to move" not in Hand(app).text()
    Hand(app).press("Take over")
    app.tick(99.0)
    assert len(match.steps) == 2
    app.touch(Intent("menu"))
    Hand(app).press("Let it play by itself")
    app.tick(200.0)
    assert len(match.steps) == 3


def test_what_the_demo_did_is_shown(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    app.tick(0.0)
    before = app.version
    app.tick(2.0)
    assert app.version > before
    assert "Black to move" in Hand(app).text()
    assert "Red passes" in Hand(app).text()


def test_a_step_of_ones_own_takes_over_too(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    Hand(app).press("Pass")
    app.tick(50.0)
    assert len(match.steps) == 1


def test_the_demo_ends_with_the_score(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    for n in range(45):
        app.tick(n * 2.0)
    assert isinstance(app.scene, ScoreScene)
    assert match.position.winner_name == "red", "a tie: the initiative wins"


def test_a_demo_that_has_enough_stops(match: Match) -> None:
    app = App(match=match, autoplay=Passer(1))
    for n in range(5):
        app.tick(n * 2.0)
    assert len(match.steps) == 1
    assert "Take over" not in [one.label for one in Hand(app).all_buttons()]


def test_a_fault_of_the_demo_is_one_sentence(match: Match) -> None:
    app = App(match=match, autoplay=Passer(1, MatchError("the disk is full")))
    app.tick(0.0)
    app.tick(2.0)
    assert app.screen().banner == "the disk is full"
    assert match.steps == ()


def test_home_can_begin_a_demonstration(match: Match) -> None:
    app = App(demo=lambda: Demonstration(match, Passer(99)))
    Hand(app).press("Watch a demonstration")
    assert isinstance(app.scene, TableScene)
    app.tick(0.0)
    app.tick(2.0)
    assert len(match.steps) == 1


def test_a_demonstration_ends_at_home(match: Match) -> None:
    app = App(demo=lambda: Demonstration(match, Passer(99), lambda _: (difference("e3", "agrees", 3),)))
    Hand(app).press("Watch a demonstration")
    app.tick(0.0)
    assert app.stage.differences
    app.touch(Intent("menu"))
    Hand(app).press("Home")
    Hand(app).press("Go on with the last game")
    app.tick(50.0)
    assert app.stage.differences is None
    assert match.steps == ()
    app.touch(Intent("menu"))
    assert "Let it play by itself" not in [one.label for one in Hand(app).all_buttons()]


def test_a_demonstration_that_fails_leaves_home_with_a_sentence(match: Match) -> None:
    def broken() -> Demonstration:
        raise MatchError("no table to play on")

    app = App(demo=broken)
    Hand(app).press("Watch a demonstration")
    assert isinstance(app.scene, HomeScene)
    assert app.screen().banner == "no table to play on"


# ---- the camera -------------------------------------------------------------------------------


def test_a_camera_that_fails_says_so(match: Match) -> None:
    app = App(match=match, live=lambda _: None, camera_fault=lambda: "no camera at /dev/video0")
    app.tick(0.0)
    status = app.screen().status
    assert status is not None
    assert (status.live, status.live_text) == ("hidden", "no camera at /dev/video0")
    app.touch(Intent("live"))
    assert app.screen().banner == "no camera at /dev/video0"


def test_a_fault_shows_on_any_scene_and_goes_with_the_next_touch(match: Match) -> None:
    app = App(match=match)
    app.touch(Intent("menu"))
    app.fault = "the disk is gone"
    assert app.screen().banner == "the disk is gone"
    app.touch(Intent("hush"))
    assert not app.screen().banner


def test_without_a_camera_nothing_is_said_of_it(match: Match) -> None:
    app = App(match=match)
    app.tick(0.0)
    status = app.screen().status
    assert status is not None
    assert status.live == ""


def test_a_board_that_agrees_gets_a_quiet_tick(match: Match) -> None:
    app = App(match=match, live=lambda _: (difference("e3", "agrees", 3),))
    before = app.version
    app.tick(0.0)
    status = app.screen().status
    assert status is not None
    assert (status.live, status.live_text) == ("agrees", "Board agrees")
    drawn = app.version
    assert drawn > before
    app.tick(5.0)
    assert app.version == drawn, "nothing new, nothing to draw"


def test_areas_that_differ_are_marked_and_told(match: Match) -> None:
    seen = (difference("e3", "differs", 2), difference("d5", "hidden", 0), difference("advance:c4", "differs", 0))
    app = App(match=match, live=lambda _: seen)
    app.tick(0.0)
    screen = app.screen()
    assert screen.status is not None
    assert screen.map is not None
    assert (screen.status.live, screen.status.live_text) == ("differs", "Look at e3 c4")
    assert {one.name: one.check for one in screen.map.areas if one.check} == {
        "e3": "differs",
        "d5": "hidden",
        "c4": "differs",
    }
    app.touch(Intent("live"))
    assert isinstance(app.scene, TableScene)
    assert isinstance(app.scene.panel, AreaPanel)
    assert "the camera sees Red: 2 troops; the game has Red: 3 troops" in Hand(app).text()
    Hand(app).area("d5")
    assert "cannot tell what is in d5" in Hand(app).text()


def test_many_doubts_are_cut_short(match: Match) -> None:
    seen = tuple(difference(area, "hidden", 0) for area in ("a1", "a3", "a4", "b1", "b2"))
    app = App(match=match, live=lambda _: seen)
    app.tick(0.0)
    status = app.screen().status
    assert status is not None
    assert status.live_text == "Not sure of a1 a3 a4 b1…"


def test_the_eye_is_asked_once_a_second_and_may_have_nothing_to_say(match: Match) -> None:
    asked = []

    def look(of: Match) -> None:
        asked.append(of)

    app = App(match=match, live=look)
    for now_s in (0.0, 0.4, 0.9, 1.1, 1.5, 2.2):
        app.tick(now_s)
    assert len(asked) == 3
    app.touch(Intent("live"))
    assert isinstance(app.scene, TableScene)


# ---- words and names --------------------------------------------------------------------------


def test_a_language_without_a_catalogue_is_english() -> None:
    use_language("xx")
    assert _("Undo") == "Undo"
    use_language("en")


def test_new_games_are_named_after_the_day() -> None:
    assert len(today().split("-")) == 3


def test_blocks_and_screens_are_values() -> None:
    assert scr.Text("a") == scr.Text("a")
    assert hash(scr.Button("a", Intent("b"))) == hash(scr.Button("a", Intent("b")))
