"""What home offers first, and where it leads."""

from __future__ import annotations

import os
from pathlib import Path

from companion.app.app import App
from companion.scenes.base.rules import RulesScene
from companion.scenes.home.home import HomeMoreScene, HomeScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.settings import SettingsScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass
from tests.companion.equip import equip
from tests.companion.scenes.home.conftest import labels, played, scene
from tests.companion.touching import Hand

GO_ON = "Continue last game"


def test_home_offers_no_game_to_go_on_with_where_there_is_none(hand: Hand, tmp_path: Path) -> None:
    assert GO_ON not in labels(hand)
    assert hand.button("New game").look == "primary", "one thing stands out"
    assert [button.look for button in hand.all_buttons()].count("primary") == 1
    assert hand.screen.map is not None
    hand.app.touch(Intent("resume"))
    assert isinstance(hand.app.scene, HomeScene)
    played(tmp_path, "evening", "Ana", "Takeshi")
    assert "Ana to move\nAna vs Takeshi · round 1" in hand.text()


def test_the_last_game_goes_on_at_its_last_confirmed_step(hand: Hand) -> None:
    scene(hand.start()).match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    position = hand.position
    scene(hand).match.close()
    again = Hand(App())
    assert "Black to move\nRed vs Black · round 1 · today" in again.text()
    assert again.button("New game").look == "plain"
    assert {area.name: area.stacks for area in again.picture.areas}["c4"], "the map shows where it stands"
    again.press(GO_ON)
    assert again.position == position
    for step in (Pass(), Deploy("advance:b5", moves=(("c4", "troop", 1),))):
        assert scene(again).match.offer(step).legal
    scene(again).refresh()
    again.dice(1)
    scene(again).match.close()
    again = Hand(App()).press(GO_ON)
    assert len(scene(again).match.steps) == 3
    assert not again.screen.banner
    assert "Black rolls 1 die for b5" in again.text(), "the die was not confirmed: it is asked for again"
    assert again.position.units_in("b5") == {"red": {"troop": 1}, "black": {"troop": 3}}


def test_a_game_that_is_cut_off_opens_with_a_sentence(hand: Hand) -> None:
    hand.start().press("Pass")
    path = scene(hand).match.path
    scene(hand).match.close()
    path.write_bytes(path.read_bytes() + b'{"deploy": "adv')
    again = Hand(App())
    again.press(GO_ON)
    assert "step 1" in again.screen.banner
    again.app.touch(Intent("hush"))
    assert not again.screen.banner


def test_a_file_that_is_no_game_is_passed_over_and_kept(hand: Hand, tmp_path: Path) -> None:
    hand.start().app.touch(Intent("menu"))
    hand.press("Home")
    torn = tmp_path / "games" / "torn.jsonl"
    torn.write_text('{"do": "ne')
    os.utime(torn, (2e9, 2e9))
    hand.press(GO_ON)
    assert scene(hand).match.path.name == "game.jsonl"
    assert torn.read_text() == '{"do": "ne'


def test_a_game_that_is_open_elsewhere_is_not_opened(hand: Hand) -> None:
    hand.start()
    again = Hand(App())
    again.press(GO_ON)
    assert isinstance(again.app.scene, HomeScene)
    assert "open in another" in again.screen.banner
    again.press("More")
    assert isinstance(again.app.scene, HomeMoreScene)
    assert isinstance(again.press("Back").app.scene, HomeScene)
    assert not again.screen.banner


def test_more_leads_to_the_readings_and_out(hand: Hand) -> None:
    hand.app.stage.change(readings={"empty-deck": "other"})
    hand.press("More", "Unclear rules")
    asked = hand.shown(scr.Slip)
    assert "Can you shoot at an area with no enemy units?" in [slip.title for slip in asked]
    assert all(slip.text.startswith("You play: ") and slip.cite for slip in asked)
    [switched] = [slip for slip in asked if slip.chosen]
    assert switched.text.startswith("You play: There are no more cards to draw.")
    assert "Standard: " in switched.text
    hand.press("Back", "About Gunbai")
    assert "MIT" in hand.text()
    hand.press("Back", "Quit Gunbai")
    assert not hand.app.running


def test_home_leads_to_rules_settings_and_statistics(hand: Hand) -> None:
    for button, title in (("Rules", RulesScene), ("Settings", SettingsScene), ("Statistics", StatisticsScene)):
        hand.press(button)
        assert isinstance(hand.app.scene, title)
        hand.app.touch(Intent("back"))
        assert isinstance(hand.app.scene, HomeScene)


def test_only_what_the_machine_has_is_offered(hand: Hand) -> None:
    hand.press("More")
    assert not {"Health check", "Score a photo", "Set up the camera", "Watch a demo"} & set(labels(hand))
    for verb in ("check", "photo", "calibrate", "elsewhere"):
        hand.app.touch(Intent(verb))
        assert isinstance(hand.app.scene, HomeMoreScene)
    equip(hand.app.stage, doctor=lambda: ())
    hand.press("Health check")
    assert isinstance(hand.app.scene, CheckScene)
