"""What the rooms' own errors say is one line that a terminal only shows, whatever a file brought into it."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError, SettingsError
from engine.errors import BadStep, EngineError, Illegal
from engine.orders.game import judge, new_game
from engine.orders.steps import Deploy
from engine.words import count_words
from intake.text import MOST_SHOWN, one_line
from tests.companion.sample_games import BOARD, BONUSES
from vision.errors import TableError, VisionError

ROOMS = (CompanionError, SettingsError, EngineError, BadStep, VisionError, TableError)


@pytest.mark.parametrize("kind", ROOMS)
def test_an_error_is_one_line_that_steers_nothing(kind: type[Exception]) -> None:
    told = str(kind("friday.jsonl: \x1b[2J\x1b]0;x\x07 a\nb\r\u2028c\x9b1m \u202e caf\udce9"))
    assert told == r"friday.jsonl: \u001b[2J\u001b]0;x\u0007 a b c\u009b1m \u202e caf\udce9"
    assert str(kind("gunbai: a “plain” sentence, 5 × as plain")) == "gunbai: a “plain” sentence, 5 × as plain"


def test_a_ruling_on_a_strange_name_is_one_line_too() -> None:
    ruling = judge(new_game(BOARD, "red", BONUSES), Deploy("plan\x1b:1\n", draw=1))
    assert "\x1b" not in str(Illegal(ruling))
    assert "plan" in str(Illegal(ruling))


@pytest.mark.parametrize("text", ["", "plain", "日本", "e\u0301", "a\u00a0b"])
def test_what_steers_nothing_stays(text: str) -> None:
    assert one_line(text).replace(" ", "\u00a0") == text.replace(" ", "\u00a0")


def test_a_line_without_end_is_cut() -> None:
    for character in ("x", "\x1b"):
        told = str(CompanionError(character * 70_000))
        assert (len(told), told[-1]) == (MOST_SHOWN, "…")
    assert len(one_line("x" * MOST_SHOWN)) == len(one_line("x" * MOST_SHOWN).rstrip("…")) == MOST_SHOWN


@pytest.mark.parametrize("thing", ["tr{who}", "{", "}", "{n.__class__}", "{0}", "%s"])
def test_things_of_any_name_are_counted(thing: str) -> None:
    assert count_words(2, thing) == f"2 {thing}s"
    assert count_words(1, thing, "red") == f"1 red {thing}"
