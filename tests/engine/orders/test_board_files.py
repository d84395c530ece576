"""Board files from strangers: each fault is named; tests/fuzz holds that nothing else ever comes of one."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from typing import Any

import pytest

from engine.errors import BadTable
from engine.orders.board import add_board, board_names, load_board, own_board_names, read_board, remove_board
from engine.orders.game import legal, new_game
from engine.tables import MOST_FAULTS, parse_table
from intake.toml_text import MOST_CHARACTERS

TEXT = (resources.files("engine") / "data" / "boards" / "sengoku-rivers.toml").read_text(encoding="utf-8")
OWN = TEXT.replace('board = "sengoku-rivers"', 'board = "sengoku-rivers-ana"')


def read(text: str) -> str:
    """Read a board file and return its faults, or "" if a game can begin on the board."""
    try:
        board = read_board("ana.toml", text)
    except BadTable as fault:
        return str(fault)
    add_board(board)
    try:
        assert legal(new_game(board.name, board.factions[0], {})).may_pass
    finally:
        remove_board(board.name)
    return ""


def dumped(value: Any) -> str:
    """Plain values as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {dumped(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(dumped, value)) + "]"
    return json.dumps(value)


def document(data: dict[str, Any]) -> str:
    return "\n".join(f"{json.dumps(key)} = {dumped(value)}" for key, value in data.items())


RIVERS = tomllib.loads(OWN)


def test_a_sound_file_is_a_board() -> None:
    assert read(OWN) == ""
    assert read(document(RIVERS)) == ""


CARD = {
    "copies": 3, "title": "A", "text": "", "condition": "", "by": "mover", "action": "advance", "moment": "join",
    "verb": "join", "amount": 1, "unit": "troop",
}  # fmt: skip


def test_a_card_that_fits_is_in_the_deck() -> None:
    board = read_board("ana.toml", document({**RIVERS, "cards": {"own_card": CARD}}))
    assert board.mode.deck == {"own_card": 3}
    assert load_board("sengoku-rivers").mode.deck != board.mode.deck


def test_an_owners_card_keeps_its_other_title_and_the_guess_at_its_text() -> None:
    mode = load_board("wwii-alpine").mode
    text = (resources.files("engine") / "data" / "boards" / "wwii-alpine.toml").read_text(encoding="utf-8")
    name, known = next((name, card) for name, card in mode.cards.items() if card.likely)
    row = {**CARD, "title": known.title, "verb": "table", "moment": "any", "action": "", "unit": ""}
    data = {**tomllib.loads(text), "board": "wwii-alpine-ana", "cards": {name: row, "new_card": row}}
    cards = read_board("ana.toml", document(data)).mode.cards
    assert (cards[name].likely, cards[name].title_pt) == (known.likely, known.title_pt)
    assert cards["new_card"].likely == ""


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("support", "move:1"), {"amount": 3}, "support.move:1: no such action"),
        (("support", "reinforce:1"), {"amount": 99}, "support.reinforce:1.amount: 99 is no number of units"),
        (("support", "plan:1"), {"amount": 1, "amounts": {"blue": 1}}, "support.plan:1.amounts: 'blue' is no faction"),
        (("cards", "a"), {**CARD, "copies": -1}, "cards.a.copies: -1 is no number for a card"),
        (("cards", "a"), {**CARD, "action": "fly"}, "cards.a.action: 'fly' is no action of this mode"),
        (("cards", "a"), {**CARD, "action": "plan"}, "cards.a.verb: 'join' does not go with plan"),
        (("cards", "a"), {**CARD, "moment": "any"}, "cards.a.moment: 'any' is not join"),
        (("cards", "a"), {**CARD, "by": "opponent"}, "cards.a.by: 'opponent' is not mover"),
        (("cards", "a"), {**CARD, "action": "sail"}, "cards.a.unit: 'troop' cannot be its unit"),
        (("cards", "a"), {**CARD, "verb": "extra", "unit": ""}, "cards.a.moment: 'join' is not deploy"),
        (("cards", "a"), {**CARD, "verb": "share", "unit": ""}, "cards.a.moment: 'join' is not deploy"),
        (
            ("cards", "a"),
            {**CARD, "verb": "dice", "unit": "", "action": "bombard", "moment": "defence"},
            "cards.a.moment: 'defence' is not shot",
        ),
        (("cards", "a"), {**CARD, "verb": "dice", "action": ""}, "cards.a.verb: 'dice' does not go with no action"),
    ],
)
def test_an_owners_own_numbers_and_cards(path: tuple[str, str], value: dict[str, Any], fault: str) -> None:
    table, name = path
    assert read(document({**RIVERS, table: {name: value}})) == f"board sengoku-rivers-ana: {fault}"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('board = "sengoku-rivers-ana"', 'board = "../secret"', "board: '../secret' is no name of a board"),
        ("[areas.b5]", "[areas.b777]", "areas.b777: a name that may not be"),
        ("size_mm = [260.8, 296.5]", "size_mm = [260.8]", "size_mm: 1 entries, not 2"),
        ("size_mm = [260.8, 296.5]", "size_mm = [260.8, nan]", "size_mm: nan isn't a usable number"),
        ("start.black = { ship = 3 }", "start.black = { ship = 4 }", "a4 starts with more than 3 units"),
        ("[91.08, 91.38]", "[91.08, 999.0]", "b5.centres_mm: 91.08, 999 lies beside the board"),
        ("[[77.97, 159.5], [64.86, 182.21]", "[[64.86, 182.21], [77.97, 159.5]", "a3.polygon_mm: no simple outline"),
        ('slot = "moon"', 'slot = "flower"', "b1.slot: 'flower' is none of the slots"),
        (
            'slots = ["sun", "moon", "star"]',
            'slots = ["sun", "moon", "star", "sun"]',
            "slot sun needs exactly one area",
        ),
        ('adjacent = ["a3", "b1", "b2", "b3"]', 'adjacent = ["a3", "a3", "b1", "b2", "b3"]', "a1.adjacent: itself"),
        ('hq = "black"', 'hq = "green"', "a3.hq: 'green' is no faction"),
        ('kind = "land"\nhexes = ["b1"]', 'kind = "water"\nhexes = ["b1"]', "b1.slot: b1 is no land"),
        ("start.red = { troop = 3 }", "start.red = { troop = 3 }\nstart.black = { troop = 1 }", "both factions"),
    ],
)
def test_faults_are_named(old: str, new: str, fault: str) -> None:
    assert old in OWN
    assert fault in read(OWN.replace(old, new))


