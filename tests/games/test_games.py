"""Golden games of every system: printed examples and situations, and whole games, line by line through the referee.

A file is JSON lines. The first says where it begins: the `new` request of a saved game, or an example's section (in
Sonae a heading), what it shows and its position, and its book where that is not Sengoku's. Then come steps in order,
and between them what must be true: `{"expect": {...}}` holds as far as it is written; `{"refuse": step, "rule": id}`
is a step that is refused there for this reason, and not taken. Of what is expected "units" are those of the areas named
(in Sonae of the units named, null for one that has left), "legal", "supply", "score" and "outlook" what the referee
answers, "general" has "side/label" for its keys, and "measure" its request's own keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.generals.cards import add_deck, remove_deck
from engine.orders import game
from engine.orders.board import Board, load_board
from engine.orders.wire import positions
from engine.referee import reply
from engine.sonae.game import rules
from engine.sonae.scenario import add_scenario, read_scenario, remove_scenario
from tests.boards.practice import atoll, castle, valley
from tests.engine.generals.case import deck
from tests.engine.sonae.case import example

Json = dict[str, Any]
FOLDER = Path(__file__).parent
ORDERS, SONAE, GENERALS = (sorted(path.glob("*.jsonl")) for path in (FOLDER, FOLDER / "sonae", FOLDER / "generals"))
every_file = pytest.mark.parametrize("file", ORDERS + SONAE + GENERALS, ids=lambda file: file.stem)
MADE_UP = {board.name: board for board in (castle(), valley(), atoll())}


@pytest.fixture(autouse=True)
def _what_the_tests_made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the protocol find made-up boards, the deck for tests and the battle of docs/sonae.md beside the engine's."""

    def load(name: str) -> Board:
        return MADE_UP.get(name) or load_board(name)

    for module in (game, positions):
        monkeypatch.setattr(module, "load_board", load)
    add_deck(deck())
    add_scenario(read_scenario("ouchi-mori", example(), "ouchi-mori.toml"))
    yield
    remove_deck("hills")
    remove_scenario("ouchi-mori")


def ask(do: str, position: Json, **more: Any) -> Json:
    """Return the referee's answer to a request about a position."""
    return reply(json.dumps({"do": do, "position": position, **more}))


