"""The app: what goes on by itself, and what a fault does to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.app import App, SavedGames, today
from companion.core import storage
from companion.core.errors import CompanionError, MatchError
from companion.core.language import _, use_language
from companion.games.match import Match
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage
from companion.scenes.home.home import DemonstrationsScene, HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Agreed, Pass
from tests.companion.perception.seeing import Eye, reading_of
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.touching import Hand


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Match.start(storage.new_game_path("game"), BOARD, "red", BONUSES)


class Passer:
    """Passes, so often."""

    system = "orders"
    pause_s = 2.0

    def __init__(self, times: int, fault: CompanionError | None = None) -> None:
        self.left = times
        self.fault = fault

    def act(self, match: Match) -> bool:
        if self.fault:
            raise self.fault
        self.left -= 1
        return self.left >= 0 and match.offer(Pass()).legal


# ---- by itself --------------------------------------------------------------------------------


def test_the_demo_acts_at_its_own_pace_until_it_is_taken_over(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    for now_s, steps in ((0.0, 0), (1.9, 0), (2.0, 1), (3.0, 1)):
        before = app.version
        app.tick(now_s)
        assert len(match.steps) == steps
        assert now_s != 2.0 or app.version > before, "what it did is shown"
    assert "Black to move" in Hand(app).text()
    assert "Red passed" in Hand(app).text()
    app.tick(4.1)
    assert "Black to move" not in Hand(app).text()
    Hand(app).press("Take over")
    app.tick(99.0)
    assert len(match.steps) == 2
    app.touch(Intent("menu"))
    Hand(app).press("More", "Let it play by itself")
    app.tick(200.0)
    assert len(match.steps) == 3


def test_a_step_of_ones_own_takes_over_too(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    Hand(app).press("Pass")
    app.tick(50.0)
    assert len(match.steps) == 1


def test_the_demo_ends_with_the_score(match: Match) -> None:
    app = App(match=match, autoplay=Passer(99))
    for n in range(45):
        app.tick(n * 2.0)
    assert isinstance(app.scene, EndScene)
    assert match.position.winner_name == "red", "a tie: the initiative wins"


def test_a_demo_that_has_enough_stops(match: Match) -> None:
    app = App(match=match, autoplay=Passer(1))
    for n in range(5):
        app.tick(n * 2.0)
    assert len(match.steps) == 1
    assert "Take over" not in [button.label for button in Hand(app).all_buttons()]


def test_a_fault_of_the_demo_is_one_sentence(match: Match) -> None:
    app = App(match=match, autoplay=Passer(1, MatchError("the disk is full")))
    app.tick(0.0)
    app.tick(2.0)
    assert app.screen().banner == "the disk is full"
    assert match.steps == ()


def test_home_can_begin_a_demonstration(match: Match) -> None:
    app = App(Stage(Services(SavedGames(), demonstration=lambda _system: Demonstration(match, Passer(99)))))
    Hand(app).press("More", "Watch a demo")
    app.touch(Intent("demo", "orders"))
    assert isinstance(app.scene, BoardTable)
    app.tick(0.0)
    app.tick(2.0)
    assert len(match.steps) == 1


def test_a_demonstration_ends_at_home(match: Match) -> None:
    app = App(
        Stage(Services(SavedGames(), demonstration=lambda _system: Demonstration(match, Passer(99), Eye().glimpse)))
    )
    Hand(app).press("More", "Watch a demo")
    app.touch(Intent("demo", "orders"))
    app.tick(0.0)
    assert app.stage.sense.differences
    app.touch(Intent("menu"))
    Hand(app).press("Home")
    Hand(app).press("Continue last game")
    app.tick(50.0)
    assert app.stage.sense.differences is None
    assert match.steps == ()
    app.touch(Intent("menu"))
    assert "Let it play by itself" not in [button.label for button in Hand(app).all_buttons()]


def test_a_demonstration_that_fails_leaves_home_with_a_sentence(match: Match) -> None:
    def broken(_system: str) -> Demonstration:
        raise MatchError("no table to play on")

    app = App(Stage(Services(SavedGames(), demonstration=broken)))
    Hand(app).press("More", "Watch a demo")
    app.touch(Intent("demo", "orders"))
    assert isinstance(app.scene, DemonstrationsScene)
    assert app.screen().banner == "no table to play on"


# ---- the camera -------------------------------------------------------------------------------


def told(app: App) -> tuple[str, str]:
    """Return the camera's sign on the screen and its words."""
    status = app.screen().status
    assert status is not None
    return status.live, status.live_text


