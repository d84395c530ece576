"""The board is laid under the camera: it ticks what it sees, and says what is missing or wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.app.app import App, SavedGames
from companion.perception.sync.monitor import SyncMonitor
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.setup.layout import LayoutScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders.position import Position
from engine.orders.wire import position_from_json, position_to_json
from tests.companion.perception.seeing import Exact, Eye
from tests.companion.touching import Hand


class Laying:
    """A set-up at its last page, the camera over the board."""

    def __init__(self) -> None:
        self.eye = Eye()
        self.hand = Hand(App(Stage(Services(SavedGames()), Senses(SyncMonitor(Exact()))), watcher=self.eye.glimpse))
        self.hand.press("New game", "Next", "Red", "Barracks", "War Room", "Shipyard", "Next")
        self.now_s = 0.0

    @property
    def scene(self) -> LayoutScene:
        assert isinstance(self.hand.app.scene, LayoutScene)
        return self.hand.app.scene

    def board(self, **areas: Mapping[str, Mapping[str, int]]) -> Position:
        """Return the start, but for these areas."""
        start = position_to_json(self.scene.match.position)
        units = {**start["units"], **areas}
        return position_from_json({**start, "units": {area: force for area, force in units.items() if force}})

    def sees(self, position: Position) -> str:
        """Return what the page says once the camera has seen this position."""
        self.eye.lay(position)
        for _look in range(3):
            self.now_s += 5.0
            self.hand.app.tick(self.now_s)
        return self.hand.text()

    def marked(self, mark: str) -> set[str]:
        return {area.name for area in self.hand.picture.areas if area.mark == mark}

    def flagged(self) -> set[str]:
        return {area.name for area in self.hand.picture.areas if area.check == "differs"}


@pytest.fixture
def laying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laying:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Laying()


def test_what_stands_there_is_ticked_and_what_is_missing_told_until_the_game_begins(laying: Laying) -> None:
    told = laying.sees(laying.board(d3={}, e1={}))
    assert laying.marked("chosen") == {"d5", "e3", "e4"}
    assert laying.marked("live") == {"d3", "e1"}
    assert "2 red troops missing from d3" in told
    assert "2 red troops missing from e1" in told
    assert laying.flagged() == set(), "what is still to come is no mistake"
    laying.hand.press("Skip to the game")
    assert isinstance(laying.hand.app.scene, BoardTable)
    assert not laying.hand.screen.banner


def test_a_wrong_number_or_place_is_flagged_on_the_map(laying: Laying) -> None:
    told = laying.sees(laying.board(d3={"red": {"troop": 3}}, d2={"red": {"troop": 1}}))
    assert "1 red troop too many in d3" in told
    assert "1 red troop too many in d2" in told
    assert laying.flagged() == {"d2", "d3"}


def test_a_side_that_is_whole_leads_to_the_next(laying: Laying) -> None:
    laying.sees(laying.board(a1={}))
    assert "Black" in laying.hand.text()
    assert laying.marked("live") == {"a1"}
    laying.sees(laying.board())
    assert "Bonus tokens" in laying.hand.text(), "both sides stand as printed"


def test_what_a_person_ticked_is_believed(laying: Laying) -> None:
    laying.sees(laying.board(d3={}))
    told = laying.hand.press("d3").text()
    assert "missing" not in told
    assert "Bonus tokens" in told, "Red is whole with it, and Black was before"


def test_the_camera_may_be_left_out_of_it_and_going_back_stops_it(laying: Laying) -> None:
    laying.hand.app.stage.change(tick_by_camera=False)
    told = laying.sees(laying.board(d3={}))
    assert laying.marked("chosen") == set()
    assert "missing" not in told
    assert laying.hand.app.table is not None
    laying.hand.app.touch(Intent("back"))
    assert laying.hand.app.table is None


class SeenAtOnce:
    """Stands for what takes today's board: it is seen at the second look."""

    def __init__(self) -> None:
        self.stage, self.looks = "", 0

    def await_board(self) -> None:
        self.stage = "awaited"

    def see_empty(self, _now_s: float) -> bool:
        self.looks += 1
        self.stage = "empty" if self.looks > 1 else self.stage
        return self.looks == 2

    def see(self, *_what: object) -> bool:
        return False


def test_a_new_game_says_that_todays_board_was_seen_and_waits_for_nothing() -> None:
    today, told = SeenAtOnce(), "The camera has seen today's board."
    hand = Hand(App(Stage(Services(SavedGames()), Senses(SyncMonitor(Exact()), today=today))))  # type: ignore[arg-type]
    hand.press("New game")
    assert today.stage == "awaited"
    assert hand.screen.banner == ""
    for now_s in (1.0, 2.0):
        hand.app.tick(now_s)
    assert (hand.screen.banner, hand.screen.banner_tone) == (told, "good")
    hand.press("Next")
    hand.app.tick(3.0)
    assert (hand.screen.banner, hand.screen.banner_tone) == (told, "good")
    hand.press("Red", "Barracks", "War Room", "Shipyard", "Next")
    assert isinstance(hand.app.scene, LayoutScene)
