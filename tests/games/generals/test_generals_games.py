"""Golden games of the card game: its situations, and whole games, replayed line by line through the referee.

The form is that of the golden games of General Orders: a first line with the `new` request, or with a section, what is
shown and its position; then steps, `{"expect": ...}` for what must be true there as far as it is written ("general" has
"side/label" for its keys), and `{"refuse": step, "rule": id}` for a step that is refused for this reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.generals.cards import add_deck, remove_deck
from tests.engine.generals.case import deck
from tests.games.golden import Json, ask, is_the_same_at_once, lines_of, play_through

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
ENDS = ("card", "damage", "draw", "upkeep")


@pytest.fixture(autouse=True)
def _the_deck_for_tests() -> Iterator[None]:
    add_deck(deck())
    yield
    remove_deck("hills")


def as_far_as_written(found: Any, written: Any) -> bool:
    """Whether everything written is there; what is not written may be anything, an empty object is empty."""
    if isinstance(written, dict) and isinstance(found, dict):
        return bool(written or not found) and all(
            key in found and as_far_as_written(found[key], part) for key, part in written.items()
        )
    return bool(found == written)


def found_of(expected: Json, position: Json, pending: Json | None) -> Json:
    """Return the actual values to compare with each kind of expectation."""
    found: Json = {"pending": pending, "position": position, "general": {}}
    for do in ("legal", "outlook"):
        if do in expected:
            found[do] = ask(do, position)
    for key in expected.get("general", {}):
        side, _, label = key.partition("/")
        found["general"][key] = ask("general", position, side=side, general=label)
    return found


def check(expected: Json, position: Json, pending: Json | None) -> None:
    found = found_of(expected, position, pending)
    for key, written in expected.items():
        assert as_far_as_written(found[key], written), (key, found[key], written)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game(file: Path) -> None:
    play_through(file, check)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_in_one_request_is_the_same(file: Path) -> None:
    assert is_the_same_at_once(file)


SITUATIONS = {
    "faction-discount", "just-deployed", "blocking-three", "military-equal", "castle-guarded", "intelligence-attack",
    "special", "equipment", "hand-limit", "interleaved", "features", "agreed", "win-draw", "win-damage",
    "win-damage-by-card", "win-upkeep", "win-card",
}  # fmt: skip


def test_every_situation_says_where_it_is_written() -> None:
    heads = {file.stem: lines_of(file)[0] for file in FILES}
    assert {name for name, head in heads.items() if "section" in head} == SITUATIONS
    for head in heads.values():
        section = head.get("section", "Winning Criteria")
        assert re.fullmatch(r"Game Play ([1-9]|1[0-8])[a-d]?|Winning Criteria|Knowing the card types", section)
        assert "do" in head or head["example"]


def test_games_end_in_every_way() -> None:
    """As situations and as whole games."""
    ends = {file.stem: reason_of(lines_of(file)) for file in FILES if file.stem.startswith(("win-", "whole-"))}
    assert ends.pop("win-damage-by-card") == "draw"
    assert ends == {f"{of}-{end}": end for of in ("win", "whole") for end in ENDS}


def reason_of(lines: list[Json]) -> str:
    """Why the game of these lines ended."""
    (reason,) = [line["expect"]["position"]["reason"] for line in lines if "reason" in str(line.get("expect"))]
    return str(reason)
