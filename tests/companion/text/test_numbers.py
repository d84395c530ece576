"""Numbers on the screen: decimals as the language writes them, and no number before the wrong form of a word.

What counts is said through `plural`, in every language.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.core.language import speaking
from engine.words import decimal
from intake.po_file import parse_po
from tests.catalogue import LOCALE, texts

ROOM = Path(__file__).parents[3] / "companion"
WRITTEN = re.compile(r":(\.[1-9]\d*f|g)\}")
A_NAME = ("line", "byte", "round", "with", "a", "linha", "tira")
"""Words before a number that names something, and counts nothing."""
NO_NOUN = r"mm|ms|MB|is|ou|para|depois|Mov\w+|seis|sixes (?:un)?luckier"
"""Behind a length, a name, or what is told with its tenths."""
COUNTED = re.compile(
    rf"(\w*) ?\{{(?:n|m|missed|invented)\}} (?:of (?:all )?\{{\w+\}} )?"
    rf"(?!(?:{NO_NOUN})\b)(?:\w+ )?(?:\w+s|dice|aircraft)\b"
)
"""A bare number between the word before it and one behind it that may be many."""
NEVER_ONE = (
    "--base-height: from {n} to {most} base widths, not {value}",
    "Hides after {n} seconds. Never saved.",
    "Sure of all {n} areas.",
    "a screen of {value} is too large: at most {n} pixels across",
    "at most {n} steps are read, not {value}",
    "expected a list of at most {n} texts, not {value}",
    "more than {n} files in it",
    "more than {n} frames",
    "more than {n} objects and lists on a line",
    "more than {n} tables",
    "{n} areas and zones are too many: the limit is {most}.",
    "{n} of {all} areas match",
    "{n} of {all} commanders left to deploy.",
    "{n} sixes: {against} is destroyed, and you get a bonus order.",
)
"""Limits that are known and larger, and what is said of one in a sentence of its own."""


def single_texts() -> list[str]:
    """List what is said without a form for many."""
    return sorted({text for text, _file in texts("companion") if isinstance(text, str)} - {*NEVER_ONE})


def is_slip(text: str) -> bool:
    return any(word not in A_NAME for word in COUNTED.findall(text))


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_what_counts_has_a_form_for_one(language: str) -> None:
    path = LOCALE / language / "LC_MESSAGES" / "gunbai.po"
    said = parse_po(path.read_bytes()).gettext if path.exists() else str
    assert [text for text in map(said, single_texts()) if is_slip(text)] == []


def test_what_is_never_one_is_still_said() -> None:
    assert {*NEVER_ONE} <= {text for text, _file in texts("companion")}


def test_a_slip_is_seen() -> None:
    assert is_slip("{place}: {n} pacotes")
    assert is_slip("{n} not seen, {missed} units missed")
    assert is_slip("{n} of {all} cards")
    assert not is_slip("line {n} comes after")


@pytest.mark.parametrize(
    ("language", "told"), [("en", ["1.50", "10.1", "2", "0.075"]), ("pt_BR", ["1,50", "10,1", "2", "0,075"])]
)
def test_the_point_of_a_number_is_the_languages_own(language: str, told: list[str]) -> None:
    with speaking(language):
        assert [decimal(1.5, 2), decimal(10.1), decimal(2.0), decimal(0.075)] == told


def test_no_number_reaches_the_screen_another_way() -> None:
    paths = [*(ROOM / "scenes").rglob("*.py"), *(ROOM / "text").rglob("*.py")]
    assert len(paths) > 100
    own = ROOM / "text" / "percent.py"
    text = {path: path.read_text(encoding="utf-8") for path in paths if path != own}
    assert [(path.name, found) for path, told in text.items() for found in WRITTEN.findall(told)] == []
