"""docs/sonae.md: its example is a sound battle, and the readings with two answers and every key of a file are told."""

from __future__ import annotations

import re

from engine.sonae.game import new_game, readings
from engine.sonae.position import MODES
from engine.sonae.scenario import GROUNDS, KINDS, SKILLS, TYPES, read_scenario
from tests.engine.sonae.manual import PAGE, example

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_is_a_sound_battle() -> None:
    battle = read_scenario("ouchi-mori", example(), "docs/sonae.md")
    assert battle.known == "owner"
    assert [army.title for army in battle.armies] == ["Ouchi", "Mori"]
    start = new_game(battle)
    assert start.modes == ("encamped", "encamped")
    assert battle.ground_at((6.0, 7.0)) == "road"
    assert battle.units["ouchi-guns"].skills == {"fire": 1}


def test_every_reading_with_two_answers_stands_there_as_it_is() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+\?) \| (.+) \|$", TEXT, re.M)
    told = {name: (question, other) for name, question, other in rows}
    assert told == {name: (reading.question, reading.other) for name, reading in readings().items() if reading.other}


def test_every_word_of_a_battles_file_is_told() -> None:
    for word in (*GROUNDS, *TYPES, *KINDS, *SKILLS, *MODES, "free", "square", "hex", "objective", "marker", "radius"):
        assert f"`{word}`" in TEXT or f'"{word}"' in TEXT or f"`{word}` " in TEXT, word
