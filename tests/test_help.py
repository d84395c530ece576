"""The help's pages: the same in both languages, true to the app, and with a word on every trouble that it may show."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.app import failure_screen
from companion.content.help_pages import PAGES, HelpEntry, HelpPage, HelpPicture, HelpTable, parse_page
from companion.core.language import catalogue_of
from companion.printing.stand import stand_for
from companion.text import faults
from companion.text.refusals import DRILL, DRILL_NUMBERS, REFUSALS
from engine.orders.board import load_board
from tests.companion.gallery.docs_pictures import folder_of, page_of, screens, shown_on
from tests.companion.gallery.gallery import LANGUAGES, MIDDLE, SIZES
from tests.companion.printing.stand_picture import stand_picture

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
RENEW = "python -m tests.companion.gallery.docs_pictures docs/pictures"
MOST_APART = 96
"""Of 255, for a pixel to be another one: the files have few colours."""
MOST_OTHERS = 60
"""Pixels of a picture that may be others: fewer than a word has."""
BOARDS = ("sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island")
TROUBLED = re.compile(
    r"companion/(?:checks/.*|app/.*|text/devices|scenes/base/(?:unsaved|map_picture)"
    r"|scenes/orders/notices|scenes/camera/.*|scenes/trace/(?:begin|trace)|scenes/home/(?:start|crash|stick|stick_update|saved|only_look|own_boards|own_battles)"
    r"|scenes/settings/(?:power|lock|checkup|desk_devices)|view/window/(?:ambience|desk_presses|display))\.py"
)
"""The modules that say what is wrong."""
COMMANDS = {
    *faults.FILES,
    *faults.APPLIANCE,
    *faults.COMMAND_LINE,
    *REFUSALS,
    *DRILL,
    *DRILL_NUMBERS,
}
"""What only commands say, in a line that tells what to do."""


@cache
def page(name: str, language: str) -> HelpPage:
    return parse_page(page_of(name, language))


def told_with_gaps(text: str) -> str:
    """Return a text as the page shows it: with gaps for what differs."""
    return re.sub(r"\{\w+\}", "…", text)


translations = cache(catalogue_of)


@cache
def catalogue() -> dict[str, tuple[str, ...]]:
    """Return every text of the catalogue with the modules that say it."""
    entries = (ROOT / "companion/locale/gunbai.pot").read_text(encoding="utf-8").split("\n\n")
    found = {}
    for entry in entries:
        if words := re.search(r'^msgid (".*"(?:\n".*")*)', entry, re.M):
            text = "".join(re.findall(r'"(.*)"', words[1])).replace('\\"', '"')
            found[text] = tuple(" ".join(re.findall(r"^#: (.*)$", entry, re.M)).split())
    return found


def troubles() -> set[str]:
    """Return what a player may meet where something is wrong, in English."""
    said = {text for text, modules in catalogue().items() if any(map(TROUBLED.fullmatch, modules))}
    said |= (set(faults.FAULTS) - COMMANDS) | set(faults.NOT_SEEN.values())
    known = (ROOT / "tests/no_trouble.txt").read_text(encoding="utf-8").splitlines()
    assert [text for text in known if text not in said] == [], "no longer said: take it off the list"
    return said - set(known)


def shown_messages(language: str) -> list[str]:
    """Return the messages in the first columns of the page about troubles."""
    cells = re.findall(r"^\| (.+?) \| ", page_of("troubleshooting", language).read_text(encoding="utf-8"), re.M)
    return [message for cell in cells for message in re.findall(r"\*([^*]+)\*", cell.replace("**", ""))]


def in_language(text: str, language: str) -> str:
    """Return a text of the catalogue as the page of that language shows it."""
    found = translations(language)
    return told_with_gaps(found.gettext(text) if found.gettext(text) != text else found.ngettext(text, text, 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_has_a_word_on_what_to_do(language: str) -> None:
    shown = set(shown_messages(language))
    assert sorted(text for text in troubles() if in_language(text, language).replace("|", "/") not in shown) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_on_the_page_is_one_of_the_app(language: str) -> None:
    known = {in_language(text, language).replace("|", "/") for text in catalogue()}
    assert [message for message in shown_messages(language) if message not in known] == []


@pytest.mark.parametrize(("language", "words"), [*zip(LANGUAGES, failure_screen.TITLE, strict=True)])
def test_the_failure_screen_has_its_row(language: str, words: str) -> None:
    entries = [part for section in page("troubleshooting", language).sections for part in section.parts]
    assert words in [part.title for part in entries if isinstance(part, HelpEntry)]


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_have_the_same_sections_pictures_and_rows(name: str) -> None:
    kinds = [
        [[type(part) for part in section.parts] for section in page(name, language).sections] for language in LANGUAGES
    ]
    assert kinds[0] == kinds[1]
    shown = [
        [
            part.path.name
            for section in page(name, language).sections
            for part in section.parts
            if isinstance(part, HelpPicture)
        ]
        for language in LANGUAGES
    ]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_heights_are_those_of_the_stand(language: str) -> None:
    (table,) = [
        part for section in page("build", language).sections for part in section.parts if isinstance(part, HelpTable)
    ]
    point = "." if language == "en" else ","
    for view, *told in table.rows:
        heights = [stand_for(load_board(board).size_mm, float(view.rstrip("°"))).lens_mm / 10 for board in BOARDS]
        assert told == [f"{height:g} cm".replace(".", point) for height in heights]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screens_named_are_those_that_the_gallery_draws(language: str) -> None:
    text = page_of("build", language).read_text(encoding="utf-8")
    named = {(int(width), int(height)) for width, height in re.findall(r"(\d{3,4}) × (\d{3,4})(?=,| and| e |\b)", text)}
    assert named - {(1280, 960), (220, 220)} == {*SIZES, MIDDLE}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screens_on_the_pages_are_those_of_the_app(language: str) -> None:
    place = PICTURES / folder_of(language)
    assert sorted(path.stem for path in place.iterdir()) == shown_on(language), RENEW
    for name, picture in screens(language):
        assert others(picture, place / f"{name}.png") <= MOST_OTHERS, f"{name}: {RENEW}"


def test_the_stand_on_the_page_is_that_of_the_numbers() -> None:
    renew = "python -m tests.companion.printing.stand_picture docs/pictures/stand.png"
    assert others(stand_picture(), PICTURES / "stand.png") <= MOST_OTHERS, renew


def others(picture: Image.Image, kept: Path) -> int:
    """Return how many pixels of a picture differ from those of the file."""
    with Image.open(kept) as file:
        before = np.asarray(file.convert("RGB"), np.int16)
    return int((np.abs(np.asarray(picture, np.int16) - before).max(axis=2) > MOST_APART).sum())
