"""Settings in layers, what is chosen in the app above what people write, and what is said of a fault in them."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

import pytest

from companion.app.app import SavedGames
from companion.core.errors import SettingsError, UsageError
from companion.core.language import _
from companion.scenes.base.stage import Services, Stage
from companion.settings import layers
from companion.settings.layers import Choices, Settings, load, load_sound, set_aside, with_changes
from companion.settings.values import size_px
from tests.companion.refusing import refusing


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_without_files_the_built_in_settings_hold(tmp_path: Path) -> None:
    assert load([tmp_path / "none.toml"]) == Settings()


def test_every_key_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "settings.toml",
        """
        evidence = false
        language = "pt_BR"
        board = "sengoku-fortress"
        edition = "pt"
        table = "~/kitchen.table"
        camera = "0"
        [bases]
        marking = "rear"
        height = 0.12
        [screen]
        size = "800x480"
        rotation = 180
        diagonal_inches = 10
        layout = "two"
        theme = "light"
        palette = "tritanopia"
        text_scale = 1.25
        motion = false
        dim_after_s = 0
        keep_awake = false
        [sound]
        on = false
        volume = 0
        voice = true
        [clock]
        minutes = 40
        warn_s = 60
        [automatic]
        turns = false
        ticks = false
        dice = false
        learning = false
        cards = false
        hands = false
        forecast = false
        rounds = false
        score = false
        [map]
        supply = false
        changes = false
        names = false
        points = true
        camera = false
        [opponent]
        pace = "long"
        [desk]
        pins = true
        long_press_s = 1
        readers = ["/dev/serial/by-id/one", "/dev/serial/by-id/two"]
        controller = "/dev/serial/by-id/pico"
        inverted = ["lamps"]
        [desk.reader_sides]
        "/dev/serial/by-id/one" = "one"
        [pins]
        confirm_one = 5
        buzzer = 0
        [colours]
        water = "#2c5d7c"
        [readings]
        empty-target = "other"
        [players]
        red = "Ana"
        """,
    )
    found = load([path])
    assert found.screen_size_px == (800, 480)
    assert found.rotation_degrees == 180
    assert (found.language, found.camera) == ("pt_BR", "0")
    assert found.table == Path.home() / "kitchen.table"
    assert found.colours == {"water": "#2c5d7c"}
    assert found.readings == {"empty-target": "other"}
    assert found.players == {"red": "Ana"}
    unread = [field.name for field in fields(Settings) if getattr(found, field.name) == getattr(Settings(), field.name)]
    assert not unread


def test_a_later_layer_overrides_key_by_key(tmp_path: Path) -> None:
    first = written(tmp_path / "a.toml", 'language = "en"\n[screen]\nsize = "800x480"\n[colours]\nland = "#111111"\n')
    second = written(tmp_path / "b.toml", '[screen]\nrotation = 90\n[colours]\nwater = "#222222"\n')
    found = load([first, second])
    assert (found.screen_size_px, found.rotation_degrees) == ((800, 480), 90)
    assert found.colours == {"land": "#111111", "water": "#222222"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("language = 3", "language: expected a text, not 3"),
        ('langauge = "en"', "langauge: no such key; did you mean language?"),
        ("[screen]\nzzz = 1", "screen.zzz: no such key"),
        ("[screen]\ntext_scale = 3", "screen.text_scale: expected a number from 0.8 to 1.6, not 3"),
        ("[screen]\ntext_scale = true", "screen.text_scale: expected a number from 0.8 to 1.6, not True"),
        ("[screen]\ndiagonal_inches = nan", "screen.diagonal_inches: nan isn't a usable number"),
        ("[sound]\nvolume = 101", "sound.volume: expected a whole number from 0 to 100, not 101"),
        ("[clock]\nminutes = 2.5", "clock.minutes: expected a whole number from 0 to 600, not 2.5"),
        ('[automatic]\nturns = "yes"', "automatic.turns: expected true or false, not 'yes'"),
        ('[screen]\ntheme = "blue"', "screen.theme: expected one of dark, light, contrast, not 'blue'"),
        ("[screen]\nlayout = []", "screen.layout: expected one of one, two, not []"),
        ("[players]\nred = 3", "players: expected a text, not 3"),
        ("players = 3", "players: expected a section of names and texts, not 3"),
        ("screen = 5", "screen: no such key"),
        ("[screen]\nrotation = 45", "screen.rotation: expected one of 0, 90, 180, 270, not 45"),
        ("[screen]\nrotation = true", "screen.rotation: expected one of 0, 90, 180, 270, not True"),
        ('[screen]\nsize = "wide"', "screen.size: expected WIDTHxHEIGHT"),
        ('[screen]\nsize = "20x20"', "screen.size: a screen of 20x20 is too small"),
        ('[screen]\nsize = "99999x99999"', "screen.size: a screen of 99999x99999 is too large"),
        ("[screen]\nrotation = 90.0", "screen.rotation: expected one of 0, 90, 180, 270, not 90.0"),
        ('language = "e\\u0000n"', "language: expected a text, not 'e\\x00n'"),
        (f'camera = "{"x" * 1001}"', "camera: expected a shorter text"),
        ('table = "~nobody-of-this-name/x"', "table: expected a path, not '~nobody-of-this-name/x'"),
        (f"language = {'[' * 3000}", "nested too deeply"),
        (f"language = {'9' * 5000}", "a number with too many digits"),
        (f"{'x' * 100_000} = 1", f"{'x' * 60}: no such key"),
        ("#" * 200_001, "longer than 200000 characters"),
        ('[colours]\nwater = "blue"', "colours: water must be \"#rrggbb\", not 'blue'"),
        ('[colours]\nsky = "#112233"', "colours: the drawn board has no 'sky'; its colours are land, water"),
        ('[readings]\nempty-deck = "no"', 'readings: empty-deck must be "default" or "other", not \'no\''),
        ('colours = "blue"', "colours: expected a section of names and texts, not 'blue'"),
        ("[desk]\nlong_press_s = 9", "desk.long_press_s: expected a number from 0.3 to 3, not 9"),
        ('[desk]\nreaders = "a"', "desk.readers: expected a list of at most 8 texts, not 'a'"),
        ('[desk]\nreaders = ["a", "a"]', "desk.readers: each may appear only once"),
        ('[desk.reader_sides]\na = "three"', 'desk.reader_sides: a must be on side "one" or "two", or'),
        ("[pins]\nbuzzer = 99", "pins: expected a whole number from 0 to 27, not 99"),
        ("pins = 4", "pins: expected a section of names and pins, not 4"),
        ("language = \n", "Invalid value (at line 1, column 12)"),
    ],
)
def test_a_fault_is_told_with_file_and_key(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path / "settings.toml", text)
    with pytest.raises(SettingsError) as caught:
        load([path])
    assert str(caught.value).startswith(f"{path}: {told}")
    assert "\n" not in str(caught.value)


def test_what_the_desk_is_may_be_chosen_and_taken_back(tmp_path: Path) -> None:
    path = written(tmp_path / "settings.toml", "[pins]\nbuzzer = 12\n[desk]\nreaders = ['a', 'b']\ncontroller = ''\n")
    found = with_changes(load([path]), {"readers": ("b",), "reader_sides": {"b": "two"}, "controller": "c"})
    assert (found.readers, found.reader_sides, found.controller) == (("b",), {"b": "two"}, "c")
    assert with_changes(found, {"reader_sides": {}, "controller": ""}).reader_sides == {"b": ""}
    assert layers.plain(found.readers) == ["b"]


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path / "settings.toml", "language = 3\ncamera = 4\n")
    with pytest.raises(SettingsError, match=r"language: .*; camera: "):
        load([path])


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"not a text file \(byte 0 is not UTF-8\)"):
        load([path])


def test_the_app_s_choices_lie_beside_the_named_file_and_count_most(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named = written(tmp_path / "mine.toml", 'language = "pt_BR"')
    monkeypatch.setenv("GUNBAI_SETTINGS", str(named))
    assert layers.settings_files()[-2:] == (named, tmp_path / "mine.chosen.toml")
    assert load().language == "pt_BR"
    written(tmp_path / "mine.chosen.toml", 'language = "en"')
    assert load().language == "en"


def test_a_named_file_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "none.toml"))
    with pytest.raises(SettingsError, match=r"no such settings file \(named by \$GUNBAI_SETTINGS\)"):
        load()


def test_without_a_named_file_the_usual_places_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    assert [path.name for path in layers.settings_files()] == ["settings.toml", "settings.toml", "chosen.toml"]


@pytest.mark.parametrize(("text", "size"), [("800x480", (800, 480)), ("1280×720", (1280, 720))])
def test_sizes(text: str, size: tuple[int, int]) -> None:
    assert size_px(text) == size


@pytest.mark.parametrize("text", ["", "800", "800x", "x480", "-800x480", "800x480x2", "1e3x400"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(UsageError, match="expected WIDTHxHEIGHT"):
        size_px(text)


def test_a_change_is_read_as_strictly_as_a_file() -> None:
    before = Settings(players={"black": "Bo"}, readings={"empty-target": "other"})
    after = with_changes(
        before, {"theme": "light", "players": {"red": "Ana"}, "readings": {}, "screen_size_px": (800, 480)}
    )
    assert (after.theme, after.screen_size_px) == ("light", (800, 480))
    assert after.players == {"black": "", "red": "Ana"}
    assert after.readings == {"empty-target": "default"}
    assert with_changes(after, {"screen_size_px": None}).screen_size_px is None
    with pytest.raises(UsageError, match=r"screen\.theme: expected one of dark, light, contrast, not 'red'"):
        with_changes(before, {"theme": "red"})


def test_an_app_starts_without_the_files_that_are_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = written(tmp_path / "mine.toml", "language = 3\ncamera = '1'")
    chosen = written(tmp_path / "mine.chosen.toml", "screen.rotation = 180")
    monkeypatch.setenv("GUNBAI_SETTINGS", str(named))
    found, broken = load_sound()
    assert (found.rotation_degrees, found.camera) == (180, None)
    assert [file.path for file in broken] == [named]
    assert broken[0].message == f"{named}: language: expected a text, not 3"
    named.unlink()
    chosen.unlink()
    chosen.mkdir()  # cannot be read as a file
    found, broken = load_sound()
    assert found == Settings()
    assert [file.path for file in broken] == [None, chosen]
    assert "no such settings file" in broken[0].message
    assert "not a plain file" in broken[1].message


def stage_with(path: Path) -> Stage:
    return Stage(Services(SavedGames(), choices=Choices(path)))


def test_a_choice_holds_at_once_and_after_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "new-folder" / "chosen.toml"
    stage = stage_with(path)
    told: list[Settings] = []
    stage.listeners.append(told.append)
    stage.change(theme="light", text_scale=1.25)
    stage.change(players={"red": 'A"na\n\x7f', "black": "Bo"}, screen_size_px=(800, 480))
    stage.change(players={"red": "Ana"}, dim_after_s=0)
    assert stage.settings == told[-1] == load([path])
    assert stage.game_defaults.players == {"red": "Ana"}
    assert stage.settings.players == {"red": "Ana", "black": ""}
    assert list(path.parent.iterdir()) == [path]


def test_what_people_wrote_stays_as_it_is(tmp_path: Path) -> None:
    by_hand = tmp_path / "settings.toml"
    by_hand.write_text("# mine\nlanguage = 'en'\n[screen]\nrotation = 90\n")
    before = by_hand.read_bytes()
    stage = stage_with(tmp_path / "chosen.toml")
    stage.apply(load([by_hand]))
    stage.change(rotation_degrees=180)
    assert by_hand.read_bytes() == before
    assert load([by_hand, tmp_path / "chosen.toml"]).rotation_degrees == 180
    assert stage.services.choices is not None
    stage.services.choices.forget()
    assert load([by_hand, tmp_path / "chosen.toml"]).rotation_degrees == 90


def test_a_value_that_may_not_be_changes_nothing(tmp_path: Path) -> None:
    stage = stage_with(tmp_path / "chosen.toml")
    with pytest.raises(UsageError, match=r"sound\.volume"):
        stage.change(volume=300)
    assert stage.settings == Settings()
    assert not (tmp_path / "chosen.toml").exists()


def test_none_forgets_a_choice(tmp_path: Path) -> None:
    path = tmp_path / "chosen.toml"
    stage = stage_with(path)
    stage.change(screen_size_px=(800, 480), volume=10)
    stage.change(screen_size_px=None)
    assert "size" not in path.read_text()
    assert load([path]) == Settings(volume=10)


def test_a_full_disk_is_told_and_the_choice_holds_until_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = stage_with(tmp_path / "chosen.toml")
    stage.change(volume=10)
    monkeypatch.setattr(os, "write", refusing())
    with pytest.raises(SettingsError, match=r"chosen\.toml: can't be written \(No space left on device\)"):
        stage.change(volume=20)
    monkeypatch.undo()
    assert stage.settings.volume == 20
    assert load([tmp_path / "chosen.toml"]).volume == 10


def test_a_broken_file_is_kept_aside_before_a_choice_is_written(tmp_path: Path) -> None:
    path = tmp_path / "chosen.toml"
    path.write_text("volume =")
    stage_with(path).change(volume=20)
    assert load([path]).volume == 20
    assert (tmp_path / "chosen.toml.broken-1").read_text() == "volume ="


def test_setting_aside_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"can't be set aside \(No such file"):
        set_aside(tmp_path / "none.toml")


def test_forgetting_may_fail(tmp_path: Path) -> None:
    folder = tmp_path / "chosen.toml"
    folder.mkdir()
    with pytest.raises(SettingsError, match="can't be removed"):
        Choices(folder).forget()


def test_another_language_is_spoken_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken: list[str] = []
    monkeypatch.setattr("companion.scenes.base.stage.use_language", spoken.append)
    stage = stage_with(tmp_path / "chosen.toml")
    stage.change(language="pt_BR")
    stage.change(volume=3)
    assert spoken == ["pt_BR"]
    assert _("Undo") == "Undo"
