"""Strict reading of data files: every fault at once, with file and key; and the words and questions of a book."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import BadTable
from engine.rulebook import load_questions, load_words
from engine.tables import Each, Form, parse_table, read_table, table_names

FORM: Form = {
    "name": str,
    "count": int,
    "size": float,
    "open": bool,
    "kind": ("land", "water"),
    "words": [str],
    "pairs": [[float]],
    "notes?": str,
    "rows": Each({"n": int, "unit?": str}),
}
SOUND = """
name = "a"
count = 3
size = 1
open = true
kind = "land"
words = ["x", "y"]
pairs = [[1, 2.5], []]
rows.first = { n = 1 }
rows.second = { n = 2, unit = "ship" }
"""


def faults(text: str, form: Form = FORM) -> list[str]:
    with pytest.raises(BadTable) as caught:
        parse_table("file.toml", text, form)
    return [fault.removeprefix("file.toml: ") for fault in str(caught.value).split("; ")]


def test_a_sound_table_comes_back_as_plain_values() -> None:
    table = parse_table("file.toml", SOUND, FORM)
    assert table["rows"] == {"first": {"n": 1}, "second": {"n": 2, "unit": "ship"}}
    assert table["pairs"] == [[1, 2.5], []]


def test_a_key_that_may_be_missing_may_be_there() -> None:
    assert parse_table("file.toml", 'notes = "n"\n' + SOUND, FORM)["notes"] == "n"


def test_text_that_is_no_toml_is_named_by_file_and_line() -> None:
    with pytest.raises(BadTable, match=r"^file.toml: .*line 2"):
        parse_table("file.toml", "name = 'a'\ncount = = 3", FORM)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('name = "a"', "name = 4", "name: 4 is no str"),
        ("count = 3", 'count = "3"', "count: '3' is no int"),
        ("count = 3", "count = true", "count: True is no int"),
        ("count = 3", "count = 1_000_000_000_001", "count: a huge number is no int"),
        ("count = 3", "count = 3.0", "count: 3.0 is no int"),
        ("size = 1", "size = true", "size: True is no float"),
        ("size = 1", 'size = "1"', "size: '1' is no float"),
        ("open = true", "open = 1", "open: 1 is no bool"),
        ('kind = "land"', 'kind = "air"', "kind: 'air' is none of land, water"),
        ('words = ["x", "y"]', 'words = ["x", 4]', "words[1]: 4 is no str"),
        ('words = ["x", "y"]', 'words = "x"', "words: 'x' is no list"),
        ("pairs = [[1, 2.5], []]", 'pairs = [[1, "2"], []]', "pairs[0][1]: '2' is no float"),
        ("pairs = [[1, 2.5], []]", "pairs = [1]", "pairs[0]: 1 is no list"),
        ("rows.first = { n = 1 }", "rows.first = { n = true }", "rows.first.n: True is no int"),
        ("rows.first = { n = 1 }", "rows.first = {}", "rows.first.n: missing"),
        ("rows.first = { n = 1 }", "rows.first = { n = 1, m = 2 }", "rows.first.m: unknown key"),
        ("rows.first = { n = 1 }", "rows.first = 7", "rows.first: 7 is no table"),
        ('rows.first = { n = 1 }\nrows.second = { n = 2, unit = "ship" }', "rows = 3", "rows: 3 is no table"),
        ('name = "a"\n', "", "name: missing"),
        ('name = "a"', 'name = "a"\nnmae = "b"', "nmae: unknown key"),
    ],
)
def test_a_fault_is_named_by_its_key(old: str, new: str, fault: str) -> None:
    assert old in SOUND
    assert faults(SOUND.replace(old, new)) == [fault]


def test_every_fault_is_reported_at_once() -> None:
    text = SOUND.replace("count = 3", 'count = "3"').replace('kind = "land"', "kind = 1").replace("n = 2", "m = 2")
    assert faults(text) == [
        "count: '3' is no int",
        "kind: 1 is none of land, water",
        "rows.second.n: missing",
        "rows.second.m: unknown key",
    ]


def test_the_files_that_come_with_the_engine_are_listed_by_kind() -> None:
    assert table_names("boards") == (*table_names("modes"), "wwii-island-2")
    assert "sengoku" in table_names("rules")


def test_a_file_of_the_engine_that_breaks_a_form_is_named() -> None:
    with pytest.raises(BadTable, match=r"^readings/sengoku.toml: readings: .* is no str$"):
        read_table("readings", "sengoku", {"readings": str})


@pytest.mark.parametrize("value", [[], "text", 3])
def test_what_is_no_table_at_all(value: Any) -> None:
    form: Form = {"part": {"n": int}}
    text = f"part = {value!r}"
    assert faults(text, form) == [f"part: {value!r} is no table"]


# ==== The questions that people ask of a book, and the words of their language =================


def test_questions_belong_to_the_entries_of_their_book() -> None:
    questions = load_questions("general-orders", "en")
    assert "which map should we start with" in questions["section:game-modes"]
    assert load_questions("sonae", "pt_BR").keys() != questions.keys()


def test_a_book_that_nobody_has_asked_about_has_no_questions() -> None:
    assert load_questions("general-orders", "eo") == {}
    assert load_questions("chess", "en") == {}


def test_a_language_has_common_words_likenesses_and_forms() -> None:
    words = load_words("en")
    assert words is not None
    assert {"what", "when"} <= words.common
    assert all(len(group) > 1 for group in words.alike)
    assert words.forms
    assert not words.common & words.forms.keys()
    assert load_words("eo") is None
