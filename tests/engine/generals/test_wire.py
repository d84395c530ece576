"""Positions, steps and requests as JSON: read back as written, faults named by their key, answers with reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import BadPosition, BadStep
from engine.generals.cards import load_deck
from engine.generals.game import apply, new_game
from engine.generals.position import Position, Side
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from engine.referee import answer
from tests.engine.generals.case import at

STEPS: list[tuple[Step, dict[str, Any]]] = [
    (Deploy("fox"), {"deploy": "fox"}),
    (Deploy("fox", "city"), {"deploy": "fox", "zone": "city"}),
    (Equip("sword", "fox"), {"equip": "sword", "general": "fox"}),
    (Use("rain", "red"), {"use": "rain", "by": "red"}),
    (Use("plot", "red", "fox", "horse"), {"use": "plot", "by": "red", "general": "fox", "target": "horse"}),
    (Activate("fox"), {"activate": "fox"}),
    (Activate("boar", "fox", "horse"), {"activate": "boar", "general": "fox", "target": "horse"}),
    (Move("fox", "siege"), {"move": "fox", "to": "siege"}),
    (Attack("fox", "horse"), {"attack": "fox", "target": "horse"}),
    (Attack("fox"), {"attack": "fox", "castle": True}),
    (End(), {"end": True}),
    (
        Agreed("red", {"hand": 2}, {"fox": {"zone": "city"}, "horse": None}, ("horse",), "black", "so be it"),
        {
            "agreed": "red",
            "hand": 2,
            "generals": {"fox": {"zone": "city"}, "horse": None},
            "defeated": ["horse"],
            "winner": "black",
            "note": "so be it",
        },
    ),
    (Agreed("black"), {"agreed": "black"}),
    (
        Agreed("red", {}, {"fox": {"military": -2, "acted": False}}),
        {"agreed": "red", "generals": {"fox": {"military": -2, "acted": False}}},
    ),
]


@pytest.mark.parametrize(("step", "obj"), STEPS)
def test_steps(step: Step, obj: dict[str, Any]) -> None:
    assert step_to_json(step) == obj
    assert step_from_json({**obj, "sum": "1234"}) == step


@pytest.mark.parametrize(
    ("obj", "fault"),
    [
        (3, "a step is an object, not 3"),
        ({}, "a step has one of the keys deploy, equip, use"),
        ({"deploy": 3}, "deploy: expected a name, not 3"),
        ({"deploy": "fox", "to": "city"}, "to: the deploy step has no such key"),
        ({"equip": "sword"}, "general: missing"),
        ({"move": "", "to": "city"}, "move: missing"),
        ({"attack": "fox"}, 'attack: either a "target" or "castle": true'),
        ({"attack": "fox", "target": "fox", "castle": True}, 'attack: either a "target" or "castle": true'),
        ({"end": 1}, "end: true is the only value"),
        ({"agreed": "red", "hand": -1}, "hand: expected a number from 0, not -1"),
        ({"agreed": "red", "generals": {"fox": {"luck": "x"}}}, "generals.fox.luck: a general has no such key"),
        ({"agreed": "red", "generals": {"fox": {"used": "x"}}}, "generals.fox.used: expected true or false, not 'x'"),
        (
            {"agreed": "red", "generals": {"fox": {"military": True}}},
            "generals.fox.military: expected a number from -999 to 999",
        ),
        ({"agreed": "red", "generals": {"fox": {"zone": 1}}}, "generals.fox.zone: expected a name, not 1"),
    ],
)
def test_steps_badly_written(obj: object, fault: str) -> None:
    with pytest.raises(BadStep) as raised:
        step_from_json(obj)
    assert str(raised.value).startswith(fault)


def practised(*fighters: str) -> Position:
    """Return a game with the practice decks and red's generals on the battlefield."""
    start = new_game({"red": load_deck("practice-cranes"), "black": load_deck("practice-wolves")}, "red")
    standing = tuple(at(label, "siege", item="war_fan", acted=True, military=2) for label in fighters)
    side = start.sides[0]
    gone = replace(side, fighters=standing, seen=("ambush",), defeated=("reed_guard",), expended=3)
    return start.with_side(0, replace(gone, resources=gone.resources + side.cards - gone.cards))