def test_a_lost_camera_is_said_once_until_it_is_back(match: Match) -> None:
    eye = Eye()
    eye.laid = TableView("lost", fault="no camera at /dev/video0")
    app = App(match=match, watcher=eye.glimpse)
    app.tick(0.0)
    assert told(app) == ("lost", "No camera at /dev/video0")
    assert isinstance(app.table, BoardTable)
    assert app.table.banner.startswith("Lost the camera (no camera at /dev/video0). Check its cable")
    app.table.banner = ""
    app.tick(1.0)
    assert app.table.banner == "", "it was said"
    eye.laid = TableView("lost", fault="it is too dark to see the board", blind=True)
    app.tick(2.0)
    assert told(app) == ("lost", "Too dark to see the board")
    eye.follow()
    app.tick(3.0)
    eye.laid = TableView("lost", fault="it is too dark to see the board", blind=True)
    app.tick(4.0)
    assert app.table.banner == "It is too dark to see the board. Meanwhile, you can play by touch.", "no cable"
    eye.follow()
    app.tick(5.0)
    assert app.table.banner == "", "what is over is not said any more"


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
    assert told(app) == ("", "")


def test_a_board_that_agrees_gets_a_quiet_tick(match: Match) -> None:
    app = App(match=match, watcher=Eye().glimpse)
    before = app.version
    app.tick(0.0)
    assert told(app) == ("sync", "Board matches")
    drawn = app.version
    assert drawn > before
    app.tick(5.0)
    assert app.version == drawn, "nothing new, nothing to draw"


def test_areas_that_differ_are_marked_and_told(match: Match) -> None:
    eye = Eye()
    app = App(match=match, watcher=eye.glimpse)
    app.tick(0.0)
    more = Agreed(areas=(("b3", (("black", "troop", 3),)),), spaces=(("advance:c4", ("black",)),), to_move="red")
    eye.lay(game.apply(match.position, more), {"d5": (((("red", "troop", 3),), 0.5), ((), 0.5))})
    for now_s in (1.0, 10.0):
        app.tick(now_s)
    assert told(app) == ("out", "Board differs: b3 c4")
    screen = app.screen()
    assert screen.map is not None
    assert {area.name: area.check for area in screen.map.areas if area.check} == {
        "b3": "differs",
        "d5": "hidden",
        "c4": "differs",
    }
    app.touch(Intent("area", "b3"))
    assert "the camera sees Black: 3 troops, the game has Black: 2 troops" in Hand(app).text()
    Hand(app).area("d5")
    assert "can't see d5 clearly" in Hand(app).text()


def test_many_doubts_are_cut_short(match: Match) -> None:
    reading = reading_of(match.position, covered=("a1", "a3", "a4", "b1", "b2"))
    app = App(match=match, watcher=lambda _: TableView("settled", reading))
    app.tick(0.0)
    assert told(app) == ("unsure", "Can't see a1 a3 a4 +2 clearly")


def test_the_watch_is_asked_four_times_a_second_and_may_have_nothing_to_say(match: Match) -> None:
    asked = []

    def look(of: Match) -> None:
        asked.append(of)

    app = App(match=match, watcher=look)
    for now_s in (0.0, 0.1, 0.2, 0.3, 0.4, 0.6):
        app.tick(now_s)
    assert len(asked) == 3


def test_the_watch_goes_on_while_another_scene_is_looked_at(match: Match) -> None:
    eye = Eye()
    app = App(match=match, watcher=eye.glimpse)
    app.tick(0.0)
    app.touch(Intent("menu"))
    eye.laid = TableView("lost", fault="the camera was pulled out")
    app.tick(1.0)
    Hand(app).press("Back")
    assert told(app)[0] == "lost"


class Fading:
    """A scene that ends by itself, or fails."""

    def __init__(self, following: HomeScene | None, fault: CompanionError | None = None) -> None:
        self.following = following
        self.fault = fault

    def show(self) -> scr.Screen:
        return scr.Screen(title="fading")

    def touch(self, _intent: Intent) -> None:
        pass

    def tick(self, _now_s: float) -> HomeScene | None:
        if self.fault:
            raise self.fault
        return self.following


def test_a_scene_may_lead_on_by_itself_or_fail_in_one_sentence(match: Match) -> None:
    app = App(match=match)
    app.scene = Fading(None)
    app.tick(0.0)
    assert app.screen().title == "fading"
    app.scene = Fading(app.home)
    app.tick(1.0)
    assert app.screen() == app.home.show()
    app.scene = Fading(None, MatchError("the disk is full"))
    app.tick(2.0)
    assert app.screen().banner == "the disk is full"


# ---- words and names --------------------------------------------------------------------------


def test_a_language_without_a_catalogue_is_english() -> None:
    use_language("xx")
    assert _("Undo") == "Undo"
    use_language("en")


def test_new_games_are_named_after_the_day() -> None:
    assert len(today().split("-")) == 3
