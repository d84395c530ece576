"""No text reaches the screen past the catalogue.

Every scene of the gallery is shown in a language that marks each word it was asked for: a word without a mark was
never given to the translators. And the sources are read: no words between quotes but those of `_` and its like.
"""

from __future__ import annotations

import argparse
import ast
import errno
import gettext
import os
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core import language
from companion.core.language import use_catalogue, use_language
from companion.text import faults
from companion.ui.screen import Block, Button, Stepper
from engine.generals import game as generals_game
from engine.generals.cards import deck_names, load_deck
from engine.orders.board import Board, board_names, load_board
from engine.rulebook import load_book
from engine.sonae import game as sonae_game
from engine.sonae.scenario import load_scenario, scenario_names
from tests.catalogue import messages, template
from tests.companion import touching
from tests.companion.gallery import gallery
from tests.companion.touching import Hand

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
BEGINS, ENDS = "\ue000", "\ue001"
WORD = re.compile(r"[^\W\d_][\w’'-]+")
MARKED = re.compile(rf"{BEGINS}[^\s{ENDS}]*[{ENDS}…]?")
SAID = frozenset({"_", "plural", "mark", "say"})
SENTENCE = re.compile(r"^[A-Z][a-z]+ |[a-z]{2,} [a-z]{2,}")

PEOPLE = {"Ana", "Bo", "Bia", "Caio", "Carla", "Duda", "Maria", "Fernanda", "Takeshi", "Zoé"}
TYPED = {"The", "long", "evening", "game-0", "jsonl", "suply", "last", "b6", "mele", "sonae", "generals"} | {
    *("KINGSTON", "BACKUP", "gunbai-0", "update")
}
"""Words of the gallery's own games, files, sticks and searches."""
OURS = {"Gunbai", "English", "Português", "Brasil", "KeyError", "ZeroDivisionError", "áêç"} | {
    "sudo",
    "apt",
    "install",
    "espeak-ng",
}
FIXTURES = {
    "banner", "broken_settings", "camera_fault", "camera_lost", "check", "check_up_picture", "check_up_weak",
    "check_up_well", "check_well", "consent_half_given",
    "crash_report_saved", "desk_device", "desk_devices", "desk_try", "diagnosis_lost",
    "log_taken_back_of_a_battle", "log_taken_back_of_a_duel", "own_board", "own_boards",
    "own_draft", "power_refused", "score_to_share",
    "score_to_share_as_text", "saved_broken", "set_by_hand",
    "stick_bringing", "stick_two", "stick_update", "stick_update_unsigned",
    "trace_saved",
}  # fmt: skip
"""Scenes with texts that the gallery made up in English, or that show names of files."""


def marked(text: str) -> str:
    """Each word of a text between marks; its places stay."""
    return re.sub(r"(\{[^}]*\})|([^\s{}]+)", lambda found: found[1] or f"{BEGINS}{found[2]}{ENDS}", text)


def plain(text: str) -> str:
    return text.replace(BEGINS, "").replace(ENDS, "")


class Marks(gettext.NullTranslations):
    """A language whose words are the English ones, marked; of texts that no translator sees, it knows nothing."""

    def __init__(self) -> None:
        super().__init__()
        found = [message.id for message in messages(template())]
        self.known = {form for text in found for form in ((text,) if isinstance(text, str) else text)}

    def gettext(self, message: str) -> str:
        return marked(message) if message in self.known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture(scope="module")
def marks() -> Marks:
    return Marks()