@pytest.fixture
def table() -> dict[str, Any]:
    return position_to_json(practised("crane_scout"))


def test_positions() -> None:
    where = replace(
        practised("crane_scout", "crane_scout-2"), last="move", done=("deploy", "move"), readings=frozenset({"guards"})
    )
    obj = json.loads(json.dumps(position_to_json(where)))
    assert obj["system"] == "generals"
    assert obj["sides"]["red"]["generals"]["crane_scout-2"] == {
        "zone": "siege",
        "item": "war_fan",
        "acted": True,
        "military": 2,
    }
    assert position_from_json(obj) == where
    over = replace(where, winner=1, reason="draw")
    assert position_from_json(position_to_json(over)) == over


def faults() -> Iterator[tuple[list[str], object, str]]:
    """(path, new value, how the fault begins)."""
    red, general = ["sides", "red"], ["sides", "red", "generals", "crane_scout"]
    yield ["sides"], {}, "sides: red and black"
    yield ["sides"], [], "sides: expected an object, not []"
    yield ["to_move"], "blue", "to_move: expected one of red, black, not 'blue'"
    yield ["winner"], 3, "winner: expected a name, not 3"
    yield ["last"], "sneeze", "last: expected one of draw, deploy, equip"
    yield ["done"], ["move", "sneeze"], "done: expected one of draw, deploy, equip"
    yield ["done"], "move", "done: expected a list of names, not 'move'"
    yield ["reason"], "boredom", "reason: expected one of draw, damage"
    yield ["turn"], "one", "turn: expected a number from 0, not 'one'"
    yield ["readings"], {"guards": "maybe"}, 'readings.guards: "default" or "other"'
    yield ["readings"], {"payment": "other"}, "readings.payment: no reading of that name with another answer"
    yield [*red, "deck"], "nobody", "sides.red.deck: no deck 'nobody'"
    yield [*red, "hand"], None, "sides.red.hand: expected a number from 0, not None"
    yield [*red, "hand"], 9, "sides.red: 54 cards in all, and practice-cranes has 50"
    yield [*red, "defeated"], ["dragon"], "sides.red.defeated: 'dragon' is no card of practice-cranes"
    yield [*red, "seen"], ["ambush"] * 4, "sides.red: 4 of ambush, and practice-cranes has 3"
    yield (
        [*red, "seen"],
        ["ambush", "ambush", "scouts", "scouts"],
        "sides.red.seen: more cards than the expended zone has",
    )
    yield [*red, "generals"], {"ambush": {"zone": "city"}}, "sides.red.generals.ambush: no general of practice-cranes"
    yield [*red, "generals"], {"crane_scout-x": {"zone": "city"}}, "sides.red.generals.crane_scout-x: no general of"
    yield [*red, "generals"], {"x": {"zone": "city"}}, "sides.red.generals.x: no general of practice-cranes"
    yield (
        [*general, "zone"],
        "sea",
        "sides.red.generals.crane_scout.zone: expected one of city, outside, siege, not 'sea'",
    )
    yield [*general, "item"], "scouts", "sides.red.generals.crane_scout.item: 'scouts' is no item card"
    yield [*general, "item"], "x", "sides.red.generals.crane_scout.item: 'x' is no item card"
    yield [*general, "used"], 1, "sides.red.generals.crane_scout.used: expected true or false, not 1"
    yield (
        [*general, "military"],
        1000,
        "sides.red.generals.crane_scout.military: expected a number from -999 to 999, not 1000",
    )
    yield (
        [*general, "military"],
        "2",
        "sides.red.generals.crane_scout.military: expected a number from -999 to 999, not '2'",
    )


@pytest.mark.parametrize(("path", "value", "fault"), list(faults()))
def test_positions_badly_written(table: dict[str, Any], path: list[str], value: object, fault: str) -> None:
    inner = table
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(BadPosition) as raised:
        position_from_json(table)
    assert str(raised.value).startswith(fault)


