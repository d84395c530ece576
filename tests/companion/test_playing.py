"""`gunbai play` put together, and the watch that looks at the table beside it."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adapters import Difference
from companion.app import App
from companion.cli import main
from companion.demo.hands import SimulatedWatch
from companion.demo.player import Look, SimulatedEye
from companion.errors import AdapterError
from companion.match import Match
from companion.playing import watching, wishes
from companion.scenes.screen import Intent
from companion.settings import Settings
from companion.watch import Watch
from engine.orders.position import Position
from engine.orders.steps import Deploy
from engine.orders.wire import step_from_json
from tests.companion.sample_games import BOARD, BONUSES, OPENING, game_file, played
from tests.companion.touching import Hand
from vision.errors import CameraError

SEEN = (Difference("c4", "agrees", {}, {}, 0.99),)


def blind(eye: SimulatedEye, position: Position) -> Look:
    raise CameraError("it is dark")


def given(**changes: object) -> Namespace:
    return Namespace(**({"demo": False, "size": None, "game": None, "table": None, "camera": None} | changes))


# ---- wishes -------------------------------------------------------------------------------------


def test_the_command_line_overrides_the_settings() -> None:
    owner = Settings(screen_size_px=(800, 480), rotation_degrees=180, table=Path("kitchen.table"), camera="0")
    wished = wishes(given(size="1280x720", camera="1", game="evening.jsonl"), owner)
    assert (wished.size_px, wished.rotation_degrees) == ((1280, 720), 180)
    assert (wished.table, wished.camera, wished.game) == (Path("kitchen.table"), "1", Path("evening.jsonl"))


def test_without_anything_the_whole_screen_is_used_and_nothing_watched() -> None:
    wished = wishes(given(), Settings())
    assert wished.size_px is None
    assert watching(wished) is None


def test_a_demo_brings_its_own_table_even_where_one_is_set() -> None:
    watched = watching(wishes(given(demo=True), Settings(table=Path("x"), camera="0")))
    assert isinstance(watched, SimulatedWatch)
    watched.close()
    watched.join()


def test_a_table_in_the_settings_that_is_gone_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--table", str(tmp_path / "gone"), "--camera", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"gunbai: {tmp_path / 'gone'}: cannot be read")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[App, object, int]]:
    """What the window was asked to show, instead of a window."""
    from companion.view import window

    asked: list[tuple[App, object, int]] = []

    def run_window(app: App, size_px: tuple[int, int] | None, rotation_degrees: int) -> int:
        app.tick(0.0)
        asked.append((app, size_px, rotation_degrees))
        return 0

    monkeypatch.setattr(window, "run_window", run_window)
    return asked


def test_play_opens_the_window_with_the_game(tmp_path: Path, shown: list[tuple[App, object, int]]) -> None:
    path = game_file(tmp_path, steps=2)
    assert main(["play", "--game", str(path), "--size", "800x480"]) == 0
    app, size, rotation = shown[0]
    assert (size, rotation) == ((800, 480), 0)
    assert app.screen().map is not None


def test_play_starts_new_games_by_the_houses_rules(
    tmp_path: Path, shown: list[tuple[App, object, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[readings]\nempty-deck = "other"\nplace-fewer = "default"\n[players]\nred = "Ana"\n')
    monkeypatch.setenv("GUNBAI_SETTINGS", str(path))
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    assert main(["play"]) == 0
    hand = Hand(shown[0][0]).start()
    assert hand.position.readings == {"empty-deck"}
    status = hand.screen.status
    assert status is not None
    assert [side.label for side in status.sides] == ["Red · Ana", "Black"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[readings]\nno-such = "other"', "readings.no-such: no reading of that name with another answer"),
        ('[readings]\nboth-hqs = "other"', "readings.both-hqs: no reading of that name with another answer"),
        ('[players]\nblue = "Ana"', "players.blue: one of red, black is expected"),
    ],
)
def test_house_rules_that_the_board_does_not_know_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    (tmp_path / "settings.toml").write_text(text)
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "settings.toml"))
    assert main(["play"]) == 2
    assert capsys.readouterr().err == f"gunbai: the settings: {told}\n"


def test_play_with_a_demo_watches_the_simulated_table(
    shown: list[tuple[App, object, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimulatedEye, "look", blind)
    assert main(["play", "--demo"]) == 0
    assert shown[0][0].stage.hands is not None


def test_a_demonstration_may_be_asked_for_in_the_app(
    shown: list[tuple[App, object, int]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr(SimulatedEye, "look", blind)
    assert main(["play"]) == 0
    app = shown[0][0]
    app.touch(Intent("demo"))
    assert app.screen().map is not None
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["demo-1.jsonl"]


# ---- the watch ----------------------------------------------------------------------------------


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    made = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    yield made
    made.close()


class Table:
    """A table that can be looked at when the test lets it."""

    def __init__(self) -> None:
        self.began, self.may_look, self.looked = (threading.Semaphore(0) for _ in range(3))
        self.fault: Exception | None = None
        self.positions: list[Position] = []

    def look(self, position: Position) -> tuple[Difference, ...]:
        self.began.release()
        self.may_look.acquire()
        self.positions.append(position)
        try:
            if self.fault:
                raise self.fault
            return SEEN
        finally:
            self.looked.release()

    def once(self) -> None:
        """One look, and wait until it is over."""
        self.may_look.release()
        self.looked.acquire()


def settled(watch: Watch, match: Match) -> tuple[Difference, ...] | None:
    """What the watch says once the thread has had its time."""
    for _ in range(200):
        found = watch.live(match)
        if found is not None:
            return found
        threading.Event().wait(0.01)
    return None


def test_a_look_comes_when_it_is_done_and_the_screen_never_waits(match: Match) -> None:
    table = Table()
    watch = Watch(table.look)
    assert watch.live(match) is None
    table.once()
    table.may_look.release(200)
    assert settled(watch, match) == SEEN
    watch.close()
    watch.join()


def test_a_look_at_a_position_that_is_gone_is_not_shown(match: Match) -> None:
    table = Table()
    watch = Watch(table.look)
    assert watch.live(match) is None
    match.offer(step_from_json(OPENING))
    table.once()
    watch.close()
    table.may_look.release(5)
    watch.join()
    assert table.positions[0] != match.position
    assert watch.live(match) is None


def test_a_watch_that_is_closed_while_a_look_waits_ends_after_the_present_one(match: Match) -> None:
    table = Table()
    watch = Watch(table.look)
    watch.live(match)
    table.began.acquire()
    watch.live(match)
    watch.close()
    table.may_look.release(2)
    watch.join()
    assert len(table.positions) == 1


def test_inside_a_turn_nothing_is_compared(match: Match) -> None:
    watch = Watch(lambda position: SEEN)
    number, position = next((n, one) for n, one in enumerate(played()[1]) if one.turn is not None)
    assert isinstance(played()[0][number - 1], Deploy)
    match._positions.append(position)
    assert watch.live(match) is None
    watch.close()
    watch.join()


@pytest.mark.parametrize("fault", [CameraError("the camera gave no picture"), AdapterError("another board")])
def test_a_camera_that_fails_is_told_and_tried_again(match: Match, fault: Exception) -> None:
    table = Table()
    table.fault = fault
    watch = Watch(table.look)
    watch.live(match)
    table.once()
    table.fault = None
    table.may_look.release(300)
    for _ in range(200):
        if watch.fault == str(fault) or watch.live(match):
            break
        threading.Event().wait(0.01)
    assert settled(watch, match) == SEEN
    assert watch.fault is None
    watch.close()
    watch.join()
