"""What is chosen in the app: in a file of its own, above what people write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.app.app import SavedGames
from companion.core.errors import SettingsError, UsageError
from companion.core.language import _
from companion.scenes.base.stage import Services, Stage
from companion.settings.layers import Choices, Settings, load, set_aside


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

    def full(*_args: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
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
