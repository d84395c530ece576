"""What home offers first, where it leads, and help without a network: page by page, and as codes for a phone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.app.app import App
from companion.content.help_pages import HelpPage, HelpPicture, HelpSection, HelpText, help_pages
from companion.core.language import speaking
from companion.drawing.qr_code import MOST_BYTES
from companion.scenes.base.help import HelpCodeScene, HelpScene, HelpSectionScene, pack_paragraphs, phone_code
from companion.scenes.base.rules import RulesScene
from companion.scenes.home.home import HomeMoreScene, HomeScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.settings import SettingsScene
from companion.ui import screen as scr
from companion.ui.screen import Columns, Intent, Photo, Slip, Text
from engine.orders.steps import Deploy, Pass
from tests.companion.equip import equip
from tests.companion.scenes.home.conftest import labels, played, scene
from tests.companion.touching import Hand, words

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
    asked = hand.blocks(scr.Slip)
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


def titles(hand: Hand) -> list[str]:
    return [block.title for block in hand.screen.blocks if isinstance(block, Slip)]


def test_a_page_is_read_from_section_to_section(hand: Hand) -> None:
    hand.press("Help")
    assert titles(hand) == ["Build it", "The first evening", "When something is wrong", "Questions"]
    hand.app.touch(Intent("open", "first-evening"))
    assert titles(hand)[:2] == ["Switch on", "Put the board under the camera"]
    hand.app.touch(Intent("open", n=0))
    picture, first, _second = hand.screen.blocks
    assert isinstance(picture, Photo)
    assert picture.size_px == (800, 480)
    assert isinstance(first, Text)
    assert "Side by side" in first.text
    hand.press("Next")
    assert hand.screen.title == "Put the board under the camera"
    hand.press("Back")
    assert hand.screen.title == "The first evening"
    hand.app.touch(Intent("open", n=len(titles(hand)) - 1))
    assert "Next" not in [action.label for action in hand.screen.actions]
    hand.app.touch(Intent("next"))
    assert hand.screen.title == "Good night"
    hand.press("Back", "Back")
    hand.app.touch(Intent("open", "build"))
    hand.app.touch(Intent("open", n=titles(hand).index("The stand")))
    slips = hand.blocks(Slip)
    assert slips[2].title == "62°"
    assert slips[2].text.startswith("Rivers 34 cm · Fortress 30 cm · "), "with what stands above each column"
    hand.press("Back", "Back", "Back")
    assert isinstance(hand.app.scene, HomeScene)


def test_a_section_goes_to_a_phone_in_as_many_codes_as_it_needs(hand: Hand) -> None:
    hand.press("Help")
    hand.app.touch(Intent("open", "troubleshooting"))
    hand.app.touch(Intent("open", n=titles(hand).index("Sound and voice")))
    section = hand.app.scene
    assert isinstance(section, HelpSectionScene)
    hand.press("On your phone")
    (columns,) = hand.screen.blocks
    assert isinstance(columns, Columns)
    assert isinstance(columns.right[0], Photo)
    assert "Code" not in words(hand.screen.blocks)
    hand.press("Back")
    assert hand.app.scene is section
    long = HelpCodeScene(HelpSection("Long", tuple(HelpText("word " * 60) for _ in range(6))), section)
    hand.app.scene = long
    seen = ["".join(long.texts)]
    for number in range(1, len(long.texts) + 1):
        assert f"Code {number} of {len(long.texts)}" in words(long.show().blocks)
        assert ("Next code" in [action.label for action in long.show().actions]) == (number < len(long.texts))
        long.touch(Intent("next"))
    assert len(long.texts) == 2
    assert seen[0].count("word") == 360


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_every_section_has_codes_for_all_its_words(language: str) -> None:
    with speaking(language):
        sections = [section for page in help_pages() for section in page.sections]
    for section in sections:
        texts = [*pack_paragraphs(section.plain())]
        assert all(0 < len(text.encode()) <= MOST_BYTES for text in texts)
        assert "\n\n".join(texts) == "\n\n".join(section.plain()), "nothing is cut within a paragraph"
    longest = max(
        (text for section in sections for text in pack_paragraphs(section.plain())), key=lambda text: len(text.encode())
    )
    assert phone_code(longest)


def test_a_paragraph_too_long_for_a_code_is_cut_at_a_letter_and_a_text_too_long_has_none() -> None:
    assert [*pack_paragraphs(["ab", "cd", "é" * 5], 6)] == ["ab\n\ncd", "ééé", "éé"]
    assert [*pack_paragraphs([])] == []
    assert phone_code("x" * (MOST_BYTES + 1)) == ()


def test_a_picture_that_is_gone_is_left_out(hand: Hand, tmp_path: Path) -> None:
    section = HelpSection("A", (HelpPicture(tmp_path / "gone.png", "gone"), HelpText("still here")))
    scene = HelpSectionScene(HelpPage("a", "A", "", (section,)), 0, HelpScene(hand.app.home))
    assert scene.show().blocks == (Text("still here"),)


def test_the_menu_of_a_game_has_it_too(hand: Hand) -> None:
    hand.start()
    hand.app.touch(Intent("menu"))
    hand.press("More", "Help")
    assert isinstance(hand.app.scene, HelpScene)
    hand.press("Back")
    assert hand.screen.title == "More"
