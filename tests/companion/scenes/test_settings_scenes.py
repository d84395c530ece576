"""The first start's questions, and the settings: each choice holds at once and is kept; a turned picture goes back."""

from __future__ import annotations

import shutil
from dataclasses import fields
from pathlib import Path

import pytest

from companion.app.app import App
from companion.bootstrap import is_first_start
from companion.checks.health import HealthCheck
from companion.cli import main
from companion.core.language import language_of, languages
from companion.core.storage import data_dir, games_dir
from companion.scenes.home.home import HomeScene
from companion.scenes.home.start import WelcomeScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.pages import Flip, Pick, pages
from companion.scenes.settings.settings import KeepChangeScene, SettingsScene
from companion.settings.layers import Broken, Choices, Settings, load
from companion.ui.screen import Choice, Intent, Options, Switch, Text
from tests.companion.core.voices import put_voice
from tests.companion.equip import equip
from tests.companion.touching import Hand


@pytest.fixture
def welcome(app: App, tmp_path: Path) -> Hand:
    hand = Hand(app)
    equip(hand.app.stage, choices=Choices(tmp_path / "chosen.toml"))
    hand.app.scene = WelcomeScene(hand.app.stage, hand.app.home)
    return hand


def test_one_touch_leads_home_and_keeps_what_was_guessed(welcome: Hand, tmp_path: Path) -> None:
    for intent in (Intent("speak", "xx"), Intent("pick", "layout", 9), Intent("pick", "theme", 1), Intent("back")):
        welcome.app.touch(intent)
    assert isinstance(welcome.app.scene, WelcomeScene), "what is no answer changes nothing"
    welcome.press("Start")
    assert isinstance(welcome.app.scene, HomeScene)
    assert load([tmp_path / "chosen.toml"]) == Settings()
    assert 'language = "en"' in (tmp_path / "chosen.toml").read_text()


def test_each_answer_shows_at_once_and_is_kept_together(welcome: Hand, tmp_path: Path) -> None:
    welcome.press("Face to face", "Large", "Português (Brasil)")
    now = welcome.app.stage.settings
    assert (now.language, now.layout, now.text_scale) == ("pt_BR", "two", 1.2)
    assert welcome.screen.title == "Boas-vindas ao Gunbai"
    assert not (tmp_path / "chosen.toml").exists()
    welcome.press("Começar")
    assert load([tmp_path / "chosen.toml"]) == now
    welcome.app.stage.change(language="en")


def test_a_disk_that_keeps_nothing_stops_nobody(welcome: Hand, tmp_path: Path) -> None:
    (tmp_path / "chosen.toml").mkdir()
    welcome.press("Start")
    assert isinstance(welcome.app.scene, HomeScene)


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


NOT_ON_A_PAGE = {
    "board", "edition", "screen_size_px", "table", "camera", "colours", "readings", "language", "players",
    "desk_pins", "long_press_s", "readers", "reader_sides", "controller", "pins", "inverted",
    "opponent_pace",
}  # fmt: skip


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """Return a hand at the settings of an app that keeps its choices."""
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "mine.toml"))
    (tmp_path / "mine.toml").write_text("[sound]\nvolume = 30\n")
    app = App()
    app.stage.apply(load())
    equip(app.stage, choices=Choices(tmp_path / "mine.chosen.toml"))
    app.scene = SettingsScene(app.stage, app.scene)
    return Hand(app)


def now(hand: Hand) -> Settings:
    return hand.app.stage.settings


def notes(hand: Hand) -> dict[str, str]:
    """Return what stands below each button, by its label."""
    return {button.label: button.note for button in hand.all_buttons()}


def chosen(hand: Hand, field: str) -> str:
    """Return the label of the value that is chosen."""
    found = [
        button.label
        for block in hand.screen.blocks
        if isinstance(block, Choice)
        for button in block.buttons
        if button.look == "chosen" and button.intent.what == field
    ]
    assert len(found) == 1
    return found[0]


def test_every_field_stands_on_a_page_once() -> None:
    items = [item for page in pages().values() for item in page.items]
    named = [item.field for item in items if isinstance(item, Pick | Flip)]
    assert sorted(named) == sorted({field.name for field in fields(Settings)} - NOT_ON_A_PAGE)


@pytest.mark.parametrize("name", pages())
def test_every_switch_and_every_value_is_taken_kept_and_shown(hand: Hand, name: str) -> None:
    hand.press(pages()[name].title)
    for item in pages()[name].items:
        if isinstance(item, Flip):
            before = getattr(now(hand), item.field)
            hand.app.touch(Intent("flip", item.field))
            switches = hand.blocks(Switch)
            assert [switch.on for switch in switches if switch.label == item.label] == [not before]
            assert getattr(load(), item.field) is not before
        elif isinstance(item, Pick) and item.field != "rotation_degrees":
            for n, (value, label) in enumerate(item.values):
                hand.app.touch(Intent("pick", item.field, n))
                assert getattr(now(hand), item.field) == value == getattr(load(), item.field)
                assert chosen(hand, item.field) == label
    hand.press("Back")
    assert isinstance(hand.app.scene, SettingsScene)


def test_a_value_of_a_file_that_is_none_of_ours_is_shown_and_stays(hand: Hand) -> None:
    hand.app.stage.change(volume=55)
    hand.press("Sounds and voice")
    assert chosen(hand, "volume") == "55"
    hand.press("55")
    assert now(hand).volume == 55