def test_more_of_a_unit_than_the_box_holds() -> None:
    data = tomllib.loads(OWN)
    for name, row in data["areas"].items():
        if row["kind"] == "land" and name != "a3":
            row["start"] = {"red": {"troop": 3}}
    assert "red starts with 39 of 25 units of the kind troop" in read(document(data))


def test_more_areas_than_the_engine_can_hold() -> None:
    row = {**RIVERS["areas"]["b1"], "adjacent": []}
    areas = {f"{letter}{n}": row for letter in "abcd" for n in range(1, 11)}
    assert read(document({**RIVERS, "areas": areas})) == "board sengoku-rivers-ana: 40 areas are more than 36"


def test_text_that_is_too_long() -> None:
    assert read("#" * (MOST_CHARACTERS + 1)) == f"ana.toml: longer than {MOST_CHARACTERS} characters"


def test_nesting_without_end() -> None:
    assert read("a = " + "[" * 50_000).startswith("ana.toml: ")
    assert read("a = " + "[" * 90 + "]" * 90).startswith("ana.toml: ")


def test_of_very_many_faults_the_first_are_told() -> None:
    with pytest.raises(BadTable, match=r"; f: and 40 more$") as caught:
        parse_table("f", "\n".join(f"k{n} = 1" for n in range(MOST_FAULTS + 40)), {})
    assert str(caught.value).count("unknown key") == MOST_FAULTS


def test_a_board_that_was_added_can_be_forgotten() -> None:
    board = read_board("ana.toml", OWN)
    add_board(board)
    assert own_board_names() == ("sengoku-rivers-ana",)
    assert load_board("sengoku-rivers-ana") is board
    remove_board("sengoku-rivers-ana")
    remove_board("sengoku-rivers-ana")
    assert "sengoku-rivers-ana" not in board_names()


def test_no_board_takes_the_place_of_the_engines_own() -> None:
    with pytest.raises(BadTable, match="comes with the engine"):
        add_board(read_board("file", TEXT))
