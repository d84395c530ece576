"""`gunbai play` put together, and the watch that looks at the table beside it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.bootstrap import launch_options, start_watch
from companion.cli import main
from companion.demo.hands import SimulatedWatch
from companion.demo.player import SimulatedEye, TableLook
from companion.scenes.home.home import HomeScene
from companion.settings.layers import Settings
from companion.ui.screen import Intent
from engine.orders.position import Position
from tests.companion.sample_games import game_file
from tests.companion.touching import Hand
from vision.errors import CameraError


def blind(eye: SimulatedEye, position: Position) -> TableLook:
    raise CameraError("it is dark")


def given(**changes: object) -> Namespace:
    return Namespace(**({"demo": False, "size": None, "game": None, "table": None, "camera": None} | changes))


# ---- wishes -------------------------------------------------------------------------------------


def test_the_command_line_overrides_the_settings() -> None:
    owner = Settings(screen_size_px=(800, 480), table=Path("kitchen.table"), camera="0")
    wished = launch_options(given(size="1280x720", camera="1", game="evening.jsonl"), owner)
    assert wished.size_px == (1280, 720)
    assert (wished.table, wished.camera, wished.game) == (Path("kitchen.table"), "1", Path("evening.jsonl"))


def test_without_anything_the_whole_screen_is_used_and_nothing_watched() -> None:
    wished = launch_options(given(), Settings())
    assert wished.size_px is None
    assert start_watch(wished) is None


def test_a_demo_brings_its_own_table_even_where_one_is_set() -> None:
    watched = start_watch(launch_options(given(demo=True), Settings(table=Path("x"), camera="0")))
    assert isinstance(watched, SimulatedWatch)
    watched.close()
    watched.join()


def test_a_table_in_the_settings_that_is_gone_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--table", str(tmp_path / "gone"), "--camera", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"gunbai: {tmp_path / 'gone'}: can't be read")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[App, object]]:
    """Collect what the window was asked to show, without opening one."""
    from companion.view.window import window

    asked: list[tuple[App, object]] = []

    def run_window(app: App, size_px: tuple[int, int] | None) -> int:
        app.tick(0.0)
        asked.append((app, size_px))
        return 0

    monkeypatch.setattr(window, "run_window", run_window)
    return asked


@pytest.fixture
def wished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the owner's settings, which are not there yet."""
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "settings.toml"))
    return tmp_path / "settings.toml"


def test_play_opens_the_window_with_the_game(tmp_path: Path, shown: list[tuple[App, object]]) -> None:
    path = game_file(tmp_path, steps=2)
    assert main(["play", "--game", str(path), "--size", "800x480"]) == 0
    app, size = shown[0]
    assert size == (800, 480)
    assert app.screen().map is not None


def test_play_starts_new_games_by_the_houses_rules(
    tmp_path: Path, wished: Path, shown: list[tuple[App, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    wished.write_text('[readings]\nempty-deck = "other"\nplace-fewer = "default"\n[players]\nred = "Ana"\n')
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
        ('[players]\ngreen = "Ana"', "players.green: expected one of red, black"),
    ],
)
def test_house_rules_that_the_board_does_not_know_are_told_on_the_screen(
    wished: Path, shown: list[tuple[App, object]], text: str, told: str
) -> None:
    wished.write_text(text)
    assert main(["play"]) == 0
    hand = Hand(shown[0][0])
    assert told in hand.press("Details").text()
    hand.press("Back")
    hand.press("Continue without it")
    assert isinstance(hand.app.scene, HomeScene)


def test_a_broken_settings_file_is_told_on_the_screen_and_may_be_set_aside(
    tmp_path: Path, wished: Path, shown: list[tuple[App, object]]
) -> None:
    wished.write_text("language = 3\n")
    assert main(["play"]) == 0
    hand = Hand(shown[0][0])
    assert f"{wished}: language: expected a text, not 3" in hand.press("Details").text()
    hand.press("Back", "Set it aside")
    assert isinstance(hand.app.scene, HomeScene)
    assert not wished.exists()
    assert (tmp_path / "settings.toml.broken-1").exists()


def test_what_is_chosen_in_the_app_holds_at_the_next_start(
    tmp_path: Path, wished: Path, shown: list[tuple[App, object]]
) -> None:
    wished.write_text("[clock]\nminutes = 30\n")
    assert main(["play"]) == 0
    shown[0][0].stage.change(clock_minutes=45, theme="light")
    assert main(["play"]) == 0
    stage = shown[1][0].stage
    assert (stage.settings.clock_minutes, stage.settings.theme, stage.services.clock.minutes) == (45, "light", 45)
    assert stage.services.doctor is not None
    assert any(check.name == "settings" and check.state == "ok" for check in stage.services.doctor())


def test_a_table_that_cannot_be_used_any_more_stops_nobody(
    tmp_path: Path, wished: Path, shown: list[tuple[App, object]]
) -> None:
    (tmp_path / "broken.table").write_bytes(b"no table")
    wished.write_text(f'table = "{tmp_path / "broken.table"}"\ncamera = "{tmp_path}"\n')
    assert main(["play"]) == 0
    banner = shown[0][0].screen().banner
    assert banner.startswith("Can't use the camera's table: ")
    assert banner.endswith("set up the camera again.")


def test_play_with_a_demo_watches_the_simulated_table(
    shown: list[tuple[App, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimulatedEye, "look", blind)
    assert main(["play", "--demo"]) == 0
    assert shown[0][0].stage.senses.hands is not None


@pytest.mark.usefixtures("_own_place")
def test_a_demonstration_may_be_asked_for_in_the_app(
    shown: list[tuple[App, object]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr(SimulatedEye, "look", blind)
    assert main(["play"]) == 0
    app = shown[0][0]
    Hand(app).press("Start", "More", "Watch a demo")
    app.touch(Intent("demo", "orders"))
    assert app.screen().map is not None
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["demo-1.jsonl"]
