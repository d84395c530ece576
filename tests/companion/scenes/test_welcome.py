"""The first start: one page of three questions, guessed, previewed and kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.app.app import App
from companion.bootstrap import is_first_start
from companion.cli import main
from companion.core.language import language_of
from companion.core.storage import data_dir, games_dir
from companion.scenes.home.home import HomeScene
from companion.scenes.home.start import WelcomeScene
from companion.settings.layers import Broken, Choices, Settings, load
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.touching import Hand


@pytest.fixture
def hand(hand: Hand, tmp_path: Path) -> Hand:
    equip(hand.app.stage, choices=Choices(tmp_path / "chosen.toml"))
    hand.app.scene = WelcomeScene(hand.app.stage, hand.app.home)
    return hand


def test_one_touch_leads_home_and_keeps_what_was_guessed(hand: Hand, tmp_path: Path) -> None:
    for intent in (Intent("speak", "xx"), Intent("pick", "layout", 9), Intent("pick", "theme", 1), Intent("back")):
        hand.app.touch(intent)
    assert isinstance(hand.app.scene, WelcomeScene), "what is no answer changes nothing"
    hand.press("Start")
    assert isinstance(hand.app.scene, HomeScene)
    assert load([tmp_path / "chosen.toml"]) == Settings()
    assert 'language = "en"' in (tmp_path / "chosen.toml").read_text()


def test_each_answer_shows_at_once_and_is_kept_together(hand: Hand, tmp_path: Path) -> None:
    hand.press("Face to face", "Large", "Português (Brasil)")
    now = hand.app.stage.settings
    assert (now.language, now.layout, now.text_scale) == ("pt_BR", "two", 1.2)
    assert hand.screen.title == "Boas-vindas ao Gunbai"
    assert not (tmp_path / "chosen.toml").exists()
    hand.press("Começar")
    assert load([tmp_path / "chosen.toml"]) == now
    hand.app.stage.change(language="en")


def test_a_disk_that_keeps_nothing_stops_nobody(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "chosen.toml").mkdir()
    hand.press("Start")
    assert isinstance(hand.app.scene, HomeScene)


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_BR@euro"}, "pt_BR"),
        ({"LANG": "pt"}, "pt_BR"),
        ({"LANG": "pt-BR"}, "pt_BR"),
        ({"LANG": "PT_pt.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "pt_BR", "LC_ALL": ""}, "pt_BR"),
    ],
)
def test_the_language_is_guessed_from_the_machine(environment: dict[str, str], code: str) -> None:
    assert language_of(environment) == code


# ---- when it is asked ----------------------------------------------------------------------------------


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[App]:
    """Prepare a machine on which nothing was chosen; return what the window is asked to show, instead of a window."""
    from companion.view.window import window

    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    (tmp_path / "settings.toml").write_text("# nothing yet\n")
    shown: list[App] = []

    def run_window(app: App, _size_px: tuple[int, int] | None) -> int:
        shown.append(app)
        return 0

    monkeypatch.setattr(window, "run_window", run_window)
    return shown


def test_it_is_asked_once_in_the_language_of_the_machine(fresh: list[App]) -> None:
    assert main(["play"]) == 0
    assert Hand(fresh[0]).screen.title == "Boas-vindas ao Gunbai"
    Hand(fresh[0]).press("Começar")
    assert main(["play"]) == 0
    assert isinstance(fresh[1].scene, HomeScene)
    assert fresh[1].stage.settings.language == "pt_BR"
    fresh[1].stage.change(language="en")


@pytest.mark.usefixtures("_own_place")
def test_it_is_not_asked_where_something_was_written_by_hand_is_broken_or_games_are() -> None:
    assert not is_first_start(Settings(language="pt_BR"), ())
    assert not is_first_start(Settings(), (Broken(None, "broken"),))
    (games_dir() / "index.json").touch()
    assert is_first_start(Settings(), ())
    (games_dir() / "game.jsonl").touch()
    assert not is_first_start(Settings(), ())
    shutil.rmtree(games_dir())
    (data_dir() / "games").touch()
    assert not is_first_start(Settings(), ())


def test_a_demonstration_begins_at_once(fresh: list[App]) -> None:
    assert main(["play", "--demo"]) == 0
    assert isinstance(fresh[0].scene, HomeScene)
    fresh[0].stage.apply(Settings())
