"""Golden games: every printed example of the rulebook, and whole games, replayed line by line through the referee.

A file is JSON lines. The first says where it begins: the `new` request of a saved game, or an example's section, what
it shows and its position, and its book where that is not Sengoku's. Then come steps in order, and between them what
must be true:
`{"expect": {"units"?, "pending"?, "position"?, "legal"?, "supply"?, "score"?}}` holds as far as it is written, and
`{"refuse": step, "rule": id}` is a step that is refused there for this reason, and not taken.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.orders import game
from engine.orders.board import Board, load_board
from engine.orders.wire import positions
from tests.boards.practice import atoll, castle, valley
from tests.games.golden import Json, ask, holds_as_written, is_the_same_at_once, lines_of, play_through

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
SECTIONS_WITH_EXAMPLES = {
    "sengoku": {
        *("Supply", "Game End", "Advance", "Sail", "Bombard", "Shell", "Siege", "Reinforce", "Embark", "Conflicts"),
        "Example Turn",
    },
    "wwii": {"Supply", "Barrage", "Example Turn"},
}
MADE_UP = {board.name: board for board in (castle(), valley(), atoll())}


@pytest.fixture(autouse=True)
def _boards_to_practise_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the protocol find the made-up boards beside the engine's own."""

    def load(name: str) -> Board:
        return MADE_UP.get(name) or load_board(name)

    for module in (game, positions):
        monkeypatch.setattr(module, "load_board", load)


def found_of(expected: Json, position: Json, pending: Json | None) -> Json:
    """Return the actual values to compare with each kind of expectation."""
    found: Json = {"units": {area: position["units"].get(area, {}) for area in expected.get("units", {})}}
    found |= {"pending": pending, "position": position}
    for do in ("legal", "supply", "score"):
        if do in expected:
            answer = ask(do, position)
            found[do] = answer["spaces"] if do == "legal" else answer
    return found


def check(expected: Json, position: Json, pending: Json | None) -> None:
    found = found_of(expected, position, pending)
    assert set(expected) <= {"units", "pending", "position", "legal", "supply", "score"}
    assert found["units"] == expected.get("units", {})
    for key, written in expected.items():
        assert holds_as_written(found[key], written), (key, found[key], written)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game(file: Path) -> None:
    play_through(file, check)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_in_one_request_is_the_same(file: Path) -> None:
    assert is_the_same_at_once(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_says_what_comes_of_it(file: Path) -> None:
    _, *lines = lines_of(file)
    assert any("expect" in line for line in lines)


@pytest.mark.parametrize("book", SECTIONS_WITH_EXAMPLES)
def test_every_printed_example_is_there(book: str) -> None:
    heads = [head for head, *_ in map(lines_of, FILES) if "section" in head]
    assert {head["section"] for head in heads if head.get("book", "sengoku") == book} == SECTIONS_WITH_EXAMPLES[book]


def test_whole_games_end_in_every_way() -> None:
    ends = {file.stem: lines_of(file)[-1]["expect"]["position"]["reason"] for file in FILES if "whole" in file.stem}
    assert ends == {"whole-headquarters": "hq_lost", "whole-points": "victory_points", "whole-tie": "victory_points"}


@pytest.mark.parametrize(
    ("found", "written", "holds"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": {"b": [1]}}, {"a": {"b": [1]}}, True),
        ({"a": {"b": [1]}}, {"a": {"b": [1, 2]}}, False),
        (None, None, True),
        (None, {}, False),
        ({}, None, False),
    ],
)
def test_what_is_written_is_compared_and_nothing_else(found: Any, written: Any, holds: bool) -> None:
    assert holds_as_written(found, written) is holds
