"""No number stands before the wrong form of a word: what counts is said through `plural`, in every language."""

import re

import pytest

from intake.po_file import parse_po
from tests.catalogue import LOCALE, texts

A_NAME = ("line", "byte", "round", "with", "a", "linha", "tira")
"""Words before a number that names something, and counts nothing."""
NO_NOUN = r"mm|ms|MB|is|ou|para|depois|Mov\w+|seis|sixes (?:un)?luckier"
"""Behind a length, a name, or what is told with its tenths."""
COUNTED = re.compile(rf"(\w*) ?\{{(?:n|m|missed|invented)\}} (?!(?:{NO_NOUN})\b)(?:\w+ )?\w+s\b")
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
    assert not is_slip("line {n} comes after")