def lines_of(file: Path) -> list[Json]:
    """Return a file's objects, one for each line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def first_position(head: Json) -> Json:
    """Where a game begins: as its `new` request says, or at its position."""
    position: Json = reply(json.dumps(head))["position"] if head.get("do") == "new" else head["position"]
    return position


def holds(found: Any, written: Any) -> bool:
    """Whether everything written is there; what is not written may be anything, but an empty object is empty.

    Numbers may differ by rounding.
    """
    if isinstance(written, dict) and isinstance(found, dict):
        return bool(written or not found) and all(key in found and holds(found[key], written[key]) for key in written)
    return bool(found == (pytest.approx(written) if isinstance(written, float) else written))


def answers(expected: Json, position: Json, pending: Json | None) -> Json:
    """Return the actual values to compare with each kind of expectation."""
    gone: Json | None = {} if position.get("system", "orders") == "orders" else None
    found: Json = {"pending": pending, "position": position}
    found["units"] = {name: position.get("units", {}).get(name, gone) for name in expected.get("units", {})}
    for do in {"legal", "supply", "score", "outlook"} & set(expected):
        found[do] = ask(do, position)
    if "legal" in found and gone == {}:
        found["legal"] = found["legal"]["spaces"]
    if "measure" in expected:
        asked = {key: expected["measure"][key] for key in ("unit", "to")}
        found["measure"] = asked | ask("measure", position, **asked)
    whose = {key: key.partition("/")[::2] for key in expected.get("general", {})}
    return found | {
        "general": {key: ask("general", position, side=side, general=label) for key, (side, label) in whose.items()}
    }


@every_file
def test_a_golden_game(file: Path) -> None:
    head, *lines = lines_of(file)
    assert "heading" not in head or head["heading"] in {rule.citation.section for rule in rules().values()}
    answer, steps = ask("apply", first_position(head), steps=[]), list[Json]()
    for line in lines:
        if "expect" in line:
            found = answers(line["expect"], answer["position"], answer["pending"])
            for key, written in line["expect"].items():
                exact = key == "units" and file in ORDERS
                assert found[key] == written if exact else holds(found[key], written), (key, found[key], written)
        elif "refuse" in line:
            error = ask("apply", answer["position"], steps=[line["refuse"]])["error"]
            assert (error["rule"], bool(error["cite"])) == (line["rule"], True), line
        else:
            steps.append(line)
            answer = ask("apply", answer["position"], steps=[line])
            assert "error" not in answer, (line, answer)
    assert ask("apply", first_position(head), steps=steps)["position"] == answer["position"], "all steps in one request"
    assert any("expect" in line for line in lines), "it says what comes of it"


# --- what there is -----------------------------------------------------------------------

SECTIONS_WITH_EXAMPLES = {
    "sengoku": {
        *("Supply", "Game End", "Advance", "Sail", "Bombard", "Shell", "Siege", "Reinforce", "Embark", "Conflicts"),
        "Example Turn",
    },
    "wwii": {"Supply", "Barrage", "Example Turn"},
}
TOLD = {
    *("pinned-from-the-hill", "the-rush-of-maru-ni", "into-a-better-position", "stalled-at-the-hill"),
    *("the-flank-from-the-south", "the-general-abandons-the-camp", "the-assault-on-the-bridge"),
    *("shock-breaks-the-bridge", "the-retreat", "ouchi-and-mori"),
}
SITUATIONS = {
    *("faction-discount", "just-deployed", "blocking-three", "military-equal", "castle-guarded"),
    *("intelligence-attack", "special", "equipment", "hand-limit", "interleaved", "features", "agreed"),
    *("win-draw", "win-damage", "win-damage-by-card", "win-upkeep", "win-card"),
}


@pytest.mark.parametrize("book", SECTIONS_WITH_EXAMPLES)
def test_every_printed_example_is_there(book: str) -> None:
    heads = [head for head, *_ in map(lines_of, ORDERS) if "section" in head]
    assert {head["section"] for head in heads if head.get("book", "sengoku") == book} == SECTIONS_WITH_EXAMPLES[book]


def test_every_situation_is_there_and_says_where_it_is_written() -> None:
    heads = {file.stem: lines_of(file)[0] for file in GENERALS}
    assert {name for name, head in heads.items() if "section" in head} == SITUATIONS
    for head in heads.values():
        section = head.get("section", "Winning Criteria")
        assert re.fullmatch(r"Game Play ([1-9]|1[0-8])[a-d]?|Winning Criteria|Knowing the card types", section)
        assert "do" in head or head["example"]
    assert {file.stem for file in SONAE} >= TOLD


def test_games_end_in_every_way() -> None:
    ends = {
        file.stem: line["expect"]["position"]["reason"]
        for file in ORDERS + GENERALS
        for line in lines_of(file)
        if file.stem.startswith(("win-", "whole-")) and "reason" in line.get("expect", {}).get("position", {})
    }
    assert ends == {
        **{f"{how}-{end}": end for how in ("win", "whole") for end in ("card", "damage", "draw", "upkeep")},
        "win-damage-by-card": "draw",
        "whole-headquarters": "hq_lost",
        "whole-points": "victory_points",
        "whole-tie": "victory_points",
    }


@pytest.mark.parametrize(
    ("found", "written", "fits"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": {"b": [1]}}, {"a": {"b": [1, 2]}}, False),
        ({"a": 0.30555}, {"a": 0.5}, False),
        ({"a": 1 / 3}, {"a": 0.33333333333}, True),
        ({"a": 1}, {}, False),
        (None, None, True),
        (None, {}, False),
        ({}, None, False),
    ],
)
def test_what_is_written_is_compared_and_nothing_else(found: Any, written: Any, fits: bool) -> None:
    assert holds(found, written) is fits
