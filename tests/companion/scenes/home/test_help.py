"""Help without a network: page by page, and as codes for a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.content.help_pages import HelpPage, HelpPicture, HelpSection, HelpText, help_pages
from companion.core.language import speaking
from companion.drawing.qr_code import MOST_BYTES
from companion.scenes.base.help import HelpCodeScene, HelpScene, HelpSectionScene, fitting, phone_code
from companion.scenes.home.home import HomeScene
from companion.ui.screen import Columns, Intent, Photo, Slip, Text
from tests.companion.touching import Hand, words


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
    slips = hand.shown(Slip)
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
        texts = [*fitting(section.plain())]
        assert all(0 < len(text.encode()) <= MOST_BYTES for text in texts)
        assert "\n\n".join(texts) == "\n\n".join(section.plain()), "nothing is cut within a paragraph"
    longest = max(
        (text for section in sections for text in fitting(section.plain())), key=lambda text: len(text.encode())
    )
    assert phone_code(longest)


def test_a_paragraph_too_long_for_a_code_is_cut_at_a_letter_and_a_text_too_long_has_none() -> None:
    assert [*fitting(["ab", "cd", "é" * 5], 6)] == ["ab\n\ncd", "ééé", "éé"]
    assert [*fitting([])] == []
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