def test_new() -> None:
    decks = {"red": "practice-cranes", "black": "practice-wolves"}
    start = new_from_json({"decks": decks, "first": "black", "readings": {"guards": "other", "blockers": "default"}})
    assert start.to_move_name == "black"
    assert start.readings == {"guards"}
    assert apply(start, End()).to_move_name == "red"
    with pytest.raises(BadPosition, match="first: expected a name"):
        new_from_json({"decks": decks})
    with pytest.raises(BadPosition, match=r"decks\.red: no deck"):
        new_from_json({"decks": {"red": "x"}, "first": "red"})


def test_a_side_knows_its_own() -> None:
    side: Side = practised("crane_scout").sides[0]
    assert side.known() == {"crane_scout": 1, "war_fan": 1, "reed_guard": 1, "ambush": 1}


# ==== What the referee answers of Generals Order ===============================================

DECKS = {"red": "practice-cranes", "black": "practice-wolves"}
NEW = {"do": "new", "system": "generals", "decks": DECKS, "first": "red"}


def asked(request: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(answer(json.dumps(request))))


@pytest.fixture
def begun() -> dict[str, Any]:
    """Red has deployed a scout and moved it."""
    steps = [{"deploy": "crane_scout"}, {"move": "crane_scout", "to": "siege"}]
    return asked({"do": "apply", "position": asked(NEW)["position"], "steps": steps})


def test_events_tell_what_came_of_it_and_pending_what_may_be_answered(begun: dict[str, Any]) -> None:
    assert begun["events"][0] == "Red: Crane Scout arrives inside its city"
    deployed = asked({"do": "apply", "position": asked(NEW)["position"], "steps": [{"deploy": "crane_scout"}]})
    assert deployed["pending"] == {
        "wants": "special",
        "by": "black",
        "cards": ["howl"],
        "message": "Black may answer with a special card",
    }
    assert asked({"do": "legal", "position": deployed["position"]})["specials"] == ["howl"]
    ended = asked({"do": "apply", "position": begun["position"], "steps": [{"end": True}]})
    assert ended["pending"] is None


def test_a_general_its_points_and_its_way(begun: dict[str, Any]) -> None:
    request = {"do": "general", "position": begun["position"], "side": "red", "general": "crane_scout"}
    found = asked(request)
    assert found["military"]["parts"][0] == {"n": 2, "why": "Crane Scout", "cite": "Game Play 14, p. 7"}
    assert found["intelligence"]["total"] == 2
    assert found["passage"] == {"enemies": [], "blockers": [], "missing": 0, "cite": "Game Play 11d, p. 6"}
    ended = asked({"do": "apply", "position": begun["position"], "steps": [{"end": True}]})["position"]
    assert "passage" not in asked({**request, "position": ended})
    for wrong in ({"side": "blue"}, {"general": "fox"}):
        assert "is not on the battlefield" in asked(request | wrong)["error"]["message"]


def test_the_end_to_come(begun: dict[str, Any]) -> None:
    assert asked({"do": "outlook", "position": begun["position"]}) == {
        "cite": "Game Play 18, p. 9",
        "red": {"upkeep": 1, "lost": False, "discard": 0},
        "black": {"upkeep": 0, "lost": False, "discard": 0},
    }


def test_the_cut() -> None:
    request = {"do": "cut", "system": "generals", "decks": DECKS}
    found = asked({**request, "cut": {"red": "crane_marshal", "black": "wolf_pup"}})
    assert found == {"decides": "red", "costs": {"red": 4, "black": 1}}
    assert asked({**request, "cut": {"red": "crane_scout", "black": "wolf_pup"}})["decides"] is None
    for cut in ({"red": "dragon"}, {"blue": "wolf_pup"}):
        assert "no card of the deck" in asked({**request, "cut": cut})["error"]["message"]
    assert asked({**request, "cut": {"red": ["x"]}})["error"]["message"] == "cut.red: expected a name, not ['x']"
    assert "a card each" in asked(request)["error"]["message"]


def test_a_cost(begun: dict[str, Any]) -> None:
    request = {"do": "cost", "position": begun["position"], "side": "red", "card": "crane_marshal"}
    found = asked(request)
    assert (found["total"], [part["n"] for part in found["parts"]]) == (3, [4, -1])
    assert asked({**request, "card": "war_fan"})["total"] == 0
    for wrong in ({"side": "blue"}, {"card": "fox"}):
        assert "is no card of" in asked(request | wrong)["error"]["message"]
