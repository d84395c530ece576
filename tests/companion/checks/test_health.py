"""The health check: each thing when it is well and when it is not, on the screen and by command."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.checks import health
from companion.checks.camera import Shot
from companion.checks.check_result import Machine
from companion.checks.health import Around, HealthCheck, Parts, checks, is_well, voice
from companion.checks.machine import MB, disk
from companion.core import storage
from companion.scenes.settings.checkup import CheckScene
from companion.settings.layers import Settings
from companion.ui.screen import Intent, Photo, StatusRow
from companion.view.window import display as view_parts
from companion.view.window.display import parts
from engine.errors import UnknownBoard
from tests.companion.commands.terminal import Capture, printed
from tests.companion.core.voices import SPEAKS, put_voice
from tests.companion.equip import equip
from tests.companion.refusing import refusing
from tests.companion.sample_games import game_file, saved
from tests.companion.touching import Hand
from tests.patience import PATIENCE_S

Usage = namedtuple("Usage", "total used free")
FAILED = "espeak-ng: failed (exit status 1)"
FINE = Parts(lambda: ("ok", "", ""), lambda: ("ok", "", ""), lambda: ("ok", "", ""))


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "mine.toml"))
    (tmp_path / "mine.toml").write_text("")
    return tmp_path


def test_a_sound_machine_is_well() -> None:
    found = tuple(checks(FINE, Around(Machine(run=lambda _command: ""))))
    assert is_well(found)
    assert len({check.name for check in found}) == len(found) == 19
    assert disk()[0] in ("ok", "note")
    assert list((storage.data_dir()).iterdir()) == []  # nothing is left behind


def test_whatever_is_bad_says_what_to_do(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LIBRARIES", ("no-such-library",))
    (own_data / "mine.toml").write_text("sound = [")
    bad = [check for check in checks(FINE, Around(Machine(run=lambda _command: ""))) if check.state == "bad"]
    assert {"versions", "settings"} <= {check.name for check in bad}
    assert all(check.remedy for check in bad)


def test_versions_name_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert health.versions()[1].startswith("Gunbai ")
    monkeypatch.setattr(health, "LIBRARIES", ("no-such-library",))
    assert health.versions() == ("bad", "missing: no-such-library", "Reinstall Gunbai.")


def test_damaged_data_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_of: object) -> None:
        raise UnknownBoard("no board sengoku-rivers")

    monkeypatch.setattr(health, "new_game", gone)
    state, told, remedy = health.data()
    assert (state, told) == ("bad", "no board sengoku-rivers")
    assert remedy


def device(inputs: Path, name: str, bits: str) -> None:
    folder = inputs / f"event{len(list(inputs.glob('*')))}" / "device"
    (folder / "capabilities").mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    (folder / "capabilities" / "abs").write_text(f"{bits}\n")


def test_touch_screens_are_told_from_other_devices(tmp_path: Path) -> None:
    inputs, machine = tmp_path / "sys/class/input", Machine(tmp_path)
    inputs.mkdir(parents=True)
    device(inputs, "keyboard", "0")
    device(inputs, "joystick", "3")
    device(inputs, "odd", "not hex")
    device(inputs, "wide", "1 0 0")  # a bit above the first word
    assert health.touch(machine)[0] == "note"
    device(inputs, "ft5x06", "2e0800000000003")
    device(inputs, "touch panel", f"{(1 << 0x35) | 3:x}")
    assert health.touch(machine) == ("ok", "ft5x06, touch panel", "")


def test_a_disk_that_is_full_small_or_read_only_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for free_mb, state in ((10, "bad"), (100, "note"), (5000, "ok")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder, n=free_mb: Usage(0, 0, n * MB))
        assert disk()[0] == state
    monkeypatch.setattr(os, "write", refusing())
    state, told, remedy = disk()
    assert state == "bad"
    assert told.endswith("No space left on device")
    assert remedy.startswith("Free some space")
    assert "games are kept in memory only" in remedy
    assert list(storage.data_dir().iterdir()) == []


def test_a_disk_that_lies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda _path: b"else")
    assert disk()[0] == "bad"


def test_damaged_games_are_named() -> None:
    folder = storage.games_dir()
    game_file(folder, steps=2)
    assert health.games() == ("ok", "1 game", "")
    (folder / "torn.jsonl").write_bytes(saved(steps=3)[:-9])
    (folder / "empty.jsonl").write_bytes(b"")
    state, told, _remedy = health.games()
    assert (state, told) == ("note", "damaged: empty.jsonl, torn.jsonl")


def test_a_broken_settings_file_is_named(own_data: Path) -> None:
    assert health.settings_files() == ("ok", str(own_data / "mine.toml"), "")
    (own_data / "mine.toml").write_text("language = 3")
    state, told, _remedy = health.settings_files()
    assert (state, told) == ("bad", f"{own_data / 'mine.toml'}: language: expected a text, not 3")


def test_a_table_has_to_be_readable(own_data: Path) -> None:
    assert health.table()[0] == "note"
    (own_data / "kitchen.table").write_bytes(b"no table")
    (own_data / "mine.toml").write_text(f'table = "{own_data / "kitchen.table"}"')
    assert health.table()[0] == "bad"


def test_a_good_table_is_ok(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Plan:
        board = "sengoku-rivers"

    class Loaded:
        plan = Plan()

    (own_data / "kitchen.table").write_bytes(b"a table")
    (own_data / "mine.toml").write_text(f'table = "{own_data / "kitchen.table"}"')
    monkeypatch.setattr("vision.table.Table.load", lambda _path: Loaded())
    assert health.table() == ("ok", f"{own_data / 'kitchen.table'} (sengoku-rivers)", "")


# ---- the window's side ------------------------------------------------------------------------------


def test_the_screen_is_measured_against_its_stated_size(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    assert view_parts.screen(Settings())[0] == "note"
    monkeypatch.setattr(view_parts, "has_screen", lambda: True)
    assert view_parts.screen(Settings())[0] == "ok"
    pygame.display.init()
    pygame.display.set_mode((800, 480))
    assert view_parts.screen(Settings())[:2] == ("ok", "800×480 on 7 inches, dummy")
    assert view_parts.screen(Settings(diagonal_inches=40.0))[0] == "bad"
    pygame.display.quit()


def test_letters_that_are_missing_are_named(tmp_path: Path) -> None:
    assert view_parts.fonts()[0] == "ok"
    state, told, _remedy = view_parts.fonts(tmp_path)
    assert state == "bad"
    assert "AtkinsonHyperlegible-Bold.ttf" in told


def test_sound_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    assert view_parts.sound(Settings(sound=False))[0] == "note"
    assert view_parts.sound(Settings()) == ("ok", "Played a test sound.", "")
    pygame.mixer.quit()

    def broken(*_args: object, **_more: object) -> None:
        raise pygame.error("no such device")

    monkeypatch.setattr(pygame.mixer, "init", broken)
    assert view_parts.sound(Settings())[:2] == ("note", "No speaker (no such device).")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (None, ("note", "The voice isn't installed.", "sudo apt install espeak-ng")),
        (SPEAKS, ("ok", "espeak-ng", "")),
        ("exit 1", ("note", f"The voice doesn't work ({FAILED}).", "Gunbai plays on without it.")),
    ],
)
def test_the_voice_is_tried_where_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str | None, told: tuple[str, str, str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if body is not None:
        put_voice(tmp_path, body=body)
    assert voice(Settings(voice=True)) == told
    assert voice(Settings()) == ("note", "The voice is off.", "")


# ---- by command, on the screen ------------------------------------------------------------------------


def test_the_command_tells_every_thing_and_its_status(own_data: Path, capsys: Capture) -> None:
    (own_data / "mine.toml").write_text("sound.on = false")
    assert "OK     Rules and boards: " in printed(capsys, "doctor")
    (own_data / "mine.toml").write_text("language = 3")
    assert "to do  Settings: " in printed(capsys, "doctor", status=1)
    assert not pygame.mixer.get_init()
    told = json.loads(printed(capsys, "doctor", "--json", status=1))
    assert told["well"] is False
    assert {check["name"] for check in told["checks"]} == {check.name for check in checks(parts(Settings()))}
    pygame.mixer.quit()


def at_check(*found: HealthCheck) -> Hand:
    app = App()
    equip(app.stage, doctor=lambda: found)
    app.scene = CheckScene(app.stage, app.scene)
    return Hand(app)


def test_what_is_to_be_done_comes_first() -> None:
    hand = at_check(
        HealthCheck("a", "A", "ok", "fine"),
        HealthCheck("b", "B", "note", "so"),
        HealthCheck("c", "C", "bad", "no", "do it"),
    )
    things = [block for block in hand.screen.blocks if isinstance(block, StatusRow)]
    assert [(thing.title, thing.remedy) for thing in things] == [("C", "do it"), ("B", ""), ("A", "")]
    assert "Needs attention." in hand.text()
    hand.app.touch(Intent("page", "", 1))
    equip(hand.app.stage, doctor=lambda: (HealthCheck("a", "A", "ok", "fine"),))
    hand.press("Check again")
    assert "Everything looks good." in hand.text()


def test_it_is_looked_in_a_thread_and_shown_as_it_comes() -> None:
    go_on = threading.Event()

    def looks() -> Iterator[HealthCheck]:
        yield HealthCheck("a", "A", "ok", "fine")
        assert go_on.wait(PATIENCE_S)
        yield HealthCheck("camera", "Camera", "bad", "blurred", "focus it", Shot(b"a JPEG", (4, 3)))

    app = App()
    equip(app.stage, doctor=looks)
    app.scene = scene = CheckScene(app.stage, app.scene)
    hand = Hand(app)
    assert "Checking everything" in hand.text()
    while not scene.checks:
        app.tick(0.0)
    assert "1 item checked" in hand.text()
    assert hand.button("Check again").look == "off"
    app.touch(Intent("again"))
    assert app.scene is scene
    go_on.set()
    while scene.looking:
        app.tick(1.0)
    assert "Needs attention." in hand.text()
    assert [block.data for block in hand.screen.blocks if isinstance(block, Photo)] == [b"a JPEG"]
    assert scene.tick(2.0) is None


def test_crosses_are_touched_one_by_one() -> None:
    hand = at_check().press("Test the touchscreen")
    for n in range(5):
        assert hand.screen.title == "Touch every cross."
        hand.app.touch(Intent("cross", "", n))
    assert hand.screen.title == "Every touch hit its mark."
    hand.press("One doesn't respond", "Back", "Back", "Back")
    assert hand.screen.title == "Gunbai"