@pytest.fixture
def marking(marks: Marks, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak the marked language, and let a hand find buttons by their words without the marks."""
    buttons, steppers = Hand.all_buttons, touching.steppers

    def found(hand: Hand) -> list[Button]:
        return [replace(button, label=plain(button.label)) for button in buttons(hand)]

    def counted(blocks: tuple[Block, ...]) -> list[Stepper]:
        return [replace(stepper, label=plain(stepper.label)) for stepper in steppers(blocks)]

    monkeypatch.setattr(Hand, "all_buttons", found)
    monkeypatch.setattr(touching, "steppers", counted)
    monkeypatch.setattr(gallery, "speaking", lambda _code: nullcontext())
    use_catalogue(marks)
    yield
    monkeypatch.undo()
    use_language("en")


@cache
def printed() -> frozenset[str]:
    """Return the words that stay as printed: of cards, tokens, areas, rule books where cited; and ids of rules."""
    titles = [title for name in board_names() for title in _printed_on(load_board(name))]
    titles += [*_printed_in(sonae_game), *_printed_in(generals_game), *_printed_on_cards(), *_named_in_battles()]
    return frozenset(word for title in titles for word in WORD.findall(title))


def _printed_on(board: Board) -> Iterator[str]:
    mode = board.mode
    yield mode.title
    for card in mode.cards.values():
        yield from (card.title, card.heading)
    for bonus in mode.bonuses.values():
        yield from (bonus.title, bonus.heading)
    yield from (area.name for area in board.areas)
    for section in load_book(mode.rulebook).values():
        yield from (section.title, str(section.citation.of("pt")))
    for rule in mode.rules.values():
        yield from (rule.citation.section, str(rule.citation.of("pt")))
    yield from (*mode.rules, *mode.readings)


def _printed_in(book: Any) -> Iterator[str]:
    """Yield the headings of a book that has no sections of its own in the data, and the ids of its rules."""
    for rule in (*book.rules().values(), *book.readings().values()):
        yield rule.citation.section
    yield from (*book.rules(), *book.readings())


def _printed_on_cards() -> Iterator[str]:
    for deck in map(load_deck, deck_names()):
        yield deck.title
        for card in deck.cards.values():
            yield from (card.title, card.faction, card.text, card.effect.text if card.effect is not None else "")


def _named_in_battles() -> Iterator[str]:
    for battle in map(load_scenario, scenario_names()):
        yield battle.title
        yield from (army.title for army in battle.armies)
        yield from (ground.title for ground in battle.ground)
        yield from (division.title for division in battle.divisions.values())
        yield from (unit.title for unit in battle.units.values())


def unmarked(make: gallery.Scene, variant: gallery.Variant) -> set[str]:
    """Return the words that a scene shows and nobody was asked to translate."""
    with gallery.hung(make) as hand, gallery.unpainted():
        _picture, shown = gallery.drawn(hand, variant)
    labels = [
        label.text for shown_pane in shown for layer in shown_pane.canvas.sheet.layers() for label in layer.labels
    ]
    words = {word for text in labels for word in WORD.findall(MARKED.sub("", text))}
    return words - printed() - PEOPLE - TYPED - OURS


TURNS = (gallery.Variant(), gallery.Variant((720, 1280), "two"))
# The page about Gunbai has names of parts and licences; the help's pages are translated as pages.
UNLISTED = ("about_", "help_")
SHOWN = sorted(name for name in gallery.scenes() if name not in FIXTURES and not name.startswith(UNLISTED))


@pytest.mark.parametrize(("number", "name"), list(enumerate(SHOWN)))
def test_every_word_of_a_scene_can_be_translated(number: int, name: str, marking: None) -> None:
    """On one glass or on two halves, by turns."""
    assert not unmarked(gallery.scenes()[name], TURNS[number % 2])


def test_a_text_past_the_catalogue_is_found(marking: None) -> None:
    def with_a_banner(hand: Hand) -> None:
        hand.start()
        hand.app.fault = "Nobody translates this"

    assert {"Nobody", "translates"} <= unmarked(with_a_banner, TURNS[0])


def spoken_past(path: Path) -> Iterator[str]:
    """Sentences between quotes in a module that are not said through the catalogue, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said: set[ast.AST] = set()
    for node in ast.walk(tree):
        call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID
        if call or isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            said.update(ast.walk(node))
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and node not in said else None
        if isinstance(text, str) and SENTENCE.search(text) and not text.startswith("<"):
            yield f"{path.relative_to(ROOT).as_posix()}: {text!r}"


def test_no_scene_speaks_past_the_catalogue() -> None:
    printed_or_keys = {"top left", "top right", "bottom left", "bottom right", "Game Play"}
    licensed = {"Atkinson Hyperlegible", "Apache 2.0"}  # names on the page about Gunbai
    paths = sorted((ROOT / "companion" / "scenes").rglob("*.py"))
    assert len(paths) > 100
    for path in paths:
        known = printed_or_keys | licensed
        assert [text for text in spoken_past(path) if not any(f"'{key}" in text for key in known)] == []


@pytest.mark.parametrize("code", ["", "xx", "../../../tmp/evil", "/etc", "pt_BR\0", "e" * 5000, "pt_BR/../pt_BR"])
def test_what_is_no_language_is_english(code: str) -> None:
    assert type(language.catalogue_of(code)) is gettext.NullTranslations


def test_a_damaged_catalogue_is_told_and_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pt_BR" / language.FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(b"torn")
    monkeypatch.setattr(language, "CATALOGUES", tmp_path)
    assert language.catalogue_of("pt_BR").gettext("Undo") == "Undo"
    assert capsys.readouterr().err.startswith(f"gunbai: {path}: not a text catalogue, or damaged (")


def test_faults_are_told_as_they_are_raised() -> None:
    """A message that is raised no more, or otherwise, would stay English."""
    folders = (ROOT / "intake", ROOT / "companion", ROOT / "vision", ROOT / "hardware", ROOT / "engine")
    files = [path for folder in folders for path in folder.rglob("*.py") if path != ROOT / "companion/text/faults.py"]
    sources = "".join(path.read_text(encoding="utf-8") for path in (*files, Path(argparse.__file__)))
    sources = re.sub(r'"\n +f?"', "", sources)  # literals that go on in the next line
    sources += "".join(map(os.strerror, errno.errorcode))
    parts = [part.strip(": ();,?") for text in faults.FAULTS for part in re.split(r"\{\w+\}", text)]
    assert len(parts) > 50
    assert [part for part in parts if part and part not in sources and part != "no such key; is"] == []