def test_the_hub_tells_how_each_page_stands(hand: Hand) -> None:
    pages_ = ("Colours", "Sounds and voice", "Screen saver and animations", "Game clock", "Camera")
    told = [notes(hand)[page] for page in pages_]
    assert told == ["Dark · Standard", "Soft", "dims after 5 min", "No clock", "5 of 5 on"]
    hand.app.stage.change(sound=False, voice=True)
    assert notes(hand)["Sounds and voice"] == "Soft"
    hand.app.stage.change(sound=False, voice=False, dim_after_s=0, camera_dice=False, clock_minutes=45)
    told = [notes(hand)[page] for page in pages_]
    assert told == ["Dark · Standard", "off", "never dims", "45 min", "4 of 5 on"]


def test_a_voice_that_is_not_installed_says_how_to_install_it(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not now(hand).voice, "nothing speaks that nobody asked to"
    hand.press("Sounds and voice")
    hint = "The voice isn't installed: sudo apt install espeak-ng"
    assert hint in [block.text for block in hand.screen.blocks if isinstance(block, Text)]
    put_voice(tmp_path)
    assert hint not in [block.text for block in hand.screen.blocks if isinstance(block, Text)]


def test_how_high_bases_are_is_told_in_the_hub_and_forgotten_again(hand: Hand) -> None:
    assert notes(hand)["Miniature bases"] == "In the middle · height not measured"
    hand.press("Miniature bases", "At the rear edge", "0.125", "Back")
    assert notes(hand)["Miniature bases"] == "At the rear edge · height 0.125"
    assert (load().base_marking, load().base_height) == ("rear", 0.125)
    hand.press("Miniature bases", "Not measured")
    assert load().base_height is None


# ---- a turned picture -----------------------------------------------------------------------------


def trial(hand: Hand) -> KeepChangeScene:
    hand.press("Seats and rotation", "180°")
    assert isinstance(hand.app.scene, KeepChangeScene)
    assert now(hand).rotation_degrees == 180  # shown at once
    assert load().rotation_degrees == 0  # and not kept
    return hand.app.scene


def test_a_turned_picture_goes_back_by_itself(hand: Hand) -> None:
    trial(hand)
    hand.app.tick(100.0)
    version = hand.app.version
    hand.app.tick(100.5)
    assert hand.app.version == version
    hand.app.tick(101.1)
    assert hand.app.version > version  # another second is shown
    assert "14" in [block.text for block in hand.screen.blocks if isinstance(block, Text)]
    hand.app.tick(115.0)
    assert now(hand).rotation_degrees == 0
    assert not isinstance(hand.app.scene, KeepChangeScene)


def test_a_turned_picture_goes_back_or_is_kept_by_a_touch(hand: Hand) -> None:
    trial(hand)
    hand.press("Change it back")
    assert now(hand).rotation_degrees == 0
    hand.press("Back")
    trial(hand)
    hand.press("Keep")
    assert now(hand).rotation_degrees == load().rotation_degrees == 180
    hand.press("180°")
    assert not isinstance(hand.app.scene, KeepChangeScene)  # it stands already


# ---- languages, names, the rest -------------------------------------------------------------------


def test_a_language_is_chosen_by_its_own_name(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    assert languages() == {"en": "English", "pt_BR": "Português (Brasil)"}
    spoken: list[str] = []
    monkeypatch.setattr("companion.scenes.base.stage.use_language", spoken.append)
    hand.press("Language")
    cards = next(block.options for block in hand.screen.blocks if isinstance(block, Options))
    assert [(card.text, card.chosen) for card in cards] == [("English", True), ("Português (Brasil)", False)]
    hand.app.touch(cards[1].intent)
    hand.app.touch(Intent("speak", "xx"))
    assert (now(hand).language, spoken) == ("pt_BR", ["pt_BR"])
    hand.press("Back")
    assert notes(hand)["Language"] == "Português (Brasil)"


def test_names_for_new_games_are_typed(hand: Hand) -> None:
    hand.press("Default names", "Red")
    hand.write("ana")
    hand.press("Done")
    assert hand.button("Red").note.lower() == "ana"
    assert hand.app.stage.game_defaults.players["red"].lower() == "ana"
    assert load().players["red"].lower() == "ana"
    hand.press("Red")
    hand.write("\b" * 3)
    hand.press("Done")
    assert hand.button("Red").note == "no name"
    assert hand.app.stage.game_defaults.players == {}
    hand.press("Back", "Back")
    assert isinstance(hand.app.scene, HomeScene)


def test_starting_over_forgets_what_was_chosen_and_not_what_was_written(hand: Hand) -> None:
    hand.app.stage.change(theme="light", volume=100)
    hand.press("Reset settings", "Back", "Reset settings", "Reset")
    assert now(hand) == load() == Settings(volume=30)
    assert isinstance(hand.app.scene, SettingsScene)


def test_what_cannot_be_kept_is_told_and_holds(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    hand.press("Colours")
    monkeypatch.setattr("companion.core.storage.atomic_write", full)
    hand.press("Light")
    assert now(hand).theme == "light"
    assert hand.screen.banner == "The disk is full: free some space. Your choice lasts until you quit Gunbai."


def test_the_self_check_is_reached_from_here(hand: Hand) -> None:
    assert "Health check" not in [button.label for button in hand.all_buttons()]
    equip(hand.app.stage, doctor=lambda: (HealthCheck("disk", "Disk", "ok", "much room"),))
    hand.press("Health check")
    assert isinstance(hand.app.scene, CheckScene)
