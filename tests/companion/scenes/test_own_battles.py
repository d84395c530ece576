"""Owners' battles in the app: listed, looked at, shared, taken off and taken over from a stick."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.content.shelves import BATTLES
from companion.core import sticks, storage
from companion.scenes.base import shelf_scenes
from companion.scenes.home.own_battles import OneBattleScene, OwnBattlesScene
from companion.ui.screen import Intent, Slip, Text
from engine.sonae.scenario import scenario_names
from tests.companion.gallery.rooms.shelf import own_battle
from tests.companion.touching import Hand


@pytest.fixture
def hand(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setattr(sticks, "PLACES", (tmp_path / "media",))
    own_battle()
    return hand


def test_a_battle_is_looked_at_shared_and_taken_off(hand: Hand) -> None:
    hand.press("More", "Your battles").intent(Intent("battle", "ford"))
    assert hand.screen.title == "Battle for the Bridge"
    assert hand.screen.board is not None
    assert "29 units" in hand.text()
    hand.press("Share")
    assert (storage.data_dir() / "shared" / "ford.toml").exists()
    assert hand.screen.banner.startswith("Saved to ")
    assert hand.button("Remove").look == "plain"
    hand.press("Remove")
    assert (hand.screen.banner, hand.button("Remove").look) == ("", "danger")
    assert "started with it" in hand.text()
    hand.press("Share").press("Remove", "Remove")
    assert isinstance(hand.app.scene, OwnBattlesScene)
    assert "ford" not in scenario_names()
    hand.intent(Intent("take", str(storage.data_dir() / "shared" / "ford.toml")))
    assert "ford" in scenario_names(), "the shared file is taken over again"
    assert isinstance(hand.intent(Intent("battle", "ford")).press("Back").app.scene, OwnBattlesScene)
    BATTLES.delete("ford")


def test_a_broken_file_is_named_with_its_faults(hand: Hand) -> None:
    (storage.data_dir() / "scenarios" / "torn.toml").write_text("title = 3")
    hand.press("More", "Your battles")
    [slip] = hand.blocks(Slip)
    assert slip.title == "torn.toml isn't a battle"
    assert slip.intent is not None
    hand.app.touch(slip.intent)
    told = hand.screen
    assert told.title == "Details"
    assert [block.text.startswith("title: ") for block in told.blocks if isinstance(block, Text)] == [True]
    assert isinstance(hand.press("Back").app.scene, OwnBattlesScene)


def test_a_stick_brings_battles(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr(shelf_scenes, "mounted_folders", lambda: iter((stick,)))
    text = (storage.data_dir() / "scenarios" / "ford.toml").read_text(encoding="utf-8")
    for name in ("ford", "hill", "Odd Name"):
        (stick / f"{name}.toml").write_text(text, encoding="utf-8")
    (stick / "notes.toml").write_text("x = 1")
    hand.press("More", "Your battles")
    assert [button.label for button in hand.all_buttons() if button.note == "use it"] == ["hill.toml"], (
        "no battle, or here already"
    )
    hand.press("hill.toml")
    assert BATTLES.path_of("hill").exists()
    BATTLES.delete("hill")


def test_what_has_gone_meanwhile_is_told(hand: Hand) -> None:
    hand.press("More", "Your battles")
    BATTLES.path_of("ford").unlink()
    hand.app.touch(Intent("battle", "ford"))
    assert "can't be read" in hand.screen.banner
    hand.app.touch(Intent("page", n=1))
    hand.app.touch(Intent("take", "/nowhere/at-all.toml"))
    assert hand.screen.banner == ""
    assert not isinstance(hand.app.scene, OneBattleScene)
    hand.press("Back", "Your decks")
    assert type(hand.app.scene).__name__ == "DecksScene"
