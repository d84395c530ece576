"""Golden games: every printed example of the rulebook, and whole games, replayed line by line through the referee.

A file is JSON lines. The first says where it begins: the `new` request of a saved game, or an example's section, what
it shows and its position, and its book where that is not Sengoku's. Then come steps in order, and between them what
must be true:
`{"expect": {"units"?, "pending"?, "position"?, "legal"?, "supply"?, "score"?}}` holds as far as it is written, and
`{"refuse": step, "rule": id}` is a step that is refused there for this reason, and not taken.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.orders import game
from engine.orders.board import Board, load_board
from engine.orders.wire import positions
from engine.referee import reply
from tests.boards.practice import atoll, castle, valley

Json = dict[str, Any]
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


def ask(do: str, position: Json, **more: Any) -> Json:
    return reply(json.dumps({"do": do, "position": position, **more}))


def lines_of(file: Path) -> list[Json]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def first_position(head: Json) -> Json:
    position: Json = reply(json.dumps(head))["position"] if head.get("do") == "new" else head["position"]
    return position


def as_far_as_written(found: Any, written: Any) -> bool:
    """Whether everything written is there; what is not written may be anything."""
    if isinstance(written, dict) and isinstance(found, dict):
        return all(key in found and as_far_as_written(found[key], part) for key, part in written.items())
    return bool(found == written)


def found_of(expected: Json, position: Json, pending: Json | None) -> Json:
    """What is there to compare with each kind of expectation."""
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
        assert as_far_as_written(found[key], written), (key, found[key], written)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game(file: Path) -> None:
    head, *lines = lines_of(file)
    position = first_position(head)
    pending: Json | None = None
    for line in lines:
        if "expect" in line:
            check(line["expect"], position, pending)
        elif "refuse" in line:
            error = ask("apply", position, steps=[line["refuse"]])["error"]
            assert error["rule"] == line["rule"]
        else:
            answer = ask("apply", position, steps=[line])
            assert "error" not in answer, (line, answer)
            position, pending = answer["position"], answer["pending"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_in_one_request_is_the_same(file: Path) -> None:
    head, *lines = lines_of(file)
    steps = [line for line in lines if not {"expect", "refuse"} & set(line)]
    one_by_one = ask("apply", first_position(head), steps=[])["position"]
    for step in steps:
        one_by_one = ask("apply", one_by_one, steps=[step])["position"]
    assert ask("apply", first_position(head), steps=steps)["position"] == one_by_one


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
    assert as_far_as_written(found, written) is holds
